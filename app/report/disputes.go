package report

import (
	"cmp"
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/dispute"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

// ListDisputes returns the query's page of disputes within the staff member's scope, newest first. Fault: Forbidden.
func (s *Backoffice) ListDisputes(ctx context.Context, by staff.Staff, q dispute.Query) ([]dispute.Dispute, error) {
	if err := by.Require(staff.ReadTransactions); err != nil {
		return nil, err
	}
	q.Scope = cmp.Or(by.Scope(), q.Scope)
	rows, err := s.Disputes.ListDisputes(ctx, q)
	return rows, fault.E("backoffice.ListDisputes", "", err)
}

// DisputesByDeadline returns a page of the query's disputes that have a deadline for evidence, nearest first, as ListDisputes does.
func (s *Backoffice) DisputesByDeadline(
	ctx context.Context, by staff.Staff, q dispute.Query, page core.Paging[core.DueCursor],
) ([]dispute.Dispute, error) {
	if err := by.Require(staff.ReadTransactions); err != nil {
		return nil, err
	}
	q.Scope = cmp.Or(by.Scope(), q.Scope)
	rows, err := s.Disputes.DisputesByDeadline(ctx, q, page)
	return rows, fault.E("backoffice.DisputesByDeadline", "", err)
}

// Dispute returns one within the staff member's scope. Faults: Forbidden, NotFound.
func (s *Backoffice) Dispute(ctx context.Context, by staff.Staff, id core.ID) (dispute.Dispute, error) {
	found, err := s.ListDisputes(ctx, by, dispute.Query{ID: id, Paging: core.Paging[core.ID]{Limit: 1}})
	if err == nil && len(found) == 0 {
		err = fault.New("backoffice.Dispute", fault.NotFound)
	}
	if err != nil {
		return dispute.Dispute{}, err
	}
	return found[0], nil
}

// Disputes returns a payment's disputes, oldest first.
func (b *Batch) Disputes(ctx context.Context, p payment.Payment) ([]dispute.Dispute, error) {
	found, err := ofAll(ctx, b, &b.disputes, b.service.Disputes.DisputesOf, func(d dispute.Dispute) core.ID { return d.PaymentID }, p)
	return append([]dispute.Dispute{}, found...), err
}
