package approval

import (
	"context"
	"slices"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// about says which payment a request for a changeset would be about: one that has not ended, with which the request ends, and
// that it holds, where it is a withdrawal.
func about(guards []core.Guard, judged core.Judged, needs *approval.NeedsApproval) {
	ends := []core.GuardedAction{core.GuardWithdrawal, core.GuardCompletion, core.GuardCredit}
	if !slices.ContainsFunc(guards, func(g core.Guard) bool { return slices.Contains(ends, g.Action) }) {
		return
	}
	var ids []core.ID
	for _, p := range core.RowsOf[payment.Payment](judged.Changeset) {
		ids = append(ids, p.ID)
	}
	for _, o := range core.RowsOf[operation.Operation](judged.Changeset) {
		ids = append(ids, o.PaymentID)
	}
	for _, id := range ids {
		if p, isThere := core.Before(judged, payment.Payment{ID: id}); isThere && !p.Status.IsFinal() {
			needs.PaymentID, needs.Holds, needs.Claim = p.ID, p.Method.Kind() == payment.Withdrawal, p.Claim
			return
		}
	}
}

// released ends the requests whose hold on a withdrawal a changeset takes away: there is nothing left to approve.
func (g *Gate) released(ctx context.Context, granted *grant, judged core.Judged) (core.Changeset, error) {
	const op = "approval.Gate.released"
	change := judged.Changeset
	for _, p := range core.RowsOf[payment.Payment](change) {
		before, _ := core.Before(judged, p)
		request := before.Claim.Hold.ApprovalID
		isKept := p.Claim.Hold.ApprovalID == request && !p.Status.IsFinal()
		isEnded := slices.ContainsFunc(core.RowsOf[approval.Approval](change), func(a approval.Approval) bool { return a.ID == request })
		if request == "" || isKept || isEnded || granted != nil && granted.approved.ID == request {
			continue
		}
		waiting, err := g.Approvals.Approval(ctx, request)
		if err != nil {
			return change, fault.E(op, "", err)
		}
		now := g.Clock.Now()
		after, ok := waiting.Obsolete(now)
		if !ok {
			continue
		}
		ids, err := core.NewIDs(now, g.Random)
		if err != nil {
			return change, fault.E(op, fault.Internal, err)
		}
		change = core.Edit(change, func(saved *payment.Payment) {
			if saved.ID == p.ID {
				saved.Claim.Hold = payment.ClaimHold{}
			}
		}).Merge(core.Changeset{after, entryOf(ids, core.System, "endRequest", waiting, after)})
	}
	return change, nil
}
