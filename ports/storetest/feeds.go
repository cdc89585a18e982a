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
		{"every field of a feed comes back", everyFeedField},
		{"saving a feed replaces every field", feedSavedWhole},
		{"a feed is found by its wallet only", feedByWallet},
		{"a gateway account's feeds come by wallet, whether they are on or off", feedsOfGateway},
		{"without feeds, lines and days nothing is wrong", soundHealth},
		{"health counts what is wrong, and finds the oldest", unsoundHealth},
		{"a wallet's entries are added up beside its balances", ledgerAddedUp},
		{"the sum of no wallet is not found", noLedger},
		{"sums and balances are of one moment", ledgerAtOneMoment},
	}
}

func everyFeedField(w *world) {
	f := full(w, w.feed(7))
	w.commit(core.Changeset{w.feed(6), f, w.feed(8)})
	w.same(f, w.feedOf(7))
	bare := wallet.Feed{WalletID: 9, Version: 1}
	w.commit(core.Changeset{bare})
	w.same(bare, w.feedOf(9))
}

func feedSavedWhole(w *world) {
	filled, bare := w.feed(7), wallet.Feed{WalletID: 7, Version: 2, BankTotal: lira(0)}
	w.commit(core.Changeset{filled}, core.Changeset{bare})
	w.same(bare, w.feedOf(7))
	w.same(0, len(w.feedsOf(filled.GatewayID)))
	filled.Version = 3
	w.commit(core.Changeset{filled})
	w.same(filled, w.feedOf(7))
}

func feedByWallet(w *world) {
	f := w.feed(7)
	w.commit(core.Changeset{f})
	for _, id := range []int64{0, -1, 8, f.GatewayID} {
		_, err := w.store.Feed(w.ctx, id)
		w.fails(fault.NotFound, err)
	}
}

func (w *world) feedsOf(gatewayID int64) []wallet.Feed {
	w.t.Helper()
	found, err := w.store.FeedsAt(w.ctx, gatewayID)
	w.no(err)
	return found
}

func feedsOfGateway(w *world) {
	var own []wallet.Feed
	for _, id := range []int64{firstNumber, 3, 12, 1} {
		own = append(own, w.feed(id))
	}
	for i := range own {
		own[i].GatewayID = gate
	}
	own[1].NextAt = time.Time{}
	w.commit(core.Rows(append([]wallet.Feed{w.feed(2)}, own[:2]...)), core.Rows(own[2:]))
	w.same([]wallet.Feed{own[3], own[1], own[2], own[0]}, w.feedsOf(gate))
	w.same(0, len(w.feedsOf(gate+1)))
}

func soundHealth(w *world) {
	w.same(wallet.FeedHealth{}, w.feedHealth())
	f, l, day := w.feed(7), w.bankLine(7), w.bareDay(7, today)
	f.Failures, f.IsLedgerOff = 0, false
	day.Differences = []wallet.Difference{w.explained(wallet.MissingHere)}
	set := w.bankLine(7)
	set.State = wallet.LineSetAside
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
		f.Failures, f.IsLedgerOff, f.ReadUntil = i, i < 2, epoch.Add(time.Duration(-i)*time.Hour)
		if i == 3 {
			f.ReadUntil = time.Time{} // never read
		}
		if i == 4 {
			f.NextAt = time.Time{} // off
		}
		if i == 2 {
			day.Differences[1].Reason, day.IsCut = awkward, false
		}
		change = append(change, f, day)
	}
	for i := range 10 {
		l := w.bankLine(7)
		l.State, l.ImportedAt = wallet.LineStates()[i%5], epoch.Add(time.Duration(-i)*time.Minute)
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

func feedClaimSentences() []sentence {
	return []sentence{
		{"claiming a feed raises the version, sets the lease and changes nothing else", feedClaimChanges},
		{"the earliest due feeds are claimed first", earliestFeeds},
		{"a feed is due from the moment of NextAt, and never without one", feedDueFromNextAt},
		{"a leased feed is not given again until its lease is over", feedLease},
		{"the late result of a lost lease of a feed is a conflict", lostFeedLease},
		{"concurrent claimers get disjoint feeds and together all of them", disjointFeeds},
	}
}

func feedClaimChanges(w *world) {
	f := w.feed(7)
	w.commit(core.Changeset{f})
	claimed := w.claimFeeds(f.NextAt.Add(time.Second), 10)
	f.Version, f.LeaseUntil = 2, f.NextAt.Add(time.Second+time.Minute)
	w.same([]wallet.Feed{f}, claimed)
	w.same(f, w.feedOf(7))
}

func earliestFeeds(w *world) {
	for _, m := range []int{4, 1, 6, 3, 5, 2, 0} {
		w.commit(core.Changeset{w.dueFeed(epoch.Add(time.Duration(m) * time.Minute))})
	}
	for _, want := range [][]int{{0, 1, 2}, {3, 4, 5}, {6}, {}} {
		var got []int
		for _, f := range w.claimFeeds(epoch.Add(time.Hour), 3) {
			got = append(got, int(f.NextAt.Sub(epoch)/time.Minute))
		}
		w.same(want, got)
	}
}

func feedDueFromNextAt(w *world) {
	f, never := w.dueFeed(epoch), w.dueFeed(time.Time{})
	w.commit(core.Changeset{never, f})
	w.same(0, len(w.claimFeeds(epoch.Add(-time.Microsecond), 10)))
	w.same(0, len(w.claimFeeds(epoch, 0)))
	claimed := w.claimFeeds(epoch, 10)
	w.same(1, len(claimed))
	w.same(f.WalletID, claimed[0].WalletID)
}

func feedLease(w *world) {
	w.commit(core.Changeset{w.dueFeed(epoch)})
	leaseUntil := w.claimFeeds(epoch, 10)[0].LeaseUntil
	for _, now := range []time.Time{epoch, epoch.Add(30 * time.Second), leaseUntil.Add(-time.Microsecond)} {
		w.same(0, len(w.claimFeeds(now, 10)))
	}
	again := w.claimFeeds(leaseUntil, 10)
	w.same(1, len(again))
	w.same(3, again[0].Version)
}

func lostFeedLease(w *world) {
	w.commit(core.Changeset{w.dueFeed(epoch)})
	slow := w.claimFeeds(epoch, 1)[0]
	quick := w.claimFeeds(epoch.Add(time.Hour), 1)[0]
	slow.Version++
	l := w.bankLine(slow.WalletID)
	w.refused(fault.Conflict, core.Changeset{slow, l})
	w.same(0, len(w.allLines(slow.WalletID)))
	quick.Version, quick.NextAt, quick.LeaseUntil = quick.Version+1, time.Time{}, time.Time{}
	w.commit(core.Changeset{quick, l})
	w.same(quick, w.feedOf(quick.WalletID))
	w.same(0, len(w.claimFeeds(epoch.Add(24*time.Hour), 1)))
}

func disjointFeeds(w *world) {
	const rows, claimers, batch = 60, 8, 7
	var change core.Changeset
	for i := range rows {
		change = append(change, w.dueFeed(epoch.Add(time.Duration(i)*time.Second)))
	}
	w.commit(change)
	w.disjoint(rows, claimers, func() ([]core.ID, error) {
		claimed, err := w.store.ClaimFeeds(w.ctx, epoch.Add(time.Hour), epoch.Add(2*time.Hour), batch)
		return idsOf(claimed, func(f wallet.Feed) core.ID { return core.ID(fmt.Sprint(f.WalletID)) }), err
	})
}
