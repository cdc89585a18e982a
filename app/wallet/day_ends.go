package wallet

import (
	"context"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/wallet"
)

// maxDayEnds is how far back the bank's balance is reckoned, which takes all that it lists since.
const maxDayEnds = daysAtOnce * 24 * time.Hour

// dayEnds tells what the account held at the ends of days.
type dayEnds struct {
	total   int64     // kuruş, by the bank's balance
	seen    time.Time // what was booked before is in it; zero: there is no balance
	since   time.Time // from when on changes are known
	changes []change
}

// change is what a line changes the account by, in kuruş.
type change struct {
	at    time.Time
	minor int64
}

// dayEndsFrom reads what the bank has booked since a day's end, so that its balance tells what it held then, too. A balance
// that is not to be understood tells nothing.
func (r *reading) dayEndsFrom(ctx context.Context, b gateway.Balance, day core.Day) (dayEnds, error) {
	total, ok := wallet.BankTotal(b)
	now := r.UnitOfWork.Clock.Now()
	if !ok || now.Sub(b.At) > maxDayEnds {
		return dayEnds{}, nil
	}
	e := dayEnds{total: total.Minor(), seen: b.At.Add(time.Microsecond)} // what was booked at that very moment is in it
	_, e.since = day.Bounds(r.Zone)
	if oldest := now.Add(-maxDayEnds); e.since.Before(oldest) {
		e.since = oldest
	}
	if e.seen.Before(e.since) {
		e.since = e.seen
	}
	for l, err := range r.listed(ctx, e.since, now.Add(ahead)) {
		if err != nil {
			return dayEnds{}, err
		}
		minor := l.Amount.Minor()
		if l.Direction == gateway.Outgoing {
			minor = -minor
		}
		e.changes = append(e.changes, change{l.BookedAt, minor})
	}
	return e, nil
}

// at is what the account held at a moment: what was booked between it and the balance is taken off that, or added.
func (e dayEnds) at(end time.Time) (money.Amount, bool) {
	if e.seen.IsZero() || end.Before(e.since) {
		return money.Amount{}, false
	}
	minor := e.total
	for _, c := range e.changes {
		switch {
		case !c.at.Before(end) && c.at.Before(e.seen):
			minor -= c.minor
		case !c.at.Before(e.seen) && c.at.Before(end):
			minor += c.minor
		}
	}
	return money.New(minor, money.TRY), true
}
