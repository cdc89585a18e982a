package bunstore

import (
	"cmp"
	"context"
	"strconv"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/ports"
)

type jobRow struct {
	bun.BaseModel `bun:"table:jobs"`

	ID         core.ID          `bun:"id,pk"`
	Version    int              `bun:"version"`
	Kind       report.JobKind   `bun:"kind"`
	State      report.JobStatus `bun:"state"`
	StaffID    int64            `bun:"staff_id"`
	DealerID   int64            `bun:"dealer_id"`
	ProviderID int64            `bun:"provider_id"`
	Tries      int              `bun:"tries"`
	NextAt     timestamp        `bun:"next_at,type:timestamptz"`
	LeaseUntil timestamp        `bun:"lease_until,type:timestamptz"`
	CreatedAt  timestamp        `bun:"created_at,type:timestamptz"`
	StartedAt  timestamp        `bun:"started_at,type:timestamptz"`
	FinishedAt timestamp        `bun:"finished_at,type:timestamptz"`
	Body       string           `bun:"body"`
}

// jobChunkRow is a part of a file. Its content is sealed: it is what the export is of.
type jobChunkRow struct {
	bun.BaseModel `bun:"table:job_chunks"`

	JobID   core.ID    `bun:"job_id,pk"`
	Number  int        `bun:"number,pk"`
	Content sealedText `bun:"content"`
}

// jobJSON is all the rest of a job.
type jobJSON struct {
	By        actorJSON                `json:"by"`
	Filter    filterJSON               `json:"filter"`
	Codes     []string                 `json:"codes,omitempty"`
	Callbacks *report.CallbackQuery    `json:"callbacks,omitempty"`
	States    []payment.CallbackStatus `json:"states,omitempty"`
	Format    report.ExportFormat      `json:"format,omitempty"`
	Columns   []report.ExportColumn    `json:"columns,omitempty"`
	List      report.ListFilter        `json:"list,omitzero"`
	Language  string                   `json:"language,omitempty"`
	HasBOM    bool                     `json:"has_bom,omitempty"`
	Count     int                      `json:"count"`
	IsCounted bool                     `json:"is_counted"`
	Cursor    core.ID                  `json:"cursor,omitempty"`
	Looked    int                      `json:"looked"`
	Done      int                      `json:"done"`
	Skipped   int                      `json:"skipped"`
	Skips     []report.JobSkip         `json:"skips,omitempty"`
	Failed    int                      `json:"failed"`
	Failures  []report.JobFailure      `json:"failures,omitempty"`
	Totals    []totalJSON              `json:"totals,omitempty"`
	File      report.FileState         `json:"file,omitzero"`
	Chunks    int                      `json:"chunks,omitempty"`
	Error     string                   `json:"error,omitempty"`
	Ticket    report.JobTicket         `json:"ticket,omitzero"`
}

// filterJSON is the whole of a query, so that what is added to it comes along. Amounts are in kuruş; the scope has a place
// of its own, lest its fields hide behind the query's.
type filterJSON struct {
	report.PaymentQuery

	Scope     core.Scope `json:"scope"`
	MinAmount *int64     `json:"MinAmount,omitempty"`
	MaxAmount *int64     `json:"MaxAmount,omitempty"`
}

type totalJSON struct {
	Method    payment.Method `json:"method"`
	Status    payment.Status `json:"status"`
	Kind      string         `json:"kind,omitempty"`
	Count     int            `json:"count"`
	Currency  string         `json:"currency"`
	Requested *int64         `json:"requested_minor"`
	Amount    *int64         `json:"amount_minor"`
}

func filterJSONOf(q report.PaymentQuery) filterJSON {
	return filterJSON{PaymentQuery: q, Scope: q.Scope, MinAmount: minorOf(q.MinAmount), MaxAmount: minorOf(q.MaxAmount)}
}

func (f filterJSON) query() report.PaymentQuery {
	q := f.PaymentQuery
	q.Scope, q.MinAmount, q.MaxAmount = f.Scope, kurusOf(f.MinAmount), kurusOf(f.MaxAmount)
	for _, at := range []*time.Time{
		&q.CreatedFrom, &q.CreatedUntil, &q.UpdatedFrom, &q.UpdatedUntil, &q.FinishedFrom, &q.FinishedUntil,
	} {
		*at = at.UTC()
	}
	return q
}

func queryInUTC(q *report.CallbackQuery) *report.CallbackQuery {
	if q != nil {
		q.CreatedFrom, q.CreatedUntil = q.CreatedFrom.UTC(), q.CreatedUntil.UTC()
	}
	return q
}

func totalsJSONOf(totals []report.ExportTotal) (list []totalJSON, err error) {
	for _, t := range totals {
		code, mixed := codeOf(t.RequestedAmount, t.Amount)
		if mixed != nil {
			err = mixed
		}
		list = append(list, totalJSON{
			Method: t.Method, Status: t.Status, Kind: t.Kind, Count: t.Count, Currency: code, Requested: minorOf(t.RequestedAmount),
			Amount: minorOf(t.Amount),
		})
	}
	return list, err
}

func totalsOf(list []totalJSON) (totals []report.ExportTotal, err error) {
	for _, t := range list {
		in := amountsIn(t.Currency)
		if in.err != nil {
			err = in.err
		}
		totals = append(totals, report.ExportTotal{
			Method: t.Method, Status: t.Status, Kind: t.Kind, Count: t.Count, RequestedAmount: in.of(t.Requested), Amount: in.of(t.Amount),
		})
	}
	return totals, err
}

