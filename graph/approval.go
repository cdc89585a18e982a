package graph

import (
	"context"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/command"
	"github.com/vezne/vezne/core"
	coreapproval "github.com/vezne/vezne/core/approval"
	coreaudit "github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/graph/generated"
	"github.com/vezne/vezne/graph/page"
)

type (
	approvalResolver     struct{ Config }
	approvalRuleResolver struct{}
)

func (r resolvers) Approval() generated.ApprovalResolver       { return approvalResolver(r) }
func (resolvers) ApprovalRule() generated.ApprovalRuleResolver { return approvalRuleResolver{} }
func (r approvalResolver) Status(_ context.Context, a *coreapproval.Approval) (coreapproval.Status, error) {
	return a.StatusAt(r.Clock.Now()), nil
}

func (approvalResolver) ActionLabel(ctx context.Context, a *coreapproval.Approval, language *string) (string, error) {
	return actionLabel(ctx, a.Action, language)
}

func (approvalResolver) RequestedBy(_ context.Context, a *coreapproval.Approval) (*core.Actor, error) {
	by := staff.Staff{ID: a.RequesterID, Email: a.RequesterName}.Actor(a.RequesterAddr)
	return &by, nil
}

// DecidedBy is a person; of the house's people a provider's staff are told no name (actorResolver).
func (approvalResolver) DecidedBy(_ context.Context, a *coreapproval.Approval) (*core.Actor, error) {
	by := staff.Staff{ID: a.DecidedBy, Email: a.DecidedByName}.Actor("")
	if a.DecidedBy == 0 {
		return nil, nil //nolint:nilnil // null: nobody has, or the clock did
	}
	return &by, nil
}

func (approvalResolver) Changes(_ context.Context, a *coreapproval.Approval) ([]coreaudit.Change, error) {
	return coreaudit.Changes(a.Subject(), a.Before, a.After), nil
}

func (approvalResolver) IsOwn(ctx context.Context, a *coreapproval.Approval) (bool, error) {
	return a.RequesterID == staffOf(ctx).ID, nil
}

func (r approvalResolver) IsForYou(ctx context.Context, a *coreapproval.Approval) (bool, error) {
	return a.StatusAt(r.Clock.Now()) == coreapproval.Waiting && a.CheckSecond(staffOf(ctx)) == nil, nil
}

func (approvalRuleResolver) LapseAfterMinutes(_ context.Context, r *coreapproval.Rule) (int, error) {
	return int(r.LapseAfter / time.Minute), nil
}

func (q queryResolver) Approvals(
	ctx context.Context, filter *coreapproval.Query, first *int, after *string, last *int, before *string,
) (*page.ApprovalConnection, error) {
	place := func(a coreapproval.Approval) core.ID { return a.ID }
	return list(ctx, filter, page.Of(first, after, last, before), page.ByID, place, q.Config.Approvals.Approvals)
}

func (q queryResolver) Approval(ctx context.Context, id core.ID) (*coreapproval.Approval, error) {
	if err := core.CheckID(id); err != nil {
		return nil, err
	}
	a, err := q.Config.Approvals.Approval(ctx, staffOf(ctx), id)
	return &a, err
}

func (q queryResolver) ApprovalRules(ctx context.Context) ([]coreapproval.Rule, error) {
	return q.Config.Approvals.Rules(ctx, staffOf(ctx))
}

func (t transactionResolver) Approvals(ctx context.Context, p *payment.Payment) ([]coreapproval.Approval, error) {
	all, err := t.Config.Approvals.Approvals(ctx, staffOf(ctx), coreapproval.Query{
		Subject: "payment/" + p.TrackingCode, Paging: core.Paging[core.ID]{Limit: core.MaxPage},
	})
	return append([]coreapproval.Approval{}, all...), err // none is an empty list
}

func (m mutationResolver) ApproveRequest(ctx context.Context, input generated.ApproveRequestInput) (*generated.ApprovalPayload, error) {
	return about(ctx, input.ID, func(by app.Request) (coreapproval.Approval, error) {
		return m.Approvals.Approve(ctx, by, input.ID, valueOf(input.Reason), m.Commands.Approved)
	})
}

func (m mutationResolver) RefuseRequest(ctx context.Context, input generated.RefuseRequestInput) (*generated.ApprovalPayload, error) {
	return about(ctx, input.ID, func(by app.Request) (coreapproval.Approval, error) {
		return m.Approvals.Refuse(ctx, by, input.ID, valueOf(input.Reason))
	})
}

func (m mutationResolver) WithdrawRequest(ctx context.Context, input generated.WithdrawRequestInput) (*generated.ApprovalPayload, error) {
	return about(ctx, input.ID, func(by app.Request) (coreapproval.Approval, error) { return m.Approvals.Withdraw(ctx, by, input.ID) })
}

// about does something with a request.
func about(
	ctx context.Context, id core.ID, do func(app.Request) (coreapproval.Approval, error),
) (*generated.ApprovalPayload, error) {
	if err := core.CheckID(id); err != nil {
		return nil, err
	}
	a, err := do(acting(ctx))
	return &generated.ApprovalPayload{Approval: &a}, err
}

func (m mutationResolver) TakeApprovalResult(ctx context.Context, input generated.TakeApprovalResultInput) (*generated.TakeApprovalResultPayload, error) {
	if err := core.CheckID(input.ID); err != nil {
		return nil, err
	}
	keys, err := m.Commands.TakeIssued(ctx, acting(ctx), input.ID)
	return &generated.TakeApprovalResultPayload{Credentials: keys}, err
}

func (m mutationResolver) SetApprovalRule(ctx context.Context, input command.SetApprovalRuleInput) (*generated.ApprovalRulePayload, error) {
	a, err := run(ctx, m, m.Commands.SetApprovalRule, input)
	return &generated.ApprovalRulePayload{ApprovalRule: a}, err
}
