package graph

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/staff"
)

// StreamBounds bound WebSockets and streams of server-sent events. What is zero has a default.
type StreamBounds struct {
	InitWithin  time.Duration // a WebSocket's connection_init; 3 s
	PingEvery   time.Duration // a quiet stream shows so often that it lives; 20 s
	CheckEvery  time.Duration // the session and its rights are looked at again so often; 3 s
	WriteWithin time.Duration // who does not take what is sent within it is cut off; 10 s

	Guests           int // streams at once of those who have not signed in, of all; 200
	GuestsPerAddress int // the same of one address; 10

	Connections          int // streams at once of those who have signed in, of all; 2,000
	ConnectionsPerTenant int // of one dealer's or one provider's staff; 300
	ConnectionsPerMember int // 40

	Subscriptions int // of all; 5,000
	PerConnection int // subscriptions of one WebSocket; 50
	PerSession    int // subscriptions of one staff session in this process; 100
	PerMember     int // of a member's sessions together; 150
	PerTenant     int // of one dealer's or one provider's staff; 600
}

func (b *StreamBounds) fill() {
	for _, d := range []struct {
		is      *time.Duration
		without time.Duration
	}{
		{&b.InitWithin, 3 * time.Second}, {&b.PingEvery, 20 * time.Second}, {&b.CheckEvery, 3 * time.Second},
		{&b.WriteWithin, 10 * time.Second},
	} {
		if *d.is == 0 {
			*d.is = d.without
		}
	}
	for _, n := range []struct {
		is      *int
		without int
	}{
		{&b.Guests, 200}, {&b.GuestsPerAddress, 10},
		{&b.Connections, 2_000}, {&b.ConnectionsPerTenant, 300}, {&b.ConnectionsPerMember, 40},
		{&b.Subscriptions, 5_000}, {&b.PerConnection, 50}, {&b.PerSession, 100}, {&b.PerMember, 150}, {&b.PerTenant, 600},
	} {
		if *n.is == 0 {
			*n.is = n.without
		}
	}
}

// streams are all that last in this process.
type streams struct {
	guests        guests
	connections   seats
	subscriptions seats

	mu     sync.Mutex
	open   int
	isOver bool
	over   chan struct{} // closed when all are to end
	none   chan struct{} // closed when they have
}

func newStreams() *streams {
	return &streams{
		guests:      guests{ofPlace: map[string][]*guest{}},
		connections: seats{taken: map[string]int{}}, subscriptions: seats{taken: map[string]int{}},
		over: make(chan struct{}), none: make(chan struct{}),
	}
}

// enter begins one more stream, which has to leave. Fault: Unavailable when all are to end.
func (s *streams) enter() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isOver {
		return fault.New("graph.streams.enter", fault.Unavailable)
	}
	s.open++
	return nil
}

// admit makes room for a caller's stream: among those of staff, or among those of guests, who may have to make room for others.
// Faults: TooManyStreams, Unavailable.
func (e *Endpoint) admit(who caller, evict func()) (leave func(), err error) {
	if who.refused != nil {
		return e.streams.guests.enter(who.origin().Place(), e.Streams.Guests, e.Streams.GuestsPerAddress, evict), nil
	}
	b := e.Streams
	return e.streams.connections.take(shares(who.request.Staff, b.Connections, b.ConnectionsPerTenant, b.ConnectionsPerMember)...)
}

func (s *streams) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open--
	if s.isOver && s.open == 0 {
		close(s.none)
	}
}

