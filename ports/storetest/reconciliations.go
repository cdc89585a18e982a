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

func reconciliationSentences() []sentence {
	return []sentence{
		{"days are narrowed by dealer, wallet, day and what is open, newest first", daysNarrowed},
	}
}

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
						Scope: core.Scope{DealerID: dealerID}, WalletID: walletID, IsOpen: isOpen,
						Paging: core.Paging[wallet.DayCursor]{After: wallet.DayCursor{Day: before}, Limit: core.MaxPage},
					}
					want := slices.DeleteFunc(slices.Clone(all), func(r wallet.Reconciliation) bool {
						return dealerID != 0 && r.DealerID != dealerID || walletID != 0 && r.WalletID != walletID ||
							before != "" && r.Day >= before || isOpen != nil && *isOpen == (r.OpenCount() == 0)
					})
					w.same(want, w.days(q))
					q.Limit = 3
					w.same(want[:min(3, len(want))], w.days(q))
				}
			}
		}
	}
	w.same(0, len(w.days(wallet.ReconciliationQuery{})))
}

func dayBookSentences() []sentence {
	return []sentence{
		{"a day has the lines booked in it and the entries made in it, from included, until excluded", dayOfItsOwn},
		{"a line brings its entry, whenever that was made", lineBringsEntry},
		{"a line of a transfer brings its post, whenever that was made", lineBringsPost},
		{"a post brings the lines of its transfer, whenever they are booked", postBringsLines},
		{"a day has nothing of another wallet", dayOfOneWallet},
		{"a day has everything once, oldest first", dayOnce},
		{"lines and entries of a day are of one moment", dayAtOneMoment},
	}
}

// The day of these sentences is from nine to ten of the day after epoch. The maker's IDs are made at epoch.
func theHour() (from, until time.Time) { return tomorrowAt(9), tomorrowAt(10) }

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
	from, until := theHour()
	gotLines, gotEntries := w.dayBook(walletID, from, until)
	w.same(lines, gotLines)
	w.same(entries, gotEntries)
}

func dayOfItsOwn(w *world) {
	from, until := theHour()
	held := w.funded(100)
	var lines []wallet.BankLine
	var entries []ledger.Entry
	for _, at := range []time.Time{
		from.Add(-time.Microsecond), from, until.Add(-time.Microsecond), until, epoch, from.Add(time.Minute),
	} {
		lines = append(lines, w.lineAt(held.ID, at))
		entries = append(entries, w.entryAt(held.ID, ledger.EntryReserve, at))
	}
	w.commit(core.Changeset{}.Merge(core.Rows(lines)).Merge(core.Rows(entries)))
	w.bookIs(held.ID, []wallet.BankLine{lines[1], lines[2], lines[5]}, []ledger.Entry{entries[1], entries[2], entries[5]})
	w.bookIs(held.ID+1, nil, nil)
	for _, empty := range [][2]time.Time{{until, from}, {from, from}} {
		noLines, noEntries := w.dayBook(held.ID, empty[0], empty[1])
		w.same(0, len(noLines)+len(noEntries))
	}
}

func lineBringsEntry(w *world) {
	from, _ := theHour()
	held := w.funded(0)
	in, out := w.lineAt(held.ID, from), w.lineAt(held.ID, epoch)
	late, other := w.credit(in), w.credit(out)
	late.At, other.At = from.Add(90*time.Hour), from.Add(90*time.Hour)
	w.commit(core.Changeset{in, out, late, other})
	w.bookIs(held.ID, []wallet.BankLine{in}, []ledger.Entry{late})
}

func lineBringsPost(w *world) {
	from, _ := theHour()
	held := w.funded(100)
	reserve, post := w.entryAt(held.ID, ledger.EntryReserve, epoch), w.entryAt(held.ID, ledger.EntryPost, from.Add(90*time.Hour))
	post.PaymentID = reserve.PaymentID
	l := w.lineAt(held.ID, from)
	l.Direction, l.Status, l.PaymentID = gateway.Outgoing, wallet.LineMatched, post.PaymentID
	w.commit(core.Changeset{l, reserve, post})
	w.bookIs(held.ID, []wallet.BankLine{l}, []ledger.Entry{post})
}

func postBringsLines(w *world) {
	from, _ := theHour()
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

func dayOfOneWallet(w *world) {
	from, _ := theHour()
	held, other := w.funded(100), w.funded(100)
	here := w.lineAt(held.ID, from)
	there := w.lineAt(other.ID, from)
	there.LineID = here.LineID
	post := w.entryAt(other.ID, ledger.EntryIncoming, from)
	post.Kind = ledger.EntryPost
	here.Status, here.PaymentID = wallet.LineMatched, post.PaymentID
	w.commit(core.Changeset{here, there, w.credit(there), post})
	w.bookIs(held.ID, []wallet.BankLine{here}, nil)
}

func dayOnce(w *world) {
	from, _ := theHour()
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

// dayAtOneMoment reads while others import: a line that is there has its entry, and an entry its line.
func dayAtOneMoment(w *world) {
	const callers, times = 8, 10
	from, until := theHour()
	wallet := w.funded(0)
	errs := together(callers, func(int) error {
		for range times {
			l := w.lineAt(wallet.ID, from)
			e := w.credit(l)
			e.At = from
			err := w.store.Commit(w.ctx, core.Changeset{l, e})
			if err != nil {
				return err
			}
			lines, entries, err := w.store.DayBook(w.ctx, wallet.ID, from, until)
			if err == nil && len(lines) != len(entries) {
				err = fmt.Errorf("%d lines beside %d entries", len(lines), len(entries))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	w.same(callers, w.won(errs, ""))
}
