package bunstore

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
)

// PaymentByTrackingCode implements ports.Payments.
func (s *Store) PaymentByTrackingCode(ctx context.Context, code string) (core.Payment, error) {
	return one(ctx, s, "bunstore.PaymentByTrackingCode", paymentRow.payment, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("tracking_code = ? AND tracking_code <> ''", code)
	})
}

// PaymentByToken implements ports.Payments.
func (s *Store) PaymentByToken(ctx context.Context, token string) (core.Payment, error) {
	return one(ctx, s, "bunstore.PaymentByToken", paymentRow.payment, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("token = ? AND token <> ''", token)
	})
}

// Moves implements ports.Payments.
func (s *Store) Moves(ctx context.Context, paymentID core.ID) ([]core.Move, error) {
	return many(ctx, s, "bunstore.Moves", moveRow.move, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("payment_id = ?", paymentID).OrderExpr("at, id")
	})
}

// DuePayments implements ports.Payments.
func (s *Store) DuePayments(ctx context.Context, now time.Time, limit int) ([]core.Payment, error) {
	if limit < 1 {
		return nil, nil
	}
	return many(ctx, s, "bunstore.DuePayments", paymentRow.payment, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("status = ? AND expires_at <= ?", core.Showing, stamp(now)).
			OrderExpr("expires_at, id").Limit(int64(limit))
	})
}
