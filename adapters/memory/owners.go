package memory

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/vezne/vezne/core"
)

// findKey finds a row by its key, or by the one from before a rotation.
func findKey[R any](t *table[int64, R], key string) (R, bool) {
	if found, ok := t.find(key); ok {
		return found, true
	}
	return t.find(previous(core.PreviousKey{Key: core.NewSecret(key)}))
}

// previous keeps a key from before a rotation apart from the present ones.
func previous(k core.PreviousKey) string { return named("previous/", k.Key.Reveal()) }

// byID gives at most limit rows in the order of their ids, beginning behind one.
func byID[R any](t *table[int64, R], after int64, limit int, keeps func(R) bool) []R {
	found := t.where(func(r R) bool { return t.key(r) > after && keeps(r) })
	slices.SortFunc(found, func(a, b R) int { return cmp.Compare(t.key(a), t.key(b)) })
	return first(found, limit)
}

// Providers implements ports.DirectoryLists.
func (s *Store) Providers(ctx context.Context, q core.OwnerQuery) ([]core.Provider, error) {
	return list(ctx, s, "memory.Providers", func() []core.Provider {
		return byID(s.providers, q.After, q.Limit, func(p core.Provider) bool { return q.Matches(p.Name, p.IsActive) })
	})
}

// Dealers implements ports.DirectoryLists.
func (s *Store) Dealers(ctx context.Context, q core.OwnerQuery) ([]core.Dealer, error) {
	return list(ctx, s, "memory.Dealers", func() []core.Dealer {
		return byID(s.dealers, q.After, q.Limit, func(d core.Dealer) bool {
			return q.Covers(d.ID) && q.Matches(d.Name, d.IsActive)
		})
	})
}

// SiteTokensOf implements ports.DirectoryLists.
func (s *Store) SiteTokensOf(ctx context.Context, dealerID int64) ([]core.SiteToken, error) {
	return list(ctx, s, "memory.SiteTokensOf", func() []core.SiteToken {
		found := s.siteTokens.where(func(t core.SiteToken) bool { return t.DealerID == dealerID })
		slices.SortFunc(found, func(a, b core.SiteToken) int { return cmp.Compare(a.ID, b.ID) })
		return found
	})
}

// SiteToken implements ports.DirectoryLists.
func (s *Store) SiteToken(ctx context.Context, id int64) (core.SiteToken, error) {
	return read(ctx, s, "memory.SiteToken", func() (core.SiteToken, bool) { return s.siteTokens.get(id) })
}

// Account implements ports.DirectoryLists.
func (s *Store) Account(ctx context.Context, id int64) (core.Account, error) {
	return read(ctx, s, "memory.Account", func() (core.Account, bool) { return s.accounts.get(id) })
}

// CustomerHistory implements ports.Customers.
func (s *Store) CustomerHistory(ctx context.Context, c core.CustomerKey) (core.CustomerHistory, error) {
	return read(ctx, s, "memory.CustomerHistory", func() (core.CustomerHistory, bool) {
		payments := s.payments.where(func(p core.Payment) bool {
			return p.ProviderID == c.ProviderID && p.Customer.UserID == c.UserID
		})
		slices.SortFunc(payments, func(a, b core.Payment) int { return strings.Compare(string(b.ID), string(a.ID)) })
		return core.HistoryOf(payments), true
	})
}

// BlockOf implements ports.Customers.
func (s *Store) BlockOf(ctx context.Context, c core.CustomerKey) (core.Block, error) {
	return read(ctx, s, "memory.BlockOf", func() (core.Block, bool) {
		b, ok := s.blocks[c]
		return b, ok
	})
}

// Blocks implements ports.Customers.
func (s *Store) Blocks(ctx context.Context, q core.BlockQuery) ([]core.Block, error) {
	return list(ctx, s, "memory.Blocks", func() []core.Block {
		var found []core.Block
		for _, b := range s.blocks {
			isOlder := q.After == core.BlockCursor{} || q.After.Compare(b.Cursor()) < 0
			if isOlder && (q.ProviderID == 0 || q.ProviderID == b.ProviderID) {
				found = append(found, b)
			}
		}
		slices.SortFunc(found, func(a, b core.Block) int { return a.Cursor().Compare(b.Cursor()) })
		return first(found, q.Limit)
	})
}

// takesUnblocks tells whether each of the customers is on the block list, and comes once.
func (s *Store) takesUnblocks(customers []core.CustomerKey) bool {
	seen := map[core.CustomerKey]bool{}
	for _, c := range customers {
		if _, ok := s.blocks[c]; !ok || seen[c] {
			return false
		}
		seen[c] = true
	}
	return true
}

func (s *Store) deleteBlocks(customers []core.CustomerKey) {
	for _, c := range customers {
		delete(s.blocks, c)
	}
}
