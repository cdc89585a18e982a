package storetest

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
)

func accountsByID(w *world) {
	first, second, third, otherKind := w.account(7), w.account(7), w.account(7), w.account(7)
	second.IsActive, otherKind.Kind, otherKind.IBAN = false, owner.EIBANAccount, w.iban()
	w.commit(
		core.Changeset{third, otherKind, w.account(8)},
		core.Changeset{second, first, use(third.ID, 0)},
	)
	loads, err := w.store.AccountLoads(w.ctx, 7, owner.ManualAccount, today)
	w.no(err)
	w.same([]owner.DailyUsage{
		{Account: first, Day: today}, {Account: second, Day: today},
		{Account: third, Day: today, Used: lira(10_000), Count: 1, LoadVersion: 1, LastOfferedAt: epoch},
	}, loads)
	w.same(otherKind, w.load(otherKind, today).Account)
	loads, err = w.store.AccountLoads(w.ctx, 9, owner.ManualAccount, today)
	w.no(err)
	w.same(0, len(loads))
}

func usesCount(w *world) {
	a := w.account(7)
	w.commit(core.Changeset{a})
	is := func(day core.Day, minor int64, count, version int, at time.Time) {
		w.t.Helper()
		w.same(owner.DailyUsage{
			Account: a, Day: day, Used: lira(minor), Count: count, LoadVersion: version, LastOfferedAt: at,
		}, w.load(a, day))
	}
	refused := func(expected ...int) {
		w.t.Helper()
		before := w.load(a, today)
		for _, version := range expected {
			w.refused(fault.Conflict, core.Changeset{use(a.ID, version)})
		}
		w.same(before, w.load(a, today))
	}
	later := use(a.ID, 3)
	later.At = epoch.Add(time.Hour)
	back := owner.LimitUsage{AccountID: a.ID, Day: today, Amount: lira(-4_000), Count: -1, Expect: owner.AnyVersion}
	next := use(a.ID, 0)
	next.Day, next.Amount = tomorrow, lira(1)

	is(today, 0, 0, 0, time.Time{})
	refused(1)
	w.commit(core.Changeset{use(a.ID, 0)})
	refused(0, 2)
	w.commit(core.Changeset{use(a.ID, 1)}, core.Changeset{use(a.ID, owner.AnyVersion)}, core.Changeset{later})
	refused(0, 3, 5)
	is(today, 40_000, 4, 4, later.At)
	w.commit(core.Changeset{next}, core.Changeset{back}) // who gives back offers nothing
	is(today, 36_000, 3, 5, later.At)
	is(tomorrow, 1, 1, 1, epoch)
	is("2026-03-16", 0, 0, 0, time.Time{})
	first := w.account(8)
	w.commit(core.Changeset{first, use(first.ID, owner.AnyVersion)})
	w.same(1, w.load(first, today).LoadVersion)
}

// usesTogether is what ending many payments at once does: it gives back to the same account again and again.
func usesTogether(w *world) {
	const offers = 5
	a, other := w.account(7), w.account(8)
	w.commit(core.Changeset{a, other, use(other.ID, 0)})
	var change core.Changeset
	for range offers {
		change = append(change, use(a.ID, owner.AnyVersion), use(other.ID, owner.AnyVersion))
	}
	w.commit(change)
	l := w.load(a, today)
	w.same([]int{offers * 10_000, offers, offers}, []int{int(l.Used.Minor()), l.Count, l.LoadVersion})
	l = w.load(other, today)
	w.same([]int{6 * 10_000, 6, 6}, []int{int(l.Used.Minor()), l.Count, l.LoadVersion})
}

func savingKeepsLoad(w *world) {
	a := w.account(7)
	w.commit(core.Changeset{a, use(a.ID, 0)})
	want := w.load(a, today)
	a.Version, a.DailyLimit, a.IsActive = 2, lira(5), false
	w.commit(core.Changeset{a})
	want.Account = a
	w.same(want, w.load(a, today))
}
