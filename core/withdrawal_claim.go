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
// AlreadyFinal, Claimed (somebody has it; the arguments are who and until when), ClaimLapsed (somebody had it: take it
// over), Invalid (a take-over without a reason).
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
	p.Claim = Claim{StaffID: staffID, Name: d.By.Name, Until: until}
	return decide(p, Take, p.Amount, d)
}

// DecideRelease gives a claimed withdrawal back: its holder has not paid it. Faults: NotClaimed, those of Decide.
func DecideRelease(p Payment, staffID int64, d Decision) (Changeset, error) {
	if p.Claim.StaffID != staffID {
		return Changeset{}, fault.New("core.DecideRelease", fault.NotClaimed)
	}
	p.Claim = Claim{}
	return decide(p, Release, p.Amount, d)
}

// DecideWithdrawalEnd ends a withdrawal for a staff member. That it was paid, and that paying failed, is said by the one
// who has claimed it; a claim that has lapsed counts until somebody takes it over. What nobody has claimed may be
// rejected. Faults: NotClaimed, those of Decide.
func DecideWithdrawalEnd(p Payment, c Command, staffID int64, d Decision) (Changeset, error) {
	isOwn := p.Claim.StaffID == staffID
	isFree := p.Claim.StaffID == 0 && c != Complete && c != Fail
	if p.Method.Kind() == Withdrawal && !p.Status.IsFinal() && !isOwn && !isFree {
		return Changeset{}, fault.New("core.DecideWithdrawalEnd", fault.NotClaimed)
	}
	return Decide(p, c, d)
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
