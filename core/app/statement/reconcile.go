package statement

import (
	"context"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/ports"
)

// Times of reconciling: a day is compared an hour after its end, since banks list lines late, and for a week again while
// somebody has to explain a difference.
const (
	dayLag     = time.Hour
	daysAgain  = 7
	daysAtOnce = 31 // of one round: the rest waits for the next
)

// sweep does what is done once an hour: it reads the bank's balance, adds up the ledger, and reconciles days.
func (s *Service) sweep(ctx context.Context, a account, f core.Feed) (core.Feed, error) {
	now := s.Desk.Clock.Now()
	balance, err := s.balance(ctx, a)
	if err != nil {
		return f, err
	}
	if total, err := balance.Total.Amount(money.TRY); err == nil {
		f.BankTotal, f.BankTotalAt = total, balance.At.UTC()
	}
	sum, err := s.Store.AddUpLedger(ctx, a.ID)
	if err != nil {
		return f, err
	}
	f.CheckedAt, f.IsLedgerOff = now, !sum.IsRight()
	if f.IsLedgerOff {
		s.Log.Error("THE LEDGER OF A WALLET DOES NOT ADD UP", "wallet", a.WalletID,
			"available", sum.Available.String(), "available_by_entries", sum.SumAvailable.String(),
			"reserved", sum.Reserved.String(), "reserved_by_entries", sum.SumReserved.String())
	}
	f.ReconciledTo, err = s.reconcileDays(ctx, a, f, balance)
	return f, err
}

func (s *Service) balance(ctx context.Context, a account) (gateway.Balance, error) {
	var b gateway.Balance
	_, err := a.g.Call(ctx, gateway.CanReadAccounts, func(ctx context.Context) (string, error) {
		var err error
		b, err = a.g.Gateway.(ports.AccountReader).ReadBalance(ctx, a.BankAccount)
		return "read", err
	})
	return b, err
}

// reconcileDays reconciles every day that is over, and those after the first that is open again, since each begins with
// what the one before ended with. It gives the last day that is reconciled.
func (s *Service) reconcileDays(ctx context.Context, a account, f core.Feed, b gateway.Balance) (core.Day, error) {
	last := core.DayOf(s.Desk.Clock.Now().Add(-dayLag), s.Zone).Before()
	day, err := s.firstDay(ctx, f, last)
	if err != nil {
		return f.ReconciledTo, err
	}
	for range daysAtOnce {
		if day > last {
			break
		}
		if _, err := s.reconcile(ctx, a, day, b); err != nil {
			return f.ReconciledTo, err
		}
		f.ReconciledTo, day = max(f.ReconciledTo, day), day.After()
	}
	return f.ReconciledTo, nil
}

// firstDay is the day to begin with: the first that is open of the last days, else the one after the last reconciled.
func (s *Service) firstDay(ctx context.Context, f core.Feed, last core.Day) (core.Day, error) {
	next := f.ReconciledTo.After()
	if f.ReconciledTo == "" {
		next = core.DayOf(f.OpenedAt, s.Zone)
	}
	open, err := s.Store.Reconciliations(ctx, core.ReconciliationQuery{WalletID: f.WalletID, OnlyOpen: true, Limit: daysAgain})
	if err != nil {
		return next, err
	}
	for _, r := range open {
		if r.Day.Add(daysAgain) >= last && r.Day < next {
			next = r.Day
		}
	}
	return next, nil
}

