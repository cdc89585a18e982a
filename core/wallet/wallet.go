// Package wallet has what banks say: wallets, bank lines, matching lines with deposits, reversals and reconciliation.
package wallet

import (
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// Wallet is a dealer's E-IBAN account at a bank that is reached through a gateway (D4).
type Wallet struct {
	ID                     int64
	Version                int
	WalletID               string // wallet_id of D4 to D6; unique
	DealerID               int64
	AccountID              int64 // the E-IBAN account that customers are shown (E5)
	GatewayID              int64
	BankAccountID          string // the bank's own id of it
	IBAN, BankName, Holder string
	IsActive               bool
	CreatedAt, UpdatedAt   time.Time
}

// Identity implements Row.
func (w Wallet) Identity() core.Identity {
	return core.Identity{Table: "wallets", Key: strconv.FormatInt(w.ID, 10), Version: w.Version}
}

// Account names the account that customers are shown.
func (w Wallet) Account() owner.AccountKey {
	return owner.AccountKey{ID: w.AccountID, DealerID: w.DealerID}
}

// NewWalletID is the public id of a new wallet: "W-" and 16 characters of Crockford base32.
func NewWalletID(random io.Reader) (string, error) {
	code, err := core.NewTrackingCode("", random)
	return "W-" + code, err
}

// WalletBalance is what a wallet holds. It always equals the sum of the wallet's ledger entries.
type WalletBalance struct {
	Wallet
	AvailableBalance money.Amount // available_balance: may be sent
	Reserved         money.Amount // taken by transfers that the bank has not confirmed
}

// Balance is the wallet's whole balance (D4: balance).
func (b WalletBalance) Balance() money.Amount {
	return money.New(b.AvailableBalance.Minor()+b.Reserved.Minor(), b.AvailableBalance.Currency())
}

// WalletQuery asks for wallets. Zero fields do not narrow.
type WalletQuery struct {
	DealerID int64
	Text     string // part of the bank's or the holder's name or of the IBAN
	IsActive *bool
}

// Holds reports whether a wallet is asked for, whosever it is.
func (q WalletQuery) Holds(w *Wallet) bool {
	if q.IsActive != nil && *q.IsActive != w.IsActive {
		return false
	}
	name, digits := owner.FoldName(q.Text), iban.Normalize(q.Text)
	return digits == "" || name != "" && strings.Contains(owner.FoldName(w.BankName+" "+w.Holder), name) || strings.Contains(w.IBAN, digits)
}

// MinTransfer is the smallest transfer (D6).
func MinTransfer() money.Amount { return money.New(1000, money.TRY) }

// TransferPlan is a transfer from a wallet.
type TransferPlan struct {
	Wallet      Wallet
	Gateway     owner.GatewayAccount
	Recipient   string
	Description string
}

// DecideTransfer creates a transfer (D6): its amount is reserved in the same commit, and it is sent at once. The commit
// fails with InsufficientBalance when the wallet holds less.
func DecideTransfer(s payment.Request, plan TransferPlan, b payment.CreateParams) core.Changeset {
	payout := operation.PayoutPlan{Gateway: plan.Gateway, Asset: gateway.TRY, Fields: map[string]string{
		"account": plan.Wallet.BankAccountID, "iban": s.IBAN, "account_holder": plan.Recipient, "description": plan.Description,
	}}
	s.Payee = payment.Payee{WalletID: plan.Wallet.ID, Recipient: plan.Recipient, Description: plan.Description}
	change := operation.DecidePayout(s, payout, b)
	change = core.Edit(change, func(o *operation.Operation) { o.NextAt, o.Why = b.At, "the wallet's bank" }) // D6: the dealer's key is the approval
	p, _ := core.First[payment.Payment](change)
	return append(change, payment.TransferEntry(p, ledger.EntryReserve, b.At, b.IDs.Next()))
}

// IBANClaims implements Claimer: a new wallet's bank account.
func (w Wallet) IBANClaims() []owner.IBANClaim {
	if w.Version != 1 {
		return nil
	}
	return []owner.IBANClaim{{IBAN: iban.Normalize(w.IBAN), Use: owner.StatementIBAN, Holders: 1}}
}
