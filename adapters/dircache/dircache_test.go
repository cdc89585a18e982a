package dircache_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/adapters/bunstore/sqlitetest"
	"github.com/vezne/vezne/adapters/dircache"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/routing"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports"
	"github.com/vezne/vezne/ports/storetest"
)

var start = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// behind is the store behind the cache: it counts what is read of it, and a test may stand in the way of a read.
type behind struct {
	*bunstore.Store
	mu    sync.Mutex
	reads int
	enter func(ctx context.Context) // before a read
	leave func() error              // after it
}

func (b *behind) read(ctx context.Context, look func() error) error {
	b.mu.Lock()
	b.reads++
	enter, leave := b.enter, b.leave
	b.mu.Unlock()
	if enter != nil {
		enter(ctx)
	}
	err := look()
	if leave != nil {
		if problem := leave(); problem != nil {
			return problem
		}
	}
	return err
}

func (b *behind) ProviderByAPIKey(ctx context.Context, key string) (p owner.Provider, err error) {
	err = b.read(ctx, func() error { p, err = b.Store.ProviderByAPIKey(ctx, key); return err })
	return p, err
}

func (b *behind) Provider(ctx context.Context, id int64) (p owner.Provider, err error) {
	err = b.read(ctx, func() error { p, err = b.Store.Provider(ctx, id); return err })
	return p, err
}

func (b *behind) SiteByCredential(ctx context.Context, fingerprint string) (s owner.Site, err error) {
	err = b.read(ctx, func() error { s, err = b.Store.SiteByCredential(ctx, fingerprint); return err })
	return s, err
}

func (b *behind) Site(ctx context.Context, id int64) (s owner.Site, err error) {
	err = b.read(ctx, func() error { s, err = b.Store.Site(ctx, id); return err })
	return s, err
}

func (b *behind) Dealer(ctx context.Context, id int64) (d owner.Dealer, err error) {
	err = b.read(ctx, func() error { d, err = b.Store.Dealer(ctx, id); return err })
	return d, err
}

func (b *behind) DealerByAPIKey(ctx context.Context, key string) (d owner.Dealer, err error) {
	err = b.read(ctx, func() error { d, err = b.Store.DealerByAPIKey(ctx, key); return err })
	return d, err
}

func (b *behind) SiteTokenByToken(ctx context.Context, token string) (t owner.SiteToken, err error) {
	err = b.read(ctx, func() error { t, err = b.Store.SiteTokenByToken(ctx, token); return err })
	return t, err
}

func (b *behind) GatewayAccounts(ctx context.Context) (all []owner.GatewayAccount, err error) {
	err = b.read(ctx, func() error { all, err = b.Store.GatewayAccounts(ctx); return err })
	return all, err
}

func (b *behind) RouteRules(ctx context.Context) (all []routing.Rule, err error) {
	err = b.read(ctx, func() error { all, err = b.Store.RouteRules(ctx); return err })
	return all, err
}

// cache is the directory with the commits that it forgets after.
type cache struct {
	*dircache.Directory
	ports.Committer
}

func over(store *behind, clock ports.Clock) *cache {
	d := dircache.New(store, clock)
	return &cache{d, d.Forgets(store)}
}

// setup is a cache over a store with one row of each cached kind.
func setup(t *testing.T) (*cache, *behind, *apptest.Clock) {
	t.Helper()
	clock, store := apptest.NewClock(start), &behind{Store: sqlitetest.Open(t)}
	c := over(store, clock)
	commit(t, c, rows(1, "first")...)
	return c, store, clock
}

// rows are changes of one row of each cached kind, which all have the same name.
func rows(version int, name string) []core.Changeset {
	return []core.Changeset{
		{owner.Provider{ID: 1, Version: version, Name: name, APIKey: "vzp_1", CreatedAt: start, UpdatedAt: start}},
		{owner.Site{ID: 1, Version: version, Name: name, ProviderID: 1, CredentialFingerprint: "print", CreatedAt: start, UpdatedAt: start}},
		{owner.Dealer{ID: 1, Version: version, Name: name, APIKey: "vzd_1", CreatedAt: start, UpdatedAt: start}},
		{owner.SiteToken{ID: 1, Version: version, Name: name, Token: "vzt_1", CreatedAt: start, UpdatedAt: start}},
		{owner.GatewayAccount{ID: 1, Version: version, Name: name, CreatedAt: start, UpdatedAt: start}},
		{routing.Rule{ID: 1, Version: version, Name: name, CreatedAt: start, UpdatedAt: start}},
	}
}

