package wallet_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/wallet"
)

// gap is a day on which the bank has less than the ledger, explained, with the day before and two later ones.
func gap(t coretest.T, minor int64) wallet.AdjustmentCase {
	t.Helper()
	b := dayBook()
	b.Closing = coretest.Lira(opening - minor)
	day := reconciled(t, b, nil)
	change, err := wallet.DecideExplain(day, "", "", wallet.BalanceDiffers, coretest.Decision(t))
	if err != nil {
		t.Fatalf("%v", err)
	}
	closed := func(day core.Day, ledger, bank int64) wallet.Reconciliation {
		b := dayBook()
		b.Day, b.Opening, b.Closing = day, coretest.Lira(ledger), coretest.Lira(bank)
		return reconciled(t, b, nil)
	}
	return wallet.AdjustmentCase{
		Wallet: aWallet(), Day: core.RowsOf[wallet.Reconciliation](change)[0], Before: closed("2026-03-08", opening, opening), IsOver: true,
		Later:  []wallet.Reconciliation{closed("2026-03-10", opening, opening-minor), closed("2026-03-11", opening+30, opening+30-minor)},
		Amount: coretest.Lira(-minor),
	}
}

func TestAnAdjustmentBooksTheDifference(t *testing.T) {
	t.Parallel()
	for _, minor := range []int64{500, -500, 1} {
		c := gap(t, minor)
		change, err := wallet.DecideAdjustment(c, coretest.Decision(t))
		if err != nil {
			t.Fatal(err)
		}
		e, l := core.RowsOf[ledger.Entry](change)[0], core.RowsOf[wallet.BankLine](change)[0]
		want := ledger.Entry{
			ID: e.ID, WalletID: 3, Kind: ledger.EntryAdjustment, At: coretest.Decision(t).At, LineID: "adjustment-" + string(e.ID),
			Available: coretest.Lira(-minor), Reserved: coretest.Lira(0), Outside: coretest.Lira(minor), Note: "why", Day: "2026-03-09", Number: 1,
			BookedBy: coretest.Decision(t).By,
		}
		if diff := cmp.Diff(want, e, coretest.Exactly); diff != "" || !core.IsID(string(e.ID)) {
			t.Errorf("the entry (-want +got):\n%s", diff)
		}
		direction, amount := gateway.Outgoing, minor
		if minor < 0 {
			direction, amount = gateway.Incoming, -minor
		}
		shown := wallet.BankLine{
			WalletID: 3, LineID: e.LineID, ID: l.ID, Version: 1, Direction: direction, Amount: coretest.Lira(amount), BookedAt: e.At,
			ImportedAt: e.At, Text: "Bakiye düzeltmesi 2026-03-09", Status: wallet.LineMatched, Note: "adjustment of 2026-03-09",
		}
		if diff := cmp.Diff(shown, l, coretest.Exactly); diff != "" {
			t.Errorf("the statement's line (-want +got):\n%s", diff)
		}
		for i, r := range core.RowsOf[wallet.Reconciliation](change) {
			if len(r.Differences) != 0 || !r.BalanceAgrees() || r.Version < 2 || i == 1 && !r.Adjusted.Equal(coretest.Lira(-minor)) {
				t.Errorf("%s is %+v", r.Day, r)
			}
		}
		if len(core.RowsOf[wallet.Reconciliation](change)) != 4 || len(core.RowsOf[ledger.Entry](change)) != 1 || len(core.RowsOf[wallet.BankLine](change)) != 1 {
			t.Errorf("changes %+v", change)
		}
	}
}

func said(tag lang.Tag, err error) string {
	return lang.Say(tag, string(fault.NotAdjustable), fault.ArgsOf(err)...)
}

