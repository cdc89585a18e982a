package storetest

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

func customerSentences() []sentence {
	return []sentence{
		{"a customer's payments are summed up, and nobody else's", customerSummedUp},
		{"a customer without payments has no history", func(w *world) {
			h, err := w.store.CustomerHistory(w.ctx, owner.CustomerKey{ProviderID: 7, UserID: "u"})
			w.no(err)
			w.same(report.CustomerHistory{}, h)
		}},
		{"of very many payments the newest are counted, and the oldest is known", customerOfVeryMany},
	}
}

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
	w.commit(core.Changeset{
		third,
		first,
		w.paid(other, payment.ManualDeposit, payment.Completed, 5),
		fourth,
		second,
		w.paid(elsewhere, payment.ManualDeposit, payment.Completed, 7),
	})
	h, err := w.store.CustomerHistory(w.ctx, c)
	w.no(err)
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
	}, h)
}

func customerOfVeryMany(w *world) {
	const more = 7
	c := owner.CustomerKey{ProviderID: 7, UserID: "u"}
	var all []payment.Payment
	for range report.MaxCustomerPayments + more {
		p := w.barePayment()
		p.ProviderID, p.Customer = c.ProviderID, owner.Customer{UserID: c.UserID}
		all = append(all, p)
	}
	for rest := all; len(rest) > 0; {
		n := min(len(rest), 2000)
		w.commit(core.Rows(rest[:n]))
		rest = rest[n:]
	}
	h, err := w.store.CustomerHistory(w.ctx, c)
	w.no(err)
	w.same(report.CustomerHistory{
		FirstSeenAt: all[0].CreatedAt, LastSeenAt: all[len(all)-1].CreatedAt, PaymentCount: report.MaxCustomerPayments, HasMore: true,
		Names: []report.CustomerName{{
			Count: report.MaxCustomerPayments, FirstSeenAt: all[more].CreatedAt, LastSeenAt: all[len(all)-1].CreatedAt,
		}},
		Totals: []report.CustomerTotal{{
			Method: payment.EIBANWithdrawal, Status: payment.Pending, Count: report.MaxCustomerPayments,
			Amount: lira(report.MaxCustomerPayments),
		}},
	}, h)
}

func blockListSentences() []sentence {
	return []sentence{
		{"blocks come newest first, of one provider or of all", blocksNewestFirst},
		{"pages of the block list cover it once, though many were blocked at one moment", blockPages},
		{"who is unblocked may pay again, and nobody else", unblocked},
		{"unblocking who is not blocked is a conflict and changes nothing", unblockedTwice},
		{"a block may be replaced by another in one changeset", blockReplaced},
		{"of concurrent unblockings exactly one wins", oneUnblocks},
	}
}

func (w *world) blocks(q owner.BlockQuery) []owner.Block {
	w.t.Helper()
	list, err := w.store.Blocks(w.ctx, q)
	w.no(err)
	return list
}

func blocksNewestFirst(w *world) {
	first, second, third := w.block(), w.block(), w.block()
	third.ProviderID, third.UserID = first.ProviderID, "another"
	w.commit(core.Changeset{second, third, first})
	w.same([]owner.Block{third, second, first}, w.blocks(owner.BlockQuery{Paging: core.Paging[owner.BlockCursor]{Limit: 10}}))
	w.same([]owner.Block{third, second}, w.blocks(owner.BlockQuery{Paging: core.Paging[owner.BlockCursor]{Limit: 2}}))
	w.same([]owner.Block{first}, w.blocks(owner.BlockQuery{Paging: core.Paging[owner.BlockCursor]{After: second.Cursor(), Limit: 2}}))
	w.same([]owner.Block{third, first}, w.blocks(owner.BlockQuery{ProviderID: first.ProviderID, Paging: core.Paging[owner.BlockCursor]{Limit: 10}}))
	w.same(0, len(w.blocks(owner.BlockQuery{ProviderID: 1, Paging: core.Paging[owner.BlockCursor]{Limit: 10}})))
	w.same(0, len(w.blocks(owner.BlockQuery{})))
}

