package graph_test

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/graph"
)

// patience is how long a test waits for what has to come.
const patience = 60 * time.Second

const watchTransactions = `subscription($filter: TransactionFilter) { transactionChanged(filter: $filter) {
	isNew hasGap transaction { trackingCode status } } }`

const (
	watchApprovals = `subscription { approvalChanged { isNew hasGap approval { id status } } }`
	watchJobs      = `subscription($id: ID) { jobChanged(id: $id) { isNew hasGap job { id status done } } }`
)

const watchCallbacks = `subscription { callbackChanged { isNew hasGap callbackId status } }`

const watchLines = `subscription { bankLineChanged { isNew hasGap bankLine { lineId status } } }`

const watchDiscrepancies = `subscription { discrepancyChanged { isNew hasGap discrepancy { trackingCode kind status } } }`

// liveServer serves /graphql over connections that hold nothing back: what one end writes, the other has to read.
type liveServer struct {
	*api
	*httptest.Server
	conns chan net.Conn
	ended chan struct{}
}

func (a *api) serve(t *testing.T, set ...func(*http.Server)) *liveServer {
	t.Helper()
	s := &liveServer{api: a, conns: make(chan net.Conn), ended: make(chan struct{})}
	s.Server = httptest.NewUnstartedServer(a.Handler)
	_ = s.Listener.Close()
	s.Listener = s
	for _, change := range set {
		change(s.Config)
	}
	s.Start()
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Server.Close()
	})
	return s
}

func (s *liveServer) Accept() (net.Conn, error) {
	select {
	case c := <-s.conns:
		return c, nil
	case <-s.ended:
		return nil, net.ErrClosed
	}
}

func (s *liveServer) Close() error {
	select {
	case <-s.ended:
	default:
		close(s.ended)
	}
	return nil
}

func (*liveServer) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 80} }

// addressed is one end of a pipe with the address that a client would have.
type addressed struct{ net.Conn }

func (addressed) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 7), Port: 4711} }

func (s *liveServer) dial(context.Context, string, string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case s.conns <- addressed{there}:
		return here, nil
	case <-s.ended:
		return nil, net.ErrClosed
	}
}

// wsMessage is a message of graphql-transport-ws.
type wsMessage struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// wsClient is one end of a WebSocket.
type wsClient struct {
	*testing.T
	*websocket.Conn
}

