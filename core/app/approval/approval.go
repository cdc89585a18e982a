package approval

import (
	"context"
	"errors"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

// maxWaiting is how many requests of one person may wait at a time.
const maxWaiting = core.MaxPage

// maxInputBytes bounds what is kept of a request.
const maxInputBytes = 64 << 10

// Service keeps requests and has them approved, refused, withdrawn or lapse.
type Service struct {
	Desk     *app.Desk
	Store    ports.Approvals
	Payments ports.Payments
}

// By is the staff member who does something, and from where.
type By struct {
	Staff core.Staff
	Addr  string
}

// Asked is what a staff member asked for.
type Asked struct {
	By
	Action     string          // the mutation
	Permission core.Permission // that it needs
	Input      string          // its arguments, as JSON
	Reason     string
}

// Needs is what a fault says that a second person has to approve; nil: it is about something else.
func Needs(err error) *core.NeedsApproval {
	needs := (*core.NeedsApproval)(nil)
	if !fault.Is(err, fault.ApprovalNeeded) || !errors.As(err, &needs) {
		return nil
	}
	return needs
}

// Ask keeps what was asked for until a second person has decided. Asking for the same again gives the request that waits
// already. Faults: RateLimited (very many wait), Invalid.
func (s *Service) Ask(ctx context.Context, asked Asked, needs *core.NeedsApproval) (core.Approval, error) {
	const op = "approval.Ask"
	reason, err := core.CheckReason(asked.Reason, app.MaxReasonChars)
	if err != nil {
		return core.Approval{}, err
	}
	if len(asked.Input) > maxInputBytes {
		return core.Approval{}, fault.New(op, fault.BodyTooLarge)
	}
	now := s.Desk.Clock.Now()
	waiting, err := s.Store.Approvals(ctx, core.ApprovalQuery{
		States: []core.ApprovalState{core.ApprovalWaiting}, RequesterID: asked.Staff.ID, Limit: maxWaiting,
	})
	if err != nil {
		return core.Approval{}, fault.E(op, "", err)
	}
	for _, known := range waiting {
		isSame := known.Action == asked.Action && known.Input.Equal(asked.Input) && known.Covers(needs.Guards)
		if isSame && known.StateAt(now) == core.ApprovalWaiting {
			return known, nil
		}
	}
	if len(waiting) >= maxWaiting {
		return core.Approval{}, fault.New(op, fault.RateLimited)
	}
	a := core.Approval{
		Version: 1, State: core.ApprovalWaiting, Action: asked.Action, Permission: asked.Permission,
		Input: core.NewSecret(asked.Input), Guards: needs.Guards, Before: needs.Before, After: needs.After,
		RequesterID: asked.Staff.ID, RequesterName: asked.Staff.Email, RequesterAddr: asked.Addr, Reason: reason,
		CreatedAt: now, ExpiresAt: now.Add(needs.LapseAfter),
	}
	ids, err := core.NewIDs(now, s.Desk.Random)
	if err != nil {
		return a, fault.E(op, fault.Internal, err)
	}
	a.ID = ids.Next()
	entry := entryOf(ids, asked.Actor(), "requestApproval", core.Approval{}, a)
	entry.Reason = reason
	return a, s.Desk.Commit(ctx, core.Changeset{Approvals: []core.Approval{a}, Audit: []core.AuditEntry{entry}})
}

// Actor is who acts.
func (b By) Actor() core.Actor { return b.Staff.Actor(b.Addr) }

// entryOf is the audit row of what happens to a request. A new one has no state before.
func entryOf(ids *core.IDs, by core.Actor, action string, before, after core.Approval) core.AuditEntry {
	e := core.AuditEntry{
		ID: ids.Next(), At: after.DecidedAt, By: by, Action: action, Target: after.Ref(), Reason: after.DecisionReason,
		After: after.AuditState(),
	}
	if before.Version == 0 {
		e.At = after.CreatedAt
		return e
	}
	e.Before = before.AuditState()
	return e
}

// Run does what was asked for, as the requester, and gives the credentials that it issued, as JSON, if any.
type Run func(ctx context.Context, requester By, a core.Approval) (issued string, err error)

// Approve does what was asked for, decided anew from what is stored now, and ends the request in the same commit. When it
// fails nothing has changed, and the fault says why; but what a gateway refuses, as a second factor that has gone stale, was
// tried: the request is used up, and whoever asked asks anew. Faults: those of core.Approval.Decide, ApprovalStale (the requester
// may not ask for this any more, or it would do something else now), those of what was asked for.
func (s *Service) Approve(ctx context.Context, by By, id core.ID, reason string, run Run) (core.Approval, error) {
	const op = "approval.Approve"
	waiting, approved, entry, err := s.decide(ctx, by, id, reason, "approveRequest",
		func(a core.Approval, v core.Verdict) (core.Approval, error) {
			return a.Decide(core.ApprovalApproved, v)
		})
	if err != nil {
		return waiting, fault.E(op, "", err)
	}
	requester, err := s.Store.StaffByID(ctx, waiting.RequesterID)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return waiting, fault.E(op, "", err)
	}
	if err != nil || requester.Require(waiting.Permission) != nil || !waiting.IsVisibleTo(requester) {
		return waiting, fault.New(op, fault.ApprovalStale)
	}
	told, err := s.told(ctx, approved, entry)
	if err != nil {
		return waiting, fault.E(op, "", err)
	}
	granted := &grant{waiting: waiting, approved: approved, told: told}
	issued, err := run(withGrant(ctx, granted), By{Staff: requester, Addr: waiting.RequesterAddr}, waiting)
	if err != nil {
		return waiting, fault.E(op, "", err)
	}
	change := core.Changeset{}
	if !granted.isUsed { // no rule asks for a second person any more, or there was nothing left to do
		change = told
		change.Approvals = []core.Approval{approved}
	}
	if err := s.commit(ctx, change); err != nil || issued == "" {
		return approved, fault.E(op, "", err)
	}
	approved.Version++
	approved.Result = core.NewSecret(issued)
	return approved, fault.E(op, "", s.commit(ctx, core.Changeset{Approvals: []core.Approval{approved}}))
}

