package storetest

import (
	"slices"
	"sync"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/operation"
)

func operationClaimSentences() []sentence {
	return []sentence{
		{"only the gateway account's own operations are claimed, in whatever phase", onlyOwnOperations},
		{"due gateways come once each, in order", gatewaysInOrder},
		{"gateways with nothing to claim are not due", idleGateways},
	}
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

// disjoint claims with several claimers until nothing is left: each row must have been claimed by one of them.
func (w *world) disjoint(rows, claimers int, claim func() ([]core.Identity, error)) {
	w.t.Helper()
	var mu sync.Mutex
	times := map[core.Identity]int{}
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
			w.t.Fatalf("%v was claimed %d times within its lease", id, n)
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