// connect opens a WebSocket and says nothing yet.
func (s *liveServer) connect(t *testing.T, header http.Header) *wsClient {
	t.Helper()
	dialer := websocket.Dialer{NetDialContext: s.dial, Subprotocols: []string{"graphql-transport-ws"}}
	conn, answer, err := dialer.DialContext(t.Context(), "ws://"+s.Listener.Addr().String()+"/graphql", header)
	if err != nil {
		t.Fatalf("%v: %+v", err, answer)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return &wsClient{T: t, Conn: conn}
}

// signedIn opens a WebSocket for the staff member of a role.
func (s *liveServer) signedIn(t *testing.T, role staff.Role) *wsClient {
	t.Helper()
	c := s.connect(t, http.Header{"Accept-Language": {"en"}})
	c.say(wsMessage{Type: "connection_init", Payload: json.RawMessage(`{"Authorization": "Bearer ` + s.tokens[role] + `"}`)})
	if got := c.hear(); got.Type != "connection_ack" {
		t.Fatalf("connection_init is answered by %+v", got)
	}
	return c
}

func (c *wsClient) say(m wsMessage) {
	c.Helper()
	if err := c.WriteJSON(m); err != nil {
		c.Fatal(err)
	}
}

func (c *wsClient) hear() wsMessage {
	c.Helper()
	var m wsMessage
	_ = c.SetReadDeadline(time.Now().Add(patience))
	if err := c.ReadJSON(&m); err != nil {
		c.Fatalf("nothing is heard: %v", err)
	}
	return m
}

// ends returns the code with which the server closes, after whatever else it says.
func (c *wsClient) ends() (code int, reason string) {
	c.Helper()
	_ = c.SetReadDeadline(time.Now().Add(patience))
	for {
		_, _, err := c.ReadMessage()
		if closed := (*websocket.CloseError)(nil); errorsAs(err, &closed) {
			return closed.Code, closed.Text
		}
		if err != nil {
			c.Fatalf("the connection ends without a word: %v", err)
		}
	}
}

func errorsAs(err error, to **websocket.CloseError) bool {
	closed, ok := err.(*websocket.CloseError) //nolint:errorlint // the library gives it as it is
	*to = closed
	return ok
}

// subscribe begins a subscription and takes its first event, which says to look.
func (c *wsClient) subscribe(id, query string, v vars) {
	c.Helper()
	c.ask(id, query, v)
	first := c.hear()
	if first.ID != id || first.Type != "next" || !strings.Contains(string(first.Payload), `"hasGap":true`) {
		c.Fatalf("the first event is %+v %s", first, first.Payload)
	}
}

// isRefused begins a subscription that is answered by an error.
func (c *wsClient) isRefused(id, code string) {
	c.Helper()
	c.ask(id, watchTransactions, nil)
	if m := c.hear(); m.Type != "error" || m.ID != id || !strings.Contains(string(m.Payload), code) {
		c.Errorf("it is answered by %+v %s, want %s", m, m.Payload, code)
	}
}

func (c *wsClient) ask(id, query string, v vars) {
	c.Helper()
	payload, err := json.Marshal(map[string]any{"query": query, "variables": v})
	if err != nil {
		c.Fatal(err)
	}
	c.say(wsMessage{ID: id, Type: "subscribe", Payload: payload})
}

// event is what a subscription tells.
type event struct {
	IsNew, HasGap bool
	Transaction   struct{ TrackingCode, Status string }
	Discrepancy   struct{ TrackingCode, Kind, Status string }
	Approval, Job struct{ ID, Status string }
}

// eventIn reads an event of any subscription.
func eventIn(t *testing.T, payload []byte) event {
	t.Helper()
	var body struct {
		Data struct{ TransactionChanged, DiscrepancyChanged, ApprovalChanged, JobChanged *event }
	}
	if err := json.Unmarshal(payload, &body); err != nil {
		t.Fatal(err)
	}
	d := body.Data
	if e := cmp.Or(d.TransactionChanged, d.DiscrepancyChanged, d.ApprovalChanged, d.JobChanged); e != nil {
		return *e
	}
	t.Fatalf("no event: %s", payload)
	return event{}
}

// event returns the next event that is no gap.
func (c *wsClient) event() event {
	c.Helper()
	for {
		m := c.hear()
		if m.Type != "next" {
			c.Fatalf("no event is heard but %s %s", m.Type, m.Payload)
		}
		if e := eventIn(c.T, m.Payload); !e.HasGap {
			return e
		}
	}
}

// until takes events until one is of a payment in a status.
func (c *wsClient) until(p payment.Payment, status payment.Status) (seen []event) {
	c.Helper()
	for {
		e := c.event()
		seen = append(seen, e)
		if e.Transaction.TrackingCode == p.TrackingCode && e.Transaction.Status == strings.ToUpper(string(status.Common())) {
			return seen
		}
	}
}

// sseClient reads server-sent events.
type sseClient struct {
	*testing.T
	*http.Response
	lines *bufio.Scanner
}

// events asks for a stream as a role's staff member.
func (s *liveServer) events(t *testing.T, role staff.Role, query string, v vars) *sseClient {
	t.Helper()
	r := request(t, s.tokens[role], query, v)
	r.RequestURI, r.URL.Scheme, r.URL.Host = "", "http", s.Listener.Addr().String()
	r.Header.Set("Accept", "text/event-stream")
	client := &http.Client{Transport: &http.Transport{DialContext: s.dial}}
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	answer, err := client.Do(r.WithContext(ctx))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); _ = answer.Body.Close() })
	return &sseClient{T: t, Response: answer, lines: bufio.NewScanner(answer.Body)}
}

// hear returns the next event's name and data; a ping has no name.
func (c *sseClient) hear() (name, data string) {
	c.Helper()
	for c.lines.Scan() {
		line := c.lines.Text()
		switch {
		case strings.HasPrefix(line, "event: "):
			name = strings.TrimPrefix(line, "event: ")
		case strings.HasPrefix(line, "data:"):
			data = strings.TrimSpace(strings.TrimPrefix(line, "data:"))
		case line == "":
			return name, data
		}
	}
	c.Fatalf("the stream is over: %v", c.lines.Err())
	return "", ""
}

// next returns the next event that is no ping.
func (c *sseClient) next() (name, data string) {
	c.Helper()
	for name == "" {
		name, data = c.hear()
	}
	return name, data
}

func (a *api) endpoint() *graph.Endpoint { return a.Handler.(*graph.Endpoint) }
