package program

import (
	"context"
	"errors"
	"fmt"

	"github.com/vezne/vezne/cmd/vezne/health"
)

// healthCommand is for images that have no other program to ask with, and for scripts.
type healthCommand struct {
	Listen string `env:"VEZNE_LISTEN" default:"127.0.0.1:8080" help:"Address and port that the server listens on."`
}

// Run prints what /readyz answers, and fails unless that is ready.
func (c healthCommand) Run(ctx context.Context, t terminal) error {
	answer, err := health.Ask(ctx, c.Listen, "/readyz")
	_, printed := fmt.Fprint(t.out, answer)
	return errors.Join(err, printed)
}
