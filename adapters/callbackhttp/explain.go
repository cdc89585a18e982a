package callbackhttp

import (
	"context"
	"errors"

	"github.com/vezne/vezne/adapters/dialguard"
)

// explain turns why there was no answer into a sentence for staff.
func (c *Sender) explain(ctx context.Context, err error) string {
	var refused dialguard.RefusedError
	switch {
	case errors.Is(err, errAddress):
		return errAddress.Error()
	case ctx.Err() != nil && !errors.As(err, &refused):
		return "sending was stopped before an answer came"
	default:
		return dialguard.Why(err, "receiver", c.timeout)
	}
}
