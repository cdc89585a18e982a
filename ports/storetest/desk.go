package storetest

import (
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

func onDeskOnly(w *world) {
	var want []core.ID
	var all []payment.Payment
	for _, method := range payment.Methods() {
		for _, status := range payment.Statuses() {
			p := w.withdrawal(7)
			p.Method, p.Status = method, status
			all = append(all, p)
			isPaidByStaff := method == payment.ManualWithdrawal || method == payment.EIBANWithdrawal
			if isPaidByStaff && (status == payment.Pending || status == payment.Processing) {
				want = append(want, p.ID)
			}
		}
	}
	w.commit(core.Rows(all))
	w.same(4, len(want))
	w.same(want, w.onDesk(payment.DeskQuery{Now: epoch, Paging: core.Paging[core.ID]{Limit: core.MaxPage}}))
	w.same(4, w.deskLoads(core.Scope{}, epoch)[0].WaitingCount)
}

// desk commits withdrawals of three dealers: free ones, claimed ones and
// lapsed ones, one of them at this moment. It gives them oldest first.
func (w *world) desk(now time.Time) []payment.Payment {
	w.t.Helper()
	var all []payment.Payment
	for i := range 36 {
		p := w.withdrawal(int64(1 + i%3))
		p.ProviderID = int64(1 + i/3%2)
		p.CreatedAt = epoch.Add(time.Duration(i*i%37) * time.Minute)
		switch i % 4 {
		case 1:
			p.Claim = payment.Claim{StaffID: 5, Name: awkward, Until: now.Add(time.Microsecond)}
			if i%8 == 1 {
				p.Claim.Hold.ApprovalID = p.ID
			}
		case 2:
			p.Claim = payment.Claim{StaffID: 6, Name: awkward, Until: now.Add(time.Duration(2-i) * time.Second)}
		case 3:
			p.Claim = payment.Claim{StaffID: 6}
		}
		if p.Status = payment.Pending; p.Claim.StaffID != 0 {
			p.Status = payment.Processing
		}
		all = append(all, p)
	}
	w.commit(core.Rows(all[20:]), core.Rows(all[:20]))
	return all
}

func deskNarrowed(w *world) {
	now := tomorrowAt(9)
	w.same(0, len(w.deskLoads(core.Scope{}, now)))
	all := w.desk(now)
	for _, scope := range []core.Scope{
		{}, {DealerID: 1}, {DealerID: 3}, {DealerID: 4}, {DealerID: -1}, {ProviderID: 1}, {ProviderID: -1}, {DealerID: 2, ProviderID: 2},
	} {
		inScope := slices.DeleteFunc(slices.Clone(all), func(p payment.Payment) bool { return !p.IsIn(scope) })
		w.same(loadsOf(inScope, now), w.deskLoads(scope, now))
		for _, isFree := range []*bool{nil, new(true), new(false)} {
			want := paymentIDs(slices.DeleteFunc(slices.Clone(inScope), func(p payment.Payment) bool {
				return isFree != nil && *isFree == p.Claim.IsHeld(now)
			}))
			q := payment.DeskQuery{Scope: scope, IsFree: isFree, Now: now, Paging: core.Paging[core.ID]{Limit: core.MaxPage}}
			w.same(want, w.onDesk(q))
		}
		for _, isIt := range []bool{true, false} {
			q := payment.DeskQuery{Scope: scope, Now: now, StaffID: 6, Paging: core.Paging[core.ID]{Limit: core.MaxPage}}
			q.IsMine = &isIt
			w.same(paymentIDs(slices.DeleteFunc(slices.Clone(inScope), func(p payment.Payment) bool {
				return isIt != (p.Claim.StaffID == 6)
			})), w.onDesk(q))
			q.IsMine, q.AwaitsApproval = nil, &isIt
			w.same(paymentIDs(slices.DeleteFunc(slices.Clone(inScope), func(p payment.Payment) bool {
				return isIt != (p.Claim.Hold.ApprovalID != "")
			})), w.onDesk(q))
		}
	}
}

// desksOfMany has one dealer more with withdrawals than are listed.
func desksOfMany(w *world) {
	var all []payment.Payment
	for i := range int64(payment.MaxDeskLoads + 1) {
		p := w.withdrawal(1 + i)
		p.Status = payment.Pending
		all = append(all, p)
	}
	w.commit(core.Rows(all))
	loads := w.deskLoads(core.Scope{}, epoch)
	w.same(payment.MaxDeskLoads, len(loads))
	w.same(int64(payment.MaxDeskLoads), loads[len(loads)-1].DealerID)
}

// loadsOf counts what dealers have on the desk.
func loadsOf(all []payment.Payment, now time.Time) (loads []payment.DeskLoad) {
	earliest := func(a, b time.Time) time.Time {
		if a.IsZero() || b.Before(a) {
			return b
		}
		return a
	}
	for dealerID := range int64(4) {
		l := payment.DeskLoad{DealerID: dealerID}
		for _, p := range all {
			if p.DealerID != dealerID {
				continue
			}
			l.Amount, l.OldestAt = lira(l.Amount.Minor()+p.Amount.Minor()), earliest(l.OldestAt, p.CreatedAt)
			if p.Claim.IsAwaiting() {
				l.AwaitingApprovalCount++
			}
			switch {
			case p.Claim.IsHeld(now):
				l.ClaimedCount++
				continue
			case p.Claim.StaffID == 0:
				l.WaitingCount++
			default:
				l.LapsedCount++
			}
			l.OldestFreeAt = earliest(l.OldestFreeAt, p.CreatedAt)
		}
		if !l.OldestAt.IsZero() {
			loads = append(loads, l)
		}
	}
	return loads
}

// payoutsToDecide has payouts whose operations wait for staff, and others.
func payoutsToDecide(w *world) {
	var want []core.ID
	for i, c := range []struct {
		method payment.Method
		status payment.Status
		phase  operation.Phase
		state  gateway.PayoutState
		next   time.Time
		waits  bool
	}{
		{payment.BankWithdrawal, payment.Pending, operation.Planned, "", time.Time{}, true},
		{payment.CryptoWithdrawal, payment.Pending, operation.Planned, "", time.Time{}, true},
		{payment.WalletWithdrawal, payment.Showing, operation.Planned, "", time.Time{}, true},
		{payment.BankWithdrawal, payment.Pending, operation.Planned, "", epoch, false},
		{payment.BankWithdrawal, payment.Processing, operation.Open, gateway.PayoutNeedsApproval, epoch, true},
		{payment.BankWithdrawal, payment.Processing, operation.Open, gateway.PayoutSent, epoch, false},
		{payment.BankWithdrawal, payment.Rejected, operation.Planned, "", time.Time{}, false},
		{payment.BankWithdrawal, payment.Completed, operation.Closed, gateway.PayoutNeedsApproval, time.Time{}, false},
		{payment.ManualWithdrawal, payment.Pending, operation.Planned, "", time.Time{}, false},
	} {
		p := w.withdrawal(int64(1 + i%2))
		p.Method, p.Status = c.method, c.status
		o := w.operation(p.ID)
		o.Kind, o.Phase, o.Status, o.NextAt = operation.PayoutOperation, c.phase, string(c.state), c.next
		w.commit(core.Changeset{p, o})
		if c.waits {
			want = append(want, p.ID)
		}
	}
	w.same(want, paymentIDs(read(w, w.store.PayoutsToDecide, payment.PayoutQuery{Paging: core.Paging[core.ID]{Limit: core.MaxPage}})))
	w.same(want[1:2], paymentIDs(read(w, w.store.PayoutsToDecide, payment.PayoutQuery{
		Scope: core.Scope{DealerID: 2}, Paging: core.Paging[core.ID]{Limit: 1},
	})))
}

// waitingPayout is a payout whose operation, which is stored, waits for staff.
func (w *world) waitingPayout() payment.Payment {
	p := w.withdrawal(1)
	p.Method, p.Status, p.Claim = payment.BankWithdrawal, payment.Pending, payment.Claim{}
	o := w.operation(p.ID)
	o.Kind, o.Phase, o.NextAt = operation.PayoutOperation, operation.Planned, time.Time{}
	w.commit(core.Changeset{o})
	return p
}
