package storetest

import (
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
)

func deskSentences() []sentence {
	return []sentence{
		{"an empty desk is no fault", emptyDesk},
		{"on the desk are withdrawals that are pending or processing", onDeskOnly},
		{"withdrawals are narrowed by dealer and by who has them, oldest first, page by page", deskNarrowed},
		{"loads are each dealer's, by dealer", deskLoadsOf},
		{"a provider sees its own withdrawals on the desk", deskOfProvider},
		{"a claim holds until its moment, and counts as lapsed from then on", claimLapses},
	}
}

func emptyDesk(w *world) {
	w.same(0, len(w.deskLoads(core.Scope{}, epoch)))
	w.same(0, len(w.onDesk(payment.DeskQuery{Now: epoch, Paging: core.Paging[core.ID]{Limit: 5}})))
}

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

// desk commits withdrawals of three dealers: free ones, claimed ones and lapsed ones. It gives them oldest first.
func (w *world) desk(now time.Time) []payment.Payment {
	w.t.Helper()
	var all []payment.Payment
	for i := range 36 {
		p := w.withdrawal(int64(1 + i%3))
		p.CreatedAt = epoch.Add(time.Duration(i*i%37) * time.Minute)
		switch i % 4 {
		case 1:
			p.Claim = payment.Claim{StaffID: 5, Name: awkward, Until: now.Add(time.Microsecond)}
			if i%8 == 1 {
				p.Claim.Hold.ApprovalID = p.ID
			}
		case 2:
			p.Claim = payment.Claim{StaffID: 6, Name: awkward, Until: now.Add(time.Duration(-i) * time.Second)}
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
	all := w.desk(now)
	for _, dealerID := range []int64{0, 1, 3, 4, -1} {
		for _, isFree := range []*bool{nil, new(true), new(false)} {
			want := paymentIDs(slices.DeleteFunc(slices.Clone(all), func(p payment.Payment) bool {
				return dealerID != 0 && p.DealerID != dealerID || isFree != nil && *isFree == p.Claim.IsHeld(now)
			}))
			q := payment.DeskQuery{Scope: core.Scope{DealerID: dealerID}, IsFree: isFree, Now: now, Paging: core.Paging[core.ID]{Limit: core.MaxPage}}
			w.same(want, w.onDesk(q))
			var got []core.ID
			q.Limit = 5
			for page := w.onDesk(q); len(page) > 0 && len(got) <= len(want); page = w.onDesk(q) {
				w.same(true, len(page) <= q.Limit)
				got = append(got, page...)
				q.After = got[len(got)-1]
			}
			w.same(len(want), len(got))
			w.same(want, append([]core.ID{}, got...))
		}
	}
	w.same(0, len(w.onDesk(payment.DeskQuery{Now: now})))
}

func deskLoadsOf(w *world) {
	now := tomorrowAt(9)
	loads := map[int64]payment.DeskLoad{}
	earliest := func(a, b time.Time) time.Time {
		if a.IsZero() || b.Before(a) {
			return b
		}
		return a
	}
	for _, p := range w.desk(now) {
		l := loads[p.DealerID]
		l.DealerID, l.Amount = p.DealerID, lira(l.Amount.Minor()+p.Amount.Minor())
		l.OldestAt = earliest(l.OldestAt, p.CreatedAt)
		if p.Claim.IsAwaiting() {
			l.AwaitingApprovalCount++
		}
		switch {
		case p.Claim.IsHeld(now):
			l.ClaimedCount++
		case p.Claim.StaffID == 0:
			l.WaitingCount++
		default:
			l.LapsedCount++
		}
		if !p.Claim.IsHeld(now) {
			l.OldestFreeAt = earliest(l.OldestFreeAt, p.CreatedAt)
		}
		loads[p.DealerID] = l
	}
	w.same([]payment.DeskLoad{loads[1], loads[2], loads[3]}, w.deskLoads(core.Scope{}, now))
	w.same([]payment.DeskLoad{loads[2]}, w.deskLoads(core.Scope{DealerID: 2}, now))
	w.same(0, len(w.deskLoads(core.Scope{DealerID: 4}, now)))
	w.same(0, len(w.deskLoads(core.Scope{DealerID: -1}, now)))
	w.same(0, len(w.deskLoads(core.Scope{ProviderID: -1}, now)))
}

func claimLapses(w *world) {
	until := tomorrowAt(9)
	p := w.withdrawal(7)
	p.Status, p.Claim = payment.Processing, payment.Claim{StaffID: 5, Name: awkward, Until: until}
	w.commit(core.Changeset{p})
	load := payment.DeskLoad{DealerID: 7, Amount: p.Amount, OldestAt: p.CreatedAt}
	held, lapsed := load, load
	held.ClaimedCount, lapsed.LapsedCount, lapsed.OldestFreeAt = 1, 1, p.CreatedAt
	before := until.Add(-time.Microsecond)
	w.same([]payment.DeskLoad{held}, w.deskLoads(core.Scope{}, before))
	w.same(0, len(w.onDesk(payment.DeskQuery{IsFree: new(true), Now: before, Paging: core.Paging[core.ID]{Limit: 5}})))
	w.same([]payment.DeskLoad{lapsed}, w.deskLoads(core.Scope{}, until))
	w.same([]core.ID{p.ID}, w.onDesk(payment.DeskQuery{IsFree: new(true), Now: until, Paging: core.Paging[core.ID]{Limit: 5}}))
	p.Version, p.Status = 2, payment.Completed
	w.commit(core.Changeset{p})
	w.same(0, len(w.deskLoads(core.Scope{}, until)))
}

func deskOfProvider(w *world) {
	p, other := w.withdrawal(7), w.withdrawal(7)
	p.Status, p.Claim, other.Status, other.Claim = payment.Pending, payment.Claim{}, payment.Pending, payment.Claim{}
	w.commit(core.Changeset{other, p})
	scope := core.Scope{ProviderID: p.ProviderID}
	w.same([]core.ID{p.ID}, w.onDesk(payment.DeskQuery{Scope: scope, Now: epoch, Paging: core.Paging[core.ID]{Limit: 5}}))
	w.same([]payment.DeskLoad{{
		DealerID: 7, WaitingCount: 1, Amount: p.Amount, OldestAt: p.CreatedAt, OldestFreeAt: p.CreatedAt,
	}}, w.deskLoads(scope, epoch))
	scope.DealerID = 8
	w.same(0, len(w.onDesk(payment.DeskQuery{Scope: scope, Now: epoch, Paging: core.Paging[core.ID]{Limit: 5}})))
	w.same(0, len(w.deskLoads(scope, epoch)))
}
