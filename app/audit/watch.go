package audit

import (
	"context"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	coreaudit "github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/core/fault"
)

// Intervals of checks.
const (
	checkEvery = time.Hour
	checkAgain = time.Minute    // after one that could not be made
	wholeEvery = 24 * time.Hour // from its first link; between, only what has come since the check before
)

// Watch checks the chain when it begins, once an hour, and when its end is not what it should be, until ctx ends. A check that could not be
// made is made a minute later.
func (s *Service) Watch(ctx context.Context) {
	next := time.NewTimer(checkEvery)
	defer next.Stop()
	for {
		if s.Check(ctx) {
			next.Reset(checkEvery)
		} else {
			next.Reset(checkAgain)
		}
		select {
		case <-ctx.Done():
			return
		case <-next.C:
		case <-s.turns():
		}
	}
}

// Check verifies the chain, and says so loudly when it is not whole: once a day all of it, and otherwise what has come since
// the check before. It keeps what it found for those who only look. What keeps it from looking is no break: isDone is false, and the next
// check looks again, as it does where entries that are old could not be deleted.
func (s *Service) Check(ctx context.Context) (isDone bool) {
	s.checking.Lock()
	defer s.checking.Unlock()
	now := s.UnitOfWork.Clock.Now()
	var q Question
	isPart := s.verified.No > 0 && now.Sub(s.wholeAt) < wholeEvery
	if isPart {
		q = Question{From: s.verified.No + 1, Head: s.verified.Head()}
	}
	if !isPart {
		q.old = s.old(now)
	}
	report, err := s.Verify(ctx, q)
	if fault.Is(err, fault.NotFound) { // the link that was the last is gone
		isPart = false
		report, err = s.Verify(ctx, Question{Head: q.Head})
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return false
	case err != nil:
		s.Log.Error("the audit log's chain could not be checked; it is tried again", "error", err)
		return false
	case report.Break != nil:
		s.verified = coreaudit.Link{} // the next check is about the whole chain
		s.Log.Error("the audit log was tampered with: its chain is broken", "no", report.Break.No, "what", report.Break.String())
	default:
		s.verified = coreaudit.Link{No: report.Last.No, Hash: report.Last.Hash}
		s.Log.Info("the audit log's chain is whole", "links", report.Checked, "of", report.Last.No, "heads", report.Heads,
			"unchained", report.Unchained, "late", report.Late, "adopted", report.Adopted, "dropped", report.Missing)
		if isDone, err = s.drop(ctx, report, q.old); err != nil && ctx.Err() == nil {
			s.Log.Error("deleting entries of the audit log that are kept no longer; it is tried again with the next check", "error", err)
		}
		if isDone && !isPart {
			s.wholeAt = now
		}
	}
	if s.Checked != nil {
		s.Checked(report.Break != nil)
	}
	s.keep(ctx, report, now)
	return isDone || report.Break != nil
}

// keep keeps what a check found. Of two processes that check at once, one is enough.
func (s *Service) keep(ctx context.Context, r Report, at time.Time) {
	last, err := s.Store.AuditCheck(ctx, coreaudit.ChainName)
	if err != nil && !fault.Is(err, fault.NotFound) {
		s.Log.Warn("reading the last check of the audit log", "error", err)
		return
	}
	check := coreaudit.Check{
		Name: coreaudit.ChainName, Version: last.Version + 1, At: at, Verified: r.Last, KeyID: r.LastKey, FailingPlaces: s.Failing(),
	}
	if r.Break != nil {
		check.Problems = []coreaudit.Problem{{Kind: r.Break.Kind, No: r.Break.No, EntryID: r.Break.EntryID}}
	}
	if err := s.UnitOfWork.Commit(ctx, core.Changeset{check}); err != nil && !fault.Is(err, fault.Conflict) && ctx.Err() == nil {
		s.Log.Warn("keeping the check of the audit log", "error", err)
	}
}

// Failing names the places that did not take the last head.
func (s *Service) Failing() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for name, isFailing := range s.failing {
		if isFailing {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
