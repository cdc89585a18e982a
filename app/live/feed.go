package live

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/report"
)

// candidate is a row that was read because it has changed, with what it may be found by besides.
type candidate[T any] struct {
	row      T
	trace    report.Trace
	dealerID int64 // of a bank line's wallet
}

// feed tells of rows of one kind. What has changed is read once for all who watch, however many questions they ask, and matched
// with each question in memory. Feeds know nothing of each other: what holds one up holds up no other.
type feed[T any] struct {
	kind core.EventKind
	read func(ctx context.Context, ids []core.ID) ([]candidate[T], error) // those that there are
	id   func(*T) core.ID

	log   *slog.Logger
	every time.Duration
	wake  chan struct{}
	isOut bool // the store, as the last reading found it

	mu      sync.Mutex
	waiting *core.EventSet
	groups  map[string]*watchers[T] // by question
	isOver  bool
}

// anyFeed is a feed of any kind of rows.
type anyFeed interface {
	keep(events []core.Event)
	run(ctx context.Context)
	end()
}

func newFeed[T any](
	s *Service, kind core.EventKind, id func(*T) core.ID, read func(context.Context, []core.ID) ([]candidate[T], error),
) *feed[T] {
	return &feed[T]{
		kind: kind, read: read, id: id, log: s.Log, every: s.Every, wake: make(chan struct{}, 1),
		waiting: core.NewEventSet(maxWaiting), groups: map[string]*watchers[T]{},
	}
}

// join adds a watcher to those who ask the same question. Fault: Unavailable while the service stops.
func (f *feed[T]) join(ctx context.Context, q question[T], buffer int) (*Watch[T], error) {
	one := newWatcher[T](buffer)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.isOver {
		return nil, fault.New("live.join", fault.Unavailable)
	}
	all, isThere := f.groups[q.text]
	if !isThere {
		all = &watchers[T]{question: q, members: map[*watcher[T]]struct{}{}}
		f.groups[q.text] = all
	}
	all.add(one)
	context.AfterFunc(ctx, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if all.remove(one, nil) == 0 && f.groups[q.text] == all {
			delete(f.groups, q.text)
		}
	})
	return one.watch, nil
}

// keep holds events of the kind for the next reading; while nobody watches there are none.
func (f *feed[T]) keep(events []core.Event) {
	f.mu.Lock()
	if len(f.groups) > 0 {
		for _, n := range events {
			if n.Kind == f.kind || n.Kind == core.EventsLost {
				f.waiting.Add(n)
			}
		}
	}
	isEmpty := f.waiting.IsEmpty()
	f.mu.Unlock()
	if isEmpty {
		return
	}
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

func (f *feed[T]) run(ctx context.Context) {
	for pause := f.every; ; {
		select {
		case <-ctx.Done():
			return
		case <-f.wake:
		}
		err := f.round(ctx)
		f.report(ctx, err)
		if err == nil {
			pause = f.every
		} else {
			pause = min(2*pause, maxPause)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// end lets everybody go. Nobody joins any more.
func (f *feed[T]) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.isOver = true
	for text, g := range f.groups {
		g.end()
		delete(f.groups, text)
	}
}

// round reads what has changed and tells it. What cannot be read is left for the next round.
func (f *feed[T]) round(ctx context.Context) error {
	events, groups := f.take()
	if len(events) > 0 && events[0].Kind == core.EventsLost {
		events = events[1:]
		for _, g := range groups {
			g.tell(Event[T]{HasGap: true})
		}
	}
	events = watched(events, groups)
	for len(events) > 0 {
		part := events[:min(core.MaxPage, len(events))]
		rows, broken, err := f.rows(ctx, part)
		if err != nil {
			f.keep(events)
			return err
		}
		for _, n := range part {
			for _, g := range groups {
				g.hear(n, rows[n.ID], broken[n.ID])
			}
		}
		events = events[len(part):]
	}
	return nil
}

func (f *feed[T]) take() ([]core.Event, []*watchers[T]) {
	f.mu.Lock()
	defer f.mu.Unlock()
	groups := make([]*watchers[T], 0, len(f.groups))
	for _, g := range f.groups {
		groups = append(groups, g)
	}
	return f.waiting.Take(), groups
}

// watched returns the events that somebody watches: what nobody may see is not read.
func watched[T any](events []core.Event, groups []*watchers[T]) []core.Event {
	var some []core.Event
	for _, n := range events {
		for _, g := range groups {
			if g.covers(n) {
				some = append(some, n)
				break
			}
		}
	}
	return some
}

// rows reads the rows of events together. Where the store is there, but one of the rows cannot be read, each is read alone: those
// that are broken hold up no others.
func (f *feed[T]) rows(
	ctx context.Context, events []core.Event,
) (rows map[core.ID]*candidate[T], broken map[core.ID]bool, err error) {
	ids := make([]core.ID, len(events))
	for i, n := range events {
		ids[i] = n.ID
	}
	rows, broken = map[core.ID]*candidate[T]{}, map[core.ID]bool{}
	err = f.load(ctx, ids, rows)
	if err == nil || fault.CodeOf(err) != fault.Internal || ctx.Err() != nil {
		return rows, nil, err
	}
	f.log.Warn("a row that has changed cannot be read: whoever watches is told to look again", "kind", f.kind, "error", err)
	for _, id := range ids {
		switch err := f.load(ctx, []core.ID{id}, rows); {
		case err == nil:
		case fault.CodeOf(err) == fault.Internal:
			broken[id] = true
		default:
			return nil, nil, err
		}
	}
	return rows, broken, nil
}

func (f *feed[T]) load(ctx context.Context, ids []core.ID, into map[core.ID]*candidate[T]) error {
	bounded, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	found, err := f.read(bounded, ids)
	for i := range found {
		into[f.id(&found[i].row)] = &found[i]
	}
	return err
}

// report logs once that the store can't be read, and once that it can.
func (f *feed[T]) report(ctx context.Context, err error) {
	switch {
	case ctx.Err() != nil:
		return // stopping is no outage
	case err != nil && !f.isOut:
		f.log.Warn("what has changed cannot be read: whoever watches is told later", "kind", f.kind, "error", err)
	case err == nil && f.isOut:
		f.log.Info("what changes can be read again", "kind", f.kind)
	}
	f.isOut = err != nil
}
