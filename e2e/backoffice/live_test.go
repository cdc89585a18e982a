package backoffice_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/vezne/vezne/e2e/harness"
)

// watcher is a staff member's subscription to transactions over a WebSocket.
type watcher struct {
	*testing.T
	conn *websocket.Conn
}

// liveMessage is a message of graphql-transport-ws.
type liveMessage struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// change is what is told of a transaction.
type change struct {
	IsNew, HasGap bool
	Transaction   struct{ TrackingCode, Status string }
}

const watchQuery = `subscription { transactionChanged { isNew hasGap transaction { trackingCode status } } }`

// watch subscribes to transactions, and is told first that it should look.
func watch(t *testing.T, s harness.Staff) *watcher {
	t.Helper()
	w := subscribe(t, s, watchQuery)
	if c := w.next(); !c.HasGap {
		t.Fatalf("the first event is %+v", c)
	}
	return w
}

// subscribe asks for events over a WebSocket.
func subscribe(t *testing.T, s harness.Staff, query string) *watcher {
	t.Helper()
	w := connect(t, s)
	w.subscribe("1", query)
	return w
}

// dial opens a WebSocket at a server, and says nothing.
func dial(t *testing.T, base string, header http.Header) (*websocket.Conn, error) {
	t.Helper()
	dialer := websocket.Dialer{Subprotocols: []string{"graphql-transport-ws"}, HandshakeTimeout: harness.Patience}
	conn, answer, err := dialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(base, "http")+"/graphql", header)
	if err != nil {
		return nil, fmt.Errorf("%w: %+v", err, answer)
	}
	return conn, nil
}

