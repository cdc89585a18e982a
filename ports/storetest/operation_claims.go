package storetest

import (
	"slices"
	"sync"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/operation"
)

const gate = 7 // a gateway account

func operationClaimSentences() []sentence {
	return []sentence{
		{"claiming raises the version, sets the lease and changes nothing else", operationClaimChanges},
		{"the earliest due operations are claimed first", earliestOperations},
		{"an operation is due from the moment of NextAt, and never without one", dueFromNextAt},
		{"only the gateway account's own operations are claimed, in whatever phase", onlyOwnOperations},
		{"a leased operation is not given again until its lease is over", operationLease},
		{"the late result of a lost lease is a conflict", lostOperationLease},
		{"concurrent claimers get disjoint operations and together all of them", disjointOperations},
		{"due gateways come once each, in order", gatewaysInOrder},
		{"gateways with nothing to claim are not due", idleGateways},
	}
}

func operationClaimChanges(w *world) {
	o := w.operation(w.payment().ID)
	w.commit(core.Changeset{o})
	now := o.NextAt.Add(time.Second)
	claimed := w.claimOperations(o.GatewayID, now, 10)
	o.Version, o.LeaseUntil = 2, now.Add(time.Minute)
	w.same([]operation.Operation{o}, claimed)
	w.operationIs(o)
}

func earliestOperations(w *world) {
	for _, m := range []int{4, 1, 6, 3, 5, 2, 0} {
		w.commit(core.Changeset{w.dueOperation(gate, epoch.Add(time.Duration(m)*time.Minute))})
	}
	now := epoch.Add(time.Hour)
	for _, want := range [][]int{{0, 1, 2}, {3, 4, 5}, {6}, {}} {
		var got []int
		for _, o := range w.claimOperations(gate, now, 3) {
			got = append(got, int(o.NextAt.Sub(epoch)/time.Minute))
		}
		w.same(want, got)
	}
}

func dueFromNextAt(w *world) {
	o, never := w.dueOperation(gate, epoch), w.dueOperation(gate, time.Time{})
	w.commit(core.Changeset{never, o})
	w.same(0, len(w.claimOperations(gate, epoch.Add(-time.Microsecond), 10)))
	w.same(0, len(w.dueGateways(epoch.Add(-time.Microsecond))))
	w.same([]int64{gate}, w.dueGateways(epoch))
	w.same(0, len(w.claimOperations(gate, epoch, 0)))
	w.same([]core.ID{o.ID}, operationIDs(w.claimOperations(gate, epoch, 10)))
}

func onlyOwnOperations(w *world) {
	var own []core.ID
	var change core.Changeset
	for _, phase := range []operation.Phase{operation.Planned, operation.Calling, operation.Open, operation.Late, operation.Closed} {
		o := w.dueOperation(gate, epoch)
		o.Phase = phase
		own = append(own, o.ID)
		change = append(change, o, w.dueOperation(gate+1, epoch), w.dueOperation(0, epoch))
	}
	w.commit(change)
	w.same(own, operationIDs(w.claimOperations(gate, epoch.Add(time.Hour), 100)))
}

func operationLease(w *world) {
	o := w.dueOperation(gate, epoch)
	w.commit(core.Changeset{o})
	leaseUntil := w.claimOperations(gate, epoch, 10)[0].LeaseUntil
	for _, now := range []time.Time{epoch, epoch.Add(30 * time.Second), leaseUntil.Add(-time.Microsecond)} {
		w.same(0, len(w.claimOperations(gate, now, 10)))
		w.same(0, len(w.dueGateways(now)))
	}
	w.same([]int64{gate}, w.dueGateways(leaseUntil))
	again := w.claimOperations(gate, leaseUntil, 10)
	w.same([]core.ID{o.ID}, operationIDs(again))
	w.same(3, again[0].Version)
}

func lostOperationLease(w *world) {
	o := w.dueOperation(gate, epoch)
	w.commit(core.Changeset{o})
	early := o
	early.Version, early.State = 2, "decided before the claim"
	slow := w.claimOperations(gate, epoch, 1)[0]
	w.refused(fault.Conflict, core.Changeset{early})
	quick := w.claimOperations(gate, epoch.Add(time.Hour), 1)[0]
	slow.Version++
	w.refused(fault.Conflict, core.Changeset{slow})
	quick.Version, quick.NextAt, quick.LeaseUntil = quick.Version+1, time.Time{}, time.Time{}
	w.commit(core.Changeset{quick})
	w.operationIs(quick)
	w.same(0, len(w.claimOperations(gate, epoch.Add(24*time.Hour), 1)))
}

func disjointOperations(w *world) {
	const rows, claimers, batch = 60, 8, 7
	var change core.Changeset
	for i := range rows {
		change = append(change, w.dueOperation(gate, epoch.Add(time.Duration(i)*time.Second)))
	}
	w.commit(change)
	w.disjoint(rows, claimers, func() ([]core.ID, error) {
		claimed, err := w.store.ClaimOperations(w.ctx, gate, epoch.Add(time.Hour), epoch.Add(2*time.Hour), batch)
		return operationIDs(claimed), err
	})
}

// disjoint claims with several claimers until nothing is left: each row must have been claimed by one of them.
func (w *world) disjoint(rows, claimers int, claim func() ([]core.ID, error)) {
	w.t.Helper()
	var mu sync.Mutex
	times := map[core.ID]int{}
	errs := together(claimers, func(int) error {
		for range rows { // enough rounds for one claimer to get every row one by one
			claimed, err := claim()
			if err != nil || len(claimed) == 0 {
				return err
			}
			mu.Lock()
			for _, id := range claimed {
				times[id]++
			}
			mu.Unlock()
		}
		return nil
	})
	w.same(claimers, w.won(errs, ""))
	for id, n := range times {
		if n != 1 {
			w.t.Fatalf("%s was claimed %d times within its lease", id, n)
		}
	}
	w.same(rows, len(times))
}

func gatewaysInOrder(w *world) {
	ids := []int64{11, 2, firstNumber, 1, 9, 10}
	for _, id := range ids {
		w.commit(core.Changeset{
			w.dueOperation(id, epoch),
			w.dueOperation(id, epoch.Add(-time.Hour)),
			w.dueOperation(id, epoch.Add(time.Hour)),
		})
	}
	slices.Sort(ids)
	w.same(ids, w.dueGateways(epoch))
}

func idleGateways(w *world) {
	now := epoch.Add(time.Hour)
	later, planned := w.dueOperation(1, now.Add(time.Second)), w.dueOperation(2, time.Time{})
	leased, due := w.dueOperation(3, epoch), w.dueOperation(4, epoch)
	leased.LeaseUntil = now.Add(time.Minute)
	w.commit(core.Changeset{later, planned, leased, due})
	w.same([]int64{4}, w.dueGateways(now))
}
