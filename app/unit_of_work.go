// Package app holds what all use cases share: a UnitOfWork decides, commits and wakes workers. The use cases themselves are in the
// folders beside this file, one per business area; no area imports another.
package app

import (
	"cmp"
	"context"
	"io"
	"math/rand/v2"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/ports"
)

// A decision that lost a race is made again at once a few times, and then after pauses that grow, since whoever is
// overtaken again and again is one of many. Every lost race is somebody else's commit, so that the work goes on; after
// DefaultPatience whoever has lost all of them is told so.
const (
	DefaultPatience = 10 * time.Second
	triesAtOnce     = 3
	shortestPause   = time.Millisecond
	longestPause    = 50 * time.Millisecond
)

// UnitOfWork is what every use case that changes state works with.
type UnitOfWork struct {
	Commits   ports.Committer
	Staff     StaffCommitter // what staff ask for goes through it on its way to Commits
	Waker     ports.Waker
	Clock     ports.Clock
	Time      ports.TimeCheck // nil: the clock is always right
	Fence     ports.Fence     // nil: the database has no other
	Random    io.Reader
	Payments  ports.Payments
	Callbacks ports.Callbacks
	Directory ports.Directory
	Schedule  payment.RetrySchedule
	Open      payment.OpenLimits
	Patience  time.Duration // with lost races; 0: DefaultPatience
	Tracer    ports.Tracer  // of workers; nil: nothing is traced
}

// OnTime reports whether the clock may be relied on: by a wrong one nothing expires and nothing is claimed. Fault: Unavailable.
func (u *UnitOfWork) OnTime() error {
	if u.Time == nil {
		return nil
	}
	return fault.E("app.UnitOfWork.OnTime", "", u.Time.Check())
}

// MayAsk reports whether gateways and banks may be asked, and what they say be booked. Faults: those of OnTime and ports.Fence.MayAct.
func (u *UnitOfWork) MayAsk() error {
	if err := u.OnTime(); err != nil || u.Fence == nil {
		return err
	}
	return fault.E("app.UnitOfWork.MayAsk", "", u.Fence.MayAct())
}

// MayMove reports whether money may move, too: something may be created, sent, ended for its time and told of. Faults: those of
// OnTime and ports.Fence.MayMove.
func (u *UnitOfWork) MayMove() error {
	if err := u.OnTime(); err != nil || u.Fence == nil {
		return err
	}
	return fault.E("app.UnitOfWork.MayMove", "", u.Fence.MayMove())
}

// FrozenAt is the moment of the last freeze; zero: there was none.
func (u *UnitOfWork) FrozenAt() time.Time {
	if u.Fence == nil {
		return time.Time{}
	}
	return u.Fence.FrozenAt()
}

// EndsAt is when what lets somebody in ends, which was issued at a moment and lasts until another: with the next freeze at the latest.
// It may have been used up or revoked after the backup, of which the restored database knows nothing.
func (u *UnitOfWork) EndsAt(issued, until time.Time) time.Time {
	if frozen := u.FrozenAt(); !issued.After(frozen) && frozen.Before(until) {
		return frozen
	}
	return until
}

// Commit makes durable what no member of staff asks for, and then wakes whom it concerns. An empty changeset is nothing to
// do. Fault beyond those of ports.Committer: Internal (its rows say that staff made it).
func (u *UnitOfWork) Commit(ctx context.Context, change core.Changeset) error {
	if change.IsByStaff() {
		return fault.New("app.UnitOfWork.Commit: staff act with CommitFor", fault.Internal)
	}
	if err := u.Commits.Commit(ctx, change); err != nil {
		return err
	}
	u.wake(change)
	return nil
}

func (u *UnitOfWork) wake(change core.Changeset) {
	if wakeUps := change.WakeUps(); len(wakeUps) > 0 {
		u.Waker.Wake(wakeUps...)
	}
}

// Again runs a decision until its commit is not a lost race, for as long as there is patience and the context lasts.
func (u *UnitOfWork) Again(ctx context.Context, decide func() error) error {
	err := decide()
	if !fault.IsRetryable(err) {
		return err
	}
	patient, cancel := context.WithTimeout(ctx, cmp.Or(u.Patience, DefaultPatience))
	defer cancel()
	for tries := 1; fault.IsRetryable(err) && rest(patient, tries); tries++ {
		err = decide()
	}
	return err
}

