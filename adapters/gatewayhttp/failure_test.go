package gatewayhttp_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/vezne/vezne/adapters/gatewayhttp"
	"github.com/vezne/vezne/core/gateway"
)

func checkFailure(t *testing.T, err error, class gateway.Class, effect gateway.Effect, why string) {
	t.Helper()
	var failure *gateway.Error
	if !errors.As(err, &failure) {
		t.Errorf("%v is no *gateway.Error", err)
		return
	}
	want := gateway.Error{Class: class, Effect: effect, Err: errors.New(why)}
	if err.Error() != want.Error() || failure.RawText != "" {
		t.Errorf("got %v, want %v", err, &want)
	}
}

// raw is a gateway that is given each connection, and closes it afterwards.
func raw(t *testing.T, talk func(net.Conn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				talk(conn)
			}()
		}
	}()
	return listener.Addr().String()
}

// says reads one request and says something.
func says(t *testing.T, text string) string {
	t.Helper()
	return raw(t, func(conn net.Conn) {
		if _, ok := nextRequest(bufio.NewReader(conn)); ok {
			_, _ = io.WriteString(conn, text)
		}
	})
}

func nextRequest(from *bufio.Reader) (*http.Request, bool) {
	r, err := http.ReadRequest(from)
	if err != nil {
		return nil, false
	}
	_, err = io.Copy(io.Discard, r.Body)
	return r, err == nil
}

func closedPort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

func TestAnAnswerThatIsNoneHasAnUnknownEffect(t *testing.T) {
	t.Parallel()
	const noHTTP = "the gateway gave no valid HTTP answer"
	for name, c := range map[string]struct{ text, why string }{
		"none at all":   {"", "the connection was closed without an answer"},
		"no HTTP":       {"220 hunter2 ESMTP\r\n", noHTTP},
		"half a head":   {"HTTP/1.1 200 OK\r\nContent-Le", noHTTP},
		"half a body":   {"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"status\":\"ok\"", "the answer broke off"},
		"half a chunk":  {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{", "the answer broke off"},
		"broken chunks": {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nhunter2\r\n", noHTTP},
		"long header":   {"HTTP/1.1 200 OK\r\nX-Long: " + strings.Repeat("x", 1<<20), noHTTP},
		"many headers":  {"HTTP/1.1 200 OK\r\n" + strings.Repeat("X-Many: x\r\n", 1<<17), noHTTP},
		"many statuses": {strings.Repeat("HTTP/1.1 103 Early Hints\r\nX: "+strings.Repeat("x", 1000)+"\r\n\r\n", 1000), noHTTP},
		"two lengths":   {"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", noHTTP},
		"another protocol": {"HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: hunter2\r\n\r\n",
			"the answer has no final status"},
	} {
		address := "http://" + says(t, c.text)
		_, err := doer(t, address).Do(t.Context(), post(address+"/?token=hunter2", "a"))
		t.Log(name)
		checkFailure(t, err, gateway.Retryable, gateway.EffectUnknown, c.why)
	}
}

func TestAConnectionThatFailsHasNoEffect(t *testing.T) {
	t.Parallel()
	noTLS := "https://" + says(t, "")
	speaksPlain := "https://" + raw(t, func(conn net.Conn) { _, _ = io.WriteString(conn, "HTTP/1.1 400 Bad Request\r\n\r\n") })
	for address, why := range map[string]string{
		"http://" + closedPort(t):  "connection refused",
		"https://" + closedPort(t): "connection refused",
		noTLS:                      "the connection was closed without an answer",
		speaksPlain:                "TLS: the gateway does not speak it on this port",
	} {
		_, err := doer(t, address).Do(t.Context(), post(address+"/?token=hunter2", "a"))
		checkFailure(t, err, gateway.Retryable, gateway.EffectNone, why)
	}
}

func TestANameThatDoesNotResolveHasNoEffect(t *testing.T) {
	t.Parallel()
	_, err := doer(t, "https://gateway.invalid").Do(t.Context(), post("https://gateway.invalid/", "a"))
	why := "the name does not resolve"
	if err != nil && strings.Contains(err.Error(), "name server") { // without a network there is none to ask
		why = "the name server gave no answer"
	}
	checkFailure(t, err, gateway.Retryable, gateway.EffectNone, why)
}

func TestAGatewayThatHangsIsGivenUp(t *testing.T) {
	t.Parallel()
	gone := make(chan struct{})
	t.Cleanup(func() { close(gone) })
	deaf := raw(t, func(net.Conn) { <-gone })
	silent := raw(t, func(conn net.Conn) { _, _ = nextRequest(bufio.NewReader(conn)); <-gone })
	slow := raw(t, func(conn net.Conn) {
		_, _ = nextRequest(bufio.NewReader(conn))
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
		<-gone
	})
	for address, effect := range map[string]gateway.Effect{
		"https://" + deaf:  gateway.EffectNone, // the handshake hangs
		"http://" + silent: gateway.EffectUnknown,
		"http://" + slow:   gateway.EffectUnknown,
	} {
		d := client(t, gatewayhttp.Config{Timeout: short}, nil).Doer([]string{hostOf(t, address)}, nil)
		_, err := d.Do(t.Context(), post(address, "a"))
		checkFailure(t, err, gateway.Retryable, effect, "no answer within 150ms")
	}
}

const stopped = "the call was stopped before an answer came: context canceled"

func TestACanceledCallEndsAtOnce(t *testing.T) {
	t.Parallel()
	gone := make(chan struct{})
	t.Cleanup(func() { close(gone) })
	for name, c := range map[string]struct {
		scheme string
		read   bool
		text   string
		effect gateway.Effect
	}{
		"in the handshake":      {"https", false, "", gateway.EffectNone},
		"waiting for an answer": {"http", true, "", gateway.EffectUnknown},
		"in the head":           {"http", true, "HTTP/1.1 200 OK\r\nX-A: ", gateway.EffectUnknown},
		"in the body":           {"http", true, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", gateway.EffectUnknown},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		address := c.scheme + "://" + raw(t, func(conn net.Conn) {
			if c.read {
				_, _ = nextRequest(bufio.NewReader(conn))
			}
			_, _ = io.WriteString(conn, c.text)
			cancel()
			<-gone
		})
		_, err := doer(t, address).Do(ctx, post(address, "a"))
		t.Log(name)
		checkFailure(t, err, gateway.Retryable, c.effect, stopped)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v does not tell of the cancellation", err)
		}
	}
}

func TestACallThatWasOverBeforeHasNoEffect(t *testing.T) {
	t.Parallel()
	s := server(t, func(http.ResponseWriter, *http.Request) { t.Error("a request arrived") })
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("hunter2"))
	_, err := doer(t, s.URL).Do(ctx, post(s.URL, "a"))
	checkFailure(t, err, gateway.Retryable, gateway.EffectNone, stopped)
}

// TestAHugeRequestToADeafGatewayEnds: the gateway reads nothing, so that not even the body can be written.
func TestAHugeRequestToADeafGatewayEnds(t *testing.T) {
	t.Parallel()
	gone := make(chan struct{})
	t.Cleanup(func() { close(gone) })
	ctx, cancel := context.WithCancel(t.Context())
	address := "http://" + raw(t, func(conn net.Conn) {
		_, _ = conn.Read(make([]byte, 1))
		cancel()
		<-gone
	})
	_, err := doer(t, address).Do(ctx, post(address, strings.Repeat("a", 1<<20)))
	checkFailure(t, err, gateway.Retryable, gateway.EffectUnknown, stopped)
}
