package ports

import (
	"context"
	"time"
)

// Installation says what a database is there for. All of it answers on a database that lacks migrations, too.
type Installation interface {
	// IsDemo reports whether the database is marked as a demo's: nobody's money is in it, and it may be filled with what is
	// made up.
	IsDemo(ctx context.Context) (bool, error)
	// IsEmpty reports whether nobody has begun to work with the database: no provider, dealer, gateway account, member of
	// staff, invitation, payment or audit entry is in it, and no other service's tables.
	IsEmpty(ctx context.Context) (bool, error)
	// MarkDemo marks an empty database as a demo's. One that is marked stays marked. Fault Conflict: the database is neither
	// empty nor marked, and nothing was changed.
	MarkDemo(ctx context.Context, at time.Time) error
}