// told is a decision's audit row, and what the payments that it is about are told: whoever looks at one sees who approved or
// refused what somebody asked for.
func (s *Service) told(ctx context.Context, a core.Approval, entry core.AuditEntry) (core.Changeset, error) {
	const op = "approval.told"
	change := core.Changeset{Audit: []core.AuditEntry{entry}}
	if a.State != core.ApprovalApproved && a.State != core.ApprovalRefused {
		return change, nil
	}
	ids, err := core.NewIDs(entry.At, s.Desk.Random)
	if err != nil {
		return change, fault.E(op, fault.Internal, err)
	}
	for _, code := range a.PaymentCodes() {
		p, err := s.Payments.PaymentByTrackingCode(ctx, code)
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return change, fault.E(op, "", err)
		}
		row, move := a.Told(entry, p, ids)
		change.Audit, change.Moves = append(change.Audit, row), append(change.Moves, move)
	}
	return change, nil
}

func (s *Service) commit(ctx context.Context, change core.Changeset) error {
	if len(change.Approvals) == 0 {
		return nil
	}
	return s.Desk.Commit(ctx, change)
}

// decide loads a request, decides, and gives the audit row of it.
func (s *Service) decide(
	ctx context.Context, by By, id core.ID, reason, action string,
	how func(core.Approval, core.Verdict) (core.Approval, error),
) (before, after core.Approval, entry core.AuditEntry, err error) {
	if reason, err = core.CheckReason(reason, app.MaxReasonChars); err != nil {
		return before, after, entry, err
	}
	if before, err = s.Store.Approval(ctx, id); err != nil {
		return before, after, entry, err
	}
	now := s.Desk.Clock.Now()
	if after, err = how(before, core.Verdict{By: by.Staff, At: now, Reason: reason}); err != nil {
		return before, after, entry, err
	}
	ids, err := core.NewIDs(now, s.Desk.Random)
	if err != nil {
		return before, after, entry, fault.E("approval.decide", fault.Internal, err)
	}
	return before, after, entryOf(ids, by.Actor(), action, before, after), nil
}

// Refuse ends a request unfulfilled. Faults: those of core.Approval.Decide.
func (s *Service) Refuse(ctx context.Context, by By, id core.ID, reason string) (core.Approval, error) {
	return s.end(ctx, by, id, reason, "refuseRequest",
		func(a core.Approval, v core.Verdict) (core.Approval, error) { return a.Decide(core.ApprovalRefused, v) })
}

// Withdraw takes one's own request back. Faults: those of core.Approval.Withdraw.
func (s *Service) Withdraw(ctx context.Context, by By, id core.ID) (core.Approval, error) {
	return s.end(ctx, by, id, "", "withdrawRequest", core.Approval.Withdraw)
}

func (s *Service) end(
	ctx context.Context, by By, id core.ID, reason, action string,
	how func(core.Approval, core.Verdict) (core.Approval, error),
) (ended core.Approval, err error) {
	err = s.Desk.Again(ctx, func() error {
		_, after, entry, err := s.decide(ctx, by, id, reason, action, how)
		if err != nil {
			return err
		}
		ended = after
		change, err := s.told(ctx, after, entry)
		if err != nil {
			return err
		}
		change.Approvals = []core.Approval{after}
		return s.Desk.Commit(ctx, change)
	})
	return ended, fault.E("approval."+action, "", err)
}

// TakeResult gives the credentials that an approved request issued, once and to the requester only. Fault: NotFound.
func (s *Service) TakeResult(ctx context.Context, by By, id core.ID) (string, error) {
	const op = "approval.TakeResult"
	a, err := s.Store.Approval(ctx, id)
	if err != nil {
		return "", fault.E(op, "", err)
	}
	if a.RequesterID != by.Staff.ID || !a.HasResult() {
		return "", fault.New(op, fault.NotFound)
	}
	after := a
	after.Version++
	after.Result = core.Secret{}
	now := s.Desk.Clock.Now()
	ids, err := core.NewIDs(now, s.Desk.Random)
	if err != nil {
		return "", fault.E(op, fault.Internal, err)
	}
	entry := core.AuditEntry{ID: ids.Next(), At: now, By: by.Actor(), Action: "takeApprovalResult", Target: a.Ref()}
	change := core.Changeset{Approvals: []core.Approval{after}, Audit: []core.AuditEntry{entry}}
	if err := s.Desk.Commit(ctx, change); err != nil {
		return "", fault.E(op, "", err)
	}
	return a.Result.Reveal(), nil
}

