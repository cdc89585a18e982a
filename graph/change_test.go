package graph_test

import (
	"testing"

	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/routing"
	"github.com/vezne/vezne/core/wallet"
)

// TestEveryFieldOfAStateIsCalledSomething: whatever an approval shows, it shows it by a name that people know.
func TestEveryFieldOfAStateIsCalledSomething(t *testing.T) {
	t.Parallel()
	_, after := operation.Case{}.AuditStates(nil)
	states := []string{
		after, payment.Payment{Claim: payment.Claim{Name: "deniz"}}.AuditState(), owner.Site{}.AuditState(), owner.Dealer{}.AuditState(),
		owner.SiteToken{}.AuditState(), owner.Account{}.AuditState(), owner.Provider{}.AuditState(), owner.GatewayAccount{}.AuditState(),
		owner.Block{}.AuditState(), owner.Rotation{}.AuditState(), routing.Rule{}.AuditState(), approval.Rule{}.AuditState(),
		wallet.Wallet{}.AuditState(), wallet.Reconciliation{}.AuditState(), approval.Approval{}.AuditState(),
	}
	for _, state := range states {
		changes := audit.Changes("", "", state)
		if len(changes) == 0 {
			t.Errorf("nothing is told of %s", state)
		}
		for _, c := range changes {
			for _, language := range lang.Tags() {
				if label, ok := lang.Field(language, c.Key()); !ok || label == "" {
					t.Errorf("%s has no name in %s: %s", c.Field, language, state)
				}
			}
		}
	}
}
