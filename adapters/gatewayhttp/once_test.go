package gatewayhttp_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"

	"github.com/vezne/vezne/core/gateway"
)

// TestNothingThatCouldChangeSomethingIsSentTwice: on a connection that was used before, the gateway reads a request and
// hangs up. The library would send some of these again.
func TestNothingThatCouldChangeSomethingIsSentTwice(t *testing.T) {
	t.Parallel()
	key := func(name string) gateway.Header { return gateway.Header{{Name: name, Value: "01J"}} }
	for name, c := range map[string]struct {
		request gateway.Request
		times   int
	}{
		"a body":               {gateway.Request{Method: http.MethodPost, Body: []byte("a")}, 1},
		"a body and a key":     {gateway.Request{Method: http.MethodPost, Body: []byte("a"), Header: key("Idempotency-Key")}, 1},
		"no body":              {gateway.Request{Method: http.MethodPost}, 1},
		"no body and a key":    {gateway.Request{Method: http.MethodPost, Header: key("Idempotency-Key")}, 1},
		"no body, another key": {gateway.Request{Method: http.MethodPut, Header: key("x-idempotency-key")}, 1},
		"deletion":             {gateway.Request{Method: http.MethodDelete, Header: key("Idempotency-Key")}, 1},
		"reading":              {gateway.Request{Method: http.MethodGet}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log arrivals
			address := "http://" + raw(t, log.hangUpOnTheSecond)
			d := doer(t, address)
			if _, err := d.Do(t.Context(), get(address+"/first")); err != nil {
				t.Fatal(err)
			}
			c.request.URL = address + "/second"
			_, err := d.Do(t.Context(), c.request)
			if got := log.count("/second"); got != c.times {
				t.Errorf("it arrived %d times, want %d", got, c.times)
			}
			if c.times == 1 {
				checkFailure(t, err, gateway.Retryable, gateway.EffectUnknown, "the connection was closed without an answer")
			} else if err != nil {
				t.Error(err)
			}
			// The connections that were given up are not in the way.
			if _, err := d.Do(t.Context(), get(address+"/third")); err != nil {
				t.Error(err)
			}
		})
	}
}

type arrivals struct {
	mu    sync.Mutex
	paths []string
}

// hangUpOnTheSecond answers the first request on each connection.
func (a *arrivals) hangUpOnTheSecond(conn net.Conn) {
	from := bufio.NewReader(conn)
	for _, answer := range []string{"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK", ""} {
		r, ok := nextRequest(from)
		if !ok {
			return
		}
		a.mu.Lock()
		a.paths = append(a.paths, r.URL.Path)
		a.mu.Unlock()
		_, _ = io.WriteString(conn, answer)
	}
}

func (a *arrivals) count(path string) (n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, p := range a.paths {
		if p == path {
			n++
		}
	}
	return n
}
