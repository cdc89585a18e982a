package sweep

import (
	"context"
	"errors"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

// Sizes and intervals of pruning. One batch a round bounds how long expiring waits for it; where there is more, the next
// round goes on.
const (
	pruneBatch = 1000
	pruneFiles = 100 // pieces of exports' files
	pruneEvery = 10 * time.Minute
)

// Retention is how long rows of each kind are kept. Kinds that it does not name are kept for ever.
type Retention map[core.Prunable]time.Duration

// FixedRetention is what nobody sets.
func FixedRetention() Retention {
	return Retention{
		core.IdempotencyRecords: payment.IdempotencyWindow,
		core.RequestNonces:      owner.NonceLife,
		core.ExportFiles:        report.ExportLife,
		core.SignIns:            24 * time.Hour,
		core.Invitations:        90 * 24 * time.Hour,
		core.SavedViews:         24 * time.Hour, // nothing of them is left but that they were
	}
}

// roomEvery is how often room for the coming months is made.
const roomEvery = 10 * time.Minute

// makeRoom makes room for what is written by months, when it is its turn.
func (s *Service) makeRoom(ctx context.Context, now time.Time) error {
	if now.Before(s.roomAt) {
		return nil
	}
	until, err := s.Rows.MakeRoom(ctx, now)
	if err != nil {
		return fault.E("sweep.makeRoom", "", err)
	}
	s.roomAt = now.Add(roomEvery)
	if s.HasRoom != nil && !until.IsZero() {
		s.HasRoom(until)
	}
	return nil
}

// prune deletes a batch of each kind whose turn it is.
func (s *Service) prune(ctx context.Context) error {
	now := s.UnitOfWork.Clock.Now()
	if s.UnitOfWork.OnTime() != nil { // asked after the time was read: what is deleted by a wrong one is gone
		return nil
	}
	if s.pruneAt == nil {
		s.pruneAt = map[core.Prunable]time.Time{}
	}
	failed := s.makeRoom(ctx, now)
	for kind, keep := range s.Keep {
		if now.Before(s.pruneAt[kind]) {
			continue
		}
		batch := pruneBatch
		if kind == core.ExportFiles {
			batch = pruneFiles
		}
		pruned, err := s.Rows.Prune(ctx, kind, now.Add(-keep), batch)
		failed = errors.Join(failed, fault.E("sweep.prune", "", err))
		if err == nil && pruned < batch {
			s.pruneAt[kind] = now.Add(pruneEvery)
		}
	}
	return failed
}
