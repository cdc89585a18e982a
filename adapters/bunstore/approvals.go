package bunstore

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/payment"
)

// fourEyesChecks begins the names of the checks that keep people from deciding about their own requests.
const fourEyesChecks = "four_eyes_"

// paymentIsOver narrows requests to those whose payment has ended since they were made.
const paymentIsOver = "payment_id <> '' AND EXISTS (SELECT 1 FROM payments AS p WHERE p.id = payment_id AND p.status IN (?))"

func (s *Store) approval(r approvalRow) (approval.Approval, error) { return r.approval(s.sealer) }

// Approval implements ports.Approvals.
func (s *Store) Approval(ctx context.Context, id core.ID) (approval.Approval, error) {
	return one(ctx, s, "bunstore.Approval", s.approval, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("id = ?", id)
	})
}

// Approvals implements ports.Approvals.
func (s *Store) Approvals(ctx context.Context, query approval.ApprovalQuery) ([]approval.Approval, error) {
	return listByState(ctx, s, stateList[approvalRow, approval.Approval, approval.ApprovalState]{
		op: "bunstore.Approvals", turn: s.approval, limit: query.Limit, asked: query.States,
		all: approval.ApprovalStates(), isIndexed: query.DealerID != 0 || query.RequesterID != 0 || query.Subject != "",
		where: func(q *bun.SelectQuery) *bun.SelectQuery {
			q = whereSet(q, "dealer_id = ?", query.DealerID)
			q = whereSet(q, "requester_id = ?", query.RequesterID)
			q = whereSet(q, "subject = ?", query.Subject)
			if query.IsOver {
				q = q.Where(paymentIsOver, bun.List(payment.FinalStatuses()))
			}
			return whereSet(q, "id < ?", query.After)
		},
	})
}

// DueApprovals implements ports.Approvals. The words of its index are repeated as they are there.
func (s *Store) DueApprovals(
	ctx context.Context, now time.Time, after core.DueCursor, limit int,
) (core.DuePage[approval.Approval], error) {
	o := opener[approvalRow, approval.Approval]{
		table: "approvals", turn: s.approval, name: func(r approvalRow) string { return string(r.ID) },
	}
	at := func(r approvalRow) core.DueCursor { return core.DueCursor{At: time.Time(r.ExpiresAt), ID: r.ID} }
	return duePage(ctx, s, "bunstore.DueApprovals", limit, o, at, func(q *bun.SelectQuery) *bun.SelectQuery {
		q = q.ModelTableExpr("approvals AS approval_row" + s.dialect.byIndex("approvals_due"))
		return behind(q.Where("state = 'waiting' AND expires_at <= ?", stamp(now)), after)
	})
}

// ApprovalRules implements ports.Approvals.
func (s *Store) ApprovalRules(ctx context.Context) (approval.ApprovalRules, error) {
	return many(ctx, s, "bunstore.ApprovalRules", approvalRuleRow.rule, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.OrderExpr("action")
	})
}

// RunningTotals implements ports.Approvals.
func (s *Store) RunningTotals(ctx context.Context, keys []string) ([]approval.RunningTotal, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	return many(ctx, s, "bunstore.RunningTotals", runningTotalRow.total, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("key IN (?)", bun.List(keys)).OrderExpr("key")
	})
}
