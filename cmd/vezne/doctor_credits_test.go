package main_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// TestDoctorAddsUpCredits: the database refuses what nobody paid for; where its owner has taken the guards away, doctor says what
// was done, and so it does of a wallet's ledger.
func TestDoctorAddsUpCredits(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		server := in.serve()
		p := in.provider(server).create(t, "start-manual-deposit", "300.00")
		p.at(server).press(t, "continue", url.Values{"amount": {"300,00"}})
		server.stop(t)
		expectFindings(t, in.examine(0), map[string]string{"credits": "ok all have their money"})

		complete := fmt.Sprintf("UPDATE payments SET status = 'completed' WHERE tracking_code = '%s'", p.TrackingCode)
		if err := in.tamper(complete); err == nil || !strings.Contains(err.Error(), "uncredited") {
			t.Errorf("completing it without a credit: %v", err)
		}
		off := "DROP TRIGGER payments_credited"
		if in.setting("DATABASE_URL") != "" {
			off += " ON payments"
		}
		if err := in.tamper(off, complete); err != nil {
			t.Fatal(err)
		}
		expectFindings(t, in.examine(1), map[string]string{"credits": "FAIL " + p.TrackingCode + " (completed_without_credit)"})

		wallets := "UPDATE wallet_balances SET available_minor = available_minor + 1, outside_minor = outside_minor - 1"
		if err := in.tamper("UPDATE payments SET status = 'canceled' WHERE tracking_code = '"+p.TrackingCode+"'", wallets); err != nil {
			t.Fatal(err)
		}
		expectFindings(t, in.examine(1), map[string]string{"credits": "FAIL (ledger)"})
	})
}
