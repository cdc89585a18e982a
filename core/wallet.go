package core

import (
	"io"
	"strconv"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// Wallet is a dealer's E-IBAN account at a bank that is reached through a gateway (D4).
type Wallet struct {
	ID                     int64
	Version                int
	WalletID               string // wallet_id of D4 to D6; unique
	DealerID               int64
	AccountID              int64 // the E-IBAN account that customers are shown (E5)
	GatewayID              int64
	BankAccount            string // the bank's own id of it
	IBAN, BankName, Holder string
	IsActive               bool
	CreatedAt, UpdatedAt   time.Time
}

// Identity implements Row.
func (w Wallet) Identity() Identity {
	return Identity{Table: "wallets", Key: strconv.FormatInt(w.ID, 10), Version: w.Version}
}

// NewWalletID is the public id of a new wallet: "W-" and 16 characters of Crockford base32.
func NewWalletID(random io.Reader) (string, error) {
	code, err := NewTrackingCode("", random)
	return "W-" + code, err
}

// WalletBalance is what a wallet holds. It always equals the sum of the wallet's ledger entries.
type WalletBalance struct {
	Wallet
	Available money.Amount // available_balance: may be sent
	Reserved  money.Amount // taken by transfers that the bank has not confirmed
}

// Balance is the wallet's whole balance (D4: balance).
func (b WalletBalance) Balance() money.Amount {
	return money.New(b.Available.Minor()+b.Reserved.Minor(), b.Available.Currency())
}

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

// LedgerEntry is one booking of a wallet's ledger: what its three accounts change by, which always sums to zero. Entries
// are never changed. One of a kind exists for a payment, one for a bank line, and one adjustment of a number for a day.
type LedgerEntry struct {
	ID        ID
	WalletID  int64
	Kind      EntryKind
	At        time.Time
	PaymentID ID     // the transfer that it is about; empty: none
	LineID    string // the bank line that it is about; empty: none
	Available money.Amount
	Reserved  money.Amount
	Outside   money.Amount
	Note      string // of an adjustment: why

	Day    Day   // the day that an adjustment settles; empty: it is none
	Number int   // of an adjustment: which one of its day's, from 1
	By     Actor // of an adjustment: who booked it
}

// Identity implements Row.
func (e LedgerEntry) Identity() Identity {
	return Identity{Table: "ledger_entries", Key: string(e.ID), Version: 1}
}

// change is what the entry does to the wallet's balance.
func (e LedgerEntry) change() money.Amount { return money.Kurus(-e.Outside.Minor()) }

// newEntry books an amount from one account to another. Only that of an adjustment may be negative.
func newEntry(kind EntryKind, wallet int64, amount money.Amount, at time.Time, id ID) LedgerEntry {
	e := LedgerEntry{ID: id, WalletID: wallet, Kind: kind, At: at}
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

// transferEntry books what a transfer does: its whole amount is reserved when it begins, and posted or given back when it
// ends. A transfer's amount never changes.
func transferEntry(p Payment, kind EntryKind, at time.Time, id ID) LedgerEntry {
	e := newEntry(kind, p.Payee.WalletID, p.Requested, at, id)
	e.PaymentID = p.ID
	return e
}

// endTransfer is the ledger's part of a transfer's end: it is posted when it is completed, and given back otherwise. A
// transfer ends once, and nothing leads out of that; what the bank says or does afterwards has other postings:
//
//   - A completed one that comes back (ReturnedPayout) is booked when its line is imported (EntryReturn).
//   - A failed one that the bank carried out after all (LatePayout): its line is imported as any that took money without
//     Vezne (EntryOutgoing). When the dealer has spent what was given back, that line waits until the ledger can take it.
//   - One that came back before it was known to have left fails, and is given back here. The bank lists both its lines,
//     and they are imported as those of a failed one: out and in again, which comes to nothing.
func endTransfer(p Payment, d Decision) []LedgerEntry {
	kind := EntryRelease
	switch {
	case p.Method.Kind() != Transfer:
		return nil
	case p.Status == Completed:
		kind = EntryPost
	}
	return []LedgerEntry{transferEntry(p, kind, d.At, d.IDs.Next())}
}

// MinTransfer is the smallest transfer (D6).
func MinTransfer() money.Amount { return money.New(1000, money.TRY) }

// TransferPlan is a transfer from a wallet.
type TransferPlan struct {
	Wallet      Wallet
	Gateway     GatewayAccount
	Recipient   string
	Description string
}

// DecideTransfer creates a transfer (D6): its amount is reserved in the same commit, and it is sent at once. The commit
// fails with InsufficientBalance when the wallet holds less.
func DecideTransfer(s Start, plan TransferPlan, b Birth) Changeset {
	payout := PayoutPlan{Gateway: plan.Gateway, Asset: gateway.TRY, Fields: map[string]string{
		"account": plan.Wallet.BankAccount, "iban": s.IBAN, "account_holder": plan.Recipient, "description": plan.Description,
	}}
	s.Payee = Payee{WalletID: plan.Wallet.ID, Recipient: plan.Recipient, Description: plan.Description}
	change := DecidePayout(s, payout, b)
	change = Edit(change, func(o *Operation) { o.NextAt, o.Why = b.At, "the wallet's bank" }) // D6: the dealer's key is the approval
	p, _ := First[Payment](change)
	return append(change, transferEntry(p, EntryReserve, b.At, b.IDs.Next()))
}
