package ports

import (
	"context"

	"github.com/vezne/vezne/core"
)

// Tracer has work take part in traces, which say what took how long. Nothing depends on it: it never fails and never waits.
type Tracer interface {
	// Work begins the span of work that a row has asked for: a part of the row's trace, or, of a repeat and of a row without a trace, of
	// one of its own. What is done with the returned context is part of it. End ends it; the error's code is kept and its text is not.
	Work(ctx context.Context, name string, cause core.Cause) (inside context.Context, end func(error))
}
