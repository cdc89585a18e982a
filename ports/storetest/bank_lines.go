package storetest

import (
	"cmp"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/wallet"
)

// knownLine commits again, as after an unknown outcome, in the same words and in others.
func knownLine(w *world) {
	held, elsewhere := w.funded(0), w.funded(0)
	first, second, there := w.bankLine(held.ID), w.bankLine(held.ID), w.bankLine(elsewhere.ID)
	there.LineID = first.LineID
	again := w.bareLine(held.ID, tomorrowAt(9))
	again.LineID, again.Amount = first.LineID, lira(5)
	change := core.Changeset{first, second, there, w.credit(first), w.credit(there)} // the second has no entry, and never will
	w.commit(change, change)
	p := w.payment()
	w.commit(core.Changeset{p, again, w.credit(again), second, w.credit(second), w.entry(held.ID, ledger.EntryReserve, 30)})
	w.isStored(p)
	w.same([]wallet.BankLine{second, first}, w.allLines(held.ID))
	w.same([]wallet.BankLine{there}, w.allLines(elsewhere.ID))
	w.holds(held, lineMinor-30, 30)
	w.holds(elsewhere, lineMinor, 0)
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
	elsewhere := w.bankLine(w.wallet(7).ID) // a wallet that is not there
	w.commit(core.Changeset{elsewhere})
	w.refused(fault.Conflict, core.Changeset{
		elsewhere,
		w.credit(elsewhere),
	})
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

func savedLine(w *world) {
	held := w.funded(0)
	first := w.bankLine(held.ID)
	imported := core.Changeset{first, w.credit(first)}
	w.commit(imported)
	other := w.bareLine(first.WalletID, epoch)
	other.LineID, other.Version, other.Amount = first.LineID, 2, lira(1)
	other.Status, other.Note, other.PaymentID, other.ReversedByLineID = wallet.LineDoubtful, "why", other.ID, "its reversal"
	w.commit(core.Changeset{other}, imported)
	first.Version, first.Status, first.PaymentID, first.Note, first.WasDoubtful = 2, wallet.LineDoubtful, other.ID, "why", false
	first.ReversedByLineID = "its reversal"
	w.same([]wallet.BankLine{first}, w.allLines(first.WalletID))
	w.isStored(first)
	w.commit(core.Changeset{wallet.BankLine{
		WalletID: first.WalletID, LineID: first.LineID, Version: 3, Status: wallet.LineUnmatched, WasDoubtful: true,
	}})
	first.Version, first.Status, first.PaymentID, first.Note, first.WasDoubtful = 3, wallet.LineUnmatched, "", "", true
	first.ReversedByLineID = ""
	w.isStored(first)
	w.holds(held, lineMinor, 0)
}

func lineVersions(w *world) {
	l := w.bankLine(w.funded(0).ID)
	at := func(version int) core.Changeset {
		saved := save(l, wallet.LineDoubtful, "")
		saved.Version = version
		return core.Changeset{saved}
	}
	w.refused(fault.Conflict, at(2))
	w.refused(fault.Conflict, at(0))
	w.commit(core.Changeset{l})
	for _, wrong := range []int{-1, 0, 3} {
		w.refused(fault.Conflict, at(wrong))
	}
	w.isStored(l)
	w.commit(at(2), at(3))
	for _, wrong := range []int{0, 2, 3, 5} {
		w.refused(fault.Conflict, at(wrong))
	}
}

func bookedLate(w *world) {
	held := w.funded(0)
	l := w.bankLine(held.ID)
	l.Status, l.PaymentID = wallet.LineUnbooked, ""
	w.commit(core.Changeset{l})
	w.holds(held, 0, 0)
	l = save(l, wallet.LineUnmatched, "")
	entry := w.credit(l)
	w.commit(core.Changeset{l, entry})
	w.isStored(l, entry)
	w.holds(held, lineMinor, 0)
	l = save(l, wallet.LineMatched, w.payment().ID)
	w.refused(fault.Conflict, core.Changeset{
		l,
		w.credit(l),
	})
}

func savedTwice(w *world) {
	l := w.bankLine(7)
	second, third := save(l, wallet.LineDoubtful, ""), save(l, wallet.LineSetAside, "")
	third.Version = 3
	for _, lines := range [][]wallet.BankLine{{l, second}, {second, l}, {second, second}} {
		w.refused(fault.Conflict, core.Rows(lines))
	}
	w.nothingThere(l)
	w.commit(core.Changeset{l})
	for _, lines := range [][]wallet.BankLine{{l, second}, {second, l}, {l, l, second}, {second, second}, {second, third}} {
		w.refused(fault.Conflict, core.Rows(lines))
	}
	w.isStored(l)
}

func savedAmongNew(w *world) {
	held := w.funded(0)
	var lines []wallet.BankLine
	for range 6 {
		lines = append(lines, w.bankLine(held.ID))
	}
	w.commit(core.Rows(lines[:3]))
	change := core.Changeset{
		lines[3],
		save(lines[0], wallet.LineDoubtful, ""),
		lines[2],
		save(lines[1], wallet.LineMatched, lines[1].ID),
		lines[4],
	}
	for _, l := range core.RowsOf[wallet.BankLine](change) {
		change = append(change, w.credit(l))
	}
	w.commit(change)
	w.holds(held, 4*lineMinor, 0) // of the one that was known there is none
	want := []wallet.BankLine{lines[4], lines[3], lines[2], core.RowsOf[wallet.BankLine](change)[3], core.RowsOf[wallet.BankLine](change)[1]}
	w.same(want, w.allLines(held.ID))
}

func linesInOrder(w *world) {
	at := tomorrowAt(9)
	var want []wallet.BankLine
	for _, id := range []string{"ğ", "z", "b", "a", "Z", "10", "1"} {
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

// linePages spreads lines over three days, many of them at a few moments, and imports some again. It asks for times that
// end at a quarter of an hour, beside one, and within one, at every depth.
func linePages(w *world) {
	const lines = 600
	start := time.Date(2026, time.March, 14, 21, 0, 0, 0, time.UTC) // a day's beginning in Istanbul
	var all []wallet.BankLine
	for i := range lines {
		at := start.Add(time.Duration(i) * 72 * time.Hour / lines)
		if i%3 == 0 {
			at = start.Add(30*time.Hour + time.Duration(i/20)*time.Minute)
		}
		all = append(all, w.bareLine(7, at))
	}
	for i := 0; i < lines; i += 150 {
		w.commit(core.Rows(all[max(0, i-20) : i+150]))
	}
	w.commit(core.Changeset{w.bareLine(8, start)})
	slices.SortFunc(all, func(a, b wallet.BankLine) int {
		return cmp.Or(b.BookedAt.Compare(a.BookedAt), cmp.Compare(b.LineID, a.LineID))
	})
	times := []time.Duration{
		0, 29*time.Hour + 50*time.Minute, 30*time.Hour + time.Second, 50*time.Hour + 7*time.Minute, 80 * time.Hour,
	}
	for _, from := range times {
		for _, until := range times {
			q := wallet.BankLineQuery{WalletID: 7, From: start.Add(from), Until: start.Add(until)}
			want := slices.DeleteFunc(slices.Clone(all), func(l wallet.BankLine) bool {
				return l.BookedAt.Before(q.From) || !l.BookedAt.Before(q.Until)
			})
			for _, q.Skip = range []int{-1, 0, 1, 99, 199, 200, 201, len(want) - 1, len(want), 1_000_000} {
				for _, q.Limit = range []int{0, 100} {
					begin := min(max(q.Skip, 0), len(want))
					found, total, err := w.store.BankLines(w.ctx, q)
					w.no(err)
					w.same(len(want), total)
					w.same(want[begin:min(begin+q.Limit, len(want))], found)
				}
			}
		}
	}
}
