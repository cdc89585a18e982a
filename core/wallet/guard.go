package wallet

import (
	"github.com/vezne/vezne/core"
)

// Beside implements Guarded.
func (w Wallet) Beside() []core.Identity { return core.Replaced(w) }

// Guards implements Guarded: what a dealer pays from, and where its customers pay to.
func (w Wallet) Guards(in core.Judged) []core.Guard {
	before, isOld := core.Before(in, w)
	isElsewhere := before.IBAN != w.IBAN || before.Holder != w.Holder || before.BankName != w.BankName ||
		before.BankAccountID != w.BankAccountID || before.GatewayID != w.GatewayID || before.AccountID != w.AccountID ||
		before.DealerID != w.DealerID
	return core.GuardIf(isElsewhere || w.IsActive && !before.IsActive, core.GuardIBAN, core.GuardSubject("wallet", w.ID, isOld, w.IBAN), w.DealerID)
}

// WalletAndDealer implements OfWallet.
func (r Reconciliation) WalletAndDealer() (wallet, dealer int64) { return r.WalletID, r.DealerID }
