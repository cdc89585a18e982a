package wallet_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/wallet"
)

// noon is in the middle of the day that these tests reconcile.
var noon = time.Date(2026, 3, 9, 12, 0, 0, 0, coretest.Istanbul)

// dayBook is a day that began with 1,000.00.
func dayBook() wallet.DayBook {
	from, until := core.Day("2026-03-09").Bounds(coretest.Istanbul)
	return wallet.DayBook{
		Wallet: aWallet(), Day: "2026-03-09", Opening: coretest.Lira(opening), Closing: coretest.Lira(opening), HasBank: true,
		IsOfDay: func(t time.Time) bool { return !t.Before(from) && t.Before(until) },
	}
}

// dayLine is a line of the day, matched with nothing.
func dayLine(id string, direction gateway.Direction, minor int64) wallet.BankLine {
	return wallet.BankLine{
		WalletID: 3, LineID: id, Direction: direction, Amount: coretest.Lira(minor), BookedAt: noon, Status: wallet.LineUnmatched,
	}
}

// ofTransfer matches a line with a transfer.
func ofTransfer(l wallet.BankLine, id core.ID) wallet.BankLine {
	l.Status, l.PaymentID = wallet.LineMatched, id
	return l
}

// entryOf is what the ledger has for a line.
func entryOf(l wallet.BankLine) ledger.Entry {
	minor := l.Amount.Minor()
	if l.Direction == gateway.Outgoing {
		minor = -minor
	}
	return ledger.Entry{
		ID: core.ID("entry-" + l.LineID), WalletID: 3, Kind: ledger.EntryIncoming, At: noon.Add(time.Minute), LineID: l.LineID,
		Available: coretest.Lira(minor), Reserved: coretest.Lira(0), Outside: coretest.Lira(-minor),
	}
}

// postOf is the post of a transfer.
func postOf(transfer core.ID, minor int64, at time.Time) ledger.Entry {
	return ledger.Entry{
		ID: "post-" + transfer, WalletID: 3, Kind: ledger.EntryPost, At: at, PaymentID: transfer,
		Available: coretest.Lira(0), Reserved: coretest.Lira(-minor), Outside: coretest.Lira(minor),
	}
}

func reconciled(t coretest.T, b wallet.DayBook, known *wallet.Reconciliation) wallet.Reconciliation {
	t.Helper()
	change := wallet.DecideReconciliation(b, known, coretest.Evening)
	if len(core.RowsOf[wallet.Reconciliation](change)) != 1 {
		t.Fatalf("%+v", change)
	}
	return core.RowsOf[wallet.Reconciliation](change)[0]
}

// found lists the differences of a day as text.
func found(r wallet.Reconciliation) []string {
	var list []string
	for _, d := range r.Differences {
		list = append(list, difference(d))
	}
	return list
}

func difference(d wallet.Difference) string {
	return fmt.Sprintf("%s %s%s %s/%s", d.Kind, d.LineID, d.EntryID, d.Ours, d.Theirs)
}