// reconcile compares one day: the bank is asked for all of it once more. The balance tells what the account held at the
// end of the newest days only: what was booked since then has to be taken off it.
func (s *Service) reconcile(ctx context.Context, a account, day core.Day, b gateway.Balance) (core.Reconciliation, error) {
	const op = "statement.reconcile"
	from, until := day.Bounds(s.Zone)
	now := s.Desk.Clock.Now()
	book := core.DayBook{
		Wallet: a.Wallet, Day: day, IsOfDay: func(t time.Time) bool { return !t.Before(from) && t.Before(until) },
	}
	before, err := s.dayOf(ctx, a, day.Before())
	if err != nil {
		return core.Reconciliation{}, fault.E(op, "", err)
	}
	known, err := s.dayOf(ctx, a, day)
	if err != nil {
		return core.Reconciliation{}, fault.E(op, "", err)
	}
	book.Opening, book.Closing, book.HasBank = before.LedgerClosing, known.BankClosing, known.HasBank
	end := until
	if now.Before(until) {
		end = now
	}
	if book.Statement, err = s.listed(ctx, a, gateway.Window{From: from, To: end}); err != nil {
		return core.Reconciliation{}, fault.E(op, "", err)
	}
	if day.After() >= core.DayOf(now, s.Zone) {
		if book.Closing, err = s.closing(ctx, a, b, end); err != nil {
			return core.Reconciliation{}, fault.E(op, "", err)
		}
		book.HasBank = true
	}
	if book.Lines, book.Entries, err = s.Store.DayBook(ctx, a.ID, from, until); err != nil {
		return core.Reconciliation{}, fault.E(op, "", err)
	}
	return s.keep(ctx, a, book, known)
}

// dayOf is a day as it was reconciled; its version is 0 when it was not.
func (s *Service) dayOf(ctx context.Context, a account, day core.Day) (core.Reconciliation, error) {
	r, err := s.Store.Reconciliation(ctx, a.ID, day)
	if fault.Is(err, fault.NotFound) {
		return core.Reconciliation{}, nil
	}
	return r, err
}

// keep decides and commits a day.
func (s *Service) keep(ctx context.Context, a account, book core.DayBook, known core.Reconciliation) (core.Reconciliation, error) {
	earlier := &known
	if known.Version == 0 {
		earlier = nil
	}
	change := core.DecideReconciliation(book, earlier, s.Desk.Clock.Now())
	if err := s.Desk.Commit(ctx, change); err != nil {
		return core.Reconciliation{}, err
	}
	r := change.Reconciliations[0]
	if open := r.Open(); open > 0 {
		s.Log.Warn("a wallet's day does not agree with the bank", "wallet", a.WalletID, "day", string(r.Day), "differences", open)
	}
	return r, nil
}

// listed reads a window of the statement as the bank lists it now, and imports what is not known of it.
func (s *Service) listed(ctx context.Context, a account, window gateway.Window) ([]core.BankLine, error) {
	feed, err := s.Store.Feed(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	now := s.Desk.Clock.Now()
	var list []core.BankLine
	for span := range spans(window.From, window.To, a.spanOf()) {
		for lines, err := range s.pages(ctx, a, span) {
			if err == nil {
				err = s.importPage(ctx, a, lines, &tally{})
			}
			if err != nil {
				return nil, err
			}
			for _, l := range lines {
				line, err := core.NewBankLine(a.Wallet, a.tidy(l), now, "")
				if err == nil && feed.Holds(line) {
					list = append(list, line)
				}
			}
		}
	}
	return list, nil
}

// closing is what the account held at a moment, by what the bank says that it held at another.
func (s *Service) closing(ctx context.Context, a account, b gateway.Balance, at time.Time) (money.Amount, error) {
	total, err := b.Total.Amount(money.TRY)
	if err != nil {
		return money.Amount{}, fault.E("statement.closing", fault.GatewayFailed, err)
	}
	seen := b.At.Add(time.Microsecond) // what was booked at that very moment is in the balance
	window, sign := gateway.Window{From: seen, To: at}, int64(1)
	if at.Before(seen) {
		window, sign = gateway.Window{From: at, To: seen}, -1
	}
	between, err := s.listed(ctx, a, window)
	minor := total.Minor()
	for _, l := range between {
		change := sign * l.Amount.Minor()
		if l.Direction == gateway.Outgoing {
			change = -change
		}
		minor += change
	}
	return money.New(minor, money.TRY), err
}
