package wallet_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// statementLife is a wallet whose transfers and bank lines come in any order. Its bank is not bound by any rule: it lists
// fees, second lines, returns of what never left, and lines that the ledger can't take.
type statementLife struct {
	balances
	ids       *core.IDs
	transfers []payment.Payment
	lines     []wallet.BankLine
}

// TestEveryLineIsExplained: in the end the ledger holds what it held at first and every line that it has taken, and has
// lost what completed transfers without a line have taken. Every line is explained by one entry, or by its transfer's post.
func TestEveryLineIsExplained(t *testing.T) {
	t.Parallel()
	for range 5 { // a hundred each
		rapid.Check(t, func(t *rapid.T) {
			s := &statementLife{ids: coretest.NewIDs(t, coretest.Evening), balances: balances{available: opening}}
			t.Repeat(map[string]func(*rapid.T){
				"":         s.check,
				"begin":    s.begins,
				"end":      s.ends,
				"import":   s.imports,
				"import 2": s.imports,
				"again":    s.importsAgain,
				"retry":    func(t *rapid.T) { s.retries(t) },
			})
			for i := range s.transfers {
				s.end(t, i, payment.Complete)
			}
			for s.retries(t) {
				s.check(t)
			}
			s.checkEnd(t)
		})
	}
}

func (s *statementLife) begins(t *rapid.T) {
	amount := rapid.SampledFrom([]int64{1_000, 40_000}).Draw(t, "amount")
	change := wallet.DecideTransfer(
		payment.Request{Method: payment.EIBANTransfer, Dealer: owner.Dealer{ID: 5}, Amount: coretest.Lira(amount)},
		wallet.TransferPlan{Wallet: wallet.Wallet{ID: 3}},
		payment.CreateParams{At: coretest.Evening, TrackingCode: fmt.Sprint("TRF-", len(s.transfers)), IDs: s.ids},
	)
	if s.books(t, change) {
		s.transfers = append(s.transfers, core.RowsOf[payment.Payment](change)[0])
	}
}

func (s *statementLife) ends(t *rapid.T) {
	if len(s.transfers) > 0 {
		s.end(t, rapid.IntRange(0, len(s.transfers)-1).Draw(t, "transfer"), rapid.SampledFrom([]payment.Command{
			payment.Complete, payment.Complete, payment.Fail, payment.Cancel,
		}).Draw(t, "end"))
	}
}

func (s *statementLife) end(t *rapid.T, i int, c payment.Command) {
	change, err := payment.Decide(s.transfers[i], c, payment.Decision{At: coretest.Evening, IDs: s.ids})
	if fault.Is(err, fault.AlreadyFinal) {
		return
	}
	if err != nil || !s.books(t, change) {
		t.Fatalf("%s: %v", c, err)
	}
	s.transfers[i] = core.RowsOf[payment.Payment](change)[0]
}

// imports is a line of the bank: mostly one that names a transfer.
func (s *statementLife) imports(t *rapid.T) {
	l := wallet.BankLine{
		WalletID: 3, LineID: fmt.Sprint("line-", len(s.lines)), ID: s.ids.Next(), Version: 1, Status: wallet.LineUnmatched,
		Direction: rapid.SampledFrom([]gateway.Direction{gateway.Incoming, gateway.Outgoing, gateway.Outgoing}).Draw(t, "direction"),
		Amount:    coretest.Lira(rapid.SampledFrom([]int64{1_000, 500, 40_000}).Draw(t, "worth")),
	}
	if len(s.transfers) > 0 && rapid.IntRange(0, 3).Draw(t, "names none") > 0 {
		named := rapid.SampledFrom(s.transfers).Draw(t, "names")
		l.EndToEndID = named.TrackingCode
		if rapid.IntRange(0, 3).Draw(t, "of its amount") > 0 {
			l.Amount = named.Amount
		}
	}
	change := s.decide(l)
	if !s.books(t, change) {
		change = core.Changeset{l.Unbooked("more than is available")}
	}
	s.save(t, change)
}

// importsAgain is a line that the bank still lists: the store keeps it, and its entry, out.
func (s *statementLife) importsAgain(t *rapid.T) {
	if len(s.lines) > 0 {
		l := rapid.SampledFrom(s.lines).Draw(t, "line")
		l.Version = 1
		if after := core.RowsOf[wallet.BankLine](s.decide(l))[0]; after.Version != 1 {
			t.Fatalf("imported as %+v", after)
		}
	}
}

