package bunstore

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core/approval"
)

// Now is the database's clock, for comparing it with this machine's.
func (s *Store) Now(ctx context.Context) (time.Time, error) {
	var seconds int64
	err := s.reads.NewRaw(s.dialect.clock()).Scan(ctx, &seconds)
	return time.Unix(seconds, 0), fail("bunstore.Now", err)
}

// CheckSecrets opens every secret of the providers, of the dealers and their site tokens, of the gateway accounts, of
// staff's second factors, and of requests that somebody still waits for, and says how many providers there are; its error
// names the first that does not open with the present master keys.
func (s *Store) CheckSecrets(ctx context.Context) (int, error) {
	const op = "bunstore.CheckSecrets"
	byID := func(q *bun.SelectQuery) *bun.SelectQuery { return q.OrderExpr("id") }
	providers, err := many(ctx, s, op, s.provider, byID)
	if err != nil {
		return 0, err
	}
	if _, err := many(ctx, s, op, s.dealer, byID); err != nil {
		return 0, err
	}
	if _, err := many(ctx, s, op, s.siteToken, byID); err != nil {
		return 0, err
	}
	if _, err := many(ctx, s, op, s.factors, func(q *bun.SelectQuery) *bun.SelectQuery { return q.OrderExpr("staff_id") }); err != nil {
		return 0, err
	}
	if _, err := many(ctx, s, op, s.approval, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("state = ? OR result <> ''", approval.Waiting).OrderExpr("id")
	}); err != nil {
		return 0, err
	}
	_, err = s.GatewayAccounts(ctx)
	return len(providers), fail(op, err)
}
