package ports

import (
	"context"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/dispute"
	"github.com/vezne/vezne/core/epoch"
	"github.com/vezne/vezne/core/operation"
)

// Epochs says which of the databases of one past this is, how far it is, and what remains to be looked at after a restore.
type Epochs interface {
	// Epoch returns the epoch. There always is one.
	Epoch(ctx context.Context) (epoch.Epoch, error)
	// Mark returns the epoch and how far the database is. It takes no connection from anybody else. One call at a time is made, of
	// this and of Grow. Fault: Unavailable.
	Mark(ctx context.Context) (epoch.Epoch, epoch.Mark, error)
	// Grow has the mark be one further than any before it, as of a moment. A database that is not as far as a mark stays where it is.
	// Fault: Unavailable.
	Grow(ctx context.Context, from epoch.Mark, at time.Time) error
	// IsAtHome reports whether the database is on the server, and in it the one, that it was first asked this on; true where
	// nobody can tell. Fault: Unavailable.
	IsAtHome(ctx context.Context) (bool, error)
	// Settle has the place where the database is now be its home. Fault: Unavailable.
	Settle(ctx context.Context) error
	// Remains returns the query's page of what remains, oldest first (smallest ID).
	Remains(ctx context.Context, query epoch.RemainQuery) ([]epoch.Remain, error)
	// LiveOperations returns at most limit operations behind an ID that are not closed, oldest first (smallest ID). It reads all
	// that were made since.
	LiveOperations(ctx context.Context, after core.ID, limit int) ([]operation.Operation, error)
	// LiveDisputes returns at most limit disputes behind an ID about which their gateways are asked, oldest first (smallest ID). It
	// reads all that were named since.
	LiveDisputes(ctx context.Context, after core.ID, limit int) ([]dispute.Dispute, error)
}

// EpochPlace is a place outside of the database in which the foremost mark is recorded.
type EpochPlace interface {
	// Record keeps a mark where it is foremost of what the place has (see epoch.Mark.Against), as one step among any number of
	// callers, and returns what was there before; the zero mark: nothing that could be read. What the place has of another
	// installation counts as nothing and is kept where both fit. Fault: Unavailable.
	Record(ctx context.Context, m epoch.Mark) (before epoch.Mark, err error)
}

// Fence reports whether this process may do anything with its database.
type Fence interface {
	// MayAct reports whether the database is the one of its installation. Fault: Unavailable (another has taken its place, or it is
	// not known).
	MayAct() error
	// MayMove reports whether money may move, too. Faults: those of MayAct; Frozen.
	MayMove() error
	// FrozenAt returns the moment of the last freeze, also after its thaw; zero: there was none. What the database says of who was let
	// in before it may be older than what became of them.
	FrozenAt() time.Time
}
