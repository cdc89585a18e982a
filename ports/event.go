package ports

import (
	"context"

	"github.com/vezne/vezne/core"
)

// Events carries cues of what was committed to every process that listens. The cues are no truth: what they name is read
// from the store.
type Events interface {
	// Publish tells all who listen, soon. It never blocks, never fails and promises nothing; news about one row that wait
	// to be told may become one. Where cues are known to be lost, listeners hear core.MissedNews.
	Publish(events ...core.Event)
	// Listen calls hear, one call at a time, until the context is over. It begins with core.MissedNews as soon as it hears
	// what is published from then on, and says it again whenever something may have been missed, as after an outage. Any
	// number may listen, and each hears everything. hear must not block for long.
	Listen(ctx context.Context, handle func([]core.Event))
}
