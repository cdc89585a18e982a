package app_test

import (
	"context"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app/callback"
	"github.com/vezne/vezne/core/money"
)

func (s *simulation) advance(t *rapid.T) {
	s.Clock.Advance(rapid.SampledFrom([]time.Duration{
		time.Millisecond, time.Second, 31 * time.Second, 10 * time.Minute, time.Hour, 13 * time.Hour, 25 * time.Hour,
	}).Draw(t, "time"))
}

func (s *simulation) expire(t *rapid.T) {
	_, err := s.Sweep.ExpireDue(t.Context())
	s.wantOneOf(t, err)
}

func (s *simulation) sweepAll(t *rapid.T) {
	s.wantOneOf(t, s.Sweep.Sweep(t.Context()))
	s.wait(t)
}

func (s *simulation) wait(t *rapid.T) {
	t.Helper()
	if err := s.Callbacks.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// rings brings the rings that are due to the workers, but for those that get lost.
func (s *simulation) rings(t *rapid.T) {
	lost := rapid.IntRange(0, 3).Draw(t, "lost") // every so manyth; 0: none
	heard, now := slices.Concat(s.pending, s.Bell.Drain()), s.Clock.Now()
	s.pending = nil
	for i, ring := range heard {
		switch {
		case lost > 0 && i%lost == 0:
		case ring.At.After(now):
			s.pending = append(s.pending, ring)
		case ring.Kind == core.ExpireRing:
			_, err := s.Sweep.ExpireDue(t.Context())
			s.wantOneOf(t, err)
		default:
			s.Callbacks.Wake(ring.Key)
			s.wait(t)
		}
	}
}

// crash replaces the worker by a new one, which remembers nothing; every ring is lost.
func (s *simulation) crash(t *rapid.T) {
	if err := s.Callbacks.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.pending, _ = nil, s.Bell.Drain()
	old := s.Callbacks
	s.Callbacks = &callback.Service{
		Desk: old.Desk, Callbacks: old.Callbacks, Courier: old.Courier, Timeout: old.Timeout, Log: old.Log,
	}
	s.Callbacks.Start()
	fresh := s.Callbacks
	t.Cleanup(func() { _ = fresh.Stop(context.Background()) })
	s.Sweep.Wake = fresh.Wake
}

// calmDown: the store works, receivers acknowledge, and time passes with a sweep now and then. No ring comes.
func (s *simulation) calmDown(t *rapid.T) {
	s.trouble, s.mood = noTrouble, "well"
	for range 10 {
		s.Clock.Advance(27 * time.Hour) // longer than any deposit, any rung, any lease, any pause of a breaker
		s.sweepAll(t)
	}
}

func (s *simulation) loads(t *rapid.T, day core.Day) []core.AccountLoad {
	t.Helper()
	var all []core.AccountLoad
	for _, kind := range []core.AccountKind{core.ManualAccount, core.EIBANAccount} {
		loads, err := s.Store.AccountLoads(t.Context(), s.Dealer.ID, kind, day)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, loads...)
	}
	return all
}

// held is what payments hold of an account's day.
type held struct {
	amount money.Amount
	count  int
}

type slot struct {
	account int64
	day     core.Day
}

// checkBooks: at any moment the stored loads are exactly what payments hold, and no receiver saw what it must not.
func (s *simulation) checkBooks(t *rapid.T) {
	if s.broken != "" {
		t.Fatal(s.broken)
	}
	want, days := map[slot]held{}, map[core.Day]bool{}
	for _, p := range s.payments(t) {
		a := p.Account
		if a.AccountID == 0 {
			continue
		}
		days[a.Day] = true
		if p.Status.IsFinal() && p.Status != core.Completed {
			continue // given back
		}
		h := want[slot{a.AccountID, a.Day}]
		want[slot{a.AccountID, a.Day}] = held{money.New(h.amount.Minor()+a.Held.Minor(), money.TRY), h.count + 1}
	}
	for day := range days {
		for _, l := range s.loads(t, day) {
			if h := want[slot{l.ID, day}]; l.Used.Minor() != h.amount.Minor() || l.Count != h.count {
				t.Fatalf("account %d on %s: stored %s in %d, payments hold %s in %d", l.ID, day, l.Used, l.Count, h.amount, h.count)
			}
		}
	}
}

// checkReports: in the end every payment is final or waits for staff, and the final ones were reported exactly as the
// receiver knows it.
func (s *simulation) checkReports(t *rapid.T) {
	for _, p := range s.payments(t) {
		callbacks, err := s.Store.CallbacksOf(t.Context(), p.ID)
		if err != nil {
			t.Fatal(err)
		}
		if !p.Status.IsFinal() {
			isForStaff := p.Status == core.Processing || p.Status == core.Pending
			if !isForStaff || len(callbacks) != 0 || s.statuses[p.TrackingCode] != "" {
				t.Fatalf("%s is %s with %d callbacks", p.TrackingCode, p.Status, len(callbacks))
			}
			continue
		}
		if len(callbacks) != 1 || callbacks[0].Payload.Status != p.Status || callbacks[0].Payload.Amount != p.Amount {
			t.Fatalf("%s is %s of %s, callbacks %+v", p.TrackingCode, p.Status, p.Amount, callbacks)
		}
		cb, isAcked := callbacks[0], s.acked[p.TrackingCode]
		if cb.State != core.Delivered && cb.State != core.Undeliverable || isAcked != (cb.State == core.Delivered) {
			t.Fatalf("%s: acknowledged %v, callback %+v", p.TrackingCode, isAcked, cb)
		}
		if got := s.statuses[p.TrackingCode]; got != string(p.Status) {
			t.Fatalf("%s is %s, its receiver was told %q", p.TrackingCode, p.Status, got)
		}
		s.checkHistory(t, p)
	}
}

func (s *simulation) checkHistory(t *rapid.T, p core.Payment) {
	moves, err := s.Store.Moves(t.Context(), p.ID)
	finals := 0
	for _, m := range moves {
		if m.To.IsFinal() {
			finals++
		}
	}
	if err != nil || finals != 1 {
		t.Fatalf("%s reached its end %d times: %+v, %v", p.TrackingCode, finals, moves, err)
	}
}
