package harness

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// Entry is a booking of a wallet's ledger as staff see it.
type Entry struct {
	Kind        string
	Available   string
	Reserved    string
	Outside     string
	LineID      string
	Transaction *struct{ TrackingCode string }
}

// entries lists a wallet's ledger, newest first.
func (s Staff) entries(t testing.TB, walletID string) (all []Entry) {
	t.Helper()
	query := `query($id: ID!, $after: String) { wallet(id: $id) { entries(first: 200, after: $after) {
		nodes { kind available reserved outside lineId transaction { trackingCode } } pageInfo { hasNextPage endCursor } } } }`
	after := any(nil)
	for {
		var data struct {
			Wallet struct {
				Entries struct {
					Nodes    []Entry
					PageInfo struct {
						HasNextPage bool
						EndCursor   string
					}
				}
			}
		}
		if err := s.Ask(query, map[string]any{"id": walletID, "after": after}, &data); err != nil {
			t.Fatal(err)
		}
		page := data.Wallet.Entries
		if all = append(all, page.Nodes...); !page.PageInfo.HasNextPage {
			return all
		}
		after = page.PageInfo.EndCursor
	}
}

// BankLine is a line of a wallet's statement as staff see it.
type BankLine struct {
	LineID      string
	Status      string
	Note        string
	Amount      string
	Transaction *struct{ TrackingCode string }
	Candidates  []struct {
		Score       int
		Evidence    []string
		Transaction struct{ TrackingCode string }
	}
}

// LineFields are the fields of a BankLine.
const LineFields = `{ lineId status note amount transaction { trackingCode }
	candidates { score evidence transaction { trackingCode } } }`

// Lines lists a wallet's bank lines of a status, newest first.
func (s Staff) Lines(t testing.TB, walletID, status string) []BankLine {
	t.Helper()
	var data struct{ BankLines struct{ Nodes []BankLine } }
	err := s.Ask(`query($id: String!, $status: BankLineStatus!) {
		bankLines(filter: { walletId: $id, status: [$status] }, first: 100) { nodes `+LineFields+` } }`,
		map[string]any{"id": walletID, "status": status}, &data)
	if err != nil {
		t.Fatal(err)
	}
	return data.BankLines.Nodes
}

// Day is what came of reconciling a wallet's day.
type Day struct {
	Status        string
	MatchedCount  int
	OpenCount     int
	LedgerClosing string
	BankClosing   string
	Differences   []Difference
}

// Difference is what tests read of one.
type Difference struct {
	Kind, LineID, EntryID, Ours, Theirs, Reason string
	Transaction                                 *struct{ TrackingCode string }
}

// DayFields are the fields of a Day.
const DayFields = `{ status matchedCount openCount ledgerClosing bankClosing
	differences { kind lineId entryId ours theirs reason transaction { trackingCode } } }`

// Reconcile compares a wallet's day with the bank.
func (s Staff) Reconcile(t testing.TB, walletID, date string) Day {
	t.Helper()
	d, err := s.TryReconcile(walletID, date)
	if err != nil {
		t.Fatalf("reconcileDay of %s: %v", date, err)
	}
	return d
}

// TryReconcile is Reconcile for what may be refused.
func (s Staff) TryReconcile(walletID, date string) (Day, error) {
	var data struct{ ReconcileDay struct{ Reconciliation Day } }
	err := s.Ask(`mutation($id: String!, $day: Date!) { reconcileDay(input: {walletId: $id, day: $day}) { reconciliation `+DayFields+` } }`,
		map[string]any{"id": walletID, "day": date}, &data)
	return data.ReconcileDay.Reconciliation, err
}

