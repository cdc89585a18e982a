package operations_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/e2e/harness"
)

// TestAMonthsReport: beside a server it says what was created, to the last digit, once statistics have taken it in. A month that is none,
// or has not begun, is refused.
func TestAMonthsReport(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		now := time.Now().In(harness.Zone())
		server := in.Serve()
		provider, operator := in.Provider(server), in.SignIn(server, "operator")
		for _, amount := range []string{"80", "1234.56", "1.05"} {
			provider.Create(t, "start-manual-withdraw", amount)
		}
		rejected := provider.Create(t, "start-manual-withdraw", "20.10")
		operator.Must(t, "rejectWithdrawal", rejected.TrackingCode)
		run := func(args ...string) harness.Outcome {
			return harness.Launch{Args: append([]string{"report", "--month"}, args...), Env: server.Env, Dir: server.Dir}.Execute(t)
		}
		harness.Eventually(t, func() error {
			said := run(now.Format("2006-01"), "--json")
			var month struct {
				Payments []struct {
					Method, Status, Currency, Requested, Final string
					Count                                      int
				}
			}
			if err := json.Unmarshal([]byte(said.Stdout), &month); err != nil {
				return errors.New(said.Stdout + said.Stderr)
			}
			found := 0
			for _, p := range month.Payments {
				isOpen := p.Method == "manual_withdrawal" && p.Status == "pending" && p.Count == 3 && p.Requested == "1315.61" && p.Final == "0.00"
				isOver := p.Method == "manual_withdrawal" && p.Status == "rejected" && p.Count == 1 && p.Requested == "20.10" && p.Currency == "TRY"
				if isOpen || isOver {
					found++
				}
			}
			if found != 2 {
				return errors.New(said.Stdout)
			}
			return nil
		})
		text := run(now.Format("2006-01")).Stdout
		for _, want := range []string{"Payments created in " + now.Format("January 2006"), "1315.61", "discrepancies", "The month is not over"} {
			if !strings.Contains(text, want) {
				t.Errorf("it lacks %q:\n%s", want, text)
			}
		}
		for month, want := range map[string]string{
			now.AddDate(1, 0, 0).Format("2006-01"): "has not begun", "2026-13": "it must be a month", "0001-01": "it must be a month", "2026-1\x1b[2J": "it must be a month",
		} {
			if said := run(month); !strings.Contains(said.Stderr, want) || strings.Contains(said.Stderr, "\x1b") {
				t.Errorf("%s says %q", month, said.Stderr)
			}
		}
		server.Stop(t)
	})
}
