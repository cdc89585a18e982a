package wallet_test

import (
	"cmp"
	"slices"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
)

// operation is a transfer's at the bank.
func (w *world) operation(p payment.Payment) operation.Operation {
	w.t.Helper()
	all, err := w.Store.OperationsOf(w.t.Context(), p.ID)
	w.no(err)
	if len(all) != 1 {
		w.t.Fatalf("%s has %d operations", p.TrackingCode, len(all))
	}
	return all[0]
}

// days are the wallet's reconciled days, newest first.
func (w *world) days() []wallet.Reconciliation {
	w.t.Helper()
	all, err := w.Store.Reconciliations(w.t.Context(), wallet.ReconciliationQuery{WalletID: w.Wallet.ID, Paging: core.Paging[wallet.DayCursor]{Limit: 1000}})
	w.no(err)
	return all
}

// agree checks that every day that is over was compared, and agrees with the bank.
func (w *world) agree() {
	w.t.Helper()
	days := w.days()
	last := core.DayOf(w.Clock.Now().Add(-3*60*60*1e9), w.Zone).Before()
	if len(days) == 0 || days[0].Day < last {
		w.t.Errorf("the last day compared is not %s: %+v", last, days)
	}
	for i, d := range days {
		if d.OpenCount() > 0 || i+1 < len(days) && days[i+1].Day != d.Day.Before() {
			w.t.Errorf("day %s: %+v", d.Day, d)
		}
	}
}

// by is a staff member who acts, and why.
func by(s staff.Staff, reason string) app.Request {
	return app.Request{Staff: s, Addr: "192.0.2.7", Reason: reason}
}

// wallet is one more of the dealer's, at an account of its own that holds nothing.
func (w *world) wallet(account string) wallet.Wallet {
	w.t.Helper()
	id, err := w.Store.NextID(w.t.Context(), "wallet")
	w.no(err)
	now := w.Clock.Now()
	held := wallet.Wallet{
		ID: id, Version: 1, WalletID: "W-" + account, DealerID: w.Dealer.ID, GatewayID: w.BankGateway.ID, BankAccountID: account,
		IsActive: true, CreatedAt: now, UpdatedAt: now,
	}
	w.Bank.AddAccount(gateway.BankAccount{ID: account}, lira(0))
	w.no(w.UnitOfWork.Commit(w.t.Context(), core.Changeset{
		held,
		wallet.Feed{
			WalletID: id, GatewayID: w.BankGateway.ID, Version: 1, OpenedAt: now, ReadUntil: now, SweptAt: now, NextReadAt: now,
		},
	}))
	return held
}

// transfer is one whose call has been made.
func (w *world) transfer(amount money.Amount) payment.Payment {
	w.t.Helper()
	p := w.StartTransfer(w.t, amount)
	w.Work(w.t)
	return p
}

// claimed is a deposit whose customer says that it is paid.
func (w *world) claimed(p payment.Payment) payment.Payment {
	w.t.Helper()
	p, err := w.Deposits.ClaimPaid(w.t.Context(), p)
	w.no(err)
	return p
}

// sameSet reports whether two lists have the same elements, in any order.
func sameSet[T cmp.Ordered](a, b []T) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}
