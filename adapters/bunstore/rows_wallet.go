package bunstore

import (
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/wallet"
)

type walletRow struct {
	bun.BaseModel `bun:"table:wallets"`

	ID          int64  `bun:"id,pk"`
	Version     int    `bun:"version"`
	WalletID    string `bun:"wallet_id"`
	DealerID    int64  `bun:"dealer_id"`
	AccountID   int64  `bun:"account_id"`
	GatewayID   int64  `bun:"gateway_id"`
	BankAccount string `bun:"bank_account"`
	IBAN        string `bun:"iban"`
	BankName    string `bun:"bank_name"`
	Holder      string `bun:"holder"`
	IsActive    bool   `bun:"is_active"`
	CreatedAt   stamp  `bun:"created_at,type:timestamptz"`
	UpdatedAt   stamp  `bun:"updated_at,type:timestamptz"`
}

func walletRowOf(w wallet.Wallet) walletRow {
	return walletRow{
		ID: w.ID, Version: w.Version, WalletID: w.WalletID, DealerID: w.DealerID, AccountID: w.AccountID, GatewayID: w.GatewayID,
		BankAccount: w.BankAccount, IBAN: w.IBAN, BankName: w.BankName, Holder: w.Holder, IsActive: w.IsActive,
		CreatedAt: stamp(w.CreatedAt), UpdatedAt: stamp(w.UpdatedAt),
	}
}

func (r walletRow) wallet() (wallet.Wallet, error) {
	return wallet.Wallet{
		ID: r.ID, Version: r.Version, WalletID: r.WalletID, DealerID: r.DealerID, AccountID: r.AccountID, GatewayID: r.GatewayID,
		BankAccount: r.BankAccount, IBAN: r.IBAN, BankName: r.BankName, Holder: r.Holder, IsActive: r.IsActive,
		CreatedAt: time.Time(r.CreatedAt), UpdatedAt: time.Time(r.UpdatedAt),
	}, nil
}

// walletBalanceRow is a wallet beside its balance.
type walletBalanceRow struct {
	walletRow
	AvailableMinor int64 `bun:"available_minor"`
	ReservedMinor  int64 `bun:"reserved_minor"`
}

func (r walletBalanceRow) balance() (wallet.WalletBalance, error) {
	w, err := r.wallet()
	return wallet.WalletBalance{Wallet: w, Available: kurus(r.AvailableMinor), Reserved: kurus(r.ReservedMinor)}, err
}

// balanceRow is a wallet's balance.
type balanceRow struct {
	bun.BaseModel `bun:"table:wallet_balances"`

	WalletID       int64 `bun:"wallet_id,pk"`
	AvailableMinor int64 `bun:"available_minor"`
	ReservedMinor  int64 `bun:"reserved_minor"`
	OutsideMinor   int64 `bun:"outside_minor"`
}

// changeRow is what one entry changes a balance by, if it is kept.
type changeRow struct {
	WalletID       int64  `bun:"wallet_id"`
	AvailableMinor int64  `bun:"available_minor"`
	ReservedMinor  int64  `bun:"reserved_minor"`
	OutsideMinor   int64  `bun:"outside_minor"`
	LineID         string `bun:"line_id"`
	Mark           int64  `bun:"mark"`
}

type entryRow struct {
	bun.BaseModel `bun:"table:ledger_entries"`

	ID             core.ID          `bun:"id,pk"`
	WalletID       int64            `bun:"wallet_id"`
	Kind           ledger.EntryKind `bun:"kind"`
	At             stamp            `bun:"at,type:timestamptz"`
	PaymentID      core.ID          `bun:"payment_id"`
	LineID         string           `bun:"line_id"`
	AvailableMinor int64            `bun:"available_minor"`
	ReservedMinor  int64            `bun:"reserved_minor"`
	OutsideMinor   int64            `bun:"outside_minor"`
	Note           string           `bun:"note"`
	Day            core.Day         `bun:"day"`
	Number         int              `bun:"number"`
	MadeBy         string           `bun:"made_by"` // empty: said of no entry but an adjustment
}

// markedRow is an entry with the mark of its line in the same commit; 0: there is none, and the entry is kept.
type markedRow struct {
	entryRow
	Mark int64 `bun:"mark"`
}

func entryRowOf(e ledger.LedgerEntry) (entryRow, error) {
	madeBy, err := madeByText(e.By)
	if err != nil {
		return entryRow{}, err
	}
	return entryRow{
		ID: e.ID, WalletID: e.WalletID, Kind: e.Kind, At: stamp(e.At), PaymentID: e.PaymentID, LineID: e.LineID,
		AvailableMinor: e.Available.Minor(), ReservedMinor: e.Reserved.Minor(), OutsideMinor: e.Outside.Minor(),
		Note: e.Note, Day: e.Day, Number: e.Number, MadeBy: madeBy,
	}, areLira(e.Available, e.Reserved, e.Outside)
}

func madeByText(by core.Actor) (string, error) {
	if by == (core.Actor{}) {
		return "", nil
	}
	return bodyText(actorJSON(by))
}

func (r entryRow) entry() (ledger.LedgerEntry, error) {
	var by actorJSON
	var err error
	if r.MadeBy != "" {
		by, err = bodyOf[actorJSON](r.MadeBy)
	}
	return ledger.LedgerEntry{
		ID: r.ID, WalletID: r.WalletID, Kind: r.Kind, At: time.Time(r.At), PaymentID: r.PaymentID, LineID: r.LineID,
		Available: kurus(r.AvailableMinor), Reserved: kurus(r.ReservedMinor), Outside: kurus(r.OutsideMinor),
		Note: r.Note, Day: r.Day, Number: r.Number, By: core.Actor(by),
	}, err
}

func (r markedRow) change() changeRow {
	return changeRow{
		WalletID: r.WalletID, AvailableMinor: r.AvailableMinor, ReservedMinor: r.ReservedMinor,
		OutsideMinor: r.OutsideMinor, LineID: r.LineID, Mark: r.Mark,
	}
}

func kurus(minor int64) money.Amount { return money.New(minor, money.TRY) }

// areLira refuses what a wallet can't hold: its amounts are stored without their currency.
func areLira(amounts ...money.Amount) error {
	code, err := codeOf(amounts...)
	if err == nil && code != "" && code != money.TRY.Code {
		err = fmt.Errorf("%s in a wallet", code)
	}
	return err
}
