package bunstore_test

import (
	"slices"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

// counted counts all payments one by one.
type counted struct {
	payments  map[core.ID]payment.Payment
	callbacks []payment.Callback
}

func newCounted() *counted { return &counted{payments: map[core.ID]payment.Payment{}} }

func (c *counted) take(change core.Changeset) {
	for _, p := range core.RowsOf[payment.Payment](change) {
		c.payments[p.ID] = p
	}
	c.callbacks = append(c.callbacks, core.RowsOf[payment.Callback](change)...)
}

func (c *counted) statistics(q report.StatisticsQuery) []report.StatisticsRow {
	sums := report.NewStatisticsSums(q)
	for _, p := range c.payments {
		sums.Count(report.FactOf(p, slices.DeleteFunc(slices.Clone(c.callbacks), func(cb payment.Callback) bool {
			return cb.PaymentID != p.ID
		})))
	}
	return sums.Rows()
}
