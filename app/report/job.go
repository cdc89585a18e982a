package report

import (
	"context"
	"log/slog"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/ports"
)

// Sizes of the work.
const (
	workers     = 2                // jobs that one process works on at once
	pageRows    = core.MaxPage     // read at once
	exportPages = 5                // written in one step
	lease       = 30 * time.Second // longer than a step, and how long a crashed worker's job waits
	turn        = 2 * time.Second  // of one job, after which others that wait have theirs
	countBound  = 10_000           // payments that are looked at to count beforehand
	countPages  = 60               // searches that are made for it at most
)

// Jobs does what staff ask for many rows at once: it sends callbacks again and writes exports, in steps that each commit
// what they did together with how far they came. A job survives the crash of its worker; another one goes on. Fill it, then
// Start it where jobs are to be worked on.
type Jobs struct {
	app.Worker[app.All, *work] // Stop hands back the jobs that are not over: another worker goes on at once

	UnitOfWork *app.UnitOfWork
	Reports    ports.Reports
	Staff      ports.Staff
	Writers    map[report.ExportFormat]ports.FileWriter
	// Position returns a place behind everything that was committed before: exports may be read from a replica that is as far. Nil:
	// they are not.
	Position func(context.Context) (core.Position, error)
	// What exports of something else than transactions read.
	Wallets    ports.Wallets
	Lines      ports.Statements
	Audit      ports.AuditLog
	Statistics *Statistics
	Zone       *time.Location // of the times in files
	Log        *slog.Logger

	orders app.KeyedLock // by staff member: each order is judged beside those before it
}

// Start allows work until Stop.
func (s *Jobs) Start() {
	s.Worker.Start(app.Work[app.All, *work]{
		Name: "jobs", UnitOfWork: s.UnitOfWork, Log: s.Log, Room: workers, MovesNothing: true, Claim: s.claim, Failed: s.failed,
		Do:       func(ctx context.Context, w *work) error { return w.finish(ctx) },
		HandBack: func(w *work) core.Changeset { return core.Changeset{w.job.HandedBack()} },
	})
}

// Wake has due jobs worked on; it returns at once.
func (s *Jobs) Wake() { s.Worker.Wake(app.All{}) }

func (s *Jobs) claim(ctx context.Context, _ app.All, room int) (claimed []*work, more bool, err error) {
	now := s.UnitOfWork.Clock.Now()
	jobs, err := s.Reports.ClaimJobs(ctx, now, now.Add(lease), room)
	for _, j := range jobs {
		claimed = append(claimed, &work{Jobs: s, job: j})
	}
	return claimed, len(jobs) == room, fault.E("job.claim", "", err)
}

// failed keeps that a job stumbled. Where that fails its lease ends by itself.
func (s *Jobs) failed(ctx context.Context, w *work, cause error) {
	if fault.Is(cause, fault.Conflict) {
		s.Log.Info("a job was canceled or taken over", "job", w.job.ID)
		return
	}
	s.Log.Error("working on a job; it is tried again", "job", w.job.ID, "tries", w.job.Tries+1, "error", cause)
	err := s.UnitOfWork.Commit(ctx, core.Changeset{w.job.Stumbled(fault.CodeOf(cause), s.UnitOfWork.Clock.Now())})
	if err != nil && !fault.Is(err, fault.Conflict) {
		s.Log.Warn("leaving a job; it goes on when its lease ends", "job", w.job.ID, "error", err)
	}
}

// work is one worker's hold on a job.
type work struct {
	*Jobs
	job report.Job // as it is stored
}

// finish works until the job is over, or its turn is.
func (w *work) finish(ctx context.Context) error {
	until := w.UnitOfWork.Clock.Now().Add(turn)
	for !w.job.Status.IsOver() {
		if now := w.UnitOfWork.Clock.Now(); !now.Before(until) {
			return w.UnitOfWork.Commit(ctx, core.Changeset{w.job.Yielded(now)})
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := w.checkRights(ctx); err != nil {
			return err
		}
		if w.job.Status.IsOver() {
			return nil
		}
		if err := w.step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// checkRights ends the job when whoever ordered it could not order it today. It goes on with nothing less: half a file or half a
// selection would pass for the whole.
func (w *work) checkRights(ctx context.Context) error {
	member, err := w.Staff.StaffByID(ctx, w.job.StaffID)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	if err == nil && w.job.IsCoveredBy(member) {
		return nil
	}
	return w.breakOff(ctx, fault.Forbidden)
}

// breakOff ends a job that can't go on.
func (w *work) breakOff(ctx context.Context, why fault.Code) error {
	over := w.job.Broken(why, w.UnitOfWork.Clock.Now())
	over.Version++
	if err := w.UnitOfWork.Commit(ctx, core.Changeset{over}); err != nil {
		return err
	}
	w.job = over
	return nil
}

func (w *work) step(ctx context.Context) error {
	if w.job.Kind.IsExport() {
		return w.export(ctx)
	}
	return w.resend(ctx)
}

// commit makes a step durable, whole: what it did and how far the job is. Only then is the job what it became. A step
// under way is carried through when the service stops.
func (w *work) commit(ctx context.Context, p report.JobProgress, isLast bool, change core.Changeset) error {
	now := w.UnitOfWork.Clock.Now()
	next := w.job.Stepped(p, now.Add(lease), now)
	if isLast {
		next = w.job.Finished(p, now)
	}
	change = append(change, next)
	if err := w.UnitOfWork.Commit(context.WithoutCancel(ctx), change); err != nil {
		return err
	}
	w.job = next
	return nil
}

// page is what one look at the payments of a filter comes to.
type page struct {
	rows   []payment.Payment
	next   core.ID // from where the next look goes on: the search may give up before it has a row
	isLast bool
}

// page reads the payments of a filter that come after the one up to which was looked.
func (s *Jobs) page(ctx context.Context, filter report.PaymentQuery, after core.ID) (page, error) {
	filter.Paging = core.Paging[report.Cursor]{After: report.Cursor{ID: after}, Limit: pageRows}
	found, err := s.Reports.SearchPayments(ctx, filter)
	next, more := found.Next(filter)
	return page{rows: found.Payments, next: next.After.ID, isLast: !more}, err
}