func commit(t *testing.T, to ports.Committer, changes ...core.Changeset) {
	t.Helper()
	for _, change := range changes {
		if err := to.Commit(t.Context(), change); err != nil {
			t.Fatal(err)
		}
	}
}

// lookUps are the cached questions, each for the name of what is found.
func lookUps(c *cache) map[string]func(context.Context) (string, error) {
	return map[string]func(context.Context) (string, error){
		"ProviderByAPIKey": func(ctx context.Context) (string, error) {
			p, err := c.ProviderByAPIKey(ctx, "vzp_1")
			return p.Name, err
		},
		"Provider": func(ctx context.Context) (string, error) { p, err := c.Provider(ctx, 1); return p.Name, err },
		"SiteByCredential": func(ctx context.Context) (string, error) {
			s, err := c.SiteByCredential(ctx, "print")
			return s.Name, err
		},
		"Site":   func(ctx context.Context) (string, error) { s, err := c.Site(ctx, 1); return s.Name, err },
		"Dealer": func(ctx context.Context) (string, error) { d, err := c.Dealer(ctx, 1); return d.Name, err },
		"DealerByAPIKey": func(ctx context.Context) (string, error) {
			d, err := c.DealerByAPIKey(ctx, "vzd_1")
			return d.Name, err
		},
		"SiteTokenByToken": func(ctx context.Context) (string, error) {
			t, err := c.SiteTokenByToken(ctx, "vzt_1")
			return t.Name, err
		},
		"GatewayAccounts": func(ctx context.Context) (string, error) {
			all, err := c.GatewayAccounts(ctx)
			if err != nil || len(all) != 1 {
				return fmt.Sprint(len(all)), err
			}
			return all[0].Name, nil
		},
		"RouteRules": func(ctx context.Context) (string, error) {
			all, err := c.RouteRules(ctx)
			if err != nil || len(all) != 1 {
				return fmt.Sprint(len(all)), err
			}
			return all[0].Name, nil
		},
	}
}

// wantRead asks and holds the answer, and how often the store was read so far, to what is expected.
func wantRead(t *testing.T, b *behind, look func(context.Context) (string, error), want string, reads int) {
	t.Helper()
	got, err := look(t.Context())
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil || got != want || b.reads != reads {
		t.Errorf("got %q after %d reads, %v; want %q after %d", got, b.reads, err, want, reads)
	}
}

// each runs a test for every look-up, in a cache of its own.
func each(t *testing.T, test func(t *testing.T, c *cache, b *behind, clock *apptest.Clock, look func(context.Context) (string, error))) {
	t.Helper()
	for name := range lookUps(nil) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, b, clock := setup(t)
			test(t, c, b, clock, lookUps(c)[name])
		})
	}
}

func TestStore(t *testing.T) {
	t.Parallel()
	clock := apptest.NewClock(start)
	open := func(t *testing.T) storetest.Store {
		store := sqlitetest.Open(t)
		d := dircache.New(store, clock)
		return storetest.Of(store, d, d.Forgets(store))
	}
	storetest.Run(t, open, "commit", "versions", "previous keys", "owner lists", "accounts", "customers", "block list",
		"rows", "sequences")
}

func TestAnEntryIsReadOnceUntilItIsTooOld(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, c *cache, b *behind, clock *apptest.Clock, look func(context.Context) (string, error)) {
		for range 3 {
			wantRead(t, b, look, "first", 1)
		}
		clock.Advance(dircache.MaxAge - time.Nanosecond)
		wantRead(t, b, look, "first", 1)
		clock.Advance(time.Nanosecond)
		wantRead(t, b, look, "first", 2)
		wantRead(t, b, look, "first", 2)
	})
}