// connect opens a WebSocket and signs in. Who is asked to come later does, as the console.
func connect(t *testing.T, s harness.Staff) (w *watcher) {
	t.Helper()
	harness.Eventually(t, func() error {
		conn, err := dial(t, s.Base, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		w = &watcher{T: t, conn: conn}
		if err := conn.WriteJSON(liveMessage{Type: "connection_init", Payload: json.RawMessage(`{"Authorization":"Bearer ` + s.Token + `"}`)}); err != nil {
			return err
		}
		m, err := w.hear()
		if err != nil && !websocket.IsCloseError(err, websocket.CloseTryAgainLater) || err == nil && m.Type != "connection_ack" {
			t.Fatalf("connection_init is answered by %+v (%v)", m, err)
		}
		return err
	})
	return w
}

func (w *watcher) subscribe(id, query string) {
	w.Helper()
	payload, _ := json.Marshal(map[string]string{"query": query}) // a text always can be
	w.say(liveMessage{ID: id, Type: "subscribe", Payload: payload})
}

func (w *watcher) say(m liveMessage) {
	w.Helper()
	if err := w.conn.WriteJSON(m); err != nil {
		w.Fatal(err)
	}
}

func (w *watcher) hear() (m liveMessage, err error) {
	_ = w.conn.SetReadDeadline(time.Now().Add(harness.Patience))
	return m, w.conn.ReadJSON(&m)
}

func (w *watcher) next() change {
	w.Helper()
	m, err := w.hear()
	if err != nil || m.Type != "next" {
		w.Fatalf("no event but %+v (%v)", m, err)
	}
	return changeIn(w.T, m.Payload)
}

func changeIn(t *testing.T, payload []byte) change {
	t.Helper()
	var body struct {
		Data struct{ TransactionChanged change }
	}
	if err := json.Unmarshal(payload, &body); err != nil {
		t.Fatalf("%v in %s", err, payload)
	}
	return body.Data.TransactionChanged
}

// until takes events until a payment is told in a status, and returns the statuses in which it was told, each once.
func (w *watcher) until(code, status string) (statuses []string, isNew bool) {
	w.Helper()
	for {
		c := w.next()
		if c.Transaction.TrackingCode != code {
			continue
		}
		isNew = isNew || c.IsNew
		if len(statuses) == 0 || statuses[len(statuses)-1] != c.Transaction.Status {
			statuses = append(statuses, c.Transaction.Status)
		}
		if c.Transaction.Status == status {
			return statuses, isNew
		}
	}
}

// untilTold takes events until one has a text.
func (w *watcher) untilTold(text string) {
	w.Helper()
	for {
		m, err := w.hear()
		if err != nil || m.Type != "next" {
			w.Fatalf("no event with %s but %+v (%v)", text, m, err)
		}
		if strings.Contains(string(m.Payload), text) {
			return
		}
	}
}

// untilGap takes events until one says that it should look again.
func (w *watcher) untilGap() {
	w.Helper()
	for !w.next().HasGap {
	}
}

// see has a payment created over REST and decided over GraphQL at one process, and watched at another.
func see(t *testing.T, in *harness.Installation, at *harness.Process, decider harness.Staff, w *watcher) harness.Payment {
	t.Helper()
	p := in.Provider(at).Create(t, "start-manual-deposit", "10.00")
	if seen, isNew := w.until(p.TrackingCode, "SHOWING"); !isNew || len(seen) != 1 {
		t.Errorf("the creation is told as %v, new: %t", seen, isNew)
	}
	decider.Must(t, "approveDeposit", p.TrackingCode)
	if seen, isNew := w.until(p.TrackingCode, "COMPLETED"); isNew || !slices.Equal(seen, []string{"COMPLETED"}) {
		t.Errorf("the decision is told as %v, new: %t", seen, isNew)
	}
	return p
}

// TestWatchingRequestsAndJobsAcrossProcesses is told at one process of what staff ask for, approve and order at another.
func TestWatchingRequestsAndJobsAcrossProcesses(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		here := in.Serve()
		there := here
		if in.Setting("REDIS_URL") != "" {
			there = in.Serve()
		}
		requests := subscribe(t, in.SignIn(here, "auditor"), `subscription { approvalChanged { hasGap approval { id status } } }`)
		jobs := subscribe(t, in.SignIn(here, "support"), `subscription { jobChanged { hasGap job { id status percent } } }`)
		requests.untilTold(`"hasGap":true`)
		jobs.untilTold(`"hasGap":true`)

		alone := in.SignIn(there, "admin").Ask(
			`mutation { inviteStaff(input: {email: "deniz@vezne.example", role: VIEWER}) { link } }`, nil, &struct{}{})
		if harness.CodeOf(alone) != "APPROVAL_NEEDED" {
			t.Fatalf("inviting staff alone gives %v", alone)
		}
		second := secondAdmin(in, there)
		waiting := second.Requests(t, "WAITING")
		if len(waiting) != 1 {
			t.Fatalf("there wait %+v", waiting)
		}
		id := waiting[0].ID
		requests.untilTold(`{"id":"` + id + `","status":"WAITING"}`)
		if err := second.Approve(id); err != nil {
			t.Fatal(err)
		}
		requests.untilTold(`{"id":"` + id + `","status":"APPROVED"}`)

		var ordered struct {
			StartExport struct{ Job struct{ ID string } }
		}
		if err := in.SignIn(there, "support").Ask(`mutation { startExport(input: {format: CSV}) { job { id } } }`, nil, &ordered); err != nil {
			t.Fatal(err)
		}
		jobs.untilTold(`{"id":"` + ordered.StartExport.Job.ID + `","status":"DONE","percent":100}`)
		if there != here {
			there.Stop(t)
		}
		here.Stop(t)
	})
}

// secondAdmin is the other one.
func secondAdmin(in *harness.Installation, p *harness.Process) harness.Staff {
	in.T.Helper()
	last := in.Keys.Staff[len(in.Keys.Staff)-1]
	s, err := harness.SignIn(p.URL, last.Email, last.Password)
	if err != nil || last.Role != "admin" {
		in.T.Fatalf("the last of the demo's staff is %s (%v)", last.Role, err)
	}
	return s
}

