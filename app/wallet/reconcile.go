package wallet

import (
	"cmp"
	"context"
	"iter"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/wallet"
)

// Times of reconciling. A day is compared an hour after its end, and once more in each night of a week, since banks list
// lines late; every hour of that week while somebody has to explain a difference.
const (
	dayLag     = time.Hour
	daysAgain  = 7
	daysAtOnce = 31 // new ones, of one round: the rest waits for the next
	daySpan    = 24 * time.Hour
)

// sweepOnce does the hourly work. That the bank can't be asked about it keeps no line waiting: it is asked again in an
// hour.
func (r *reading) sweepOnce(ctx context.Context) error {
	err := r.sweep(ctx)
	e, ok := gatewayError(err)
	if !ok {
		return err
	}
	r.trouble = cmp.Or(r.trouble, "reconciling: "+string(e.Class))
	r.Log.Warn("a wallet can't be reconciled; it is tried again in an hour", "wallet", r.a.WalletID, "error", err)
	return nil
}

// sweep does what is done once an hour: it adds up the ledger, reads the bank's balance, and reconciles days.
func (r *reading) sweep(ctx context.Context) error {
	if err := r.checkLedger(ctx); err != nil {
		return err
	}
	b, err := r.balance(ctx)
	if err != nil {
		return err
	}
	if total, ok := wallet.BankTotal(b); ok {
		r.feed.BankBalance, r.feed.BankBalanceAt = total, b.At.UTC()
	}
	first, last, err := r.dueDays(ctx)
	if err != nil || first > last {
		return err
	}
	ends, err := r.dayEndsFrom(ctx, b, first)
	if err != nil {
		return err
	}
	for day := first; day <= last; day = day.After() {
		if _, _, err := r.compare(ctx, day, ends); err != nil {
			return err
		}
		r.feed.ReconciledTo = max(r.feed.ReconciledTo, day)
	}
	return nil
}

// checkLedger adds up the wallet's ledger. That it is wrong must not keep the statement from being read.
func (r *reading) checkLedger(ctx context.Context) error {
	sum, err := r.Wallets.AddUpLedger(ctx, r.a.ID)
	if err != nil {
		return err
	}
	r.feed.CheckedAt, r.feed.IsLedgerOff = r.UnitOfWork.Clock.Now(), !sum.IsRight()
	if r.feed.IsLedgerOff {
		r.Log.Error("THE LEDGER OF A WALLET DOES NOT ADD UP", "wallet", r.a.WalletID,
			"available", sum.Available.String(), "available_by_entries", sum.SumAvailable.String(),
			"reserved", sum.Reserved.String(), "reserved_by_entries", sum.SumReserved.String(),
			"outside", sum.Outside.String(), "outside_by_entries", sum.SumOutside.String())
	}
	return nil
}

// nextDay is the first day that was never compared as a whole.
func (r *reading) nextDay() core.Day {
	if r.feed.ReconciledTo != "" {
		return r.feed.ReconciledTo.After()
	}
	return core.DayOf(r.feed.OpenedAt, r.Zone)
}

// dueDays are the days to compare now, one after the other, since each begins with what the one before ended with; there
// are none when the last comes before the first.
func (r *reading) dueDays(ctx context.Context) (first, last core.Day, err error) {
	last = core.DayOf(r.UnitOfWork.Clock.Now().Add(-dayLag), r.Zone).Before()
	week, next := max(last.Add(1-daysAgain), core.DayOf(r.feed.OpenedAt, r.Zone)), r.nextDay()
	if next <= last { // a day is over
		return min(next, week), min(last, next.Add(daysAtOnce-1)), nil
	}
	open, err := r.Wallets.Reconciliations(ctx, wallet.ReconciliationQuery{WalletID: r.a.ID, IsOpen: new(true), Paging: core.Paging[wallet.DayCursor]{Limit: core.MaxPage}})
	if err != nil {
		return "", "", err
	}
	first = last.After()
	for _, d := range open {
		if d.Day >= week {
			first = min(first, d.Day)
		}
	}
	return first, last, nil
}

// maxDayEnds is how far back the bank's balance is reckoned, which takes all that it lists since.
const maxDayEnds = daysAtOnce * 24 * time.Hour

// dayEndsFrom reads what the bank has booked since a day's end, so that its balance tells what it held then, too. A balance
// that is not to be understood tells nothing.
func (r *reading) dayEndsFrom(ctx context.Context, b gateway.Balance, day core.Day) (wallet.DayEnds, error) {
	now := r.UnitOfWork.Clock.Now()
	_, since := day.Bounds(r.Zone)
	if oldest := now.Add(-maxDayEnds); since.Before(oldest) {
		since = oldest
	}
	e, ok := wallet.DayEndsOf(b, since)
	if !ok || now.Sub(b.At) > maxDayEnds {
		return wallet.DayEnds{}, nil
	}
	for l, err := range r.listed(ctx, e.Since(), now.Add(ahead)) {
		if err != nil {
			return wallet.DayEnds{}, err
		}
		e.Add(l)
	}
	return e, nil
}

