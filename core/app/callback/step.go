package callback

import (
	"context"

	"github.com/vezne/vezne/core/fault"
)

// Step delivers at most one due callback of a receiver before it returns, and reports whether there was one. It is for who
// decides alone what happens next, such as a simulation. A receiver that keeps failing is not spared.
func (s *Service) Step(receiver string) (worked bool, err error) {
	now := s.Desk.Clock.Now()
	ctx := context.WithoutCancel(s.ctx)
	rows, err := s.Callbacks.ClaimCallbacks(ctx, receiver, now, now.Add(s.Timeout+leaseMargin), 1)
	if err != nil {
		return false, fault.E("callback.Step", "", err)
	}
	s.mu.Lock()
	d := s.active[receiver]
	if d == nil {
		d = &delivery{}
		s.active[receiver] = d
	}
	d.breaker.Failures = failuresToOpen
	s.mu.Unlock()
	s.send(rows, &d.breaker, now.Add(leaseMargin/2))
	return len(rows) > 0, nil
}
