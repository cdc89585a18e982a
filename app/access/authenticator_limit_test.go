package access_test

import (
	"context"
	"fmt"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/app/access"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports"
)

// wrong is a request with a hash that does not match.
func wrong(w *apptest.World, addr netip.Addr) access.Call {
	c := signed(w, access.Site, w.CredentialKey)
	c.Hash, c.Addr = c.Hash[1:]+"0", addr
	return c
}

func TestAddressThatFailsTooOftenIsBlockedUntilItsWindowPasses(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.Gate.FailRate = core.Rate{Events: 3, Per: time.Minute}
	right, other := signed(w, access.Site, w.CredentialKey), netip.MustParseAddr("2001:db8::1")
	for range 3 {
		_, _, err := w.Gate.Authenticate(t.Context(), wrong(w, office))
		wantCode(t, err, fault.InvalidHash)
	}
	if _, _, err := w.Gate.Authenticate(t.Context(), right); err != nil {
		t.Fatalf("a right request within the rate: %v", err)
	}
	_, allowance, err := w.Gate.Authenticate(t.Context(), wrong(w, office))
	wantCode(t, err, fault.RateLimited)
	if allowance.OK || allowance.Retry != time.Minute || allowance.Limit != 3 || allowance.Remaining != 0 {
		t.Errorf("one failure too many: %+v", allowance)
	}
	w.Clock.Advance(40 * time.Second)
	_, allowance, err = w.Gate.Authenticate(t.Context(), right)
	wantCode(t, err, fault.RateLimited)
	if allowance.OK || allowance.Retry != 20*time.Second || allowance.Limit != 3 {
		t.Errorf("a right request of a blocked address: %+v", allowance)
	}
	fromElsewhere := right
	fromElsewhere.Addr = other
	if _, _, err := w.Gate.Authenticate(t.Context(), fromElsewhere); err != nil {
		t.Errorf("the same provider from another address: %v", err)
	}
	w.Clock.Advance(20 * time.Second)
	if _, _, err := w.Gate.Authenticate(t.Context(), right); err != nil {
		t.Errorf("after the window: %v", err)
	}
	_, _, err = w.Gate.Authenticate(t.Context(), wrong(w, office))
	wantCode(t, err, fault.InvalidHash)
}

func TestEveryKindOfFailureCountsAgainstTheAddress(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	table := rules(w)
	w.Gate.FailRate = core.Rate{Events: len(table), Per: time.Minute}
	for _, r := range table {
		save(t, w, func(p *owner.Provider) { p.IsActive, p.IPWhitelist = true, nil })
		call := signed(w, access.Site, w.CredentialKey)
		if r.provider != nil {
			save(t, w, r.provider)
		} else if r.breakIt(&call); !r.isHash {
			call = sign(call, w.Provider.SecretKey)
		}
		_, _, err := w.Gate.Authenticate(t.Context(), call)
		wantCode(t, err, r.code)
	}
	_, _, err := w.Gate.Authenticate(t.Context(), wrong(w, office))
	wantCode(t, err, fault.RateLimited)
}

func TestOnlySuccessfulCallsCountAgainstTheKey(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.Gate.Rate = core.Rate{Events: 3, Per: time.Minute}
	right := signed(w, access.Plain, "")
	for range 5 {
		_, _, err := w.Gate.Authenticate(t.Context(), wrong(w, office))
		wantCode(t, err, fault.InvalidHash)
	}
	for left := 2; left >= 0; left-- {
		_, a, err := w.Gate.Authenticate(t.Context(), right)
		if want := (core.Allowance{OK: true, Limit: 3, Remaining: left, Reset: time.Minute}); err != nil || a != want {
			t.Fatalf("got %+v %v, want %+v", a, err, want)
		}
	}
	w.Clock.Advance(15 * time.Second)
	caller, a, err := w.Gate.Authenticate(t.Context(), right)
	wantCode(t, err, fault.RateLimited)
	if want := (core.Allowance{Limit: 3, Reset: 45 * time.Second, Retry: 45 * time.Second}); a != want {
		t.Errorf("beyond the rate: %+v, want %+v", a, want)
	}
	if caller.Provider.ID != 0 {
		t.Errorf("a limited call names its caller %d", caller.Provider.ID)
	}
	others := access.Call{APIKey: w.OtherProvider.APIKey, Timestamp: stamp(w.Clock.Now()), Addr: office}
	if _, a, err = w.Gate.Authenticate(t.Context(), sign(others, w.OtherProvider.SecretKey)); err != nil || a.Remaining != 2 {
		t.Errorf("another key: %+v %v", a, err)
	}
	w.Clock.Advance(45 * time.Second)
	if _, a, err = w.Gate.Authenticate(t.Context(), signed(w, access.Plain, "")); err != nil || a.Remaining != 2 {
		t.Errorf("after the window: %+v %v", a, err)
	}
}

