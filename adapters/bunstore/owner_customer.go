package bunstore

import (
	"context"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

// customerPaymentRow is what is summed up of a customer's payment.
type customerPaymentRow struct {
	bun.BaseModel `bun:"table:payments"`

	ID          core.ID        `bun:"id,pk"`
	Method      payment.Method `bun:"method"`
	Status      payment.Status `bun:"status"`
	Currency    string         `bun:"currency"`
	AmountMinor *int64         `bun:"amount_minor"`
	CreatedAt   timestamp      `bun:"created_at,type:timestamptz"`
	KeyID       string         `bun:"key_id"`
	Personal    string         `bun:"personal"`
}

func (r customerPaymentRow) payment(k dataKey) (payment.Payment, error) {
	amount := amountsIn(r.Currency)
	who, err := openPersonal[personalJSON](k, r.Personal, "payments.personal", r.ID)
	return payment.Payment{
		Method: r.Method, Status: r.Status, Amount: amount.of(r.AmountMinor), CreatedAt: time.Time(r.CreatedAt),
		Customer: owner.Customer{Username: who.Username, Fullname: who.Fullname},
	}, errors.Join(amount.err, err)
}

func (r customerPaymentRow) keyID() string {
	if r.Personal == "" {
		return ""
	}
	return r.KeyID
}

// CustomerHistory implements ports.Reports. The payments of one customer are found by the index of the user id.
func (s *Store) CustomerHistory(ctx context.Context, c owner.CustomerKey, scope core.Scope) (report.CustomerHistory, error) {
	const op = "bunstore.CustomerHistory"
	ofCustomer := func(order string, limit int64) ([]payment.Payment, error) {
		q := s.reads.NewSelect().Where("user_id = ?", c.UserID).Where(s.dialect.unindexed("provider_id")+" = ?", c.ProviderID)
		q = s.alsoIn(q, scope)
		return queriedPersonal(ctx, s, op, customerPaymentRow.payment, q.OrderExpr(order).Limit(limit))
	}
	newest, err := ofCustomer("id DESC", report.MaxCustomerPayments+1)
	if err != nil {
		return report.CustomerHistory{}, err
	}
	h := report.HistoryOf(newest)
	if h.HasMore {
		oldest, err := ofCustomer("id", 1)
		if err != nil || len(oldest) == 0 {
			return h, fault.E(op, "", err)
		}
		h.FirstSeenAt = oldest[0].CreatedAt
	}
	return h, nil
}

// BlockOf implements ports.Owners.
func (s *Store) BlockOf(ctx context.Context, c owner.CustomerKey) (owner.Block, error) {
	return one(ctx, s, "bunstore.BlockOf", blockRow.block, "provider_id = ? AND user_id = ?", c.ProviderID, c.UserID)
}

// Blocks implements ports.Owners.
func (s *Store) Blocks(ctx context.Context, query owner.BlockQuery) ([]owner.Block, error) {
	newest := listOrder[owner.BlockCursor]{
		columns: []string{"created_at", "provider_id", "user_id"}, isDescending: true,
		values: func(c owner.BlockCursor) []any { return []any{timestamp(c.CreatedAt), c.ProviderID, c.UserID} },
	}
	q := whereSet(s.reads.NewSelect(), "provider_id = ?", query.ProviderID)
	return pageOf(ctx, "bunstore.Blocks", blockRow.block, newest, query.Paging, q)
}

// unblock takes customers off the block list; each has to be on it.
func (w templateWriter) unblock() template {
	return w.data(w.table(rowType[customerRow]()).Fields,
		"DELETE FROM blocks WHERE (provider_id, user_id) IN (SELECT provider_id, user_id FROM d) RETURNING 1").all(fault.Conflict)
}
