package app_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/e2e/apptest"
)

// row is what a bench works on: saved is its version.
type row struct {
	key   string
	n     int
	saved int
}

// Identity implements core.Row.
func (r row) Identity() core.Identity {
	return core.Identity{Table: "rows", Key: fmt.Sprint(r.key, r.n), Version: r.saved}
}

// bench is a worker with rows of some keys that are due, which a test takes apart.
type bench struct {
	app.Worker[string, row]
	logs   apptest.Logs
	do     func(ctx context.Context, r row) error
	before func(core.Changeset) error                  // fails a commit
	claim  func(key string, room int, claims int) bool // false: nothing is claimed, and there may be more
	moment func()                                      // any point within the work
	unit   *app.UnitOfWork

	mu     sync.Mutex
	due    map[string]int // how many rows
	next   map[string]int
	claims int
	worked []string
	failed []string
	back   []string
}

func newBench(t apptest.TB, room int, due map[string]int) *bench {
	t.Helper()
	b := &bench{due: due, next: map[string]int{}, moment: func() {}}
	b.unit = &app.UnitOfWork{Commits: b}
	b.Start(app.Work[string, row]{
		Name: "bench", UnitOfWork: b.unit, Log: slog.New(slog.NewTextHandler(&b.logs, nil)), Room: room,
		Claim: b.lease, Do: b.work, Failed: b.fail,
		HandBack: func(r row) core.Changeset { return core.Changeset{r} },
	})
	t.Cleanup(func() { _ = b.Stop(context.Background()) })
	return b
}

func (b *bench) lease(ctx context.Context, key string, room int) (claimed []row, more bool, err error) {
	b.moment()
	defer b.moment() // seen by nobody who looked before
	b.mu.Lock()
	b.claims++
	claims := b.claims
	b.mu.Unlock()
	if b.claim != nil && !b.claim(key, room, claims) {
		return nil, true, nil
	}
	if err := ctx.Err(); err != nil { // a store tells nothing of what it leased to whom was stopped
		return nil, false, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(claimed) < room && b.next[key] < b.due[key] {
		claimed = append(claimed, row{key: key, n: b.next[key]})
		b.next[key]++
	}
	return claimed, len(claimed) == room, nil
}

func (b *bench) work(ctx context.Context, r row) error {
	b.moment()
	defer b.moment()
	if b.do != nil {
		if err := b.do(ctx, r); err != nil {
			return err
		}
	}
	b.note(&b.worked, r)
	return nil
}

func (b *bench) fail(_ context.Context, r row, err error) { b.note(&b.failed, r, err) }

func (b *bench) Commit(_ context.Context, c core.Changeset) error {
	if b.before != nil {
		if err := b.before(c); err != nil {
			return err
		}
	}
	b.note(&b.back, core.RowsOf[row](c)[0])
	return nil
}

func (b *bench) note(where *[]string, r row, more ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	*where = append(*where, strings.TrimSpace(fmt.Sprint(r.key, r.n, " ", fmt.Sprint(more...))))
}

// has compares what a bench noted, in any order.
func (b *bench) has(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if got = slices.Sorted(slices.Values(got)); !slices.Equal(got, want) {
		t.Errorf("%s %q, want %q", what, got, want)
	}
}

func (b *bench) quiet(t apptest.TB) {
	t.Helper()
	if err := b.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestAWorkerLooksAgainWhenAClaimTookAllThatItAskedFor: the last one ends while the worker asks for as many as there was
// room for until then. Nobody is left who would look again, and more is due.
func TestAWorkerLooksAgainWhenAClaimTookAllThatItAskedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		second, ends := make(chan struct{}), []chan struct{}{make(chan struct{}), make(chan struct{})}
		b := newBench(t, len(ends), map[string]int{"a": 4})
		b.claim = func(_ string, _, claims int) bool {
			if claims == 2 {
				<-second
			}
			return true
		}
		b.do = func(_ context.Context, r row) error {
			if r.n < len(ends) {
				<-ends[r.n]
			}
			return nil
		}
		b.Wake("a")
		for _, end := range ends { // the first has the worker look again; the second ends while it does
			synctest.Wait()
			close(end)
		}
		synctest.Wait()
		close(second)
		b.quiet(t)
		b.has(t, "worked on", b.worked, "a0", "a1", "a2", "a3")
	})
}