func TestChangeOfAnotherProcessIsSeenAfterMaxAge(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, c *cache, b *behind, clock *apptest.Clock, look func(context.Context) (string, error)) {
		wantRead(t, b, look, "first", 1)
		commit(t, b.Store, rows(2, "second")...)
		wantRead(t, b, look, "first", 1)
		clock.Advance(dircache.MaxAge)
		wantRead(t, b, look, "second", 2)
	})
}

func TestAgeCountsFromBeforeTheRead(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, c *cache, b *behind, clock *apptest.Clock, look func(context.Context) (string, error)) {
		b.leave = func() error { clock.Advance(dircache.MaxAge); return nil } // a slow answer is old when it comes
		wantRead(t, b, look, "first", 1)
		wantRead(t, b, look, "first", 2)
	})
}

func TestOwnCommitIsSeenAtOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, c *cache, b *behind, clock *apptest.Clock, look func(context.Context) (string, error)) {
		wantRead(t, b, look, "first", 1)
		commit(t, c, rows(2, "second")...)
		wantRead(t, b, look, "second", 2)
	})
}

func TestLostRaceForgetsWhatItWasDecidedOn(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, c *cache, b *behind, clock *apptest.Clock, look func(context.Context) (string, error)) {
		wantRead(t, b, look, "first", 1)
		commit(t, b.Store, rows(2, "second")...) // another process was quicker
		for _, stale := range rows(2, "mine") {
			if err := c.Commit(t.Context(), stale); !fault.Is(err, fault.Conflict) {
				t.Fatal(err)
			}
		}
		wantRead(t, b, look, "second", 2)
	})
}

func TestCommitOfOtherThingsForgetsNothing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, c *cache, b *behind, clock *apptest.Clock, look func(context.Context) (string, error)) {
		wantRead(t, b, look, "first", 1)
		commit(t, c, core.Changeset{payment.Payment{ID: "P", Version: 1, Method: payment.ManualDeposit, Status: payment.Showing, CreatedAt: start, UpdatedAt: start}})
		wantRead(t, b, look, "first", 1)
	})
}

func TestSlowReadThatACommitOvertakesDoesNotBringTheOldValueBack(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, c *cache, b *behind, clock *apptest.Clock, look func(context.Context) (string, error)) {
		hasRead, goOn := make(chan struct{}), make(chan struct{})
		b.leave = func() error { close(hasRead); <-goOn; return nil } // it has the old value in hand
		slow := make(chan string, 1)
		go func() { name, _ := look(t.Context()); slow <- name }()
		<-hasRead
		b.mu.Lock()
		b.leave = nil
		b.mu.Unlock()
		commit(t, c, rows(2, "second")...)
		wantRead(t, b, look, "second", 2) // who comes after the commit does not join the old read either
		close(goOn)
		if got := <-slow; got != "first" {
			t.Errorf("the slow reader got %q", got)
		}
		wantRead(t, b, look, "second", 2)
	})
}

func TestManyReadersAtOnceAskTheStoreOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, c *cache, b *behind, clock *apptest.Clock, look func(context.Context) (string, error)) {
		reading, goOn := make(chan struct{}), make(chan struct{})
		b.enter = func(context.Context) { close(reading); <-goOn } // a second read would close twice and panic
		var readers sync.WaitGroup
		read := func() {
			if name, err := look(t.Context()); name != "first" || err != nil {
				t.Errorf("%q %v", name, err)
			}
		}
		readers.Go(read)
		<-reading
		for range 50 {
			readers.Go(read)
		}
		close(goOn)
		readers.Wait()
		wantRead(t, b, look, "first", 1)
	})
}

func TestReaderWhoLeavesDoesNotTakeTheOthersAlong(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, c *cache, b *behind, clock *apptest.Clock, look func(context.Context) (string, error)) {
		reading, goOn := make(chan struct{}), make(chan struct{})
		b.enter = func(ctx context.Context) { close(reading); <-goOn }
		ctx, leave := context.WithCancel(t.Context())
		first := make(chan error, 1)
		go func() { _, err := look(ctx); first <- err }()
		<-reading
		leave()
		if err := <-first; !fault.Is(err, fault.Unavailable) { // at once, while the store still thinks
			t.Errorf("who left: %v", err)
		}
		second := make(chan error, 1)
		go func() { _, err := look(t.Context()); second <- err }()
		close(goOn)
		if err := <-second; err != nil {
			t.Errorf("who stayed: %v", err)
		}
		wantRead(t, b, look, "first", 1)
	})
}

