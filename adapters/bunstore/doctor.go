package bunstore

import (
	"context"
	"time"

	"github.com/uptrace/bun"
)

// Now is the database's clock, for comparing it with this machine's.
func (s *Store) Now(ctx context.Context) (time.Time, error) {
	var seconds int64
	err := s.reads.NewRaw(s.dialect.clock()).Scan(ctx, &seconds)
	return time.Unix(seconds, 0), fail("bunstore.Now", err)
}

// CheckSecrets opens every secret of the providers and of the gateway accounts and says how many providers there are; its
// error names the first that does not open with the present master keys.
func (s *Store) CheckSecrets(ctx context.Context) (int, error) {
	const op = "bunstore.CheckSecrets"
	providers, err := many(ctx, s, op, s.provider, func(q *bun.SelectQuery) *bun.SelectQuery { return q.OrderExpr("id") })
	if err != nil {
		return 0, err
	}
	_, err = s.GatewayAccounts(ctx)
	return len(providers), fail(op, err)
}
