// Package sweep finds every due row that no wake-up brought to a worker: after a lost wake-up, a flushed queue, a crash or
// any downtime. It also expires payments, for the wake-up at their time and for itself.
package sweep

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/ports"
)

// Sizes and intervals of sweeping.
const (
	expireBatch   = 500
	maxNamed      = 10_000 // undecidable payments that are told apart
	DefaultPeriod = time.Second
)

// Due asks for a worker wherever something of one kind is due.
type Due func(ctx context.Context, wake func(core.WakeUp)) error

// Always wakes a worker that looks itself for what is due.
func Always(kind core.WakeUpKind) Due {
	return func(_ context.Context, wake func(core.WakeUp)) error {
		wake(core.WakeUp{Kind: kind})
		return nil
	}
}

// Service sweeps.
type Service struct {
	UnitOfWork *app.UnitOfWork
	Due        []Due
	Wake       func(context.Context, core.WakeUp) // brings a wake-up to its worker; returns at once
	Rows       ports.Retention
	Keep       Retention
	Log        *slog.Logger

	// Undecided is told after each look how many due payments could not be decided. Nil: nobody is told.
	Undecided func(payments int)
	// HasRoom is told until when what is written by months has room. Nil: nobody is told.
	HasRoom func(until time.Time)

	expiring  sync.Mutex
	asked     atomic.Bool // somebody wants expiring looked at
	undecided undecided   // at the last look; whoever expires has it
	pruneAt   map[core.Prunable]time.Time
	roomAt    time.Time
}

// Run sweeps every period until ctx ends.
func (s *Service) Run(ctx context.Context, period time.Duration) {
	tick := time.NewTicker(period)
	defer tick.Stop()
	isWell := true
	for {
		err := s.Sweep(ctx)
		if err != nil && isWell && ctx.Err() == nil {
			s.Log.Error("sweeping; going on every period until it succeeds", "error", err)
		}
		isWell = err == nil
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Sweep does one round. What fails in it keeps nothing else of it from being done. By a wrong clock nothing is done.
func (s *Service) Sweep(ctx context.Context) error {
	if s.UnitOfWork.OnTime() != nil { // said once, by the clock
		return nil
	}
	_, err := s.ExpireDue(ctx)
	wake := func(up core.WakeUp) { s.Wake(ctx, up) }
	for _, due := range s.Due {
		err = errors.Join(err, fault.E("sweep.Sweep", "", due(ctx, wake)))
	}
	return errors.Join(err, s.prune(ctx))
}

// ExpireDue expires every payment whose time is over and returns how many. One that cannot be decided or stored keeps none
// of the others alive: it is passed over, logged once, and counted for as long as it stays. While another call is at it,
// that one looks once more before it ends, and this one returns at once: a wake-up's handler must not wait.
func (s *Service) ExpireDue(ctx context.Context) (int, error) {
	total := 0
	if s.UnitOfWork.OnTime() != nil {
		return 0, nil // the sweeper looks again
	}
	s.asked.Store(true)
	for s.asked.Load() && s.expiring.TryLock() {
		s.asked.Store(false)
		n, err := s.expireAll(ctx)
		s.expiring.Unlock()
		total += n
		if err != nil {
			return total, err
		}
	}
	return total, nil
}

// undecided are the due payments of one look that could not be decided.
type undecided struct {
	count int
	named map[core.ID]bool
}

func (s *Service) expireAll(ctx context.Context) (int, error) {
	const op = "sweep.ExpireDue"
	total, look := 0, look{Service: s}
	for after, hasNext := (core.DueCursor{}), true; hasNext; {
		due, err := s.UnitOfWork.Payments.DuePayments(ctx, s.UnitOfWork.Clock.Now(), after, expireBatch)
		if err != nil {
			return total, fault.E(op, "", err)
		}
		n, err := look.expire(ctx, due.Rows)
		total += n
		if err != nil {
			return total, fault.E(op, "", err)
		}
		after, hasNext = due.Next, due.HasNext
	}
	s.undecided = look.undecided
	if s.Undecided != nil {
		s.Undecided(look.undecided.count)
	}
	return total, nil
}

// look is one look at all due payments.
type look struct {
	*Service
	undecided undecided
}

// expire commits many expiries as one changeset. When one of them lost a race, against a customer or another worker, or
// cannot be stored, the halves are tried apart: it keeps none of the others alive. Only a store out of reach is a fault.
func (l *look) expire(ctx context.Context, due []payment.Payment) (int, error) {
	all, decided, err := l.decide(ctx, due)
	if err != nil || len(decided) == 0 {
		return 0, err
	}
	return l.commit(ctx, decided, all)
}

func (l *look) commit(ctx context.Context, due []payment.Payment, all core.Changeset) (int, error) {
	err := l.UnitOfWork.Commit(ctx, all)
	switch {
	case err == nil:
		return len(due), nil
	case fault.Is(err, fault.Unavailable), ctx.Err() != nil:
		return 0, err
	case len(due) > 1:
		left, err := l.expire(ctx, due[:len(due)/2])
		if err != nil {
			return left, err
		}
		right, err := l.expire(ctx, due[len(due)/2:])
		return left + right, err
	case !fault.Is(err, fault.Conflict):
		l.passOver(due[0], err)
	}
	return 0, nil
}

// decide expires all payments that it can, and returns those too.
func (l *look) decide(ctx context.Context, due []payment.Payment) (all core.Changeset, decided []payment.Payment, err error) {
	for _, p := range due {
		d, err := l.UnitOfWork.Decision(ctx, p, app.BySystem)
		if fault.Is(err, fault.Unavailable) {
			return core.Changeset{}, nil, err
		}
		change := core.Changeset{}
		if err == nil {
			change, err = payment.Decide(p, payment.Expire, d)
		}
		if err != nil {
			l.passOver(p, err)
			continue
		}
		all, decided = all.Merge(change), append(decided, p)
	}
	return all, decided, nil
}

// passOver leaves a payment as it is until the next look. It is logged when it was not among those of the last one.
func (l *look) passOver(p payment.Payment, err error) {
	if l.undecided.named[p.ID] {
		return
	}
	l.undecided.count++
	if len(l.undecided.named) >= maxNamed {
		return
	}
	if l.undecided.named == nil {
		l.undecided.named = map[core.ID]bool{}
	}
	l.undecided.named[p.ID] = true
	if !l.Service.undecided.named[p.ID] {
		l.Log.Error("A DUE PAYMENT CANNOT BE EXPIRED; it is tried again every time and passed over until then",
			"tracking_code", p.TrackingCode, "id", string(p.ID), "error", err)
	}
}
