// Package fence keeps a process from working on a database that is an earlier state of itself, or whose place another has taken. It
// compares how far the database is with what was recorded outside of it, and finds out within seconds; what a restored database
// does not know must not be done again.
package fence

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/epoch"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

const (
	// every is the time between two looks.
	every = time.Second
	// maxAge is how long a look is relied on while the database does not answer another one.
	maxAge = time.Minute
	// lookTimeout bounds a look, and placeTimeout what of it is spent outside of the database.
	lookTimeout  = 10 * time.Second
	placeTimeout = 2 * time.Second
)

// Config is what a Fence works with.
type Config struct {
	Epochs ports.Epochs
	Follow func()          // has others work on the database that answered Epochs.Mark last, and on none that takes its place
	Store  ports.Committer // past everything that the fence is in front of
	Place  ports.EpochPlace
	Clock  ports.Clock
	Random io.Reader
	Log    *slog.Logger
}

// Fence is a process's view of its database's epoch. It is safe for concurrent use. Before the first look nothing is allowed.
type Fence struct {
	Config
	began   time.Time
	commits atomic.Int64 // made by this process

	mu       sync.Mutex // of one look at a time
	recorded int64      // of commits: those that the mark has grown for
	foremost epoch.Mark // that this process has seen
	lost     epoch.Mark // what was recorded outside last that is not of this database, or further than it
	wasHome  bool

	seen atomic.Pointer[look]
}

// look is what was seen last.
type look struct {
	epoch    epoch.Epoch
	standing epoch.Standing
	at       time.Duration // since the beginning
}

// New is a fence that looks when Look or Run has it look.
func New(c Config) *Fence { return &Fence{Config: c, began: time.Now()} }

// Epoch is the epoch as it was seen last; ok is false before that.
func (f *Fence) Epoch() (e epoch.Epoch, ok bool) {
	if l := f.seen.Load(); l != nil {
		return l.epoch, true
	}
	return e, false
}

// IsFenced reports whether another epoch has taken the database's place.
func (f *Fence) IsFenced() bool {
	l := f.seen.Load()
	return l != nil && l.standing == epoch.Fenced
}

// Restored implements the question of payment.Callbacks: see epoch.Epoch.MayRepeat.
func (f *Fence) Restored(payment core.ID) (to time.Time, ok bool) {
	e, _ := f.Epoch()
	return e.MayRepeat(payment)
}

// MayAct implements ports.Fence.
func (f *Fence) MayAct() error {
	const op = "fence.MayAct"
	l := f.seen.Load()
	switch {
	case l == nil:
		return fault.E(op, fault.Unavailable, errors.New("the database's epoch is not known yet"))
	case l.standing == epoch.Fenced:
		return fault.E(op, fault.Unavailable, errors.New("another database has taken the place of this one"))
	case time.Since(f.began)-l.at > maxAge:
		return fault.E(op, fault.Unavailable, errors.New("the database's epoch could not be read for long"))
	}
	return nil
}

// MayMove implements ports.Fence.
func (f *Fence) MayMove() error {
	if err := f.MayAct(); err != nil {
		return err
	}
	if e, _ := f.Epoch(); e.IsFrozen() {
		return fault.New("fence.MayMove", fault.Frozen)
	}
	return nil
}

// FrozenAt implements ports.Fence.
func (f *Fence) FrozenAt() time.Time {
	e, _ := f.Epoch()
	return e.FrozenAt
}

// Commits is a Committer that commits nothing where the process may not act, and while it is frozen nothing that may let money move.
func (f *Fence) Commits(next ports.Committer) ports.Committer { return fenced{f, next} }

type fenced struct {
	fence *Fence
	next  ports.Committer
}

// Commit checks and commits.
func (c fenced) Commit(ctx context.Context, change core.Changeset) error {
	if err := c.fence.MayAct(); err != nil {
		return err
	}
	if e, _ := c.fence.Epoch(); e.IsFrozen() && change.Moves() {
		return fault.New("fence.Commit", fault.Frozen)
	}
	err := c.next.Commit(ctx, change)
	if err == nil {
		c.fence.commits.Add(1)
		if core.Has[epoch.Epoch](change) {
			return fault.E("fence.Commit", "", c.fence.Look(context.WithoutCancel(ctx)))
		}
	}
	return err
}

// Run looks every second until ctx ends.
func (f *Fence) Run(ctx context.Context) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	isWell := true
	for {
		select {
		case <-ctx.Done():
			_ = f.Look(context.WithoutCancel(ctx)) // what was committed last is recorded, where that is possible
			return
		case <-tick.C:
		}
		err := f.Look(ctx)
		if err != nil && isWell && ctx.Err() == nil {
			f.Log.WarnContext(ctx, "reading the database's epoch; it is tried again every second", "error", err)
		}
		isWell = err == nil
	}
}

