package storetest

import (
	"context"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

// paid is a payment of a customer.
func (m *maker) paid(c owner.CustomerKey, method payment.Method, status payment.Status, minor int64) payment.Payment {
	p := m.payment()
	p.ProviderID, p.Customer.UserID, p.Method, p.Status, p.Amount = c.ProviderID, c.UserID, method, status, lira(minor)
	return p
}

func customerSummedUp(w *world) {
	c := owner.CustomerKey{ProviderID: 7, UserID: awkward}
	first, second := w.paid(c, payment.ManualDeposit, payment.Completed, 100), w.paid(c, payment.ManualDeposit, payment.Completed, 250)
	third, fourth := w.paid(c, payment.CreditCard, payment.Success, 1), w.paid(c, payment.ManualDeposit, payment.Expired, 9)
	first.Customer.Username, fourth.Customer.Username = "first", "first"
	third.CreatedAt = first.CreatedAt.Add(-time.Hour) // its ID says that it is not the oldest
	other, elsewhere := c, c
	other.UserID += " "
	elsewhere.ProviderID = 8
	second.DealerID = 77
	ofAll := inScope(w, core.Scope{})
	w.commit(core.Changeset{
		third,
		first,
		w.paid(other, payment.ManualDeposit, payment.Completed, 5),
		fourth,
		second,
		w.paid(elsewhere, payment.ManualDeposit, payment.Completed, 7),
	})
	w.same(report.CustomerHistory{}, read(w, ofAll, owner.CustomerKey{ProviderID: 7, UserID: "u"}))
	w.same(report.CustomerHistory{
		FirstSeenAt: first.CreatedAt, LastSeenAt: fourth.CreatedAt, PaymentCount: 4,
		Names: []report.CustomerName{
			{Username: "first", Fullname: longName, Count: 2, FirstSeenAt: first.CreatedAt, LastSeenAt: fourth.CreatedAt},
			{Username: awkward, Fullname: longName, Count: 2, FirstSeenAt: third.CreatedAt, LastSeenAt: second.CreatedAt},
		},
		Totals: []report.CustomerTotal{
			{Method: payment.ManualDeposit, Status: payment.Completed, Count: 2, Amount: lira(350)},
			{Method: payment.ManualDeposit, Status: payment.Expired, Count: 1, Amount: lira(9)},
			{Method: payment.CreditCard, Status: payment.Success, Count: 1, Amount: lira(1)},
		},
	}, read(w, ofAll, c))
	for _, scope := range []core.Scope{{DealerID: core.Nobody}, {ProviderID: core.Nobody}, {ProviderID: 8}} {
		w.same(report.CustomerHistory{}, read(w, inScope(w, scope), c))
	}
	w.same(report.CustomerHistory{
		FirstSeenAt: second.CreatedAt, LastSeenAt: second.CreatedAt, PaymentCount: 1,
		Names: []report.CustomerName{
			{Username: awkward, Fullname: longName, Count: 1, FirstSeenAt: second.CreatedAt, LastSeenAt: second.CreatedAt},
		},
		Totals: []report.CustomerTotal{{Method: payment.ManualDeposit, Status: payment.Completed, Count: 1, Amount: lira(250)}},
	}, read(w, inScope(w, core.Scope{DealerID: 77}), c))
	w.same(4, read(w, inScope(w, core.Scope{ProviderID: 7}), c).PaymentCount)
}

// inScope reads a customer's payments with a provider within a scope.
func inScope(w *world, scope core.Scope) func(context.Context, owner.CustomerKey) (report.CustomerHistory, error) {
	return func(ctx context.Context, c owner.CustomerKey) (report.CustomerHistory, error) {
		return w.store.CustomerHistory(ctx, c, scope)
	}
}

func customerOfVeryMany(w *world) {
	const more = 7
	c := owner.CustomerKey{ProviderID: 7, UserID: "u"}
	var all []payment.Payment
	for range report.MaxCustomerPayments + more {
		id, _, at := w.next()
		all = append(all, payment.Payment{
			ID: id, Version: 1, TrackingCode: string(id), Method: payment.EIBANWithdrawal, Status: payment.Pending,
			ProviderID: c.ProviderID, Customer: owner.Customer{UserID: c.UserID}, RequestedAmount: lira(1), Amount: lira(1),
			CreatedAt: at, UpdatedAt: at,
		})
	}
	for rest := all; len(rest) > 0; {
		n := min(len(rest), 2000)
		w.commit(core.Rows(rest[:n]))
		rest = rest[n:]
	}
	w.same(report.CustomerHistory{
		FirstSeenAt: all[0].CreatedAt, LastSeenAt: all[len(all)-1].CreatedAt, PaymentCount: report.MaxCustomerPayments, HasMore: true,
		Names: []report.CustomerName{{
			Count: report.MaxCustomerPayments, FirstSeenAt: all[more].CreatedAt, LastSeenAt: all[len(all)-1].CreatedAt,
		}},
		Totals: []report.CustomerTotal{{
			Method: payment.EIBANWithdrawal, Status: payment.Pending, Count: report.MaxCustomerPayments,
			Amount: lira(report.MaxCustomerPayments),
		}},
	}, read(w, inScope(w, core.Scope{}), c))
}

func blocksNewestFirst(w *world) {
	var all []owner.Block
	for i := range 20 {
		b := w.block()
		b.ProviderID, b.UserID = int64(7+i%3), string(rune('a'+i*3%20))+"ş"
		b.BlockedAt = epoch.Add(time.Duration(i/7) * time.Microsecond)
		all = append(all, b)
	}
	w.commit(core.Rows(all))
	slices.SortFunc(all, func(a, b owner.Block) int { return a.Cursor().Compare(b.Cursor()) })
	for _, providerID := range []int64{0, 7, 8, 1} {
		want := slices.DeleteFunc(slices.Clone(all), func(b owner.Block) bool { return providerID != 0 && b.ProviderID != providerID })
		q := owner.BlockQuery{ProviderID: providerID, Paging: core.Paging[owner.BlockCursor]{Limit: core.MaxPage}}
		w.same(want, read(w, w.store.Blocks, q))
	}
}

func unblocked(w *world) {
	b, other, audit := w.block(), w.block(), w.audit()
	other.ProviderID, other.UserID = b.ProviderID, b.UserID+"x"
	w.commit(core.Changeset{b, other})
	w.refused(fault.Conflict, core.Changeset{owner.Unblock(b.CustomerKey), owner.Unblock(b.CustomerKey)})
	w.refused(fault.Conflict, core.Changeset{audit, owner.Unblock(b.CustomerKey), owner.Unblock(w.block().CustomerKey)})
	w.isStored(b)
	w.nothingThere(audit)
	w.commit(core.Changeset{owner.Unblock(b.CustomerKey), audit}, core.Changeset{owner.NotBlocked(b.CustomerKey)})
	w.refused(fault.Conflict, core.Changeset{owner.Unblock(b.CustomerKey)})
	w.refused(fault.Blocked, core.Changeset{owner.NotBlocked(other.CustomerKey)})
	w.nothingThere(b)
	b.Reason = "again"
	w.commit(core.Changeset{b})
	w.isStored(b)
}

func blockReplaced(w *world) {
	b := w.block()
	w.commit(core.Changeset{b})
	next := b
	next.Reason = "another"
	w.commit(core.Changeset{owner.Unblock(b.CustomerKey), next})
	w.isStored(next)
}
