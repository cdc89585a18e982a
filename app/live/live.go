// Package live tells staff what changes while they watch. What is heard over ports.Events are cues: the rows themselves are
// read from the store, once for all who ask the same, and as they are then. So an event is never wrong, only sometimes
// late, and whoever may have missed some is told to look again.
package live

import (
	"context"
	"log/slog"
	"maps"
	"sync"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

// Bounds where Service does not say.
const (
	defaultEvery  = 100 * time.Millisecond
	defaultBuffer = 512
	// maxWaiting rows' events wait to be read at most; beyond that everybody is told to look again.
	maxWaiting = 4096
	// readTimeout bounds one reading of rows.
	readTimeout = 5 * time.Second
	// maxPause is the longest between two tries while the store is out of reach.
	maxPause = 2 * time.Second
)

// Service passes one process's events on to all who watch here. Fill it in, Start it, and Stop it in the end.
type Service struct {
	Events     ports.Events
	Operations ports.Operations
	// Jobs and requests are read row by row: few of them change at a time.
	Reports  ports.Reports
	Requests ports.Approvals
	Log      *slog.Logger
	// Every is the least time between two readings: what changes meanwhile is read together. 0: 100 ms.
	Every time.Duration
	// Buffer is how many events wait for one watcher before it counts as too slow. 0: 512.
	Buffer int

	mu      sync.Mutex
	waiting *core.EventSet
	groups  map[groupKey]group
	isOver  bool
	wake    chan struct{}
	stop    context.CancelFunc
	parts   sync.WaitGroup
	isOut   bool // the store, as the last reading found it
}

// groupKey names the question that a group of watchers asks.
type groupKey struct {
	kind     core.EventKind
	question string
}

// group is all who ask the same, and what has to be read for them.
type group interface {
	// read loads rows that are within the group's scope and tells those who watch.
	read(ctx context.Context, events []core.Event) error
	// miss tells them that they may have missed something.
	miss()
	// end lets them go.
	end(cause error)
	covers(event core.Event) bool
}

// Start begins to listen.
func (s *Service) Start() {
	if s.Every == 0 {
		s.Every = defaultEvery
	}
	if s.Buffer == 0 {
		s.Buffer = defaultBuffer
	}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	s.waiting, s.groups, s.wake = core.NewEventSet(maxWaiting), map[groupKey]group{}, make(chan struct{}, 1)
	s.parts.Go(func() { s.Events.Listen(ctx, s.keep) })
	s.parts.Go(func() { s.run(ctx) })
}

// Stop ends every watch and stops listening.
func (s *Service) Stop() {
	s.mu.Lock()
	s.isOver = true
	for key, g := range s.groups {
		g.end(nil)
		delete(s.groups, key)
	}
	s.mu.Unlock()
	s.stop()
	s.parts.Wait()
}

// keep holds events for the next reading; while nobody watches there are none.
func (s *Service) keep(events []core.Event) {
	s.mu.Lock()
	if len(s.groups) > 0 {
		s.waiting.Add(events...)
	}
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *Service) run(ctx context.Context) {
	for pause := s.Every; ; {
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		}
		if s.round(ctx) == nil {
			pause = s.Every
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

// round reads what has changed for all who watch it. What cannot be read is left for the next round.
func (s *Service) round(ctx context.Context) error {
	events, groups := s.take()
	if len(events) == 0 {
		return nil
	}
	if events[0].Kind == core.EventsLost {
		events = events[1:]
		for _, g := range groups {
			g.miss()
		}
	}
	for key, g := range groups {
		if err := s.readFor(ctx, key, g, events); err != nil {
			s.keep(events)
			s.report(ctx, err)
			return err
		}
	}
	s.report(ctx, nil)
	return nil
}

func (s *Service) take() ([]core.Event, map[groupKey]group) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.waiting.Take(), maps.Clone(s.groups)
}

func (s *Service) readFor(ctx context.Context, key groupKey, g group, events []core.Event) error {
	var own []core.Event
	for _, n := range events {
		if n.Kind == key.kind && g.covers(n) {
			own = append(own, n)
		}
	}
	for len(own) > 0 {
		part := own[:min(core.MaxPage, len(own))]
		bounded, cancel := context.WithTimeout(ctx, readTimeout)
		err := g.read(bounded, part)
		cancel()
		if err != nil {
			return err
		}
		own = own[len(part):]
	}
	return nil
}

// report logs once that the store can't be read, and once that it can.
func (s *Service) report(ctx context.Context, err error) {
	switch {
	case ctx.Err() != nil:
		return // stopping is no outage
	case err != nil && !s.isOut:
		s.Log.Warn("what has changed cannot be read: whoever watches is told later", "error", err)
	case err == nil && s.isOut:
		s.Log.Info("what changes can be read again")
	}
	s.isOut = err != nil
}

// tooSlow is why a watch ends that takes its events more slowly than they come.
func tooSlow() error { return fault.New("live.tell", fault.TooSlow) }
