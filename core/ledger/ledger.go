// Package ledger has the entries of wallets' books: what each kind of entry does to what a wallet holds and to what of it is
// reserved. Nothing changes a wallet's balance but an entry.
package ledger

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
)

// EntryKind says why money moved in the ledger.
type EntryKind string

// Kinds of ledger entries.
const (
	EntryIncoming EntryKind = "incoming" // a bank line brought money: outside to available
	EntryReserve  EntryKind = "reserve"  // a transfer was asked for: available to reserved
	EntryPost     EntryKind = "post"     // the bank confirmed it: reserved to outside
	EntryRelease  EntryKind = "release"  // it did not happen: reserved to available
	EntryReturn   EntryKind = "return"   // a confirmed one came back: outside to available
	EntryOutgoing EntryKind = "outgoing" // a bank line took money without Vezne: available to outside
	EntryOpening  EntryKind = "opening"  // what the account held when the wallet was made: outside to available
	// EntryAdjustment settles a day's balance that differs from the bank's for good: outside to available, or back.
	EntryAdjustment EntryKind = "adjustment"
)

// EntryKinds lists all kinds.
func EntryKinds() []EntryKind {
	return []EntryKind{
		EntryIncoming, EntryReserve, EntryPost, EntryRelease, EntryReturn, EntryOutgoing, EntryOpening, EntryAdjustment,
	}
}

// Entry is one booking of a wallet's ledger: what its three accounts change by, which always sums to zero. Entries
// are never changed. One of a kind exists for a payment, one for a bank line, and one adjustment of a number for a day.
type Entry struct {
	ID        core.ID
	WalletID  int64
	Kind      EntryKind
	At        time.Time
	PaymentID core.ID // the transfer that it is about; empty: none
	LineID    string  // the bank line that it is about; empty: none
	Available money.Amount
	Reserved  money.Amount
	Outside   money.Amount
	Note      string // of an adjustment: why

	Day      core.Day   // the day that an adjustment settles; empty: it is none
	Number   int        // of an adjustment: which one of its day's, from 1
	BookedBy core.Actor // of an adjustment: who booked it
}

// Identity implements Row.
func (e Entry) Identity() core.Identity {
	return core.Identity{Table: "ledger_entries", Key: string(e.ID), Version: 1}
}

// Change is what the entry does to the wallet's balance.
func (e Entry) Change() money.Amount { return money.Kurus(-e.Outside.Minor()) }

// New books an amount from one account to another. Only that of an adjustment may be negative.
func New(kind EntryKind, wallet int64, amount money.Amount, at time.Time, id core.ID) Entry {
	e := Entry{ID: id, WalletID: wallet, Kind: kind, At: at}
	plus, minus := amount, money.New(-amount.Minor(), amount.Currency())
	zero := money.New(0, amount.Currency())
	switch kind {
	case EntryIncoming, EntryReturn, EntryOpening, EntryAdjustment:
		e.Available, e.Reserved, e.Outside = plus, zero, minus
	case EntryReserve:
		e.Available, e.Reserved, e.Outside = minus, plus, zero
	case EntryPost:
		e.Available, e.Reserved, e.Outside = zero, minus, plus
	case EntryRelease:
		e.Available, e.Reserved, e.Outside = plus, minus, zero
	case EntryOutgoing:
		e.Available, e.Reserved, e.Outside = minus, zero, plus
	}
	return e
}
