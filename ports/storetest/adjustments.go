package storetest

import (
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/wallet"
)

func adjustmentSentences() []sentence {
	return []sentence{
		{"adjustments are one wallet's and one day's, by number", adjustmentsOfDay},
		{"an adjustment of a number exists once for a wallet's day", adjustmentsOnce},
		{"of many adjustments of a number that are booked at once one is", adjustmentsAtOnce},
		{"an adjustment that takes more than there is leaves nothing of its changeset", adjustmentOfTooMuch},
	}
}

// adjustment is an entry that settles a day.
func (m *maker) adjustment(walletID int64, day core.Day, number int, minor int64) ledger.Entry {
	e := m.bareEntry(walletID, ledger.EntryAdjustment, minor)
	e.Day, e.Number, e.BookedBy, e.Note, e.LineID = day, number, actor(9), awkward, "adjustment-"+string(e.ID)
	return e
}

func (w *world) adjustments(walletID int64, day core.Day) []ledger.Entry {
	w.t.Helper()
	found, err := w.store.Adjustments(w.ctx, walletID, day)
	w.no(err)
	return found
}

func adjustmentsOfDay(w *world) {
	wallet, other := w.funded(100), w.funded(100)
	second, first := w.adjustment(wallet.ID, today, 2, -5), w.adjustment(wallet.ID, today, 1, 7)
	later, theirs := w.adjustment(wallet.ID, tomorrow, 1, 1), w.adjustment(other.ID, today, 1, 1)
	w.commit(core.Changeset{second, first, later, theirs, w.bareEntry(wallet.ID, ledger.EntryIncoming, 1)})
	w.same([]ledger.Entry{first, second}, w.adjustments(wallet.ID, today))
	w.same([]ledger.Entry{later}, w.adjustments(wallet.ID, tomorrow))
	w.same([]ledger.Entry{theirs}, w.adjustments(other.ID, today))
	w.same(0, len(w.adjustments(wallet.ID, ""))+len(w.adjustments(wallet.ID+1, today))+len(w.adjustments(other.ID, tomorrow)))
	w.holds(wallet, 104, 0)
}

func adjustmentsOnce(w *world) {
	wallet := w.funded(100)
	first := w.adjustment(wallet.ID, today, 1, -5)
	line := w.lineOfEntry(first)
	w.commit(core.Changeset{first, line})
	again := w.adjustment(wallet.ID, today, 1, -5)
	w.refused(fault.Conflict, core.Changeset{
		again,
		w.lineOfEntry(again),
	})
	w.refused(fault.Conflict, core.Changeset{again})
	twins := []ledger.Entry{w.adjustment(wallet.ID, today, 2, 1), w.adjustment(wallet.ID, today, 2, 1)}
	w.refused(fault.Conflict, core.Rows(twins))
	w.same([]ledger.Entry{first}, w.adjustments(wallet.ID, today))
	w.same(1, len(w.allLines(wallet.ID)))
	w.holds(wallet, 95, 0)
}

func adjustmentsAtOnce(w *world) {
	const callers = 8
	wallet := w.funded(100)
	changes := make([]core.Changeset, callers)
	for i := range changes {
		e := w.adjustment(wallet.ID, today, 1, -5)
		changes[i] = core.Changeset{e, w.lineOfEntry(e)}
	}
	errs := together(callers, func(i int) error { return w.store.Commit(w.ctx, changes[i]) })
	w.same(1, w.won(errs, fault.Conflict))
	w.same(1, len(w.adjustments(wallet.ID, today)))
	w.same(1, len(w.allLines(wallet.ID)))
	w.holds(wallet, 95, 0)
}

func adjustmentOfTooMuch(w *world) {
	held := w.funded(4)
	e := w.adjustment(held.ID, today, 1, -5)
	w.refused(fault.Insufficient, core.Changeset{
		e,
		w.lineOfEntry(e),
		w.bareDay(held.ID, today),
	})
	w.same(0, len(w.adjustments(held.ID, today))+len(w.allLines(held.ID))+len(w.days(wallet.ReconciliationQuery{WalletID: held.ID, Paging: core.Paging[wallet.DayCursor]{Limit: 1}})))
	w.holds(held, 4, 0)
}

// lineOfEntry is what shows an adjustment on the wallet's statement.
func (m *maker) lineOfEntry(e ledger.Entry) wallet.BankLine {
	l := m.bareLine(e.WalletID, e.At)
	l.LineID, l.Status = e.LineID, wallet.LineMatched
	return l
}