// stop ends all streams, each in order, and waits for them. None begins any more.
func (s *streams) stop(ctx context.Context) error {
	s.mu.Lock()
	if !s.isOver {
		s.isOver = true
		close(s.over)
		if s.open == 0 {
			close(s.none)
		}
	}
	s.mu.Unlock()
	select {
	case <-s.none:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// subscribe counts one more subscription of a caller; release counts it off. Faults: TooManyStreams, Unavailable.
func (e *Endpoint) subscribe(who caller) (release func(), err error) {
	if who.refused != nil { // a guest, who is told so at once
		return func() {}, nil
	}
	list := shares(who.request.Staff, e.Streams.Subscriptions, e.Streams.PerTenant, e.Streams.PerMember)
	return e.streams.subscriptions.take(append(list, share{"session/" + who.session(), e.Streams.PerSession})...)
}

// Stop ends every subscription with a goodbye, within the context.
func (e *Endpoint) Stop(ctx context.Context) error { return e.streams.stop(ctx) }

// watchRights looks at the session again and again until the context is over, and says once why the stream has to end: the
// session is no longer good (Unauthenticated), or its staff member may do or see something else now, or nothing before a
// second factor is set up (Forbidden). While the database cannot be asked nothing is decided, and nothing can be read
// either.
func (e *Endpoint) watchRights(ctx context.Context, who caller, end func(error)) {
	const op = "graph.watchRights"
	ticker := time.NewTicker(e.Streams.CheckEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		now, err := e.Staff.Look(ctx, who.token.Reveal())
		switch {
		case fault.Is(err, fault.Unauthenticated):
			end(fault.E(op, "", err))
			return
		case err == nil && (e.Staff.IsLimited(now) && !who.isLimited || !hasSameRights(now.Staff, who.request.Staff)):
			end(fault.New(op, fault.Forbidden))
			return
		}
	}
}

func hasSameRights(a, b staff.Staff) bool {
	return a.ID == b.ID && a.Scope() == b.Scope() && slices.Equal(a.Role.Permissions(), b.Role.Permissions())
}

// ending is why a subscription ended by itself.
type ending struct {
	mu  sync.Mutex
	err error
}

type endingKey struct{}

func endingOf(ctx context.Context) *ending {
	if e, ok := ctx.Value(endingKey{}).(*ending); ok {
		return e
	}
	return &ending{}
}

func (e *ending) set(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.err = err
}

func (e *ending) get() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.err
}

func isSubscription(oc *graphql.OperationContext) bool {
	return oc.Operation.Operation == ast.Subscription
}

// operate runs an operation until it ends or next does not want more, and returns the errors by which it ended.
func (e *Endpoint) operate(
	ctx context.Context, oc *graphql.OperationContext, next func(*graphql.Response) bool,
) gqlerror.List {
	if !isSubscription(oc) {
		bounded, cancel := context.WithTimeout(ctx, e.Timeout)
		defer cancel()
		responses, bounded := e.exec.DispatchOperation(bounded, oc)
		next(e.only(bounded, responses(bounded)))
		return nil
	}
	release, err := e.subscribe(callerOf(ctx))
	if err != nil {
		return e.errorsOf(graphql.WithOperationContext(ctx, oc), err)
	}
	defer release()
	ctx = context.WithValue(ctx, endingKey{}, &ending{})
	responses, ctx := e.exec.DispatchOperation(ctx, oc)
	for r := responses(ctx); r != nil; r = responses(ctx) {
		if r.Data == nil && len(r.Errors) > 0 {
			return r.Errors // it did not begin
		}
		if !next(r) {
			return nil
		}
	}
	if err := endingOf(ctx).get(); err != nil {
		return e.errorsOf(ctx, err)
	}
	return nil
}

// only is the response to a query or a mutation, whose time may be over before it began.
func (e *Endpoint) only(ctx context.Context, r *graphql.Response) *graphql.Response {
	if r != nil {
		return r
	}
	return &graphql.Response{Errors: e.errorsOf(ctx, fault.E("graph.only", fault.Unavailable, context.Cause(ctx)))}
}

// errorsOf presents one error as the list that GraphQL has.
func (e *Endpoint) errorsOf(ctx context.Context, err error) gqlerror.List {
	return e.exec.DispatchError(ctx, gqlerror.List{gqlerror.Wrap(err)}).Errors
}
