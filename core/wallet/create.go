package wallet

import (
	"fmt"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
)

// NewWallet is a wallet to be made of an account at a bank.
type NewWallet struct {
	DealerID, GatewayID  int64
	Account              gateway.BankAccount
	Balance              gateway.Balance
	Min, Max, DailyLimit money.Amount // of the E-IBAN account that customers are shown (E5)
}

// WalletParams is what a new wallet is given from outside.
type WalletParams struct {
	By        core.Actor
	At        time.Time
	Zone      *time.Location
	ID        int64
	AccountID int64
	WalletID  string
	IDs       *core.IDs
}

// BankTotal is what a bank says that an account holds. ok is false where it does not say so: in another currency, in parts
// of a kuruş, or without the moment at which it was true. What is overdrawn is negative.
func BankTotal(b gateway.Balance) (total money.Amount, ok bool) {
	kurus, err := b.Total.Units(money.TRY.Decimals)
	if err != nil || !kurus.IsInt64() || b.Asset != gateway.TRY || b.At.IsZero() {
		return money.Amount{}, false
	}
	return money.New(kurus.Int64(), money.TRY), true
}

// DecideWallet makes a wallet: with what the bank says that the account holds as its opening balance, a feed that imports
// what is booked after that moment, a reconciled day before the first one, and the account that customers are shown.
// Fault Invalid: the account is no TRY account with a valid IBAN, the balance is negative, the limits are none.
func DecideWallet(n NewWallet, b WalletParams) (core.Changeset, error) {
	const op = "core.DecideWallet"
	n.Account.IBAN = iban.Normalize(n.Account.IBAN)
	total, ok := BankTotal(n.Balance)
	if !ok || total.Minor() < 0 || n.Account.Asset != gateway.TRY {
		return core.Changeset{}, fault.Fields(op, []fault.Field{{Name: "bank_account", Key: "field.id", Args: []any{"bank_account"}}})
	}
	account := owner.Account{
		ID: b.AccountID, Version: 1, DealerID: n.DealerID, Kind: owner.EIBANAccount, BankName: n.Account.BankName, Holder: n.Account.Holder,
		IBAN: n.Account.IBAN, IsActive: true, Min: n.Min, Max: n.Max, DailyLimit: n.DailyLimit, CreatedAt: b.At, UpdatedAt: b.At,
	}
	if err := account.Check(); err != nil {
		return core.Changeset{}, fault.E(op, "", err)
	}
	w := Wallet{
		ID: b.ID, Version: 1, WalletID: b.WalletID, DealerID: n.DealerID, AccountID: account.ID, GatewayID: n.GatewayID,
		BankAccountID: n.Account.ID, IBAN: n.Account.IBAN, BankName: n.Account.BankName, Holder: n.Account.Holder, IsActive: true,
		CreatedAt: b.At, UpdatedAt: b.At,
	}
	at := n.Balance.At.UTC().Truncate(time.Microsecond)
	change := core.Changeset{
		w,
		account,
		Feed{
			WalletID: w.ID, GatewayID: w.GatewayID, Version: 1, OpenedAt: at, ReadUntil: at, SweptAt: b.At, NextReadAt: b.At,
			BankBalance: total, BankBalanceAt: at,
		},
		Reconciliation{
			WalletID: w.ID, DealerID: w.DealerID, Day: core.DayOf(at, b.Zone).Before(), Version: 1, ReconciledAt: b.At,
			LedgerIn: total, LedgerOut: money.New(0, money.TRY), LedgerClosing: total,
			BankIn: money.New(0, money.TRY), BankOut: money.New(0, money.TRY), BankClosing: total, HasBank: true,
			Adjusted: money.New(0, money.TRY),
		},
		core.AuditEntry{
			ID: b.IDs.Next(), At: b.At, Actor: b.By, Action: "createWallet", Target: "wallet/" + w.WalletID, After: w.AuditState(),
		},
	}
	if total.Minor() > 0 {
		change = append(change, ledger.New(ledger.EntryOpening, w.ID, total, b.At, b.IDs.Next()))
	}
	return change, nil
}

// AuditState is what an audit row says of the wallet before and after a change, as JSON.
func (w Wallet) AuditState() string {
	return fmt.Sprintf(`{"dealer":%d,"gateway":%d,"bankAccount":%q,"iban":%q,"isActive":%t}`,
		w.DealerID, w.GatewayID, w.BankAccountID, w.IBAN, w.IsActive)
}
