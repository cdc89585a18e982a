package operation

import (
	"strconv"

	"github.com/vezne/vezne/core/fault"
)

// Step does on the caller's goroutine what a Wake of the key has done beside it, but with one row at most: an operation
// of the gateway account with this id, or, where the key is empty, a notification. It reports whether there may be more.
// It is for who decides alone what happens next, such as a simulation.
func (s *Service) Step(key string) (more bool, err error) {
	return safely(func() (bool, error) {
		if key == "" {
			return s.stepNotification()
		}
		return s.stepGateway(key)
	})
}

func (s *Service) stepNotification() (bool, error) {
	now := s.Desk.Clock.Now()
	rows, err := s.Store.ClaimNotifications(s.ctx, now, now.Add(notificationLease), 1)
	for _, n := range rows {
		s.work(n)
	}
	return len(rows) > 0, fault.E("operation.Step", "", err)
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
	case g.MayTry(1) == 0:
		return s.putAside(g)
	}
	now := s.Desk.Clock.Now()
	rows, err := s.Store.ClaimOperations(s.ctx, id, now, now.Add(2*lease), 1)
	for _, o := range rows {
		s.finish(o, func() error { return s.advance(s.ctx, g, o) })
	}
	return len(rows) > 0, fault.E("operation.Step", "", err)
}
