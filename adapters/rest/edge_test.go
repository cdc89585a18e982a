package rest_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/vezne/vezne/adapters/rest"
)

// served serves one request by a route at /pay/{token} behind an Edge.
func served(t *testing.T, r *http.Request, handler http.HandlerFunc) (*httptest.ResponseRecorder, rest.Served, string) {
	t.Helper()
	var (
		logs bytes.Buffer
		seen []rest.Served
		now  = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	)
	edge := &rest.Edge{
		Log: slog.New(slog.NewTextHandler(&logs, nil)), Random: bytes.NewReader(bytes.Repeat([]byte{0xab}, 16)),
		Now:     func() time.Time { now = now.Add(time.Second); return now },
		Observe: func(s rest.Served) { seen = append(seen, s) },
	}
	root := rest.Routes()
	root.Use(edge.Handler)
	root.HandleFunc("/pay/{token}", handler)
	w := httptest.NewRecorder()
	root.ServeHTTP(w, r)
	if len(seen) != 1 {
		t.Fatalf("observed %d times", len(seen))
	}
	return w, seen[0], logs.String()
}

func TestRequestIDs(t *testing.T) {
	t.Parallel()
	const made = "abababababababababababababababab"
	for sent, want := range map[string]string{
		"": made, "order-4711": "order-4711", "a.B_9:x": "a.B_9:x", strings.Repeat("x", 128): strings.Repeat("x", 128),
		strings.Repeat("x", 129): made, "a b": made, "a\nb": made, `"><script>`: made, "ş": made, "a,b": made,
	} {
		r := httptest.NewRequest("GET", "/pay/x", nil)
		r.Header.Set("X-Request-Id", sent)
		var inside string
		w, seen, _ := served(t, r, func(_ http.ResponseWriter, r *http.Request) { inside = rest.Of(r).RequestID })
		if got := w.Header().Get("X-Request-Id"); got != want || inside != want || seen.RequestID != want {
			t.Errorf("%q: want %s, got %s, %s inside, %s seen", sent, want, got, inside, seen.RequestID)
		}
	}
}

func TestOverTLSEveryAnswerAsksForIt(t *testing.T) {
	t.Parallel()
	for isSecure, want := range map[bool]string{true: "max-age=31536000", false: ""} {
		edge := &rest.Edge{Log: slog.New(slog.DiscardHandler), Random: bytes.NewReader(nil), Now: time.Now, IsSecure: isSecure}
		for _, handler := range []http.HandlerFunc{rest.NotFound, func(http.ResponseWriter, *http.Request) { panic("a defect") }} {
			w := httptest.NewRecorder()
			edge.Handler(handler).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
			if got := w.Header().Get("Strict-Transport-Security"); got != want {
				t.Errorf("%d says %q, want %q", w.Code, got, want)
			}
		}
	}
}

func TestWithoutRandomnessThereIsAnID(t *testing.T) {
	t.Parallel()
	edge := &rest.Edge{
		Log: slog.New(slog.DiscardHandler), Now: time.Now, Random: iotest.ErrReader(errors.New("gone")),
	}
	w := httptest.NewRecorder()
	edge.Handler(http.HandlerFunc(rest.NotFound)).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	if w.Code != 404 || w.Header().Get("X-Request-Id") == "" {
		t.Errorf("got %d %v", w.Code, w.Header())
	}
}

func TestWhatIsServedIsToldWithoutItsPath(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest("POST", "/pay/SECRETTOKEN?x=SECRETTOKEN", nil)
	_, seen, logs := served(t, r, func(w http.ResponseWriter, r *http.Request) {
		rest.Of(r).Caller = "provider/7"
		w.WriteHeader(http.StatusTeapot)
	})
	if seen.Pattern != "/pay/{token}" || seen.Method != "POST" || seen.Status != 418 || seen.Duration != time.Second || seen.Caller != "provider/7" {
		t.Errorf("got %+v", seen)
	}
	if strings.Contains(logs, "SECRETTOKEN") || !strings.Contains(logs, "path=/pay/{token} status=418") {
		t.Errorf("logged %s", logs)
	}
}

