package harness

import (
	"encoding/json"
	"strings"
	"testing"
)

// Shop is an installation with a server, a gateway, a receiver of callbacks and staff.
type Shop struct {
	In       *Installation
	Server   *Process
	Till     *Till
	To       *Receiver
	Provider Caller
	Operator Staff
	Admin    Staff
}

// OpenShop starts everything that payments at gateways need.
func (in *Installation) OpenShop(env ...string) *Shop {
	in.T.Helper()
	server := in.Serve(append(env, Simulated...)...)
	s := &Shop{
		In: in, Server: server, To: NewReceiver(in.T, in.Keys.Provider, Accept), Provider: in.Provider(server),
		Operator: in.SignIn(server, "operator"), Admin: in.SignIn(server, "admin"),
	}
	in.CallBack(server, s.To)
	s.Till = in.Till(server)
	return s
}

// Code is the step that confirms a card payment with a code.
func Code(typed string) Step { return Press("code", "code", typed) }

// InLira is an amount with its two decimals.
func InLira(amount json.Number) string {
	whole, cents, _ := strings.Cut(string(amount), ".")
	return whole + "." + (cents + "00")[:2]
}

// thirdParty are E9, E12 and E15: the kind and its type and prefix.
var thirdParty = map[string][2]string{
	"bank":   {"third_party_bank_deposit", "TPBD-"},
	"crypto": {"third_party_crypto_deposit", "TPCD-"},
	"wallet": {"third_party_wallet_deposit", "TPWD-"},
}

// StartDeposit calls E9, E12 or E15.
func (s *Shop) StartDeposit(t *testing.T, kind, amount string) Payment {
	t.Helper()
	p := s.Provider.Create(t, "third-party/"+kind+"/start-deposit", amount)
	want := thirdParty[kind]
	if p.Status != "showing" || p.Type != want[0] || p.Method != kind || !strings.HasPrefix(p.TrackingCode, want[1]) {
		t.Errorf("a deposit by %s is answered with %+v", kind, p)
	}
	return p
}
