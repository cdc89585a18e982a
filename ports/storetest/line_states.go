package storetest

import (
	"slices"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
)

func lineStateSentences() []sentence {
	return []sentence{
		{"saving a line replaces where it stands and nothing that the bank said", savedLine},
		{"each state of a line comes back", everyLineState},
		{"the next version of a line is saved, once, and any other is a conflict", lineVersions},
		{"saving a line of another wallet's name leaves that one alone", savedElsewhere},
		{"an entry about a line that is saved is booked", bookedLate},
		{"an import of a line that was saved keeps what was saved", importedAfterSave},
		{"a line that is saved comes once in a changeset, and not beside its import", savedTwice},
		{"saved and new lines may come together", savedAmongNew},
		{"a stale line leaves nothing of its changeset", staleLine},
		{"of many who save a line one wins", savedTogether},
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
	other.Text, other.EndToEnd, other.Reverses, other.State = "", "", "", core.LineDoubtful
	other.Amount, other.Note, other.PaymentID = lira(1), "why", other.ID
	w.commit(core.Changeset{other})
	first.Version, first.State, first.PaymentID, first.Note = 2, core.LineDoubtful, other.ID, "why"
	w.same([]core.BankLine{first}, w.allLines(first.WalletID))
	w.same(first, w.lineOf(first.WalletID, first.LineID))
	bare := core.BankLine{WalletID: first.WalletID, LineID: first.LineID, Version: 3, State: core.LineUnmatched}
	w.commit(core.Changeset{bare})
	first.Version, first.State, first.PaymentID, first.Note, first.WasDoubtful = 3, core.LineUnmatched, "", "", false
	w.same(first, w.lineOf(first.WalletID, first.LineID))
}

func everyLineState(w *world) {
	for _, state := range core.LineStates() {
		l := w.bankLine(7)
		l.State = state
		w.commit(core.Changeset{l})
		w.same(l, w.lineOf(7, l.LineID))
		for _, next := range core.LineStates() {
			l = save(l, next, "")
			w.commit(core.Changeset{l})
			w.same(l, w.lineOf(7, l.LineID))
		}
	}
}

func lineVersions(w *world) {
	l := w.bankLine(w.funded(0).ID)
	at := func(version int) core.Changeset {
		saved := save(l, core.LineDoubtful, "")
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

func savedElsewhere(w *world) {
	here, there := w.bankLine(7), w.bankLine(8)
	there.LineID = here.LineID
	w.commit(core.Changeset{here, there})
	here = save(here, core.LineSetAside, "")
	w.commit(core.Changeset{here})
	w.same(here, w.lineOf(7, here.LineID))
	w.same(there, w.lineOf(8, here.LineID))
}

func bookedLate(w *world) {
	wallet := w.funded(0)
	l := w.bankLine(wallet.ID)
	l.State, l.PaymentID = core.LineUnbooked, ""
	w.commit(core.Changeset{l})
	w.holds(wallet, 0, 0)
	l = save(l, core.LineUnmatched, "")
	entry := w.credit(l)
	w.commit(core.Changeset{l, entry})
	w.same(l, w.lineOf(wallet.ID, l.LineID))
	w.same([]core.LedgerEntry{entry}, w.entries(wallet.ID))
	w.holds(wallet, lineMinor, 0)
	l = save(l, core.LineMatched, w.payment().ID)
	w.refused(fault.Conflict, core.Changeset{
		l,
		w.credit(l),
	})
	taking := w.credit(w.bankLine(wallet.ID))
	taking.Available, taking.Outside = lira(-lineMinor-1), lira(lineMinor+1)
	w.refused(fault.Insufficient, core.Changeset{l, taking})
	w.same(2, w.lineOf(wallet.ID, l.LineID).Version)
}

func importedAfterSave(w *world) {
	wallet := w.funded(0)
	imported := w.bankLine(wallet.ID)
	saved := save(imported, core.LineMatched, w.payment().ID)
	w.commit(
		core.Changeset{imported, w.credit(imported)},
		core.Changeset{saved},
		core.Changeset{imported, w.credit(imported)},
	)
	w.same([]core.BankLine{saved}, w.allLines(wallet.ID))
	w.holds(wallet, lineMinor, 0)
}

func savedTwice(w *world) {
	l := w.bankLine(7)
	second, third := save(l, core.LineDoubtful, ""), save(l, core.LineSetAside, "")
	third.Version = 3
	for _, lines := range [][]core.BankLine{{l, second}, {second, l}, {second, second}} {
		w.refused(fault.Conflict, core.Rows(lines))
	}
	w.same(0, len(w.allLines(7)))
	w.commit(core.Changeset{l})
	for _, lines := range [][]core.BankLine{{l, second}, {second, l}, {l, l, second}, {second, second}, {second, third}} {
		w.refused(fault.Conflict, core.Rows(lines))
	}
	w.same([]core.BankLine{l}, w.allLines(7))
}

func savedAmongNew(w *world) {
	wallet := w.funded(0)
	var lines []core.BankLine
	for range 6 {
		lines = append(lines, w.bankLine(wallet.ID))
	}
	w.commit(core.Rows(lines[:3]))
	change := core.Changeset{
		lines[3],
		save(lines[0], core.LineDoubtful, ""),
		lines[2],
		save(lines[1], core.LineMatched, lines[1].ID),
		lines[4],
	}
	for _, l := range core.RowsOf[core.BankLine](change) {
		change = append(change, w.credit(l))
	}
	w.commit(change)
	w.holds(wallet, 4*lineMinor, 0) // of the one that was known there is none
	want := []core.BankLine{lines[4], lines[3], lines[2], core.RowsOf[core.BankLine](change)[3], core.RowsOf[core.BankLine](change)[1]}
	w.same(want, w.allLines(wallet.ID))
}

func staleLine(w *world) {
	wallet := w.funded(0)
	known, other, fresh := w.bankLine(wallet.ID), w.bankLine(wallet.ID), w.bankLine(wallet.ID)
	w.commit(core.Changeset{known, other})
	stale := save(save(known, core.LineDoubtful, ""), core.LineSetAside, "")
	p := w.payment()
	w.refused(fault.Conflict, core.Changeset{
		p,
		fresh,
		save(other, core.LineSetAside, ""),
		stale,
		w.credit(fresh),
	})
	_, err := w.store.PaymentByTrackingCode(w.ctx, p.TrackingCode)
	w.fails(fault.NotFound, err)
	w.same([]core.BankLine{other, known}, w.allLines(wallet.ID))
	w.holds(wallet, 0, 0)
}

func savedTogether(w *world) {
	const callers = 50
	l := w.bankLine(7)
	w.commit(core.Changeset{l})
	errs := together(callers, func(int) error {
		p := w.payment()
		return w.store.Commit(w.ctx, core.Changeset{
			p,
			save(l, core.LineMatched, p.ID),
		})
	})
	w.same(1, w.won(errs, fault.Conflict))
	saved := w.lineOf(7, l.LineID)
	w.same(2, saved.Version)
	p, err := w.store.PaymentByID(w.ctx, saved.PaymentID)
	w.no(err)
	w.same(saved.PaymentID, p.ID)
}

// savedWhileImported has two kinds of callers meet at every line. A store may lose a race, as two processes do.
func savedWhileImported(w *world) {
	const lines, piece = 60, 20
	wallet := w.funded(0)
	var all, saved []core.BankLine
	for range lines {
		l := w.bankLine(wallet.ID)
		all, saved = append(all, l), append(saved, save(l, core.LineMatched, l.ID))
	}
	w.commit(core.Rows(all))
	errs := together(2*lines, func(i int) error {
		change := core.Changeset{w.credit(saved[i/2])}.Merge(core.Rows(saved[i/2 : i/2+1]))
		if i%2 == 0 {
			change = core.Rows(all[max(0, i/2-piece) : i/2+1])
			for _, l := range core.RowsOf[core.BankLine](change) {
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
	w.same(saved, w.allLines(wallet.ID))
	w.holds(wallet, lines*lineMinor, 0)
}