func TestWhatDoesNotExistIsAskedForAgain(t *testing.T) {
	t.Parallel()
	store := &behind{Store: sqlitetest.Open(t)}
	c := over(store, apptest.NewClock(start))
	all := lookUps(c)
	delete(all, "GatewayAccounts") // that there are none is an answer
	delete(all, "RouteRules")
	for _, look := range all {
		for range 2 {
			if _, err := look(t.Context()); !fault.Is(err, fault.NotFound) {
				t.Error(err)
			}
		}
	}
	if store.reads != 2*len(all) {
		t.Errorf("%d reads of %d questions", store.reads, 2*len(all))
	}
	commit(t, store.Store, rows(1, "first")...) // by another process
	for name, look := range all {
		if got, err := look(t.Context()); got != "first" || err != nil {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
}

func TestFaultsOfTheStoreAreNotKept(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, c *cache, b *behind, clock *apptest.Clock, look func(context.Context) (string, error)) {
		b.leave = func() error { return fault.New("test", fault.Unavailable) }
		if _, err := look(t.Context()); !fault.Is(err, fault.Unavailable) {
			t.Error(err)
		}
		b.leave = nil
		wantRead(t, b, look, "first", 2)
	})
}

// anyProvider finds whatever it is asked for.
type anyProvider struct {
	*bunstore.Store
	reads map[int64]int
}

func (a anyProvider) Provider(_ context.Context, id int64) (owner.Provider, error) {
	a.reads[id]++
	return owner.Provider{ID: id, Name: fmt.Sprint(id)}, nil
}

func TestEntriesAreBounded(t *testing.T) {
	t.Parallel()
	const most = 20_000
	store := anyProvider{sqlitetest.Open(t), map[int64]int{}}
	c := dircache.New(store, apptest.NewClock(start))
	ask := func(id int64) {
		if p, err := c.Provider(t.Context(), id); err != nil || p.ID != id {
			t.Fatalf("%d: %+v %v", id, p, err)
		}
	}
	for id := range int64(most) {
		ask(id)
	}
	if ask(0); store.reads[0] != 1 {
		t.Fatalf("forgotten before the bound: %d reads", store.reads[0])
	}
	ask(most) // one more than fits
	if ask(0); store.reads[0] != 2 {
		t.Errorf("%d entries are kept: the bound does not hold", most+1)
	}
	if ask(most); store.reads[most] != 1 {
		t.Errorf("the newest entry was read %d times", store.reads[most])
	}
}

// TestARotationByAnotherProcessTakesEffectInTime: the new key at once, since nothing was kept of it; that the old one is
// over, within MaxAge.
func TestARotationByAnotherProcessTakesEffectInTime(t *testing.T) {
	t.Parallel()
	c, b, clock := setup(t)
	old := owner.PreviousKey{Key: core.NewSecret("old"), Until: start.Add(time.Hour)}
	p := owner.Provider{ID: 70, Version: 1, APIKey: "new", PreviousAPIKey: old, CreatedAt: start, UpdatedAt: start}
	commit(t, b.Store, core.Changeset{p})
	found := func(key string, want bool) {
		t.Helper()
		got, err := c.ProviderByAPIKey(t.Context(), key)
		if want && (err != nil || got.ID != p.ID) || !want && !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %+v %v", key, got, err)
		}
	}
	found("old", true)
	p.Version, p.APIKey, p.PreviousAPIKey = 2, "newer", owner.PreviousKey{}
	commit(t, b.Store, core.Changeset{p}) // by another process
	found("newer", true)
	clock.Advance(dircache.MaxAge)
	found("old", false)
	p.Version, p.APIKey = 3, "newest"
	if err := c.Commit(t.Context(), core.Changeset{p}); err != nil { // by this one
		t.Fatal(err)
	}
	found("newer", false)
}
