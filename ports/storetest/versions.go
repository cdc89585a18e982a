package storetest

import (
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/routing"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
)

func versionSentences() []sentence {
	return []sentence{
		{"version 1 of a row that exists is a conflict", forEachRow(func(w *world, row versions) {
			w.commit(row(1))
			w.refused(fault.Conflict, row(1))
		})},
		{"a later version of a row that does not exist is a conflict", forEachRow(func(w *world, row versions) {
			w.refused(fault.Conflict, row(2))
			w.commit(row(1))
		})},
		{"version 0 is a conflict", forEachRow(func(w *world, row versions) {
			w.refused(fault.Conflict, row(0))
			w.commit(row(1))
			w.refused(fault.Conflict, row(0))
		})},
		{"the next version is saved, once", forEachRow(func(w *world, row versions) {
			w.commit(row(1), row(2), row(3))
			w.refused(fault.Conflict, row(3))
			w.commit(row(4))
		})},
		{"an old version is a conflict", forEachRow(func(w *world, row versions) {
			w.commit(row(1), row(2), row(3))
			w.refused(fault.Conflict, row(2))
			w.refused(fault.Conflict, row(1))
		})},
		{"a version that skips one is a conflict", forEachRow(func(w *world, row versions) {
			w.commit(row(1))
			w.refused(fault.Conflict, row(3))
			w.commit(row(2))
		})},
		{"a stale version is a conflict and nothing of the changeset stays", staleLeavesNothing},
		{"one stale row among fresh ones is enough for a conflict", staleAmongFresh},
	}
}

// versions gives one row, alone in a changeset, as whatever version of it.
type versions func(version int) core.Changeset

// forEachRow tests every kind of row that is saved by compare-and-set.
func forEachRow(test func(w *world, row versions)) func(w *world) {
	return func(w *world) {
		all := w.everything()
		for _, rows := range []map[string]versions{
			versioned(all), versionedAtGates(all), versionedInWallets(all), versionedSignIns(all), versionedApprovals(all),
		} {
			for name, row := range rows {
				w.t.Run(name, func(t *testing.T) { test(w.in(t), row) })
			}
		}
	}
}

func versioned(all core.Changeset) map[string]versions {
	return map[string]versions{
		"payment": func(version int) core.Changeset {
			row := core.RowsOf[payment.Payment](all)[0]
			row.Version = version
			return core.Changeset{row}
		},
		"callback": func(version int) core.Changeset {
			row := core.RowsOf[payment.Callback](all)[0]
			row.Version = version
			return core.Changeset{row}
		},
		"provider": func(version int) core.Changeset {
			row := core.RowsOf[owner.Provider](all)[0]
			row.Version = version
			return core.Changeset{row}
		},
		"site": func(version int) core.Changeset {
			row := core.RowsOf[owner.Site](all)[0]
			row.Version = version
			return core.Changeset{row}
		},
		"dealer": func(version int) core.Changeset {
			row := core.RowsOf[owner.Dealer](all)[0]
			row.Version = version
			return core.Changeset{row}
		},
		"site token": func(version int) core.Changeset {
			row := core.RowsOf[owner.SiteToken](all)[0]
			row.Version = version
			return core.Changeset{row}
		},
		"account": func(version int) core.Changeset {
			row := core.RowsOf[owner.Account](all)[0]
			row.Version = version
			return core.Changeset{row}
		},
		"staff": func(version int) core.Changeset {
			row := core.RowsOf[staff.Staff](all)[0]
			row.Version = version
			return core.Changeset{row}
		},
		"session": func(version int) core.Changeset {
			row := core.RowsOf[staff.Session](all)[0]
			row.Version = version
			return core.Changeset{row}
		},
	}
}

func versionedAtGates(all core.Changeset) map[string]versions {
	return map[string]versions{
		"operation": func(version int) core.Changeset {
			row := core.RowsOf[operation.Operation](all)[0]
			row.Version = version
			return core.Changeset{row}
		},
		"discrepancy": func(version int) core.Changeset {
			row := core.RowsOf[discrepancy.Discrepancy](all)[0]
			row.Version = version
			return core.Changeset{row}
		},
		"notification": func(version int) core.Changeset {
			row := core.RowsOf[operation.Notification](all)[0]
			row.Version = version
			return core.Changeset{row}
		},
		"gateway account": func(version int) core.Changeset {
			row := core.RowsOf[owner.GatewayAccount](all)[0]
			row.Version = version
			return core.Changeset{row}
		},
		"route rule": func(version int) core.Changeset {
			row := core.RowsOf[routing.RouteRule](all)[0]
			row.Version = version
			return core.Changeset{row}
		},
	}
}

func versionedInWallets(all core.Changeset) map[string]versions {
	return map[string]versions{
		"wallet": func(version int) core.Changeset {
			row := core.RowsOf[wallet.Wallet](all)[0]
			row.Version = version
			return core.Changeset{row}
		},
		"feed": func(version int) core.Changeset {
			row := core.RowsOf[wallet.Feed](all)[0]
			row.Version = version
			return core.Changeset{row}
		},
		"job": func(version int) core.Changeset {
			row := core.RowsOf[report.Job](all)[0]
			row.Version = version
			return core.Changeset{row}
		},
		"reconciliation": func(version int) core.Changeset {
			row := core.RowsOf[wallet.Reconciliation](all)[0]
			row.Version = version
			return core.Changeset{row}
		},
	}
}

func staleLeavesNothing(w *world) {
	p := w.payment()
	w.commit(core.Changeset{p})
	late := p
	p.Version, p.Reason = 2, "the first to decide"
	w.commit(core.Changeset{p})
	late.Version, late.Reason = 2, "the second"
	w.refused(fault.Conflict, core.Changeset{
		late,
		w.move(p.ID),
		w.callback(p.ID, "site/1/deposit"),
	})
	w.same(p, w.byCode(p.TrackingCode))
	if n := len(w.moves(p.ID)) + len(w.callbacksOf(p.ID)); n > 0 {
		w.t.Fatalf("%d rows of the loser are there", n)
	}
}

func staleAmongFresh(w *world) {
	rows := []payment.Payment{w.payment(), w.payment(), w.payment()}
	w.commit(core.Rows(rows))
	next := []payment.Payment{rows[0], rows[1], rows[2]}
	next[0].Version, next[1].Version, next[2].Version = 2, 1, 2
	w.refused(fault.Conflict, core.Rows(next))
	for _, p := range rows {
		w.same(p, w.byCode(p.TrackingCode))
	}
}
