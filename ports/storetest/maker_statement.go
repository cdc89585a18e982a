package storetest

import (
	"fmt"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// bareDay has only what every reconciled day has.
func (m *maker) bareDay(walletID int64, day core.Day) wallet.Reconciliation {
	_, _, at := m.next()
	return wallet.Reconciliation{WalletID: walletID, Day: day, Version: 1, ReconciledAt: at}
}

func (m *maker) explained(kind wallet.DifferenceKind) wallet.Difference {
	_, n, at := m.next()
	d := m.unexplained(kind)
	d.Reason, d.ExplainedBy, d.ExplainedAt = awkward, actor(n), at
	return d
}

func (m *maker) unexplained(kind wallet.DifferenceKind) wallet.Difference {
	id, n, _ := m.next()
	return wallet.Difference{
		Kind: kind, LineID: fmt.Sprint("line ", n, awkward), EntryID: id, PaymentID: id, Ours: lira(-n), Theirs: lira(n),
	}
}

// deposit is an E-IBAN deposit that was shown an account.
func (m *maker) deposit(accountID int64, createdAt time.Time) payment.Payment {
	p := m.payment()
	p.Method, p.Status, p.DealerID, p.Account.AccountID, p.CreatedAt = payment.EIBANDeposit, payment.Pending, 7, accountID, createdAt
	return p
}

// withdrawal is one that a dealer's staff have to pay, and that nobody has.
func (m *maker) withdrawal(dealerID int64) payment.Payment {
	p := m.payment()
	p.Method, p.Status, p.DealerID, p.Claim = payment.ManualWithdrawal, payment.Pending, dealerID, payment.Claim{}
	return p
}

// save is the next version of a line, in a state.
func save(l wallet.BankLine, state wallet.LineStatus, paymentID core.ID) wallet.BankLine {
	l.Version++
	l.Status, l.PaymentID, l.Note = state, paymentID, awkward+string(state)
	return l
}

func (w *world) paidFrom(iban string, limit int) []owner.CustomerKey {
	w.t.Helper()
	found, err := w.store.PaidFrom(w.ctx, []string{iban}, limit)
	w.no(err)
	w.same(1, len(found))
	return found[0]
}

func (w *world) deskLoads(scope core.Scope, now time.Time) []payment.DeskLoad {
	w.t.Helper()
	found, err := w.store.DeskLoads(w.ctx, scope, now)
	w.no(err)
	return found
}

func (w *world) onDesk(query payment.DeskQuery) []core.ID {
	w.t.Helper()
	return paymentIDs(read(w, w.store.DeskWithdrawals, query))
}
