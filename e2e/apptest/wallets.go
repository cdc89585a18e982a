package apptest

import (
	"github.com/vezne/vezne/app"
	directory "github.com/vezne/vezne/app/owner"
	wallets "github.com/vezne/vezne/app/wallet"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// Opening is what each seeded wallet holds, in its ledger and at the bank alike: 10,000.00 TRY. No line of a statement
// brought it.
var Opening = money.New(1_000_000, money.TRY)

// seedWallets returns each dealer an account at the bank and a wallet of it.
func (w *World) seedWallets(t TB) {
	t.Helper()
	code, name, yes := "bank", "Bank of the wallets", true
	w.BankGateway = must(w.GatewayAdmin.Create(t.Context(), app.BySystem, directory.NewAccount{
		Plugin: code, Environment: gateway.Production, GatewayPatch: owner.GatewayPatch{
			Code: &code, Name: &name, IsEnabled: &yes, Config: map[string]string{"api_key": "key-of-" + code},
		},
	}))(t)
	shown := w.Accounts[len(w.Accounts)-1] // the E-IBAN account
	w.Wallet = w.seedWallet(t, w.Dealer, wallet.Wallet{AccountID: shown.ID, BankAccountID: "acc-1", IBAN: shown.IBAN})
	w.OtherWallet = w.seedWallet(t, w.OtherDealer, wallet.Wallet{BankAccountID: "acc-2", IBAN: "TR130006200000000000000002"})
}

// seedWallet opens an account at the bank, and makes a funded wallet of it.
func (w *World) seedWallet(t TB, d owner.Dealer, held wallet.Wallet) wallet.Wallet {
	t.Helper()
	held.ID, held.Version, held.IsActive = must(w.Store.NextID(t.Context(), "wallet"))(t), 1, true
	held.WalletID = must(wallet.NewWalletID(w.UnitOfWork.Random))(t)
	held.DealerID, held.GatewayID, held.Holder, held.BankName = d.ID, w.BankGateway.ID, d.Name, "Vezne E-IBAN"
	held.CreatedAt, held.UpdatedAt = Start, Start
	w.openAccount(held)
	zero := money.New(0, money.TRY)
	funded := ledger.Entry{
		ID: must(core.NewIDs(Start, w.UnitOfWork.Random))(t).Next(), WalletID: held.ID, Kind: ledger.EntryOpening, At: Start,
		Available: Opening, Reserved: money.New(0, money.TRY), Outside: money.New(-Opening.Minor(), money.TRY),
	}
	change := core.Changeset{
		held,
		funded,
		wallet.Feed{
			WalletID: held.ID, GatewayID: held.GatewayID, Version: 1, OpenedAt: Start, ReadUntil: Start, SweptAt: Start,
			NextReadAt: Start.Add(w.Statements.Every), BankBalance: Opening, BankBalanceAt: Start,
		},
		wallet.Reconciliation{
			WalletID: held.ID, DealerID: d.ID, Day: core.DayOf(Start, w.Zone).Before(), Version: 1, ReconciledAt: Start,
			LedgerIn: Opening, LedgerOut: zero, Adjusted: zero, LedgerClosing: Opening, BankIn: zero, BankOut: zero, BankClosing: Opening,
			HasBank: true,
		},
	}
	if err := w.UnitOfWork.Commit(t.Context(), change); err != nil {
		t.Fatalf("seed a wallet: %v", err)
	}
	return held
}

// openAccount opens the account of a wallet at the bank.
func (w *World) openAccount(of wallet.Wallet) {
	w.Bank.AddAccount(gateway.BankAccount{ID: of.BankAccountID, IBAN: of.IBAN, BankName: of.BankName, Holder: of.Holder}, Opening)
}

// StartTransfer sends money from the dealer's wallet, as D6 does, and returns the transfer.
func (w *World) StartTransfer(t TB, amount money.Amount) payment.Payment {
	t.Helper()
	return w.Start(t, payment.Request{Method: payment.EIBANTransfer, Amount: amount})
}

// sending is a request for a transfer from the dealer's wallet. A transfer is the dealer's own: it has no provider.
func (w *World) sending(c app.Creation) wallets.Sending {
	c.Provider, c.Site, c.Dealer = owner.Provider{}, owner.Site{}, w.Dealer
	return wallets.Sending{Creation: c, WalletID: w.Wallet.WalletID, Recipient: "Ayşe Yılmaz", Description: "Invoice 7"}
}

// Held is what a wallet holds now.
func (w *World) Held(t TB, wallet wallet.Wallet) wallet.WalletBalance {
	t.Helper()
	return must(w.Store.WalletBy(t.Context(), wallet.DealerID, wallet.WalletID))(t)
}
