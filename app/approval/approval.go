package approval

import (
	"context"
	"errors"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/ports"
)

// Service keeps requests and has them approved, refused, withdrawn or lapse.
type Service struct {
	UnitOfWork *app.UnitOfWork
	Store      ports.Approvals
	Staff      ports.Staff
	Gate       *Gate
}

// entryOf is the audit row of what happens to a request. A new one has no state before.
func entryOf(ids *core.IDs, by core.Actor, action string, before, after approval.Approval) core.AuditEntry {
	e := core.AuditEntry{
		ID: ids.Next(), At: after.DecidedAt, Actor: by, Action: action, Target: after.Ref(), Reason: after.DecisionReason,
		After: after.AuditState(),
	}
	if before.Version == 0 {
		e.At = after.CreatedAt
		return e
	}
	e.Before = before.AuditState()
	return e
}

// Run does what was asked for, as the requester, and returns the credentials that it issued, as JSON, if any.
type Run func(ctx context.Context, requester app.Request, a approval.Approval) (issued string, err error)

// Approve does what was asked for, decided anew from what is stored now, and ends the request in the same commit. When it
// fails nothing has changed, and the fault says why; but what a gateway refuses, as a second factor that has gone stale, was
// tried: the request is used up, and whoever asked asks anew. Faults: those of core.Approval.Decide, ApprovalStale (the requester
// may not ask for this any more, or it would do something else now), those of what was asked for.
func (s *Service) Approve(ctx context.Context, by app.Request, id core.ID, reason string, run Run) (approval.Approval, error) {
	const op = "approval.Approve"
	waiting, approved, entry, err := s.decide(ctx, by, id, reason, "approveRequest",
		func(a approval.Approval, v approval.Verdict) (approval.Approval, error) {
			return a.Decide(approval.Approved, v)
		})
	if err != nil {
		return waiting, fault.E(op, "", err)
	}
	requester, err := s.requesterOf(ctx, waiting)
	if err != nil {
		return waiting, fault.E(op, "", err)
	}
	outcome, err := s.decisionRows(ctx, approved, entry)
	if err != nil {
		return waiting, fault.E(op, "", err)
	}
	granted := &grant{waiting: waiting, approved: approved, outcome: outcome}
	issued, err := run(ctx, requester.Through(approving{s.Gate, granted}), waiting)
	if err != nil {
		if !granted.isUsed && s.endIfOver(ctx, waiting) {
			return waiting, fault.New(op, fault.ApprovalDecided, string(approval.Obsolete))
		}
		return waiting, fault.E(op, "", err)
	}
	change := core.Changeset{}
	if !granted.isUsed { // no rule asks for a second person any more, or there was nothing left to do
		change = outcome
		change = append(change, approved)
		if change, err = s.unhold(ctx, approved, change); err != nil {
			return approved, fault.E(op, "", err)
		}
	}
	if err := s.commit(ctx, by, change); err != nil || issued == "" {
		return approved, fault.E(op, "", decidedMeanwhile(ctx, s.Store, waiting, err))
	}
	approved.Version++
	approved.Result = core.NewSecret(issued)
	return approved, fault.E(op, "", s.commit(ctx, by, core.Changeset{approved}))
}

// decisionRows is a decision's audit row, and what the payments that it is about are told: whoever looks at one sees who approved or
// refused what somebody asked for.
func (s *Service) decisionRows(ctx context.Context, a approval.Approval, entry core.AuditEntry) (core.Changeset, error) {
	const op = "approval.told"
	change := core.Changeset{entry}
	if a.Status != approval.Approved && a.Status != approval.Refused {
		return change, nil
	}
	ids, err := core.NewIDs(entry.At, s.UnitOfWork.Random)
	if err != nil {
		return change, fault.E(op, fault.Internal, err)
	}
	for _, code := range a.PaymentCodes() {
		p, err := s.UnitOfWork.Payments.PaymentByTrackingCode(ctx, code)
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return change, fault.E(op, "", err)
		}
		row, move := a.OnPayment(entry, p, ids)
		change = append(change, row, move)
	}
	return change, nil
}

func (s *Service) commit(ctx context.Context, by app.Request, change core.Changeset) error {
	if !core.Has[approval.Approval](change) {
		return nil
	}
	return s.UnitOfWork.CommitFor(ctx, by, change)
}

