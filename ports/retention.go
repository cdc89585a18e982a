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
	//
	// Histories are deleted by months of their payments' creation, in UTC: of a month all of which is older than the moment, and of which
	// payment.HistoryUse is none. Entries of the audit log are deleted as far as an entry says that is in the log (audit.Dropped).
	//
	// A database that keeps rows of a kind by months may delete them months at a time, which it does not count: then some of them stay
	// for up to a month longer, or, of a month in which there are attempts of a callback that waits, for as long as it does.
	Prune(ctx context.Context, kind core.Prunable, before time.Time, limit int) (int, error)

	// MakeRoom makes what rows of the coming months need before they can be written. It returns until when there is room: zero is for
	// ever. Room that is missing is made when a row needs it, too, which holds that commit up.
	MakeRoom(ctx context.Context, now time.Time) (until time.Time, err error)
}
