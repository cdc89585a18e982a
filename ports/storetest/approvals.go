package storetest

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
)

// decided is the request in a state that somebody brought it to.
func decided(a approval.Approval, state approval.Status, by int64) approval.Approval {
	a.Version++
	a.Status, a.DecidedBy, a.DecidedByName, a.DecidedAt = state, by, awkward, a.CreatedAt.Add(time.Minute)
	a.DecisionReason, a.Result = longName, core.NewSecret(awkward)
	return a
}

func requestsOver(w *world) {
	waiting := approval.Query{Statuses: approval.Statuses()[:1], IsOver: true, Paging: core.Paging[core.ID]{Limit: 99}}
	var want []approval.Approval
	for _, status := range payment.Statuses() {
		p, a := w.payment(), w.approval()
		p.Status, a.PaymentID = status, p.ID
		w.commit(core.Changeset{p, a})
		if status.IsFinal() {
			want = append([]approval.Approval{a}, want...)
		}
		if status == payment.Expired {
			w.commit(core.Changeset{ended(a, approval.Lapsed)})
			want = want[1:]
		}
	}
	none, lost := w.approval(), w.approval() // about no payment, and about one that is not there
	none.PaymentID = ""
	w.commit(core.Changeset{none, lost})
	w.same(want, read(w, w.store.ListApprovals, waiting))
}

func approvalsNarrowed(w *world) {
	first, second, third := w.approval(), w.approval(), w.approval()
	second.RequesterID, second.Guards = first.RequesterID, append(second.Guards, first.Guards...) // of two dealers
	first.Guards[0].ProviderID, second.Guards[0].ProviderID = 71, 72
	third.Guards[0].DealerID, third.Guards[0].Subject = first.DealerID(), first.Subject()
	refused := decided(third, approval.Refused, third.RequesterID+1)
	w.commit(core.Changeset{second, first, third}, core.Changeset{refused})
	waiting := []approval.Status{approval.Waiting}
	for _, c := range []struct {
		query approval.Query
		want  []approval.Approval
	}{
		{approval.Query{}, []approval.Approval{refused, second, first}},
		{approval.Query{Statuses: waiting}, []approval.Approval{second, first}},
		{approval.Query{Scope: core.Scope{DealerID: first.DealerID()}}, []approval.Approval{refused, first}},
		{approval.Query{Scope: core.Scope{DealerID: second.Guards[0].DealerID}}, nil},
		{approval.Query{Scope: core.Scope{ProviderID: 71}}, []approval.Approval{first}},
		{approval.Query{Scope: core.Scope{ProviderID: 71}, RequesterID: first.RequesterID + 1}, nil},
		{approval.Query{Scope: core.Scope{ProviderID: 72}}, nil},
		{approval.Query{RequesterID: first.RequesterID}, []approval.Approval{second, first}},
		{approval.Query{Subject: first.Subject(), Statuses: waiting}, []approval.Approval{first}},
	} {
		c.query.Limit = core.MaxPage
		w.same(c.want, read(w, w.store.ListApprovals, c.query))
	}
}

// onlyWaitingLapse: from their ExpiresAt on, one after the other, and never what somebody has decided.
func onlyWaitingLapse(w *world) {
	var due []approval.Approval
	for _, state := range approval.Statuses() {
		for range 2 {
			a := w.approval()
			a.ExpiresAt = epoch
			due = append(due, a)
			w.commit(core.Changeset{a})
			if state != approval.Waiting {
				due = due[:len(due)-1]
				w.commit(core.Changeset{ended(a, state)})
			}
		}
	}
	earlier := w.approval()
	earlier.ExpiresAt = epoch.Add(-time.Hour)
	w.commit(core.Changeset{earlier})
	due = append([]approval.Approval{earlier}, due...)
	inPages(w, due, func(now time.Time, after core.DueCursor, limit int) (core.DuePage[approval.Approval], error) {
		return w.store.DueApprovals(w.ctx, now, after, limit)
	})
}

// inPages holds a list of what is due to being had in pages of any size, each thing once and in order; the last are due at
// the epoch, and not before.
func inPages[T any](w *world, want []T, read func(now time.Time, after core.DueCursor, limit int) (core.DuePage[T], error)) {
	w.t.Helper()
	for limit := range len(want) + 2 {
		var all []T
		var after core.DueCursor
		for hasNext := limit > 0; hasNext; {
			page, err := read(epoch, after, limit)
			w.no(err)
			if len(page.Rows) > limit || page.HasNext && len(page.Rows) < limit {
				w.t.Fatalf("a page of %d has %d rows, and another page follows: %t", limit, len(page.Rows), page.HasNext)
			}
			all, after, hasNext = append(all, page.Rows...), page.Next, page.HasNext
		}
		if limit > 0 {
			w.same(want, all)
		}
	}
	for _, limit := range []int{0, -1} {
		none, err := read(epoch, core.DueCursor{}, limit)
		w.no(err)
		w.same(core.DuePage[T]{}, none)
	}
	early, err := read(epoch.Add(-time.Microsecond), core.DueCursor{}, len(want))
	w.no(err)
	if len(early.Rows) >= len(want) {
		w.t.Fatalf("%d of %d are due before their time", len(early.Rows), len(want))
	}
}

// nobodyDecidesAlone: whatever a program says, the store refuses it, and all that comes with it.
func nobodyDecidesAlone(w *world) {
	for state, by := range map[approval.Status]func(approval.Approval) int64{
		approval.Approved:  func(a approval.Approval) int64 { return a.RequesterID },
		approval.Refused:   func(a approval.Approval) int64 { return a.RequesterID },
		approval.Withdrawn: func(a approval.Approval) int64 { return a.RequesterID + 1 },
		approval.Lapsed:    func(a approval.Approval) int64 { return a.RequesterID + 1 },
		approval.Waiting:   func(a approval.Approval) int64 { return a.RequesterID },
	} {
		a, p := w.approval(), w.payment()
		w.commit(core.Changeset{a})
		w.refused(fault.OwnRequest, core.Changeset{decided(a, state, by(a)), p})
		w.nothingThere(p)
	}
	for _, state := range []approval.Status{approval.Approved, approval.Refused} {
		a := w.approval()
		w.commit(core.Changeset{a})
		w.refused(fault.OwnRequest, core.Changeset{decided(a, state, 0)})
	}
	a := w.approval()
	a = decided(a, approval.Approved, a.RequesterID)
	a.Version = 1
	w.refused(fault.OwnRequest, core.Changeset{a})
}

// ended is the request in one of the states that it may end in, by whom it may.
func ended(a approval.Approval, state approval.Status) approval.Approval {
	return decided(a, state, decider(a, state))
}

// decider is who may bring a request to a state.
func decider(a approval.Approval, state approval.Status) int64 {
	switch state {
	case approval.Approved, approval.Refused:
		return a.RequesterID + 1
	case approval.Withdrawn:
		return a.RequesterID
	default:
		return 0
	}
}

// endedStaysEnded: whoever comes second, with what was true before, changes nothing, and nothing comes of it.
func endedStaysEnded(w *world) {
	endings := approval.Statuses()[1:]
	for _, state := range endings {
		a := w.approval()
		w.commit(core.Changeset{a}, core.Changeset{ended(a, state)})
		for _, late := range endings {
			p := w.payment()
			w.refused(fault.Conflict, core.Changeset{p, ended(a, late)})
			w.nothingThere(p)
		}
		w.isStored(ended(a, state))
	}
}
