package bunstore

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
)

// byKey finds an owner by its key, or else by the one from before a rotation. That is asked apart, so that whoever has
// the present key is found by one index.
func byKey[R, T any](
	ctx context.Context, s *Store, op string, turn func(R) (T, error), present, previous, key string,
) (T, error) {
	by := func(column string) (T, error) {
		return one(ctx, s, op, turn, func(q *bun.SelectQuery) *bun.SelectQuery {
			return q.Where(column+" = ? AND "+column+" <> ''", key)
		})
	}
	found, err := by(present)
	if fault.Is(err, fault.NotFound) && key != "" {
		return by(previous)
	}
	return found, err
}

// ownersAtOnce is how many owners are read to find those of a name. There are few, and databases differ in how they fold
// letters: names are compared here.
const ownersAtOnce = 200

// listed reads owners by id until limit of them are kept.
func listed[R, T any](
	ctx context.Context, s *Store, op string, turn func(R) (T, error), q owner.OwnerQuery, id func(T) int64, keeps func(T) bool,
) ([]T, error) {
	limit := min(q.Limit, core.MaxPage+1)
	var found []T
	for len(found) < limit {
		rows, err := many(ctx, s, op, turn, func(query *bun.SelectQuery) *bun.SelectQuery {
			return query.Where("id > ?", q.After).OrderExpr("id").Limit(ownersAtOnce)
		})
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if q.After = id(row); keeps(row) && len(found) < limit {
				found = append(found, row)
			}
		}
		if len(rows) < ownersAtOnce {
			break
		}
	}
	return found, nil
}

// Providers implements ports.DirectoryLists.
func (s *Store) Providers(ctx context.Context, q owner.OwnerQuery) ([]owner.Provider, error) {
	return listed(ctx, s, "bunstore.Providers", s.provider, q, func(p owner.Provider) int64 { return p.ID },
		func(p owner.Provider) bool { return q.Matches(p.Name, p.IsActive) })
}

// Dealers implements ports.DirectoryLists.
func (s *Store) Dealers(ctx context.Context, q owner.OwnerQuery) ([]owner.Dealer, error) {
	return listed(ctx, s, "bunstore.Dealers", s.dealer, q, func(d owner.Dealer) int64 { return d.ID },
		func(d owner.Dealer) bool { return q.Covers(d.ID) && q.Matches(d.Name, d.IsActive) })
}

// SiteTokensOf implements ports.DirectoryLists.
func (s *Store) SiteTokensOf(ctx context.Context, dealerID int64) ([]owner.SiteToken, error) {
	return many(ctx, s, "bunstore.SiteTokensOf", s.siteToken, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("dealer_id = ?", dealerID).OrderExpr("id")
	})
}

// SiteToken implements ports.DirectoryLists.
func (s *Store) SiteToken(ctx context.Context, id int64) (owner.SiteToken, error) {
	return one(ctx, s, "bunstore.SiteToken", s.siteToken, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("id = ?", id)
	})
}

// Account implements ports.DirectoryLists.
func (s *Store) Account(ctx context.Context, id int64) (owner.Account, error) {
	return one(ctx, s, "bunstore.Account", accountRow.account, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("id = ?", id)
	})
}
