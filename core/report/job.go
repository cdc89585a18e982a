package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

// JobKind says what a job does.
type JobKind string

// Kinds of jobs.
const (
	ResendJob JobKind = "resend" // sends callbacks again
	ExportJob JobKind = "export" // writes transactions into a file
	// These write something else.
	StatementExport  JobKind = "export_statement"  // what a wallet's bank listed
	LedgerExport     JobKind = "export_ledger"     // a wallet's bookings
	BankLinesExport  JobKind = "export_bank_lines" // of all wallets, as the list of lines has them
	StatisticsExport JobKind = "export_statistics"
	AuditExport      JobKind = "export_audit"
)

// Permissions are those that ordering a job of the kind takes, and that whoever looks at it or has it run must still have.
func (k JobKind) Permissions() []staff.Permission {
	switch k {
	case ResendJob:
		return []staff.Permission{staff.ReadTransactions, staff.ResendCallbacks}
	case StatementExport, LedgerExport, BankLinesExport:
		return []staff.Permission{staff.ReadTransactions, staff.ReadWallets}
	case StatisticsExport:
		return []staff.Permission{staff.ReadTransactions, staff.ReadStatistics}
	case AuditExport:
		return []staff.Permission{staff.ReadTransactions, staff.ReadAudit}
	default:
		return []staff.Permission{staff.ReadTransactions}
	}
}

// JobKinds lists all kinds.
func JobKinds() []JobKind { return append([]JobKind{ResendJob, ExportJob}, ListExports()...) }

// ListExports are the kinds that write something else than transactions into a file.
func ListExports() []JobKind {
	return []JobKind{StatementExport, LedgerExport, BankLinesExport, StatisticsExport, AuditExport}
}

// IsExport reports whether jobs of the kind write a file.
func (k JobKind) IsExport() bool { return k != ResendJob }

// JobStatus is where a job stands.
type JobStatus string

// States of a job. A queued or running one has a NextAt; nothing leads out of the others.
const (
	JobQueued   JobStatus = "queued"
	JobRunning  JobStatus = "running" // something of it is done
	JobDone     JobStatus = "done"
	JobFailed   JobStatus = "failed"   // it could not go on; Error says why
	JobCanceled JobStatus = "canceled" // staff stopped it; what was done stays done
)

// JobStatuses lists all states.
func JobStatuses() []JobStatus {
	return []JobStatus{JobQueued, JobRunning, JobDone, JobFailed, JobCanceled}
}

// IsOver reports whether nothing more happens to the job.
func (s JobStatus) IsOver() bool { return s == JobDone || s == JobFailed || s == JobCanceled }

// Bounds of jobs.
const (
	MaxJobCodes    = 500 // tracking codes of a selection
	MaxJobFailures = 100 // that a job keeps; more are only counted
	maxJobTries    = 12  // failures in a row after which a job ends: some two hours
	maxJobWait     = 15 * time.Minute
)

// JobOrder is what a job is asked to do. It never changes.
type JobOrder struct {
	Kind   JobKind
	Filter PaymentQuery // its Scope is what the maker may see; After and Limit are not used
	Codes  []string     // resend: this selection instead of the filter
	// Callbacks are, for resend, what is sent again in place of what the filter matches; nil: the filter says.
	Callbacks *CallbackQuery

	States []payment.CallbackStatus // resend: which callbacks are sent again

	Format   ExportFormat // export
	Columns  []ExportColumn
	List     ListFilter // of ListExports: in place of Filter
	Language string     // export: of the words in the file, and how CSV has numbers
	HasBOM   bool       // export: CSV begins with a byte order mark

	Total int // about how many it will come to, counted beforehand
	// IsTotalExact reports whether Count is exact; else there are at least so many.
	IsTotalExact bool
}

// JobProgress is what a job has done so far. Every step commits it together with what the step did, so that a crash
// repeats nothing and leaves nothing out.
type JobProgress struct {
	Cursor  core.ID // the last payment, or callback, that was looked at; empty: none yet
	Looked  int     // payments, callbacks, or tracking codes of the selection, that were looked at
	Done    int     // callbacks that were sent again; rows that were written
	Skipped int     // callbacks that were left alone
	Skips   []JobSkip
	Failed  int
	// Failures are the first MaxJobFailures of those that failed.
	Failures []JobFailure

	Totals []ExportTotal // export: of the rows written
	File   FileState     // export
	Chunks int           // export: written so far
}

// SkipReason is why a job leaves a callback alone.
type SkipReason string

// Reasons to leave a callback alone.
const (
	SkippedWaiting  SkipReason = "waiting"     // it is under way already
	SkippedRefunded SkipReason = "refunded"    // what it reports was given back since
	SkippedState    SkipReason = "other_state" // of a selection: it is in none of the states asked for
)

// SkipReasons lists all reasons.
func SkipReasons() []SkipReason { return []SkipReason{SkippedWaiting, SkippedRefunded, SkippedState} }

