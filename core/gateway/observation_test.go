package gateway_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/gateway"
)

func TestSomeReasonsAreToldToNobodyOutside(t *testing.T) {
	t.Parallel()
	hidden := map[gateway.ReasonCode]gateway.ReasonCode{
		gateway.LostOrStolen: gateway.DoNotHonour, gateway.FraudSuspected: gateway.DoNotHonour,
		gateway.NoFunds: gateway.Declined, "": gateway.Declined,
	}
	for _, c := range []gateway.ReasonCode{
		"", gateway.InsufficientFunds, gateway.DoNotHonour, gateway.ExpiredCard, gateway.WrongCVC, gateway.LimitExceeded,
		gateway.NotPermitted, gateway.AuthFailed, gateway.LostOrStolen, gateway.FraudSuspected, gateway.InvalidCard,
		gateway.IssuerDown, gateway.NameMismatch, gateway.InvalidTarget, gateway.NoFunds, gateway.TimedOut,
		gateway.CanceledByPayer, gateway.Declined,
	} {
		want, isHidden := hidden[c]
		if !isHidden {
			want = c
		}
		if got := c.Public(); got != want {
			t.Errorf("%q is told as %q, want %q", c, got, want)
		}
	}
}

func TestTrustIsOrderedAndNamed(t *testing.T) {
	t.Parallel()
	var names []string
	for trust := gateway.Hint - 1; trust <= gateway.Answered+1; trust++ {
		names = append(names, trust.String())
	}
	if got := strings.Join(names, ", "); got != "hint, hint, shared secret, signed, answered, answered" {
		t.Errorf("got %s", got)
	}
}

func TestAPartysNationalIDIsNotWrittenAsJSON(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(gateway.Party{Name: "Ayşe", NationalID: "10000000146"})
	if err != nil || string(text) != `{"name":"Ayşe"}` {
		t.Errorf("%s, %v", text, err)
	}
}
