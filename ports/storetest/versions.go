package storetest

import (
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
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
			row := all.Payments[0]
			row.Version = version
			return core.Changeset{Payments: []core.Payment{row}}
		},
		"callback": func(version int) core.Changeset {
			row := all.Callbacks[0]
			row.Version = version
			return core.Changeset{Callbacks: []core.Callback{row}}
		},
		"provider": func(version int) core.Changeset {
			row := all.Providers[0]
			row.Version = version
			return core.Changeset{Providers: []core.Provider{row}}
		},
		"site": func(version int) core.Changeset {
			row := all.Sites[0]
			row.Version = version
			return core.Changeset{Sites: []core.Site{row}}
		},
		"dealer": func(version int) core.Changeset {
			row := all.Dealers[0]
			row.Version = version
			return core.Changeset{Dealers: []core.Dealer{row}}
		},
		"site token": func(version int) core.Changeset {
			row := all.SiteTokens[0]
			row.Version = version
			return core.Changeset{SiteTokens: []core.SiteToken{row}}
		},
		"account": func(version int) core.Changeset {
			row := all.Accounts[0]
			row.Version = version
			return core.Changeset{Accounts: []core.Account{row}}
		},
		"staff": func(version int) core.Changeset {
			row := all.Staff[0]
			row.Version = version
			return core.Changeset{Staff: []core.Staff{row}}
		},
		"session": func(version int) core.Changeset {
			row := all.Sessions[0]
			row.Version = version
			return core.Changeset{Sessions: []core.Session{row}}
		},
	}
}

func versionedAtGates(all core.Changeset) map[string]versions {
	return map[string]versions{
		"operation": func(version int) core.Changeset {
			row := all.Operations[0]
			row.Version = version
			return core.Changeset{Operations: []core.Operation{row}}
		},
		"discrepancy": func(version int) core.Changeset {
			row := all.Discrepancies[0]
			row.Version = version
			return core.Changeset{Discrepancies: []core.Discrepancy{row}}
		},
		"notification": func(version int) core.Changeset {
			row := all.Notifications[0]
			row.Version = version
			return core.Changeset{Notifications: []core.Notification{row}}
		},
		"gateway account": func(version int) core.Changeset {
			row := all.GatewayAccounts[0]
			row.Version = version
			return core.Changeset{GatewayAccounts: []core.GatewayAccount{row}}
		},
		"route rule": func(version int) core.Changeset {
			row := all.RouteRules[0]
			row.Version = version
			return core.Changeset{RouteRules: []core.RouteRule{row}}
		},
	}
}

func versionedInWallets(all core.Changeset) map[string]versions {
	return map[string]versions{
		"wallet": func(version int) core.Changeset {
			row := all.Wallets[0]
			row.Version = version
			return core.Changeset{Wallets: []core.Wallet{row}}
		},
		"feed": func(version int) core.Changeset {
			row := all.Feeds[0]
			row.Version = version
			return core.Changeset{Feeds: []core.Feed{row}}
		},
		"job": func(version int) core.Changeset {
			row := all.Jobs[0]
			row.Version = version
			return core.Changeset{Jobs: []core.Job{row}}
		},
		"reconciliation": func(version int) core.Changeset {
			row := all.Reconciliations[0]
			row.Version = version
			return core.Changeset{Reconciliations: []core.Reconciliation{row}}
		},
	}
}

func staleLeavesNothing(w *world) {
	p := w.payment()
	w.commit(core.Changeset{Payments: []core.Payment{p}})
	late := p
	p.Version, p.Reason = 2, "the first to decide"
	w.commit(core.Changeset{Payments: []core.Payment{p}})
	late.Version, late.Reason = 2, "the second"
	w.refused(fault.Conflict, core.Changeset{
		Payments:  []core.Payment{late},
		Moves:     []core.Move{w.move(p.ID)},
		Callbacks: []core.Callback{w.callback(p.ID, "site/1/deposit")},
	})
	w.same(p, w.byCode(p.TrackingCode))
	if n := len(w.moves(p.ID)) + len(w.callbacksOf(p.ID)); n > 0 {
		w.t.Fatalf("%d rows of the loser are there", n)
	}
}

func staleAmongFresh(w *world) {
	rows := []core.Payment{w.payment(), w.payment(), w.payment()}
	w.commit(core.Changeset{Payments: rows})
	next := []core.Payment{rows[0], rows[1], rows[2]}
	next[0].Version, next[1].Version, next[2].Version = 2, 1, 2
	w.refused(fault.Conflict, core.Changeset{Payments: next})
	for _, p := range rows {
		w.same(p, w.byCode(p.TrackingCode))
	}
}
