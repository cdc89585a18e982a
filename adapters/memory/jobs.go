package memory

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
)

// chunkKey names a piece of a job's file.
type chunkKey struct {
	jobID  core.ID
	number int
}

func (s *Store) makeJobTables() {
	s.jobs = newTable(row[core.ID, core.Job]{
		key:     func(j core.Job) core.ID { return j.ID },
		version: func(j core.Job) int { return j.Version },
		clone:   cloneJob,
	})
	s.jobChunks = newTable(row[chunkKey, core.JobChunk]{
		key: func(c core.JobChunk) chunkKey { return chunkKey{c.JobID, c.Number} }, version: once[core.JobChunk],
		clone: func(c core.JobChunk) core.JobChunk { c.Bytes = bytes.Clone(c.Bytes); return c },
	})
}

func cloneJob(j core.Job) core.Job {
	j.Filter.Methods, j.Filter.Statuses = slices.Clone(j.Filter.Methods), slices.Clone(j.Filter.Statuses)
	j.Filter.IDs = slices.Clone(j.Filter.IDs)
	j.Codes, j.States, j.Columns = slices.Clone(j.Codes), slices.Clone(j.States), slices.Clone(j.Columns)
	j.Failures, j.Skips, j.Totals = slices.Clone(j.Failures), slices.Clone(j.Skips), slices.Clone(j.Totals)
	j.File.Entries = slices.Clone(j.File.Entries)
	return j
}

// ClaimJobs implements ports.Jobs.
func (s *Store) ClaimJobs(ctx context.Context, now, leaseUntil time.Time, limit int) ([]core.Job, error) {
	return list(ctx, s, "memory.ClaimJobs", func() []core.Job {
		claimed := s.jobs.where(func(j core.Job) bool {
			return !j.NextAt.IsZero() && !j.NextAt.After(now) && !j.LeaseUntil.After(now)
		})
		slices.SortFunc(claimed, func(a, b core.Job) int { return cmp.Or(a.NextAt.Compare(b.NextAt), cmp.Compare(a.ID, b.ID)) })
		claimed = first(claimed, limit)
		for i := range claimed {
			claimed[i].Version++
			claimed[i].LeaseUntil = leaseUntil
		}
		s.jobs.put(claimed)
		return claimed
	})
}

// Job implements ports.Jobs.
func (s *Store) Job(ctx context.Context, id core.ID) (core.Job, error) {
	return read(ctx, s, "memory.Job", func() (core.Job, bool) { return s.jobs.get(id) })
}

// ListJobs implements ports.Jobs.
func (s *Store) ListJobs(ctx context.Context, q core.JobQuery) ([]core.Job, error) {
	return list(ctx, s, "memory.ListJobs", func() []core.Job {
		found := s.jobs.where(func(j core.Job) bool {
			return (q.StaffID == 0 || q.StaffID == j.StaffID) && (len(q.Kinds) == 0 || slices.Contains(q.Kinds, j.Kind)) &&
				(len(q.States) == 0 || slices.Contains(q.States, j.State)) && (q.After == "" || j.ID < q.After)
		})
		slices.SortFunc(found, func(a, b core.Job) int { return cmp.Compare(b.ID, a.ID) })
		return first(found, q.Limit)
	})
}

// JobChunk implements ports.Jobs.
func (s *Store) JobChunk(ctx context.Context, jobID core.ID, number int) (core.JobChunk, error) {
	return read(ctx, s, "memory.JobChunk", func() (core.JobChunk, bool) { return s.jobChunks.get(chunkKey{jobID, number}) })
}

// ForgetFiles implements ports.Jobs.
func (s *Store) ForgetFiles(ctx context.Context, before time.Time, limit int) (int, error) {
	return read(ctx, s, "memory.ForgetFiles", func() (int, bool) {
		forgotten := 0
		for key := range s.jobChunks.rows {
			j := s.jobs.rows[key.jobID]
			if forgotten < limit && !j.FinishedAt.IsZero() && j.FinishedAt.Before(before) {
				delete(s.jobChunks.rows, key)
				forgotten++
			}
		}
		return forgotten, true
	})
}

// Callback implements ports.Outbox.
func (s *Store) Callback(ctx context.Context, id core.ID) (core.Callback, error) {
	return read(ctx, s, "memory.Callback", func() (core.Callback, bool) { return s.callbacks.get(id) })
}

// CallbacksOfPayments implements ports.Outbox.
func (s *Store) CallbacksOfPayments(ctx context.Context, paymentIDs []core.ID) ([]core.Callback, error) {
	return list(ctx, s, "memory.CallbacksOfPayments", func() []core.Callback {
		found := s.callbacks.where(func(c core.Callback) bool { return slices.Contains(paymentIDs, c.PaymentID) })
		slices.SortFunc(found, func(a, b core.Callback) int { return cmp.Compare(a.ID, b.ID) })
		return found
	})
}