// TestADayIsCompared: what a day's statement and ledger may have of each other, and what is found of it. The bank's closing
// is given, so that the balance differs exactly when it is not the ledger's.
func TestADayIsCompared(t *testing.T) {
	t.Parallel()
	const in, out = gateway.Incoming, gateway.Outgoing
	income, expense := dayLine("a", in, 20000), dayLine("b", out, 5000)
	sent := ofTransfer(dayLine("c", out, 10000), "T")
	back := ofTransfer(dayLine("d", in, 10000), "T")
	unbooked := dayLine("b", out, 5000).Unbooked("more than is available")
	ofDay := func(l wallet.BankLine, day int) wallet.BankLine {
		l.BookedAt = l.BookedAt.AddDate(0, 0, day)
		return l
	}
	type lines = []wallet.BankLine
	type entries = []ledger.Entry
	for name, c := range map[string]struct {
		statement lines
		ours      lines
		entries   entries
		closing   int64
		ledger    int64
		matched   int
		want      []string
	}{
		"an empty day": {closing: 100000, ledger: 100000},
		"all is matched": {
			lines{income, expense, sent, back}, lines{income, expense, sent, back},
			entries{entryOf(income), entryOf(expense), postOf("T", 10000, noon), entryOf(back)}, 115000, 115000, 4, nil,
		},
		"a line was never imported": {lines{income}, nil, nil, 120000, 100000, 0, []string{
			"balance_differs  1000.00/1200.00", "missing_here a 0.00/200.00",
		}},
		"a line is not booked": {lines{expense}, lines{unbooked}, nil, 95000, 100000, 0, []string{
			"balance_differs  1000.00/950.00", "missing_here b 0.00/-50.00",
		}},
		"the bank lists a line no longer": {nil, lines{income}, entries{entryOf(income)}, 100000, 120000, 0, []string{
			"balance_differs  1200.00/1000.00", "missing_there aentry-a 200.00/0.00",
		}},
		"nor one that is not booked": {nil, lines{unbooked}, nil, 100000, 100000, 0, nil},
		"the bank has changed an amount": {
			lines{dayLine("a", in, 20001)}, lines{income}, entries{entryOf(income)}, 120001, 120000, 0,
			[]string{"balance_differs  1200.00/1200.01", "amount_differs aentry-a 200.00/200.01"},
		},
		"the bank has turned it round": {
			lines{dayLine("a", out, 20000)}, lines{income}, entries{entryOf(income)}, 80000, 120000, 0,
			[]string{"balance_differs  1200.00/800.00", "amount_differs aentry-a 200.00/-200.00"},
		},
		"the balance alone differs": {lines{income}, lines{income}, entries{entryOf(income)}, 119999, 120000, 1, []string{
			"balance_differs  1200.00/1199.99",
		}},
		"a line is listed twice": {lines{income, income}, lines{income}, entries{entryOf(income)}, 120000, 120000, 1, nil},
		"a line of another day is listed": {
			lines{ofDay(income, 1), ofDay(expense, -1)}, nil, nil, 100000, 100000, 0, nil,
		},
		"another day's entry was made on it": {nil, nil, entries{entryOf(income)}, 100000, 100000, 0, nil},

		// Transfers count on the day of their line.
		"a transfer without a line": {nil, nil, entries{postOf("T", 10000, noon)}, 100000, 90000, 0, []string{
			"balance_differs  900.00/1000.00", "missing_there post-T -100.00/0.00",
		}},
		"a line of yesterday, confirmed today": {
			nil, lines{ofDay(sent, -1)}, entries{postOf("T", 10000, noon)}, 100000, 100000, 0, nil,
		},
		"a line of yesterday, confirmed today, and listed": {
			lines{ofDay(sent, -1)}, lines{ofDay(sent, -1)}, entries{postOf("T", 10000, noon)}, 100000, 100000, 0, nil,
		},
		"a line of today, confirmed tomorrow": {
			lines{sent}, lines{sent}, entries{postOf("T", 10000, noon.AddDate(0, 0, 1))}, 90000, 90000, 1, nil,
		},
		"a line of today, confirmed yesterday": {
			lines{sent}, lines{sent}, entries{postOf("T", 10000, noon.AddDate(0, 0, -1))}, 90000, 90000, 1, nil,
		},
		"a line of today that was of yesterday": { // the bank has moved it: yesterday's day says that it is gone
			lines{sent}, lines{ofDay(sent, -1)}, entries{postOf("T", 10000, noon)}, 90000, 100000, 0, []string{
				"balance_differs  1000.00/900.00", "missing_here c 0.00/-100.00",
			},
		},
		"a transfer that is back": {
			lines{sent, back}, lines{sent, back}, entries{postOf("T", 10000, noon), entryOf(back)}, 100000, 100000, 2, nil,
		},
		"a transfer of yesterday that is back": {
			lines{back}, lines{back}, entries{postOf("T", 10000, noon.AddDate(0, 0, -1)), entryOf(back)}, 110000, 110000, 1, nil,
		},
		"its return, and no entry of that": {
			lines{back}, lines{back}, entries{postOf("T", 10000, noon.AddDate(0, 0, -1))}, 100000, 100000, 0,
			[]string{"missing_here d 0.00/100.00"},
		},
		"a failed transfer that left": {lines{sent}, lines{sent}, entries{entryOf(sent)}, 90000, 90000, 1, nil},
		"its line changed by the bank": {
			lines{dayLine("c", out, 10100)}, lines{sent}, entries{postOf("T", 10000, noon)}, 89900, 90000, 0, []string{
				"balance_differs  900.00/899.00", "amount_differs cpost-T -100.00/-101.00",
			},
		},
		"its line gone at the bank": {nil, lines{sent}, entries{postOf("T", 10000, noon)}, 100000, 90000, 0, []string{
			"balance_differs  900.00/1000.00", "missing_there cpost-T -100.00/0.00",
		}},
		"charged twice": {
			lines{sent, dayLine("e", out, 10000)}, lines{sent, dayLine("e", out, 10000)},
			entries{postOf("T", 10000, noon), entryOf(dayLine("e", out, 10000))}, 80000, 80000, 2, nil,
		},
	} {
		b := dayBook()
		b.Statement, b.Lines, b.Entries, b.Closing = c.statement, c.ours, c.entries, coretest.Lira(c.closing)
		r := reconciled(t, b, nil)
		if diff := cmp.Diff(c.want, found(r)); diff != "" || r.MatchedCount != c.matched || !r.LedgerClosing.Equal(coretest.Lira(c.ledger)) {
			t.Errorf("%s: %d matched, the ledger holds %s (-want +got):\n%s", name, r.MatchedCount, r.LedgerClosing, diff)
		}
		checkDay(t, b, r)
	}
}

