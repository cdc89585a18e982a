package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/iban"
)

// takesBankLines tells whether each saved line is the next version of what is stored. Such a line comes once, and not
// beside an import of it.
func (s *Store) takesBankLines(lines []core.BankLine) bool {
	times, saved := map[lineKey]int{}, map[lineKey]bool{}
	for _, l := range lines {
		key := lineKey{l.WalletID, l.LineID}
		times[key]++
		saved[key] = saved[key] || l.Version != 1
		if saved[key] && (times[key] > 1 || l.Version < 1 || l.Version != s.bankLines[key].Version+1) {
			return false
		}
	}
	return true
}

// putBankLines keeps what the bank said of a line as it was imported first.
func (s *Store) putBankLines(lines []core.BankLine) {
	for _, l := range lines {
		key := lineKey{l.WalletID, l.LineID}
		kept, isKnown := s.bankLines[key]
		switch {
		case l.Version > 1:
			kept.Version, kept.State, kept.PaymentID, kept.Note = l.Version, l.State, l.PaymentID, l.Note
			kept.WasDoubtful = l.WasDoubtful
			kept.ReversedBy = l.ReversedBy
			s.bankLines[key] = kept
		case !isKnown:
			s.bankLines[key] = cloneBankLine(l)
		}
	}
}

// linesWhere gives the lines for which is holds, oldest first.
func (s *Store) linesWhere(is func(core.BankLine) bool) []core.BankLine {
	var found []core.BankLine
	for _, l := range s.bankLines {
		if is(l) {
			found = append(found, l)
		}
	}
	slices.SortFunc(found, func(a, b core.BankLine) int { return cmp.Compare(a.ID, b.ID) })
	return found
}

// BankLine implements ports.StatementLines.
func (s *Store) BankLine(ctx context.Context, walletID int64, lineID string) (core.BankLine, error) {
	return read(ctx, s, "memory.BankLine", func() (core.BankLine, bool) {
		l, ok := s.bankLines[lineKey{walletID, lineID}]
		return l, ok
	})
}

// LinesIn implements ports.StatementLines.
func (s *Store) LinesIn(ctx context.Context, q core.LineQuery) ([]core.BankLine, error) {
	return list(ctx, s, "memory.LinesIn", func() []core.BankLine {
		found := s.linesWhere(func(l core.BankLine) bool {
			return (q.DealerID == 0 || s.wallets.rows[l.WalletID].DealerID == q.DealerID) &&
				(q.WalletID == 0 || l.WalletID == q.WalletID) &&
				(len(q.States) == 0 || slices.Contains(q.States, l.State)) &&
				(q.After == "" || l.ID < q.After)
		})
		slices.Reverse(found)
		return first(found, q.Limit)
	})
}

// LinesOf implements ports.StatementLines.
func (s *Store) LinesOf(ctx context.Context, paymentID core.ID) ([]core.BankLine, error) {
	return list(ctx, s, "memory.LinesOf", func() []core.BankLine {
		return s.linesWhere(func(l core.BankLine) bool { return paymentID != "" && l.PaymentID == paymentID })
	})
}

// Reversals implements ports.StatementLines.
func (s *Store) Reversals(ctx context.Context, walletID int64, lineIDs []string) ([]core.BankLine, error) {
	return list(ctx, s, "memory.Reversals", func() []core.BankLine {
		return s.linesWhere(func(l core.BankLine) bool {
			return l.WalletID == walletID && l.Reverses != "" && slices.Contains(lineIDs, l.Reverses)
		})
	})
}

// PaidFrom implements ports.StatementLines.
func (s *Store) PaidFrom(ctx context.Context, ibans []string, limit int) ([][]core.CustomerKey, error) {
	return read(ctx, s, "memory.PaidFrom", func() ([][]core.CustomerKey, bool) {
		all := make([][]core.CustomerKey, len(ibans))
		for i, sender := range ibans {
			all[i] = s.paidFrom(iban.Normalize(sender), limit)
		}
		return all, true
	})
}

func (s *Store) paidFrom(sender string, limit int) []core.CustomerKey {
	lines := s.linesWhere(func(l core.BankLine) bool {
		isDeposit := s.payments.rows[l.PaymentID].Method == core.EIBANDeposit
		return iban.HasShape(sender) && l.Direction == gateway.Incoming && isDeposit &&
			l.ReversedBy == "" && iban.Normalize(l.Party.IBAN) == sender
	})
	slices.Reverse(lines)
	var customers []core.CustomerKey
	for _, l := range first(lines, limit) {
		p := s.payments.rows[l.PaymentID]
		key := core.CustomerKey{ProviderID: p.ProviderID, UserID: p.Customer.UserID}
		if !slices.Contains(customers, key) {
			customers = append(customers, key)
		}
	}
	return customers
}

// Candidates implements ports.StatementLines.
func (s *Store) Candidates(ctx context.Context, queries []core.CandidateQuery) ([][]core.Payment, error) {
	return read(ctx, s, "memory.Candidates", func() ([][]core.Payment, bool) {
		all := make([][]core.Payment, len(queries))
		for i, q := range queries {
			all[i] = s.candidates(q)
		}
		return all, true
	})
}

func (s *Store) candidates(q core.CandidateQuery) []core.Payment {
	found := s.payments.where(func(p core.Payment) bool {
		return p.Method == core.EIBANDeposit && q.AccountID != 0 && p.Account.AccountID == q.AccountID &&
			p.Status != core.Completed && !p.CreatedAt.Before(q.From) && p.CreatedAt.Before(q.Until)
	})
	slices.SortFunc(found, func(a, b core.Payment) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
	})
	return first(found, q.Limit)
}

// DayBook implements ports.Reconciliations.
func (s *Store) DayBook(
	ctx context.Context, walletID int64, from, until time.Time,
) (lines []core.BankLine, entries []core.LedgerEntry, err error) {
	isIn := func(at time.Time) bool { return !at.Before(from) && at.Before(until) }
	lines, err = list(ctx, s, "memory.DayBook", func() []core.BankLine {
		booked, transfers, posted := map[string]bool{}, map[core.ID]bool{}, map[core.ID]bool{}
		for _, l := range s.linesWhere(func(l core.BankLine) bool { return l.WalletID == walletID && isIn(l.BookedAt) }) {
			booked[l.LineID], transfers[l.PaymentID] = true, l.PaymentID != ""
		}
		entries = s.entries.where(func(e core.LedgerEntry) bool {
			isAbout := booked[e.LineID] || e.Kind == core.EntryPost && transfers[e.PaymentID]
			return e.WalletID == walletID && (isIn(e.At) || isAbout)
		})
		slices.SortFunc(entries, func(a, b core.LedgerEntry) int { return cmp.Compare(a.ID, b.ID) })
		for _, e := range entries {
			if e.Kind == core.EntryPost && isIn(e.At) {
				posted[e.PaymentID] = e.PaymentID != ""
			}
		}
		return s.linesWhere(func(l core.BankLine) bool {
			return l.WalletID == walletID && (booked[l.LineID] || posted[l.PaymentID])
		})
	})
	return lines, entries, err
}

// Adjustments implements ports.Reconciliations.
func (s *Store) Adjustments(ctx context.Context, walletID int64, day core.Day) ([]core.LedgerEntry, error) {
	return list(ctx, s, "memory.Adjustments", func() []core.LedgerEntry {
		found := s.entries.where(func(e core.LedgerEntry) bool {
			return e.WalletID == walletID && day != "" && e.Day == day
		})
		slices.SortFunc(found, func(a, b core.LedgerEntry) int { return cmp.Compare(a.Number, b.Number) })
		return found
	})
}