func TestWhatIsNotAdjusted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*wallet.AdjustmentCase)
		code   fault.Code
		why    string
	}{
		"no difference":           {func(c *wallet.AdjustmentCase) { c.Day.BankClosing = c.Day.LedgerClosing }, fault.NotFound, ""},
		"the bank says nothing":   {func(c *wallet.AdjustmentCase) { c.Day.HasBank = false }, fault.NotFound, ""},
		"another amount":          {func(c *wallet.AdjustmentCase) { c.Amount = coretest.Lira(-499) }, fault.Invalid, ""},
		"the other way":           {func(c *wallet.AdjustmentCase) { c.Amount = coretest.Lira(500) }, fault.Invalid, ""},
		"not over":                {func(c *wallet.AdjustmentCase) { c.IsOver = false }, fault.NotAdjustable, "not over"},
		"more than is kept":       {func(c *wallet.AdjustmentCase) { c.Day.IsCut = true }, fault.NotAdjustable, "book lines"},
		"nobody explained it":     {func(c *wallet.AdjustmentCase) { c.Day.Differences[0].Reason = "" }, fault.NotAdjustable, "not explained"},
		"an earlier day differs":  {func(c *wallet.AdjustmentCase) { c.Before.BankClosing = coretest.Lira(1) }, fault.NotAdjustable, "earlier day"},
		"of no earlier day known": {func(c *wallet.AdjustmentCase) { c.Before.HasBank = false }, fault.NotAdjustable, "earlier day"},
		"a transfer is under way": {func(c *wallet.AdjustmentCase) { c.IsPending = true }, fault.NotAdjustable, "a transfer from"},
		"a later day agrees": {func(c *wallet.AdjustmentCase) { c.Later[1].BankClosing = c.Later[1].LedgerClosing },
			fault.NotAdjustable, "later day"},
		"a line waits": {func(c *wallet.AdjustmentCase) {
			c.Day.Differences = append(c.Day.Differences, wallet.Difference{Kind: wallet.MissingHere, LineID: "a", Theirs: coretest.Lira(500), Reason: "why"})
		}, fault.NotAdjustable, "book lines"},
		"another difference is open": {func(c *wallet.AdjustmentCase) {
			c.Day.Differences = append(c.Day.Differences, wallet.Difference{Kind: wallet.MissingThere, LineID: "a", Ours: coretest.Lira(500)})
		}, fault.NotAdjustable, "not explained"},
	} {
		x := gap(t, 500)
		c.change(&x)
		change, err := wallet.DecideAdjustment(x, coretest.Decision(t))
		if !fault.Is(err, c.code) || len(core.RowsOf[ledger.Entry](change))+len(core.RowsOf[wallet.Reconciliation](change)) != 0 {
			t.Errorf("%s: %v, %+v", name, err, change)
		}
		if c.why == "" {
			continue
		}
		turkish, english := said(lang.TR, err), said(lang.EN, err)
		if !strings.Contains(english, c.why) || strings.Contains(turkish, c.why) || strings.Contains(turkish, "adjustment.") {
			t.Errorf("%s: it says %q, %q", name, english, turkish)
		}
	}
}

// TestAnAdjustmentMakesTheLedgerAgree: whatever a day and those after it are, an adjustment that is decided leaves the ledger
// with what the bank says, no more and no less; no later day differs by more than before, and when the days are compared
// again the same comes out.
func TestAnAdjustmentMakesTheLedgerAgree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := truth{b: dayBook()}
		for i := range rapid.IntRange(0, 4).Draw(t, "lines") {
			x.line(t, string(rune('a'+i)))
		}
		x.b.Closing = coretest.Lira(rapid.Int64Range(opening-2000, opening+2000).Draw(t, "closing"))
		for range rapid.IntRange(0, 2).Draw(t, "settled before") {
			x.b.Adjustments = append(x.b.Adjustments, ledger.Entry{Outside: coretest.Lira(rapid.Int64Range(-50, 50).Draw(t, "by"))})
		}
		c := wallet.AdjustmentCase{
			Wallet: aWallet(), Day: reconciled(t, x.b, nil), Settled: x.b.Adjustments, IsOver: rapid.IntRange(0, 9).Draw(t, "over") > 0,
			Before: reconciled(t, dayBook(), nil), IsPending: rapid.IntRange(0, 9).Draw(t, "pending") == 0,
		}
		for i := range c.Day.Differences {
			c.Day.Differences[i].Reason = rapid.SampledFrom([]string{"why", "why", "why", ""}).Draw(t, "reason")
		}
		c.Amount = coretest.Lira(c.Day.BankClosing.Minor() - c.Day.LedgerClosing.Minor() + rapid.SampledFrom([]int64{0, 0, 0, 1}).Draw(t, "off"))
		for i := range rapid.IntRange(0, 3).Draw(t, "later") {
			b := dayBook()
			b.Day, b.HasBank = b.Day.Add(i+1), rapid.Bool().Draw(t, "has bank")
			b.Opening, b.Closing = c.Day.LedgerClosing, coretest.Lira(c.Day.BankClosing.Minor()+rapid.SampledFrom([]int64{0, 7}).Draw(t, "own"))
			c.Later = append(c.Later, reconciled(t, b, nil))
		}
		change, err := wallet.DecideAdjustment(c, coretest.Decision(t))
		if err != nil {
			if core.Has[ledger.Entry](change) || core.Has[wallet.BankLine](change) || core.Has[wallet.Reconciliation](change) {
				t.Fatalf("refused, and changes %+v", change)
			}
			return
		}
		wantSettled(t, x.b, c, change)
	})
}

