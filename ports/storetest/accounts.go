package storetest

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
)

func accountSentences() []sentence {
	return []sentence{
		{"accounts are one dealer's and of one kind, by id, inactive ones too", accountsByID},
		{"a dealer without accounts has none", func(w *world) {
			loads, err := w.store.AccountLoads(w.ctx, 7, owner.EIBANAccount, today)
			w.no(err)
			w.same(0, len(loads))
		}},
		{"nothing offered is a load of nothing at version 0", nothingOffered},
		{"a use that expects the load's version is made", expectedUse},
		{"a use that expects another version is a conflict and changes nothing", unexpectedUse},
		{"a use without expectation is added to whatever is there", anyVersionUse},
		{"giving back takes from the load and keeps the time of the last offer", givingBack},
		{"each day has a load of its own", daysAreApart},
		{"several uses of one account in a changeset all count", usesTogether},
		{"saving an account leaves its load alone", savingKeepsLoad},
		{"concurrent uses without expectation sum exactly", concurrentUses},
		{"of concurrent uses that expect one version exactly one wins", oneUseWins},
	}
}

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
}

func nothingOffered(w *world) {
	a := w.account(7)
	w.commit(core.Changeset{a})
	w.same(owner.DailyUsage{Account: a, Day: today}, w.load(a, today))
}

func expectedUse(w *world) {
	a := w.account(7)
	w.commit(core.Changeset{a})
	for version := range 3 {
		w.commit(core.Changeset{use(a.ID, version)})
	}
	l := w.load(a, today)
	w.same([]int{30_000, 3, 3}, []int{int(l.Used.Minor()), l.Count, l.LoadVersion})
}

func unexpectedUse(w *world) {
	a := w.account(7)
	w.commit(core.Changeset{a})
	w.refused(fault.Conflict, core.Changeset{use(a.ID, 1)})
	w.commit(core.Changeset{use(a.ID, 0)}, core.Changeset{use(a.ID, 1)})
	before := w.load(a, today)
	for _, expect := range []int{0, 1, 3} {
		w.refused(fault.Conflict, core.Changeset{use(a.ID, expect)})
	}
	w.same(before, w.load(a, today))
}

func anyVersionUse(w *world) {
	a := w.account(7)
	w.commit(core.Changeset{a})
	w.commit(core.Changeset{use(a.ID, owner.AnyVersion)})
	w.commit(core.Changeset{use(a.ID, 1)})
	w.commit(core.Changeset{use(a.ID, owner.AnyVersion)})
	l := w.load(a, today)
	w.same([]int{30_000, 3, 3}, []int{int(l.Used.Minor()), l.Count, l.LoadVersion})
	w.refused(fault.Conflict, core.Changeset{use(a.ID, 2)})
}

func givingBack(w *world) {
	a := w.account(7)
	w.commit(core.Changeset{a, use(a.ID, 0)})
	back := owner.LimitUsage{AccountID: a.ID, Day: today, Amount: lira(-4_000), Count: -1, Expect: owner.AnyVersion}
	w.commit(core.Changeset{back})
	w.same(owner.DailyUsage{
		Account: a, Day: today, Used: lira(6_000), LoadVersion: 2, LastOfferedAt: epoch,
	}, w.load(a, today))
	later := use(a.ID, 2)
	later.At = epoch.Add(time.Hour)
	w.commit(core.Changeset{later})
	w.same(owner.DailyUsage{
		Account: a, Day: today, Used: lira(16_000), Count: 1, LoadVersion: 3, LastOfferedAt: epoch.Add(time.Hour),
	}, w.load(a, today))
}

func daysAreApart(w *world) {
	a := w.account(7)
	next := use(a.ID, 0)
	next.Day, next.Amount = tomorrow, lira(1)
	w.commit(core.Changeset{a, use(a.ID, 0), next})
	w.same(lira(10_000), w.load(a, today).Used)
	w.same(lira(1), w.load(a, tomorrow).Used)
	w.same(owner.DailyUsage{Account: a, Day: "2026-03-16"}, w.load(a, "2026-03-16"))
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

func concurrentUses(w *world) {
	const callers = 200
	a := w.account(7)
	w.commit(core.Changeset{a})
	errs := together(callers, func(i int) error {
		u := use(a.ID, owner.AnyVersion)
		u.Amount = lira(int64(i + 1))
		return w.store.Commit(w.ctx, core.Changeset{u})
	})
	w.same(callers, w.won(errs, ""))
	l := w.load(a, today)
	w.same([]int{callers * (callers + 1) / 2, callers, callers}, []int{int(l.Used.Minor()), l.Count, l.LoadVersion})
}

func oneUseWins(w *world) {
	const callers, rounds = 40, 4
	a := w.account(7)
	w.commit(core.Changeset{a})
	for version := range rounds {
		errs := together(callers, func(int) error {
			return w.store.Commit(w.ctx, core.Changeset{use(a.ID, version)})
		})
		w.same(1, w.won(errs, fault.Conflict))
		l := w.load(a, today)
		w.same([]int{(version + 1) * 10_000, version + 1, version + 1}, []int{int(l.Used.Minor()), l.Count, l.LoadVersion})
	}
}
