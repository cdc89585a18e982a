package ports

import (
	"context"

	"github.com/vezne/vezne/core"
)

// Events carries cues of what was committed to every process that listens. The cues are no truth: what they name is read
// from the store.
type Events interface {
	// Publish passes events to all who listen, soon. It never blocks, never fails and promises nothing. Waiting events about
	// one row may become one. Where events are known to be lost, listeners receive core.EventsLost.
	Publish(events ...core.Event)
	// Listen calls handle, one call at a time, until the context is over. It begins with core.EventsLost as soon as it
	// receives what is published from then on, and passes it again whenever something may have been missed, as after an
	// outage. Any number may listen, and each receives everything. handle must not block for long.
	Listen(ctx context.Context, handle func([]core.Event))
}
