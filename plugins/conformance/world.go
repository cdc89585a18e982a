package conformance

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/ports"
)

// world is what one test case has to itself: a fake, a gateway that is opened on it, and the transport between them.
type world struct {
	suite
	t         testing.TB
	ctx       context.Context // ends with the test
	values    map[string]string
	config    gateway.Config
	clock     *Clock
	fake      Fake
	transport *transport
	gateway   ports.Gateway
	leaks     *leakDetector
	refs      *refCounter
	options   []gateway.Option
}

// newWorld opens the subject with secrets of the kit's own.
func newWorld(t testing.TB, s Subject) *world {
	t.Helper()
	w := newWorldWith(t, s, withKitSecrets(s, "7c1e9b24d0"), "")
	if w.fake.Set == nil || w.fake.Mutations == nil {
		t.Fatal("a Fake needs at least a Handler, Set and Mutations")
	}
	return w
}

// newWorldWith opens the subject with a configuration. The references of its orders begin with series.
func newWorldWith(t testing.TB, s Subject, values map[string]string, series string) *world {
	t.Helper()
	all, begins := newSuite(s), Opening
	if s.NewFake == nil { // a real account
		begins = time.Now()
	}
	w := &world{
		suite: all, t: t, ctx: t.Context(), values: values, config: gateway.NewConfig(all.d.Config, values, s.Previous),
		clock: NewClock(begins), refs: &refCounter{series: series},
	}
	w.leaks = newLeakDetector(all.d, w.config)
	if s.NewFake != nil {
		w.fake = s.NewFake(t, w.config, w.clock.Now)
		if w.fake.Handler == nil {
			t.Fatal("a Fake needs a Handler")
		}
	}
	w.transport = newTransport(w)
	w.gateway = w.open(w.config, w.transport)
	return w
}

// open opens the subject on a Doer.
func (w *world) open(c gateway.Config, out ports.Doer) ports.Gateway {
	g, err := w.tryOpen(c, out)
	if err != nil {
		w.t.Fatalf("Open must take a configuration that gateway.CheckConfig takes: %v", err)
	}
	w.t.Cleanup(func() { w.check(g.Close() == nil, "Close failed") })
	return g
}

func (w *world) tryOpen(c gateway.Config, out ports.Doer) (ports.Gateway, error) {
	return w.Plugin.Open(ports.GatewayEnv{Environment: w.Environment, Config: c, HTTP: out, Clock: w.clock})
}

// under is the same world with another context, for calls that end early.
func (w *world) under(ctx context.Context) *world {
	other := *w
	other.ctx = ctx
	return &other
}

// on is the same world with another gateway.
func (w *world) on(g ports.Gateway) *world {
	other := *w
	other.gateway = g
	return &other
}

// withKitSecrets is the subject's configuration with secrets of the kit's own, which the leak detector finds everywhere. A
// secret whose Pattern does not allow that keeps its value.
func withKitSecrets(s Subject, mark string) map[string]string {
	values := maps.Clone(s.Config)
	for _, f := range s.Plugin.Describe().Config {
		own := "kit-secret-" + f.Name + "-" + mark
		if problem, _ := f.Problem(own); f.Type == gateway.SecretField && values[f.Name] != "" && problem == "" {
			values[f.Name] = own
		}
	}
	return values
}

// set brings an order into a situation. It reports false when this gateway does not know the situation; the test case has
// nothing to check then. Every gateway knows a few of them.
func (w *world) set(ref gateway.Ref, s Situation) bool {
	if w.fake.Set(ref, s) {
		return true
	}
	if slices.Contains([]Situation{IsWaiting, IsPaid, IsDone, IsUnlisted}, s) {
		w.t.Fatalf("Fake.Set must be able to make %s %q: every gateway has that", ref, s)
	}
	w.check(w.Lacks[s] != "", "Fake.Set does not know the situation %q, so that nothing shows what the plugin makes of it: play it in "+
		"the fake, or say in Subject.Lacks why the gateway has no such thing", s)
	return false
}

// ok ends the test case on an error.
func (w *world) ok(what string, err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("%s failed: %v", what, err)
	}
}

// check fails the test case and lets it go on.
func (w *world) check(ok bool, format string, args ...any) {
	w.t.Helper()
	if !ok {
		w.t.Errorf(format, args...)
	}
}

// unchanged checks that nothing was changed at the gateway since before.
func (w *world) unchanged(before int, format string, args ...any) {
	w.t.Helper()
	w.check(w.fake.Mutations() == before, format, args...)
}

// together runs n calls at the same time. A panic in one of them fails the test.
func (w *world) together(n int, call func(i int)) {
	start := make(chan struct{})
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			<-start
			w.guarded(func() { call(i) })
		})
	}
	close(start)
	all.Wait()
}

// guarded keeps a panic in a goroutine from ending the whole run.
func (w *world) guarded(call func()) {
	defer func() {
		if cause := recover(); cause != nil {
			w.leaks.add("panic", "a plugin must never panic, whatever it is given: %v", cause)
		}
	}()
	call()
}

// Clock stands still until a test advances it. It is for a plugin's other tests, too.
type Clock struct {
	start  time.Time
	passed atomic.Int64
}

// NewClock makes a clock that shows start.
func NewClock(start time.Time) *Clock { return &Clock{start: start} }

// Now implements ports.Clock.
func (c *Clock) Now() time.Time { return c.start.Add(time.Duration(c.passed.Load())) }

// Advance moves the clock.
func (c *Clock) Advance(d time.Duration) { c.passed.Add(int64(d)) }

// refCounter makes references.
type refCounter struct {
	series string
	last   atomic.Int64
}

func (c *refCounter) next() gateway.Ref {
	return gateway.Ref(fmt.Sprintf("KIT%s%06d", c.series, c.last.Add(1)))
}
