package dircache

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/vezne/vezne/core/owner"
)

// ProvidersByID gives providers by id; those that are not at hand are read at once.
func (s *Store) ProvidersByID(ctx context.Context, ids []int64) ([]owner.Provider, error) {
	all, err := several(ctx, s, &s.providers, ids, s.Store.ProvidersByID, func(p owner.Provider) int64 { return p.ID })
	for i := range all {
		all[i], _ = ownProvider(all[i], nil)
	}
	return all, err
}

// DealersByID gives dealers by id, likewise.
func (s *Store) DealersByID(ctx context.Context, ids []int64) ([]owner.Dealer, error) {
	all, err := several(ctx, s, &s.dealers, ids, s.Store.DealersByID, func(d owner.Dealer) int64 { return d.ID })
	for i := range all {
		all[i], _ = ownDealer(all[i], nil)
	}
	return all, err
}

func several[T any](
	ctx context.Context, s *Store, k *kept[T], ids []int64, read func(context.Context, []int64) ([]T, error), idOf func(T) int64,
) ([]T, error) {
	now := s.clock.Now()
	var all []T
	var missing []int64
	k.mu.RLock()
	epoch := k.epoch
	for _, id := range ids {
		if e, ok := k.entries[strconv.FormatInt(id, 10)]; ok && now.Sub(e.at) < MaxAge {
			all = append(all, e.value)
		} else {
			missing = append(missing, id)
		}
	}
	k.mu.RUnlock()
	if len(missing) > 0 {
		rows, err := read(ctx, missing)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			k.put(strconv.FormatInt(idOf(row), 10), entry[T]{value: row, at: now}, epoch)
		}
		all = append(all, rows...)
	}
	slices.SortFunc(all, func(a, b T) int { return cmp.Compare(idOf(a), idOf(b)) })
	return all, nil
}
