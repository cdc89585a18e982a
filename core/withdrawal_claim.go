package core

import (
	"time"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
)

// Claim is a staff member's lock on a withdrawal, so that no two people pay it. It lapses by itself; but one who held it
// may have sent the money, so that nobody takes it over without saying that they looked.
type Claim struct {
	StaffID int64
	Name    string // as it was at that moment
	Until   time.Time
}

// IsHeld tells whether somebody has the withdrawal at a moment.
func (c Claim) IsHeld(now time.Time) bool { return c.StaffID != 0 && now.Before(c.Until) }

// DecideClaim gives a withdrawal to a staff member until a moment; claiming one's own again only lengthens it. takeOver
// is for a claim of somebody else that has lapsed; the decision's reason says what was found. Faults: WrongMethod,
// AlreadyFinal, Claimed (somebody has it; the argument is who), ClaimLapsed (somebody had it: take it over), Invalid (a
// take-over without a reason).
func DecideClaim(p Payment, staffID int64, until time.Time, takeOver bool, d Decision) (Changeset, error) {
	const op = "core.DecideClaim"
	held := p.Claim
	isOthers := held.StaffID != 0 && held.StaffID != staffID
	switch {
	case p.Method.Kind() != Withdrawal:
		return Changeset{}, fault.New(op, fault.WrongMethod, string(p.Method))
	case p.Status.IsFinal():
		return Changeset{}, fault.New(op, fault.AlreadyFinal, string(p.Status))
	case isOthers && held.IsHeld(d.At):
		return Changeset{}, fault.New(op, fault.Claimed, held.Name)
	case isOthers && !takeOver:
		return Changeset{}, fault.New(op, fault.ClaimLapsed, held.Name)
	case isOthers && d.Reason == "":
		return Changeset{}, fault.Fields(op, []fault.Field{{Name: "reason", Key: "field.required", Args: []any{"reason"}}})
	}
	if held.StaffID == staffID && until.Before(held.Until) {
		until = held.Until
	}
	p.Claim = Claim{StaffID: staffID, Name: d.By.Name, Until: until}
	return decide(p, Take, p.Amount, d)
}

// DecideRelease gives a claimed withdrawal back: its holder has not paid it. Faults: NotClaimed, those of Decide.
func DecideRelease(p Payment, staffID int64, d Decision) (Changeset, error) {
	if err := p.needsClaim(staffID, Release); err != nil {
		return Changeset{}, err
	}
	p.Claim = Claim{}
	return decide(p, Release, p.Amount, d)
}

// DecideWithdrawalEnd ends a withdrawal for a staff member. That it was paid, and that paying failed, is said by the one
// who has claimed it; a claim that has lapsed counts until somebody takes it over. What nobody has claimed may be
// rejected, or called off. Faults: NotClaimed, those of Decide.
func DecideWithdrawalEnd(p Payment, c Command, staffID int64, d Decision) (Changeset, error) {
	if err := p.needsClaim(staffID, c); err != nil {
		return Changeset{}, err
	}
	return Decide(p, c, d)
}

// needsClaim tells why a staff member may not give an open withdrawal the command: somebody else has claimed it, or nobody,
// and money may have moved. Faults: WrongMethod, NotClaimed.
func (p Payment) needsClaim(staffID int64, c Command) error {
	const op = "core.needsClaim"
	if p.Method.Kind() != Withdrawal {
		return fault.New(op, fault.WrongMethod, string(p.Method))
	}
	isUnclaimed := p.Claim.StaffID == 0
	mayAnybody := isUnclaimed && (c == Reject || c == Cancel)
	isOwn := !isUnclaimed && p.Claim.StaffID == staffID
	if !p.Status.IsFinal() && !isOwn && !mayAnybody {
		return fault.New(op, fault.NotClaimed)
	}
	return nil
}

// DeskQuery asks for the withdrawals on the desk, oldest first. Zero fields do not narrow.
type DeskQuery struct {
	Scope
	OnlyFree bool // those that nobody has claimed, or whose claim has lapsed at Now
	Now      time.Time
	After    ID // keyset cursor: only newer ones
	Limit    int
}

// DeskLoad is what waits on a dealer's withdrawal desk.
type DeskLoad struct {
	DealerID     int64
	Waiting      int // nobody has them
	Claimed      int
	Lapsed       int          // claimed once, and not any more
	Amount       money.Amount // of all of them
	OldestAt     time.Time    // CreatedAt of the oldest; zero: there is none
	OldestFreeAt time.Time    // of those that nobody has
}
