package apptest_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/app/apptest"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
)

var start = time.Date(2026, time.March, 14, 12, 26, 53, 589_793_000, time.FixedZone("", 3*60*60))

func TestClock(t *testing.T) {
	t.Parallel()
	clock := apptest.NewClock(start)
	first := clock.Now()
	if !first.Equal(start) || first.Location() != time.UTC || clock.Now() != first {
		t.Fatalf("the clock starts at %s, want %s in UTC, standing still", first, start)
	}
	if got := clock.Advance(time.Hour); !got.Equal(start.Add(time.Hour)) || clock.Now() != got {
		t.Fatalf("an hour later it is %s", got)
	}
	clock.Set(start)
	if clock.Now() != first {
		t.Fatalf("set back it shows %s, want %s", clock.Now(), first)
	}
}

func TestClockMovesForAll(t *testing.T) {
	t.Parallel()
	clock := apptest.NewClock(start)
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() { clock.Advance(time.Second) })
	}
	all.Wait()
	if want := start.Add(50 * time.Second); !clock.Now().Equal(want) {
		t.Fatalf("the clock shows %s, want %s", clock.Now(), want)
	}
}

func ring(key string) core.WakeUp {
	return core.WakeUp{Kind: core.DueCallbacks, Receiver: key, At: start}
}

func TestBellKeepsRings(t *testing.T) {
	t.Parallel()
	bell := apptest.NewBell()
	bell.Ring()
	bell.Ring(ring("a"), ring("b"))
	bell.Ring(ring("a"))
	if got, err := bell.Next(t.Context()); err != nil || got != ring("a") {
		t.Fatalf("the first ring is %v (%v)", got, err)
	}
	if diff := cmp.Diff([]core.WakeUp{ring("b"), ring("a")}, bell.Drain()); diff != "" {
		t.Fatalf("the rest differs (-want +got):\n%s", diff)
	}
	if rest := bell.Drain(); len(rest) > 0 {
		t.Fatalf("drained rings come again: %v", rest)
	}
}

func TestBellWakesWaiters(t *testing.T) {
	t.Parallel()
	bell, waiters := apptest.NewBell(), 20
	heard := make(chan string, waiters)
	for range waiters {
		go func() {
			r, err := bell.Next(t.Context())
			heard <- r.Receiver + errorText(err)
		}()
	}
	var want, got []string
	for i := range waiters {
		want = append(want, strconv.Itoa(i))
		bell.Ring(ring(want[i]))
	}
	for range waiters {
		got = append(got, <-heard)
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("rings heard differ (-want +got):\n%s", diff)
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestBellWaitsNoLongerThanItsContext(t *testing.T) {
	t.Parallel()
	bell := apptest.NewBell()
	ctx, cancel := context.WithCancel(t.Context())
	heard := make(chan error)
	go func() {
		_, err := bell.Next(ctx)
		heard <- err
	}()
	cancel()
	if err := <-heard; !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want %v", err, context.Canceled)
	}
}

func TestCourier(t *testing.T) {
	t.Parallel()
	courier := apptest.NewCourier()
	message := payment.CallbackMessage{Body: []byte("{}"), Headers: []payment.CallbackHeader{{Name: "X-Hash", Value: "h"}}}
	if a := courier.Send(t.Context(), "https://a.example", message); !a.IsSuccess() {
		t.Fatalf("got %+v, want a success", a)
	}
	courier.AnswerWith(func(_ context.Context, sent apptest.Sent) payment.Answered {
		return payment.Answered{HTTPStatus: 500, Body: sent.URL}
	})
	if a := courier.Send(t.Context(), "https://b.example", message); a.HTTPStatus != 500 || a.Body != "https://b.example" {
		t.Fatalf("got %+v, want what the test answers", a)
	}
	want := []apptest.Sent{{URL: "https://a.example", Message: message}, {URL: "https://b.example", Message: message}}
	if diff := cmp.Diff(want, courier.Sent()); diff != "" {
		t.Fatalf("sent differs (-want +got):\n%s", diff)
	}
}