// TestAClaimInVainIsRepeatedWhenSomethingHasEnded: a claim may take nothing although there is room and more is
// due. It is not repeated until something of the key has ended, also while it was being made.
func TestAClaimInVainIsRepeatedWhenSomethingHasEnded(t *testing.T) {
	t.Parallel()
	for _, endsMeanwhile := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, 5, map[string]int{"a": 3})
			ends, vain := make(chan struct{}), make(chan struct{})
			b.claim = func(_ string, room, claims int) bool {
				if room == 5 {
					return true
				}
				if endsMeanwhile && claims == 2 {
					<-vain
				}
				return false // as long as anything is worked on
			}
			b.do = func(context.Context, row) error { <-ends; return nil }
			b.Wake("a")
			synctest.Wait()
			b.Wake("a") // of three, which leave room for two
			synctest.Wait()
			b.mu.Lock()
			b.due["a"] = 4
			if b.claims != 2 {
				t.Errorf("%d claims while nothing ends", b.claims)
			}
			b.mu.Unlock()
			close(ends)
			if synctest.Wait(); endsMeanwhile {
				close(vain)
			}
			b.quiet(t)
			b.has(t, "worked on", b.worked, "a0", "a1", "a2", "a3")
		})
	}
}

func TestAKeyThatHangsDelaysNoOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, 2, map[string]int{"a": 5, "b": 5})
		hangs := make(chan struct{})
		b.do = func(_ context.Context, r row) error {
			if r.key == "a" {
				<-hangs
			}
			return nil
		}
		b.Wake("a")
		b.Wake("b")
		synctest.Wait()
		b.has(t, "worked on", b.worked, "b0", "b1", "b2", "b3", "b4")
		close(hangs)
		b.quiet(t) // nobody wakes it
		if len(b.worked) != 10 {
			t.Errorf("worked on %q", b.worked)
		}
	})
}

func TestAPanicEndsNothingElse(t *testing.T) {
	t.Parallel()
	b := newBench(t, 2, map[string]int{"a": 5, "b": 1})
	b.claim = func(key string, _, _ int) bool {
		if key == "b" {
			panic("a bad key")
		}
		return true
	}
	b.do = func(_ context.Context, r row) error {
		if r.n == 1 {
			panic("a bad row")
		}
		return nil
	}
	b.Wake("b")
	b.Wake("a")
	b.quiet(t)
	b.has(t, "worked on", b.worked, "a0", "a2", "a3", "a4")
	b.has(t, "failed", b.failed, "a1 panic: a bad row")
	for _, text := range []string{"a bad key", "a bad row", "worker_test.go", "worker=bench"} {
		if !strings.Contains(b.logs.String(), text) {
			t.Errorf("the log does not say %q: %s", text, &b.logs)
		}
	}
}

// TestAStopHandsBackWhatIsNotBegunAndWaitsForTheRest: each row by itself, since one that was changed meanwhile must not cost
// the others their place.
func TestAStopHandsBackWhatIsNotBegunAndWaitsForTheRest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, 4, map[string]int{"a": 4, "b": 9})
		over, cancel := context.WithCancel(t.Context())
		cancel()
		b.claim = func(key string, _, _ int) bool {
			if key == "b" {
				_ = b.Stop(over) // while it leases
			}
			return true
		}
		ends := make(chan struct{})
		b.do = func(ctx context.Context, r row) error {
			<-ends
			switch r.n {
			case 1:
				return ctx.Err() // broken off
			case 2:
				return errors.New("broken")
			default:
				return nil
			}
		}
		b.before = func(c core.Changeset) error {
			if r := core.RowsOf[row](c)[0]; r.key == "b" && r.n == 1 {
				return fault.New("test", fault.Conflict)
			}
			return nil
		}
		b.Wake("a")
		synctest.Wait()
		b.Wake("b")
		synctest.Wait()
		b.has(t, "handed back", b.back, "b0", "b2", "b3")
		close(ends)
		b.quiet(t)
		b.Wake("b")
		b.quiet(t)
		b.has(t, "worked on", b.worked, "a0", "a3")
		b.has(t, "handed back", b.back, "a1", "a2", "b0", "b2", "b3")
		b.has(t, "failed", b.failed)
	})
}

