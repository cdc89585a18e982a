package operations_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// TestDoctorAddsUpCredits: the database refuses what nobody paid for; where its owner has taken the guards away, doctor says what
// was done, and so it does of a wallet's ledger.
func TestDoctorAddsUpCredits(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		server := in.Serve()
		p := in.Provider(server).Create(t, "start-manual-deposit", "300.00")
		p.At(server).Press(t, "continue", url.Values{"amount": {"300,00"}})
		server.Stop(t)
		expectFindings(t, examine(in, 0), map[string]string{"credits": "ok all have their money"})

		complete := fmt.Sprintf("UPDATE payments SET status = 'completed' WHERE tracking_code = '%s'", p.TrackingCode)
		if err := in.Tamper(complete); err == nil || !strings.Contains(err.Error(), "uncredited") {
			t.Errorf("completing it without a credit: %v", err)
		}
		off := "DROP TRIGGER payments_credited"
		if in.Setting("DATABASE_URL") != "" {
			off += " ON payments"
		}
		if err := in.Tamper(off, complete); err != nil {
			t.Fatal(err)
		}
		expectFindings(t, examine(in, 1), map[string]string{"credits": "FAIL " + p.TrackingCode + " (completed_without_credit)"})

		wallets := "UPDATE wallet_balances SET available_minor = available_minor + 1, outside_minor = outside_minor - 1"
		if err := in.Tamper("UPDATE payments SET status = 'canceled' WHERE tracking_code = '"+p.TrackingCode+"'", wallets); err != nil {
			t.Fatal(err)
		}
		expectFindings(t, examine(in, 1), map[string]string{"credits": "FAIL (ledger)"})
	})
}