// JobSkip is how many of a job's callbacks were left alone for a reason. Of each reason there is at most one.
type JobSkip struct {
	Reason SkipReason `json:"reason"`
	Count  int        `json:"count"`
}

// Skip counts a callback that is left alone.
func (p JobProgress) Skip(why SkipReason) JobProgress {
	p.Skipped++
	p.Skips = slices.Clone(p.Skips)
	at := slices.IndexFunc(p.Skips, func(s JobSkip) bool { return s.Reason == why })
	if at < 0 {
		at, p.Skips = len(p.Skips), append(p.Skips, JobSkip{Reason: why})
	}
	p.Skips[at].Count++
	return p
}

// JobFailure is one thing that a job could not do.
type JobFailure struct {
	TrackingCode string     `json:"tracking_code,omitempty"`
	Code         fault.Code `json:"code"`
}

// Fail counts a failure.
func (p JobProgress) Fail(code string, why fault.Code) JobProgress {
	p.Failed++
	if len(p.Failures) < MaxJobFailures {
		p.Failures = append(p.Failures[:len(p.Failures):len(p.Failures)], JobFailure{TrackingCode: code, Code: why})
	}
	return p
}

// Job is work on many rows that a server does for a staff member, step by step.
type Job struct {
	ID        core.ID
	Version   int
	Status    JobStatus
	StartedBy core.Actor
	StaffID   int64
	// Scope is what whoever ordered the job could see then. It never changes.
	Scope core.Scope
	JobOrder
	JobProgress
	Tries      int       // failures in a row
	NextAt     time.Time // when a worker is to go on; zero: it is over
	LeaseUntil time.Time // a worker has it until then
	CreatedAt  time.Time
	StartedAt  time.Time // of its first step
	FinishedAt time.Time
	Error      string // why it failed
	Ticket     JobTicket
}

// Identity implements Row.
func (j Job) Identity() core.Identity {
	return core.Identity{Table: "jobs", Key: string(j.ID), Version: j.Version}
}

// WakeUps implements Waking.
func (j Job) WakeUps() []core.WakeUp {
	if j.NextAt.IsZero() || !j.LeaseUntil.IsZero() {
		return nil
	}
	return []core.WakeUp{{Kind: core.DueJobs, At: j.NextAt}}
}

// Event implements Eventful.
func (j Job) Event() core.Event {
	return core.Event{Kind: core.JobChanged, ID: j.ID, StaffID: j.StaffID, IsNew: j.Version == 1}
}

// JobChunk is a piece of the file that an export writes. The file is its chunks in order of Number, from 1.
type JobChunk struct {
	JobID  core.ID
	Number int
	Bytes  []byte
}

// Identity implements Row.
func (c JobChunk) Identity() core.Identity {
	return core.Identity{Table: "job_chunks", Key: string(c.JobID) + "/" + strconv.Itoa(c.Number), Version: 1}
}

// JobQuery asks for jobs, newest first. Zero fields do not narrow.
type JobQuery struct {
	StaffID  int64      // made by this member
	Scope    core.Scope // ordered with no more than this
	Kinds    []JobKind
	Statuses []JobStatus
	core.Paging[core.ID]
}

// DecideJob creates a job, with an audit row that says what it is to do. What is created from now on is not its concern.
func DecideJob(o JobOrder, by staff.Staff, addr string, at time.Time, ids *core.IDs) core.Changeset {
	until := &o.Filter.CreatedUntil
	if o.Callbacks != nil {
		until = &o.Callbacks.CreatedUntil
	}
	if until.IsZero() || until.After(at) {
		*until = at
	}
	j := Job{
		ID: ids.Next(), Version: 1, Status: JobQueued, StartedBy: by.Actor(addr), StaffID: by.ID, Scope: by.Scope(), JobOrder: o,
		NextAt: at, CreatedAt: at,
	}
	return core.Changeset{j, j.entry(jobActions[o.Kind], "", j.auditOrder(), at, ids)}
}

// jobActions are the mutations that order jobs.
var jobActions = map[JobKind]string{
	ResendJob: "resendCallbacks", ExportJob: "startExport", StatementExport: "exportList", LedgerExport: "exportList",
	BankLinesExport: "exportList", StatisticsExport: "exportList", AuditExport: "exportList",
}

func (j Job) entry(action, before, after string, at time.Time, ids *core.IDs) core.AuditEntry {
	return core.AuditEntry{
		ID: ids.Next(), At: at, Actor: j.StartedBy, Action: action, Target: "job/" + string(j.ID), Before: before, After: after,
	}
}

