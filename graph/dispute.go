package graph

import (
	"context"
	"time"

	"github.com/vezne/vezne/app/command"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/dispute"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/graph/generated"
	"github.com/vezne/vezne/graph/page"
)

func (q queryResolver) Disputes(
	ctx context.Context, filter *dispute.Query, first *int, after *string, last *int, before *string, sort *dispute.Sort,
) (*page.DisputeConnection, error) {
	found, err := q.disputes(ctx, filter, page.Of(first, after, last, before), valueOf(sort))
	if err != nil {
		return nil, err
	}
	var named []core.ID
	for _, d := range found.Nodes {
		named = append(named, d.PaymentID)
	}
	batchesOf(ctx).link(q.Backoffice, named...)
	return found, nil
}

func (q queryResolver) disputes(ctx context.Context, filter *dispute.Query, asked page.Args, sort dispute.Sort) (*page.DisputeConnection, error) {
	if sort != dispute.DeadlineFirst {
		place := func(d dispute.Dispute) core.ID { return d.ID }
		return list(ctx, filter, asked, page.ByID, place, q.Backoffice.ListDisputes)
	}
	place := func(d dispute.Dispute) core.DueCursor { return core.DueCursor{At: d.EvidenceDue, ID: d.ID} }
	return page.Read(asked, page.ByDeadline, place, func(p core.Paging[core.DueCursor]) ([]dispute.Dispute, error) {
		return q.Backoffice.DisputesByDeadline(ctx, staffOf(ctx), valueOf(filter), p)
	})
}

func (q queryResolver) Dispute(ctx context.Context, id core.ID) (*dispute.Dispute, error) {
	if err := core.CheckID(id); err != nil {
		return nil, err
	}
	d, err := q.Backoffice.Dispute(ctx, staffOf(ctx), id)
	return &d, err
}

func (t transactionResolver) Disputes(ctx context.Context, p *payment.Payment) ([]dispute.Dispute, error) {
	return t.batch(ctx, p).Disputes(ctx, *p)
}

func (m mutationResolver) AcceptDispute(ctx context.Context, input command.AcceptDisputeInput) (*generated.DisputePayload, error) {
	d, err := run(ctx, m, m.Commands.AcceptDispute, input)
	return &generated.DisputePayload{Dispute: d}, err
}

func (m mutationResolver) RecordDispute(ctx context.Context, input command.RecordDisputeInput) (*generated.DisputePayload, error) {
	d, err := run(ctx, m, m.Commands.RecordDispute, input)
	return &generated.DisputePayload{Dispute: d}, err
}

func (m mutationResolver) SubmitDisputeEvidence(
	ctx context.Context, input command.SubmitDisputeEvidenceInput,
) (*generated.DisputePayload, error) {
	d, err := run(ctx, m, m.Commands.SubmitDisputeEvidence, input)
	return &generated.DisputePayload{Dispute: d}, err
}

func (r disputeResolver) TakesEvidence(ctx context.Context, d *dispute.Dispute) (bool, error) {
	takes, _ := r.Commands.Disputes.Takes(ctx, *d)
	return takes, nil
}

func (r disputeResolver) TakesAcceptance(ctx context.Context, d *dispute.Dispute) (bool, error) {
	_, takes := r.Commands.Disputes.Takes(ctx, *d)
	return takes, nil
}

// By is hidden from whom the house's people are hidden from.
func (disputeEvidenceResolver) By(ctx context.Context, s *dispute.Submission) (*core.Actor, error) {
	if !callerOf(ctx).request.Staff.SeesInside() {
		return nil, nil //nolint:nilnil // null: not for them
	}
	return &s.By, nil
}

func (r disputeResolver) Transaction(ctx context.Context, d *dispute.Dispute) (*payment.Payment, error) {
	if d.PaymentID == "" {
		return nil, nil //nolint:nilnil // null: none that is known here
	}
	return r.payment(ctx, d.PaymentID)
}

func (r disputeResolver) Gateway(ctx context.Context, d *dispute.Dispute) (*owner.GatewayAccount, error) {
	return r.gateway(ctx, d.GatewayID)
}

// AcceptedBy is hidden from whom the house's people are hidden from.
func (disputeResolver) AcceptedBy(ctx context.Context, d *dispute.Dispute) (*core.Actor, error) {
	if d.Accepted.At.IsZero() || !callerOf(ctx).request.Staff.SeesInside() {
		return nil, nil //nolint:nilnil // null: nobody, or not for them
	}
	return &d.Accepted.By, nil
}

func (disputeResolver) AcceptedAt(_ context.Context, d *dispute.Dispute) (*time.Time, error) {
	if d.Accepted.At.IsZero() {
		return nil, nil //nolint:nilnil // null: it was not
	}
	return &d.Accepted.At, nil
}