func wantSettled(t *rapid.T, b wallet.DayBook, c wallet.AdjustmentCase, change core.Changeset) {
	e, after := core.RowsOf[ledger.Entry](change)[0], core.RowsOf[wallet.Reconciliation](change)[1:]
	moved := e.Available.Minor()
	switch {
	case !c.IsOver, c.IsPending, c.Day.OpenCount() > 0, c.Day.BalanceAgrees():
		t.Fatalf("adjusted: %+v", c)
	case e.Available.Minor()+e.Reserved.Minor()+e.Outside.Minor() != 0, !e.Reserved.IsZero(), moved != c.Amount.Minor():
		t.Fatalf("the entry is %+v", e)
	case e.Number != len(c.Settled)+1, !after[0].BankClosing.Equal(after[0].LedgerClosing):
		t.Fatalf("the entry is %+v, the day %+v", e, after[0])
	}
	for i, was := range append([]wallet.Reconciliation{c.Day}, c.Later...) {
		now := after[i]
		if now.Version != was.Version+1 || now.LedgerClosing.Minor() != was.LedgerClosing.Minor()+moved {
			t.Fatalf("%s was %+v and is %+v", was.Day, was, now)
		}
		if was.BalanceAgrees() && !now.BalanceAgrees() {
			t.Fatalf("%s agreed", was.Day)
		}
		isBalance := slices.ContainsFunc(now.Differences, func(d wallet.Difference) bool { return d.Kind == wallet.BalanceDiffers })
		if now.HasBank && isBalance == now.BalanceAgrees() {
			t.Fatalf("%s is %+v", now.Day, now)
		}
	}
	b.Adjustments = append(slices.Clone(b.Adjustments), e)
	again := reconciled(t, b, &after[0])
	again.Version, again.ReconciledAt = after[0].Version, after[0].ReconciledAt
	if diff := cmp.Diff(after[0], again, coretest.Exactly); diff != "" {
		t.Fatalf("compared again (-decided +compared):\n%s", diff)
	}
	if r := c; r.Day.Version != core.RowsOf[wallet.Reconciliation](change)[1].Version-1 || core.RowsOf[wallet.Reconciliation](change)[0].Version != c.Before.Version+1 {
		t.Fatalf("not saved against what it was decided from: %+v", core.RowsOf[wallet.Reconciliation](change))
	}
}

// TestTheLineThatShowsAnAdjustmentIsNoLineOfTheBank: on the day on which it was booked it is not missing there, and it
// counts on the day that it settles.
func TestTheLineThatShowsAnAdjustmentIsNoLineOfTheBank(t *testing.T) {
	t.Parallel()
	change, err := wallet.DecideAdjustment(gap(t, 500), coretest.Decision(t))
	if err != nil {
		t.Fatal(err)
	}
	b := dayBook()
	b.Opening, b.Closing = coretest.Lira(opening-500), coretest.Lira(opening-500)
	b.Lines, b.Entries = core.RowsOf[wallet.BankLine](change), core.RowsOf[ledger.Entry](change)
	b.Lines[0].BookedAt = noon
	if r := reconciled(t, b, nil); len(r.Differences) != 0 || !r.LedgerOut.Equal(coretest.Lira(0)) || !r.Adjusted.Equal(coretest.Lira(0)) {
		t.Errorf("the day on which it was booked is %+v", r)
	}
}