func blockPages(w *world) {
	var all []owner.Block
	for i := range 20 {
		b := w.block()
		b.ProviderID, b.UserID = int64(7+i%3), string(rune('a'+i))+"ş"
		b.BlockedAt = epoch.Add(time.Duration(i/7) * time.Microsecond)
		all = append(all, b)
	}
	w.commit(core.Rows(all))
	seen := map[owner.CustomerKey]int{}
	query := owner.BlockQuery{Paging: core.Paging[owner.BlockCursor]{Limit: 3}}
	for range len(all) {
		page := w.blocks(query)
		for _, b := range page {
			if query.After != (owner.BlockCursor{}) && query.After.Compare(b.Cursor()) >= 0 {
				w.t.Fatalf("%+v comes after %+v", b.Cursor(), query.After)
			}
			seen[b.CustomerKey]++
			query.After = b.Cursor()
		}
	}
	w.same(len(all), len(seen))
	for c, n := range seen {
		if n != 1 {
			w.t.Errorf("%+v came %d times", c, n)
		}
	}
}

func unblocked(w *world) {
	b, other := w.block(), w.block()
	other.ProviderID = b.ProviderID
	other.UserID += "x"
	w.commit(core.Changeset{b, other}, core.Changeset{owner.Unblock(b.CustomerKey)})
	w.commit(core.Changeset{w.payment(), owner.NotBlocked(b.CustomerKey)})
	w.refused(fault.Blocked, core.Changeset{owner.NotBlocked(other.CustomerKey)})
	is, err := isBlocked(w.ctx, w.store, b.CustomerKey)
	w.no(err)
	w.same(false, is)
	w.same([]owner.Block{other}, w.blocks(owner.BlockQuery{Paging: core.Paging[owner.BlockCursor]{Limit: 10}}))
	b.Reason = "again"
	w.commit(core.Changeset{b})
	found, err := w.store.BlockOf(w.ctx, b.CustomerKey)
	w.no(err)
	w.same(b, found)
}

func unblockedTwice(w *world) {
	b, audit := w.block(), w.audit()
	gone := core.Changeset{owner.Unblock(b.CustomerKey), audit}
	w.refused(fault.Conflict, gone)
	w.commit(core.Changeset{b})
	w.refused(fault.Conflict, core.Changeset{owner.Unblock(b.CustomerKey), owner.Unblock(b.CustomerKey)})
	w.refused(fault.Conflict, core.Changeset{owner.Unblock(b.CustomerKey), owner.Unblock(w.block().CustomerKey)})
	w.same([]owner.Block{b}, w.blocks(owner.BlockQuery{Paging: core.Paging[owner.BlockCursor]{Limit: 10}}))
	w.commit(gone)
	audit = w.audit()
	gone = append(gone, audit)
	w.refused(fault.Conflict, gone)
	w.commit(core.Changeset{audit}) // it did not stay
}

func blockReplaced(w *world) {
	b := w.block()
	w.commit(core.Changeset{b})
	next := b
	next.Reason = "another"
	w.commit(core.Changeset{owner.Unblock(b.CustomerKey), next})
	found, err := w.store.BlockOf(w.ctx, b.CustomerKey)
	w.no(err)
	w.same(next, found)
}

func oneUnblocks(w *world) {
	b := w.block()
	w.commit(core.Changeset{b})
	entries := make([]core.AuditEntry, 40)
	for i := range entries {
		entries[i] = w.audit()
	}
	errs := together(len(entries), func(i int) error {
		return w.store.Commit(w.ctx, core.Changeset{
			owner.Unblock(b.CustomerKey),
			entries[i],
		})
	})
	w.same(1, w.won(errs, fault.Conflict))
}
