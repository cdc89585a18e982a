package storetest_test

import (
	"context"

	"github.com/vezne/vezne/adapters/memory"
	"github.com/vezne/vezne/core"
)

// brokenDirectory is what may be broken about owners, customers and the block list.
type brokenDirectory struct {
	owners  func(q *core.OwnerQuery)
	blocks  func(q *core.BlockQuery)
	history func(h *core.CustomerHistory)
}

func (b broken) Providers(ctx context.Context, q core.OwnerQuery) ([]core.Provider, error) {
	if b.owners != nil {
		b.owners(&q)
	}
	return b.Store.Providers(ctx, q)
}

func (b broken) Dealers(ctx context.Context, q core.OwnerQuery) ([]core.Dealer, error) {
	if b.owners != nil {
		b.owners(&q)
	}
	return b.Store.Dealers(ctx, q)
}

func (b broken) Blocks(ctx context.Context, q core.BlockQuery) ([]core.Block, error) {
	if b.blocks != nil {
		b.blocks(&q)
	}
	return b.Store.Blocks(ctx, q)
}

func (b broken) CustomerHistory(ctx context.Context, c core.CustomerKey) (core.CustomerHistory, error) {
	h, err := b.Store.CustomerHistory(ctx, c)
	if b.history != nil {
		b.history(&h)
	}
	return h, err
}

func directoryDefects() []defect {
	return []defect{
		{"unblocks nobody", "block list/who is unblocked may pay again, and nobody else", func() broken {
			return broken{change: func(_ *memory.Store, c *core.Changeset) { c.Unblocks = nil }}
		}},
		{"unblocks who is not blocked", "block list/unblocking who is not blocked is a conflict and changes nothing", func() broken {
			return broken{change: func(s *memory.Store, c *core.Changeset) { c.Unblocks = blockedOf(s, c.Unblocks) }}
		}},
		{"pages by the moment only", "block list/pages of the block list cover it once, though many were blocked at one moment",
			func() broken {
				return broken{brokenDirectory: brokenDirectory{blocks: func(q *core.BlockQuery) { q.After.CustomerKey = core.CustomerKey{} }}}
			}},
		{"forgets keys before a rotation",
			"previous keys/an owner is found by its key from before a rotation too, whether or not that is still taken/provider",
			func() broken { return broken{change: noPrevious} }},
		{"compares names letter by letter",
			"owner lists/owners are narrowed by a part of the name, as names are compared, and by their switch", func() broken {
				return broken{brokenDirectory: brokenDirectory{owners: func(q *core.OwnerQuery) {
					if q.Name == "istanbul" {
						q.Name = "İstanbul Ö"
					}
				}}}
			}},
		{"shows every dealer", "owner lists/dealers come by id, and only those of the scope", func() broken {
			return broken{brokenDirectory: brokenDirectory{owners: func(q *core.OwnerQuery) { q.DealerID = 0 }}}
		}},
		{"forgets the oldest payment", "customers/of very many payments the newest are counted, and the oldest is known", func() broken {
			return broken{brokenDirectory: brokenDirectory{history: func(h *core.CustomerHistory) {
				if h.IsCut {
					h.FirstSeenAt = h.Names[0].FirstSeenAt
				}
			}}}
		}},
	}
}

func blockedOf(s *memory.Store, customers []core.CustomerKey) (blocked []core.CustomerKey) {
	for _, c := range customers {
		if _, err := s.BlockOf(context.Background(), c); err == nil {
			blocked = append(blocked, c)
		}
	}
	return blocked
}

func noPrevious(_ *memory.Store, c *core.Changeset) {
	c.Providers = append([]core.Provider{}, c.Providers...)
	for i := range c.Providers {
		c.Providers[i].PreviousAPIKey = core.PreviousKey{}
	}
}