func jobRowOf(j report.Job) (jobRow, error) {
	if err := areLira(j.Filter.MinAmount, j.Filter.MaxAmount); err != nil {
		return jobRow{}, err
	}
	totals, err := totalsJSONOf(j.Totals)
	if err != nil {
		return jobRow{}, err
	}
	body, err := bodyText(jobJSON{
		By: actorJSON(j.StartedBy), Filter: filterJSONOf(j.Filter), Codes: j.Codes, Callbacks: j.Callbacks, States: j.States, Format: j.Format,
		Columns: j.Columns, List: j.List, Language: j.Language, HasBOM: j.HasBOM, Count: j.Total, IsCounted: j.IsTotalExact,
		Cursor: j.Cursor, Looked: j.Looked, Done: j.Done, Skipped: j.Skipped, Failed: j.Failed,
		Skips: j.Skips, Failures: j.Failures, Totals: totals, File: j.File, Chunks: j.Chunks, Error: j.Error, Ticket: j.Ticket,
	})
	return jobRow{
		ID: j.ID, Version: j.Version, Kind: j.Kind, State: j.Status, StaffID: j.StaffID,
		DealerID: j.Scope.DealerID, ProviderID: j.Scope.ProviderID, Tries: j.Tries,
		NextAt: timestamp(j.NextAt), LeaseUntil: timestamp(j.LeaseUntil), CreatedAt: timestamp(j.CreatedAt),
		StartedAt: timestamp(j.StartedAt), FinishedAt: timestamp(j.FinishedAt), Body: body,
	}, err
}

func (r jobRow) job() (report.Job, error) {
	b, err := bodyOf[jobJSON](r.Body)
	if err != nil {
		return report.Job{}, err
	}
	totals, err := totalsOf(b.Totals)
	b.Ticket.Until = b.Ticket.Until.UTC()
	return report.Job{
		ID: r.ID, Version: r.Version, Status: r.State, StartedBy: core.Actor(b.By), StaffID: r.StaffID,
		Scope: core.Scope{DealerID: r.DealerID, ProviderID: r.ProviderID},
		JobOrder: report.JobOrder{
			Kind: r.Kind, Filter: b.Filter.query(), Codes: b.Codes, Callbacks: queryInUTC(b.Callbacks), States: b.States, Format: b.Format, Columns: b.Columns,
			List: b.List.UTC(), Language: b.Language, HasBOM: b.HasBOM, Total: b.Count, IsTotalExact: b.IsCounted,
		},
		JobProgress: report.JobProgress{
			Cursor: b.Cursor, Looked: b.Looked, Done: b.Done, Skipped: b.Skipped, Failed: b.Failed,
			Skips: b.Skips, Failures: b.Failures, Totals: totals, File: b.File, Chunks: b.Chunks,
		},
		Tries: r.Tries, NextAt: time.Time(r.NextAt), LeaseUntil: time.Time(r.LeaseUntil), CreatedAt: time.Time(r.CreatedAt),
		StartedAt: time.Time(r.StartedAt), FinishedAt: time.Time(r.FinishedAt), Error: b.Error,
		Ticket: b.Ticket,
	}, err
}

func jobChunkRowOf(c report.JobChunk, sealer ports.Sealer) (jobChunkRow, error) {
	v := newRowSealer(sealer, "job_chunks", string(c.JobID), strconv.Itoa(c.Number))
	return jobChunkRow{JobID: c.JobID, Number: c.Number, Content: v.sealText(string(c.Bytes), "content")}, v.err
}

func (s *Store) jobChunk(r jobChunkRow) (report.JobChunk, error) {
	v := newRowSealer(s.sealer, "job_chunks", string(r.JobID), strconv.Itoa(r.Number))
	return report.JobChunk{JobID: r.JobID, Number: r.Number, Bytes: []byte(v.openText(r.Content, "content"))}, v.err
}

// ClaimJobs implements ports.Reports.
func (s *Store) ClaimJobs(ctx context.Context, now, leaseUntil time.Time, limit int) ([]report.Job, error) {
	c := claim[jobRow, report.Job]{
		opener: opener[jobRow, report.Job]{table: "jobs", turn: jobRow.job, name: func(r jobRow) string { return string(r.ID) }},
		op:     "bunstore.ClaimJobs", key: "id", order: "next_at, id",
		compare: func(a, b jobRow) int { return cmp.Or(a.NextAt.compare(b.NextAt), cmp.Compare(a.ID, b.ID)) },
	}
	return c.due(ctx, s, leaseUntil, limit, "next_at <= ?0 AND "+isFree, timestamp(now))
}

// Job implements ports.Reports.
func (s *Store) Job(ctx context.Context, id core.ID) (report.Job, error) {
	return one(ctx, s, "bunstore.Job", jobRow.job, "id = ?", id)
}

// ListJobs implements ports.Reports. Jobs are few: one maker's are read by an index, the rest is compared row by row.
func (s *Store) ListJobs(ctx context.Context, query report.JobQuery) ([]report.Job, error) {
	q := whereSet(s.reads.NewSelect(), "staff_id = ?", query.StaffID)
	q = whereSet(whereSet(q, "dealer_id = ?", query.Scope.DealerID), "provider_id = ?", query.Scope.ProviderID)
	q = whereAmong(whereAmong(q, "kind", query.Kinds), "state", query.Statuses)
	return pageOf(ctx, "bunstore.ListJobs", jobRow.job, newestFirst, query.Paging, q)
}

// JobChunk implements ports.Reports.
func (s *Store) JobChunk(ctx context.Context, jobID core.ID, number int) (report.JobChunk, error) {
	return one(ctx, s, "bunstore.JobChunk", s.jobChunk, "job_id = ? AND number = ?", jobID, number)
}
