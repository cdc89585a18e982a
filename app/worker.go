package app

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
)

// leaveTimeout bounds handing back what is not begun, and keeping how something failed.
const leaveTimeout = 15 * time.Second

// Work is what a Worker does with the due rows of one kind.
type Work[K comparable, T any] struct {
	Name       string // in logs
	UnitOfWork *UnitOfWork
	Log        *slog.Logger
	// Room is how much of one key is worked on at once.
	Room int
	// MovesNothing is for work that lets no money move by itself: it goes on while an installation is frozen.
	MovesNothing bool
	// Claim leases what is due of a key, at most as much as there is room for. It reports whether there may be more.
	// While nothing of a key is worked on there is all of its Room. Its context does not end with the worker: broken
	// off, it might have leased what nobody works on.
	Claim func(ctx context.Context, key K, room int) (claimed []T, more bool, err error)
	// Do works on what was claimed. Its context ends when the worker stops.
	Do func(ctx context.Context, claimed T) error
	// Cause returns what the work on what was claimed comes from, for its span; nil: it is not known.
	Cause func(claimed T) core.Cause
	// Failed logs and keeps that Do failed or panicked. Where it changes nothing, the lease ends by itself.
	Failed func(ctx context.Context, claimed T, cause error)
	// HandBack returns the rows of what was claimed without their lease. It is asked when the worker has stopped before
	// Do began, or while Do failed.
	HandBack func(claimed T) core.Changeset
}

// All is the key of work that needs no other: whatever is due is claimed together.
type All struct{}

// Worker works on what is due, from Start to Stop. Each key has room of its own, so that what is slow or hangs delays
// nothing of another key, and what is slow of one key keeps only its own place. While there is room a worker claims more.
type Worker[K comparable, T any] struct {
	work Work[K, T]

	mu      sync.Mutex
	ctx     context.Context //nolint:containedctx // the life of the work, from Start to Stop
	stop    context.CancelFunc
	working sync.WaitGroup
	active  map[K]*activity // of the keys at which something is going on
}

// activity is the work on one key.
type activity struct {
	isClaiming bool
	busy       int  // of Room
	again      bool // somebody woke it meanwhile, or there may be more than there was room for
}

// Start allows work until Stop.
func (w *Worker[K, T]) Start(work Work[K, T]) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.work, w.active = work, map[K]*activity{}
	w.ctx, w.stop = context.WithCancel(context.Background()) //nolint:gosec // Halt calls it
}

// IsRunning reports whether it has been started, and not been halted since.
func (w *Worker[K, T]) IsRunning() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ctx != nil && w.ctx.Err() == nil
}

// Halt takes no new work from now on.
func (w *Worker[K, T]) Halt() {
	w.mu.Lock() // a Wake either counts its work before the waiting begins or finds the worker stopped
	defer w.mu.Unlock()
	w.stop()
}

// Stop takes no new work and waits for what is under way, so that its outcome is kept; ctx bounds the waiting. What was
// claimed and not begun is handed back: it is due again at once.
func (w *Worker[K, T]) Stop(ctx context.Context) error {
	w.Halt()
	return w.Wait(ctx)
}

// Wait waits until nothing is being worked on.
func (w *Worker[K, T]) Wait(ctx context.Context) error { return Await(ctx, &w.working) }

// Wake has what is due of a key worked on; it returns at once. What finds no room, or falls due while the worker is
// claiming, is looked for again afterwards.
func (w *Worker[K, T]) Wake(key K) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ctx == nil || w.ctx.Err() != nil {
		return
	}
	a := w.active[key]
	if a == nil {
		a = &activity{}
		w.active[key] = a
	}
	w.look(key, a)
}

// look claims beside the caller, who holds w.mu.
func (w *Worker[K, T]) look(key K, a *activity) {
	if a.isClaiming || a.busy >= w.work.Room {
		a.again = true
		return
	}
	a.isClaiming = true
	w.working.Go(func() {
		for w.claimSome(key, a) {
		}
	})
}

