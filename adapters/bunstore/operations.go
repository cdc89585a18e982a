package bunstore

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/operation"
)

// OperationsOf implements ports.Operations.
func (s *Store) OperationsOf(ctx context.Context, paymentID core.ID) ([]operation.Operation, error) {
	return many(ctx, s, "bunstore.OperationsOf", s.operation, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("payment_id = ?", paymentID).OrderExpr("id")
	})
}

func (s *Store) operation(r operationRow) (operation.Operation, error) { return r.operation(s.sealer) }

// OperationBy implements ports.Operations. Of several with one id of the gateway's, the newest is given.
func (s *Store) OperationBy(ctx context.Context, key operation.OperationKey) (operation.Operation, error) {
	return one(ctx, s, "bunstore.OperationBy", s.operation, func(q *bun.SelectQuery) *bun.SelectQuery {
		switch {
		case key.ID != "":
			return q.Where("id = ?", key.ID)
		case key.Ref != "":
			return q.Where("ref = ? AND ref <> ''", key.Ref)
		case key.ReturnToken != "":
			return q.Where("return_token = ? AND return_token <> ''", key.ReturnToken)
		default:
			return q.Where("gateway_id = ? AND external_id = ? AND external_id <> ''", key.GatewayID, key.ExternalID).
				OrderExpr("id DESC")
		}
	})
}

// claimOperations leases due rows as claim does.
const claimOperations = `WITH due AS MATERIALIZED (
	SELECT id FROM operations
	WHERE gateway_id = ?1 AND next_at <= ?2 AND (lease_until IS NULL OR lease_until <= ?2)
	ORDER BY next_at, id LIMIT ?3 ?4
) UPDATE operations SET version = version + 1, lease_until = ?0 WHERE id IN (SELECT id FROM due) RETURNING *`

// ClaimOperations implements ports.Operations.
func (s *Store) ClaimOperations(
	ctx context.Context, gatewayID int64, now, leaseUntil time.Time, limit int,
) ([]operation.Operation, error) {
	o := opener[operationRow, operation.Operation]{
		table: "operations", turn: s.operation, name: func(r operationRow) string { return string(r.ID) },
	}
	return claimed(ctx, s, "bunstore.ClaimOperations", limit, o, func(limit int) (rows []operationRow, err error) {
		lock := bun.Safe(s.dialect.lockClaimed())
		err = s.writes.NewRaw(claimOperations, stamp(leaseUntil), gatewayID, stamp(now), limit, lock).Scan(ctx, &rows)
		slices.SortFunc(rows, func(a, b operationRow) int { // RETURNING promises no order
			return cmp.Or(time.Time(a.NextAt).Compare(time.Time(b.NextAt)), cmp.Compare(a.ID, b.ID))
		})
		return rows, err
	})
}

// dueGateways steps through the index from one gateway account to the next, however many operations each has.
const dueGateways = `WITH RECURSIVE gateways (id) AS (
	SELECT (SELECT min(gateway_id) FROM operations WHERE next_at IS NOT NULL)
	UNION ALL
	SELECT (SELECT min(gateway_id) FROM operations WHERE next_at IS NOT NULL AND gateway_id > gateways.id)
	FROM gateways WHERE gateways.id IS NOT NULL
) SELECT id FROM gateways WHERE id IS NOT NULL AND EXISTS (
	SELECT 1 FROM operations
	WHERE gateway_id = gateways.id AND next_at <= ?0 AND (lease_until IS NULL OR lease_until <= ?0)
) ORDER BY id`

// DueGateways implements ports.Operations.
func (s *Store) DueGateways(ctx context.Context, now time.Time) ([]int64, error) {
	var ids []int64
	err := s.reads.NewRaw(dueGateways, stamp(now)).Scan(ctx, &ids)
	return ids, fail("bunstore.DueGateways", err)
}
