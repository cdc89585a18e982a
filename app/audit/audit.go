// Package audit keeps the audit log provable: it chains the entries, a moment after they were committed, checks the
// chain, and answers staff who read the log.
package audit

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	coreaudit "github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/ports"
)

// Sizes and intervals of chaining.
const (
	// DefaultPeriod is how long an entry waits for its link at most, while a worker runs.
	DefaultPeriod = time.Second
	// stretch is how many entries are looked at, and links written or checked, at a time.
	stretch = 1000
	// lateness is how long after its ID was made an entry may become visible and still be found at once. IDs are made
	// before a commit, on machines whose clocks differ, so that a later one may be seen first.
	lateness = time.Minute
	// catchUpEvery is how often the whole log is gone through for entries that were later than that.
	catchUpEvery = time.Hour
	// publishEvery is how often a head that has moved is written to the places outside, and one that was not taken again.
	publishEvery = time.Minute
	// gatherFor is how long after a commit its entries are chained.
	gatherFor = 50 * time.Millisecond
	// stopWithin bounds what is done after the end: what waits is chained, and the last head written.
	stopWithin = 5 * time.Second
)

// Service chains, checks and reads the audit log.
type Service struct {
	UnitOfWork *app.UnitOfWork
	Store      ports.AuditLog
	Log        *slog.Logger
	Keys       coreaudit.Keys     // the first makes links and signs; none: this process only reads
	Places     []ports.AuditPlace // outside the database, to which heads are written
	Kept       ports.AuditHeads   // what was written to them, as far as it can be read; nil: none can
	Bell       *Bell              // rings when entries were committed; nil: each period is waited for
	// KeepYears is for how many years entries are kept; 0: forever. Rows deletes those that are older.
	KeepYears int
	Rows      ports.Retention
	// Checked is told what came of each check; nil: nobody is.
	Checked func(isBroken bool)
	// Published is told whether a place has taken the last head; nil: nobody is.
	Published func(place string, err error)

	chaining   sync.Mutex
	cursor     core.ID   // up to where the whole log was gone through this time
	caughtUpAt time.Time // when it was last gone through to its end

	mu        sync.Mutex                      // of what follows
	newest    coreaudit.Checkpoint            // that this process has seen
	isInDoubt bool                            // the chain's end is not what it should be
	failing   map[string]bool                 // places that did not take the last head
	written   map[string]coreaudit.Checkpoint // what each of them was last given

	once    sync.Once
	toCheck chan struct{}

	checking sync.Mutex // of what follows
	verified coreaudit.Link
	wholeAt  time.Time // when the whole chain was last verified
}

// Run chains every period until ctx ends, and writes heads to the places outside.
func (s *Service) Run(ctx context.Context, period time.Duration) {
	tick := time.NewTicker(period)
	defer tick.Stop()
	s.recall(ctx)
	var publishing sync.WaitGroup
	isWell := true
	for isFirst := true; ctx.Err() == nil; isFirst = false {
		_, err := s.Chain(ctx)
		if err != nil && isWell && ctx.Err() == nil {
			s.Log.Error("chaining the audit log; going on every period until it succeeds", "error", err)
		}
		isWell = err == nil
		if isFirst {
			publishing.Go(func() { s.publishes(ctx) })
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		case <-s.Bell.rings():
			s.gather(ctx)
		}
	}
	publishing.Wait()
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopWithin)
	defer cancel()
	if _, err := s.Chain(last); err == nil {
		s.Publish(last)
	}
}

// publishes publishes now and every minute until ctx ends. It is beside the chaining: a place that takes its time would otherwise
// give whoever owns the database as much time to change entries before they are chained.
func (s *Service) publishes(ctx context.Context) {
	heads := time.NewTicker(publishEvery)
	defer heads.Stop()
	for ctx.Err() == nil {
		s.Publish(ctx)
		select {
		case <-ctx.Done():
		case <-heads.C:
		}
	}
}

// gather waits a little for others that are committed at the same moment.
func (s *Service) gather(ctx context.Context) {
	pause := time.NewTimer(gatherFor)
	defer pause.Stop()
	select {
	case <-ctx.Done():
	case <-pause.C:
	}
}

