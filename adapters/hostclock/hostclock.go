// Package hostclock is this machine's clock, compared with one that all processes share. A process whose clock is wrong
// would end payments that have time left and take over work that others have leased: while the two differ it changes
// nothing that is stored.
package hostclock

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

const (
	// MaxOffset is how far the two may be apart. Leases last longer than that by more than their margin.
	MaxOffset = 5 * time.Second
	// every is the time between two comparisons; between them elapsed time shows when this machine's clock was set.
	every = 5 * time.Second
	// maxAge is how long a comparison is relied on while the reference cannot be asked.
	maxAge = time.Minute
	// calm is how long the clock must have been right before it is relied on again: what was decided by a wrong time is not
	// committed after that.
	calm = 5 * time.Second
	// askTimeout bounds one question, whose answer is as exact as it is quick.
	askTimeout = 4 * time.Second
	// maxQuestion is how long a question may take to be used: half of it is what the answer may be wrong by.
	maxQuestion = 2 * time.Second
)

// Reference returns the time that is compared with.
type Reference func(context.Context) (time.Time, error)

// Source reads this machine's clock, and the time that has passed since some moment, which no setting of the clock changes.
type Source func() (wall time.Time, elapsed time.Duration)

// Host is the machine's own. Elapsed time may leave out suspension.
func Host() Source {
	began := time.Now()
	return func() (time.Time, time.Duration) {
		now := time.Now()
		return now.Round(0), now.Sub(began)
	}
}

// Clock returns this machine's time, in UTC and to the microsecond, which is what the databases keep. It is right within
// MaxOffset of its reference. Before the first comparison it is not relied on. It is safe for concurrent use.
type Clock struct {
	source    Source
	reference Reference
	log       *slog.Logger

	mu       sync.Mutex
	asked    time.Duration // when the last question was half-way
	answered time.Time     // what the reference said then; zero: it was never asked
	calmAt   time.Duration // when the clock, seen wrong, is relied on again at the earliest
	isWrong  bool          // as the log has it
}

// New is a clock that is compared by Compare and Run.
func New(source Source, log *slog.Logger) *Clock { return &Clock{source: source, log: log} }

// Against says what the clock is compared with, before it is.
func (c *Clock) Against(reference Reference) { c.reference = reference }

// Now implements ports.Clock.
func (c *Clock) Now() time.Time {
	wall, elapsed := c.source()
	c.mu.Lock()
	defer c.mu.Unlock()
	if offset, ok := c.offset(wall, elapsed); ok && offset.Abs() > MaxOffset {
		c.calmAt = elapsed + calm
	}
	return wall.UTC().Truncate(time.Microsecond)
}

// offset is how far this machine's clock is ahead of the reference, if that was asked. The caller holds c.mu.
func (c *Clock) offset(wall time.Time, elapsed time.Duration) (time.Duration, bool) {
	if c.answered.IsZero() {
		return 0, false
	}
	return wall.Sub(c.answered.Add(elapsed - c.asked)), true
}

// Offset is how far this machine's clock is ahead of the reference, by the last comparison. False: there was none.
func (c *Clock) Offset() (time.Duration, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.offset(c.source())
}

// Check implements ports.TimeCheck.
func (c *Clock) Check() error {
	const op = "hostclock.Check"
	c.mu.Lock()
	defer c.mu.Unlock()
	wall, elapsed := c.source()
	offset, ok := c.offset(wall, elapsed)
	switch {
	case !ok:
		return fault.E(op, fault.Unavailable, errors.New("the clock was not compared with the database's yet"))
	case offset.Abs() > MaxOffset:
		c.calmAt = elapsed + calm
		return fault.E(op, fault.Unavailable, fmt.Errorf("the clock is %s of the database's", apart(offset)))
	case elapsed-c.asked > maxAge:
		return fault.E(op, fault.Unavailable, errors.New("the clock could not be compared with the database's for long"))
	case elapsed < c.calmAt:
		return fault.E(op, fault.Unavailable, errors.New("the clock was wrong a moment ago"))
	}
	return nil
}

func apart(offset time.Duration) string {
	if offset < 0 {
		return (-offset).Round(time.Millisecond).String() + " behind"
	}
	return offset.Round(time.Millisecond).String() + " ahead"
}

// Compare asks the reference once. An answer that took too long is not used.
func (c *Clock) Compare(ctx context.Context) error {
	const op = "hostclock.Compare"
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	_, before := c.source()
	there, err := c.reference(ctx)
	_, after := c.source()
	took := after - before
	if err == nil && took > maxQuestion {
		err = fault.E(op, fault.Unavailable, fmt.Errorf("the answer took %s", took.Round(time.Millisecond)))
	}
	if err != nil {
		return fault.E(op, "", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked, c.answered = before+took/2, there
	c.tell(ctx)
	return nil
}

// tell logs once that the clock is wrong, and once that it is right. The caller holds c.mu.
func (c *Clock) tell(ctx context.Context) {
	offset, _ := c.offset(c.source())
	isWrong := offset.Abs() > MaxOffset
	switch {
	case isWrong && !c.isWrong:
		c.log.ErrorContext(ctx, "THIS MACHINE'S CLOCK DIFFERS FROM THE DATABASE'S: nothing is created, expired or claimed until "+
			"they agree; set both by NTP", "offset", offset.Round(time.Millisecond).String())
	case !isWrong && c.isWrong:
		c.log.InfoContext(ctx, "this machine's clock agrees with the database's again")
	}
	c.isWrong = isWrong
}

// Run compares regularly until ctx ends, and more often while the clock is not relied on.
func (c *Clock) Run(ctx context.Context) {
	for {
		wait := time.NewTimer(c.pause())
		select {
		case <-ctx.Done():
			wait.Stop()
			return
		case <-wait.C:
		}
		if err := c.Compare(ctx); err != nil && ctx.Err() == nil {
			c.log.DebugContext(ctx, "comparing the clock with the database's", "error", err)
		}
	}
}

func (c *Clock) pause() time.Duration {
	if c.Check() != nil {
		return every / 5
	}
	return every
}

// Commits is a Committer that commits nothing while the clock is not relied on: Unavailable, as when the database is out of
// reach.
func (c *Clock) Commits(next ports.Committer) ports.Committer { return timely{c, next} }

type timely struct {
	clock *Clock
	next  ports.Committer
}

// Commit checks the clock and commits.
func (t timely) Commit(ctx context.Context, change core.Changeset) error {
	if err := t.clock.Check(); err != nil {
		return err
	}
	return t.next.Commit(ctx, change)
}
