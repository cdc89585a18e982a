package ports

import (
	"context"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/report"
)

// Reports searches and counts payments, reads jobs and their files, and says how much work waits.
type Reports interface {
	// SearchPayments returns the query's page of payments that the query asks for, in the order of its Sort. A search that
	// looks at more payments than the store thinks right, or than query.MaxLooked, stops: it may then have fewer, even
	// none, and says where the next search goes on. Followed in this way a list has everything once.
	//
	// A payment's name, IBAN and tracking code are those that it was created with. An order id is the tracking code
	// without its dashes. A deposit was paid from the party of a bank line that is matched with it. CreatedAt is near the
	// moment of the ID; FinishedAt is neither before it nor after UpdatedAt.
	//
	// Fault Invalid: the name begins too many words, or what was looked for is found more often than can be sorted by
	// anything but the ID.
	SearchPayments(ctx context.Context, query report.PaymentQuery) (report.Page, error)
	// CustomerHistory sums up a customer's payments with a provider, those in a scope; of one who has none it is the zero one. It reads
	// at most core.MaxCustomerPayments of them, the newest (greatest ID), and the oldest.
	CustomerHistory(ctx context.Context, customer owner.CustomerKey, scope core.Scope) (report.CustomerHistory, error)
	// Statistics adds up what the query asks for, by interval and then by key, as far as RefreshStatistics has come. Rows
	// without payments are left out. Fault: Invalid, where more than the query's MaxRead rows would be read.
	Statistics(ctx context.Context, query report.StatisticsQuery) ([]report.StatisticsRow, error)
	// LastWaits returns how long the deposits that the query asks for waited from when they were said to be paid (payment.ClaimPaid), or
	// the gateway saw their money, until they completed. It looks at no more than the query's Limit of completed deposits of the owner,
	// the last created ones.
	LastWaits(ctx context.Context, query report.WaitQuery) ([]time.Duration, error)
	// RefreshStatistics takes in what was committed until now, some of it at a time: more tells that there is more. Doing
	// so again, at the same time elsewhere, or after it was broken off, counts nothing twice: whoever finds that another
	// process was faster leaves the rest to it. A commit that becomes visible late is taken in then. Intervals are those of the
	// zone; another one than before begins anew.
	RefreshStatistics(ctx context.Context, zone *time.Location, now time.Time) (more bool, err error)
	// StatisticsUntil is the moment until which everything is taken in; zero: they are being built, and lack payments.
	StatisticsUntil(ctx context.Context) (time.Time, error)
	// ForgetStatistics has them built anew.
	ForgetStatistics(ctx context.Context) error
	// ClaimJobs leases at most limit jobs whose NextAt is set and not after now and whose lease, if any, ended before or at
	// now: earliest first. Claiming raises Version by one and sets LeaseUntil.
	ClaimJobs(ctx context.Context, now, leaseUntil time.Time, limit int) ([]report.Job, error)
	// Job finds one job; NotFound otherwise.
	Job(ctx context.Context, id core.ID) (report.Job, error)
	// ListJobs returns the query's page of jobs, newest (greatest ID) first.
	ListJobs(ctx context.Context, query report.JobQuery) ([]report.Job, error)
	// JobChunk returns a piece of a job's file; NotFound otherwise.
	JobChunk(ctx context.Context, jobID core.ID, number int) (report.JobChunk, error)
	// OpenWork returns what of the query's kinds waits, in their order. Kinds that nobody of the scope is told of are left out:
	// bank lines, requests for approval and days of wallets to a provider's staff.
	OpenWork(ctx context.Context, query report.OpenWorkQuery) ([]report.OpenWork, error)
	// OldestOpen returns when the oldest payment of each method and each status that is not final was created: the one with the least
	// ID. Where there is none, nothing is returned. They come in the order of payment.Methods, and of payment.Statuses.
	OldestOpen(ctx context.Context) ([]report.OldestOpen, error)
	// DueWork returns every kind of work once, in the order of report.WorkKinds. Counting stops at a bound of its own.
	DueWork(ctx context.Context, now time.Time) ([]report.DueWork, error)
}

// FileWriter writes files of one format, piece by piece. It keeps nothing between two pieces.
type FileWriter interface {
	// Write returns the file's next bytes, and the state from which the part after it goes on. The same part always returns
	// the same bytes. Fault Invalid: the file would be greater than the format allows.
	Write(part report.FilePart) (bytes []byte, next report.FileState, err error)
}
