package main_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// TestDayThatDoesNotAgree: staff say of a transfer that it has left, and the bank does not have it. The day's
// reconciliation says so until somebody has explained it.
func TestDayThatDoesNotAgree(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		b := in.openBranch()
		w := b.wallets[0]
		b.until(t, b.send(t, w, "100", "00"), "completed")
		b.checkBooks(t, w)
		sent := b.lose(t, w, "250")
		b.operator.resolve(t, b.operator.discrepancy(t, sent.payment(), "missing_payout"), "accept", "dekont var")
		b.until(t, sent, "completed")

		d := b.admin.reconcile(t, w.WalletID, today())
		var kinds []string
		for _, one := range d.Differences {
			kinds = append(kinds, one.Kind+" "+one.Ours+" "+one.Theirs)
		}
		slices.Sort(kinds)
		want := "balance_differs 249650.00 249900.00, missing_there -250.00 0.00"
		if got := strings.Join(kinds, ", "); d.State != "open" || d.OpenCount != 2 || d.MatchedCount != 1 || got != want {
			t.Fatalf("the day is %+v, want %s", d, want)
		}
		for i, one := range d.Differences {
			if open := b.openDays(t); open != 1 {
				t.Errorf("before difference %d is explained, %d days are open", i+1, open)
			}
			b.explain(t, w, one)
		}
		if open := b.openDays(t); open != 0 {
			t.Errorf("with everything explained, %d days are open", open)
		}
		again := b.admin.reconcile(t, w.WalletID, today())
		if again.State != "explained" || again.Differences[0].Reason != "bankaya soruldu" {
			t.Errorf("compared once more the day is %+v", again)
		}
		if _, err := b.admin.tryReconcile(w.WalletID, "2999-01-01"); codeOf(err) != "INVALID" {
			t.Errorf("reconciling a day to come gives %v", err)
		}
		b.checkLedger(t, w)
		b.server.stop(t)
	})
}

// TestYesterday: money that the bank books into the day before belongs to that day, and is on its statement.
func TestYesterday(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		b := in.openBranch()
		w := b.wallets[0]
		late := line(bank.Incoming, "40.50", "dünden", "VELİ KAYA")
		late.BookedAt = time.Now().Add(-24 * time.Hour)
		booked, err := b.till.Book(b.account(t, w).ID, late)
		if err != nil {
			t.Fatal(err)
		}
		b.till.advance(t, 31*time.Second) // the balance that the bank tells is half a minute old
		yesterday := late.BookedAt.In(shared.zone).Format(time.DateOnly)
		for _, c := range []struct {
			date    string
			matched int
		}{{yesterday, 1}, {today(), 0}} {
			d := b.admin.reconcile(t, w.WalletID, c.date)
			if d.State != "agreed" || d.MatchedCount != c.matched || d.LedgerClosing != "250040.50" || d.BankClosing != d.LedgerClosing {
				t.Errorf("%s is %+v", c.date, d)
			}
		}
		p, err := b.dealer.records(w.WalletID, yesterday, yesterday, 1)
		if err != nil || len(p.Transactions) != 1 || p.Transactions[0] != recordOf(w, booked) {
			t.Errorf("D5 of yesterday lists %+v (%v)", p.Transactions, err)
		}
		if now := b.dealer.eiban(t, w.WalletID); now.Balance != "250040.50" || now.Available != now.Balance {
			t.Errorf("D4 says %+v", now)
		}
		b.server.stop(t)
	})
}

// lose sends a transfer that never reaches the bank, and lets so much time pass that this is a matter for staff.
func (b *branch) lose(t *testing.T, w eiban, amount string) transfer {
	t.Helper()
	b.till.decideFates(func(c tillCall) fate {
		if c.path == "/v1/transfers" {
			return neverArrives
		}
		return answered
	})
	sent := b.send(t, w, amount, "00")
	received(t, "a call that gets stuck", b.till.stuck)
	b.server.kill()
	b.till.decideFates(func(tillCall) fate { return answered })
	b.replace([]payment{sent.payment()})
	b.operator.until(t, sent.payment(), func(g gatewayTransaction) bool { return g.last().Checks > 0 })
	b.replace([]payment{sent.payment()})
	return sent
}

// explain says why a difference is as it should be.
func (b *branch) explain(t *testing.T, w eiban, d difference) {
	t.Helper()
	variables := map[string]any{"id": w.WalletID, "day": today(), "kind": d.Kind}
	for name, value := range map[string]string{"line": d.LineID, "entry": d.EntryID} {
		if value != "" {
			variables[name] = value
		}
	}
	var data struct{ ExplainDifference struct{ Reconciliation day } }
	err := b.operator.ask(`mutation($id: String!, $day: Date!, $kind: DifferenceKind!, $line: String, $entry: ID) {
		explainDifference(walletId: $id, day: $day, kind: $kind, lineId: $line, entryId: $entry, reason: "bankaya soruldu") {
			reconciliation `+dayFields+` } }`, variables, &data)
	if err != nil {
		t.Fatalf("explaining %+v: %v", d, err)
	}
}

// openDays counts the days with differences that nobody has explained.
func (b *branch) openDays(t *testing.T) int {
	t.Helper()
	var data struct{ Reconciliations struct{ Nodes []day } }
	if err := b.operator.ask(`{ reconciliations(onlyOpen: true) { nodes `+dayFields+` } }`, nil, &data); err != nil {
		t.Fatal(err)
	}
	return len(data.Reconciliations.Nodes)
}
