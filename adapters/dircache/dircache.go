// Package dircache keeps what every request asks of the directory (providers, sites, dealers and their site tokens,
// gateway accounts and the rules that route to them) in memory for a moment, in front of any store. The block list is always
// asked. A change committed through it is seen at once by this process, by the others as soon as they hear of it, and after
// MaxAge in any case.
package dircache

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/routing"
	"github.com/vezne/vezne/ports"
)

// MaxAge is how long an entry may be served: a change made by another process takes effect within it.
const MaxAge = 2 * time.Second

// maxEntries bounds each kind of entry; beyond it all of that kind are forgotten.
const maxEntries = 20_000

// Directory is a directory whose answers are kept. What does not exist is not kept.
type Directory struct {
	behind ports.Directory
	clock  ports.Clock

	byKey        kept[owner.Provider]
	providers    kept[owner.Provider]
	byCredential kept[owner.Site]
	sites        kept[owner.Site]
	dealers      kept[owner.Dealer]
	byDealerKey  kept[owner.Dealer]
	siteTokens   kept[owner.SiteToken]
	gateways     kept[[]owner.GatewayAccount]
	rules        kept[[]routing.Rule]
}

var _ ports.Directory = (*Directory)(nil)

// New puts a cache in front of a directory.
func New(behind ports.Directory, clock ports.Clock) *Directory {
	return &Directory{behind: behind, clock: clock}
}

// ProviderByAPIKey finds a provider by its API key.
func (s *Directory) ProviderByAPIKey(ctx context.Context, apiKey string) (owner.Provider, error) {
	return ownProvider(s.byKey.get(ctx, s.clock, apiKey, s.behind.ProviderByAPIKey))
}

// Provider finds a provider by id.
func (s *Directory) Provider(ctx context.Context, id int64) (owner.Provider, error) {
	return ownProvider(s.providers.get(ctx, s.clock, strconv.FormatInt(id, 10), func(ctx context.Context, _ string) (owner.Provider, error) {
		return s.behind.Provider(ctx, id)
	}))
}

// ownProvider and ownDealer give a caller what shares nothing with the entry.
func ownProvider(p owner.Provider, err error) (owner.Provider, error) {
	p.IPWhitelist = slices.Clone(p.IPWhitelist)
	return p, err
}

func ownDealer(d owner.Dealer, err error) (owner.Dealer, error) {
	d.IPWhitelist = slices.Clone(d.IPWhitelist)
	return d, err
}

// SiteByCredential finds a site by the fingerprint of its credential key.
func (s *Directory) SiteByCredential(ctx context.Context, fingerprint string) (owner.Site, error) {
	return s.byCredential.get(ctx, s.clock, fingerprint, s.behind.SiteByCredential)
}

// Site finds a site by id.
func (s *Directory) Site(ctx context.Context, id int64) (owner.Site, error) {
	return s.sites.get(ctx, s.clock, strconv.FormatInt(id, 10), func(ctx context.Context, _ string) (owner.Site, error) {
		return s.behind.Site(ctx, id)
	})
}

// Dealer finds a dealer by id.
func (s *Directory) Dealer(ctx context.Context, id int64) (owner.Dealer, error) {
	return ownDealer(s.dealers.get(ctx, s.clock, strconv.FormatInt(id, 10), func(ctx context.Context, _ string) (owner.Dealer, error) {
		return s.behind.Dealer(ctx, id)
	}))
}

// DealerByAPIKey finds a dealer by its API key.
func (s *Directory) DealerByAPIKey(ctx context.Context, apiKey string) (owner.Dealer, error) {
	return ownDealer(s.byDealerKey.get(ctx, s.clock, apiKey, s.behind.DealerByAPIKey))
}

// SiteTokenByToken finds a dealer's site token.
func (s *Directory) SiteTokenByToken(ctx context.Context, token string) (owner.SiteToken, error) {
	return s.siteTokens.get(ctx, s.clock, token, s.behind.SiteTokenByToken)
}

// GatewayAccounts returns all gateway accounts, by id.
func (s *Directory) GatewayAccounts(ctx context.Context) ([]owner.GatewayAccount, error) {
	all, err := s.gateways.get(ctx, s.clock, "", func(ctx context.Context, _ string) ([]owner.GatewayAccount, error) {
		return s.behind.GatewayAccounts(ctx)
	})
	return slices.Clone(all), err
}

// RouteRules returns all route rules, by id.
func (s *Directory) RouteRules(ctx context.Context) ([]routing.Rule, error) {
	all, err := s.rules.get(ctx, s.clock, "", func(ctx context.Context, _ string) ([]routing.Rule, error) {
		return s.behind.RouteRules(ctx)
	})
	return slices.Clone(all), err
}

// Forgets is a Committer after which what a changeset touches is read anew, also when it lost a race: what it was decided
// on is stale then.
func (s *Directory) Forgets(next ports.Committer) ports.Committer {
	return forgetter{directory: s, next: next}
}

type forgetter struct {
	directory *Directory
	next      ports.Committer
}

