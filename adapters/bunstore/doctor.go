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

// CheckSecrets opens every provider's secrets and says how many providers there are; its error names the first that
// does not open with the present master keys.
func (s *Store) CheckSecrets(ctx context.Context) (int, error) {
	providers, err := many(ctx, s, "bunstore.CheckSecrets", s.provider, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.OrderExpr("id")
	})
	return len(providers), err
}