// decide loads a request, decides, and returns the audit row of it.
func (s *Service) decide(
	ctx context.Context, by app.Request, id core.ID, reason, action string,
	how func(approval.Approval, approval.Verdict) (approval.Approval, error),
) (before, after approval.Approval, entry core.AuditEntry, err error) {
	if reason, err = core.CheckReason(reason, app.MaxReasonChars); err != nil {
		return before, after, entry, err
	}
	if before, err = s.Store.Approval(ctx, id); err != nil {
		return before, after, entry, err
	}
	before.ExpiresAt = s.UnitOfWork.EndsAt(before.CreatedAt, before.ExpiresAt)
	now := s.UnitOfWork.Clock.Now()
	if after, err = how(before, approval.Verdict{By: by.Staff, At: now, Reason: reason}); err != nil {
		return before, after, entry, err
	}
	ids, err := core.NewIDs(now, s.UnitOfWork.Random)
	if err != nil {
		return before, after, entry, fault.E("approval.decide", fault.Internal, err)
	}
	return before, after, entryOf(ids, by.Actor(), action, before, after), nil
}

// Refuse ends a request unfulfilled. Faults: those of core.Approval.Decide.
func (s *Service) Refuse(ctx context.Context, by app.Request, id core.ID, reason string) (approval.Approval, error) {
	return s.end(ctx, by, id, reason, "refuseRequest",
		func(a approval.Approval, v approval.Verdict) (approval.Approval, error) {
			return a.Decide(approval.Refused, v)
		})
}

// Withdraw takes one's own request back. Faults: those of core.Approval.Withdraw.
func (s *Service) Withdraw(ctx context.Context, by app.Request, id core.ID) (approval.Approval, error) {
	return s.end(ctx, by, id, "", "withdrawRequest", approval.Approval.Withdraw)
}

func (s *Service) end(
	ctx context.Context, by app.Request, id core.ID, reason, action string,
	how func(approval.Approval, approval.Verdict) (approval.Approval, error),
) (ended approval.Approval, err error) {
	err = s.UnitOfWork.Again(ctx, func() error {
		_, after, entry, err := s.decide(ctx, by, id, reason, action, how)
		if err != nil {
			return err
		}
		ended = after
		change, err := s.decisionRows(ctx, after, entry)
		if err != nil {
			return err
		}
		change = append(change, after)
		if change, err = s.unhold(ctx, after, change); err != nil {
			return err
		}
		return s.UnitOfWork.CommitFor(ctx, by, change)
	})
	return ended, fault.E("approval."+action, "", err)
}

// TakeResult returns the credentials that an approved request issued, once, and to the requester only, as long as they might ask
// for them. Faults: NotFound, Forbidden.
func (s *Service) TakeResult(ctx context.Context, by app.Request, id core.ID) (string, error) {
	const op = "approval.TakeResult"
	a, err := s.Store.Approval(ctx, id)
	if err != nil {
		return "", fault.E(op, "", err)
	}
	if a.RequesterID != by.Staff.ID || !a.HasResult() || !a.IsVisibleTo(by.Staff) {
		return "", fault.New(op, fault.NotFound)
	}
	if err := by.Require(a.Permission); err != nil {
		return "", fault.E(op, "", err)
	}
	after := a
	after.Version++
	after.Result = core.Secret{}
	entry := core.AuditEntry{Action: "takeApprovalResult", Target: a.Ref()}
	if err := s.UnitOfWork.CommitEntry(ctx, by, entry, core.Changeset{after}); err != nil {
		return "", fault.E(op, "", err)
	}
	return a.Result.Reveal(), nil
}

// unhold adds to the end of a request that the withdrawal which it holds is given back.
func (s *Service) unhold(ctx context.Context, ended approval.Approval, change core.Changeset) (core.Changeset, error) {
	if ended.PaymentID == "" {
		return change, nil
	}
	p, err := s.UnitOfWork.Payments.PaymentByID(ctx, ended.PaymentID)
	if err != nil {
		return change, fault.E("approval.unhold", "", err)
	}
	if back, ok := payment.DecideUnhold(p, ended.ID, ended.DecidedAt); ok {
		change = append(change, back)
	}
	return change, nil
}

