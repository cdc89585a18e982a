package storetest

import (
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
)

func directorySentences() []sentence {
	return []sentence{
		{"what a caller does to its copy does not reach the store", noAliases},
	}
}

// isBlocked reports whether a customer is on the block list.
func isBlocked(ctx context.Context, s Store, customer owner.CustomerKey) (bool, error) {
	_, err := s.BlockOf(ctx, customer)
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	return err == nil, err
}

func noAliases(w *world) {
	p, d := w.provider(), w.dealer()
	w.commit(core.Changeset{p, d})
	p.IPWhitelist[0], d.IPWhitelist[0] = p.IPWhitelist[1], p.IPWhitelist[1]
	for range 2 {
		provider, err := w.store.Provider(w.ctx, p.ID)
		w.no(err)
		byKey, err := w.store.DealerByAPIKey(w.ctx, d.APIKey)
		w.no(err)
		w.same(whitelist(), provider.IPWhitelist)
		w.same(whitelist(), byKey.IPWhitelist)
		provider.IPWhitelist[0], byKey.IPWhitelist[0] = p.IPWhitelist[1], p.IPWhitelist[1]
	}
}
