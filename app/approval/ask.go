package approval

import (
	"context"
	"errors"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/ports"
)

// maxWaiting is how many requests of one person may wait at a time.
const maxWaiting = core.MaxPage

// maxInputBytes bounds what is kept of a request.
const maxInputBytes = 64 << 10

// Asked is what a staff member asked for.
type Asked struct {
	app.Request
	Action     string           // the mutation
	Permission staff.Permission // that it needs
	Input      string           // its arguments, as JSON
}

// Needs is what a fault says that a second person has to approve; nil: it is about something else.
func Needs(err error) *approval.NeedsApproval {
	needs := (*approval.NeedsApproval)(nil)
	if !fault.Is(err, fault.ApprovalNeeded) || !errors.As(err, &needs) {
		return nil
	}
	return needs
}

// Ask keeps what was asked for until a second person has decided, and holds the withdrawal that it is about for whoever asks.
// Asking for the same again returns the request that waits already. Faults: NoSecondPerson (nobody could decide), RateLimited
// (very many wait), Invalid, AwaitsApproval, Claimed and AlreadyFinal (of a withdrawal: somebody was faster).
func (s *Service) Ask(ctx context.Context, asked Asked, needs *approval.NeedsApproval) (approval.Approval, error) {
	const op = "approval.Ask"
	a, err := s.requestOf(asked, needs)
	if err != nil {
		return approval.Approval{}, fault.E(op, "", err)
	}
	waiting, err := s.Store.ListApprovals(ctx, approval.Query{
		Statuses: []approval.Status{approval.Waiting}, RequesterID: asked.Staff.ID, Paging: core.Paging[core.ID]{Limit: maxWaiting},
	})
	if err != nil {
		return approval.Approval{}, fault.E(op, "", err)
	}
	for _, known := range waiting {
		isSame := known.Input.Equal(asked.Input) || known.ID == needs.Claim.Hold.ApprovalID
		isSame = isSame && known.Action == a.Action && known.Covers(a.Guards)
		if isSame && known.StatusAt(a.CreatedAt) == approval.Waiting {
			return known, nil
		}
	}
	if len(waiting) >= maxWaiting {
		return approval.Approval{}, fault.New(op, fault.RateLimited)
	}
	if err := checkSecond(ctx, s.Staff, a); err != nil {
		return approval.Approval{}, fault.E(op, "", err)
	}
	err = s.UnitOfWork.Again(ctx, func() error { return s.keep(ctx, asked, needs, a) })
	return a, fault.E(op, "", err)
}

// requestOf is the request as it would be kept.
func (s *Service) requestOf(asked Asked, needs *approval.NeedsApproval) (approval.Approval, error) {
	const op = "approval.requestOf"
	reason, err := core.CheckReason(asked.Reason, app.MaxReasonChars)
	if err != nil {
		return approval.Approval{}, err
	}
	if len(asked.Input) > maxInputBytes {
		return approval.Approval{}, fault.New(op, fault.BodyTooLarge)
	}
	now := s.UnitOfWork.Clock.Now()
	ids, err := core.NewIDs(now, s.UnitOfWork.Random)
	if err != nil {
		return approval.Approval{}, fault.E(op, fault.Internal, err)
	}
	return approval.Approval{
		ID: ids.Next(), Version: 1, Status: approval.Waiting, Action: asked.Action, Permission: asked.Permission,
		Input: core.NewSecret(asked.Input), Guards: needs.Guards, Before: needs.Before, After: needs.After,
		PaymentID: needs.PaymentID, RequesterID: asked.Staff.ID, RequesterName: asked.Staff.Email,
		RequesterAddr: asked.Addr, Reason: reason, CreatedAt: now, ExpiresAt: now.Add(needs.LapseAfter),
	}, nil
}

// checkSecond looks for somebody who could decide: what nobody can decide does not wait. Fault: NoSecondPerson.
func checkSecond(ctx context.Context, members ports.Staff, a approval.Approval) error {
	const op = "approval.checkSecond"
	query := staff.Query{IsActive: new(true), Paging: core.Paging[int64]{Limit: core.MaxPage}}
	for {
		page, err := members.ListStaff(ctx, query)
		if err != nil {
			return fault.E(op, "", err)
		}
		for _, member := range page {
			if a.CheckSecond(member) == nil {
				return nil
			}
			query.After = member.ID
		}
		if len(page) < query.Limit {
			return fault.New(op, fault.NoSecondPerson)
		}
	}
}

// keep commits a request, together with its hold on the withdrawal that it is about.
func (s *Service) keep(ctx context.Context, asked Asked, needs *approval.NeedsApproval, a approval.Approval) error {
	const op = "approval.keep"
	ids, err := core.NewIDs(a.CreatedAt, s.UnitOfWork.Random)
	if err != nil {
		return fault.E(op, fault.Internal, err)
	}
	entry := entryOf(ids, asked.Actor(), "requestApproval", approval.Approval{}, a)
	entry.Reason = a.Reason
	change := core.Changeset{a, entry}
	if needs.Holds {
		p, err := s.UnitOfWork.Payments.PaymentByID(ctx, needs.PaymentID)
		if err != nil {
			return fault.E(op, "", err)
		}
		held, err := payment.DecideHold(p, needs.Claim, a.Holder())
		if err != nil {
			return err
		}
		change = append(change, held)
	}
	return s.UnitOfWork.CommitFor(ctx, asked.Request, change)
}
