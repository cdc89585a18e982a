package graph_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/graph"
)

// fromHeader takes the address of a request from a header that the test sends.
func fromHeader(c *graph.Config) {
	c.ClientAddr = func(r *http.Request) netip.Addr {
		addr, err := netip.ParseAddr(r.Header.Get("X-Addr"))
		if err != nil {
			return netip.MustParseAddr("198.51.100.1")
		}
		return addr
	}
}

// TestWhoIsNotSignedInHasARate: by address, over whatever they come; staff at the same address go on.
func TestWhoIsNotSignedInHasARate(t *testing.T) {
	t.Parallel()
	a := newAPI(t, fromHeader)
	const ok = `{"query":"{ __typename }"}`
	from := func(addr string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("X-Addr", addr) }
	}
	for i := range 60 {
		kind := []string{ok, `{`, `{"query":"{ you }"}`}[i%3]
		if answer := a.raw(t, kind, from("192.0.2.1")); answer.Status == http.StatusTooManyRequests {
			t.Fatalf("request %d is answered %s", i, answer.Raw)
		}
	}
	for name, set := range map[string]func(*http.Request){
		"POST":         func(*http.Request) {},
		"GET":          func(r *http.Request) { r.Method = http.MethodGet },
		"events":       func(r *http.Request) { r.Header.Set("Accept", "text/event-stream") },
		"a bad token":  func(r *http.Request) { r.Header.Set("Authorization", "Bearer vzg_x") },
		"an upgrade":   upgrade,
		"another site": func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
	} {
		answer := a.raw(t, ok, func(r *http.Request) { from("192.0.2.1")(r); set(r) })
		seconds, err := strconv.Atoi(answer.Header.Get("Retry-After"))
		if answer.Status != http.StatusTooManyRequests || answer.code() != "RATE_LIMITED" || err != nil || seconds < 1 || seconds > 10 {
			t.Errorf("%s: got %d %s, Retry-After %q", name, answer.Status, answer.Raw, answer.Header.Get("Retry-After"))
		}
	}
	if answer := a.raw(t, ok, from("192.0.2.2")); answer.Status != 200 {
		t.Errorf("another address is answered %d", answer.Status)
	}
	r := request(t, a.tokens[staff.Admin], `{ me { id } }`, nil)
	from("192.0.2.1")(r)
	if answer := a.send(t, r); answer.code() != "" {
		t.Errorf("staff at the address are answered %s", answer.Raw)
	}
}

func upgrade(r *http.Request) {
	r.Method, r.Body = http.MethodGet, http.NoBody
	for key, value := range map[string]string{"Connection": "Upgrade", "Upgrade": "websocket", "Sec-Websocket-Version": "13"} {
		r.Header.Set(key, value)
	}
}

// TestReadingTheSchemaCountsAsMany: its answer is the longest that there is.
func TestReadingTheSchemaCountsAsMany(t *testing.T) {
	t.Parallel()
	a := newAPI(t, withIntrospection)
	read := 0
	for a.as(t, "", `{ __schema { queryType { name } } }`, nil).Status == 200 {
		read++
	}
	if read != 2 {
		t.Errorf("the schema is read %d times in ten seconds", read)
	}
}

// TestAMemberHasARate: in all sessions together, and one that a person never meets.
func TestAMemberHasARate(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	c := a.serve(t).signedIn(t, staff.Admin)
	if !a.Staff.AdmitMember(t.Context(), a.Admin, 5_990).OK {
		t.Fatal("6,000 requests in a minute are too many")
	}
	a.tokens["again"] = a.session(t, a.Admin)
	for a.as(t, "again", `{ me { id } }`, nil).Status == 200 {
	}
	answer := a.as(t, staff.Admin, `{ me { id } }`, nil)
	if answer.Status != http.StatusTooManyRequests || answer.code() != "RATE_LIMITED" || answer.Header.Get("Retry-After") == "" {
		t.Errorf("got %d %s", answer.Status, answer.Raw)
	}
	c.isRefused("1", "RATE_LIMITED")
	if answer := a.as(t, staff.Viewer, `{ me { id } }`, nil); answer.code() != "" {
		t.Errorf("another member is answered %s", answer.Raw)
	}
}

// realServer is /graphql at a real address.
func (a *api) realServer(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(a.Handler)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return "ws://" + strings.TrimPrefix(s.URL, "http://") + "/graphql"
}

// dial opens a real WebSocket from an address.
func dial(t *testing.T, url, addr string) *wsClient {
	t.Helper()
	dialer := websocket.Dialer{Subprotocols: []string{"graphql-transport-ws"}, HandshakeTimeout: patience}
	conn, answer, err := dialer.DialContext(t.Context(), url, http.Header{"X-Addr": {addr}})
	if err != nil {
		t.Fatalf("%v: %+v", err, answer)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return &wsClient{T: t, Conn: conn}
}

func (c *wsClient) signIn(token string) *wsClient {
	c.Helper()
	c.say(wsMessage{Type: "connection_init", Payload: json.RawMessage(`{"Authorization": "Bearer ` + token + `"}`)})
	if got := c.hear(); got.Type != "connection_ack" {
		c.Fatalf("connection_init is answered by %+v", got)
	}
	return c
}

// TestSocketsThatSayNothingKeepNobodyOut: 2,000 real ones, of one address and of many. Streams of staff go on, and new ones
// begin.
func TestSocketsThatSayNothingKeepNobodyOut(t *testing.T) {
	t.Parallel()
	for name, addr := range map[string]func(i int) string{
		"of one address":     func(int) string { return "192.0.2.1" },
		"of many addresses":  func(i int) string { return fmt.Sprintf("192.0.%d.%d", i/250, i%250) },
		"of three addresses": func(i int) string { return fmt.Sprintf("192.0.2.%d", i%3) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAPI(t, fromHeader, unlimited, func(c *graph.Config) { c.Streams.InitWithin = time.Hour })
			url := a.realServer(t)
			before := dial(t, url, "192.0.2.1").signIn(a.tokens[staff.Admin])
			before.subscribe("1", watchTransactions, nil)
			var silent []*wsClient
			for i := range 2_000 {
				silent = append(silent, dial(t, url, addr(i)))
				if i%400 == 0 { // while they come
					dial(t, url, "198.51.100.7").signIn(a.tokens[staff.Viewer]).subscribe("1", watchTransactions, nil)
					dial(t, url, "192.0.2.1").signIn(a.tokens[staff.Viewer])
				}
			}
			p := a.start(t, payment.ManualDeposit)
			before.until(p, payment.Showing)
			after := dial(t, url, "192.0.2.1").signIn(a.tokens[staff.Operator])
			after.subscribe("1", watchTransactions, nil)
			var ended sync.WaitGroup
			for _, c := range silent[:1_700] { // at most 200 are left, and 10 of an address
				ended.Go(func() {
					if _, _, err := c.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseTryAgainLater) {
						t.Errorf("a silent one ends with %v", err)
					}
				})
			}
			ended.Wait()
		})
	}
}

// TestASocketThatSaysNothingEndsSoon: three seconds are enough to say who one is.
func TestASocketThatSaysNothingEndsSoon(t *testing.T) {
	t.Parallel()
	c := newAPI(t).endpoint()
	if c.Streams.InitWithin != 3*time.Second {
		t.Errorf("connection_init may take %s", c.Streams.InitWithin)
	}
}
