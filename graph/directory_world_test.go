package graph_test

import (
	"fmt"
	"math/big"
	"regexp"
	"sync/atomic"
	"testing"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// withSiteToken makes the site token with the id 1, if nobody has.
func withSiteToken(a *api, t *testing.T) subject {
	t.Helper()
	if _, err := a.Store.SiteToken(t.Context(), 1); err != nil {
		if _, err := a.Directory.CreateSiteToken(t.Context(), app.BySystem, owner.SiteToken{DealerID: a.Dealer.ID, Name: "Shop"}); err != nil {
			t.Fatal(err)
		}
	}
	return fresh(payment.ManualDeposit)(a, t)
}

// blocked has the customer "bad" on the block list, unblocked has not.
func blocked(a *api, t *testing.T) subject {
	t.Helper()
	return a.block(t, core.Changeset{owner.Block{CustomerKey: badCustomer, Reason: "test", BlockedBy: core.System, BlockedAt: a.Clock.Now()}})
}

func unblocked(a *api, t *testing.T) subject {
	t.Helper()
	return a.block(t, core.Changeset{})
}

var badCustomer = owner.CustomerKey{ProviderID: 1, UserID: "bad"}

func (a *api) block(t *testing.T, change core.Changeset) subject {
	t.Helper()
	_, err := a.Store.BlockOf(t.Context(), badCustomer)
	switch {
	case fault.Is(err, fault.NotFound):
		err = nil
	case err == nil:
		err = a.Store.Commit(t.Context(), core.Changeset{owner.Unblock(badCustomer)})
	}
	if err == nil {
		err = a.Store.Commit(t.Context(), change)
	}
	if err != nil {
		t.Fatal(err)
	}
	return fresh(payment.ManualDeposit)(a, t)
}

// ibans numbers the accounts that tests make.
var ibans atomic.Int64

// newIBAN is an IBAN that no account has.
func newIBAN(a *api, t *testing.T) subject {
	t.Helper()
	s := fresh(payment.ManualDeposit)(a, t)
	s.line = turkish(1000 + ibans.Add(1))
	return s
}

// turkish is the IBAN of an account number at a bank, with its check digits (ISO 7064, mod 97-10).
func turkish(number int64) string {
	bban := fmt.Sprintf("00062%017d", number)
	n, _ := new(big.Int).SetString(bban+"292700", 10) // T R 0 0
	return fmt.Sprintf("TR%02d%s", 98-new(big.Int).Mod(n, big.NewInt(97)).Int64(), bban)
}

// keys are issued ones.
var keys = regexp.MustCompile(`\b(vz[a-z]+_)[0-9a-z]{32}\b|\b(whsec_)[0-9A-Za-z+/]{43}=`)

// checkKeys is checkScrubbed without the random parts of issued keys and of the ends of API keys.
func checkKeys(t *testing.T, name string, r reply) {
	t.Helper()
	scrubbed := keys.ReplaceAllString(r.Raw, "$1$2…")
	checkScrubbed(t, name, regexp.MustCompile(`"credentialEnding":"\w{4}"`).ReplaceAllString(scrubbed, `"credentialEnding":"…"`))
}

// issued is what a payload has of credentials.
type issued struct {
	Credential string
	Value      string
}
