package operation

import (
	"context"
	"strconv"
	"sync"

	"github.com/vezne/vezne/core/fault"
)

// perGateway is how many operations of one gateway account are worked on at once. Each account has workers of its own,
// so that one that hangs delays no other.
const perGateway = 16

// work is the work on one gateway account.
type work struct {
	running bool
	again   bool // somebody rang while it was working
}

// Start allows work until Stop.
func (s *Service) Start() {
	s.active = map[string]*work{}
	s.ctx, s.stop = context.WithCancel(context.Background())
}

// Stop takes no new work and waits for calls under way, so that their outcome is kept; ctx bounds the waiting.
func (s *Service) Stop(ctx context.Context) error {
	s.mu.Lock()
	s.stop()
	s.mu.Unlock()
	return s.Wait(ctx)
}

// Wait waits until nothing is being worked on.
func (s *Service) Wait(ctx context.Context) error {
	done := make(chan struct{})
	go func() { s.working.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// notifications is the key under which notifications are worked on, beside the gateway accounts' ids.
const notifications = "notifications"

// WakeNotifications has waiting notifications worked on; it returns at once.
func (s *Service) WakeNotifications() { s.Wake(notifications) }

// Wake has a gateway account's due operations worked on; it returns at once.
func (s *Service) Wake(gatewayID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx == nil || s.ctx.Err() != nil {
		return
	}
	w := s.active[gatewayID]
	if w == nil {
		w = &work{}
		s.active[gatewayID] = w
	}
	if w.running {
		w.again = true
		return
	}
	w.running = true
	s.working.Add(1)
	go s.run(gatewayID, w)
}

func (s *Service) run(key string, w *work) {
	defer s.working.Done()
	round := s.round
	if key == notifications {
		round = func(string) (bool, error) { return s.workNotifications() }
	}
	for {
		more, err := round(key)
		if err != nil && s.ctx.Err() == nil {
			s.Log.Error("working on a gateway's operations", "gateway", key, "error", err)
		}
		s.mu.Lock()
		if err != nil || s.ctx.Err() != nil || !more && !w.again {
			w.running, w.again = false, false
			s.mu.Unlock()
			return
		}
		w.again = false
		s.mu.Unlock()
	}
}

// round leases a batch of due operations and advances each; more tells whether there may be another.
func (s *Service) round(key string) (more bool, err error) {
	id, err := strconv.ParseInt(key, 10, 64)
	if err != nil {
		return false, nil //nolint:nilerr // a ring of another version
	}
	g, err := s.Gateways.Gateway(s.ctx, id)
	if err != nil {
		return false, fault.E("operation.round", "", err)
	}
	limit := g.MayTry(perGateway)
	if limit == 0 {
		return false, nil // it does not answer: the sweeper comes back when a probe is due
	}
	now := s.Desk.Clock.Now()
	rows, err := s.Store.ClaimOperations(s.ctx, id, now, now.Add(2*lease), limit)
	if err != nil {
		return false, fault.E("operation.round", "", err)
	}
	var all sync.WaitGroup
	for _, o := range rows {
		all.Go(func() {
			if err := s.advance(s.ctx, g, o); err != nil && s.ctx.Err() == nil {
				s.Log.Error("advancing an operation; it is tried again when its lease ends", "tracking_code", o.TrackingCode, "ref", o.Ref, "error", err)
			}
		})
	}
	all.Wait()
	return len(rows) == limit, nil
}
