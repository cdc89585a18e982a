package bunstore_test

import (
	"slices"

	"github.com/vezne/vezne/core"
)

// counted counts all payments one by one.
type counted struct {
	payments  map[core.ID]core.Payment
	callbacks []core.Callback
}

func newCounted() *counted { return &counted{payments: map[core.ID]core.Payment{}} }

func (c *counted) take(change core.Changeset) {
	for _, p := range core.RowsOf[core.Payment](change) {
		c.payments[p.ID] = p
	}
	c.callbacks = append(c.callbacks, core.RowsOf[core.Callback](change)...)
}

func (c *counted) statistics(q core.StatisticsQuery) []core.StatisticsRow {
	sums := core.NewStatisticsSums(q)
	for _, p := range c.payments {
		sums.Count(core.FactOf(p, slices.DeleteFunc(slices.Clone(c.callbacks), func(cb core.Callback) bool {
			return cb.PaymentID != p.ID
		})))
	}
	return sums.Rows()
}