func TestAStepIsOneClaimOnTheCallersGoroutine(t *testing.T) {
	t.Parallel()
	b := newBench(t, 4, map[string]int{"a": 3})
	for _, want := range []bool{true, false} {
		if more, err := b.Step("a", 2); err != nil || more != want {
			t.Errorf("more: %t, %v", more, err)
		}
	}
	if !slices.Equal(b.worked, []string{"a0", "a1", "a2"}) { // in this order
		t.Errorf("worked on %q", b.worked)
	}
}

// add makes so many rows due, and wakes the worker.
func (b *bench) add(n int) {
	b.mu.Lock()
	b.due["a"] += n
	b.mu.Unlock()
	if n > 0 {
		b.Wake("a")
	}
}

func TestAWakeWhileItWorksIsNeverLost(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := newBench(t, rapid.IntRange(1, 5).Draw(t, "room"), map[string]int{})
		var mu sync.Mutex
		script := rapid.SliceOfN(rapid.SampledFrom([]int{0, 0, 0, 1, 2, 20}), 1, 60).Draw(t, "arrivals")
		b.moment = func() {
			mu.Lock()
			n := 0
			if len(script) > 0 {
				n, script = script[0], script[1:]
			}
			mu.Unlock()
			b.add(n)
		}
		b.add(1)
		b.quiet(t)
		if due := b.due["a"]; len(b.worked) != due { // nobody else wakes it
			t.Fatalf("worked on %d of %d", len(b.worked), due)
		}
	})
}

func TestWakesFromManySidesAtOnceAreNeverLost(t *testing.T) {
	t.Parallel()
	b := newBench(t, 3, map[string]int{})
	var sides sync.WaitGroup
	for range 8 {
		sides.Go(func() {
			for range 30 {
				b.add(1)
			}
		})
	}
	sides.Wait()
	b.quiet(t)
	if len(b.worked) != 240 {
		t.Errorf("worked on %d of 240", len(b.worked))
	}
}

func TestNothingBeginsAfterAStop(t *testing.T) {
	t.Parallel()
	for range 500 {
		b := newBench(t, 1, map[string]int{"a": 1})
		var isStopped atomic.Bool
		b.claim = func(string, int, int) bool {
			if isStopped.Load() {
				t.Error("a claim after the stop")
			}
			return true
		}
		var waking sync.WaitGroup
		for range 4 {
			waking.Go(func() { b.Wake("a") })
		}
		if err := b.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		isStopped.Store(true)
		waking.Wait()
		b.quiet(t)
	}
}

func TestAWorkerThatWasNeverStartedDoesNothing(t *testing.T) {
	t.Parallel()
	var w app.Worker[string, row]
	w.Wake("a")
	if err := w.Wait(t.Context()); err != nil {
		t.Error(err)
	}
}

// lost is a clock that may not be relied on while it is set.
type lost struct{ atomic.Bool }

func (l *lost) Check() error {
	if l.Load() {
		return fault.New("test", fault.Unavailable)
	}
	return nil
}

// TestByAWrongClockNothingIsClaimed: a claim by it would take over what another process has leased.
func TestByAWrongClockNothingIsClaimed(t *testing.T) {
	t.Parallel()
	b, clock := newBench(t, 4, map[string]int{"a": 3}), &lost{}
	clock.Store(true)
	b.unit.Time = clock
	if more, err := b.Step("a", 4); more || !fault.Is(err, fault.Unavailable) || b.claims != 0 {
		t.Errorf("%d claims, more %t, %v", b.claims, more, err)
	}
	clock.Store(false)
	if _, err := b.Step("a", 4); err != nil || b.claims != 1 || len(b.worked) != 3 {
		t.Errorf("by the right clock %d claims and %v worked on (%v)", b.claims, b.worked, err)
	}
}
