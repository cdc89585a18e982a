package graph

import (
	"context"
	"math"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
)

// schemaRequests is how many requests reading the schema counts as: the answer is the longest that there is.
const schemaRequests = 30

// count counts n requests of a caller. Fault RateLimited with how long to wait, when there were too many of the member, or of
// the address of somebody who is not signed in. While it cannot be said who calls nothing is counted: nothing can be done either.
func (e *Endpoint) count(ctx context.Context, who caller, n int) (retry time.Duration, err error) {
	var a core.Allowance
	switch {
	case who.refused == nil:
		a = e.Staff.AdmitMember(ctx, who.request.Staff, n)
	case fault.Is(who.refused, fault.Unauthenticated):
		a = e.Staff.AdmitGuest(ctx, who.origin(), n)
	default:
		return 0, nil
	}
	if a.OK {
		return 0, nil
	}
	return a.Retry, fault.New("graph.count", fault.RateLimited)
}

// countQuery counts what a query is more than one request.
func (e *Endpoint) countQuery(ctx context.Context, who caller, query string) (retry time.Duration, err error) {
	if !e.HasIntrospection || !strings.Contains(query, "__schema") {
		return 0, nil
	}
	return e.count(ctx, who, schemaRequests-1)
}

// tellRetry says when to come again.
func tellRetry(w http.ResponseWriter, retry time.Duration) {
	if retry > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(retry.Seconds()))))
	}
}

// maxQueue of those who are not signed in wait for their turn.
const maxQueue = 128

// turns are how many documents of those who are not signed in are looked at and executed at once: half of what the machine could,
// so that a crowd of addresses, each within its rate, leaves the other half to payments and to staff.
type turns struct {
	free    chan struct{}
	waiting atomic.Int64
}

func newTurns() *turns { return &turns{free: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2))} }

// take waits for a turn, which ends with end. Whoever is signed in needs none. Faults: RateLimited when too many wait,
// Unavailable when the context is over.
func (t *turns) take(ctx context.Context, who caller) (end func(), err error) {
	const op = "graph.turns.take"
	if who.refused == nil {
		return func() {}, nil
	}
	defer t.waiting.Add(-1)
	if t.waiting.Add(1) > maxQueue {
		return nil, fault.New(op, fault.RateLimited)
	}
	select {
	case t.free <- struct{}{}:
		return sync.OnceFunc(func() { <-t.free }), nil
	case <-ctx.Done():
		return nil, fault.E(op, fault.Unavailable, context.Cause(ctx))
	}
}
