// Package readiness reports whether a process can do its work: each part is asked by itself, beside the others, within its own
// time, and what it said is kept for a moment, however many ask.
package readiness

import (
	"context"
	"sync"
	"time"
)

// OK is the state of a part that works. Every other state is a few words for a person.
const OK = "ok"

// kept is how long an answer is told again.
const kept = time.Second

// Part is asked at most once at a time. A question goes on when nobody waits for it any more, so that a part that hangs is
// asked once and not once more by everybody who wants to know.
type Part struct {
	Ask      func(context.Context) error // ends by itself
	Patience time.Duration               // how long an answer is waited for
	Failed   string                      // the state when it fails, or does not answer in time

	mu       sync.Mutex
	question *question
}

// question is one that was asked. Ended is closed when it has its answer.
type question struct {
	began time.Time
	ended chan struct{}
	at    time.Time
	err   error
}

// isFresh reports whether the answer is there and of now.
func (q *question) isFresh() bool {
	select {
	case <-q.ended:
		return time.Since(q.at) < kept
	default:
		return false
	}
}

func (q *question) isUnderWay() bool {
	select {
	case <-q.ended:
		return false
	default:
		return true
	}
}

// await waits until a question has its answer or has gone on for longer than patience, and reports whether it has it.
func (q *question) await(ctx context.Context, patience time.Duration) bool {
	rest := time.NewTimer(patience - time.Since(q.began))
	defer rest.Stop()
	select {
	case <-q.ended:
		return true
	case <-rest.C:
	case <-ctx.Done():
	}
	return !q.isUnderWay() // an answer that is there counts, however long it took
}

// begin asks beside the caller. Answered is told the answer before whoever waits for it.
func begin(ask func(context.Context) error, answered func(*question)) *question {
	q := &question{began: time.Now(), ended: make(chan struct{})}
	go func() {
		q.err = ask(context.Background())
		q.at = time.Now()
		answered(q)
		close(q.ended)
	}()
	return q
}

// State is how the part is.
func (p *Part) State(ctx context.Context) string {
	p.mu.Lock()
	if p.question == nil || !p.question.isUnderWay() && !p.question.isFresh() {
		p.question = begin(p.Ask, func(*question) {})
	}
	q := p.question
	p.mu.Unlock()
	if !q.await(ctx, p.Patience) || q.err != nil {
		return p.Failed
	}
	return OK
}
