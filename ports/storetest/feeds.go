package storetest

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/wallet"
)

func soundHealth(w *world) {
	w.same(wallet.FeedHealth{}, feedHealth(w))
	f, l, day := w.feed(7), w.bankLine(7), w.bareDay(7, today)
	f.FailureCount, f.IsLedgerOff = 0, false
	day.Differences = []wallet.Difference{w.explained(wallet.MissingHere)}
	set := w.bankLine(7)
	set.Status = wallet.LineSetAside
	w.commit(core.Changeset{
		f,
		l,
		set,
		day,
		w.bareDay(7, tomorrow),
	})
	w.same(wallet.FeedHealth{OldestRead: f.ReadUntil}, feedHealth(w))
}

func unsoundHealth(w *world) {
	var change core.Changeset
	for i := range 5 {
		f, day := w.feed(int64(10+i)), w.reconciliation(int64(10+i), today)
		f.FailureCount, f.IsLedgerOff, f.ReadUntil = i, i < 2, epoch.Add(time.Duration(-i)*time.Hour)
		if i == 3 {
			f.ReadUntil = time.Time{} // never read
		}
		if i == 4 {
			f.NextReadAt = time.Time{} // off
		}
		if i == 2 {
			day.Differences[1].Reason, day.IsCut = awkward, false
		}
		change = append(change, f, day)
	}
	for i := range 10 {
		l := w.bankLine(7)
		l.Status, l.ImportedAt = wallet.LineStatuses()[i%5], epoch.Add(time.Duration(-i)*time.Minute)
		change = append(change, l)
	}
	w.commit(change)
	w.same(wallet.FeedHealth{
		Troubled: 4, LedgerOff: 2, OldestRead: epoch.Add(-2 * time.Hour), WaitingLines: 6, OpenDays: 4,
		OldestWaiting: epoch.Add(-9 * time.Minute),
	}, feedHealth(w))
	oldest := save(core.RowsOf[wallet.BankLine](change)[9], wallet.LineMatched, "")
	w.commit(core.Changeset{oldest})
	after := feedHealth(w)
	w.same([]any{5, epoch.Add(-7 * time.Minute)}, []any{after.WaitingLines, after.OldestWaiting})
}

func feedHealth(w *world) wallet.FeedHealth {
	w.t.Helper()
	h, err := w.store.FeedHealth(w.ctx)
	w.no(err)
	return h
}