// auditOrder is what the audit row says of the order, as JSON.
func (j Job) auditOrder() string {
	if slices.Contains(ListExports(), j.Kind) {
		return core.AuditJSON(struct {
			Kind     JobKind      `json:"kind"`
			List     ListFilter   `json:"filter"`
			Format   ExportFormat `json:"format"`
			Language string       `json:"language"`
		}{j.Kind, j.List, j.Format, j.Language})
	}
	text, err := json.Marshal(struct {
		Count    int                      `json:"count"`
		AtLeast  bool                     `json:"atLeast,omitempty"`
		Codes    []string                 `json:"trackingCodes,omitempty"`
		Filter   PaymentQuery             `json:"filter"`
		Sent     *CallbackQuery           `json:"callbacks,omitempty"`
		States   []payment.CallbackStatus `json:"states,omitempty"`
		Format   ExportFormat             `json:"format,omitempty"`
		Columns  []ExportColumn           `json:"columns,omitempty"`
		Language string                   `json:"language,omitempty"`
	}{j.Total, !j.IsTotalExact, j.Codes, j.Filter, j.Callbacks, j.States, j.Format, j.Columns, j.Language})
	if err != nil {
		return fmt.Sprintf(`{"count":%d}`, j.Total) // cannot happen: all of it is plain
	}
	return string(text)
}

// Stepped is the job after a step; its lease lasts until a moment.
func (j Job) Stepped(p JobProgress, leaseUntil, at time.Time) Job {
	j.Version++
	j.Status, j.JobProgress, j.Tries, j.LeaseUntil = JobRunning, p, 0, leaseUntil
	if j.StartedAt.IsZero() {
		j.StartedAt = at
	}
	return j
}

// Finished is the job after its last step.
func (j Job) Finished(p JobProgress, at time.Time) Job {
	j = j.Stepped(p, time.Time{}, at)
	return j.over(JobDone, at)
}

func (j Job) over(state JobStatus, at time.Time) Job {
	j.Status, j.NextAt, j.LeaseUntil, j.FinishedAt = state, time.Time{}, time.Time{}, at
	return j
}

// HandedBack is the job when its worker stops: another one may go on at once.
func (j Job) HandedBack() Job {
	j.Version++
	j.LeaseUntil = time.Time{}
	return j
}

// Yielded is the job after its worker's turn: of those that are due it comes last.
func (j Job) Yielded(at time.Time) Job {
	j = j.HandedBack()
	j.NextAt = at
	return j
}

// Stumbled is the job after a step that failed and changed nothing: it is tried again ever later, and in the end given up.
func (j Job) Stumbled(why fault.Code, at time.Time) Job {
	j.Version++
	j.Tries++
	j.LeaseUntil = time.Time{}
	j.NextAt = at.Add(min(time.Second<<min(j.Tries, 12), maxJobWait))
	if j.Tries >= maxJobTries {
		return j.Broken(why, at)
	}
	return j
}

// Broken is the job that can't go on. Its Version is the caller's matter.
func (j Job) Broken(why fault.Code, at time.Time) Job {
	j.Error = string(why)
	return j.over(JobFailed, at)
}

// DecideCancel stops a job. A step that is under way loses the race and leaves nothing; what was done before stays done.
// Fault: AlreadyFinal, with the state.
func (j Job) DecideCancel(by core.Actor, at time.Time, ids *core.IDs) (core.Changeset, error) {
	if j.Status.IsOver() {
		return core.Changeset{}, fault.New("core.Job.DecideCancel", fault.AlreadyFinal, string(j.Status))
	}
	after := j.over(JobCanceled, at)
	after.Version++
	audit := after.entry("cancelJob", j.auditState(), after.auditState(), at, ids)
	audit.Actor = by
	return core.Changeset{after, audit}, nil
}

func (j Job) auditState() string {
	return fmt.Sprintf(`{"state":%q,"done":%d,"skipped":%d,"failed":%d}`, j.Status, j.Done, j.Skipped, j.Failed)
}

// MayBeSeenBy reports whether a staff member sees the job: it is their own, or they are an admin, and their rights of today cover
// those with which it was ordered.
func (j Job) MayBeSeenBy(s staff.Staff) bool {
	return (j.StaffID == s.ID || s.Role == staff.Admin) && j.IsCoveredBy(s)
}

// IsCoveredBy reports whether a staff member could order the job today: they are active, have its kind's permissions, and see all
// that whoever ordered it could see.
func (j Job) IsCoveredBy(s staff.Staff) bool {
	for _, p := range j.Kind.Permissions() {
		if s.Require(p) != nil {
			return false
		}
	}
	return s.Scope().Includes(j.Scope)
}

// JobKindsOf are the kinds of jobs that a staff member could order today.
func JobKindsOf(s staff.Staff) []JobKind {
	return slices.DeleteFunc(JobKinds(), func(k JobKind) bool {
		return !Job{Scope: s.Scope(), JobOrder: JobOrder{Kind: k}}.IsCoveredBy(s)
	})
}

// Percent is how far the job has come, of what was counted beforehand; a job that is not over is never at 100.
func (j Job) Percent() int {
	switch {
	case j.Status == JobDone:
		return 100
	case j.Total == 0:
		return 0
	default:
		return min(99, 100*(j.Done+j.Skipped+j.Failed)/j.Total)
	}
}
