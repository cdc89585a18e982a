package storetest

import (
	"slices"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/wallet"
)

func walletsWithBalances(w *world) {
	first, second, other := w.funded(100), w.funded(0), w.wallet(8)
	w.commit(core.Changeset{other, w.entry(first.ID, ledger.EntryReserve, 30)})
	first.Version, first.IsActive, first.Holder = 2, false, "another"
	w.commit(core.Changeset{first})
	want := []wallet.WalletBalance{{Wallet: first, AvailableBalance: lira(70), Reserved: lira(30)}, {Wallet: second}}
	w.same(want, read(w, w.store.WalletsOf, first.DealerID))
	for _, dealer := range []int64{first.DealerID, 0} {
		byName, err := w.store.WalletBy(w.ctx, dealer, first.WalletID)
		w.no(err)
		byID, err := w.store.Wallet(w.ctx, dealer, first.ID)
		w.no(err)
		w.same([]wallet.WalletBalance{want[0], want[0]}, []wallet.WalletBalance{byName, byID})
	}
	w.same(append(want, wallet.WalletBalance{Wallet: other}), read(w, w.store.WalletsOf, 0))
	w.same(0, len(read(w, w.store.WalletsOf, -1)))
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
	w.same(want, read(w, w.store.AddUpLedger, held.ID))
	w.same(lira(10), read(w, w.store.AddUpLedger, other.ID).SumAvailable)
	w.same(wallet.LedgerSum{}, read(w, w.store.AddUpLedger, w.funded(0).ID))
	_, err := w.store.AddUpLedger(w.ctx, -1)
	w.fails(fault.NotFound, err)
}

func entriesInOrder(w *world) {
	wallet, other := w.funded(0), w.funded(0)
	var all []ledger.Entry
	for i := range 7 {
		e := w.entry(wallet.ID, ledger.EntryIncoming, int64(i))
		e.At = epoch.AddDate(0, 0, -i)
		all = append(all, e)
	}
	w.commit(
		core.Changeset{all[6], all[1], w.entry(other.ID, ledger.EntryIncoming, 1), all[0]},
		core.Changeset{all[5], all[2], all[4], all[3]},
	)
	slices.Reverse(all)
	w.same(all, w.entries(wallet.ID))
}

// adjustment is an entry that settles a day.
func (m *maker) adjustment(walletID int64, day core.Day, number int, minor int64) ledger.Entry {
	e := m.bareEntry(walletID, ledger.EntryAdjustment, minor)
	e.Day, e.Number, e.BookedBy, e.Note, e.LineID = day, number, actor(9), awkward, "adjustment-"+string(e.ID)
	return e
}

func adjustmentsOfDay(w *world) {
	held, other := w.funded(100), w.funded(100)
	second, first := w.adjustment(held.ID, today, 2, -5), w.adjustment(held.ID, today, 1, 7)
	later, theirs := w.adjustment(held.ID, tomorrow, 1, 1), w.adjustment(other.ID, today, 1, 1)
	w.commit(core.Changeset{second, first, later, theirs, w.bareEntry(held.ID, ledger.EntryIncoming, 1)})
	for _, c := range []struct {
		walletID int64
		day      core.Day
		want     []ledger.Entry
	}{
		{held.ID, today, []ledger.Entry{first, second}}, {held.ID, tomorrow, []ledger.Entry{later}}, {held.ID, "", nil},
		{other.ID, today, []ledger.Entry{theirs}}, {other.ID, tomorrow, nil}, {0, today, nil},
	} {
		found, err := w.store.Adjustments(w.ctx, c.walletID, c.day)
		w.no(err)
		w.same(c.want, found)
	}
	w.holds(held, 104, 0)
}

func everythingTaken(w *world) {
	wallet := w.funded(100)
	for _, e := range []ledger.Entry{
		w.entry(wallet.ID, ledger.EntryReserve, 101), w.entry(wallet.ID, ledger.EntryOutgoing, 101),
		w.entry(wallet.ID, ledger.EntryPost, 1), w.entry(wallet.ID, ledger.EntryRelease, 1), w.adjustment(wallet.ID, today, 1, -101),
	} {
		w.refused(fault.Insufficient, core.Changeset{e})
	}
	w.holds(wallet, 100, 0)
	w.commit(core.Changeset{w.entry(wallet.ID, ledger.EntryReserve, 100)})
	w.refused(fault.Insufficient, core.Changeset{w.entry(wallet.ID, ledger.EntryReserve, 1)})
	w.refused(fault.Insufficient, core.Changeset{w.entry(wallet.ID, ledger.EntryPost, 101)})
	w.commit(core.Changeset{w.entry(wallet.ID, ledger.EntryPost, 100)})
	w.holds(wallet, 0, 0)
}

func entriesAddedUp(w *world) {
	wallet := w.funded(100)
	w.commit(core.Changeset{
		w.entry(wallet.ID, ledger.EntryPost, 500),
		w.entry(wallet.ID, ledger.EntryReserve, 600),
		w.entry(wallet.ID, ledger.EntryIncoming, 500),
	})
	w.holds(wallet, 0, 100)
	w.refused(fault.Insufficient, core.Changeset{
		w.entry(wallet.ID, ledger.EntryReserve, 50),
		w.entry(wallet.ID, ledger.EntryIncoming, 100),
		w.entry(wallet.ID, ledger.EntryReserve, 51),
	})
	w.holds(wallet, 0, 100)
}

func unbalancedEntry(w *world) {
	wallet := w.funded(100)
	more, less := w.entry(wallet.ID, ledger.EntryIncoming, 10), w.entry(wallet.ID, ledger.EntryIncoming, 10)
	more.Outside, less.Outside = lira(-9), lira(-11)
	w.refused(fault.Insufficient, core.Changeset{more})
	w.refused(fault.Insufficient, core.Changeset{more, less})
	w.holds(wallet, 100, 0)
}

func entryOfNoWallet(w *world) {
	wallet, none := w.funded(100), w.wallet(7)
	for _, e := range []ledger.Entry{
		w.entry(none.ID, ledger.EntryIncoming, 5), w.entry(none.ID, ledger.EntryIncoming, 0), w.entry(0, ledger.EntryIncoming, 5),
	} {
		w.refused(fault.Conflict, core.Changeset{e})
		w.refused(fault.Conflict, core.Changeset{
			w.entry(wallet.ID, ledger.EntryIncoming, 5),
			e,
			w.entry(wallet.ID, ledger.EntryIncoming, 5),
		})
	}
	w.holds(wallet, 100, 0)
	w.commit(core.Changeset{
		w.wallet(7),
		none,
		w.entry(none.ID, ledger.EntryReserve, 3),
		w.entry(none.ID, ledger.EntryIncoming, 10),
	})
	w.holds(none, 7, 3)
}
