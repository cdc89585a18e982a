package graph

import (
	"context"

	"github.com/vezne/vezne/app/command"
	coreapproval "github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/decision"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/graph/generated"
)

func (q queryResolver) DecisionPreview(ctx context.Context, decision command.AnyDecision) (*decision.Outlook, error) {
	o, err := q.Commands.Preview(ctx, acting(ctx), decision)
	if err != nil {
		return nil, err
	}
	batchesOf(ctx).add(q.Backoffice, o.Before)
	return &o, nil
}

func (r approvalResolver) Preview(ctx context.Context, a *coreapproval.Approval) (*decision.Outlook, error) {
	if a.StatusAt(r.Clock.Now()) != coreapproval.Waiting {
		return nil, nil //nolint:nilnil // null: it does nothing any more
	}
	o, ok, err := r.Commands.PreviewOf(ctx, acting(ctx), *a)
	if err != nil || !ok {
		return nil, err
	}
	batchesOf(ctx).add(r.Backoffice, o.Before)
	return &o, nil
}

func (previewResolver) Transaction(_ context.Context, o *decision.Outlook) (*payment.Payment, error) {
	return &o.Before, nil
}

func (previewResolver) Callbacks(_ context.Context, o *decision.Outlook) ([]generated.PreviewedCallback, error) {
	list := make([]generated.PreviewedCallback, len(o.Callbacks))
	for i, c := range o.Callbacks {
		list[i] = generated.PreviewedCallback{
			Kind: c.Kind, Status: c.Payload.Status, Amount: c.Payload.Amount, PreviousAmount: c.PreviousAmount(),
		}
		if c.Status != payment.Skipped {
			list[i].Receiver = &c.Receiver
		}
	}
	return list, nil
}

func (t transactionResolver) PossibleDecisions(ctx context.Context, p *payment.Payment) ([]decision.Name, error) {
	return t.Commands.Possible(ctx, acting(ctx), *p)
}

func (t transactionResolver) RefundTerms(ctx context.Context, p *payment.Payment) (*operation.RefundTerms, error) {
	terms, ok, err := t.Commands.RefundTerms(ctx, acting(ctx), *p)
	if err != nil || !ok {
		return nil, err
	}
	return &terms, nil
}

func (m mutationResolver) DecideMany(ctx context.Context, input generated.DecideManyInput) (*generated.DecideManyPayload, error) {
	if command.WantsProof(input.Decisions) {
		if err := m.Staff.CheckProven(ctx, callerOf(ctx).request); err != nil {
			return nil, err
		}
	}
	results, err := m.Commands.Many(ctx, acting(ctx), input.Decisions)
	return &generated.DecideManyPayload{Results: results}, err
}

func (r decidedResolver) Transaction(ctx context.Context, d *command.Decided) (*payment.Payment, error) {
	code, member := d.TrackingCode, callerOf(ctx).request.Staff
	if d.Discrepancy != "" {
		about, err := r.Commands.DiscrepancyOf(ctx, callerOf(ctx).request, d.Discrepancy)
		if err != nil {
			return nil, nil //nolint:nilnil,nilerr // null: it is not found; why the decision was refused is said
		}
		code = about.TrackingCode
	}
	p, err := r.Backoffice.Transaction(ctx, member, code)
	if fault.Is(err, fault.NotFound) {
		return nil, nil //nolint:nilnil // null: it is not found
	}
	if err != nil {
		return nil, err
	}
	batchesOf(ctx).add(r.Backoffice, p)
	return &p, nil
}

func (decidedResolver) Message(ctx context.Context, d *command.Decided) (*string, error) {
	if d.Err == nil {
		return nil, nil //nolint:nilnil // null: it was done
	}
	said := lang.Say(callerOf(ctx).language, string(d.Code()), fault.ArgsOf(d.Err)...)
	return &said, nil
}
