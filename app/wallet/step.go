package wallet

import (
	"context"

	"github.com/vezne/vezne/core/fault"
)

// Step reads at most one due wallet on the caller's goroutine and reports whether there was one. It is for who decides alone
// what happens next, such as a simulation.
func (s *Statements) Step(ctx context.Context) (worked bool, err error) {
	feeds, err := s.claim(ctx, 1)
	for _, f := range feeds {
		s.guarded(ctx, f)
	}
	return len(feeds) > 0, fault.E("statement.Step", "", err)
}