// compare reconciles one day, of which the bank is asked once more. isMoved reports whether the ledger's closing is not
// what it was before, so that the day after begins with another amount.
func (r *reading) compare(ctx context.Context, day core.Day, ends wallet.DayEnds) (compared wallet.Reconciliation, isMoved bool, err error) {
	from, until := day.Bounds(r.Zone)
	book := wallet.DayBook{
		Wallet: r.a.Wallet, Day: day, IsOfDay: func(t time.Time) bool { return !t.Before(from) && t.Before(until) },
	}
	for line, err := range r.listed(ctx, from, until) {
		if err != nil {
			return compared, false, fault.E("statement.compare", "", err)
		}
		book.Statement = append(book.Statement, line)
	}
	book.Closing, book.HasBank = ends.At(until)
	err = r.UnitOfWork.Again(ctx, func() error {
		compared, isMoved, err = r.decideDay(ctx, book, from, until)
		return err
	})
	if open := compared.OpenCount(); err == nil && open > 0 {
		r.Log.Warn("a wallet's day does not agree with the bank", "wallet", r.a.WalletID, "day", string(day), "differences", open)
	}
	return compared, isMoved, fault.E("statement.compare", "", err)
}

// decideDay decides and commits a day.
func (r *reading) decideDay(
	ctx context.Context, book wallet.DayBook, from, until time.Time,
) (compared wallet.Reconciliation, isMoved bool, err error) {
	known, isKnown, err := r.dayOf(ctx, book.Day) // first: an adjustment after this saves it, and what follows is not committed
	if err != nil {
		return compared, false, err
	}
	before, _, err := r.dayOf(ctx, book.Day.Before())
	if err != nil {
		return compared, false, err
	}
	var earlier *wallet.Reconciliation
	if isKnown {
		earlier = &known
	}
	if isWhole := isKnown && !known.ReconciledAt.Before(until); isWhole && known.HasBank && !book.HasBank {
		book.Closing, book.HasBank = known.BankClosing, true
	}
	book.Opening = before.LedgerClosing
	if book.Adjustments, err = r.Wallets.Adjustments(ctx, r.a.ID, book.Day); err != nil {
		return compared, false, err
	}
	if book.Lines, book.Entries, err = r.Wallets.DayBook(ctx, r.a.ID, from, until); err != nil {
		return compared, false, err
	}
	change := wallet.DecideReconciliation(book, earlier, r.UnitOfWork.Clock.Now())
	compared = core.RowsOf[wallet.Reconciliation](change)[0]
	isMoved = !isKnown || !known.LedgerClosing.Equal(compared.LedgerClosing)
	return compared, isMoved, r.UnitOfWork.Commit(ctx, change)
}

// dayOf is a day as it was reconciled, if it was.
func (r *reading) dayOf(ctx context.Context, day core.Day) (known wallet.Reconciliation, ok bool, err error) {
	known, err = r.Wallets.Reconciliation(ctx, r.a.DealerID, r.a.ID, day)
	if fault.Is(err, fault.NotFound) {
		return wallet.Reconciliation{}, false, nil
	}
	return known, err == nil, err
}

// listed reads the wallet's lines of a time as the bank lists them now, each once, and imports those that are not known.
func (r *reading) listed(ctx context.Context, from, until time.Time) iter.Seq2[wallet.BankLine, error] {
	return func(yield func(wallet.BankLine, error) bool) {
		given := map[string]bool{}
		for span := range r.a.spans(from, until, daySpan) {
			for page, err := range r.pages(ctx, span) {
				var lines []wallet.BankLine
				if err == nil {
					lines, err = r.importPage(ctx, page)
				}
				if err != nil {
					yield(wallet.BankLine{}, err)
					return
				}
				for _, l := range lines {
					isAsked := !given[l.LineID] && !l.BookedAt.Before(from) && l.BookedAt.Before(until)
					given[l.LineID] = true
					if isAsked && !yield(l, nil) {
						return
					}
				}
			}
		}
	}
}

// compareNow reconciles a day for staff, which may be today. Days before it that were never compared come first, since
// each begins with what the one before ended with, and those after it follow while that has changed.
func (r *reading) compareNow(ctx context.Context, day core.Day) (asked wallet.Reconciliation, err error) {
	if err := r.bookWaiting(ctx); err != nil { // a transfer that has ended since the last round, say
		return asked, err
	}
	b, err := r.balance(ctx)
	if err != nil {
		return asked, err
	}
	first := min(day, r.nextDay())
	ends, err := r.dayEndsFrom(ctx, b, first)
	if err != nil {
		return asked, err
	}
	for next := first; ; next = next.After() {
		compared, isMoved, err := r.compare(ctx, next, ends)
		if err != nil {
			return asked, err
		}
		if next == day {
			asked = compared
		}
		if next >= max(day, r.feed.ReconciledTo) || next >= day && !isMoved {
			return asked, nil
		}
	}
}
