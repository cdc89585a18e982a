package wallets_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// TestDayThatDoesNotAgree: staff say of a transfer that it has left, and the bank does not have it. The day's
// reconciliation says so until somebody has explained it.
func TestDayThatDoesNotAgree(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		b := in.OpenBranch()
		w := b.Wallets[0]
		b.Until(t, b.Send(t, w, "100", "00"), "completed")
		b.CheckBooks(t, w)
		sent := lose(t, b, w, "250")
		b.Operator.Resolve(t, b.Operator.Discrepancy(t, sent.Payment(), "MISSING_PAYOUT"), "ACCEPT", "dekont var")
		b.Until(t, sent, "completed")

		d := b.Admin.Reconcile(t, w.WalletID, harness.Today())
		var kinds []string
		for _, one := range d.Differences {
			kinds = append(kinds, one.Kind+" "+one.Ours+" "+one.Theirs)
		}
		slices.Sort(kinds)
		want := "BALANCE_DIFFERS 249650.00 249900.00, MISSING_THERE -250.00 0.00"
		if got := strings.Join(kinds, ", "); d.Status != "OPEN" || d.OpenCount != 2 || d.MatchedCount != 1 || got != want {
			t.Fatalf("the day is %+v, want %s", d, want)
		}
		for i, one := range d.Differences {
			if open := openDays(t, b); open != 1 {
				t.Errorf("before difference %d is explained, %d days are open", i+1, open)
			}
			explain(t, b, w, one)
		}
		if open := openDays(t, b); open != 0 {
			t.Errorf("with everything explained, %d days are open", open)
		}
		again := b.Admin.Reconcile(t, w.WalletID, harness.Today())
		if again.Status != "EXPLAINED" || again.Differences[0].Reason != "bankaya soruldu" {
			t.Errorf("compared once more the day is %+v", again)
		}
		if _, err := b.Admin.TryReconcile(w.WalletID, "2999-01-01"); harness.CodeOf(err) != "INVALID" {
			t.Errorf("reconciling a day to come gives %v", err)
		}
		b.CheckLedger(t, w)
		b.Server.Stop(t)
	})
}

// TestYesterday: money that the bank books into the day before belongs to that day, and is on its statement.
func TestYesterday(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		b := in.OpenBranch()
		w := b.Wallets[0]
		late := harness.Line(bank.Incoming, "40.50", "dünden", "VELİ KAYA")
		late.BookedAt = time.Now().Add(-24 * time.Hour)
		booked, err := b.Till.Book(b.Account(t, w).ID, late)
		if err != nil {
			t.Fatal(err)
		}
		b.Till.AdvanceClock(t, 31*time.Second) // the balance that the bank tells is half a minute old
		yesterday := late.BookedAt.In(harness.Zone()).Format(time.DateOnly)
		for _, c := range []struct {
			date    string
			matched int
		}{{yesterday, 1}, {harness.Today(), 0}} {
			d := b.Admin.Reconcile(t, w.WalletID, c.date)
			if d.Status != "AGREED" || d.MatchedCount != c.matched || d.LedgerClosing != "250040.50" || d.BankClosing != d.LedgerClosing {
				t.Errorf("%s is %+v", c.date, d)
			}
		}
		p, err := b.Dealer.Records(w.WalletID, yesterday, yesterday, 1)
		if err != nil || len(p.Transactions) != 1 || p.Transactions[0] != harness.RecordOf(w, booked) {
			t.Errorf("D5 of yesterday lists %+v (%v)", p.Transactions, err)
		}
		if now := b.Dealer.Eiban(t, w.WalletID); now.Balance != "250040.50" || now.Available != now.Balance {
			t.Errorf("D4 says %+v", now)
		}
		b.Server.Stop(t)
	})
}

// lose sends a transfer that never reaches the bank, and lets so much time pass that this is a matter for staff.
func lose(t *testing.T, b *harness.Branch, w harness.Eiban, amount string) harness.Transfer {
	t.Helper()
	b.Till.DecideFates(func(c harness.TillCall) harness.Fate {
		if c.Path == "/v1/transfers" {
			return harness.NeverArrives
		}
		return harness.Answered
	})
	sent := b.Send(t, w, amount, "00")
	harness.Received(t, "a call that gets stuck", b.Till.Stuck)
	b.Server.Kill()
	b.Till.DecideFates(func(harness.TillCall) harness.Fate { return harness.Answered })
	replace(b, []harness.Payment{sent.Payment()})
	b.Operator.Until(t, sent.Payment(), func(g harness.GatewayTransaction) bool { return g.Last().Checks > 0 })
	replace(b, []harness.Payment{sent.Payment()})
	return sent
}

// explain says why a difference is as it should be.
func explain(t *testing.T, b *harness.Branch, w harness.Eiban, d harness.Difference) {
	t.Helper()
	variables := map[string]any{"id": w.WalletID, "day": harness.Today(), "kind": d.Kind}
	for name, value := range map[string]string{"line": d.LineID, "entry": d.EntryID} {
		if value != "" {
			variables[name] = value
		}
	}
	var data struct {
		ExplainDifference struct{ Reconciliation harness.Day }
	}
	err := b.Operator.Ask(`mutation($id: String!, $day: Date!, $kind: DifferenceKind!, $line: String, $entry: ID) {
		explainDifference(input: {walletId: $id, day: $day, kind: $kind, lineId: $line, entryId: $entry, reason: "bankaya soruldu"}) {
			reconciliation `+harness.DayFields+` } }`, variables, &data)
	if err != nil {
		t.Fatalf("explaining %+v: %v", d, err)
	}
}

// openDays counts the days with differences that nobody has explained.
func openDays(t *testing.T, b *harness.Branch) int {
	t.Helper()
	var data struct{ Reconciliations struct{ Nodes []harness.Day } }
	if err := b.Operator.Ask(`{ reconciliations(filter: {isOpen: true}) { nodes `+harness.DayFields+` } }`, nil, &data); err != nil {
		t.Fatal(err)
	}
	return len(data.Reconciliations.Nodes)
}