// checkDay: a day's closings differ by what its differences come to, and its sums are those of what was compared.
func checkDay(t coretest.T, b wallet.DayBook, r wallet.Reconciliation) {
	t.Helper()
	if got := b.Opening.Minor() + r.LedgerIn.Minor() - r.LedgerOut.Minor(); got != r.LedgerClosing.Minor() {
		t.Errorf("the ledger closes with %s, and its sums with %d", r.LedgerClosing, got)
	}
	if r.LedgerIn.Minor() < 0 || r.LedgerOut.Minor() < 0 || r.BankIn.Minor() < 0 || r.BankOut.Minor() < 0 {
		t.Errorf("less than nothing: %+v", r)
	}
	effects := int64(0)
	for _, d := range r.Differences {
		if d.Kind != wallet.BalanceDiffers {
			effects += d.Ours.Minor() - d.Theirs.Minor()
		}
	}
	lines := r.LedgerIn.Minor() - r.LedgerOut.Minor() - r.BankIn.Minor() + r.BankOut.Minor()
	if lines != effects {
		t.Errorf("ledger and statement differ by %d, the differences come to %d: %q", lines, effects, found(r))
	}
}

// TestADayWithoutTheBanksBalance has lines to compare, and no balance.
func TestADayWithoutTheBanksBalance(t *testing.T) {
	t.Parallel()
	b := dayBook()
	b.HasBank, b.Closing = false, coretest.Lira(1)
	r := reconciled(t, b, nil)
	if len(r.Differences) != 0 || r.HasBank || !r.BankClosing.IsZero() || !r.LedgerClosing.Equal(coretest.Lira(opening)) {
		t.Errorf("%+v", r)
	}
}

// TestADayIsOfItsWallet: whose it is, when it was compared, and that its closing is the next one's opening.
func TestADayIsOfItsWallet(t *testing.T) {
	t.Parallel()
	b, l := dayBook(), dayLine("a", gateway.Incoming, 20000)
	b.Statement, b.Lines, b.Entries = []wallet.BankLine{l}, []wallet.BankLine{l}, []ledger.Entry{entryOf(l)}
	b.Closing = coretest.Lira(120000)
	want := wallet.Reconciliation{
		WalletID: 3, DealerID: 5, Day: "2026-03-09", Version: 1, ReconciledAt: coretest.Evening, MatchedCount: 1, HasBank: true,
		LedgerIn: coretest.Lira(20000), LedgerOut: coretest.Lira(0), LedgerClosing: coretest.Lira(120000),
		Adjusted: coretest.Lira(0), BankIn: coretest.Lira(20000), BankOut: coretest.Lira(0), BankClosing: coretest.Lira(120000),
	}
	first := reconciled(t, b, nil)
	if diff := cmp.Diff(want, first, coretest.Exactly); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	next := dayBook()
	next.Opening, next.Closing = first.LedgerClosing, coretest.Lira(120000)
	if r := reconciled(t, next, nil); len(r.Differences) != 0 || !r.LedgerClosing.Equal(coretest.Lira(120000)) {
		t.Errorf("%+v", r)
	}
	if again := reconciled(t, b, &first); again.Version != 2 {
		t.Errorf("compared again as version %d", again.Version)
	}
}

