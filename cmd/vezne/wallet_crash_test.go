package main_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// replace kills the process, lets time pass, and starts another one.
func (b *branch) replace(made []payment) {
	b.in.t.Helper()
	b.server.kill()
	b.in.bringForward(made)
	b.in.freeStatements()
	b.open(b.settings...)
}

// linesAtOnce is how many lines come at once: more than a few pages of the bank's, so that the import is under way for a
// while.
const linesAtOnce = 300

// bookMany books incoming lines on both accounts.
func (b *branch) bookMany(t *testing.T, wallets []eiban) {
	t.Helper()
	for i := range linesAtOnce {
		b.booked(t, wallets[i%2], bank.Incoming, fmt.Sprintf("1.%02d", i%100), "fast", "VELİ KAYA")
	}
}

// losingPages loses the fourth page of a statement, too: whoever reads it is killed between two pages.
func losingPages(others func(tillCall) fate) func(tillCall) fate {
	pages := 0
	return func(c tillCall) fate {
		if !strings.HasSuffix(c.path, "/statement") {
			return others(c)
		}
		if pages++; pages == 4 {
			return neverArrives
		}
		return answered
	}
}

// sendMany sends transfers from both wallets.
func (b *branch) sendMany(t *testing.T, count int) []payment {
	t.Helper()
	made := make([]payment, count)
	inParallel(t, count, 16, func(i int) error {
		w := b.wallets[i%2]
		sent, err := b.dealer.trySend(w.WalletID, customerIBAN, fmt.Sprintf("%d.00", 10+i), "")
		made[i] = sent.payment()
		return err
	})
	return made
}

// TestKilledWhileMoneyMoves: the process is killed again and again while transfers leave and statements are read. In the
// end every transfer was sent once at most, every line of the bank is on its statement once, and both wallets hold what
// the bank does. Where the bank does not know a transfer, staff look there, and decide.
func TestKilledWhileMoneyMoves(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		b := in.closedBranch(false)
		b.open(append(b.settings, "VEZNE_ROLE=api")...)
		wallets := b.wallets
		made := b.sendMany(t, crashed)
		b.till.decideFates(losingPages(losing("/v1/transfers")))
		b.bookMany(t, wallets)
		b.replace(made)
		for range 2*stuckOfAKind + 1 {
			received(t, "a call that gets stuck", b.till.stuck)
		}
		b.server.kill()
		b.till.decideFates(func(tillCall) fate { return answered })
		b.bookMany(t, wallets)
		b.replace(made) // the leases are over: what became of those is asked
		b.operator.untilAll(t, crashed, func(g gatewayTransaction) bool {
			return g.Status == "completed" || g.last().Phase == "calling" && g.last().Checks > 0
		})
		b.bookMany(t, wallets)
		b.replace(made) // a second look at those that the bank does not know
		b.operator.untilAll(t, crashed, func(g gatewayTransaction) bool {
			return g.Status == "completed" || len(g.Discrepancies) == 1 && g.Discrepancies[0].Kind == "missing_payout"
		})
		b.settleMissing(t, b.operator)
		b.checkSentOnce(t, made, append(b.checkBooks(t, wallets[0]), b.checkBooks(t, wallets[1])...))
		b.server.stop(t)
	})
}

// checkSentOnce compares every transfer with what the bank has, and with the ledgers.
func (b *branch) checkSentOnce(t *testing.T, made []payment, entries []entry) {
	t.Helper()
	sent := 0
	final := b.operator.untilAll(t, len(made), func(g gatewayTransaction) bool {
		return g.Status == "completed" || g.Status == "failed"
	})
	for _, p := range made {
		status, atBank := final[p.TrackingCode].Status, b.sent(p)
		want := map[string]int{"completed": 1, "failed": 0}[status]
		if len(atBank) != want {
			t.Errorf("%s is %s, and the bank has %+v", p.TrackingCode, status, atBank)
		}
		for _, one := range atBank {
			if sent++; one.Status != bank.Done || inLira(p.Amount) != one.Amount.Value.Fixed(2) || b.till.orders(one.Reference) != 1 {
				t.Errorf("%s of %s was ordered %d times, and became %+v", p.TrackingCode, p.Amount, b.till.orders(one.Reference), one)
			}
		}
		booked := map[string]string{"completed": "post reserve", "failed": "release reserve"}[status]
		if got := strings.Join(kindsOf(entries, p.TrackingCode), " "); got != booked {
			t.Errorf("%s is %s and booked as %q", p.TrackingCode, status, got)
		}
	}
	if all := len(b.till.State().Payouts); all != sent {
		t.Errorf("the bank has %d transfers, and %d are ours", all, sent)
	}
}
