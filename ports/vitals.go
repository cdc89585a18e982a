package ports

import (
	"context"
	"errors"
	"time"
)

// Why a database that answers takes no writes, as far as it says so.
var (
	// ErrReadOnly is of a hot standby, or of a database or file that is set or mounted for reading.
	ErrReadOnly = errors.New("the database is read-only")
	// ErrFull is of a database that has no space for more.
	ErrFull = errors.New("the database has no space left")
)

const (
	// AnnounceEvery is how often a process proves a write at least, whoever asks, and so says that it runs.
	AnnounceEvery = 5 * time.Second
	// GoneAfter is when a process that has not done so is taken for gone. It is longer by two more tries, and by what clocks may
	// differ.
	GoneAfter = 20 * time.Second
)

// Vitals reports how the database itself is.
type Vitals interface {
	// Now returns the database's time. Of an embedded database that is this machine's.
	Now(ctx context.Context) (time.Time, error)
	// ProveWrite commits, as durably as a changeset, that a process was alive at a moment, in place of what it wrote before.
	// With needsSpace it also takes space that nothing is in, which it gives back, and forgets processes that have not
	// written for a day. It takes no connection from anybody else. One call at a time is made. Faults: Unavailable, which
	// is ErrReadOnly or ErrFull too where the database says that.
	ProveWrite(ctx context.Context, process string, at time.Time, needsSpace bool) error
	// ForgetProcess forgets a process that ends. Fault: Unavailable.
	ForgetProcess(ctx context.Context, process string) error
}
