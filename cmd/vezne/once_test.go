package main_test

import (
	"net/url"
	"testing"
)

// TestARefundWithOneKeyIsMadeOnce: from many windows at once, at every process, 20 go back once, and every window is told so.
func TestARefundWithOneKeyIsMadeOnce(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		s := in.openShop()
		windows := []staff{s.admin}
		if in.setting("DATABASE_URL") != "" {
			windows = append(windows, in.signIn(in.serve(simulated...), "admin"))
		}
		paid := s.paidCard(t, "100.00", "00")
		refund := func(i int, amount, key string) error {
			_, err := windows[i%len(windows)].decide("refundTransaction", paid.TrackingCode, "amount", amount, "idempotencyKey", key)
			return err
		}
		inParallel(t, 12, 12, func(i int) error { return refund(i, "20.00", "window") })
		if err := refund(0, "21.00", "window"); codeOf(err) != "IDEMPOTENCY_KEY_REUSED" {
			t.Errorf("another amount with the key gives %v", err)
		}
		s.admin.until(t, paid, func(g gatewayTransaction) bool { return g.RefundedAmount == "20.00" })
		refunds := 0
		for _, o := range s.admin.at(t, paid).Operations {
			if o.Kind == "refund" {
				refunds++
			}
		}
		if n := len(s.till.State().Refunds); refunds != 1 || n != 1 {
			t.Errorf("%d refunds are planned, and %d at the gateway", refunds, n)
		}
		if err := refund(0, "20.00", "another window"); err != nil {
			t.Errorf("another key: %v", err)
		}
		s.admin.until(t, paid, func(g gatewayTransaction) bool { return g.RefundedAmount == "40.00" })

		deposit := in.provider(s.server).create(t, "start-manual-deposit", "300.00")
		deposit.at(s.server).press(t, "continue", url.Values{"amount": {"300,00"}})
		inParallel(t, 12, 12, func(i int) error {
			_, err := windows[i%len(windows)].decide("approveDeposit", deposit.TrackingCode,
				"amount", "290.00", "expectedAmount", "300.00", "idempotencyKey", "approve") // what was seen, also by who comes late
			return err
		})
		if _, err := s.admin.decide("approveDeposit", deposit.TrackingCode); codeOf(err) != "ALREADY_FINAL" {
			t.Errorf("without the key: %v", err)
		}
	})
}