func TestAPanicIsAnAnswer(t *testing.T) {
	t.Parallel()
	w, seen, logs := served(t, httptest.NewRequest("GET", "/pay/x", nil), func(http.ResponseWriter, *http.Request) {
		panic("index 7 of table accounts")
	})
	want := `{"success":false,"error":"Internal error","message":"Beklenmeyen bir hata oluştu. Destek için istek numarasını iletin.",` +
		`"request_id":"abababababababababababababababab"}`
	if w.Code != 500 || w.Body.String() != want || seen.Status != 500 || seen.Fault != "INTERNAL" {
		t.Errorf("got %d %s, seen %+v", w.Code, w.Body, seen)
	}
	if !strings.Contains(logs, "index 7 of table accounts") || !strings.Contains(logs, "edge_test.go") {
		t.Errorf("the log does not say where: %s", logs)
	}
}

func TestAPanicAfterTheAnswerHasBegun(t *testing.T) {
	t.Parallel()
	w, seen, _ := served(t, httptest.NewRequest("GET", "/pay/x", nil), func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("half of it"))
		panic("late")
	})
	if w.Code != 200 || w.Body.String() != "half of it" || seen.Status != 200 {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
}

func TestAnAbortedAnswerClosesTheConnection(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() != http.ErrAbortHandler { //nolint:errorlint // net/http compares this very value
			t.Error("net/http does not learn of it")
		}
	}()
	served(t, httptest.NewRequest("GET", "/pay/x", nil), func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
}

func TestAStrangeVerbDoesNotReachTheMetrics(t *testing.T) {
	t.Parallel()
	for method, want := range map[string]string{"GET": "GET", "BREW": "other", strings.Repeat("X", 1000): "other"} {
		_, seen, _ := served(t, httptest.NewRequest(method, "/pay/x", nil), func(http.ResponseWriter, *http.Request) {})
		if seen.Method != want {
			t.Errorf("%.10s: seen as %s", method, seen.Method)
		}
	}
}

func TestAStreamingHandlerCanFlush(t *testing.T) {
	t.Parallel()
	w, _, _ := served(t, httptest.NewRequest("GET", "/pay/x", nil), func(w http.ResponseWriter, _ *http.Request) {
		w.(http.Flusher).Flush()
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
	})
	if !w.Flushed {
		t.Error("nothing was flushed")
	}
}

func TestAllowListsTheVerbs(t *testing.T) {
	t.Parallel()
	router := rest.Routes()
	sub := rest.Routes()
	sub.Get("/a/{id}", func(http.ResponseWriter, *http.Request) {})
	sub.Post("/a/{id}", func(http.ResponseWriter, *http.Request) {})
	router.Mount("/sub", sub)
	router.Delete("/b", func(http.ResponseWriter, *http.Request) {})
	for path, want := range map[string][]string{"/sub/a/1": {"GET", "POST"}, "/b": {"DELETE"}, "/sub/c": nil} {
		w := httptest.NewRecorder()
		router.ServeHTTP(w, httptest.NewRequest("PUT", path, nil))
		var got []string
		if allow := w.Header().Get("Allow"); allow != "" {
			got = strings.Split(allow, ", ")
		}
		if !slices.Equal(got, want) || (want == nil) != (w.Code == 404) || (want != nil) != (w.Code == 405) {
			t.Errorf("%s: %d, Allow %v", path, w.Code, got)
		}
	}
	for path, want := range map[string]string{
		"/sub/a/1": "It takes GET, POST.", "/sub/a/1/": "without the slash", "/sub//a/1": "without the slash", "//b": "without the slash",
		"/sub/c": "no such path.\"", "/sub/c/": "no such path.\"",
	} {
		w, r := httptest.NewRecorder(), httptest.NewRequest("PUT", "/", nil)
		r.URL.Path = path
		r.Header.Set("Accept-Language", "en")
		if router.ServeHTTP(w, r); !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s is answered with %s", path, w.Body)
		}
	}
}

