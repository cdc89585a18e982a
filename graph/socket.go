package graph

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/gorilla/websocket"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/vezne/vezne/core/fault"
)

// subprotocol is the one that is spoken: https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
const subprotocol = "graphql-transport-ws"

// Codes with which a WebSocket is closed, as the protocol has them.
const (
	closeBadMessage      = 4400
	closeUnauthenticated = 4401
	closeForbidden       = 4403
	closeSubprotocol     = 4406
	closeInitTimeout     = 4408
	closeIDTaken         = 4409
	closeInitTwice       = 4429
)

const (
	// outgoing messages wait for a client at most; then its subscriptions wait, and the slow ones are let go.
	outgoing = 16
	// maxIDBytes bounds the name that a client has for a subscription.
	maxIDBytes = 128
	// goodbyeTimeout bounds the closing message.
	goodbyeTimeout = time.Second
)

// message is one of the protocol.
type message struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// closing is why and how a socket ends.
type closing struct {
	code   int
	reason string
}

func (c closing) Error() string { return c.reason }

// socket is one client's WebSocket.
type socket struct {
	*Endpoint
	conn *websocket.Conn
	from *http.Request // which opened it
	out  chan message
	base context.Context // of the connection, without who calls
	end  context.CancelCauseFunc

	mu         sync.Mutex
	leave      func()  // counts the socket off, among the guests or among those of staff
	who        *caller // nil before connection_init
	active     map[string]context.CancelFunc
	operations sync.WaitGroup
}

// serveSocket speaks with a client until either wants to end.
func (e *Endpoint) serveSocket(w http.ResponseWriter, r *http.Request) {
	ctx := graphql.StartOperationTrace(withCaller(r.Context(), e.callerOf(r.Context(), r, nil)))
	retry, err := e.count(ctx, callerOf(ctx), 1)
	if err == nil {
		err = e.sameOrigin(r)
	}
	if err == nil {
		err = e.streams.enter()
	}
	if err != nil {
		setHeaders(w, r)
		tellRetry(w, retry)
		e.refuse(ctx, w, err)
		return
	}
	defer e.streams.leave()
	base, end := context.WithCancelCause(ctx)
	defer end(nil)
	leave, err := e.admit(callerOf(ctx), func() { end(closing{websocket.CloseTryAgainLater, "too many wait to sign in"}) })
	if err != nil {
		setHeaders(w, r)
		e.refuse(ctx, w, err)
		return
	}
	upgrader := websocket.Upgrader{
		Subprotocols: []string{subprotocol}, HandshakeTimeout: e.Streams.InitWithin, ReadBufferSize: 1 << 10,
		WriteBufferSize: 4 << 10, CheckOrigin: func(*http.Request) bool { return true }, // sameOrigin did
	}
	conn, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		leave()
		return // it was answered
	}
	s := &socket{
		Endpoint: e, conn: conn, from: r, out: make(chan message, outgoing), base: base, end: end, leave: leave,
		active: map[string]context.CancelFunc{},
	}
	defer s.leaveSeat()
	s.serve()
}

// sameOrigin refuses a browser that is on another site: a WebSocket is opened by GET, which nothing else here takes, so the
// rule for writing requests is asked. Fault: CrossSite.
func (e *Endpoint) sameOrigin(r *http.Request) error {
	asked := r.Clone(r.Context())
	asked.Method = http.MethodPost
	if err := http.NewCrossOriginProtection().Check(asked); err != nil {
		return fault.E("graph.sameOrigin", fault.CrossSite, err)
	}
	if r.Header.Get(SessionHeader) != "" {
		return e.ownPage(r)
	}
	return nil
}

func (s *socket) serve() {
	var parts sync.WaitGroup
	parts.Go(s.write)
	parts.Go(s.say)
	if s.conn.Subprotocol() == subprotocol {
		s.end(s.read())
	} else {
		s.end(closing{closeSubprotocol, "Subprotocol not acceptable"})
	}
	s.operations.Wait()
	parts.Wait()
}

// say ends the socket in order when all are to end.
func (s *socket) say() {
	select {
	case <-s.base.Done():
	case <-s.streams.over:
		s.mu.Lock()
		for _, cancel := range s.active {
			cancel()
		}
		s.active = nil // none begins any more
		s.mu.Unlock()
		s.operations.Wait()
		s.end(closing{websocket.CloseGoingAway, "going away"})
	}
}

