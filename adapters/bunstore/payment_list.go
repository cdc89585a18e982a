package bunstore

import (
	"context"
	"strings"
)

// newest puts queries of a table together, each of which gives at most limit rows and the newest first.
func newest[R, T any](
	ctx context.Context, s *Store, op string, turn func(R) (T, error), parts []any, limit int,
) ([]T, error) {
	var rows []R
	union := strings.TrimSuffix(strings.Repeat("SELECT * FROM (?) AS part UNION ALL ", len(parts)), " UNION ALL ")
	err := s.reads.NewRaw("SELECT * FROM ("+union+") AS parts ORDER BY id DESC LIMIT ?", append(parts, limit)...).
		Scan(ctx, &rows)
	if err != nil {
		return nil, fail(op, err)
	}
	return all(op, turn, rows)
}
