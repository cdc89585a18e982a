package gateways_test

import (
	"net/url"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// TestARefundWithOneKeyIsMadeOnce: from many windows at once, at every process, 20 go back once, and every window is told so.
func TestARefundWithOneKeyIsMadeOnce(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		s := in.OpenShop()
		windows := []harness.Staff{s.Admin}
		if in.Setting("DATABASE_URL") != "" {
			windows = append(windows, in.SignIn(in.Serve(harness.Simulated...), "admin"))
		}
		paid := paidCard(t, s, "100.00", "00")
		refund := func(i int, amount, key string) error {
			_, err := windows[i%len(windows)].Decide("refundTransaction", paid.TrackingCode, "amount", amount, "idempotencyKey", key)
			return err
		}
		harness.InParallel(t, 12, 12, func(i int) error { return refund(i, "20.00", "window") })
		if err := refund(0, "21.00", "window"); harness.CodeOf(err) != "IDEMPOTENCY_KEY_REUSED" {
			t.Errorf("another amount with the key gives %v", err)
		}
		s.Admin.Until(t, paid, func(g harness.GatewayTransaction) bool { return g.RefundedAmount == "20.00" })
		refunds := 0
		for _, o := range s.Admin.At(t, paid).Operations {
			if o.Kind == "REFUND" {
				refunds++
			}
		}
		if n := len(s.Till.State().Refunds); refunds != 1 || n != 1 {
			t.Errorf("%d refunds are planned, and %d at the gateway", refunds, n)
		}
		if err := refund(0, "20.00", "another window"); err != nil {
			t.Errorf("another key: %v", err)
		}
		s.Admin.Until(t, paid, func(g harness.GatewayTransaction) bool { return g.RefundedAmount == "40.00" })

		deposit := in.Provider(s.Server).Create(t, "start-manual-deposit", "300.00")
		deposit.At(s.Server).Press(t, "continue", url.Values{"amount": {"300,00"}})
		harness.InParallel(t, 12, 12, func(i int) error {
			_, err := windows[i%len(windows)].Decide("approveDeposit", deposit.TrackingCode,
				"amount", "290.00", "expectedAmount", "300.00", "idempotencyKey", "approve") // what was seen, also by who comes late
			return err
		})
		if _, err := s.Admin.Decide("approveDeposit", deposit.TrackingCode); harness.CodeOf(err) != "ALREADY_FINAL" {
			t.Errorf("without the key: %v", err)
		}
	})
}
