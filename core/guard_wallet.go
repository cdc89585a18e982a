package core

// Beside implements Guarded.
func (w Wallet) Beside() []Identity { return Replaced(w) }

// Guards implements Guarded: what a dealer pays from, and where its customers pay to.
func (w Wallet) Guards(in Judged) []Guard {
	before, isOld := Before(in, w)
	isElsewhere := before.IBAN != w.IBAN || before.Holder != w.Holder || before.BankName != w.BankName ||
		before.BankAccount != w.BankAccount || before.GatewayID != w.GatewayID || before.AccountID != w.AccountID ||
		before.DealerID != w.DealerID
	return guardIf(isElsewhere || w.IsActive && !before.IsActive, GuardIBAN, named("wallet", w.ID, isOld, w.IBAN), w.DealerID)
}

// WalletAndDealer implements OfWallet.
func (r Reconciliation) WalletAndDealer() (wallet, dealer int64) { return r.WalletID, r.DealerID }
