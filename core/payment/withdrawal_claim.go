package payment

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
)

// Claim is a staff member's lock on a withdrawal, so that no two people pay it. It lapses by itself; but one who held it
// may have sent the money, so that nobody takes it over without saying that they looked.
type Claim struct {
	StaffID int64
	Name    string // as it was at that moment
	Until   time.Time
	Hold    ClaimHold
}

// ClaimHold is the request that keeps a claim until a second person has decided, and the claim that there was before: the
// one that there is again when the request is not approved.
type ClaimHold struct {
	ApprovalID core.ID // empty: none
	StaffID    int64
	Name       string
	Until      time.Time
}

// IsAwaiting reports whether a second person has yet to decide: until then nobody else gets the withdrawal.
func (c Claim) IsAwaiting() bool { return c.Hold.ApprovalID != "" }

// Prior is the claim that there was before a request began to hold the withdrawal.
func (c Claim) Prior() Claim {
	return Claim{StaffID: c.Hold.StaffID, Name: c.Hold.Name, Until: c.Hold.Until}
}

// IsHeld reports whether somebody has the withdrawal at a moment.
func (c Claim) IsHeld(now time.Time) bool { return c.StaffID != 0 && now.Before(c.Until) }

// DecideClaim returns a withdrawal to a staff member until a moment; claiming one's own again only lengthens it. takeOver
// is for a claim of somebody else that has lapsed; the decision's reason says what was found. Faults: WrongMethod,
// AlreadyFinal, AwaitsApproval (of somebody else; the argument is who asked for it), Claimed (somebody has it; the argument is
// who), ClaimLapsed (somebody had it: take it over), Invalid (a take-over without a reason).
func DecideClaim(p Payment, staffID int64, until time.Time, takeOver bool, d Decision) (core.Changeset, error) {
	const op = "core.DecideClaim"
	held := p.Claim
	isOthers := held.StaffID != 0 && held.StaffID != staffID
	switch {
	case p.Method.Kind() != Withdrawal:
		return core.Changeset{}, fault.New(op, fault.WrongMethod, string(p.Method))
	case p.Status.IsFinal():
		return core.Changeset{}, fault.New(op, fault.AlreadyFinal, string(p.Status))
	case isOthers && held.IsAwaiting():
		return core.Changeset{}, fault.New(op, fault.AwaitsApproval, held.Name)
	case isOthers && held.IsHeld(d.At):
		return core.Changeset{}, fault.New(op, fault.Claimed, held.Name)
	case isOthers && !takeOver:
		return core.Changeset{}, fault.New(op, fault.ClaimLapsed, held.Name)
	case isOthers && d.Reason == "":
		return core.Changeset{}, fault.Fields(op, []fault.Field{{Name: "reason", Key: "field.required", Args: []any{"reason"}}})
	}
	if held.StaffID == staffID && !held.IsAwaiting() && until.Before(held.Until) {
		until = held.Until
	}
	p.Claim = Claim{StaffID: staffID, Name: d.By.Name, Until: until}
	return Advance(p, Take, p.Amount, d)
}

// Holder is who holds a withdrawal with a request that waits for a second person.
type Holder struct {
	ApprovalID core.ID
	StaffID    int64
	Name       string
	At, Until  time.Time // when it was made, and when it lapses
}

// DecideHold keeps a withdrawal for whoever made a request about it, until that has ended; seen is the claim that the request
// was decided from. Faults: AlreadyFinal, AwaitsApproval and Claimed (somebody was faster; the argument is who).
func DecideHold(p Payment, seen Claim, by Holder) (Payment, error) {
	const op = "core.DecideHold"
	switch held := p.Claim; {
	case p.Status.IsFinal():
		return p, fault.New(op, fault.AlreadyFinal, string(p.Status))
	case held.IsAwaiting():
		return p, fault.New(op, fault.AwaitsApproval, held.Name)
	case held != seen && held.StaffID != 0 && held.StaffID != by.StaffID:
		return p, fault.New(op, fault.Claimed, held.Name)
	}
	hold := ClaimHold{ApprovalID: by.ApprovalID, StaffID: p.Claim.StaffID, Name: p.Claim.Name, Until: p.Claim.Until}
	p.Claim = Claim{StaffID: by.StaffID, Name: by.Name, Until: by.Until, Hold: hold}
	p.Version++
	p.UpdatedAt = by.At
	return p, nil
}

