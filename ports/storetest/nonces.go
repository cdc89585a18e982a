package storetest

import (
	"fmt"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
)

func nonceAt(caller, value string, at time.Time) owner.Nonce {
	return owner.Nonce{Caller: caller, Value: value, UsedAt: at}
}

func noncesAreUsedOnce(w *world) {
	n := nonceAt("dealer/1", "0123456789abcdef", epoch)
	w.commit(core.Changeset{n})
	later := nonceAt(n.Caller, n.Value, epoch.Add(time.Hour))
	w.refused(fault.Conflict, core.Changeset{later})
	// Another caller's, and others by a case or an end.
	w.commit(core.Changeset{
		nonceAt("dealer/2", n.Value, epoch), nonceAt("site_token/1", n.Value, epoch), nonceAt(n.Caller, "0123456789ABCDEF", epoch),
		nonceAt(n.Caller, n.Value+"0", epoch),
	})
	w.refused(fault.Conflict, core.Changeset{nonceAt("dealer/3", "once", epoch), nonceAt("dealer/3", "once", epoch)})
	pruned, err := w.store.Prune(w.ctx, core.RequestNonces, epoch.Add(time.Microsecond), 100)
	w.no(err)
	w.same(5, pruned)
	w.commit(core.Changeset{later})
}

func usedNonceKeepsNothing(w *world) {
	n, p := nonceAt("dealer/1", "0123456789abcdef", epoch), w.payment()
	w.commit(core.Changeset{n})
	w.refused(fault.Conflict, core.Changeset{n, p})
	w.nothingThere(p)
}

func noncesPruned(w *world) {
	at := func(i int) owner.Nonce {
		return nonceAt("dealer/1", fmt.Sprint("nonce-", i), epoch.Add(time.Duration(i)*time.Hour))
	}
	for i := range 5 {
		w.commit(core.Changeset{at(i)})
	}
	before := epoch.Add(3 * time.Hour) // the fourth was used at this moment, not before
	for _, want := range []int{2, 1, 0} {
		pruned, err := w.store.Prune(w.ctx, core.RequestNonces, before, 2)
		w.no(err)
		w.same(want, pruned)
	}
	for i := range 5 {
		if i < 3 {
			w.commit(core.Changeset{at(i)})
		} else {
			w.refused(fault.Conflict, core.Changeset{at(i)})
		}
	}
}