// TestExplanations stay with what they explain as long as its figures do.
func TestExplanations(t *testing.T) {
	t.Parallel()
	b := dayBook()
	b.Statement = []wallet.BankLine{dayLine("a", gateway.Incoming, 20000), dayLine("b", gateway.Incoming, 30000)}
	b.Closing = coretest.Lira(150000)
	first := reconciled(t, b, nil)
	if first.OpenCount() != 3 {
		t.Fatalf("%d of %q are open", first.OpenCount(), found(first))
	}
	explained := first
	for i, id := range []string{"", "a", "b"} {
		kind := wallet.MissingHere
		if id == "" {
			kind = wallet.BalanceDiffers
		}
		change, err := wallet.DecideExplain(explained, id, "", kind, coretest.Decision(t))
		if err != nil {
			t.Fatal(err)
		}
		explained = core.RowsOf[wallet.Reconciliation](change)[0]
		if explained.Version != i+2 || explained.OpenCount() != 2-i {
			t.Fatalf("%q explained: version %d, %d are open", id, explained.Version, explained.OpenCount())
		}
	}
	if d := explained.Differences[1]; d.Reason != "why" || d.ExplainedBy != coretest.Decision(t).By || !d.ExplainedAt.Equal(coretest.Decision(t).At) || first.OpenCount() != 3 {
		t.Errorf("%+v, and first %+v", d, first.Differences)
	}
	if again := reconciled(t, b, &explained); again.OpenCount() != 0 || again.Version != explained.Version+1 {
		t.Errorf("compared again: %+v", again)
	}
	b.Statement[1].Amount, b.Closing = coretest.Lira(30001), coretest.Lira(150001)
	changed := reconciled(t, b, &explained)
	for _, d := range changed.Differences {
		if isOld := d.LineID == "a"; isOld != (d.Reason == "why") {
			t.Errorf("%s with the reason %q", difference(d), d.Reason)
		}
	}
	b.Lines = []wallet.BankLine{ofTransfer(b.Statement[0], "01DEPOSIT")}
	if d := reconciled(t, b, &explained).Differences[1]; d.Reason != "why" || d.PaymentID != "01DEPOSIT" {
		t.Errorf("explained, and known better since then: %+v", d)
	}
	for name, try := range map[string]func() (core.Changeset, error){
		"another line": func() (core.Changeset, error) {
			return wallet.DecideExplain(first, "c", "", wallet.MissingHere, coretest.Decision(t))
		},
		"another kind": func() (core.Changeset, error) {
			return wallet.DecideExplain(first, "a", "", wallet.MissingThere, coretest.Decision(t))
		},
		"another entry": func() (core.Changeset, error) {
			return wallet.DecideExplain(first, "a", "x", wallet.MissingHere, coretest.Decision(t))
		},
	} {
		if change, err := try(); !fault.Is(err, fault.NotFound) || len(core.RowsOf[wallet.Reconciliation](change)) != 0 {
			t.Errorf("%s: %v, %+v", name, err, change)
		}
	}
}

// TestADayOfManyDifferencesIsCut: its sums are of all lines, and it stays open whatever is explained.
func TestADayOfManyDifferencesIsCut(t *testing.T) {
	t.Parallel()
	for _, n := range []int{499, 500} {
		b := dayBook()
		for i := range n {
			b.Statement = append(b.Statement, dayLine(fmt.Sprint("line ", i), gateway.Incoming, 100))
		}
		b.Closing = coretest.Lira(opening + int64(n)*100)
		r := reconciled(t, b, nil)
		isCut := n == 500 // the balance differs, too
		isKept := len(r.Differences) == 500 && r.Differences[0].Kind == wallet.BalanceDiffers
		if !isKept || r.IsCut != isCut || r.BankIn.Minor() != int64(n)*100 {
			t.Errorf("%d: %d differences, cut %v, %s in", n, len(r.Differences), r.IsCut, r.BankIn)
		}
		for i := range r.Differences {
			r.Differences[i].Reason = "why"
		}
		if isOpen := r.OpenCount() > 0; isOpen != isCut {
			t.Errorf("%d: %d are open", n, r.OpenCount())
		}
		if again := reconciled(t, b, &r); again.OpenCount() != r.OpenCount() {
			t.Errorf("%d: %d are open when compared again", n, again.OpenCount())
		}
	}
}
