package graph_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/epoch"
)

// restored is an installation after a restore, of which gateways were asked. Something of it may remain.
func restored(remains bool) func(*api, *testing.T) subject {
	return func(a *api, t *testing.T) subject {
		t.Helper()
		ids, err := core.NewIDs(a.Clock.Now(), a.UnitOfWork.Random)
		if err != nil {
			t.Fatal(err)
		}
		e, err := a.Store.Epoch(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		at := a.Clock.Now().Add(time.Duration(e.Version) * time.Microsecond) // no two freezes are of one moment
		e = epoch.Freeze(e, epoch.Restored, at, at, string(ids.Next()))
		e.AskedAt = a.Clock.Now()
		change, remain := core.Changeset{e}, epoch.Remain{
			ID: ids.Next(), Version: 1, Freeze: e.Freeze(), Kind: epoch.PaidByHand, Subject: "payment/WIT-1", FoundAt: a.Clock.Now(),
		}
		if remains {
			change = append(change, remain)
		}
		if err := a.Store.Commit(t.Context(), change); err != nil {
			t.Fatal(err)
		}
		return subject{entry: remain.ID}
	}
}
