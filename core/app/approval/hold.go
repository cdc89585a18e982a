package approval

import (
	"context"
	"slices"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
)

// about says which payment a request for a changeset would be about: one that has not ended, with which the request ends, and
// that it holds, where it is a withdrawal.
func about(b core.Before, guards []core.Guard, change core.Changeset, needs *core.NeedsApproval) {
	ends := []core.GuardedAction{core.GuardWithdrawal, core.GuardCompletion, core.GuardCredit}
	if !slices.ContainsFunc(guards, func(g core.Guard) bool { return slices.Contains(ends, g.Action) }) {
		return
	}
	ids := make([]core.ID, 0, len(change.Payments)+len(change.Operations))
	for _, p := range change.Payments {
		ids = append(ids, p.ID)
	}
	for _, o := range change.Operations {
		ids = append(ids, o.PaymentID)
	}
	for _, id := range ids {
		if p, isThere := b.Payments[id]; isThere && !p.Status.IsFinal() {
			needs.PaymentID, needs.Holds, needs.Claim = p.ID, p.Method.Kind() == core.Withdrawal, p.Claim
			return
		}
	}
}

// released ends the requests whose hold on a withdrawal a changeset takes away: there is nothing left to approve.
func (g *Gate) released(ctx context.Context, b core.Before, change core.Changeset) (core.Changeset, error) {
	const op = "approval.Gate.released"
	for i, p := range change.Payments {
		request := b.Payments[p.ID].Claim.Hold.ApprovalID
		isKept := p.Claim.Hold.ApprovalID == request && !p.Status.IsFinal()
		isEnded := slices.ContainsFunc(change.Approvals, func(a core.Approval) bool { return a.ID == request })
		if granted := grantOf(ctx); request == "" || isKept || isEnded || granted != nil && granted.approved.ID == request {
			continue
		}
		waiting, err := g.Reads.Approval(ctx, request)
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
		change.Payments = slices.Clone(change.Payments)
		change.Payments[i].Claim.Hold = core.ClaimHold{}
		change.Approvals = append(slices.Clone(change.Approvals), after)
		change.Audit = append(slices.Clone(change.Audit), entryOf(ids, core.System, "endRequest", waiting, after))
	}
	return change, nil
}