// LapseDue ends requests that nobody decided in time, and those about payments that have ended. What was decided meanwhile
// stays as it is. One that cannot be ended holds up no other: the fault names the first of those. A store out of reach ends
// it. While the installation is frozen it ends what was asked for before: it may have been approved after the backup, and would be
// done again.
func (s *Service) LapseDue(ctx context.Context) error {
	now := s.UnitOfWork.Clock.Now()
	err := errors.Join(s.endOver(ctx, now), s.lapseAll(ctx, now))
	if fault.Is(s.UnitOfWork.MayMove(), fault.Frozen) {
		err = errors.Join(err, s.lapseFrozen(ctx, now))
	}
	return err
}

// Due is LapseDue for the sweeper; nobody has to be woken for it.
func (s *Service) Due(ctx context.Context, _ func(core.WakeUp)) error { return s.LapseDue(ctx) }

// endOver ends requests about payments that have ended.
func (s *Service) endOver(ctx context.Context, now time.Time) error {
	const op = "approval.endOver"
	found, err := s.Store.ListApprovals(ctx, approval.Query{
		Statuses: []approval.Status{approval.Waiting}, IsOver: true, Paging: core.Paging[core.ID]{Limit: core.MaxPage},
	})
	if err != nil {
		return fault.E(op, "", err)
	}
	var first error
	for _, a := range found {
		err := s.endBySystem(ctx, a, "endRequest", func(a approval.Approval) (approval.Approval, bool) { return a.Obsolete(now) })
		if err != nil && !fault.Is(err, fault.Conflict) && first == nil {
			first = fault.E(op+" "+string(a.ID), "", err)
		}
	}
	return first
}

// lapseAll ends requests that nobody decided in time.
func (s *Service) lapseAll(ctx context.Context, now time.Time) error {
	const op = "approval.lapseAll"
	var first error
	for after, hasNext := (core.DueCursor{}), true; hasNext; {
		due, err := s.Store.DueApprovals(ctx, now, after, core.MaxPage)
		if err != nil {
			return fault.E(op, "", err)
		}
		for _, a := range due.Rows {
			err := s.endBySystem(ctx, a, "lapseRequest", func(a approval.Approval) (approval.Approval, bool) { return a.Lapse(now) })
			if fault.Is(err, fault.Unavailable) {
				return fault.E(op, "", err)
			}
			if err != nil && !fault.Is(err, fault.Conflict) && first == nil {
				first = fault.E(op+" "+string(a.ID), "", err)
			}
		}
		after, hasNext = due.Next, due.HasNext
	}
	return first
}

// lapseFrozen ends requests from before the freeze. Few wait at a time.
func (s *Service) lapseFrozen(ctx context.Context, now time.Time) (first error) {
	const op = "approval.lapseFrozen"
	q := approval.Query{Statuses: []approval.Status{approval.Waiting}, Paging: core.Paging[core.ID]{Limit: core.MaxPage}}
	for {
		page, err := s.Store.ListApprovals(ctx, q)
		if err != nil {
			return fault.E(op, "", err)
		}
		for _, a := range page {
			a.ExpiresAt = s.UnitOfWork.EndsAt(a.CreatedAt, a.ExpiresAt)
			err := s.endBySystem(ctx, a, "lapseRequest", func(a approval.Approval) (approval.Approval, bool) { return a.Lapse(now) })
			if err != nil && !fault.Is(err, fault.Conflict) && first == nil {
				first = fault.E(op+" "+string(a.ID), "", err)
			}
		}
		if len(page) < q.Limit {
			return first
		}
		q.After = page[len(page)-1].ID
	}
}

// endBySystem ends a request that nobody decides any more. Fault: Conflict (somebody was faster).
func (s *Service) endBySystem(
	ctx context.Context, a approval.Approval, action string, end func(approval.Approval) (approval.Approval, bool),
) error {
	const op = "approval.endBySystem"
	after, ok := end(a)
	if !ok {
		return nil
	}
	ids, err := core.NewIDs(after.DecidedAt, s.UnitOfWork.Random)
	if err != nil {
		return fault.E(op, fault.Internal, err)
	}
	entry := entryOf(ids, core.System, action, a, after)
	change, err := s.unhold(ctx, after, core.Changeset{after, entry})
	if err != nil {
		return fault.E(op, "", err)
	}
	return s.UnitOfWork.Commit(ctx, change)
}