// TestWatchingAcrossProcesses watches at one process what happens at another; embedded there is only one.
func TestWatchingAcrossProcesses(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		const password = "correct horse battery"
		in.SucceedWith(password+"\n", "staff", "create", "--email", "other@vezne.example", "--role", "dealer", "--dealer", "999")
		here := in.Serve()
		there := here
		if in.Setting("REDIS_URL") != "" {
			there = in.Serve()
		}
		operator := in.SignIn(there, "operator")
		w := watch(t, in.SignIn(here, "viewer"))
		own := watch(t, in.SignIn(here, "dealer"))
		stream := stream(t, in.SignIn(here, "viewer"))
		stranger, err := harness.SignIn(here.URL, "other@vezne.example", password)
		if err != nil {
			t.Fatal(err)
		}
		others := watch(t, stranger)
		p := see(t, in, there, operator, w)
		own.until(p.TrackingCode, "COMPLETED")
		stream.until(p.TrackingCode, "COMPLETED")
		see(t, in, there, operator, w)
		if there != here {
			there.Stop(t)
		}
		here.Terminate()
		for m, err := others.hear(); ; m, err = others.hear() {
			if closed := (*websocket.CloseError)(nil); errors.As(err, &closed) && closed.Code == websocket.CloseGoingAway {
				break
			}
			if err != nil || m.Type != "complete" {
				t.Fatalf("another dealer's staff hear %s %s (%v)", m.Type, m.Payload, err)
			}
		}
		if err := here.End(); err != nil {
			t.Error(err)
		}
		here.CheckLog(t)
	})
}

// TestOutageWatchingWithoutRedis kills Redis: who watches is told to look again, and hears what comes.
func TestOutageWatchingWithoutRedis(t *testing.T) {
	t.Parallel()
	redis := harness.NewOwnRedis(t)
	in := harness.NewOnServersWith(t, redis.URL)
	here, there := in.Serve(), in.Serve()
	operator, w := in.SignIn(there, "operator"), watch(t, in.SignIn(here, "viewer"))
	see(t, in, there, operator, w)
	redis.Down(syscall.SIGKILL)
	missed := in.Provider(there).Create(t, "start-manual-deposit", "10.00")
	redis.Up(t)
	w.untilGap()
	if found := in.SignIn(here, "viewer").Transaction(t, missed.TrackingCode); found.Status != "SHOWING" {
		t.Errorf("who looks again sees %+v", found)
	}
	// The other process may still be finding its way back: it tells when it has.
	last := in.Provider(there).Create(t, "start-manual-deposit", "10.00")
	w.until(last.TrackingCode, "SHOWING")
	see(t, in, there, operator, w)
	there.Stop(t)
	here.Stop(t)
}

// eventReader is a subscription by server-sent events.
type eventReader struct {
	*testing.T
	lines *bufio.Scanner
}

func stream(t *testing.T, s harness.Staff) *eventReader {
	t.Helper()
	body, _ := json.Marshal(map[string]string{"query": watchQuery}) // a text always can be
	ctx, cancel := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.Base+"/graphql", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	r.Header.Set("Authorization", "Bearer "+s.Token)
	answer, err := (&http.Client{}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); _ = answer.Body.Close() })
	e := &eventReader{T: t, lines: bufio.NewScanner(answer.Body)}
	if c := e.next(); !c.HasGap {
		t.Fatalf("the first event is %+v", c)
	}
	return e
}

func (e *eventReader) next() change {
	e.Helper()
	for e.lines.Scan() {
		if data, ok := strings.CutPrefix(e.lines.Text(), "data: "); ok {
			return changeIn(e.T, []byte(data))
		}
	}
	e.Fatal(fmt.Errorf("the stream is over: %w", e.lines.Err()))
	return change{}
}

func (e *eventReader) until(code, status string) {
	e.Helper()
	for c := e.next(); c.Transaction.TrackingCode != code || c.Transaction.Status != status; c = e.next() {
	}
}
