// Package job does what staff ask for many rows at once: it sends callbacks again and writes exports, in steps that each
// commit what they did together with how far they came. A job survives the crash of its worker; another one goes on.
package job

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

// Store is what is read here.
type Store interface {
	ports.Jobs
	ports.Outbox
	SearchPayments(ctx context.Context, query core.PaymentQuery) (core.Found, error)
	PaymentByTrackingCode(ctx context.Context, code string) (core.Payment, error)
	PaymentByID(ctx context.Context, id core.ID) (core.Payment, error)
	SessionByFingerprint(ctx context.Context, fingerprint string) (core.Session, core.Staff, error)
}

// Sizes of the work.
const (
	workers     = 2                // jobs that one process works on at once
	pageRows    = core.MaxPage     // read at once
	exportPages = 5                // written in one step
	lease       = 30 * time.Second // longer than a step, and how long a crashed worker's job waits
	countBound  = 10_000           // payments that are looked at to count beforehand
	countPages  = 60               // searches that are made for it at most
)

// Service takes orders and works on them. Fill it, then Start it where jobs are to be worked on.
type Service struct {
	Desk    *app.Desk
	Store   Store
	Writers map[core.ExportFormat]ports.FileWriter
	Zone    *time.Location // of the times in files
	Log     *slog.Logger

	mu         sync.Mutex
	ctx        context.Context //nolint:containedctx // the life of the work, from Start to Stop
	stop       context.CancelFunc
	working    sync.WaitGroup
	isClaiming bool
	again      bool // somebody rang meanwhile, or there was no room for what may be due
	busy       int  // jobs that are being worked on
}

// Start allows work until Stop.
func (s *Service) Start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ctx, s.stop = context.WithCancel(context.Background())
}

// Stop takes no new work and waits for the steps under way; ctx bounds the waiting. Jobs that are not over are handed
// back: another worker goes on at once.
func (s *Service) Stop(ctx context.Context) error {
	s.mu.Lock()
	s.stop()
	s.mu.Unlock()
	return s.Wait(ctx)
}

// Wait waits until nothing is being worked on.
func (s *Service) Wait(ctx context.Context) error {
	done := make(chan struct{})
	go func() { s.working.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Wake has due jobs worked on; it returns at once.
func (s *Service) Wake() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wake()
}

// wake is Wake for who holds s.mu.
func (s *Service) wake() {
	if s.ctx == nil || s.ctx.Err() != nil {
		return
	}
	if s.isClaiming || s.busy >= workers {
		s.again = true
		return
	}
	s.isClaiming = true
	s.working.Go(func() {
		for s.claimSome() {
		}
	})
}

// claimSome leases due jobs, as many as there is room for, and has each worked on; more tells whether to look again.
func (s *Service) claimSome() (more bool) {
	s.mu.Lock()
	room := workers - s.busy
	s.again = false
	s.mu.Unlock()
	now := s.Desk.Clock.Now()
	jobs, err := s.Store.ClaimJobs(s.ctx, now, now.Add(lease), room)
	if err != nil && s.ctx.Err() == nil {
		s.Log.Error("claiming jobs that are due", "error", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, j := range jobs {
		s.launch(j)
	}
	if s.busy >= workers {
		s.again = true // whoever is done first looks again
	}
	more = err == nil && s.ctx.Err() == nil && s.again && s.busy < workers
	s.isClaiming = more
	return more
}

// launch works on one job beside others. The caller holds s.mu.
func (s *Service) launch(j core.Job) {
	s.busy++
	s.working.Go(func() {
		s.guarded(j)
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.busy--; s.again {
			s.wake()
		}
	})
}

// guarded works on a job; what one meets must not end the work on all others.
func (s *Service) guarded(j core.Job) {
	w := &work{Service: s, job: j}
	err := w.safely()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), lease/2)
	defer cancel()
	switch {
	case err == nil:
	case fault.Is(err, fault.Conflict):
		s.Log.Info("a job was canceled or taken over", "job", j.ID)
	case s.ctx.Err() != nil:
		s.keep(ctx, w.job.HandedBack())
	default:
		s.Log.Error("working on a job; it is tried again", "job", j.ID, "tries", w.job.Tries+1, "error", err)
		s.keep(ctx, w.job.Stumbled(fault.CodeOf(err), s.Desk.Clock.Now()))
	}
}

// keep commits how a job was left. Where that fails its lease ends by itself.
func (s *Service) keep(ctx context.Context, j core.Job) {
	if err := s.Desk.Commit(ctx, core.Changeset{Jobs: []core.Job{j}}); err != nil && !fault.Is(err, fault.Conflict) {
		s.Log.Warn("leaving a job; it goes on when its lease ends", "job", j.ID, "error", err)
	}
}

// work is one worker's hold on a job.
type work struct {
	*Service
	job core.Job // as it is stored
}

// safely works until the job is over; a panic is an Internal fault.
func (w *work) safely() (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fault.E("job.work", fault.Internal, fmt.Errorf("panic: %v\n%s", cause, debug.Stack()))
		}
	}()
	for !w.job.State.IsOver() {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		if err := w.step(w.ctx); err != nil {
			return err
		}
	}
	return nil
}

func (w *work) step(ctx context.Context) error {
	switch w.job.Kind {
	case core.ExportJob:
		return w.export(ctx)
	default:
		return w.resend(ctx)
	}
}

// commit makes a step durable, whole: what it did and how far the job is. Only then is the job what it became. A step
// under way is carried through when the service stops.
func (w *work) commit(ctx context.Context, p core.JobProgress, isLast bool, change core.Changeset) error {
	now := w.Desk.Clock.Now()
	next := w.job.Stepped(p, now.Add(lease), now)
	if isLast {
		next = w.job.Finished(p, now)
	}
	change.Jobs = []core.Job{next}
	if err := w.Desk.Commit(context.WithoutCancel(ctx), change); err != nil {
		return err
	}
	w.job = next
	return nil
}

// page is what one look at the payments of a filter comes to.
type page struct {
	rows   []core.Payment
	next   core.ID // from where the next look goes on: the search may give up before it has a row
	isLast bool
}

// page reads the payments of a filter that come after the one up to which was looked.
func (s *Service) page(ctx context.Context, filter core.PaymentQuery, after core.ID) (page, error) {
	filter.After, filter.Limit = after, pageRows
	found, err := s.Store.SearchPayments(ctx, filter)
	p := page{rows: found.Payments, next: after, isLast: found.Stop == nil && len(found.Payments) < pageRows}
	switch {
	case found.Stop != nil:
		p.next = found.Stop.ID
	case len(p.rows) > 0:
		p.next = p.rows[len(p.rows)-1].ID
	}
	return p, err
}
