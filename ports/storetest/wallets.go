package storetest

import (
	"slices"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/wallet"
)

func walletSentences() []sentence {
	return []sentence{
		{"saving a wallet replaces every field and leaves its balance alone", walletSavedWhole},
		{"wallets are one dealer's or all, by id, inactive ones too", walletsByID},
		{"an IBAN is one wallet's, through whichever gateway", walletIBANs},
	}
}

func walletSavedWhole(w *world) {
	filled := w.funded(100)
	w.commit(core.Changeset{w.entry(filled.ID, ledger.EntryReserve, 30)})
	bare := w.bareWallet(9)
	bare.ID, bare.Version = filled.ID, 2
	w.commit(core.Changeset{bare})
	w.same([]wallet.WalletBalance{{Wallet: bare, AvailableBalance: lira(70), Reserved: lira(30)}}, w.walletsOf(9))
	_, err := w.store.WalletBy(w.ctx, filled.WalletID)
	w.fails(fault.NotFound, err)
	w.same(0, len(w.walletsOf(filled.DealerID)))
	filled.Version = 3
	w.commit(core.Changeset{filled})
	w.same(wallet.WalletBalance{Wallet: filled, AvailableBalance: lira(70), Reserved: lira(30)}, w.walletBy(filled.WalletID))
}

func walletsByID(w *world) {
	first, second, third := w.wallet(7), w.wallet(7), w.wallet(7)
	second.IsActive, third.WalletID = false, "A"
	w.commit(
		core.Changeset{third, w.wallet(8)},
		core.Changeset{
			second,
			first,
			w.bareEntry(second.ID, ledger.EntryIncoming, 5),
		},
	)
	w.same([]wallet.WalletBalance{
		{Wallet: first}, {Wallet: second, AvailableBalance: lira(5)}, {Wallet: third},
	}, w.walletsOf(7))
	w.same(0, len(w.walletsOf(9)))
	w.same(0, len(w.walletsOf(-1)))
	var all []int64
	for _, b := range w.walletsOf(0) {
		all = append(all, b.ID)
	}
	w.same(4, len(all))
	w.same(true, slices.IsSorted(all))
}

func walletIBANs(w *world) {
	first, second := w.wallet(7), w.wallet(8)
	w.commit(core.Changeset{first})
	second.IBAN = first.IBAN
	w.refused(fault.Conflict, core.Changeset{second})
	_, err := w.store.Wallet(w.ctx, second.ID)
	w.fails(fault.NotFound, err)
	first.Version, first.Holder = 2, "another"
	w.commit(core.Changeset{first}) // its own is not taken
}

func ledgerSentences() []sentence {
	return []sentence{
		{"entries are one wallet's, newest first, page by page", entriesInOrder},
		{"each kind of entry moves money as it says", everyEntryKind},
		{"everything that is there may be taken, and nothing more", everythingTaken},
		{"an entry that takes more than there is leaves nothing of its changeset", moreThanThere},
		{"a changeset's entries are added up before a balance is looked at", entriesAddedUp},
		{"an entry that does not sum to zero is refused, also beside its opposite", unbalancedEntry},
		{"an entry of a wallet that is not there is a conflict", entryOfNoWallet},
		{"a wallet may come with its first entries", walletWithEntries},
		{"each kind of entry exists once for a payment", kindsOfPayment},
	}
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

func everyEntryKind(w *world) {
	wallet := w.funded(0)
	for _, step := range []struct {
		kind                       ledger.EntryKind
		minor, available, reserved int64
	}{
		{ledger.EntryIncoming, 1000, 1000, 0},
		{ledger.EntryReserve, 700, 300, 700},
		{ledger.EntryPost, 200, 300, 500},
		{ledger.EntryRelease, 100, 400, 400},
		{ledger.EntryReturn, 50, 450, 400},
		{ledger.EntryOutgoing, 450, 0, 400},
		{ledger.EntryOpening, 20, 20, 400},
		{ledger.EntryAdjustment, 5, 25, 400},
		{ledger.EntryAdjustment, -25, 0, 400},
	} {
		w.commit(core.Changeset{w.entry(wallet.ID, step.kind, step.minor)})
		w.holds(wallet, step.available, step.reserved)
	}
}

func everythingTaken(w *world) {
	wallet := w.funded(100)
	for _, e := range []ledger.Entry{
		w.entry(wallet.ID, ledger.EntryReserve, 101), w.entry(wallet.ID, ledger.EntryOutgoing, 101),
		w.entry(wallet.ID, ledger.EntryPost, 1), w.entry(wallet.ID, ledger.EntryRelease, 1),
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

func moreThanThere(w *world) {
	wallet, other := w.funded(100), w.funded(100)
	change := w.everything()
	change = append(change, w.entry(other.ID, ledger.EntryReserve, 60), w.entry(wallet.ID, ledger.EntryReserve, 101))
	w.refused(fault.Insufficient, change)
	w.nothingOf(change)
	w.holds(wallet, 100, 0)
	w.holds(other, 100, 0)
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
	wallet := w.funded(100)
	none := w.wallet(7)
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
	w.same(0, len(w.entries(none.ID)))
}

func walletWithEntries(w *world) {
	wallet := w.wallet(7)
	w.commit(core.Changeset{
		w.wallet(7),
		wallet,
		w.entry(wallet.ID, ledger.EntryReserve, 3),
		w.entry(wallet.ID, ledger.EntryIncoming, 10),
	})
	w.holds(wallet, 7, 3)
}

func kindsOfPayment(w *world) {
	wallet := w.funded(100)
	reserve, post := w.entry(wallet.ID, ledger.EntryReserve, 10), w.entry(wallet.ID, ledger.EntryPost, 10)
	post.PaymentID = reserve.PaymentID
	w.commit(core.Changeset{reserve}, core.Changeset{post})
	for _, first := range []ledger.Entry{reserve, post} {
		again := w.entry(wallet.ID, first.Kind, 1)
		again.PaymentID = first.PaymentID
		w.refused(fault.Conflict, core.Changeset{again})
	}
	back := w.entry(wallet.ID, ledger.EntryReturn, 10)
	twice := w.entry(wallet.ID, ledger.EntryReturn, 10)
	back.PaymentID, twice.PaymentID = reserve.PaymentID, reserve.PaymentID
	w.refused(fault.Conflict, core.Changeset{back, twice})
	w.commit(core.Changeset{back})
	w.holds(wallet, 100, 0)
}
