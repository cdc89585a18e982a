package report

import (
	"time"

	"github.com/vezne/vezne/core/payment"
)

// WorkKind says what sort of work waits in the database.
type WorkKind string

// Kinds of work.
const (
	CallbackWork     WorkKind = "callbacks"     // to be sent
	ExpiryWork       WorkKind = "expiry"        // payments whose time is over
	OperationWork    WorkKind = "operations"    // to be asked about at gateways
	NotificationWork WorkKind = "notifications" // of gateways, to be worked on
	StatementWork    WorkKind = "statements"    // of wallets, to be read
)

// WorkKinds lists all kinds of work.
func WorkKinds() []WorkKind {
	return []WorkKind{CallbackWork, ExpiryWork, OperationWork, NotificationWork, StatementWork}
}

// StuckAfter is for how long work may be due before it counts as stuck: workers take what is due within a second, and
// even a receiver or a gateway that is out of reach gives its place up sooner.
const StuckAfter = 5 * time.Minute

// DueWork is how much of one kind of work waits, as the database has it. Counting stops at a bound.
type DueWork struct {
	Kind         WorkKind
	DueCount     int
	OldestDueAt  time.Time // since when the longest-waiting one is due; zero: none is
	StuckCount   int       // of those, due for longer than StuckAfter while nobody has them: left behind by a worker, say
	FailedCount  int       // given up: callbacks that every attempt failed, notifications that nobody knows; wallets whose last read failed
	SkippedCount int       // callbacks for which no address was set
}

// OldestOpen is when the oldest payment of a method was created that has a status which is not final.
type OldestOpen struct {
	Method    payment.Method
	Status    payment.Status
	CreatedAt time.Time
}

// TaskQueue is what the queue library says of one of its queues.
type TaskQueue struct {
	Name                                                         string
	Size, Pending, Active, Scheduled, Retry, Archived, Completed int
	ProcessedToday, FailedToday                                  int           // since midnight in UTC
	Latency                                                      time.Duration // since when the longest-waiting task waits
	IsPaused                                                     bool
}
