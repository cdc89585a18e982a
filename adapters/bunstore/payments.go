package bunstore

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
)

// PaymentByTrackingCode implements ports.Payments.
func (s *Store) PaymentByTrackingCode(ctx context.Context, code string) (payment.Payment, error) {
	return one(ctx, s, "bunstore.PaymentByTrackingCode", paymentRow.payment, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("tracking_code = ? AND tracking_code <> ''", code)
	})
}

// PaymentByToken implements ports.Payments.
func (s *Store) PaymentByToken(ctx context.Context, token string) (payment.Payment, error) {
	return one(ctx, s, "bunstore.PaymentByToken", paymentRow.payment, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("token = ? AND token <> ''", token)
	})
}

// Moves implements ports.Payments.
func (s *Store) Moves(ctx context.Context, paymentID core.ID) ([]payment.Move, error) {
	return many(ctx, s, "bunstore.Moves", moveRow.move, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("payment_id = ?", paymentID).OrderExpr("at, id")
	})
}

// PaymentByID implements ports.Operations.
func (s *Store) PaymentByID(ctx context.Context, id core.ID) (payment.Payment, error) {
	return one(ctx, s, "bunstore.PaymentByID", paymentRow.payment, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("id = ?", id)
	})
}

// DuePayments implements ports.Payments. The words of its index are repeated as they are there. SQLite would rather read
// all that show and sort them.
func (s *Store) DuePayments(
	ctx context.Context, now time.Time, after core.DueCursor, limit int,
) (core.DuePage[payment.Payment], error) {
	o := opener[paymentRow, payment.Payment]{
		table: "payments", turn: paymentRow.payment, name: func(r paymentRow) string { return r.TrackingCode + " " + string(r.ID) },
	}
	at := func(r paymentRow) core.DueCursor { return core.DueCursor{At: time.Time(r.ExpiresAt), ID: r.ID} }
	return duePage(ctx, s, "bunstore.DuePayments", limit, o, at, func(q *bun.SelectQuery) *bun.SelectQuery {
		q = q.ModelTableExpr("payments AS payment_row" + s.dialect.byIndex("payments_due"))
		q = q.Where("status IN ('showing', 'pending') AND operation_id = '' AND expires_at <= ?", stamp(now))
		return behind(q, after)
	})
}