// Chain links the entries that have no link yet and says how many. Any number of processes may do so at once: of those
// that append to one head, one wins, and the others look again next time. Entries are linked by ID within a round; one
// that becomes visible late is linked late, behind those that were there before it. A process without a key links none.
func (s *Service) Chain(ctx context.Context) (int, error) {
	if len(s.Keys) == 0 {
		return 0, nil
	}
	s.chaining.Lock()
	defer s.chaining.Unlock()
	recent := core.FirstID(s.UnitOfWork.Clock.Now().Add(-lateness))
	old, err := s.catchUp(ctx, recent)
	if err != nil {
		return old, fault.E("audit.Chain", "", err)
	}
	total, from := old, recent
	for {
		n, last, err := s.chainStretch(ctx, from)
		total += n
		if err != nil || last == "" {
			return total, fault.E("audit.Chain", "", ignoreLostRace(err))
		}
		from = last
	}
}

// catchUp goes on through the whole log, a stretch at a time, and without pause as long as there is something to link.
func (s *Service) catchUp(ctx context.Context, recent core.ID) (total int, err error) {
	now := s.UnitOfWork.Clock.Now()
	if s.cursor == "" && !s.caughtUpAt.IsZero() && now.Sub(s.caughtUpAt) < catchUpEvery {
		return 0, nil
	}
	for {
		n, last, err := s.chainStretch(ctx, s.cursor)
		total += n
		if err != nil {
			return total, ignoreLostRace(err)
		}
		if last == "" || last >= recent {
			s.cursor, s.caughtUpAt = "", now
			return total, nil
		}
		s.cursor = last
		if n == 0 {
			return total, nil
		}
	}
}

// chainStretch links what has no link among the next entries, and returns the last that it looked at; none: empty.
func (s *Service) chainStretch(ctx context.Context, after core.ID) (int, core.ID, error) {
	found, last, err := s.Store.Unchained(ctx, after, stretch)
	if err != nil || len(found) == 0 {
		return 0, last, err
	}
	end, err := s.Store.AuditEnd(ctx, coreaudit.ChainName)
	if err != nil {
		return 0, last, err
	}
	change, checkpoint := s.extend(end, found)
	if err := s.UnitOfWork.Commit(ctx, change); err != nil {
		return 0, last, err
	}
	s.note(checkpoint)
	return len(found), last, nil
}

// ignoreLostRace takes another chainer's success for nothing wrong.
func ignoreLostRace(err error) error {
	if fault.Is(err, fault.Conflict) {
		return nil
	}
	return err
}

// State is how far the chain goes, as those see it who only look.
type State struct {
	Link      coreaudit.Link   // its end; zero: nothing is chained yet
	SignedAt  time.Time        // zero: there is no signed end
	KeptFrom  time.Time        // entries from before are kept no longer; zero: all are kept
	LastCheck *coreaudit.Check // nil: there was none yet
}

// State returns how far the chain goes and what its last check found. It verifies nothing. Fault: Forbidden.
func (s *Service) State(ctx context.Context, by staff.Staff) (State, error) {
	const op = "audit.State"
	if err := by.Require(staff.ReadAudit); err != nil {
		return State{}, err
	}
	end, err := s.Store.AuditEnd(ctx, coreaudit.ChainName)
	if err != nil {
		return State{}, fault.E(op, "", err)
	}
	dropped, err := s.said(ctx, func(coreaudit.Dropped) bool { return true })
	if err != nil {
		return State{}, fault.E(op, "", err)
	}
	state := State{Link: end.Link, SignedAt: end.Checkpoint.At, KeptFrom: dropped.Before()}
	check, err := s.Store.AuditCheck(ctx, coreaudit.ChainName)
	if fault.Is(err, fault.NotFound) {
		return state, nil
	}
	state.LastCheck = &check
	return state, fault.E(op, "", err)
}

// maxFilterBytes bounds the texts that the log is narrowed to.
const maxFilterBytes = 400

// Entries returns entries of the log, newest first. Faults: Forbidden, Invalid.
func (s *Service) Entries(ctx context.Context, by staff.Staff, q core.AuditQuery) ([]core.AuditRecord, error) {
	if err := by.Require(staff.ReadAudit); err != nil {
		return nil, err
	}
	var form core.Form
	for name, text := range map[string]string{"actorId": q.ActorID, "action": q.Action, "target": q.Target} {
		if len(text) > maxFilterBytes || !core.IsCleanText(text) {
			form.Fail(name, "field.pattern")
		}
	}
	if q.ActorID != "" && q.ActorKind == "" {
		form.Fail("actorKind", "field.required")
	}
	if err := form.Err("audit.Entries"); err != nil {
		return nil, err
	}
	return s.Store.AuditEntries(ctx, q)
}
