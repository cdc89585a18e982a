package sweep_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports"
)

// due commits callbacks of receivers without payments around them.
func due(t *testing.T, w *apptest.World, callbacks ...payment.Callback) {
	t.Helper()
	for i := range callbacks {
		callbacks[i].ID, callbacks[i].Version = core.ID(fmt.Sprintf("CALLBACK-%s", callbacks[i].Receiver)), 1
		callbacks[i].PaymentID, callbacks[i].Sequence, callbacks[i].CreatedAt = callbacks[i].ID, 1, w.Clock.Now()
	}
	if err := w.Store.Commit(t.Context(), core.Rows(callbacks)); err != nil {
		t.Fatal(err)
	}
}

func TestEveryReceiverWithDueCallbacksIsWokenOnce(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	now := w.Clock.Now()
	var callbacks []payment.Callback
	var want []string
	for i := range 1_203 {
		want = append(want, fmt.Sprintf("receiver/%04d", i))
		callbacks = append(callbacks, payment.Callback{Receiver: want[i], Status: payment.Waiting, NextAttemptAt: now})
	}
	callbacks = append(callbacks,
		payment.Callback{Receiver: "later", Status: payment.Waiting, NextAttemptAt: now.Add(time.Microsecond)},
		payment.Callback{Receiver: "leased", Status: payment.Waiting, NextAttemptAt: now, LeaseUntil: now},
		payment.Callback{Receiver: "delivered", Status: payment.Delivered}, payment.Callback{Receiver: "failed", Status: payment.Undeliverable},
		payment.Callback{Receiver: "skipped", Status: payment.Skipped})
	due(t, w, callbacks...)
	var woken []string
	w.Sweep.Wake = func(_ context.Context, up core.WakeUp) {
		if up.Kind == core.DueCallbacks {
			woken = append(woken, up.Receiver)
		}
	}
	if err := w.Sweep.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(woken, want) {
		t.Errorf("%d were woken, want %d", len(woken), len(want))
	}
	w.Clock.Advance(time.Microsecond)
	woken = nil
	if err := w.Sweep.Sweep(t.Context()); err != nil || len(woken) != len(want)+2 {
		t.Errorf("a moment later %d, %v", len(woken), err)
	}
}

// counted counts how often rows of each kind were to be pruned, and may fail.
type counted struct {
	ports.Retention
	times map[core.Prunable]int
	err   error
}

func (c *counted) Prune(ctx context.Context, kind core.Prunable, before time.Time, limit int) (int, error) {
	if c.times == nil {
		c.times = map[core.Prunable]int{}
	}
	if c.times[kind]++; c.err != nil {
		return 0, c.err
	}
	return c.Retention.Prune(ctx, kind, before, limit)
}

func TestWhatIsNotKeptIsPrunedBatchByBatchAndThenEveryTenMinutes(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	const kind = core.IdempotencyRecords
	key := func(i int) payment.IdempotencyKey {
		return payment.IdempotencyKey{Caller: "provider/1", Endpoint: "E3", Key: fmt.Sprint(i)}
	}
	keep := func(i int) {
		err := w.Store.Commit(t.Context(), core.Changeset{payment.IdempotencyRecord{IdempotencyKey: key(i), CreatedAt: w.Clock.Now()}})
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range 1_100 {
		keep(i)
	}
	w.Clock.Advance(time.Microsecond)
	keep(1_100)
	rows := &counted{Retention: w.Store}
	w.Sweep.Rows = rows
	w.Clock.Advance(payment.IdempotencyWindow)
	for round := 1; round <= 2; round++ {
		if err := w.Sweep.Sweep(t.Context()); err != nil || rows.times[kind] != round || rows.times[core.SignIns] != 1 {
			t.Fatalf("round %d: %v, %v", round, rows.times, err)
		}
	}
	for _, i := range []int{0, 999, 1_099} {
		if _, err := w.Store.FirstAnswer(t.Context(), key(i)); !fault.Is(err, fault.NotFound) {
			t.Errorf("answer %d: %v", i, err)
		}
	}
	if _, err := w.Store.FirstAnswer(t.Context(), key(1_100)); err != nil {
		t.Errorf("the answer of exactly a day ago: %v", err)
	}
	first := rows.times[kind]
	for range 3 {
		w.Clock.Advance(3*time.Minute + 19*time.Second)
		if err := w.Sweep.Sweep(t.Context()); err != nil || rows.times[kind] != first {
			t.Errorf("asked again within ten minutes: %d, %v", rows.times[kind]-first, err)
		}
	}
	w.Clock.Advance(3 * time.Second)
	rows.err = unavailable
	for more := 1; more <= 2; more++ { // a failure is tried again in the next round
		if err := w.Sweep.Sweep(t.Context()); !fault.Is(err, fault.Unavailable) || rows.times[kind] != first+more {
			t.Errorf("round %d: asked %d times, %v", more, rows.times[kind]-first, err)
		}
	}
	rows.err = nil
	if err := w.Sweep.Sweep(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := w.Store.FirstAnswer(t.Context(), key(1_100)); !fault.Is(err, fault.NotFound) {
		t.Errorf("the last answer: %v", err)
	}
}

// silent is a list of payments that is out of reach.
type silent struct {
	ports.Payments
	isDown *atomic.Bool
}

func (s silent) DuePayments(
	ctx context.Context, now time.Time, after core.DueCursor, limit int,
) (core.DuePage[payment.Payment], error) {
	if s.isDown.Load() {
		return core.DuePage[payment.Payment]{}, unavailable
	}
	return s.Payments.DuePayments(ctx, now, after, limit)
}

func TestExpiryThatFailsKeepsNobodyFromTheirCallbacks(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	due(t, w, payment.Callback{Receiver: "receiver", Status: payment.Waiting, NextAttemptAt: w.Clock.Now()})
	var isDown atomic.Bool
	isDown.Store(true)
	rows := &counted{Retention: w.Store}
	w.Sweep.Rows, w.UnitOfWork.Payments = rows, silent{w.Store, &isDown}
	woken := 0
	w.Sweep.Wake = func(_ context.Context, up core.WakeUp) {
		if up.Kind == core.DueCallbacks {
			woken++
		}
	}
	if err := w.Sweep.Sweep(t.Context()); !fault.Is(err, fault.Unavailable) {
		t.Errorf("the fault is not told: %v", err)
	}
	if woken != 1 || rows.times[core.IdempotencyRecords] != 1 {
		t.Errorf("woken %d times, pruned %v", woken, rows.times)
	}
}

func TestRunOutlivesAStoreThatFailsForAWhileAndSaysSoOnce(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := w.StartDeposit(t, payment.ManualDeposit, amount)
	w.Clock.Set(p.ExpiresAt)
	var isDown atomic.Bool
	isDown.Store(true)
	rounds := make(chan struct{})
	w.UnitOfWork.Payments = overtaken{silent{w.Store, &isDown}, func([]payment.Payment) { rounds <- struct{}{} }}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { w.Sweep.Run(ctx, time.Millisecond); close(ended) }()
	for range 5 {
		<-rounds
	}
	isDown.Store(false)
	for range 3 { // the round under way may still have seen it down
		<-rounds
	}
	stop()
	for isRunning := true; isRunning; {
		select {
		case <-rounds:
		case <-ended:
			isRunning = false
		}
	}
	if got := w.Reload(t, p).Status; got != payment.Expired {
		t.Errorf("the payment is %s", got)
	}
	if n := strings.Count(w.Logs.String(), "level=ERROR"); n != 1 {
		t.Errorf("%d errors are logged of one outage:\n%s", n, w.Logs)
	}
}