// retries books what could not be booked, and reports whether that went on.
func (s *statementLife) retries(t *rapid.T) (goesOn bool) {
	for _, l := range s.lines {
		if l.Status != wallet.LineUnbooked {
			continue
		}
		l.Version++
		if change := s.decide(l); core.RowsOf[wallet.BankLine](change)[0].Status != wallet.LineUnbooked && s.books(t, change) {
			s.save(t, change)
			goesOn = true
		}
	}
	return goesOn
}

func (s *statementLife) decide(l wallet.BankLine) core.Changeset {
	i := slices.IndexFunc(s.transfers, func(p payment.Payment) bool { return p.TrackingCode == l.EndToEndID })
	if i < 0 {
		return wallet.DecideBooking(l, nil, coretest.Evening, s.ids)
	}
	ref := wallet.Reference{Transfer: s.transfers[i]}
	for _, other := range s.lines {
		if other.PaymentID == ref.Transfer.ID {
			ref.Lines = append(ref.Lines, other)
		}
	}
	return wallet.DecideBooking(l, &ref, coretest.Evening, s.ids)
}

// save keeps a line as a store does.
func (s *statementLife) save(t *rapid.T, change core.Changeset) {
	l := core.RowsOf[wallet.BankLine](change)[0]
	i := slices.IndexFunc(s.lines, func(known wallet.BankLine) bool { return known.LineID == l.LineID })
	switch {
	case len(core.RowsOf[wallet.BankLine](change)) != 1:
		t.Fatalf("%+v", core.RowsOf[wallet.BankLine](change))
	case i < 0 && l.Version == 1:
		s.lines = append(s.lines, l)
	case i >= 0 && l.Version == s.lines[i].Version+1:
		s.lines[i] = l
	default:
		t.Fatalf("%+v is saved as %+v", s.lines, l)
	}
}

// books takes entries into the balances as a store does; one of a kind exists for a payment, and one for a line.
func (s *statementLife) books(t *rapid.T, change core.Changeset) bool {
	for _, e := range core.RowsOf[ledger.Entry](change) {
		if e.Available.Minor()+e.Reserved.Minor()+e.Outside.Minor() != 0 {
			t.Fatalf("does not add up: %+v", e)
		}
		for _, other := range s.entries {
			isOfPayment := e.PaymentID != "" && other.PaymentID == e.PaymentID && other.Kind == e.Kind
			if isOfPayment || e.LineID != "" && other.LineID == e.LineID {
				t.Fatalf("booked twice: %+v and %+v", other, e)
			}
		}
	}
	return s.book(core.RowsOf[ledger.Entry](change))
}

// check: every line is explained once, or waits.
func (s *statementLife) check(t *rapid.T) {
	held := int64(opening)
	hasLine := map[core.ID]bool{}
	for _, l := range s.lines {
		entries := slices.DeleteFunc(slices.Clone(s.entries), func(e ledger.Entry) bool { return e.LineID != l.LineID })
		i := slices.IndexFunc(s.transfers, func(p payment.Payment) bool { return p.ID == l.PaymentID })
		isPosted := i >= 0 && l.Direction == gateway.Outgoing && s.transfers[i].Status == payment.Completed
		want := 1
		if l.Status == wallet.LineUnbooked || isPosted {
			want = 0
		}
		if len(entries) != want || (i >= 0) != (l.Status == wallet.LineMatched) || isPosted && hasLine[l.PaymentID] {
			t.Fatalf("%+v is explained by %+v", l, entries)
		}
		hasLine[l.PaymentID] = hasLine[l.PaymentID] || isPosted
		switch {
		case l.Status == wallet.LineUnbooked:
		case l.Direction == gateway.Outgoing:
			held -= l.Amount.Minor()
		default:
			held += l.Amount.Minor()
		}
	}
	for _, p := range s.transfers {
		if p.Status == payment.Completed && !hasLine[p.ID] {
			held -= p.Amount.Minor()
		}
	}
	if s.available+s.reserved != held {
		t.Fatalf("the ledger has %d and %d, and its lines say %d", s.available, s.reserved, held)
	}
}

// checkEnd: what waits is more than is available.
func (s *statementLife) checkEnd(t *rapid.T) {
	s.check(t)
	for _, l := range s.lines {
		if l.Status == wallet.LineUnbooked && (l.Direction != gateway.Outgoing || l.Amount.Minor() <= s.available) {
			t.Fatalf("there is %d, and it waits: %+v", s.available, l)
		}
	}
	if s.reserved != 0 {
		t.Fatalf("%d is reserved, and nothing is pending", s.reserved)
	}
}