// endIfOver ends a request whose payment has ended, and reports whether it had: whoever approves it has nothing to approve.
func (s *Service) endIfOver(ctx context.Context, a approval.Approval) bool {
	if a.PaymentID == "" {
		return false
	}
	p, err := s.UnitOfWork.Payments.PaymentByID(ctx, a.PaymentID)
	if err != nil || !p.Status.IsFinal() {
		return false
	}
	now := s.UnitOfWork.Clock.Now()
	_ = s.endBySystem(ctx, a, "endRequest", // the sweeper ends it where this does not
		func(a approval.Approval) (approval.Approval, bool) { return a.Obsolete(now) })
	return true
}

// Approvals returns a page of the requests that a staff member may see, and whether another follows.
func (s *Service) Approvals(ctx context.Context, member staff.Staff, query approval.Query) ([]approval.Approval, error) {
	const op = "approval.Approvals"
	if err := member.Require(staff.ReadApprovals); err != nil {
		return nil, fault.E(op, "", err)
	}
	query.Scope = member.Scope()
	isOthers := query.IsOwn != nil && !*query.IsOwn
	switch {
	case query.ProviderID != 0 && isOthers: // they see their own alone
		return nil, nil
	case query.IsOwn != nil || query.ProviderID != 0:
		query.RequesterID = member.ID
	}
	found, err := s.Store.ListApprovals(ctx, query)
	return found, fault.E(op, "", err)
}

// Approval returns a request that a staff member may see. Fault: NotFound.
func (s *Service) Approval(ctx context.Context, member staff.Staff, id core.ID) (approval.Approval, error) {
	const op = "approval.Approval"
	if err := member.Require(staff.ReadApprovals); err != nil {
		return approval.Approval{}, fault.E(op, "", err)
	}
	a, err := s.Store.Approval(ctx, id)
	if err == nil && !a.IsVisibleTo(member) {
		return approval.Approval{}, fault.New(op, fault.NotFound)
	}
	return a, fault.E(op, "", err)
}

// Own returns a request that the staff member made. Fault: NotFound.
func (s *Service) Own(ctx context.Context, staff staff.Staff, id core.ID) (approval.Approval, error) {
	const op = "approval.Own"
	a, err := s.Store.Approval(ctx, id)
	if err == nil && a.RequesterID != staff.ID {
		return approval.Approval{}, fault.New(op, fault.NotFound)
	}
	return a, fault.E(op, "", err)
}

// Rules returns a rule for every action; to a provider's staff they are nothing of theirs. Fault: Forbidden.
func (s *Service) Rules(ctx context.Context, member staff.Staff) (approval.Rules, error) {
	const op = "approval.Rules"
	if err := member.Require(staff.ReadApprovals); err != nil {
		return nil, fault.E(op, "", err)
	}
	if !member.SeesInside() {
		return nil, fault.New(op, fault.Forbidden)
	}
	rules, err := s.Store.ApprovalRules(ctx)
	return rules.Complete(), fault.E(op, "", err)
}

// SetRule says when an action needs a second person. While any rule is on, this does too. Fault: Invalid.
func (s *Service) SetRule(ctx context.Context, by app.Request, rule approval.Rule) (approval.Rule, error) {
	const op = "approval.SetRule"
	if err := by.Require(staff.ConfigureApprovals); err != nil {
		return rule, fault.E(op, "", err)
	}
	if err := rule.Check(); err != nil {
		return rule, fault.E(op, "", err)
	}
	rules, err := s.Store.ApprovalRules(ctx)
	if err != nil {
		return rule, fault.E(op, "", err)
	}
	before := rules.Of(rule.Action)
	rule.Version, rule.UpdatedAt = before.Version+1, s.UnitOfWork.Clock.Now()
	entry := core.AuditEntry{
		At: rule.UpdatedAt, Action: "setApprovalRule", Target: rule.Ref(), Before: before.AuditState(), After: rule.AuditState(),
	}
	return rule, fault.E(op, "", s.UnitOfWork.CommitEntry(ctx, by, entry, core.Changeset{rule}))
}
