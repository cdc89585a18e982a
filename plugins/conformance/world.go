package conformance

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/ports"
)

// world is a sentence's own: a fake, a gateway that is opened on it, and the wire between them.
type world struct {
	kit
	t       *testing.T
	ctx     context.Context // lives exactly as long as the test
	values  map[string]string
	config  gateway.Config
	clock   *clock
	fake    Fake
	wire    *wire
	gateway ports.Gateway
	ear     *ear
	refs    *counter
	options []gateway.Option
}

// opening is when every world begins.
var opening = time.Date(2026, time.March, 2, 12, 0, 0, 0, time.UTC)

// newWorld opens the subject with secrets of the kit's own.
func newWorld(t *testing.T, s Subject) *world {
	t.Helper()
	return newWorldWith(t, s, planted(t, s, "7c1e9b24d0"), "")
}

// newWorldWith opens the subject with a configuration; the references of its operations begin with series.
func newWorldWith(t *testing.T, s Subject, values map[string]string, series string) *world {
	t.Helper()
	k := newKit(s)
	w := &world{
		kit: k, t: t, ctx: t.Context(), values: values, config: gateway.NewConfig(k.d.Config, values, nil),
		clock: &clock{now: opening}, refs: &counter{series: series},
	}
	w.ear = newEar(k.d, w.config, s.KeepSecrets)
	w.fake = s.NewFake(t, w.config, w.clock.Now)
	if w.fake.Handler == nil || w.fake.Set == nil || w.fake.Writes == nil {
		t.Fatal("a Fake needs at least a Handler, Set and Writes")
	}
	w.wire = newWire(t, k.d, s.Environment, w.config, w.fake.Handler, w.ear)
	w.gateway = w.open(w.config, w.wire)
	return w
}

// open opens the subject once more, on a Doer of its own.
func (w *world) open(c gateway.Config, out ports.Doer) ports.Gateway {
	w.t.Helper()
	g, err := w.Plugin.Open(ports.GatewayEnv{Environment: w.Environment, Config: c, HTTP: out, Clock: w.clock})
	if err != nil {
		w.t.Fatalf("Open must take a configuration that gateway.CheckConfig takes: %v", err)
	}
	w.t.Cleanup(func() {
		if err := g.Close(); err != nil {
			w.t.Errorf("Close failed: %v", err)
		}
	})
	return g
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

// planted is the subject's configuration with secrets of the kit's own, which show up wherever they leak.
func planted(t *testing.T, s Subject, mark string) map[string]string {
	t.Helper()
	values := maps.Clone(s.Config)
	for _, f := range s.Plugin.Describe().Config {
		if f.Type != gateway.SecretField || slices.Contains(s.KeepSecrets, f.Name) || !f.IsRequired && values[f.Name] == "" {
			continue
		}
		values[f.Name] = "planted-" + f.Name + "-" + mark
		if problem, _ := f.Problem(values[f.Name]); problem != "" {
			t.Fatalf("the form of %q matters: name it in KeepSecrets, so that the kit keeps the one of Config", f.Name)
		}
	}
	return values
}

// set brings an order into a situation; false: this gateway does not know it, and the sentence has nothing to say.
func (w *world) set(ref gateway.Ref, s Situation) bool {
	w.t.Helper()
	if w.fake.Set(ref, s) {
		return true
	}
	w.t.Logf("the fake does not know an order that is %s", s)
	return false
}

// mustSet is set for situations that every gateway knows.
func (w *world) mustSet(ref gateway.Ref, s Situation) {
	w.t.Helper()
	if !w.fake.Set(ref, s) {
		w.t.Fatalf("Fake.Set must be able to make %s %q: every gateway has that", ref, s)
	}
}

func (w *world) ok(what string, err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("%s failed: %v", what, err)
	}
}

// check is for conditions whose failure does not end the sentence.
func (w *world) check(ok bool, format string, args ...any) {
	w.t.Helper()
	if !ok {
		w.t.Errorf(format, args...)
	}
}

// together runs n calls at the same time. A panic in one of them fails the test.
func (w *world) together(n int, call func(i int)) {
	w.t.Helper()
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
			w.ear.complain("panic", fmt.Sprintf("a plugin must never panic, whatever it is given: %v", cause))
		}
	}()
	call()
}

// clock stands still until a sentence moves it.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

// Now implements ports.Clock.
func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// counter makes references.
type counter struct {
	mu     sync.Mutex
	series string
	last   int
}

func (c *counter) next() gateway.Ref {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	return gateway.Ref(fmt.Sprintf("KIT%s%06d", c.series, c.last))
}

func address(text string) *url.URL {
	u, err := url.Parse(text)
	if err != nil {
		panic(err) // a constant of the kit
	}
	return u
}