// rest pauses before another try, for a random part of a time that doubles, and reports whether there is time for one.
func rest(ctx context.Context, tries int) bool {
	if tries < triesAtOnce {
		return ctx.Err() == nil
	}
	most := min(shortestPause<<min(tries-triesAtOnce, 10), longestPause)
	pause := time.NewTimer(rand.N(most) + 1) //nolint:gosec // nobody is harmed by whoever guesses it
	defer pause.Stop()
	select {
	case <-pause.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

// Decision gathers what a decision about a payment needs from outside, or, for the zero Payment, one about none.
func (u *UnitOfWork) Decision(ctx context.Context, p payment.Payment, by Request) (payment.Decision, error) {
	const op = "app.UnitOfWork.Decision"
	var target payment.Target
	var callbacks []payment.Callback
	var err error
	if p.ID != "" {
		if _, target, err = u.Target(ctx, p.ProviderID, p.SiteID, p.DealerID, p.CallbackKind()); err != nil {
			return payment.Decision{}, fault.E(op, "", err)
		}
		if callbacks, err = u.callbacksOf(ctx, p); err != nil {
			return payment.Decision{}, fault.E(op, "", err)
		}
	}
	now := u.Clock.Now()
	ids, err := core.NewIDs(now, u.Random)
	if err != nil {
		return payment.Decision{}, fault.E(op, fault.Internal, err)
	}
	return payment.Decision{
		By: by.Actor(), At: now, Reason: by.Reason, Target: target, Schedule: u.Schedule, IDs: ids, Callbacks: callbacks,
	}, nil
}

// callbacksOf finds what a payment has reported. Before it has ended that is nothing.
func (u *UnitOfWork) callbacksOf(ctx context.Context, p payment.Payment) ([]payment.Callback, error) {
	if !p.Status.IsFinal() || p.CallbackKind() == "" {
		return nil, nil
	}
	return u.Callbacks.CallbacksOf(ctx, p.ID)
}

// Target finds where a callback goes by the settings of this moment, and whose keys sign it: a provider's, or, where
// there is none, the dealer's own.
func (u *UnitOfWork) Target(
	ctx context.Context, providerID, siteID, dealerID int64, kind payment.CallbackKind,
) (payment.Signer, payment.Target, error) {
	if providerID == 0 {
		dealer, err := u.Directory.Dealer(ctx, dealerID)
		return payment.SignerOfDealer(dealer), payment.TargetOfDealer(dealer, kind), err
	}
	provider, err := u.Directory.Provider(ctx, providerID)
	if err != nil {
		return payment.Signer{}, payment.Target{}, err
	}
	site, err := u.Directory.Site(ctx, siteID)
	if err != nil {
		return payment.Signer{}, payment.Target{}, err
	}
	return payment.SignerOf(provider), payment.TargetOf(provider, site, kind), nil
}

// Load reads the payment that a decision is about.
type Load func(ctx context.Context) (payment.Payment, error)

// Decide makes the decision about a loaded payment.
type Decide func(p payment.Payment, d payment.Decision) (core.Changeset, error)

// Move loads a payment, decides and commits, again after a lost race, and returns the payment as it stands then.
func (u *UnitOfWork) Move(ctx context.Context, load Load, by Request, decide Decide) (payment.Payment, error) {
	var moved payment.Payment
	err := u.Again(ctx, func() error {
		p, err := load(ctx)
		if err == nil {
			moved, err = u.move(ctx, p, by, decide)
		}
		return err
	})
	return moved, err
}

// MoveSeen is Move about a payment that its caller has just read, which saves reading it once more. What is decided of it stands only if
// it has not changed since: otherwise the commit is a lost race. It is refused nothing without having been read anew.
func (u *UnitOfWork) MoveSeen(ctx context.Context, seen payment.Payment, load Load, by Request, decide Decide) (payment.Payment, error) {
	moved, err := u.move(ctx, seen, by, decide)
	if err == nil || ctx.Err() != nil || fault.Is(err, fault.Unavailable) {
		return moved, err
	}
	return u.Move(ctx, load, by, decide)
}

// move decides once.
func (u *UnitOfWork) move(ctx context.Context, p payment.Payment, by Request, decide Decide) (payment.Payment, error) {
	decision, err := u.Decision(ctx, p, by)
	if err != nil {
		return payment.Payment{}, err
	}
	change, err := decide(p, decision)
	if err != nil {
		return payment.Payment{}, err
	}
	after, ok := core.First[payment.Payment](change)
	if !ok {
		return p, nil // decided that nothing changes
	}
	return after, u.CommitFor(ctx, by, change)
}