// Look reads the epoch and how far the database is, and compares that with what is recorded outside. A database that is found to be an
// earlier state is frozen. One that is none has its mark grow where this process has committed something since the last look: it is
// compared before, since it may be a standby that has just taken over, and what it lacks must not be made up. Nobody else works on that one
// before it was compared. Fault: Unavailable.
func (f *Fence) Look(ctx context.Context) error {
	const op = "fence.Look"
	f.mu.Lock()
	defer f.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	made := f.commits.Load()
	e, mark, err := f.Epochs.Mark(ctx)
	if err != nil {
		return fault.E(op, "", err)
	}
	if !f.wasHome && !e.IsFrozen() {
		if f.wasHome, err = f.Epochs.IsAtHome(ctx); err != nil {
			return fault.E(op, "", err)
		}
		if !f.wasHome {
			return fault.E(op, "", f.freeze(ctx, e, mark, epoch.Copied, "the database was on another server"))
		}
	}
	standing, before := f.compare(ctx, mark)
	if before.Name != mark.Name || before.Number > mark.Number {
		f.lost = before // the place may have it this once
	}
	if standing == epoch.Earlier && !e.IsFrozen() {
		// Another process may have had the mark grow and recorded it in between. What is recorded was in the database before, so
		// that a database which still has less, read after it, is an earlier state.
		if e, mark, err = f.Epochs.Mark(ctx); err != nil {
			return fault.E(op, "", err)
		}
		if standing = mark.Against(before); standing == epoch.Earlier && !e.IsFrozen() {
			why := fmt.Sprintf("the mark %d of %s was recorded outside, and the database has %d of %s", before.Number, stamp(before.At), mark.Number, stamp(mark.At))
			return fault.E(op, "", f.freeze(ctx, e, mark, epoch.Behind, why))
		}
	}
	if standing == epoch.Foremost && made != f.recorded {
		if err := f.Epochs.Grow(ctx, mark, f.Clock.Now()); err != nil {
			return fault.E(op, "", err)
		}
		if e, mark, err = f.Epochs.Mark(ctx); err != nil {
			return fault.E(op, "", err)
		}
		f.recorded = made
		if grown, _ := f.compare(ctx, mark); grown == epoch.Fenced { // earlier: another was faster, or the next look finds it
			standing = grown
		}
	}
	f.note(ctx, look{e, standing, time.Since(f.began)})
	f.Follow()
	if lost, isNews := e.Lost(mark, f.lost); isNews && standing != epoch.Fenced {
		return fault.E(op, "", f.Store.Commit(ctx, core.Changeset{lost})) // otherwise the next look does
	}
	return nil
}

func stamp(at time.Time) string { return at.UTC().Format(time.RFC3339) }

// compare holds a mark against what this process has seen and what is recorded outside. While the place is out of reach, what the
// process has seen is all that there is.
func (f *Fence) compare(ctx context.Context, mark epoch.Mark) (epoch.Standing, epoch.Mark) {
	before := f.foremost
	standing := mark.Against(before)
	if standing == epoch.Foremost {
		f.foremost = mark
		ctx, cancel := context.WithTimeout(ctx, placeTimeout)
		defer cancel()
		recorded, err := f.Place.Record(ctx, mark)
		if err != nil {
			f.Log.DebugContext(ctx, "recording how far the database is", "error", err)
			return f.lastStanding(), before
		}
		return mark.Against(recorded), recorded
	}
	if standing == epoch.Fenced { // in this process's own memory an older epoch of one database: it is an earlier state
		standing = epoch.Earlier
	}
	return standing, before
}

// lastStanding is what a place that is out of reach has said last: who was fenced stays so.
func (f *Fence) lastStanding() epoch.Standing {
	if l := f.seen.Load(); l != nil && l.standing == epoch.Fenced {
		return epoch.Fenced
	}
	return epoch.Foremost
}

// freeze freezes the database, and keeps why in the audit log.
func (f *Fence) freeze(ctx context.Context, e epoch.Epoch, mark epoch.Mark, cause epoch.Cause, why string) error {
	change, frozen, err := Freeze(e, mark, cause, why, f.Clock.Now(), f.Random)
	if err != nil {
		return err
	}
	f.note(ctx, look{frozen, epoch.Foremost, time.Since(f.began)}) // nothing is begun from now on, so that the database can be followed
	f.Follow()
	if err := f.Store.Commit(ctx, change); err != nil && !fault.Is(err, fault.Conflict) { // another process was faster
		return err
	}
	f.foremost = mark
	return nil
}

// note takes in what was seen, and logs once what has changed.
func (f *Fence) note(ctx context.Context, l look) {
	before := f.seen.Swap(&l)
	if before == nil {
		before = &look{}
	}
	switch {
	case l.standing == epoch.Fenced && before.standing != epoch.Fenced:
		f.Log.ErrorContext(ctx, "ANOTHER DATABASE HAS TAKEN THE PLACE OF THIS ONE: this process changes nothing and sends nothing any more; end it",
			"installation", l.epoch.Installation, "epoch", l.epoch.Number)
	case l.epoch.IsFrozen() && !before.epoch.IsFrozen():
		f.Log.ErrorContext(ctx, "FROZEN: the database is an earlier state of itself. No money moves until two people have thawed it (docs/operators.md, After a restore)",
			"cause", l.epoch.Cause, "restored_to", stamp(l.epoch.RestoredTo), "epoch", l.epoch.Number)
	case !l.epoch.IsFrozen() && before.epoch.IsFrozen():
		f.Log.InfoContext(ctx, "thawed: money moves again", "epoch", l.epoch.Number)
	}
}

// Freeze is the commit that freezes a database, and the epoch after it.
func Freeze(e epoch.Epoch, mark epoch.Mark, cause epoch.Cause, why string, at time.Time, random io.Reader) (core.Changeset, epoch.Epoch, error) {
	const op = "fence.Freeze"
	name, err := epoch.NewName(random)
	if err != nil {
		return nil, e, fault.E(op, fault.Internal, err)
	}
	ids, err := core.NewIDs(at, random)
	if err != nil {
		return nil, e, fault.E(op, fault.Internal, err)
	}
	frozen := epoch.Freeze(e, cause, mark.At, at, name)
	return core.Changeset{frozen, core.AuditEntry{
		ID: ids.Next(), At: at, Actor: core.System, Action: "freeze", Target: frozen.Ref(), Reason: why,
		Before: e.AuditState(), After: frozen.AuditState(),
	}}, frozen, nil
}
