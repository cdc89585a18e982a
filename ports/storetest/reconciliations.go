package storetest

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/wallet"
)

func daysNarrowed(w *world) {
	var all []wallet.Reconciliation
	for i := range 60 {
		r := w.reconciliation(int64(10+i%6), core.Day(fmt.Sprintf("2026-%02d-%02d", 1+i/30, 1+i/6*3%28)))
		if r.DealerID = int64(1 + i%3); i%4 == 3 {
			r.Differences, r.IsCut = r.Differences[:1], false
		}
		all = append(all, r)
	}
	w.commit(core.Rows(all[25:]), core.Rows(all[:25]))
	slices.SortFunc(all, func(a, b wallet.Reconciliation) int {
		return cmp.Or(cmp.Compare(b.Day, a.Day), cmp.Compare(b.WalletID, a.WalletID))
	})
	for _, dealerID := range []int64{0, 1, 3, 4, -1} {
		for _, walletID := range []int64{0, 10, 12, 15, 9} {
			for _, before := range []core.Day{"", "2026-01-01", all[20].Day, "2026-02-09", "2027"} {
				for _, isOpen := range []*bool{nil, new(true), new(false)} {
					q := wallet.ReconciliationQuery{
						Scope: core.Scope{DealerID: dealerID}, WalletID: walletID, IsOpen: isOpen, Paging: core.Paging[wallet.DayCursor]{After: wallet.DayCursor{Day: before}, Limit: core.MaxPage},
					}
					want := slices.DeleteFunc(slices.Clone(all), func(r wallet.Reconciliation) bool {
						return dealerID != 0 && r.DealerID != dealerID || walletID != 0 && r.WalletID != walletID ||
							before != "" && r.Day >= before || isOpen != nil && *isOpen == (r.OpenCount() == 0)
					})
					w.same(want, read(w, w.store.Reconciliations, q))
					q.Limit = 3
					w.same(want[:min(3, len(want))], read(w, w.store.Reconciliations, q))
				}
			}
		}
	}
	w.same(0, len(read(w, w.store.Reconciliations, wallet.ReconciliationQuery{})))
}

// The day of these cases is from nine to ten of the day after epoch. The maker's IDs are made at epoch.

// lineAt is an incoming line that is booked at a moment and belongs to nothing.
func (w *world) lineAt(walletID int64, at time.Time) wallet.BankLine {
	l := w.bankLine(walletID)
	l.BookedAt, l.Status, l.PaymentID = at, wallet.LineUnmatched, ""
	return l
}

func (w *world) entryAt(walletID int64, kind ledger.EntryKind, at time.Time) ledger.Entry {
	e := w.entry(walletID, kind, 1)
	e.At = at
	return e
}

func (w *world) bookIs(walletID int64, lines []wallet.BankLine, entries []ledger.Entry) {
	w.t.Helper()
	gotLines, gotEntries, err := w.store.DayBook(w.ctx, walletID, tomorrowAt(9), tomorrowAt(10))
	w.no(err)
	w.same(lines, gotLines)
	w.same(entries, gotEntries)
}

func dayOfItsOwn(w *world) {
	from, until := tomorrowAt(9), tomorrowAt(10)
	held, other := w.funded(100), w.funded(100)
	var lines []wallet.BankLine
	var entries []ledger.Entry
	for _, at := range []time.Time{
		from.Add(-time.Microsecond), from, until.Add(-time.Microsecond), until, epoch, from.Add(time.Minute),
	} {
		lines = append(lines, w.lineAt(held.ID, at))
		entries = append(entries, w.entryAt(held.ID, ledger.EntryReserve, at))
	}
	there, post := w.lineAt(other.ID, from), w.entryAt(other.ID, ledger.EntryIncoming, from)
	post.Kind, there.LineID = ledger.EntryPost, lines[1].LineID
	lines[2].Status, lines[2].PaymentID = wallet.LineMatched, post.PaymentID
	w.commit(core.Changeset{there, w.credit(there), post}.Merge(core.Rows(lines)).Merge(core.Rows(entries)))
	w.bookIs(held.ID, []wallet.BankLine{lines[1], lines[2], lines[5]}, []ledger.Entry{entries[1], entries[2], entries[5]})
	w.bookIs(0, nil, nil)
	for _, empty := range [][2]time.Time{{until, from}, {from, from}} {
		noLines, noEntries, err := w.store.DayBook(w.ctx, held.ID, empty[0], empty[1])
		w.no(err)
		w.same(0, len(noLines)+len(noEntries))
	}
}

func lineBrings(w *world) {
	from, late := tomorrowAt(9), tomorrowAt(9).Add(90*time.Hour)
	held := w.funded(100)
	in, outside := w.lineAt(held.ID, from), w.lineAt(held.ID, epoch)
	itsEntry, other := w.credit(in), w.credit(outside)
	itsEntry.At, other.At = late, late
	reserve, post := w.entryAt(held.ID, ledger.EntryReserve, epoch), w.entryAt(held.ID, ledger.EntryPost, late)
	post.PaymentID = reserve.PaymentID
	out := w.lineAt(held.ID, from)
	out.Direction, out.Status, out.PaymentID = gateway.Outgoing, wallet.LineMatched, post.PaymentID
	w.commit(core.Changeset{in, outside, itsEntry, other, out, reserve, post})
	w.bookIs(held.ID, []wallet.BankLine{in, out}, []ledger.Entry{itsEntry, post})
}

func postBringsLines(w *world) {
	from := tomorrowAt(9)
	held := w.funded(100)
	reserve, post := w.entryAt(held.ID, ledger.EntryReserve, epoch), w.entryAt(held.ID, ledger.EntryPost, from)
	post.PaymentID = reserve.PaymentID
	early, late, other := w.lineAt(held.ID, epoch), w.lineAt(held.ID, from.Add(90*time.Hour)), w.lineAt(held.ID, epoch)
	early.Status, early.PaymentID, early.Direction = wallet.LineMatched, post.PaymentID, gateway.Outgoing
	late.Status, late.PaymentID = wallet.LineMatched, post.PaymentID
	released := w.entryAt(held.ID, ledger.EntryRelease, from)
	other.Status, other.PaymentID = wallet.LineMatched, released.PaymentID
	w.commit(core.Changeset{
		early,
		late,
		other,
		reserve,
		post,
		w.entryAt(held.ID, ledger.EntryReserve, epoch),
	}, core.Changeset{released})
	w.bookIs(held.ID, []wallet.BankLine{early, late}, []ledger.Entry{post, released})
}

func dayOnce(w *world) {
	from := tomorrowAt(9)
	held := w.funded(1000)
	var change core.Changeset
	for i := range 20 { // each is in the day for every reason that there is
		at := from.Add(time.Duration(i*7%20) * time.Minute)
		reserve, post := w.entryAt(held.ID, ledger.EntryReserve, at), w.entryAt(held.ID, ledger.EntryPost, at)
		l := w.lineAt(held.ID, at)
		post.PaymentID = reserve.PaymentID
		l.Status, l.PaymentID = wallet.LineMatched, reserve.PaymentID
		credit := w.credit(l)
		credit.At = at
		change = append(change, l)
		change = append(change, reserve, post, credit)
	}
	w.commit(change)
	w.bookIs(held.ID, core.RowsOf[wallet.BankLine](change), core.RowsOf[ledger.Entry](change))
}