// write is the only one who sends messages, and closes the connection in the end.
func (s *socket) write() {
	defer func() { _ = s.conn.Close() }()
	ping := time.NewTicker(s.Streams.PingEvery)
	defer ping.Stop()
	for {
		select {
		case m := <-s.out:
			if !s.send(m) {
				return
			}
		case <-ping.C:
			deadline := time.Now().Add(s.Streams.WriteWithin)
			if err := s.conn.WriteControl(websocket.PingMessage, nil, deadline); err != nil {
				s.end(err)
				return
			}
		case <-s.base.Done():
			s.goodbye()
			return
		}
	}
}

func (s *socket) send(m message) bool {
	_ = s.conn.SetWriteDeadline(time.Now().Add(s.Streams.WriteWithin)) // the write tells whether it holds
	if err := s.conn.WriteJSON(m); err != nil {
		s.end(err)
		return false
	}
	return true
}

// goodbye sends what waits and says why the socket ends.
func (s *socket) goodbye() {
	for {
		select {
		case m := <-s.out:
			if !s.send(m) {
				return
			}
			continue
		default:
		}
		break
	}
	code, reason := websocket.CloseNormalClosure, ""
	if why := (closing{}); errors.As(context.Cause(s.base), &why) {
		code, reason = why.code, why.reason
	}
	text := websocket.FormatCloseMessage(code, reason)
	_ = s.conn.WriteControl(websocket.CloseMessage, text, time.Now().Add(goodbyeTimeout))
}

// put queues a message for the writer, and waits while a slow client leaves no room.
func (s *socket) put(m message) bool {
	select {
	case s.out <- m:
		return true
	case <-s.base.Done():
		return false
	}
}

// read takes messages until the client goes, is silent, or says what it must not; it returns why.
func (s *socket) read() error {
	s.conn.SetReadLimit(maxBodyBytes)
	initBy := time.Now().Add(s.Streams.InitWithin)
	s.conn.SetPongHandler(func(string) error { return s.conn.SetReadDeadline(s.readBy(initBy)) })
	for {
		if err := s.conn.SetReadDeadline(s.readBy(initBy)); err != nil {
			return err
		}
		kind, body, err := s.conn.ReadMessage()
		if late := (net.Error)(nil); errors.As(err, &late) && late.Timeout() && s.caller() == nil {
			return closing{closeInitTimeout, "Connection initialisation timeout"}
		}
		if err != nil {
			return err
		}
		var m message
		if kind != websocket.TextMessage || !isBoundedJSON(body) || json.Unmarshal(body, &m) != nil {
			return closing{closeBadMessage, "Invalid message"}
		}
		if err := s.take(m); err != nil {
			return err
		}
	}
}

// readBy is until when the client has to show that it lives.
func (s *socket) readBy(initBy time.Time) time.Time {
	if s.caller() == nil {
		return initBy
	}
	return time.Now().Add(2*s.Streams.PingEvery + s.Streams.WriteWithin)
}

func (s *socket) caller() *caller {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.who
}

// take does what a message asks for; an error ends the socket.
func (s *socket) take(m message) error {
	switch m.Type {
	case "connection_init":
		return s.open(m.Payload)
	case "ping":
		s.put(message{Type: "pong", Payload: m.Payload})
	case "pong":
	case "subscribe":
		return s.subscribe(m)
	case "complete":
		s.mu.Lock()
		cancel := s.active[m.ID]
		s.mu.Unlock()
		if cancel != nil {
			cancel()
		}
	default:
		return closing{closeBadMessage, "Invalid message type"}
	}
	return nil
}

