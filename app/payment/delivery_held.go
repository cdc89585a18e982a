package payment

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/ports"
)

// Sizes of what is held.
const (
	heldBatches = 4    // of a receiver that answers quickly
	maxHeld     = 4096 // of all receivers
	storesTurn  = 4    // every so many batches of a receiver one comes from the store, where there is something in it
)

// Commits is a Committer in front of another. What it commits of payments' first callbacks that are due at once is written with this
// process's lease, and held: it is sent without having been leased and read again. There is as much room for a receiver as it is likely to
// be sent before that must have been begun. Whatever has none is due in the store as ever, and what is lost with the process is, too, when
// its lease ends.
func (s *Callbacks) Commits(next ports.Committer) ports.Committer { return holding{next, s} }

type holding struct {
	next ports.Committer
	*Callbacks
}

// Commit implements ports.Committer.
func (h holding) Commit(ctx context.Context, change core.Changeset) error {
	if !h.IsRunning() {
		return h.next.Commit(ctx, change) // others send it
	}
	leased, held := h.lease(change)
	err := h.next.Commit(ctx, leased)
	h.hold(ctx, held, err)
	if err == nil {
		h.seek(leased)
	}
	return err
}

// lease leases what there is room for; the caller's own changeset stays as it is.
func (s *Callbacks) lease(change core.Changeset) (leased core.Changeset, held []payment.Callback) {
	leased = change
	for i, row := range change {
		cb, ok := row.(payment.Callback)
		if !ok || cb.Version != 1 || cb.Sequence != 1 || cb.Status != payment.Waiting {
			continue
		}
		now := s.UnitOfWork.Clock.Now()
		if cb.NextAttemptAt.After(now) || !s.reserve(cb.Receiver) {
			continue
		}
		if len(held) == 0 {
			leased = slices.Clone(change)
		}
		cb.LeaseUntil = now.Add(s.leaseTime())
		leased[i] = cb
		held = append(held, cb)
	}
	return leased, held
}

// leaseTime is how long a lease lasts.
func (s *Callbacks) leaseTime() time.Duration { return s.Timeout + leaseMargin }

// reserve takes room for one callback of a receiver that answers, and reports whether there is any.
func (s *Callbacks) reserve(name string) bool {
	r := s.receiver(name)
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.breaker.IsOpen() || r.reserved >= r.room || s.reserved >= maxHeld {
		return false
	}
	r.reserved++
	s.reserved++
	return true
}

// hold keeps what has been committed until a batch takes it. Of a commit that failed nothing is known here: what it wrote after all is
// due when its lease ends.
func (s *Callbacks) hold(ctx context.Context, held []payment.Callback, err error) {
	if len(held) == 0 {
		return
	}
	s.mu.Lock()
	for _, cb := range held {
		r := s.known[cb.Receiver]
		if err != nil {
			s.release(r, 1)
		} else {
			r.held = append(r.held, cb)
		}
	}
	s.mu.Unlock()
	if err == nil && !s.IsRunning() {
		s.handBack(ctx, s.everybody()...) // it was stopped meanwhile
	}
}

// seek notes whose callbacks are due in the store.
func (s *Callbacks) seek(change core.Changeset) {
	for _, row := range change {
		cb, ok := row.(payment.Callback)
		if ok && cb.Status == payment.Waiting && cb.LeaseUntil.IsZero() && !cb.NextAttemptAt.After(s.UnitOfWork.Clock.Now()) {
			s.look(cb.Receiver)
		}
	}
}

// look has one of the next batches of a receiver come from the store.
func (s *Callbacks) look(name string) {
	r := s.receiver(name)
	s.mu.Lock()
	defer s.mu.Unlock()
	r.isInStore = true
}

// release gives room back. The caller holds s.mu.
func (s *Callbacks) release(r *receiver, n int) {
	r.reserved -= n
	s.reserved -= n
}

// takeHeld takes a batch of what is held, or none where it is the store's turn.
func (s *Callbacks) takeHeld(r *receiver, limit int) []payment.Callback {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.turn++; r.isInStore && r.turn >= storesTurn {
		limit = 0
	}
	taken := s.take(r, limit)
	if len(taken) == 0 {
		r.turn, r.isInStore = 0, false
	}
	return taken
}

// take takes some of what is held of a receiver. The caller holds s.mu.
func (s *Callbacks) take(r *receiver, limit int) []payment.Callback {
	n := min(limit, len(r.held))
	taken := slices.Clone(r.held[:n])
	r.held = slices.Delete(r.held, 0, n)
	s.release(r, n)
	return taken
}

// everybody is all that this process remembers.
func (s *Callbacks) everybody() []*receiver {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Values(s.known))
}

// isMore reports whether there may be more of a receiver.
func (s *Callbacks) isMore(r *receiver) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return r.isInStore || len(r.held) > 0
}

// Wake has what is due of a receiver sent; it returns at once.
func (s *Callbacks) Wake(name string) {
	s.look(name)
	s.Worker.Wake(name)
}

// WakeOwn is Wake for what this process has committed by Commits.
func (s *Callbacks) WakeOwn(name string) {
	if s.isMore(s.receiver(name)) {
		s.Worker.Wake(name)
	}
}

// Stop takes no new work, hands back what is held, and waits for what is under way; ctx bounds it.
func (s *Callbacks) Stop(ctx context.Context) error {
	s.Halt()
	s.handBack(ctx, s.everybody()...)
	return s.Wait(ctx)
}

// handBack ends the leases of all that is held of receivers.
func (s *Callbacks) handBack(ctx context.Context, of ...*receiver) {
	var b batch
	s.mu.Lock()
	for _, r := range of {
		b.rows = append(b.rows, s.take(r, len(r.held))...)
	}
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepTimeout)
	defer cancel()
	s.HandBack(ctx, b)
}
