package wallets_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// replace kills the process, lets time pass, and starts another one.
func replace(b *harness.Branch, made []harness.Payment) {
	b.In.T.Helper()
	b.Server.Kill()
	b.In.BringForward(made)
	b.In.FreeStatements()
	b.Open(b.Settings...)
}

// linesAtOnce is how many lines come at once: more than a few pages of the bank's, so that the import is under way for a
// while.
const linesAtOnce = 300

// bookMany books incoming lines on both accounts.
func bookMany(t *testing.T, b *harness.Branch, wallets []harness.Eiban) {
	t.Helper()
	for i := range linesAtOnce {
		b.Booked(t, wallets[i%2], bank.Incoming, fmt.Sprintf("1.%02d", i%100), "fast", "VELİ KAYA")
	}
}

// losingPages loses the fourth page of a statement, too: whoever reads it is killed between two pages.
func losingPages(others func(harness.TillCall) harness.Fate) func(harness.TillCall) harness.Fate {
	pages := 0
	return func(c harness.TillCall) harness.Fate {
		if !strings.HasSuffix(c.Path, "/statement") {
			return others(c)
		}
		if pages++; pages == 4 {
			return harness.NeverArrives
		}
		return harness.Answered
	}
}

// sendMany sends transfers from both wallets.
func sendMany(t *testing.T, b *harness.Branch, count int) []harness.Payment {
	t.Helper()
	made := make([]harness.Payment, count)
	harness.InParallel(t, count, 16, func(i int) error {
		w := b.Wallets[i%2]
		sent, err := b.Dealer.TrySend(w.WalletID, harness.CustomerIBAN, fmt.Sprintf("%d.00", 10+i), "")
		made[i] = sent.Payment()
		return err
	})
	return made
}

// TestKilledWhileMoneyMoves: the process is killed again and again while transfers leave and statements are read. In the
// end every transfer was sent once at most, every line of the bank is on its statement once, and both wallets hold what
// the bank does. Where the bank does not know a transfer, staff look there, and decide.
func TestKilledWhileMoneyMoves(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		b := in.ClosedBranch(false)
		b.Open(append(b.Settings, "VEZNE_ROLE=api")...)
		wallets := b.Wallets
		made := sendMany(t, b, harness.Crashed)
		b.Till.DecideFates(losingPages(harness.Losing("/v1/transfers")))
		bookMany(t, b, wallets)
		replace(b, made)
		for range 2*harness.StuckOfAKind + 1 {
			harness.Received(t, "a call that gets stuck", b.Till.Stuck)
		}
		b.Server.Kill()
		b.Till.DecideFates(func(harness.TillCall) harness.Fate { return harness.Answered })
		bookMany(t, b, wallets)
		replace(b, made) // the leases are over: what became of those is asked
		b.Operator.UntilAll(t, harness.Crashed, func(g harness.GatewayTransaction) bool {
			return g.Status == "COMPLETED" || g.Last().Phase == "CALLING" && g.Last().Checks > 0
		})
		bookMany(t, b, wallets)
		replace(b, made) // a second look at those that the bank does not know
		b.Operator.UntilAll(t, harness.Crashed, func(g harness.GatewayTransaction) bool {
			return g.Status == "COMPLETED" || len(g.Discrepancies) == 1 && g.Discrepancies[0].Kind == "MISSING_PAYOUT"
		})
		b.SettleMissing(t, b.Operator)
		checkSentOnce(t, b, made, append(b.CheckBooks(t, wallets[0]), b.CheckBooks(t, wallets[1])...))
		b.Server.Stop(t)
	})
}

// checkSentOnce compares every transfer with what the bank has, and with the ledgers.
func checkSentOnce(t *testing.T, b *harness.Branch, made []harness.Payment, entries []harness.Entry) {
	t.Helper()
	sent := 0
	final := b.Operator.UntilAll(t, len(made), func(g harness.GatewayTransaction) bool {
		return g.Status == "COMPLETED" || g.Status == "FAILED"
	})
	for _, p := range made {
		status, atBank := final[p.TrackingCode].Status, b.Sent(p)
		want := map[string]int{"COMPLETED": 1, "FAILED": 0}[status]
		if len(atBank) != want {
			t.Errorf("%s is %s, and the bank has %+v", p.TrackingCode, status, atBank)
		}
		for _, one := range atBank {
			if sent++; one.Status != bank.Done || harness.InLira(p.Amount) != one.Amount.Value.Fixed(2) || b.Till.Orders(one.Reference) != 1 {
				t.Errorf("%s of %s was ordered %d times, and became %+v", p.TrackingCode, p.Amount, b.Till.Orders(one.Reference), one)
			}
		}
		booked := map[string]string{"COMPLETED": "POST RESERVE", "FAILED": "RELEASE RESERVE"}[status]
		if got := strings.Join(harness.KindsOf(entries, p.TrackingCode), " "); got != booked {
			t.Errorf("%s is %s and booked as %q", p.TrackingCode, status, got)
		}
	}
	if all := len(b.Till.State().Payouts); all != sent {
		t.Errorf("the bank has %d transfers, and %d are ours", all, sent)
	}
}
