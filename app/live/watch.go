package live

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
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

// question is what rows of a kind are asked for: equal ones are asked once for all who ask.
type question[T any] struct {
	kind core.EventKind
	core.Scope
	owner int64                                                 // of a job: who made it; 0: anybody
	only  core.ID                                               // the only row; empty: any
	text  string                                                // the same for equal questions
	load  func(ctx context.Context, ids []core.ID) ([]T, error) // those of the rows that match
	id    func(*T) core.ID
}

// Transactions watches the payments that a query matches after their change. Paging does not matter.
func (s *Service) Transactions(ctx context.Context, member staff.Staff, q report.PaymentQuery) (*Watch[payment.Payment], error) {
	if err := member.Require(staff.ReadTransactions); err != nil {
		return nil, err
	}
	q.Scope = cmp.Or(member.Scope(), q.Scope)
	q.Paging, q.IDs = core.Paging[report.Cursor]{Limit: core.MaxPage}, nil
	return watch(ctx, s, question[payment.Payment]{
		kind: core.PaymentChanged, Scope: q.Scope, text: fmt.Sprintf("%+v", q),
		load: func(ctx context.Context, ids []core.ID) ([]payment.Payment, error) {
			asked := q
			asked.IDs = ids
			found, err := s.Reports.SearchPayments(ctx, asked)
			return found.Payments, err
		},
		id: func(p *payment.Payment) core.ID { return p.ID },
	})
}

// Discrepancies watches the discrepancies that a query matches after their change. Paging does not matter.
func (s *Service) Discrepancies(
	ctx context.Context, member staff.Staff, q discrepancy.Query,
) (*Watch[discrepancy.Discrepancy], error) {
	if err := member.Require(staff.ReadTransactions); err != nil {
		return nil, err
	}
	q.Scope = cmp.Or(member.Scope(), q.Scope)
	q.Paging, q.IDs = core.Paging[core.ID]{Limit: core.MaxPage}, nil
	return watch(ctx, s, question[discrepancy.Discrepancy]{
		kind: core.DiscrepancyChanged, Scope: q.Scope, text: fmt.Sprintf("%+v", q),
		load: func(ctx context.Context, ids []core.ID) ([]discrepancy.Discrepancy, error) {
			asked := q
			asked.IDs = ids
			return s.Operations.Discrepancies(ctx, asked)
		},
		id: func(d *discrepancy.Discrepancy) core.ID { return d.ID },
	})
}

// watch joins those who ask the same question. Fault: Unavailable while the service stops.
func watch[T any](ctx context.Context, s *Service, q question[T]) (*Watch[T], error) {
	key := groupKey{q.kind, q.text}
	one := newWatcher[T](s.Buffer)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isOver {
		return nil, fault.New("live.watch", fault.Unavailable)
	}
	all, ok := s.groups[key].(*watchers[T])
	if !ok {
		all = &watchers[T]{question: q, members: map[*watcher[T]]struct{}{}}
		s.groups[key] = all
	}
	all.add(one)
	context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if all.remove(one, nil) == 0 && s.groups[key] == group(all) {
			delete(s.groups, key)
		}
	})
	return one.watch, nil
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

func (g *watchers[T]) end(cause error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for one := range g.members {
		g.dismiss(one, cause)
	}
}

func (g *watchers[T]) miss() { g.tell(Event[T]{HasGap: true}) }

// tell returns everybody an event; who has no room for it is let go.
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

// read loads the rows and tells of those that match, in the order of their events.
func (g *watchers[T]) read(ctx context.Context, events []core.Event) error {
	ids := make([]core.ID, len(events))
	for i, n := range events {
		ids[i] = n.ID
	}
	rows, err := g.load(ctx, ids)
	if err != nil {
		return err
	}
	byID := make(map[core.ID]*T, len(rows))
	for i := range rows {
		byID[g.id(&rows[i])] = &rows[i]
	}
	for _, n := range events {
		if row, ok := byID[n.ID]; ok {
			g.tell(Event[T]{Row: row, IsNew: n.IsNew})
		}
	}
	return nil
}
