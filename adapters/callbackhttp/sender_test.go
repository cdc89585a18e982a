package callbackhttp_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/vezne/vezne/adapters/callbackhttp"
	"github.com/vezne/vezne/core/payment"
)

// long is for attempts that are meant to get an answer, short for those that are not.
const (
	long  = 30 * time.Second
	short = 150 * time.Millisecond
)

// local is a sender that may go to loopback, where the tests' receivers are.
func local(t *testing.T, timeout time.Duration) *callbackhttp.Sender {
	t.Helper()
	c := callbackhttp.New(callbackhttp.Config{Version: "1.2.3", Timeout: timeout, AllowPrivate: true})
	t.Cleanup(c.Close)
	return c
}

func receiver(t *testing.T, handle http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(handle)
	t.Cleanup(server.Close)
	return server
}

func message() payment.CallbackMessage {
	return payment.CallbackMessage{
		Body: []byte(`{"tracking_code":"DEP-1"}`),
		Headers: []payment.CallbackHeader{
			{Name: "Content-Type", Value: "application/json"}, {Name: "X-Hash", Value: "abc"}, {Name: "webhook-id", Value: "01J"},
		},
	}
}

func TestTheMessageArrivesAsItIs(t *testing.T) {
	t.Parallel()
	server := receiver(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		for name, want := range map[string]string{
			"Content-Type": "application/json", "X-Hash": "abc", "Webhook-Id": "01J", "User-Agent": "Vezne/1.2.3",
			"Accept-Encoding": "", "Cookie": "", "Authorization": "Basic dXNlcjpwYXNz",
		} {
			if got := r.Header.Get(name); got != want {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		}
		if r.Method != http.MethodPost || r.URL.RequestURI() != "/back?a=1" || string(body) != `{"tracking_code":"DEP-1"}` {
			t.Errorf("got %s %s %s", r.Method, r.URL, body)
		}
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "1"})
		_, _ = io.WriteString(w, `{"success":true}`)
	})
	sender := local(t, long)
	for range 2 {
		answered := sender.Send(t.Context(), strings.Replace(server.URL, "//", "//user:pass@", 1)+"/back?a=1", message())
		if !answered.IsAccepted() || answered.Answer != `{"success":true}` || answered.Error != "" || answered.Duration <= 0 {
			t.Fatalf("got %+v", answered)
		}
	}
}

func TestOnly200Counts(t *testing.T) {
	t.Parallel()
	for _, status := range []int{200, 201, 202, 204, 206, 301, 302, 304, 307, 308, 400, 401, 404, 429, 500, 503, 999} {
		server := receiver(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "http://%zz/")
			w.WriteHeader(status)
		})
		answered := local(t, long).Send(t.Context(), server.URL, message())
		if answered.HTTPStatus != status || answered.Error != "" || answered.IsAccepted() != (status == 200) {
			t.Errorf("status %d gave %+v", status, answered)
		}
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	var elsewhere atomic.Int32
	trap := receiver(t, func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) })
	for _, target := range []string{"http://169.254.169.254/latest/meta-data/", trap.URL, "/again"} {
		var calls atomic.Int32
		server := receiver(t, func(w http.ResponseWriter, r *http.Request) {
			calls.Add(1)
			http.Redirect(w, r, target, http.StatusTemporaryRedirect)
		})
		answered := local(t, long).Send(t.Context(), server.URL, message())
		if answered.HTTPStatus != 307 || calls.Load() != 1 || elsewhere.Load() != 0 {
			t.Errorf("%s: %+v after %d calls here and %d there", target, answered, calls.Load(), elsewhere.Load())
		}
	}
}

func TestAReceiverThatHangsIsGivenUp(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	server := receiver(t, func(http.ResponseWriter, *http.Request) { <-release })
	t.Cleanup(func() { close(release) }) // before the server's own clean-up, which waits for the handler
	answered := local(t, short).Send(t.Context(), server.URL, message())
	if answered.HTTPStatus != 0 || answered.Error != "no answer within 150ms" || answered.Duration < short {
		t.Errorf("got %+v", answered)
	}
}

func TestAnAnswerThatNeverEndsStillCounts(t *testing.T) {
	t.Parallel()
	drip := func(w http.ResponseWriter, r *http.Request) {
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for {
			_, _ = io.WriteString(w, "x")
			_ = http.NewResponseController(w).Flush()
			select {
			case <-tick.C:
			case <-r.Context().Done():
				return
			}
		}
	}
	answered := local(t, short).Send(t.Context(), receiver(t, drip).URL, message())
	if !answered.IsAccepted() || !strings.HasPrefix(answered.Answer, "x") || answered.Error != "" {
		t.Errorf("got %+v", answered)
	}
}