// LapseDue ends requests that nobody decided in time. What was decided meanwhile stays as it is.
func (s *Service) LapseDue(ctx context.Context) error {
	const op = "approval.LapseDue"
	now := s.Desk.Clock.Now()
	due, err := s.Store.Approvals(ctx, core.ApprovalQuery{
		States: []core.ApprovalState{core.ApprovalWaiting}, ExpiresBefore: now, Limit: core.MaxPage,
	})
	if err != nil {
		return fault.E(op, "", err)
	}
	for _, a := range due {
		after, isLapsed := a.Lapse(now)
		if !isLapsed {
			continue
		}
		ids, err := core.NewIDs(now, s.Desk.Random)
		if err != nil {
			return fault.E(op, fault.Internal, err)
		}
		entry := entryOf(ids, core.System, "lapseRequest", a, after)
		err = s.Desk.Commit(ctx, core.Changeset{Approvals: []core.Approval{after}, Audit: []core.AuditEntry{entry}})
		if err != nil && !fault.Is(err, fault.Conflict) {
			return fault.E(op, "", err)
		}
	}
	return nil
}

// Approvals gives a page of the requests that a staff member may see, and whether another follows.
func (s *Service) Approvals(ctx context.Context, staff core.Staff, query core.ApprovalQuery) ([]core.Approval, error) {
	const op = "approval.Approvals"
	if err := staff.Require(core.ReadApprovals); err != nil {
		return nil, fault.E(op, "", err)
	}
	query.Scope = staff.Scope()
	found, err := s.Store.Approvals(ctx, query)
	return found, fault.E(op, "", err)
}

// Approval gives a request that a staff member may see. Fault: NotFound.
func (s *Service) Approval(ctx context.Context, staff core.Staff, id core.ID) (core.Approval, error) {
	const op = "approval.Approval"
	if err := staff.Require(core.ReadApprovals); err != nil {
		return core.Approval{}, fault.E(op, "", err)
	}
	a, err := s.Store.Approval(ctx, id)
	if err == nil && !a.IsVisibleTo(staff) {
		return core.Approval{}, fault.New(op, fault.NotFound)
	}
	return a, fault.E(op, "", err)
}

// Own gives a request that the staff member made. Fault: NotFound.
func (s *Service) Own(ctx context.Context, staff core.Staff, id core.ID) (core.Approval, error) {
	const op = "approval.Own"
	a, err := s.Store.Approval(ctx, id)
	if err == nil && a.RequesterID != staff.ID {
		return core.Approval{}, fault.New(op, fault.NotFound)
	}
	return a, fault.E(op, "", err)
}

// Rules gives a rule for every action.
func (s *Service) Rules(ctx context.Context, staff core.Staff) (core.ApprovalRules, error) {
	const op = "approval.Rules"
	if err := staff.Require(core.ReadApprovals); err != nil {
		return nil, fault.E(op, "", err)
	}
	rules, err := s.Store.ApprovalRules(ctx)
	return rules.Complete(), fault.E(op, "", err)
}

// SetRule says when an action needs a second person. While any rule is on, this does too. Fault: Invalid.
func (s *Service) SetRule(ctx context.Context, by By, rule core.ApprovalRule) (core.ApprovalRule, error) {
	if err := by.Staff.Require(core.ConfigureApprovals); err != nil {
		return rule, fault.E("approval.SetRule", "", err)
	}
	return s.SetRuleAs(ctx, by.Actor(), rule)
}

// SetRuleAs sets a rule for whoever needs no permission.
func (s *Service) SetRuleAs(ctx context.Context, by core.Actor, rule core.ApprovalRule) (core.ApprovalRule, error) {
	const op = "approval.SetRule"
	if err := rule.Check(); err != nil {
		return rule, fault.E(op, "", err)
	}
	rules, err := s.Store.ApprovalRules(ctx)
	if err != nil {
		return rule, fault.E(op, "", err)
	}
	now := s.Desk.Clock.Now()
	ids, err := core.NewIDs(now, s.Desk.Random)
	if err != nil {
		return rule, fault.E(op, fault.Internal, err)
	}
	before := rules.Of(rule.Action)
	rule.Version, rule.UpdatedAt = before.Version+1, now
	entry := core.AuditEntry{
		ID: ids.Next(), At: now, By: by, Action: "setApprovalRule", Target: rule.Ref(), Before: before.AuditState(),
		After: rule.AuditState(),
	}
	change := core.Changeset{ApprovalRules: []core.ApprovalRule{rule}, Audit: []core.AuditEntry{entry}}
	return rule, fault.E(op, "", s.Desk.Commit(ctx, change))
}