func TestChatterIsForDevelopersUnlessItFails(t *testing.T) {
	t.Parallel()
	var logs bytes.Buffer
	edge := &rest.Edge{
		Log: slog.New(slog.NewTextHandler(&logs, &slog.HandlerOptions{Level: slog.LevelDebug})), Random: bytes.NewReader(make([]byte, 64)),
		Now: time.Now, IsChatter: func(r *http.Request) bool { return r.URL.Path == "/chat" },
	}
	for _, c := range []struct {
		path   string
		status int
		level  string
	}{{"/chat", 200, "DEBUG"}, {"/chat", 404, "DEBUG"}, {"/chat", 500, "INFO"}, {"/said", 200, "INFO"}} {
		logs.Reset()
		handler := edge.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(c.status) }))
		handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", c.path, nil))
		if !strings.Contains(logs.String(), "level="+c.level+" msg=request") {
			t.Errorf("%s with %d: %s", c.path, c.status, logs.String())
		}
	}
}

// TestOneInSoManyIsLoggedAndAllThatFail: whoever keeps fewer lines loses no failure, and no count.
func TestOneInSoManyIsLoggedAndAllThatFail(t *testing.T) {
	t.Parallel()
	for every, want := range map[int]int{0: 30, 1: 30, 10: 12} {
		var logs bytes.Buffer
		observed, n := 0, 0
		edge := &rest.Edge{
			Log: slog.New(slog.NewTextHandler(&logs, nil)), Random: bytes.NewReader(make([]byte, 1024)), Now: time.Now,
			LogEvery: every, Observe: func(rest.Served) { observed++ },
		}
		handler := edge.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if n++; n%3 == 0 {
				w.WriteHeader([]int{404, 500}[n%2])
			}
		}))
		for range 30 {
			handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
		}
		if got := strings.Count(logs.String(), "msg=request"); got != want || observed != 30 {
			t.Errorf("every %d: %d lines, want %d; %d were counted", every, got, want, observed)
		}
		if failed := strings.Count(logs.String(), "status=404") + strings.Count(logs.String(), "status=500"); failed != 10 {
			t.Errorf("every %d: %d of 10 failures were logged", every, failed)
		}
	}
}

// TestStrangersAreToldOf: a peer that sends X-Forwarded-For and is no trusted proxy, once each, and not without end.
func TestStrangersAreToldOf(t *testing.T) {
	t.Parallel()
	var told []string
	edge := &rest.Edge{
		Log: slog.New(slog.DiscardHandler), Now: time.Now, Random: bytes.NewReader(bytes.Repeat([]byte{0xab}, 1<<16)),
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")},
		Stranger:       func(peer netip.Addr) { told = append(told, peer.String()) },
	}
	handler := edge.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	send := func(peer, forwarded string) {
		r := httptest.NewRequest("GET", "/", nil)
		if r.RemoteAddr = peer; forwarded != "" {
			r.Header.Set("X-Forwarded-For", forwarded)
		}
		handler.ServeHTTP(httptest.NewRecorder(), r)
	}
	for range 3 {
		send("10.0.0.5:1234", "203.0.113.9")
		send("192.0.2.1:1234", "")
		send("192.0.2.2:1234", "203.0.113.9")
		send("192.0.2.2:4321", "203.0.113.10")
		send("[::ffff:192.0.2.2]:1", "x")
		send("nobody", "203.0.113.9")
	}
	if !slices.Equal(told, []string{"192.0.2.2"}) {
		t.Fatalf("told of %v", told)
	}
	for i := range 1000 {
		send(fmt.Sprintf("198.51.%d.%d:1", i/200, i%200), "203.0.113.9")
	}
	if len(told) != 20 {
		t.Errorf("told of %d peers", len(told))
	}
}