// Commit commits and forgets.
func (f forgetter) Commit(ctx context.Context, change core.Changeset) error {
	err := f.next.Commit(ctx, change)
	s := f.directory
	if core.Has[owner.Provider](change) {
		s.byKey.forget()
		s.providers.forget()
	}
	if core.Has[owner.Site](change) {
		s.byCredential.forget()
		s.sites.forget()
	}
	if core.Has[owner.Dealer](change) {
		s.byDealerKey.forget()
		s.dealers.forget()
	}
	if core.Has[owner.SiteToken](change) {
		s.siteTokens.forget()
	}
	if core.Has[owner.GatewayAccount](change) {
		s.gateways.forget()
	}
	if core.Has[routing.Rule](change) {
		s.rules.forget()
	}
	return err
}

// Listen forgets everything whenever another process has changed something, or may have, until ctx ends. A change is seen here
// as soon as its event arrives; where events are lost, MaxAge bounds it.
func (s *Directory) Listen(ctx context.Context, events ports.Events) {
	events.Listen(ctx, func(list []core.Event) {
		isConcerned := func(e core.Event) bool { return e.Kind == core.DirectoryChanged || e.Kind == core.EventsLost }
		if slices.ContainsFunc(list, isConcerned) {
			s.forgetAll()
		}
	})
}

func (s *Directory) forgetAll() {
	for _, forget := range []func(){
		s.byKey.forget, s.providers.forget, s.byCredential.forget, s.sites.forget, s.dealers.forget, s.byDealerKey.forget,
		s.siteTokens.forget, s.gateways.forget, s.rules.forget,
	} {
		forget()
	}
}

// kept is the entries of one kind.
type kept[T any] struct {
	mu      sync.RWMutex
	entries map[string]entry[T]
	epoch   int // raised by forget, so that a read under way does not bring back what was forgotten
	flights singleflight.Group
}

type entry[T any] struct {
	value T
	at    time.Time
}

type read[T any] func(ctx context.Context, key string) (T, error)

func (k *kept[T]) get(ctx context.Context, clock ports.Clock, key string, from read[T]) (T, error) {
	now := clock.Now()
	value, epoch, ok := k.fresh(key, now)
	if ok {
		return value, nil
	}
	if err := ctx.Err(); err != nil { // who does not wait any more has nothing read
		return value, fault.E("dircache.get", fault.Unavailable, err)
	}
	// One reader asks for all who wait. It must not end with the first of them: their requests are their own.
	result := k.flights.DoChan(strconv.Itoa(epoch)+"/"+key, func() (any, error) {
		// Whoever looked just before the last reader came back finds here what that one brought.
		if value, _, ok := k.fresh(key, now); ok {
			return value, nil
		}
		value, err := from(context.WithoutCancel(ctx), key)
		if err == nil {
			k.put(key, entry[T]{value: value, at: now}, epoch)
		}
		return value, err
	})
	select {
	case r := <-result:
		value, _ := r.Val.(T)
		return value, r.Err
	case <-ctx.Done():
		var none T
		return none, fault.E("dircache.get", fault.Unavailable, ctx.Err())
	}
}

// fresh returns what is kept under a key and is not too old, and the epoch it was looked for in.
func (k *kept[T]) fresh(key string, now time.Time) (value T, epoch int, ok bool) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	found, ok := k.entries[key]
	return found.value, k.epoch, ok && now.Sub(found.at) < MaxAge
}

func (k *kept[T]) put(key string, e entry[T], epoch int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if epoch != k.epoch {
		return
	}
	if k.entries == nil || len(k.entries) >= maxEntries {
		k.entries = make(map[string]entry[T])
	}
	k.entries[key] = e
}

func (k *kept[T]) forget() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.entries = nil
	k.epoch++
}

// ProvidersByID returns providers by id; those that are not at hand are read at once.
func (s *Directory) ProvidersByID(ctx context.Context, ids []int64) ([]owner.Provider, error) {
	all, err := several(ctx, s, &s.providers, ids, s.behind.ProvidersByID, func(p owner.Provider) int64 { return p.ID })
	for i := range all {
		all[i], _ = ownProvider(all[i], nil)
	}
	return all, err
}

// DealersByID returns dealers by id, likewise.
func (s *Directory) DealersByID(ctx context.Context, ids []int64) ([]owner.Dealer, error) {
	all, err := several(ctx, s, &s.dealers, ids, s.behind.DealersByID, func(d owner.Dealer) int64 { return d.ID })
	for i := range all {
		all[i], _ = ownDealer(all[i], nil)
	}
	return all, err
}

func several[T any](
	ctx context.Context, s *Directory, k *kept[T], ids []int64, read func(context.Context, []int64) ([]T, error), idOf func(T) int64,
) ([]T, error) {
	now := s.clock.Now()
	var all []T
	var missing []int64
	k.mu.RLock()
	epoch := k.epoch
	for _, id := range ids {
		if e, ok := k.entries[strconv.FormatInt(id, 10)]; ok && now.Sub(e.at) < MaxAge {
			all = append(all, e.value)
		} else {
			missing = append(missing, id)
		}
	}
	k.mu.RUnlock()
	if len(missing) > 0 {
		rows, err := read(ctx, missing)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			k.put(strconv.FormatInt(idOf(row), 10), entry[T]{value: row, at: now}, epoch)
		}
		all = append(all, rows...)
	}
	slices.SortFunc(all, func(a, b T) int { return cmp.Compare(idOf(a), idOf(b)) })
	return all, nil
}
