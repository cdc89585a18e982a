package storetest

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/wallet"
)

func bankLineSentences() []sentence {
	return []sentence{
		{"a line that is known is kept as it was and its entry is left out", knownLine},
		{"the same import again changes nothing", sameImport},
		{"an entry may name a line that is not in its changeset, once", entryOfOldLine},
		{"of a line that comes twice in a changeset the first is kept", lineTwice},
		{"a line of one name may be in every wallet", sameLineElsewhere},
		{"an entry that is left out leaves the rest of its changeset", leftOutAlone},
	}
}

func knownLine(w *world) {
	held := w.funded(0)
	first, again := w.bankLine(held.ID), w.bareLine(held.ID, tomorrowAt(9))
	again.LineID, again.Amount = first.LineID, lira(5)
	entry := w.credit(first)
	w.commit(
		core.Changeset{first, entry},
		core.Changeset{again, w.credit(again)},
	)
	w.same([]wallet.BankLine{first}, w.allLines(held.ID))
	w.same([]ledger.Entry{entry}, w.entries(held.ID))
	w.holds(held, lineMinor, 0)
	alone := w.bankLine(held.ID) // without an entry
	w.commit(
		core.Changeset{alone},
		core.Changeset{alone, w.credit(alone)},
	)
	w.holds(held, lineMinor, 0)
}

// sameImport is what committing again after an unknown outcome does.
func sameImport(w *world) {
	held := w.funded(0)
	one, other := w.bankLine(held.ID), w.bankLine(held.ID)
	change := core.Changeset{
		one,
		other,
		w.credit(one),
		w.credit(other),
	}
	w.commit(change, change, change)
	w.same([]wallet.BankLine{other, one}, w.allLines(held.ID))
	w.holds(held, 2*lineMinor, 0)
}

func entryOfOldLine(w *world) {
	wallet := w.funded(0)
	l := w.bankLine(wallet.ID)
	w.commit(
		core.Changeset{l},
		core.Changeset{w.credit(l), w.bankLine(wallet.ID)},
	)
	w.refused(fault.Conflict, core.Changeset{w.credit(l)})
	unknown := w.bankLine(wallet.ID)
	w.refused(fault.Conflict, core.Changeset{
		unknown,
		w.credit(unknown),
		w.credit(unknown),
	})
	w.commit(core.Changeset{w.credit(unknown)})
	w.refused(fault.Conflict, core.Changeset{
		unknown,
		w.credit(unknown),
	})
	w.holds(wallet, 2*lineMinor, 0)
	w.same(2, len(w.allLines(wallet.ID)))
}

func lineTwice(w *world) {
	held := w.funded(0)
	first, second := w.bankLine(held.ID), w.bankLine(held.ID)
	second.LineID = first.LineID
	w.commit(core.Changeset{
		first,
		second,
		w.credit(first),
	})
	w.same([]wallet.BankLine{first}, w.allLines(held.ID))
	w.holds(held, lineMinor, 0)
}

func sameLineElsewhere(w *world) {
	one, other := w.funded(0), w.funded(0)
	here, there := w.bankLine(one.ID), w.bankLine(other.ID)
	there.LineID = here.LineID
	w.commit(
		core.Changeset{here, w.credit(here)},
		core.Changeset{there, w.credit(there)},
	)
	w.same([]wallet.BankLine{here}, w.allLines(one.ID))
	w.same([]wallet.BankLine{there}, w.allLines(other.ID))
	w.holds(one, lineMinor, 0)
	w.holds(other, lineMinor, 0)
}

func leftOutAlone(w *world) {
	wallet := w.funded(100)
	l := w.bankLine(wallet.ID)
	w.commit(core.Changeset{l, w.credit(l)})
	p, kept := w.payment(), w.entry(wallet.ID, ledger.EntryReserve, 30)
	taking := w.credit(l)
	taking.Available, taking.Outside = lira(-9*lineMinor), lira(9*lineMinor)
	w.commit(core.Changeset{
		p,
		l,
		taking,
		kept,
	})
	w.same(p, w.byCode(p.TrackingCode))
	w.holds(wallet, lineMinor+70, 30)
	elsewhere := w.bankLine(w.wallet(7).ID) // a wallet that is not there
	w.commit(core.Changeset{elsewhere})
	w.refused(fault.Conflict, core.Changeset{
		elsewhere,
		w.credit(elsewhere),
	})
}

func bankLinePageSentences() []sentence {
	return []sentence{
		{"lines come newest first, by moment and then by id", linesInOrder},
		{"lines are of one wallet, from included, until excluded", linesBetween},
		{"pages cover everything once, and the total is of all", linePages},
		{"what a changeset that fails would have imported is not counted", failedLines},
		{"lines imported late are counted where they belong", lateLines},
	}
}