// open signs the client in: by the token of the payload, else by that of the request.
func (s *socket) open(payload json.RawMessage) error {
	if s.caller() != nil {
		return closing{closeInitTwice, "Too many initialisation requests"}
	}
	var sent map[string]any
	if len(payload) > 0 && json.Unmarshal(payload, &sent) != nil {
		return closing{closeBadMessage, "Invalid message"}
	}
	who := s.callerIn(sent)
	if fault.Is(who.refused, fault.Unauthenticated) {
		return closing{closeUnauthenticated, string(fault.Unauthenticated)}
	}
	if who.refused != nil {
		return closing{websocket.CloseTryAgainLater, string(fault.CodeOf(who.refused))}
	}
	if err := s.seat(who); err != nil {
		return closing{websocket.CloseTryAgainLater, string(fault.CodeOf(err))}
	}
	s.put(message{Type: "connection_ack"})
	go s.watchRights(s.base, who, func(err error) {
		code := closeForbidden
		if fault.Is(err, fault.Unauthenticated) {
			code = closeUnauthenticated
		}
		s.end(closing{code, string(fault.CodeOf(err))})
	})
	return nil
}

// seat counts the client among those who have signed in. Faults: TooManyStreams, Unavailable.
func (s *socket) seat(who caller) error {
	isGuest := callerOf(s.base).refused != nil
	leave := s.leave
	if isGuest {
		var err error
		if leave, err = s.admit(who, nil); err != nil {
			return err
		}
		s.leave()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.who, s.leave = &who, leave
	return nil
}

func (s *socket) leaveSeat() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leave()
}

// subscribe begins an operation under the client's name for it.
func (s *socket) subscribe(m message) error {
	params := &graphql.RawParams{}
	if m.ID == "" || len(m.ID) > maxIDBytes || decodeParams(m.Payload, params) != nil {
		return closing{closeBadMessage, "Invalid message"}
	}
	ctx, err := s.begin(m.ID)
	if err == nil {
		go func() { defer s.operations.Done(); s.run(ctx, m.ID, params) }()
	}
	if fault.Is(err, fault.TooManyStreams) {
		s.put(message{ID: m.ID, Type: "error", Payload: encoded(s.errorsOf(s.base, err))})
		return nil
	}
	return err
}

// begin makes room for an operation under the client's name for it, and returns the context in which it runs. Fault:
// TooManyStreams; any other error ends the socket.
func (s *socket) begin(id string) (context.Context, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, isTaken := s.active[id]
	switch {
	case s.who == nil:
		return nil, closing{closeUnauthenticated, "Unauthorized"}
	case isTaken:
		return nil, closing{closeIDTaken, "Subscriber for " + id[:min(len(id), 64)] + " already exists"}
	case s.active == nil, len(s.active) >= s.Streams.PerConnection: // all are to end, or there are too many
		return nil, fault.New("graph.socket.begin", fault.TooManyStreams)
	}
	ctx, cancel := context.WithCancel(graphql.StartOperationTrace(withCaller(s.base, *s.who)))
	s.active[id] = cancel
	s.operations.Add(1) // here, so that nobody who has ended all waits too early
	return ctx, nil
}

// run runs one operation and says that it has ended, unless the client has ended it.
func (s *socket) run(ctx context.Context, id string, params *graphql.RawParams) {
	list := s.result(ctx, id, params)
	byClient := ctx.Err() != nil
	s.mu.Lock()
	if cancel, ok := s.active[id]; ok {
		cancel()
		delete(s.active, id)
	} else {
		byClient = false // all are to end
	}
	s.mu.Unlock()
	switch {
	case len(list) > 0 && !byClient:
		s.put(message{ID: id, Type: "error", Payload: encoded(list)})
	case !byClient:
		s.put(message{ID: id, Type: "complete"})
	}
}

func (s *socket) result(ctx context.Context, id string, params *graphql.RawParams) gqlerror.List {
	_, err := s.count(ctx, callerOf(ctx), 1)
	if err == nil {
		_, err = s.countQuery(ctx, callerOf(ctx), params.Query)
	}
	var who caller
	if err == nil {
		who, err = s.now(ctx, callerOf(ctx))
	}
	if err != nil {
		return s.errorsOf(ctx, err)
	}
	ctx = withCaller(ctx, who)
	oc, invalid := s.exec.CreateOperationContext(ctx, params)
	if len(invalid) > 0 {
		return s.exec.DispatchError(graphql.WithOperationContext(ctx, oc), toldOf(invalid)).Errors
	}
	return s.operate(ctx, oc, func(r *graphql.Response) bool {
		return ctx.Err() == nil && s.put(message{ID: id, Type: "next", Payload: encoded(r)})
	})
}
