package gateways_test

import (
	"testing"

	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// TestHeldMoney: a card's money that the gateway holds is approved or declined in the back office, and what the gateway answers is told.
func TestHeldMoney(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		s := in.OpenShop()
		for decision, status := range map[string]string{
			"approveHeldDeposit": "success", "declineHeldDeposit": "failed",
		} {
			p := s.Provider.Card(t, "250.00")
			if _, err := p.Walk(harness.Press("begin")); err != nil {
				t.Fatal(err)
			}
			s.Till.FireEvent(t, s.Operator.Reference(t, p, "DEPOSIT"), bank.Review)
			s.Operator.Discrepancy(t, p, "REVIEW")
			s.Provider.ExpectStatus(t, p, "pending") // nothing is credited while it is held
			s.Operator.Must(t, decision, p.TrackingCode)
			if l := s.To.Callback(t, p); l.Status != status {
				t.Errorf("after %s the callback says %s", decision, l.Status)
			}
			if _, err := s.Operator.Decide(decision, p.TrackingCode); harness.CodeOf(err) != "NOT_ALLOWED_IN_STATUS" {
				t.Errorf("%s a second time gives %v", decision, err)
			}
			for _, d := range s.Operator.At(t, p).Discrepancies {
				if d.Status != "SETTLED" {
					t.Errorf("after %s, %s is %s", decision, d.Kind, d.Status)
				}
			}
		}
		s.Server.Stop(t)
	})
}