func linesInOrder(w *world) {
	at := tomorrowAt(9)
	var want []wallet.BankLine
	for _, id := range []string{"ğ", "z", "b", "a", "Z", "10", "1"} { // by bytes, greatest first
		l := w.bareLine(7, at)
		l.LineID, l.Direction = id, gateway.Incoming
		want = append(want, l)
	}
	older, newer := w.bareLine(7, at.Add(-time.Microsecond)), w.bareLine(7, at.Add(time.Microsecond))
	older.LineID, newer.LineID = "zz", "0"
	want = slices.Concat([]wallet.BankLine{newer}, want, []wallet.BankLine{older})
	mixed := slices.Clone(want)
	slices.SortFunc(mixed, func(a, b wallet.BankLine) int { return cmp.Compare(a.ID, b.ID) })
	w.commit(core.Rows(mixed[4:]), core.Rows(mixed[:4]))
	w.same(want, w.allLines(7))
}

// linesBetween asks for times that end at a quarter of an hour, beside one, and within one.
func linesBetween(w *world) {
	var all []wallet.BankLine
	for i := range 200 {
		all = append(all, w.bareLine(7, tomorrowAt(9).Add(time.Duration(i*i%97)*time.Minute)))
	}
	slices.SortFunc(all, func(a, b wallet.BankLine) int {
		return cmp.Or(b.BookedAt.Compare(a.BookedAt), cmp.Compare(b.LineID, a.LineID))
	})
	w.commit(core.Rows(all), core.Changeset{w.bareLine(8, tomorrowAt(9))})
	minutes := []int{-60, 0, 1, 7, 14, 15, 16, 30, 44, 45, 59, 60, 90, 96, 97, 200}
	for _, from := range minutes {
		for _, until := range minutes {
			q := wallet.BankLineQuery{
				WalletID: 7, From: tomorrowAt(9).Add(time.Duration(from) * time.Minute),
				Until: tomorrowAt(9).Add(time.Duration(until) * time.Minute), Limit: core.MaxPage,
			}
			lines, total := w.bankLines(q)
			want := within(all, q)
			w.same(len(want), total)
			w.same(want, lines)
		}
	}
}

func within(all []wallet.BankLine, q wallet.BankLineQuery) []wallet.BankLine {
	return slices.DeleteFunc(slices.Clone(all), func(l wallet.BankLine) bool {
		return l.BookedAt.Before(q.From) || !l.BookedAt.Before(q.Until)
	})
}

// linePages spreads lines over three days, many of them in a few minutes, and reads pages at every depth.
func linePages(w *world) {
	const lines = 1200
	start := time.Date(2026, time.March, 14, 21, 0, 0, 0, time.UTC) // a day's beginning in Istanbul
	var all []wallet.BankLine
	for i := range lines {
		at := start.Add(time.Duration(i) * 72 * time.Hour / lines)
		if i%3 == 0 {
			at = start.Add(30*time.Hour + time.Duration(i)*time.Second)
		}
		all = append(all, w.bareLine(7, at))
	}
	for chunk := range slices.Chunk(all, 170) {
		w.commit(core.Rows(chunk))
	}
	slices.SortFunc(all, func(a, b wallet.BankLine) int {
		return cmp.Or(b.BookedAt.Compare(a.BookedAt), cmp.Compare(b.LineID, a.LineID))
	})
	for name, q := range map[string]wallet.BankLineQuery{
		"three days": {From: start, Until: start.AddDate(0, 0, 3)},
		"a part":     {From: start.Add(5 * time.Hour).Add(-time.Second), Until: start.Add(50 * time.Hour).Add(7 * time.Minute)},
	} {
		w.t.Run(name, func(t *testing.T) {
			w := w.in(t)
			q.WalletID = 7
			w.pagesAre(within(all, q), q)
		})
	}
}

func (w *world) pagesAre(want []wallet.BankLine, q wallet.BankLineQuery) {
	w.t.Helper()
	for q.Skip = 0; q.Skip < len(want)+200; q.Skip += 100 {
		q.Limit = 100
		lines, total := w.bankLines(q)
		w.same(len(want), total)
		w.same(want[min(q.Skip, len(want)):min(q.Skip+100, len(want))], lines)
	}
	for _, skip := range []int{1, 399, 400, 401, 799, len(want) - 1, len(want), 1_000_000, -1} {
		for _, limit := range []int{0, 1} {
			q.Skip, q.Limit = skip, limit
			lines, total := w.bankLines(q)
			from := min(max(skip, 0), len(want))
			w.same(len(want), total)
			w.same(want[from:min(from+limit, len(want))], lines)
		}
	}
}

func failedLines(w *world) {
	held := w.funded(0)
	kept, lost := w.bankLine(held.ID), w.bankLine(held.ID)
	w.commit(core.Changeset{kept})
	w.refused(fault.Insufficient, core.Changeset{
		lost,
		kept,
		w.entry(held.ID, ledger.EntryReserve, 1),
	})
	w.same([]wallet.BankLine{kept}, w.allLines(held.ID))
	w.commit(core.Changeset{lost, kept})
	w.same([]wallet.BankLine{lost, kept}, w.allLines(held.ID))
}

func lateLines(w *world) {
	var all []wallet.BankLine
	for i := range 30 {
		all = append(all, w.bareLine(7, tomorrowAt(9).Add(-time.Duration(i)*11*time.Minute)))
		w.commit(core.Rows(all[max(0, i-2):])) // with some that are known
		if i%10 == 9 {
			w.same(all, w.allLines(7))
		}
	}
}