func TestAHugeAnswerIsCut(t *testing.T) {
	t.Parallel()
	server := receiver(t, func(w http.ResponseWriter, _ *http.Request) {
		chunk := bytes.Repeat([]byte("ş"), 1<<16)
		for range 10 << 20 / len(chunk) {
			_, _ = w.Write(chunk)
		}
	})
	answered := local(t, long).Send(t.Context(), server.URL, message())
	if !answered.IsAccepted() || answered.Answer != strings.Repeat("ş", payment.MaxAnswerBytes/2) {
		t.Errorf("status %d, %d bytes, error %q", answered.HTTPStatus, len(answered.Answer), answered.Error)
	}
}

func TestAnswersAreMadeReadable(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"plain":                      "plain",
		"line\r\nnext\ttab":          "line\nnext\ttab",
		"\x00a\x1b[31mb\x7f\u0085c":  "a[31mbc",
		"\xff\xfeş\xc5":              "ş",
		strings.Repeat("\xff", 9000): "",
		"a" + strings.Repeat("ş", payment.MaxAnswerBytes): "a" + strings.Repeat("ş", payment.MaxAnswerBytes/2-1),
	} {
		server := receiver(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, raw) })
		answered := local(t, long).Send(t.Context(), server.URL, message())
		if answered.Answer != want || !utf8.ValidString(answered.Answer) || len(answered.Answer) > payment.MaxAnswerBytes {
			t.Errorf("%.20q became %.40q, want %.40q", raw, answered.Answer, want)
		}
	}
}

func TestAPackedAnswerIsNotUnpacked(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	_, _ = zip.Write(make([]byte, 50<<20))
	_ = zip.Close()
	server := receiver(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(packed.Bytes())
	})
	answered := local(t, long).Send(t.Context(), server.URL, message())
	if !answered.IsAccepted() || strings.Contains(answered.Answer, strings.Repeat("\x00", 8)) || len(answered.Answer) > payment.MaxAnswerBytes {
		t.Errorf("status %d, body of %d bytes", answered.HTTPStatus, len(answered.Answer))
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	in := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(http.TimeFormat) }
	for value, want := range map[string]struct{ least, most time.Duration }{
		"":                       {0, 0},
		"120":                    {2 * time.Minute, 2 * time.Minute},
		"0":                      {0, 0},
		"-5":                     {0, 0},
		"1.5":                    {0, 0},
		"soon":                   {0, 0},
		"18446744073709551615":   {7 * 24 * time.Hour, 7 * 24 * time.Hour},
		"9999999999999999999999": {0, 0},
		in(time.Hour):            {time.Hour - 30*time.Second, time.Hour},
		in(-time.Hour):           {0, 0},
		in(400 * 24 * time.Hour): {7 * 24 * time.Hour, 7 * 24 * time.Hour},
	} {
		server := receiver(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", value)
			w.WriteHeader(http.StatusServiceUnavailable)
		})
		answered := local(t, long).Send(t.Context(), server.URL, message())
		if answered.RetryAfter < want.least || answered.RetryAfter > want.most {
			t.Errorf("Retry-After %q gave %v, want %v to %v", value, answered.RetryAfter, want.least, want.most)
		}
	}
}

func TestConnectionsAreKept(t *testing.T) {
	t.Parallel()
	const workers, rounds = 64, 20
	var opened atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(make([]byte, 10_000)) // more than is kept, and still no reason to hang up
	}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	sender := local(t, long)
	for range rounds {
		var round sync.WaitGroup
		for range workers {
			round.Go(func() {
				if answered := sender.Send(t.Context(), server.URL, message()); !answered.IsAccepted() {
					t.Errorf("got %+v", answered)
				}
			})
		}
		round.Wait()
	}
	// A round may dial while a connection is just coming back, so the bound is not the number of workers.
	if n := opened.Load(); n > workers*rounds/4 {
		t.Errorf("%d messages took %d connections", workers*rounds, n)
	}
}

func TestAStoppedAttemptSaysSo(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	server := receiver(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body) // the server notices a lost client only after the body
		cancel()
		<-r.Context().Done()
	})
	answered := local(t, long).Send(ctx, server.URL, message())
	if answered.HTTPStatus != 0 || answered.Error != "sending was stopped before an answer came" {
		t.Errorf("got %+v", answered)
	}
}

func BenchmarkSend(b *testing.B) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, `{"success":true}`)
	}))
	defer server.Close()
	sender := callbackhttp.New(callbackhttp.Config{AllowPrivate: true})
	defer sender.Close()
	b.ReportAllocs()
	b.SetParallelism(32)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if answered := sender.Send(context.Background(), server.URL, message()); !answered.IsAccepted() {
				b.Errorf("got %+v", answered)
			}
		}
	})
}