// claimSome claims as much as there is room for, and has each worked on. It reports whether to claim again at once; where
// there may be more and that would be in vain, whoever is done first looks again.
func (w *Worker[K, T]) claimSome(key K, a *activity) (goesOn bool) {
	w.mu.Lock()
	room := w.work.Room - a.busy
	a.again = false
	w.mu.Unlock()
	claimed, more, err := w.claim(key, room)
	if err != nil && w.may() == nil { // a wrong clock is said once, by the clock, and so is a frozen installation
		w.work.Log.Error("claiming what is due; the sweeper asks for it again", "worker", w.work.Name, "key", key, "error", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	isUseful := a.again || more && (len(claimed) > 0 || w.work.Room-a.busy > room)
	for _, c := range claimed {
		w.launch(key, a, c)
	}
	a.again = a.again || more
	goesOn = isUseful && err == nil && a.busy < w.work.Room && w.ctx.Err() == nil
	a.isClaiming = goesOn
	w.forget(key, a)
	return goesOn
}

func (w *Worker[K, T]) claim(key K, room int) (claimed []T, more bool, err error) {
	if err := w.may(); err != nil {
		return nil, false, err
	}
	err = Guarded(func() (err error) {
		claimed, more, err = w.work.Claim(context.WithoutCancel(w.ctx), key, room)
		return err
	})
	LogPanic(w.work.Log, w.work.Name, err)
	return claimed, more, err
}

// may reports whether the work may be done now.
func (w *Worker[K, T]) may() error {
	if w.work.MovesNothing {
		return w.work.UnitOfWork.MayAsk()
	}
	return w.work.UnitOfWork.MayMove()
}

// launch works on one beside others. The caller holds w.mu.
func (w *Worker[K, T]) launch(key K, a *activity, claimed T) {
	a.busy++
	w.working.Go(func() {
		w.do(claimed)
		w.mu.Lock()
		defer w.mu.Unlock()
		if a.busy--; a.again && w.ctx.Err() == nil {
			w.look(key, a)
		}
		w.forget(key, a)
	})
}

// forget drops a key at which nothing goes on any more. The caller holds w.mu.
func (w *Worker[K, T]) forget(key K, a *activity) {
	if a.busy == 0 && !a.isClaiming {
		delete(w.active, key)
	}
}

// do works on what was claimed, or leaves it to others.
func (w *Worker[K, T]) do(claimed T) {
	var err error
	isBegun := w.ctx.Err() == nil
	if isBegun {
		ctx, end := w.span(claimed)
		err = Guarded(func() error { return w.work.Do(ctx, claimed) })
		end(err)
		LogPanic(w.work.Log, w.work.Name, err)
	}
	if isBegun && err == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(w.ctx), leaveTimeout)
	defer cancel()
	err = Guarded(func() error {
		if w.ctx.Err() != nil {
			w.HandBack(ctx, claimed)
		} else {
			w.work.Failed(ctx, claimed, err)
		}
		return nil
	})
	LogPanic(w.work.Log, w.work.Name, err)
}

// span begins the span of work on what was claimed.
func (w *Worker[K, T]) span(claimed T) (ctx context.Context, end func(error)) {
	if w.work.UnitOfWork.Tracer == nil {
		return w.ctx, func(error) {}
	}
	var cause core.Cause
	if w.work.Cause != nil {
		cause = w.work.Cause(claimed)
	}
	return w.work.UnitOfWork.Tracer.Work(w.ctx, "work on "+w.work.Name, cause)
}

// HandBack ends the leases of what was claimed, each by itself: one that was changed since, which is a lost race, keeps
// its lease and costs the others nothing. What cannot be handed back is due when its lease ends.
func (w *Worker[K, T]) HandBack(ctx context.Context, claimed T) {
	var failed []error
	for _, row := range w.work.HandBack(claimed) {
		if err := w.work.UnitOfWork.Commit(ctx, core.Changeset{row}); err != nil && !fault.Is(err, fault.Conflict) {
			failed = append(failed, err)
		}
	}
	if len(failed) > 0 {
		w.work.Log.Warn("handing work back; it goes on when its lease ends", "worker", w.work.Name, "count", len(failed), "error", failed[0])
	}
}

// Step does on the caller's goroutine, one after another, what a Wake has done beside it: one claim, and what was claimed.
// It reports whether there may be more. It is for who decides alone what happens next, such as a simulation.
func (w *Worker[K, T]) Step(key K, room int) (more bool, err error) {
	claimed, more, err := w.claim(key, room)
	for _, c := range claimed {
		w.do(c)
	}
	return more, err
}

// Await waits for a group, or until the context is over, which is then the error.
func Await(ctx context.Context, group *sync.WaitGroup) error {
	done := make(chan struct{})
	go func() { group.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
