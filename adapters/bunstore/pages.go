package bunstore

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// PaymentsByID implements ports.PaymentSearch.
func (s *Store) PaymentsByID(ctx context.Context, ids []core.ID) ([]payment.Payment, error) {
	return ofAll(ctx, s, "bunstore.PaymentsByID", paymentRow.payment, "id IN (?)", ids, "id")
}

// MovesOfAll implements ports.PaymentPages.
func (s *Store) MovesOfAll(ctx context.Context, payments []core.ID) ([]payment.Move, error) {
	return ofAll(ctx, s, "bunstore.MovesOfAll", moveRow.move, "payment_id IN (?)", payments, "at, id")
}

// OperationsOfAll implements ports.PaymentPages.
func (s *Store) OperationsOfAll(ctx context.Context, payments []core.ID) ([]operation.Operation, error) {
	return ofAll(ctx, s, "bunstore.OperationsOfAll", s.operation, "payment_id IN (?)", payments, "id")
}

// DiscrepanciesOfAll implements ports.PaymentPages.
func (s *Store) DiscrepanciesOfAll(ctx context.Context, payments []core.ID) ([]discrepancy.Discrepancy, error) {
	return ofAll(ctx, s, "bunstore.DiscrepanciesOfAll", discrepancyRow.discrepancy, "payment_id IN (?)", payments, "id")
}

// LinesOfAll implements ports.PaymentPages.
func (s *Store) LinesOfAll(ctx context.Context, payments []core.ID) ([]wallet.BankLine, error) {
	return ofAll(ctx, s, "bunstore.LinesOfAll", bankLineRow.line, "payment_id IN (?) AND payment_id <> ''", payments, "id")
}

// ofAll reads the rows of all that is named, in an order. Of nothing there are none.
func ofAll[K, R, T any](
	ctx context.Context, s *Store, op string, turn func(R) (T, error), where string, named []K, order string,
) ([]T, error) {
	if len(named) == 0 {
		return nil, nil
	}
	return many(ctx, s, op, turn, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where(where, bun.List(named)).OrderExpr(order)
	})
}

// loggedRow is a callback beside one of its attempts, or beside nothing.
type loggedRow struct {
	callbackRow `bun:",extend"`

	Attempt attemptRow `bun:"embed:attempt_"`
}

const callbacksOfAll = `SELECT c.*, a.callback_id AS attempt_callback_id, a.id AS attempt_id, a.number AS attempt_number,
	a.at AS attempt_at, a.duration_ns AS attempt_duration_ns, a.url AS attempt_url, a.http_status AS attempt_http_status,
	a.error AS attempt_error, a.answer AS attempt_answer
FROM callbacks AS c LEFT JOIN attempts AS a ON a.callback_id = c.id
WHERE c.payment_id IN (?) ORDER BY c.payment_id, c.sequence, a.id`

// CallbacksOfAll implements ports.PaymentPages.
func (s *Store) CallbacksOfAll(ctx context.Context, payments []core.ID) ([]payment.CallbackLog, error) {
	const op = "bunstore.CallbacksOfAll"
	if len(payments) == 0 {
		return nil, nil
	}
	var rows []loggedRow
	if err := s.reads.NewRaw(callbacksOfAll, bun.List(payments)).Scan(ctx, &rows); err != nil {
		return nil, fail(op, err)
	}
	var logs []payment.CallbackLog
	for _, r := range rows {
		if len(logs) == 0 || logs[len(logs)-1].ID != r.ID {
			c, err := made(op, callbackRow.callback, r.callbackRow)
			if err != nil {
				return nil, err
			}
			logs = append(logs, payment.CallbackLog{Callback: c})
		}
		if r.Attempt.ID != "" {
			a, err := made(op, attemptRow.attempt, r.Attempt)
			if err != nil {
				return nil, err
			}
			last := &logs[len(logs)-1]
			last.Tries = append(last.Tries, a)
		}
	}
	return logs, nil
}

const callsOfAll = `SELECT id, gateway_id, operation_id, payment_id, name, at, duration_ns, outcome, effect, detail FROM (
	SELECT *, row_number() OVER (PARTITION BY payment_id ORDER BY id DESC) AS place FROM gateway_calls
	WHERE payment_id IN (?)
) AS calls WHERE place <= ? ORDER BY id DESC`

// callsOfAll gives the newest calls of each payment.
func (s *Store) callsOfAll(ctx context.Context, payments []core.ID, most int) ([]operation.GatewayCall, error) {
	const op = "bunstore.callsOfAll"
	var rows []gatewayCallRow
	if err := s.reads.NewRaw(callsOfAll, bun.List(payments), most).Scan(ctx, &rows); err != nil {
		return nil, fail(op, err)
	}
	return all(op, gatewayCallRow.call, rows)
}

// callsOfGateways gives the newest calls of each gateway account, each from the end of the index.
func (s *Store) callsOfGateways(ctx context.Context, gateways []int64, most int) ([]operation.GatewayCall, error) {
	var parts []any
	for _, id := range gateways {
		part := s.reads.NewSelect().Model((*gatewayCallRow)(nil)).Where("gateway_id = ?", id)
		parts = append(parts, part.OrderExpr("id DESC").Limit(int64(most)))
	}
	return newest(ctx, s, "bunstore.callsOfGateways", gatewayCallRow.call, parts, len(parts)*most)
}

// FeedsOfAll implements ports.WalletPages.
func (s *Store) FeedsOfAll(ctx context.Context, wallets []int64) ([]wallet.Feed, error) {
	return ofAll(ctx, s, "bunstore.FeedsOfAll", feedRow.feed, "wallet_id IN (?)", wallets, "wallet_id")
}

// ProvidersByID implements ports.Owners.
func (s *Store) ProvidersByID(ctx context.Context, ids []int64) ([]owner.Provider, error) {
	return ofAll(ctx, s, "bunstore.ProvidersByID", s.provider, "id IN (?)", ids, "id")
}

// DealersByID implements ports.Owners.
func (s *Store) DealersByID(ctx context.Context, ids []int64) ([]owner.Dealer, error) {
	return ofAll(ctx, s, "bunstore.DealersByID", s.dealer, "id IN (?)", ids, "id")
}
