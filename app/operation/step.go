package operation

import (
	"strconv"

	"github.com/vezne/vezne/core/fault"
)

// Step does on the caller's goroutine, one after another, what a Wake of a gateway account has done beside it: at most one
// batch of its due operations, or, where the key is empty, of notifications. It reports whether there may be more. It is
// for who decides alone what happens next, such as a simulation.
func (s *Service) Step(key string) (more bool, err error) {
	return safely(func() (bool, error) {
		if key == "" {
			return s.stepNotifications()
		}
		return s.stepGateway(key)
	})
}

func (s *Service) stepNotifications() (bool, error) {
	now := s.Desk.Clock.Now()
	rows, err := s.Operations.ClaimNotifications(s.ctx, now, now.Add(notificationLease), notificationBatch)
	for _, n := range rows {
		s.work(n)
	}
	return len(rows) == notificationBatch, fault.E("operation.Step", "", err)
}

func (s *Service) stepGateway(key string) (bool, error) {
	id, err := strconv.ParseInt(key, 10, 64)
	if err != nil {
		return false, fault.E("operation.Step", fault.Invalid, err)
	}
	g, err := s.Gateways.Gateway(s.ctx, id)
	switch {
	case fault.Is(err, fault.GatewayUnusable), fault.Is(err, fault.NotFound):
		return s.goWithout(id, err)
	case err != nil:
		return false, fault.E("operation.Step", "", err)
	}
	limit := g.MayTry(perGateway)
	if limit == 0 {
		return s.putAside(g)
	}
	now := s.Desk.Clock.Now()
	rows, err := s.Operations.ClaimOperations(s.ctx, id, now, now.Add(2*lease), limit)
	for _, o := range rows {
		s.finish(o, func() error { return s.advance(s.ctx, g, o) })
	}
	return len(rows) == limit, fault.E("operation.Step", "", err)
}
