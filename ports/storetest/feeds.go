package storetest

import (
	"fmt"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/wallet"
)

func feedSentences() []sentence {
	return []sentence{
		{"without feeds, lines and days nothing is wrong", soundHealth},
		{"health counts what is wrong, and finds the oldest", unsoundHealth},
		{"a wallet's entries are added up beside its balances", ledgerAddedUp},
		{"the sum of no wallet is not found", noLedger},
		{"sums and balances are of one moment", ledgerAtOneMoment},
	}
}

func soundHealth(w *world) {
	w.same(wallet.FeedHealth{}, w.feedHealth())
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
	w.same(wallet.FeedHealth{OldestRead: f.ReadUntil}, w.feedHealth())
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
	}, w.feedHealth())
	oldest := save(core.RowsOf[wallet.BankLine](change)[9], wallet.LineMatched, "")
	w.commit(core.Changeset{oldest})
	after := w.feedHealth()
	w.same([]any{5, epoch.Add(-7 * time.Minute)}, []any{after.WaitingLines, after.OldestWaiting})
}

func (w *world) ledgerSum(walletID int64) wallet.LedgerSum {
	w.t.Helper()
	sum, err := w.store.AddUpLedger(w.ctx, walletID)
	w.no(err)
	return sum
}

func ledgerAddedUp(w *world) {
	held, other := w.funded(1000), w.funded(5)
	w.commit(core.Changeset{
		w.entry(held.ID, ledger.EntryReserve, 700),
		w.entry(held.ID, ledger.EntryPost, 200),
		w.entry(held.ID, ledger.EntryOutgoing, 50),
		w.entry(other.ID, ledger.EntryIncoming, 5),
	})
	want := wallet.LedgerSum{
		Available: lira(250), Reserved: lira(500), Outside: lira(-750),
		SumAvailable: lira(250), SumReserved: lira(500), SumOutside: lira(-750),
	}
	w.same(want, w.ledgerSum(held.ID))
	w.same(true, w.ledgerSum(held.ID).IsRight())
	w.same(lira(10), w.ledgerSum(other.ID).SumAvailable)
	w.same(wallet.LedgerSum{}, w.ledgerSum(w.funded(0).ID))
}

func noLedger(w *world) {
	w.funded(5)
	for _, id := range []int64{0, 7, -1} {
		_, err := w.store.AddUpLedger(w.ctx, id)
		w.fails(fault.NotFound, err)
	}
}

func ledgerAtOneMoment(w *world) {
	const callers, times = 8, 10
	wallet := w.funded(100)
	errs := together(callers, func(int) error {
		for range times {
			change := core.Changeset{w.entry(wallet.ID, ledger.EntryIncoming, 1)}
			if err := w.store.Commit(w.ctx, change); err != nil {
				return err
			}
			sum, err := w.store.AddUpLedger(w.ctx, wallet.ID)
			if err == nil && !sum.IsRight() {
				err = fmt.Errorf("the ledger does not add up: %+v", sum)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	w.same(callers, w.won(errs, ""))
	w.same(lira(100+callers*times), w.ledgerSum(wallet.ID).SumAvailable)
}
