package ports

import (
	"context"
	"time"

	"github.com/vezne/vezne/core"
)

// Retention deletes what the service does not keep any longer.
type Retention interface {
	// Prune deletes rows of a kind that are older than a moment, the oldest first, at most limit of each table. It returns
	// how many it deleted: fewer than limit when none is left.
	Prune(ctx context.Context, kind core.Prunable, before time.Time, limit int) (int, error)
}
