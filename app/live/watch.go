package live

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
)

// Event is one piece of what a watcher is told.
type Event[T any] struct {
	Row    *T   // shared with others who watch: not to be changed
	IsNew  bool // it was created, not changed
	HasGap bool // Row is nil: what came before may have been missed. The first event is always this
}

// Watch is what a staff member watches, until its context ends. Whoever takes its events too slowly is let go.
type Watch[T any] struct {
	Events <-chan Event[T] // closed in the end

	mu    sync.Mutex
	cause error
}

// Err says why Events was closed: nil when the context ended or the service stops. Fault: TooSlow.
func (w *Watch[T]) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.cause
}

// question is what rows of a kind are asked for: equal ones are matched once for all who ask.
type question[T any] struct {
	core.Scope
	owner int64   // of a job: who made it; 0: anybody
	only  core.ID // the only row; empty: any
	text  string  // the same for equal questions
	holds func(*candidate[T]) bool
}

// Transactions watches the payments that a query matches after their change. Paging does not matter.
func (s *Service) Transactions(ctx context.Context, member staff.Staff, q report.PaymentQuery) (*Watch[payment.Payment], error) {
	if err := member.Require(staff.ReadTransactions); err != nil {
		return nil, err
	}
	q.Scope = cmp.Or(member.Scope(), q.Scope)
	q.Paging, q.Sort, q.IDs = core.Paging[report.Cursor]{}, "", nil
	match := q.Match()
	asked := question[payment.Payment]{
		Scope: q.Scope, text: fmt.Sprintf("%+v", q),
		holds: func(c *candidate[payment.Payment]) bool { return match.Holds(c.row, c.trace) },
	}
	if match.NeedsTrace() {
		return s.traced.join(ctx, asked, s.Buffer)
	}
	return s.payments.join(ctx, asked, s.Buffer)
}

// Discrepancies watches the discrepancies that a query matches after their change. Paging does not matter.
func (s *Service) Discrepancies(
	ctx context.Context, member staff.Staff, q discrepancy.Query,
) (*Watch[discrepancy.Discrepancy], error) {
	if err := member.Require(staff.ReadTransactions); err != nil {
		return nil, err
	}
	q.Scope = cmp.Or(member.Scope(), q.Scope)
	q.Paging, q.IDs = core.Paging[core.ID]{}, nil
	q.Statuses, q.Kinds = once(q.Statuses), once(q.Kinds)
	return s.discrepancies.join(ctx, question[discrepancy.Discrepancy]{
		Scope: q.Scope, text: fmt.Sprintf("%+v", q),
		holds: func(c *candidate[discrepancy.Discrepancy]) bool { return q.Holds(c.row) },
	}, s.Buffer)
}

// once returns each of the values once: what is matched again and again is no longer than it has to be.
func once[V cmp.Ordered](values []V) []V {
	return slices.Compact(slices.Sorted(slices.Values(values)))
}

// watcher is the sending end of a watch.
type watcher[T any] struct {
	watch  *Watch[T]
	events chan Event[T]
}

func newWatcher[T any](buffer int) *watcher[T] {
	events := make(chan Event[T], max(buffer, 1))
	events <- Event[T]{HasGap: true}
	return &watcher[T]{watch: &Watch[T]{Events: events}, events: events}
}

// watchers are a group: all who ask one question.
type watchers[T any] struct {
	question[T]
	mu      sync.Mutex
	members map[*watcher[T]]struct{}
}

func (g *watchers[T]) add(one *watcher[T]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.members[one] = struct{}{}
}

// remove lets one go, unless it has gone, and says how many are left.
func (g *watchers[T]) remove(one *watcher[T], cause error) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.dismiss(one, cause)
	return len(g.members)
}

func (g *watchers[T]) dismiss(one *watcher[T], cause error) {
	if _, isThere := g.members[one]; !isThere {
		return
	}
	delete(g.members, one)
	one.watch.mu.Lock()
	one.watch.cause = cause
	one.watch.mu.Unlock()
	close(one.events)
}

func (g *watchers[T]) covers(event core.Event) bool {
	return g.Has(event.DealerID, event.ProviderID) && (g.owner == 0 || g.owner == event.StaffID) && (g.only == "" || g.only == event.ID)
}

func (g *watchers[T]) end() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for one := range g.members {
		g.dismiss(one, nil)
	}
}

// hear returns an event's row if it is what is asked for; of one that cannot be read, that something was missed. Nil is a row
// that there is not.
func (g *watchers[T]) hear(event core.Event, found *candidate[T], isBroken bool) {
	switch {
	case !g.covers(event):
	case isBroken:
		g.tell(Event[T]{HasGap: true})
	case found != nil && g.holds(found):
		g.tell(Event[T]{Row: &found.row, IsNew: event.IsNew})
	}
}

// tell sends everybody an event; who has no room for it is let go.
func (g *watchers[T]) tell(e Event[T]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for one := range g.members {
		select {
		case one.events <- e:
		default:
			g.dismiss(one, tooSlow())
		}
	}
}
