package storetest

import (
	"fmt"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/dispute"
	restored "github.com/vezne/vezne/core/epoch"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

func epochAndMark(w *world) {
	first, err := w.store.Epoch(w.ctx)
	w.no(err)
	if first.Version != 1 || first.Number != 1 || first.State != restored.Live || first.Installation == "" || first.Name == "" || first.Name == first.Installation {
		w.t.Fatalf("a new database is of the epoch %+v", first)
	}
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	_, before, err := w.store.Mark(w.ctx)
	w.no(err)
	w.same(restored.Mark{Installation: first.Installation, Epoch: 1, Name: first.Name}, before)
	ahead := before
	ahead.Number = 1
	w.no(w.store.Grow(w.ctx, ahead, at.Add(-time.Minute))) // it is not as far
	w.no(w.store.Grow(w.ctx, before, at))
	_, grown, err := w.store.Mark(w.ctx)
	w.no(err)
	before.Number, before.At = 1, at
	w.same(before, grown)
	for range 2 { // it is at home wherever it is asked first
		isAtHome, err := w.store.IsAtHome(w.ctx)
		w.no(err)
		w.same(true, isAtHome)
	}
	w.no(w.store.Settle(w.ctx))
	frozen := restored.Freeze(first, restored.Restored, at, at.Add(time.Hour), "another")
	w.commit(core.Changeset{frozen})
	w.fails(fault.Conflict, w.store.Commit(w.ctx, core.Changeset{frozen}))
	w.no(w.store.Grow(w.ctx, before, at.Add(time.Minute)))
	now, mark, err := w.store.Mark(w.ctx)
	w.no(err)
	w.same(frozen, now)
	w.same(restored.Mark{Installation: first.Installation, Epoch: 2, Name: "another", Number: 2, At: at.Add(time.Minute)}, mark)
	stored, err := w.store.Stored(w.ctx, frozen.Identity())
	w.no(err)
	w.same(frozen, stored.(restored.Epoch))
}

func remainsOfAnEpoch(w *world) {
	_, _, at := w.next()
	nextID := func() core.ID {
		id, _, _ := w.next()
		return id
	}
	var all []restored.Remain
	for i := range 5 {
		all = append(all, restored.Remain{
			ID: nextID(), Version: 1, Freeze: "one", Kind: restored.PaidByHand, Subject: fmt.Sprintf("payment/WTH-%d", i), FoundAt: at,
		})
	}
	all[0].Detail, all[0].Facts = "all of it", restored.Facts{
		Amount: gateway.Lira(lira(250)), Status: payment.Showing, State: gateway.PartPaid, Unanswered: 3,
		Active: []restored.RoleCount{{Role: staff.Admin, Count: 2}, {Role: staff.Finance, Count: 1}}, Missing: []restored.Unlisted{restored.Deposits, restored.Disputes},
		Gap: restored.Unfinished, Bank: "SIM Bank", Trouble: "no answer",
	}
	other := all[0]
	other.ID, other.Freeze = nextID(), "another"
	w.commit(core.Rows(append(all, other)))
	again := all[1]
	again.ID = nextID()
	w.fails(fault.Conflict, w.store.Commit(w.ctx, core.Changeset{again}))
	done, err := all[2].Acknowledge(core.System, at, "looked at")
	w.no(err)
	w.commit(core.Changeset{done})
	read := func(q restored.RemainQuery) []restored.Remain {
		q.Freeze = "one"
		page, err := w.store.Remains(w.ctx, q)
		w.no(err)
		return page
	}
	first := read(restored.RemainQuery{Paging: core.Paging[core.ID]{Limit: 2}})
	w.same(all[:2], first)
	w.same([]restored.Remain{done}, read(restored.RemainQuery{IsOpen: new(false), Paging: core.Paging[core.ID]{Limit: 9}}))
	w.same([]restored.Remain{all[3], all[4]}, read(restored.RemainQuery{IsOpen: new(true), Paging: core.Paging[core.ID]{Limit: 9, After: first[1].ID}}))
	w.same([]restored.Remain{all[4]}, read(restored.RemainQuery{IDs: []core.ID{all[4].ID}, Paging: core.Paging[core.ID]{Limit: 9}}))
	w.same(0, len(read(restored.RemainQuery{Kinds: []restored.RemainKind{restored.NotListed}, Paging: core.Paging[core.ID]{Limit: 9}})))
}

func liveOperations(w *world) {
	var want []core.ID
	for i, phase := range []operation.Phase{operation.Planned, operation.Closed, operation.Calling, operation.Open, operation.Late} {
		o := w.dueOperation(int64(70+i), epoch)
		o.Phase = phase
		w.commit(core.Changeset{o})
		if phase != operation.Closed {
			want = append(want, o.ID)
		}
	}
	var got []core.ID
	for after := core.ID(""); ; {
		page, err := w.store.LiveOperations(w.ctx, after, 3)
		w.no(err)
		got = append(got, idsOf(page, func(o operation.Operation) core.ID { return o.ID })...)
		if len(page) < 3 {
			break
		}
		after = page[len(page)-1].ID
	}
	w.same(want, got)
}

func liveDisputes(w *world) {
	var want []core.ID
	for i, next := range []time.Time{epoch, {}, epoch.Add(time.Hour), epoch} {
		d := w.dueDispute(int64(70+i), next)
		w.commit(core.Changeset{d})
		if !next.IsZero() {
			want = append(want, d.ID)
		}
	}
	var got []core.ID
	for after := core.ID(""); ; {
		page, err := w.store.LiveDisputes(w.ctx, after, 2)
		w.no(err)
		got = append(got, idsOf(page, func(d dispute.Dispute) core.ID { return d.ID })...)
		if len(page) < 2 {
			break
		}
		after = page[len(page)-1].ID
	}
	w.same(want, got)
}