// CheckBooks waits until a wallet has what its account at the bank has, and nothing is under way. Then its ledger adds up
// to that, every line of the bank is on its statement, once, and the day agrees with the bank.
func (b *Branch) CheckBooks(t *testing.T, w Eiban) []Entry {
	t.Helper()
	atBank := ""
	Eventually(t, func() error {
		atBank = b.Account(t, w).Balance.Total.Value.Fixed(2)
		if now := b.Dealer.Eiban(t, w.WalletID); now.Balance != atBank || now.Available != atBank {
			return fmt.Errorf("the wallet has %s, %s of it available, and the bank %s", now.Balance, now.Available, atBank)
		}
		return nil
	})
	Eventually(t, func() error { return b.isImported(t, w) })
	entries := b.CheckLedger(t, w)
	d := b.Admin.Reconcile(t, w.WalletID, Today())
	if d.Status != "AGREED" || d.OpenCount != 0 || d.LedgerClosing != atBank || d.BankClosing != atBank {
		t.Errorf("reconciling the day gives %+v, want %s", d, atBank)
	}
	return entries
}

// CheckLedger adds up a wallet's ledger: it is what D4 says, every entry sums to zero, and nothing is booked twice.
func (b *Branch) CheckLedger(t *testing.T, w Eiban) []Entry {
	t.Helper()
	var available, reserved int64
	entries, seen := b.Operator.entries(t, w.WalletID), make(map[string]bool)
	for _, e := range entries {
		available, reserved = available+Kurus(t, e.Available), reserved+Kurus(t, e.Reserved)
		if Kurus(t, e.Available)+Kurus(t, e.Reserved)+Kurus(t, e.Outside) != 0 {
			t.Errorf("an entry does not sum to zero: %+v", e)
		}
		about := e.Kind + " " + e.LineID
		if e.Transaction != nil {
			about += e.Transaction.TrackingCode
		}
		if seen[about] {
			t.Errorf("%s is booked twice", about)
		}
		seen[about] = true
	}
	now := b.Dealer.Eiban(t, w.WalletID)
	if available != Kurus(t, now.Available) || available+reserved != Kurus(t, now.Balance) || available < 0 || reserved < 0 {
		t.Errorf("D4 says %+v, and the ledger adds up to %d and %d", now, available, reserved)
	}
	return entries
}

// isImported compares D5 with what the bank has booked: every line once, as it is there, newest first, and in the ledger.
func (b *Branch) isImported(t *testing.T, w Eiban) error {
	t.Helper()
	want := b.linesAtBank(t, w)
	got, before := make(map[string]Record), ""
	for _, r := range b.AllRecords(t, w) {
		if _, twice := got[r.ID]; twice || before != "" && before < r.Date {
			t.Errorf("D5 lists %s twice, or after an older one", r.ID)
		}
		got[r.ID], before = r, r.Date
	}
	if !maps.Equal(got, want) {
		return fmt.Errorf("D5 lists %d records, and the bank %d lines:\n%+v\n%+v", len(got), len(want), got, want)
	}
	if waiting := b.Operator.Lines(t, w.WalletID, "UNBOOKED"); len(waiting) > 0 {
		return fmt.Errorf("the ledger does not have %+v", waiting)
	}
	return nil
}

// linesAtBank are the lines of a wallet's account, by id, as D5 has to give them.
func (b *Branch) linesAtBank(t testing.TB, w Eiban) map[string]Record {
	t.Helper()
	want, account := make(map[string]Record), b.Account(t, w).ID
	books, _ := b.Till.Books()
	for _, kept := range books {
		if kept.AccountID != account {
			continue
		}
		for _, l := range kept.Entries {
			want[l.ID] = RecordOf(w, l.Line)
		}
	}
	return want
}

// RecordOf is a line of the bank as D5 has to give it.
func RecordOf(w Eiban, l bank.Line) Record {
	r := Record{
		ID: l.ID, Amount: l.Amount.Value.Fixed(2), Type: "incoming", Description: l.Text, SenderName: l.Party.Name,
		SenderIBAN: l.Party.IBAN, Date: l.BookedAt.In(shared.zone).Format("2006-01-02T15:04:05"),
	}
	if l.Direction == bank.Outgoing {
		r.Type, r.SenderName, r.SenderIBAN = "outgoing", w.Holder, w.IBAN
	}
	return r
}

// KindsOf are the kinds of the entries about a transfer, sorted.
func KindsOf(entries []Entry, code string) (kinds []string) {
	for _, e := range entries {
		if e.Transaction != nil && e.Transaction.TrackingCode == code {
			kinds = append(kinds, e.Kind)
		}
	}
	slices.Sort(kinds)
	return kinds
}
