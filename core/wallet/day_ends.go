package wallet

import (
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// DayEnds reports what a bank account held at the ends of days: the bank's balance, and what was booked between it and them.
// The zero DayEnds knows of none.
type DayEnds struct {
	total   int64     // kuruş, by the bank's balance
	seen    time.Time // what was booked before is in it; zero: there is no balance
	since   time.Time // from when on changes are known
	changes []balanceChange
}

// balanceChange is what a line changes the account by, in kuruş.
type balanceChange struct {
	at    time.Time
	minor int64
}

// DayEndsOf returns the ends of days from a moment on. What the bank has booked from Since on has to be added. ok is false
// where the balance is not to be understood.
func DayEndsOf(b gateway.Balance, since time.Time) (e DayEnds, ok bool) {
	total, ok := BankTotal(b)
	if !ok {
		return DayEnds{}, false
	}
	e = DayEnds{total: total.Minor(), seen: b.At.Add(time.Microsecond), since: since} // what was booked at that very moment is in it
	if e.seen.Before(e.since) {
		e.since = e.seen
	}
	return e, true
}

// Since returns from when on every line has to be added.
func (e DayEnds) Since() time.Time { return e.since }

// Add takes a line of the bank's statement into account.
func (e *DayEnds) Add(l BankLine) {
	minor := l.Amount.Minor()
	if l.Direction == gateway.Outgoing {
		minor = -minor
	}
	e.changes = append(e.changes, balanceChange{l.BookedAt, minor})
}

// At returns what the account held at a moment: what was booked between it and the balance is taken off that, or added.
func (e DayEnds) At(end time.Time) (money.Amount, bool) {
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