func TestMoreBlockedAddressesThanAreRememberedStayBounded(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.Gate.FailRate = core.Rate{Events: 1, Per: time.Hour}
	first := netip.MustParseAddr("10.0.0.1")
	addr := first
	for range 10_001 {
		for range 2 {
			_, _, _ = w.Gate.Authenticate(t.Context(), wrong(w, addr))
		}
		addr = addr.Next()
	}
	call := signed(w, access.Plain, "")
	call.Addr = first
	if _, _, err := w.Gate.Authenticate(t.Context(), call); err != nil {
		t.Errorf("the oldest block was to be forgotten: %v", err)
	}
	_, _, err := w.Gate.Authenticate(t.Context(), wrong(w, first)) // the limiter has not forgotten
	wantCode(t, err, fault.RateLimited)
}

// TestAnIPv6ConnectionFailsAsOne: whoever has one has more addresses than anybody could count.
func TestAnIPv6ConnectionFailsAsOne(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.Gate.FailRate = core.Rate{Events: 3, Per: time.Minute}
	addr := netip.MustParseAddr("2001:db8:0:1::1")
	for range 3 {
		_, _, err := w.Gate.Authenticate(t.Context(), wrong(w, addr))
		wantCode(t, err, fault.InvalidHash)
		addr = addr.Next()
	}
	_, _, err := w.Gate.Authenticate(t.Context(), wrong(w, addr))
	wantCode(t, err, fault.RateLimited)
	_, _, err = w.Gate.Authenticate(t.Context(), wrong(w, addr.Next()))
	wantCode(t, err, fault.RateLimited)
	_, _, err = w.Gate.Authenticate(t.Context(), wrong(w, netip.MustParseAddr("2001:db8:0:2::1")))
	wantCode(t, err, fault.InvalidHash)
}

// directory fails some look-ups.
type directory struct {
	ports.Directory
	provider, site error
}

func (d directory) ProviderByAPIKey(ctx context.Context, key string) (owner.Provider, error) {
	if d.provider != nil {
		return owner.Provider{}, d.provider
	}
	return d.Directory.ProviderByAPIKey(ctx, key)
}

func (d directory) SiteByCredential(ctx context.Context, fingerprint string) (owner.Site, error) {
	if d.site != nil {
		return owner.Site{}, d.site
	}
	return d.Directory.SiteByCredential(ctx, fingerprint)
}

func TestStoreThatIsOutOfReachIsNobodysFailedAuthentication(t *testing.T) {
	t.Parallel()
	down := fault.New("test", fault.Unavailable)
	for name, dir := range map[string]directory{
		"provider": {provider: down}, "site": {site: down}, "unknown": {provider: context.DeadlineExceeded},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := apptest.New(t)
			w.Gate.FailRate = core.Rate{Events: 1, Per: time.Minute}
			w.Gate.Rate = core.Rate{Events: 1, Per: time.Minute}
			want := fault.Unavailable
			if name == "unknown" {
				want = fault.Internal
			}
			dir.Directory = w.Store
			w.Gate.Directory = dir
			for range 5 {
				_, _, err := w.Gate.Authenticate(t.Context(), signed(w, access.Site, w.CredentialKey))
				wantCode(t, err, want)
			}
			w.Gate.Directory = w.Store
			if _, _, err := w.Gate.Authenticate(t.Context(), signed(w, access.Site, w.CredentialKey)); err != nil {
				t.Errorf("when it is back: %v", err)
			}
		})
	}
}

func TestParallelFailuresNeverExceedTheRate(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.Gate.FailRate = core.Rate{Events: 10, Per: time.Minute}
	var mu sync.Mutex
	seen := map[fault.Code]int{}
	var callers sync.WaitGroup
	for range 100 {
		callers.Go(func() {
			_, _, err := w.Gate.Authenticate(t.Context(), wrong(w, office))
			mu.Lock()
			defer mu.Unlock()
			seen[fault.CodeOf(err)]++
		})
	}
	callers.Wait()
	if fmt.Sprint(seen) != "map[INVALID_HASH:10 RATE_LIMITED:90]" {
		t.Error(seen)
	}
}

// TestWrongCredentialKeyOfABodyCountsAsFailure: E7 has its credential key in the body, and guessing it is no cheaper.
func TestWrongCredentialKeyOfABodyCountsAsFailure(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.Gate.FailRate = core.Rate{Events: 2, Per: time.Minute}
	if site, allowance, err := w.Gate.SiteOf(t.Context(), w.Provider, w.CredentialKey, office); err != nil || site.ID != w.Site.ID || !allowance.OK || allowance.Limit != 0 {
		t.Errorf("the right key: %+v, %+v, %v", site, allowance, err)
	}
	for left, key := range []string{"vzc_guessed", w.OtherSiteKey} {
		site, allowance, err := w.Gate.SiteOf(t.Context(), w.Provider, key, office)
		wantCode(t, err, fault.InvalidCredential)
		if site.ID != 0 || allowance.Remaining != 1-left || allowance.Limit != 2 {
			t.Errorf("a wrong key: %+v, %+v", site, allowance)
		}
	}
	_, allowance, err := w.Gate.SiteOf(t.Context(), w.Provider, "", office)
	wantCode(t, err, fault.RateLimited)
	if allowance.OK || allowance.Retry != time.Minute {
		t.Errorf("one too many: %+v", allowance)
	}
	_, _, err = w.Gate.Authenticate(t.Context(), signed(w, access.Site, w.CredentialKey))
	wantCode(t, err, fault.RateLimited)
}
