package ports

import (
	"context"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

// Jobs reads jobs and their files, and hands what is due to workers.
type Jobs interface {
	// ClaimJobs leases at most limit jobs whose NextAt is set and not after now and whose lease, if any, ended before or at
	// now: earliest first. Claiming raises Version by one and sets LeaseUntil.
	ClaimJobs(ctx context.Context, now, leaseUntil time.Time, limit int) ([]report.Job, error)
	// Job finds one job; NotFound otherwise.
	Job(ctx context.Context, id core.ID) (report.Job, error)
	// ListJobs gives at most query.Limit jobs, newest (greatest ID) first.
	ListJobs(ctx context.Context, query report.JobQuery) ([]report.Job, error)
	// JobChunk gives a piece of a job's file; NotFound otherwise.
	JobChunk(ctx context.Context, jobID core.ID, number int) (report.JobChunk, error)
	// ForgetFiles deletes at most limit chunks of jobs that finished before a moment and says how many.
	ForgetFiles(ctx context.Context, before time.Time, limit int) (int, error)
}

// Outbox reads callbacks for those who send them again.
type Outbox interface {
	// Callback finds one callback; NotFound otherwise.
	Callback(ctx context.Context, id core.ID) (payment.Callback, error)
	// CallbacksOfPayments gives the callbacks of at most 500 payments, oldest first (by ID).
	CallbacksOfPayments(ctx context.Context, paymentIDs []core.ID) ([]payment.Callback, error)
}

// FileWriter writes files of one format, piece by piece. It keeps nothing between two pieces.
type FileWriter interface {
	// Write gives the file's next bytes, and the state from which the part after it goes on. The same part always gives
	// the same bytes. Fault Invalid: the file would be greater than the format allows.
	Write(part report.FilePart) (bytes []byte, next report.FileState, err error)
}
