package storetest_test

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/vezne/vezne/core"
)

// brokenAdjustments is what may be broken about the entries that settle days.
type brokenAdjustments struct {
	settling func(list []core.LedgerEntry)
	everyDay bool // those of the day after are the day's as well
}

func (b broken) Adjustments(ctx context.Context, walletID int64, day core.Day) ([]core.LedgerEntry, error) {
	list, err := b.Store.Adjustments(ctx, walletID, day)
	if b.everyDay && day != "" {
		more, _ := b.Store.Adjustments(ctx, walletID, day.After())
		list = append(list, more...)
	}
	if b.settling != nil {
		b.settling(list)
	}
	return list, err
}

func adjustmentDefects() []defect {
	const once = "adjustments/an adjustment of a number exists once for a wallet's day"
	const atOnce = "adjustments/of many adjustments of a number that are booked at once one is"
	const listed = "adjustments/adjustments are one wallet's and one day's, by number"
	renumbered := func() broken {
		next := new(atomic.Int64)
		return broken{change: eachEntry(func(e *core.LedgerEntry) {
			if e.Day != "" {
				e.Number = int(next.Add(1))
			}
		})}
	}
	return []defect{
		{"settles a day twice", once, renumbered},
		{"settles a day twice at once", atOnce, renumbered},
		{"gives the newest adjustments first", listed, func() broken {
			return broken{brokenAdjustments: brokenAdjustments{settling: slices.Reverse[[]core.LedgerEntry]}}
		}},
		{"gives other days' adjustments", listed, func() broken {
			return broken{brokenAdjustments: brokenAdjustments{everyDay: true}}
		}},
		{"adjusts by more than there is", "adjustments/an adjustment that takes more than there is leaves nothing of its changeset",
			func() broken { return broken{commit: overdraw} }},
		{"forgets who adjusted", "ledger/every field of an entry comes back", func() broken {
			return broken{change: eachEntry(func(e *core.LedgerEntry) { e.By = core.Actor{} })}
		}},
	}
}