// DecideUnhold returns a withdrawal back that a request held and that nobody approved: whoever had it before has it again. ok
// is false where the request does not hold it.
func DecideUnhold(p Payment, request core.ID, at time.Time) (back Payment, ok bool) {
	if request == "" || p.Claim.Hold.ApprovalID != request {
		return p, false
	}
	p.Claim = p.Claim.Prior()
	p.Version++
	p.UpdatedAt = at
	return p, true
}

// ApprovedWithdrawals is the changeset as a second person's approval lets it through: the withdrawals that it gives to
// somebody to pay are cleared, and none is held by the request any more.
func ApprovedWithdrawals(c core.Changeset, request core.ID) core.Changeset {
	return core.Edit(c, func(p *Payment) {
		if p.Claim.Hold.ApprovalID == request {
			p.Claim.Hold = ClaimHold{}
		}
		if p.Method.Kind() == Withdrawal && p.Claim.StaffID != 0 && !p.Claim.IsAwaiting() {
			p.Cleared = p.Amount
		}
	})
}

// DecideRelease returns a claimed withdrawal back: its holder has not paid it. Faults: NotClaimed, those of Decide.
func DecideRelease(p Payment, staffID int64, d Decision) (core.Changeset, error) {
	if err := p.needsClaim(staffID, Release); err != nil {
		return core.Changeset{}, err
	}
	isTaken := p.Status != Pending
	p.Claim = Claim{}
	if !isTaken { // a second person has not approved yet that it is taken: nothing of it is in the history
		p.Version++
		p.UpdatedAt = d.At
		return core.Changeset{p}, nil
	}
	return Advance(p, Release, p.Amount, d)
}

// DecideWithdrawalEnd ends a withdrawal for a staff member. That it was paid, and that paying failed, is said by the one
// who has claimed it; a claim that has lapsed counts until somebody takes it over. What nobody has claimed may be
// rejected, or called off. Faults: NotClaimed, AwaitsApproval (a second person has yet to approve that it is taken), those of
// Decide.
func DecideWithdrawalEnd(p Payment, c Command, staffID int64, d Decision) (core.Changeset, error) {
	if err := p.needsClaim(staffID, c); err != nil {
		return core.Changeset{}, err
	}
	if p.Claim.IsAwaiting() && p.Status == Pending && (c == Complete || c == Fail) {
		return core.Changeset{}, fault.New("core.DecideWithdrawalEnd", fault.AwaitsApproval, p.Claim.Name)
	}
	return Decide(p, c, d)
}

// needsClaim says why a staff member may not give an open withdrawal the command: somebody else has claimed it, or nobody,
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
	core.Scope
	IsFree         *bool // whether nobody has claimed it, or the claim has lapsed at Now; nil: either
	IsMine         *bool // whether StaffID has claimed it, lapsed or not; nil: either
	AwaitsApproval *bool // whether a request holds it for a second person; nil: either
	StaffID        int64 // who asks
	Now            time.Time
	core.Paging[core.ID]
}

// PayoutQuery asks for the payouts that wait for staff, oldest first: for approval, or for the second factor of their gateway.
type PayoutQuery struct {
	core.Scope
	core.Paging[core.ID]
}

// MaxDeskLoads is of how many dealers the loads are listed.
const MaxDeskLoads = 1000

// DeskLoad is what waits on a dealer's withdrawal desk.
type DeskLoad struct {
	DealerID              int64
	WaitingCount          int // nobody has them
	ClaimedCount          int
	LapsedCount           int          // claimed once, and not any more
	AwaitingApprovalCount int          // of Claimed and Lapsed: those whose claim waits for a second person
	Amount                money.Amount // of all of them
	OldestAt              time.Time    // CreatedAt of the oldest; zero: there is none
	OldestFreeAt          time.Time    // of those that nobody has
}
