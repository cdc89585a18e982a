package readiness

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

// States of a database in which no payment can be written.
const (
	OutOfReach = "out of reach"
	ReadOnly   = "read-only"
	Full       = "full"
	Hanging    = "commits hang"
	Failing    = "commits fail" // without a reason that the database gives
)

const (
	// proofPatience is how long a proof may take. Commits of others take what they take under load: they hang when none of
	// them has ended for hangingAfter.
	proofPatience = 2 * time.Second
	hangingAfter  = 5 * time.Second
	// spaceEvery is the time between two proofs that there is space for more. A commit that fails asks for one at once.
	spaceEvery = time.Minute
)

// Writes reports whether the database takes commits. While the process commits, its own commits show that, and nothing is
// asked. Otherwise whoever wants to know has a small commit made.
type Writes struct {
	vitals  ports.Vitals
	clock   ports.Clock
	process string // by which the database knows this one

	mu        sync.Mutex
	underWay  int       // commits
	since     time.Time // with at least one under way
	progress  time.Time // when the last one ended with an answer of the database
	succeeded time.Time // when the last one was committed
	isSuspect bool      // one has failed since, and nothing has shown that there is no reason
	space     time.Time // when there was space at last
	proof     *question
	seen      int // failures, so that a proof knows of those after its beginning
}

// NewWrites watches what a process commits to a database.
func NewWrites(vitals ports.Vitals, clock ports.Clock, process string) *Writes {
	return &Writes{vitals: vitals, clock: clock, process: process}
}

// Commits is a Committer whose commits are watched.
func (w *Writes) Commits(next ports.Committer) ports.Committer { return watched{w, next} }

type watched struct {
	writes *Writes
	next   ports.Committer
}

// Commit commits and takes in what came of it.
func (c watched) Commit(ctx context.Context, change core.Changeset) error {
	c.writes.begin()
	err := c.next.Commit(ctx, change)
	c.writes.end(ctx, err)
	return err
}

func (w *Writes) begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.underWay++; w.underWay == 1 {
		w.since = time.Now()
	}
}

func (w *Writes) end(ctx context.Context, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.underWay--
	switch {
	case err == nil:
		w.progress = time.Now()
		w.succeeded, w.isSuspect = w.progress, false
	case !fault.Is(err, fault.Unavailable):
		w.progress = time.Now() // the database has said no, which it does when it is well
	case ctx.Err() == nil:
		w.isSuspect = true
		w.seen++
	}
}

// hang reports whether commits are under way and none of them ends. The caller holds w.mu.
func (w *Writes) hang() bool {
	last := w.since
	if w.progress.After(last) {
		last = w.progress
	}
	return w.underWay > 0 && time.Since(last) > hangingAfter
}

// State is how the database is.
func (w *Writes) State(ctx context.Context) string {
	for range 2 { // a commit may fail while a proof is made: the next is about that, too
		w.mu.Lock()
		switch {
		case w.hang():
			w.mu.Unlock()
			return Hanging
		case !w.isSuspect && time.Since(w.succeeded) < kept:
			w.mu.Unlock()
			return OK
		}
		q := w.ask()
		w.mu.Unlock()
		if !q.await(ctx, proofPatience) {
			return Hanging
		}
		if q.err != nil {
			return stateOf(q.err)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.isSuspect {
		return Failing
	}
	return OK
}

// Announce proves a write regularly, so that the database knows of this process while nobody asks and nothing is committed. When
// ctx ends, the database forgets it.
func (w *Writes) Announce(ctx context.Context) {
	tick := time.NewTicker(ports.AnnounceEvery)
	defer tick.Stop()
	for {
		w.mu.Lock()
		q := w.ask()
		w.mu.Unlock()
		select {
		case <-tick.C:
		case <-ctx.Done():
			w.leave(context.WithoutCancel(ctx), q)
			return
		}
	}
}

// leave has this process forgotten, after the last proof, which would write it once more. Who cannot be told takes it for gone
// after a while.
func (w *Writes) leave(ctx context.Context, last *question) {
	ctx, cancel := context.WithTimeout(ctx, proofPatience)
	defer cancel()
	select {
	case <-last.ended:
		_ = w.vitals.ForgetProcess(ctx, w.process)
	case <-ctx.Done():
	}
}

// ask has a proof made where none is under way or was just made. The caller holds w.mu.
func (w *Writes) ask() *question {
	if w.proof != nil && (w.proof.isUnderWay() || w.proof.isFresh() && w.proof.err != nil) {
		return w.proof
	}
	needsSpace, seen := w.isSuspect || time.Since(w.space) >= spaceEvery, w.seen
	w.proof = begin(func(ctx context.Context) error {
		return w.vitals.ProveWrite(ctx, w.process, w.clock.Now(), needsSpace)
	}, func(q *question) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if q.err != nil {
			w.isSuspect = true
			return
		}
		w.succeeded = q.at
		if needsSpace {
			w.space = q.at
			w.isSuspect = w.seen > seen // one has failed while this was under way
		}
	})
	return w.proof
}

func stateOf(err error) string {
	switch {
	case errors.Is(err, ports.ErrReadOnly):
		return ReadOnly
	case errors.Is(err, ports.ErrFull):
		return Full
	default:
		return OutOfReach
	}
}
