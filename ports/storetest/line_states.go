package storetest

import (
	"slices"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/wallet"
)

func lineStateSentences() []sentence {
	return []sentence{
		{"saving a line replaces where it stands and nothing that the bank said", savedLine},
		{"the next version of a line is saved, once, and any other is a conflict", lineVersions},
		{"an entry about a line that is saved is booked", bookedLate},
		{"an import of a line that was saved keeps what was saved", importedAfterSave},
		{"a line that is saved comes once in a changeset, and not beside its import", savedTwice},
		{"saved and new lines may come together", savedAmongNew},
		{"a stale line leaves nothing of its changeset", staleLine},
		{"the line that takes one back is kept, and the lines that do are found", reversals},
		{"of a credit and a reversal at once one comes after the other", creditedOrReversed},
		{"many lines are saved at the same time as others are imported", savedWhileImported},
	}
}

func savedLine(w *world) {
	first := w.bankLine(w.funded(0).ID)
	w.commit(core.Changeset{first})
	other := w.bankLine(first.WalletID)
	other.LineID, other.Version, other.Direction, other.Party = first.LineID, 2, gateway.Outgoing, gateway.Party{}
	other.Text, other.EndToEndID, other.ReversesLineID, other.Status = "", "", "", wallet.LineDoubtful
	other.Amount, other.Note, other.PaymentID = lira(1), "why", other.ID
	w.commit(core.Changeset{other})
	first.Version, first.Status, first.PaymentID, first.Note = 2, wallet.LineDoubtful, other.ID, "why"
	w.same([]wallet.BankLine{first}, w.allLines(first.WalletID))
	w.same(first, w.lineOf(first.WalletID, first.LineID))
	bare := wallet.BankLine{WalletID: first.WalletID, LineID: first.LineID, Version: 3, Status: wallet.LineUnmatched}
	w.commit(core.Changeset{bare})
	first.Version, first.Status, first.PaymentID, first.Note, first.WasDoubtful = 3, wallet.LineUnmatched, "", "", false
	w.same(first, w.lineOf(first.WalletID, first.LineID))
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
	w.same(l, w.lineOf(l.WalletID, l.LineID))
	w.commit(at(2), at(3))
	for _, wrong := range []int{0, 2, 3, 5} {
		w.refused(fault.Conflict, at(wrong))
	}
	w.same(3, w.lineOf(l.WalletID, l.LineID).Version)
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
	w.same(l, w.lineOf(held.ID, l.LineID))
	w.same([]ledger.Entry{entry}, w.entries(held.ID))
	w.holds(held, lineMinor, 0)
	l = save(l, wallet.LineMatched, w.payment().ID)
	w.refused(fault.Conflict, core.Changeset{
		l,
		w.credit(l),
	})
	taking := w.credit(w.bankLine(held.ID))
	taking.Available, taking.Outside = lira(-lineMinor-1), lira(lineMinor+1)
	w.refused(fault.Insufficient, core.Changeset{l, taking})
	w.same(2, w.lineOf(held.ID, l.LineID).Version)
}

func importedAfterSave(w *world) {
	held := w.funded(0)
	imported := w.bankLine(held.ID)
	saved := save(imported, wallet.LineMatched, w.payment().ID)
	w.commit(
		core.Changeset{imported, w.credit(imported)},
		core.Changeset{saved},
		core.Changeset{imported, w.credit(imported)},
	)
	w.same([]wallet.BankLine{saved}, w.allLines(held.ID))
	w.holds(held, lineMinor, 0)
}

func savedTwice(w *world) {
	l := w.bankLine(7)
	second, third := save(l, wallet.LineDoubtful, ""), save(l, wallet.LineSetAside, "")
	third.Version = 3
	for _, lines := range [][]wallet.BankLine{{l, second}, {second, l}, {second, second}} {
		w.refused(fault.Conflict, core.Rows(lines))
	}
	w.same(0, len(w.allLines(7)))
	w.commit(core.Changeset{l})
	for _, lines := range [][]wallet.BankLine{{l, second}, {second, l}, {l, l, second}, {second, second}, {second, third}} {
		w.refused(fault.Conflict, core.Rows(lines))
	}
	w.same([]wallet.BankLine{l}, w.allLines(7))
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

func staleLine(w *world) {
	held := w.funded(0)
	known, other, fresh := w.bankLine(held.ID), w.bankLine(held.ID), w.bankLine(held.ID)
	w.commit(core.Changeset{known, other})
	stale := save(save(known, wallet.LineDoubtful, ""), wallet.LineSetAside, "")
	p := w.payment()
	w.refused(fault.Conflict, core.Changeset{
		p,
		fresh,
		save(other, wallet.LineSetAside, ""),
		stale,
		w.credit(fresh),
	})
	_, err := w.store.PaymentByTrackingCode(w.ctx, p.TrackingCode)
	w.fails(fault.NotFound, err)
	w.same([]wallet.BankLine{other, known}, w.allLines(held.ID))
	w.holds(held, 0, 0)
}

// savedWhileImported has two kinds of callers meet at every line. A store may lose a race, as two processes do.
func savedWhileImported(w *world) {
	const lines, piece = 60, 20
	held := w.funded(0)
	var all, saved []wallet.BankLine
	for range lines {
		l := w.bankLine(held.ID)
		all, saved = append(all, l), append(saved, save(l, wallet.LineMatched, l.ID))
	}
	w.commit(core.Rows(all))
	errs := together(2*lines, func(i int) error {
		change := core.Changeset{w.credit(saved[i/2])}.Merge(core.Rows(saved[i/2 : i/2+1]))
		if i%2 == 0 {
			change = core.Rows(all[max(0, i/2-piece) : i/2+1])
			for _, l := range core.RowsOf[wallet.BankLine](change) {
				change = append(change, w.credit(l))
			}
		}
		err := fault.New("callers", fault.Conflict)
		for tries := 0; tries < lines && fault.Is(err, fault.Conflict); tries++ {
			err = w.store.Commit(w.ctx, change)
		}
		return err
	})
	w.same(2*lines, w.won(errs, ""))
	slices.Reverse(saved)
	w.same(saved, w.allLines(held.ID))
	w.holds(held, lines*lineMinor, 0)
}
