package dircache_test

import (
	"context"
	"sync"
	"testing"

	"github.com/vezne/vezne/adapters/bunstore/sqlitetest"
	"github.com/vezne/vezne/adapters/dircache"
	"github.com/vezne/vezne/adapters/localevents"
	"github.com/vezne/vezne/app/live"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports"
)

// heard are events that tell when they were handled.
type heard struct {
	ports.Events
	handled chan struct{}
}

func (h heard) Listen(ctx context.Context, handle func([]core.Event)) {
	h.Events.Listen(ctx, func(list []core.Event) {
		handle(list)
		h.handled <- struct{}{}
	})
}

// TestAChangeIsHeardOfByOtherProcesses: the clock stands still, so that nothing that is kept grows old. A provider that one
// process switches off is off in the other when that has heard of it.
func TestAChangeIsHeardOfByOtherProcesses(t *testing.T) {
	t.Parallel()
	store, clock := sqlitetest.Open(t), apptest.NewClock(start)
	events := heard{localevents.New(), make(chan struct{})}
	here, there := dircache.New(store, clock), dircache.New(store, clock)
	commits := live.Announce(here.Forgets(store), events)
	ctx, stop := context.WithCancel(t.Context())
	var listening sync.WaitGroup
	listening.Go(func() { there.Listen(ctx, events) })
	defer listening.Wait()
	defer stop()
	<-events.handled // it may have missed what was before
	p := owner.Provider{ID: 7, Version: 1, APIKey: "key", IsActive: true, CreatedAt: start, UpdatedAt: start}
	for range 20 {
		if err := commits.Commit(t.Context(), core.Changeset{p}); err != nil {
			t.Fatal(err)
		}
		<-events.handled
		for name, d := range map[string]*dircache.Directory{"the one that changed it": here, "the other": there} {
			if found, err := d.ProviderByAPIKey(t.Context(), "key"); err != nil || found.IsActive != p.IsActive {
				t.Fatalf("after %d changes %s says %t (%v), want %t", p.Version, name, found.IsActive, err, p.IsActive)
			}
		}
		p.Version, p.IsActive = p.Version+1, !p.IsActive
	}
}
