package storetest

import (
	"crypto/rand"
	"fmt"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
)

// reversing is a line that takes back another one.
func (w *world) reversing(l core.BankLine) core.BankLine {
	by := w.bankLine(l.WalletID)
	by.Direction, by.Reverses = gateway.Outgoing, l.LineID
	return by
}

func reversals(w *world) {
	wallet := w.funded(0)
	l, other := w.bankLine(wallet.ID), w.bankLine(wallet.ID)
	other.Reverses = ""
	first, second, elsewhere := w.reversing(l), w.reversing(l), w.reversing(l)
	elsewhere.WalletID++
	w.commit(core.Changeset{l, other, first}, core.Changeset{elsewhere, second})
	for _, c := range []struct{ asked, want []core.BankLine }{
		{nil, nil}, {[]core.BankLine{other}, nil}, {[]core.BankLine{l, l, other}, []core.BankLine{first, second}},
	} {
		ids := []string{""} // nothing takes back what has no name
		for _, asked := range c.asked {
			ids = append(ids, asked.LineID)
		}
		got, err := w.store.Reversals(w.ctx, wallet.ID, ids)
		w.no(err)
		w.same(append([]core.BankLine{}, c.want...), append([]core.BankLine{}, got...))
	}
	none, err := w.store.Reversals(w.ctx, wallet.ID, nil)
	w.no(err)
	w.same(0, len(none))
	taken := save(l, core.LineReversed, "")
	taken.ReversedBy = first.LineID
	w.commit(core.Changeset{taken})
	w.same(taken, w.lineOf(l.WalletID, l.LineID))
}

// creditedOrReversed has both be decided again after a lost race: the deposit was not credited, or what was is told.
func creditedOrReversed(w *world) {
	for range 12 {
		wallet := w.funded(lineMinor)
		l := w.bankLine(wallet.ID)
		l.Direction, l.State, l.PaymentID, l.Reverses = gateway.Incoming, core.LineUnmatched, "", ""
		p := w.payment()
		p.Method, p.Status, p.DealerID = core.EIBANDeposit, core.Showing, wallet.DealerID
		w.commit(core.Changeset{l, p})
		by := w.reversing(l)
		errs := together(2, func(i int) error {
			for {
				change, err := w.creditOrReverse(i == 0, wallet, l, by, p)
				if err == nil {
					err = w.store.Commit(w.ctx, change)
				}
				if !fault.Is(err, fault.Conflict) {
					return err
				}
			}
		})
		w.no(errs[1])
		found, err := w.store.DiscrepanciesOf(w.ctx, p.ID)
		w.no(err)
		now, err := w.store.PaymentByID(w.ctx, p.ID)
		w.no(err)
		isCredited := errs[0] == nil
		w.same(isCredited, now.Status == core.Completed)
		w.same(isCredited, len(found) == 1)
		taken := w.lineOf(wallet.ID, l.LineID)
		w.same([]any{core.LineReversed, by.LineID}, []any{taken.State, taken.ReversedBy})
		if !isCredited {
			w.fails(fault.NotAllowed, errs[0])
		}
	}
}

// creditOrReverse decides by what is stored now.
func (w *world) creditOrReverse(
	isCredit bool, wallet core.Wallet, l, by core.BankLine, p core.Payment,
) (core.Changeset, error) {
	ids, err := core.NewIDs(epoch, rand.Reader)
	if err != nil {
		return core.Changeset{}, err
	}
	d := core.Decision{By: core.System, At: epoch, IDs: ids, Ladder: core.DefaultLadder}
	if l, err = w.store.BankLine(w.ctx, l.WalletID, l.LineID); err != nil {
		return core.Changeset{}, err
	}
	if isCredit {
		return core.DecideCredit(wallet, core.RankedLine{Line: l}, p, nil, d)
	}
	r := core.Reversal{Line: l, By: []core.BankLine{by}}
	if l.PaymentID != "" {
		if r.Payment, err = w.store.PaymentByID(w.ctx, l.PaymentID); err != nil {
			return core.Changeset{}, err
		}
	}
	change := core.DecideReversal(r, d)
	change = append(change, by)
	return change, nil
}

func bankAccountSentences() []sentence {
	return []sentence{
		{"a bank account is held for one use, as often as it is taken", ibanHeldForOneUse},
		{"a new account and a new wallet hold their bank accounts", ibanOfAccounts},
		{"a refused claim leaves nothing of its changeset", ibanRefusedWhole},
		{"of many who take a bank account for either use those of one win", ibanTogether},
	}
}

// iban is one of this world's own.
func (w *world) iban() string {
	_, n, _ := w.next()
	return fmt.Sprintf("GB%018d", n)
}

