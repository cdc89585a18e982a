package storetest

import (
	"fmt"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/wallet"
)

// reversing is a line that takes back another one.
func (w *world) reversing(l wallet.BankLine) wallet.BankLine {
	by := w.bankLine(l.WalletID)
	by.Direction, by.ReversesLineID = gateway.Outgoing, l.LineID
	return by
}

func reversals(w *world) {
	held := w.funded(0)
	l, other := w.bankLine(held.ID), w.bankLine(held.ID)
	other.ReversesLineID = ""
	first, second, elsewhere := w.reversing(l), w.reversing(l), w.reversing(l)
	elsewhere.WalletID++
	w.commit(core.Changeset{l, other, first}, core.Changeset{elsewhere, second})
	for _, c := range []struct {
		asked []string
		want  []wallet.BankLine
	}{
		{nil, nil}, {[]string{"", other.LineID}, nil}, // nothing takes back what has no name
		{[]string{l.LineID, "", l.LineID, other.LineID}, []wallet.BankLine{first, second}},
	} {
		found, err := w.store.Reversals(w.ctx, held.ID, c.asked)
		w.no(err)
		w.same(c.want, found)
	}
	taken := save(l, wallet.LineReversed, "")
	taken.ReversedByLineID = first.LineID
	w.commit(core.Changeset{taken})
	w.isStored(taken)
}

// iban is one of this world's own.
func (w *world) iban() string {
	_, n, _ := w.next()
	return fmt.Sprintf("GB%018d", n)
}

func (w *world) useOf(iban string) owner.IBANUse {
	w.t.Helper()
	uses, err := w.store.IBANUses(w.ctx, []string{iban, "GB0"})
	w.no(err)
	w.same("", string(uses["GB0"]))
	return uses[iban]
}

func claim(iban string, use owner.IBANUse, holders int) core.Changeset {
	return core.Changeset{owner.IBANClaim{IBAN: iban, Use: use, Holders: holders}}
}

func ibanHeldForOneUse(w *world) {
	iban := w.iban()
	w.same(owner.IBANUse(""), w.useOf(iban))
	w.refused(fault.Conflict, claim(iban, owner.GatewayIBAN, -1))
	w.commit(claim(iban, owner.GatewayIBAN, 1), claim(iban, owner.GatewayIBAN, 1))
	w.refused(fault.BankAccountTaken, claim(iban, owner.StatementIBAN, 1))
	w.refused(fault.Conflict, claim(iban, owner.StatementIBAN, -1))
	w.commit(claim(iban, owner.GatewayIBAN, -1))
	w.refused(fault.BankAccountTaken, claim(iban, owner.StatementIBAN, 1))
	w.same(owner.GatewayIBAN, w.useOf(iban))
	w.commit(claim(iban, owner.GatewayIBAN, -1))
	w.same(owner.IBANUse(""), w.useOf(iban))
	w.commit(claim(iban, owner.StatementIBAN, 2))
	w.same(owner.StatementIBAN, w.useOf(iban))
	w.refused(fault.BankAccountTaken, claim(iban, owner.GatewayIBAN, 1))
	w.refused(fault.BankAccountTaken, claim(iban, owner.ManualIBAN, 1))
	other := w.iban()
	w.refused(fault.BankAccountTaken, claim(other, owner.StatementIBAN, 1).Merge(claim(other, owner.GatewayIBAN, 1)))
	w.same(owner.IBANUse(""), w.useOf(other))
	uses, err := w.store.IBANUses(w.ctx, nil)
	w.no(err)
	w.same(0, len(uses))
}

func ibanOfAccounts(w *world) {
	account, shown, wallet := w.account(7), w.account(7), w.wallet(7)
	account.Kind, account.IBAN = owner.ManualAccount, w.iban()
	shown.Kind, shown.IBAN = owner.EIBANAccount, w.iban()
	wallet.IBAN = shown.IBAN
	w.commit(core.Changeset{account, shown, wallet})
	w.same(owner.ManualIBAN, w.useOf(account.IBAN))
	w.same(owner.StatementIBAN, w.useOf(wallet.IBAN))
	second, ofStatement := w.account(8), w.wallet(8)
	second.Kind, second.IBAN, ofStatement.IBAN = owner.ManualAccount, wallet.IBAN, account.IBAN
	w.refused(fault.BankAccountTaken, core.Changeset{second})
	w.refused(fault.BankAccountTaken, core.Changeset{ofStatement})
	for _, iban := range []string{account.IBAN, wallet.IBAN} {
		w.refused(fault.BankAccountTaken, claim(iban, owner.GatewayIBAN, 1))
	}
	account.Version++
	w.commit(core.Changeset{account})
	collecting := w.iban()
	w.commit(claim(collecting, owner.GatewayIBAN, 1))
	taken, takenWallet := w.account(7), w.wallet(7)
	taken.IBAN, takenWallet.IBAN = collecting[:4]+" "+collecting[4:], collecting // compared normalized
	w.refused(fault.BankAccountTaken, core.Changeset{taken})
	w.refused(fault.BankAccountTaken, core.Changeset{takenWallet})
}

func ibanRefusedWhole(w *world) {
	iban, p := w.iban(), w.payment()
	w.commit(claim(iban, owner.StatementIBAN, 1))
	w.refused(fault.BankAccountTaken, claim(iban, owner.GatewayIBAN, 1).Merge(core.Changeset{p}))
	w.nothingThere(p)
}

func ibanTogether(w *world) {
	const callers = 40
	iban := w.iban()
	uses := []owner.IBANUse{owner.StatementIBAN, owner.GatewayIBAN}
	errs := together(callers, func(i int) error { return w.store.Commit(w.ctx, claim(iban, uses[i%2], 1)) })
	w.same(callers/2, w.won(errs, fault.BankAccountTaken))
	won := w.useOf(iban)
	for i, err := range errs {
		w.same(uses[i%2] == won, err == nil)
	}
}
