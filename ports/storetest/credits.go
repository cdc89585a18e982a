package storetest

import (
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// shown is a deposit of 250.00 that was shown an account of its own, and is stored.
func (w *world) shown(method payment.Method) payment.Payment {
	p := w.payment()
	p.Method, p.Status, p.Amount, p.CorrectedAmount, p.FinishedAt = method, payment.Showing, lira(25_000), lira(0), epoch
	w.commit(core.Changeset{p})
	return p
}

// completion completes a payment with a credit, for the credit's amount.
func completion(p payment.Payment, k payment.Credit) core.Changeset {
	p.Version, p.Status, p.Amount = 2, payment.Completed, k.Amount
	return core.Changeset{p, k}
}

// incoming is a stored line that brought 250.00.
func (w *world) incoming() wallet.BankLine {
	l := w.bankLine(w.funded(0).ID)
	l.Direction, l.Amount, l.Status, l.PaymentID = gateway.Incoming, lira(25_000), wallet.LineUnmatched, ""
	w.commit(core.Changeset{l})
	return l
}

// ofLine is a credit that a line is behind.
func (w *world) ofLine(p payment.Payment, l wallet.BankLine, minor int64) payment.Credit {
	k := w.creditOf(p, 1)
	k.Source, k.WalletID, k.LineID, k.Amount, k.Brought = payment.CreditOfLine, l.WalletID, l.LineID, lira(minor), l.Amount
	return k
}

// brought is a stored operation of a payment that brought 250.00.
func (w *world) broughtBy(p payment.Payment) operation.Operation {
	o := w.operation(p.ID)
	o.Brought = lira(25_000)
	w.commit(core.Changeset{o})
	return o
}

func (w *world) ofOperation(p payment.Payment, o operation.Operation, minor int64) payment.Credit {
	k := w.creditOf(p, 1)
	k.Source, k.OperationID, k.Amount, k.Brought = payment.CreditOfOperation, o.ID, lira(minor), o.Brought
	return k
}

func completedByCredit(w *world) {
	for _, method := range payment.Methods() {
		for _, status := range []payment.Status{payment.Completed, payment.Success} {
			p := w.shown(method)
			p.Version, p.Status = 2, status
			if !p.IsCredited() { // what pays out credits nobody
				w.commit(core.Changeset{p})
				continue
			}
			w.refused(fault.Uncredited, core.Changeset{p})
			k := w.creditOf(p, 1)
			k.Amount = lira(p.Amount.Minor() - 1)
			w.refused(fault.Uncredited, core.Changeset{p, k})
			k.Amount = lira(0)
			w.refused(fault.Uncredited, core.Changeset{k})
			k.Amount = p.Amount
			w.commit(core.Changeset{p, k})
			p.Version, p.Amount = 3, lira(1)
			w.refused(fault.Uncredited, core.Changeset{p})
			again := w.creditOf(p, 1)
			w.refused(fault.Conflict, core.Changeset{again})
			p.Amount, p.Reason = k.Amount, "anything else may change"
			w.commit(core.Changeset{p})
		}
	}
}

func lineCreditsOnce(w *world) {
	p, other, l := w.shown(payment.EIBANDeposit), w.shown(payment.EIBANDeposit), w.incoming()
	beyond := w.ofLine(p, l, 25_001)
	w.refused(fault.Uncredited, completion(p, beyond))
	beyond.Brought = lira(25_001) // says more than the line has
	w.refused(fault.Uncredited, completion(p, beyond))
	for _, spoil := range []func(*payment.Credit){
		func(k *payment.Credit) { k.LineID = "there is none" }, func(k *payment.Credit) { k.LineID = "" },
		func(k *payment.Credit) { k.WalletID++ },
	} {
		k := w.ofLine(p, l, 1)
		spoil(&k)
		w.refused(fault.Uncredited, completion(p, k))
	}
	w.commit(completion(p, w.ofLine(p, l, 20_000)))
	w.refused(fault.Conflict, completion(other, w.ofLine(other, l, 5_000))) // also for what is left of it
	out := w.incoming()
	out.LineID, out.ID, out.Direction = out.LineID+" out", "OUT"+out.ID[3:], gateway.Outgoing
	w.commit(core.Changeset{out})
	w.refused(fault.Uncredited, completion(other, w.ofLine(other, out, 1)))
}

func operationCreditsOnce(w *world) {
	p, other := w.shown(payment.BankDeposit), w.shown(payment.BankDeposit)
	o := w.broughtBy(p)
	w.refused(fault.Uncredited, completion(p, w.ofOperation(p, o, 25_001)))
	w.refused(fault.Uncredited, completion(other, w.ofOperation(other, o, 1))) // of another payment
	more := w.ofOperation(p, o, 25_001)
	more.Brought = lira(25_001)
	w.refused(fault.Uncredited, completion(p, more))
	o.Version, o.Brought = 2, lira(30_000) // what comes in the same commit counts
	change := completion(p, w.ofOperation(p, o, 30_000))
	change = append(change, o)
	w.commit(change)
	again := w.ofOperation(p, o, -1)
	again.Number = 2
	w.refused(fault.Conflict, core.Changeset{again})
}

// bound is the next version of a credit, with a line behind it.
func bound(k payment.Credit, l wallet.BankLine) payment.Credit {
	k.Version++
	k.WalletID, k.LineID, k.Brought = l.WalletID, l.LineID, l.Amount
	return k
}

func creditNeverChanged(w *world) {
	p, l := w.shown(payment.EIBANDeposit), w.incoming()
	k := w.creditOf(p, 1)
	w.commit(completion(p, k))
	w.refused(fault.Uncredited, core.Changeset{bound(k, l)}) // it waits for nothing
	p = w.shown(payment.EIBANDeposit)
	k = w.creditOf(p, 1)
	k.AwaitsMoney = true
	w.commit(completion(p, k))
	for _, change := range []func(*payment.Credit){
		func(k *payment.Credit) { k.Amount = lira(25_001) },
		func(k *payment.Credit) { k.Source = payment.CreditBefore },
		func(k *payment.Credit) { k.Reason = "other" },
		func(k *payment.Credit) { k.AwaitsMoney = false },
		func(k *payment.Credit) { k.LineID = "" },
		func(k *payment.Credit) { k.Brought = lira(25_001) },
	} {
		next := bound(k, l)
		change(&next)
		w.refused(fault.Uncredited, core.Changeset{next})
	}
	k = bound(k, l)
	w.commit(core.Changeset{k})
	w.same([]payment.Credit{k}, each(w, w.store.CreditsOf, p.Key(), payment.Key{ID: "none"}))
	other := w.shown(payment.EIBANDeposit)
	w.refused(fault.Conflict, completion(other, w.ofLine(other, l, 25_000))) // the line is spoken for
	k.Version = 3
	w.refused(fault.Uncredited, core.Changeset{k})
}

// corrected is a payment with a correction that adds to its amount.
func (w *world) corrected(p payment.Payment, version, number int, by int64) (payment.Payment, core.Changeset) {
	k := w.creditOf(p, number)
	k.Amount = lira(by)
	p.Version, p.Amount, p.CorrectedAmount = version, lira(p.Amount.Minor()+by), lira(p.CorrectedAmount.Minor()+by)
	return p, core.Changeset{p, k}
}

func correctionsWithin(w *world) {
	p, l := w.shown(payment.EIBANDeposit), w.incoming()
	change := completion(p, w.ofLine(p, l, 20_000))
	w.commit(change)
	p = core.RowsOf[payment.Payment](change)[0]
	_, beyond := w.corrected(p, 3, 2, 5_001)
	w.refused(fault.Uncredited, beyond)
	below := w.creditOf(p, 2)
	below.Amount = lira(-20_001)
	w.refused(fault.Uncredited, core.Changeset{below})
	p, all := w.corrected(p, 3, 2, 5_000)
	w.commit(all)
	_, again := w.corrected(p, 4, 2, -1)
	w.refused(fault.Conflict, again)
	p, nothing := w.corrected(p, 4, 3, -25_000)
	w.commit(nothing)
	w.same(int64(0), p.Amount.Minor())

	of := w.shown(payment.BankDeposit)
	o := w.broughtBy(of)
	change = completion(of, w.ofOperation(of, o, 25_000))
	w.commit(change)
	of = core.RowsOf[payment.Payment](change)[0]
	_, more := w.corrected(of, 3, 2, 1)
	w.refused(fault.Uncredited, more)
	o.Version, o.Brought = 2, lira(25_001) // the rest has come
	w.commit(core.Changeset{o})
	w.commit(more)
	alone := w.shown(payment.ManualDeposit)
	_, first := w.corrected(alone, 2, 2, 1) // of what is not credited
	w.refused(fault.Uncredited, first)
}

func awaitingByAccount(w *world) {
	var want []wallet.Awaited
	account := owner.AccountKey{ID: w.account(1).ID, DealerID: 1}
	for range 3 {
		p := w.payment()
		p.Method, p.Status, p.Amount, p.DealerID, p.Account.AccountID = payment.EIBANDeposit, payment.Showing, lira(25_000), account.DealerID, account.ID
		w.commit(core.Changeset{p})
		k := w.creditOf(p, 1)
		k.AwaitsMoney = true
		change := completion(p, k)
		w.commit(change)
		want = append(want, wallet.Awaited{Payment: core.RowsOf[payment.Payment](change)[0], Credit: k})
	}
	find := func(limit int, accounts ...owner.AccountKey) []wallet.Awaited {
		found, err := w.store.AwaitingCredits(w.ctx, accounts, limit)
		w.no(err)
		return found
	}
	another, anothers := owner.AccountKey{ID: account.ID + 1, DealerID: 1}, owner.AccountKey{ID: account.ID, DealerID: 2}
	w.same(want, find(10, account, another))
	w.same(want[:2], find(2, account))
	w.same(0, len(find(10, another)))
	w.same(0, len(find(10, anothers)))
	w.same(0, len(find(10)))
	w.same(0, len(find(0, account)))
	stolen := bound(want[0].Credit, w.incoming())
	stolen.DealerID = 2
	w.refused(fault.Conflict, core.Changeset{stolen})
	w.commit(core.Changeset{bound(want[0].Credit, w.incoming())})
	w.same(want[1:], find(10, account))
}

// breachesOf are those that adding up all credits finds of a payment.
func (w *world) breachesOf(p payment.Payment) []payment.CreditBreachKind {
	w.t.Helper()
	const all = 1_000_000
	check, err := w.store.CheckCredits(w.ctx, all)
	w.no(err)
	var kinds []payment.CreditBreachKind
	for _, b := range check.Breaches {
		if b.TrackingCode == p.TrackingCode {
			kinds = append(kinds, b.Kind)
		}
	}
	return kinds
}

func creditsAddUp(w *world) {
	none := []payment.CreditBreachKind(nil)
	p, l := w.shown(payment.EIBANDeposit), w.incoming()
	w.same(none, w.breachesOf(p))
	change := completion(p, w.ofLine(p, l, 25_000))
	w.commit(change)
	w.same(none, w.breachesOf(p))
	p, less := w.corrected(core.RowsOf[payment.Payment](change)[0], 3, 2, -3)
	w.commit(less)
	p, more := w.corrected(p, 4, 3, 1)
	w.commit(more)
	w.same(int64(-2), p.CorrectedAmount.Minor())
	w.same(none, w.breachesOf(p))
	of := w.shown(payment.BankDeposit)
	w.commit(completion(of, w.ofOperation(of, w.broughtBy(of), 25_000)))
	w.same(none, w.breachesOf(of))
}

// creditsThatAreWrong are inserted as what they never become otherwise: what the check is for.
func creditsThatAreWrong(w *world) {
	completed := func(corrected int64) payment.Payment {
		p := w.payment()
		p.Status, p.CorrectedAmount = payment.Completed, lira(corrected)
		return p
	}
	p := completed(0)
	w.commit(core.Changeset{p})
	w.same([]payment.CreditBreachKind{payment.CompletedWithoutCredit}, w.breachesOf(p))

	p = completed(0)
	k := w.creditOf(p, 1)
	k.DealerID++ // it credits another dealer
	w.commit(core.Changeset{p, k})
	w.same([]payment.CreditBreachKind{payment.CompletedWithoutCredit}, w.breachesOf(p))

	p = completed(0)
	k = w.creditOf(p, 1)
	k.Amount = lira(p.Amount.Minor() - 1)
	w.commit(core.Changeset{p, k})
	w.same([]payment.CreditBreachKind{payment.CreditedOtherwise}, w.breachesOf(p))

	p = completed(-1) // without a correction
	w.commit(core.Changeset{p, w.creditOf(p, 1)})
	w.same([]payment.CreditBreachKind{payment.CorrectedOtherwise}, w.breachesOf(p))

	p = w.shown(payment.ManualDeposit)
	change := completion(p, w.creditOf(p, 1))
	w.commit(change)
	p, change = w.corrected(core.RowsOf[payment.Payment](change)[0], 3, 2, -5)
	alter(change, 0, func(r *payment.Payment) { r.CorrectedAmount = lira(-4) })
	w.commit(change)
	w.same([]payment.CreditBreachKind{payment.CorrectedOtherwise}, w.breachesOf(p))

	p = w.shown(payment.BankDeposit)
	o := w.broughtBy(p)
	w.commit(completion(p, w.ofOperation(p, o, 25_000)))
	o.Version, o.Brought = 2, lira(24_999)
	w.commit(core.Changeset{o})
	w.same([]payment.CreditBreachKind{payment.CreditedBeyondOperation}, w.breachesOf(p))
}