func (w *world) useOf(iban string) core.IBANUse {
	w.t.Helper()
	uses, err := w.store.IBANUses(w.ctx, []string{iban, "GB0"})
	w.no(err)
	w.same("", string(uses["GB0"]))
	return uses[iban]
}

func claim(iban string, use core.IBANUse, holders int) core.Changeset {
	return core.Changeset{core.IBANClaim{IBAN: iban, Use: use, Holders: holders}}
}

func ibanHeldForOneUse(w *world) {
	iban := w.iban()
	w.same(core.IBANUse(""), w.useOf(iban))
	w.refused(fault.Conflict, claim(iban, core.GatewayIBAN, -1))
	w.commit(claim(iban, core.GatewayIBAN, 1), claim(iban, core.GatewayIBAN, 1))
	w.refused(fault.BankAccountTaken, claim(iban, core.StatementIBAN, 1))
	w.refused(fault.Conflict, claim(iban, core.StatementIBAN, -1))
	w.commit(claim(iban, core.GatewayIBAN, -1))
	w.refused(fault.BankAccountTaken, claim(iban, core.StatementIBAN, 1))
	w.same(core.GatewayIBAN, w.useOf(iban))
	w.commit(claim(iban, core.GatewayIBAN, -1))
	w.same(core.IBANUse(""), w.useOf(iban))
	w.commit(claim(iban, core.StatementIBAN, 2))
	w.same(core.StatementIBAN, w.useOf(iban))
	w.refused(fault.BankAccountTaken, claim(iban, core.GatewayIBAN, 1))
	w.refused(fault.BankAccountTaken, claim(iban, core.ManualIBAN, 1))
	other := w.iban()
	w.refused(fault.BankAccountTaken, claim(other, core.StatementIBAN, 1).Merge(claim(other, core.GatewayIBAN, 1)))
	w.same(core.IBANUse(""), w.useOf(other))
	uses, err := w.store.IBANUses(w.ctx, nil)
	w.no(err)
	w.same(0, len(uses))
}

func ibanOfAccounts(w *world) {
	account, shown, wallet := w.account(7), w.account(7), w.wallet(7)
	account.Kind, account.IBAN = core.ManualAccount, w.iban()
	shown.Kind, shown.IBAN = core.EIBANAccount, w.iban()
	wallet.IBAN = shown.IBAN
	w.commit(core.Changeset{account, shown, wallet})
	w.same(core.ManualIBAN, w.useOf(account.IBAN))
	w.same(core.StatementIBAN, w.useOf(wallet.IBAN))
	second, ofStatement := w.account(8), w.wallet(8)
	second.Kind, second.IBAN, ofStatement.IBAN = core.ManualAccount, wallet.IBAN, account.IBAN
	w.refused(fault.BankAccountTaken, core.Changeset{second})
	w.refused(fault.BankAccountTaken, core.Changeset{ofStatement})
	for _, iban := range []string{account.IBAN, wallet.IBAN} {
		w.refused(fault.BankAccountTaken, claim(iban, core.GatewayIBAN, 1))
	}
	account.Version++
	w.commit(core.Changeset{account})
	collecting := w.iban()
	w.commit(claim(collecting, core.GatewayIBAN, 1))
	taken, takenWallet := w.account(7), w.wallet(7)
	taken.IBAN, takenWallet.IBAN = collecting[:4]+" "+collecting[4:], collecting // compared normalized
	w.refused(fault.BankAccountTaken, core.Changeset{taken})
	w.refused(fault.BankAccountTaken, core.Changeset{takenWallet})
}

func ibanRefusedWhole(w *world) {
	iban, p := w.iban(), w.payment()
	w.commit(claim(iban, core.StatementIBAN, 1))
	a := w.gatewayAccount()
	w.refused(fault.BankAccountTaken, claim(iban, core.GatewayIBAN, 1).Merge(core.Changeset{
		a,
		p,
	}))
	_, err := w.store.PaymentByTrackingCode(w.ctx, p.TrackingCode)
	w.fails(fault.NotFound, err)
}

func ibanTogether(w *world) {
	const callers = 40
	iban := w.iban()
	uses := []core.IBANUse{core.StatementIBAN, core.GatewayIBAN}
	errs := together(callers, func(i int) error { return w.store.Commit(w.ctx, claim(iban, uses[i%2], 1)) })
	w.same(callers/2, w.won(errs, fault.BankAccountTaken))
	won := w.useOf(iban)
	for i, err := range errs {
		w.same(uses[i%2] == won, err == nil)
	}
}
