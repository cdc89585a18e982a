package gatewayhttp_test

import (
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/gatewayhttp"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/ports"
)

// long is for exchanges that are meant to get an answer, short for those that are not.
const (
	long  = 30 * time.Second
	short = 150 * time.Millisecond
)

func server(t *testing.T, handle http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(handle)
	t.Cleanup(s.Close)
	return s
}

func tlsServer(t *testing.T, handle http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(handle)
	s.EnableHTTP2 = true
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // it reports what the client refuses
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

// client may go to loopback, where the tests' gateways are, and trusts the certificate of s.
func client(t *testing.T, cfg gatewayhttp.Config, s *httptest.Server) *gatewayhttp.Client {
	t.Helper()
	cfg.AllowLoopback, cfg.Version = true, "1.2.3"
	if cfg.Timeout == 0 {
		cfg.Timeout = long
	}
	if s != nil && s.Certificate() != nil {
		cfg.RootCAs = x509.NewCertPool()
		cfg.RootCAs.AddCert(s.Certificate())
	}
	c := gatewayhttp.New(cfg)
	t.Cleanup(c.Close)
	return c
}

// doer reaches the host of an address.
func doer(t *testing.T, address string) ports.Doer {
	t.Helper()
	return client(t, gatewayhttp.Config{}, nil).Doer([]string{hostOf(t, address)}, nil)
}

func hostOf(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}

func get(address string) gateway.Request {
	return gateway.Request{Method: http.MethodGet, URL: address}
}

func post(address, body string) gateway.Request {
	return gateway.Request{Method: http.MethodPost, URL: address, Body: []byte(body)}
}

func TestARequestArrivesAsItIs(t *testing.T) {
	t.Parallel()
	s := tlsServer(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		for name, want := range map[string][]string{
			"Content-Type": {"application/json"}, "X-Api-Key": {"k"}, "X-Twice": {"1", "2"}, "User-Agent": {"Vezne/1.2.3"},
			"Accept-Encoding": nil, "Cookie": nil, "Content-Length": {"7"},
		} {
			if got := r.Header[name]; !slices.Equal(got, want) {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		}
		if r.Method+" "+r.RequestURI+" "+r.Proto != "POST /v1/pay%2Fments?a=1&b=%20 HTTP/1.1" || string(body) != `{"a":1}` {
			t.Errorf("got %s %s %s %s", r.Method, r.URL, r.Proto, body)
		}
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "1"})
		w.Header().Add("X-Answer", "1")
		w.Header().Add("X-Answer", "2")
		w.WriteHeader(http.StatusTeapot)
		_, _ = io.WriteString(w, "<html>no</html>")
	})
	d := client(t, gatewayhttp.Config{}, s).Doer([]string{hostOf(t, s.URL)}, nil)
	request := post(s.URL+"/v1/pay%2Fments?a=1&b=%20#top", `{"a":1}`)
	request.Header = gateway.Header{
		{Name: "content-type", Value: "application/json"}, {Name: "X-API-KEY", Value: "k"},
		{Name: "X-Twice", Value: "1"}, {Name: "X-Twice", Value: "2"},
	}
	for range 2 { // the second time there would be a cookie
		response, err := d.Do(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		if response.Status != http.StatusTeapot || string(response.Body) != "<html>no</html>" ||
			!slices.Equal(response.Header.Values("x-answer"), []string{"1", "2"}) {
			t.Errorf("got %+v", response)
		}
	}
}

func TestAPluginMayNameItself(t *testing.T) {
	t.Parallel()
	s := server(t, func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.UserAgent()) })
	request := get(s.URL)
	request.Header = gateway.Header{{Name: "user-agent", Value: "shop/7"}}
	response, err := doer(t, s.URL).Do(t.Context(), request)
	if err != nil || string(response.Body) != "shop/7" {
		t.Errorf("%s, %v", response.Body, err)
	}
}

func TestAnswersOfAnyStatusAreNoError(t *testing.T) {
	t.Parallel()
	for _, status := range []int{200, 201, 202, 204, 301, 302, 304, 307, 308, 400, 401, 404, 429, 500, 503, 999} {
		s := server(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "http://%zz/")
			w.WriteHeader(status)
		})
		if response, err := doer(t, s.URL).Do(t.Context(), get(s.URL)); err != nil || response.Status != status {
			t.Errorf("status %d gave %+v, %v", status, response, err)
		}
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	var elsewhere, here atomic.Int32
	trap := server(t, func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) })
	for _, target := range []string{trap.URL, "/again", "https://169.254.169.254/"} {
		here.Store(0)
		s := server(t, func(w http.ResponseWriter, r *http.Request) {
			here.Add(1)
			http.Redirect(w, r, target, http.StatusTemporaryRedirect)
		})
		d := client(t, gatewayhttp.Config{}, nil).Doer([]string{hostOf(t, s.URL), hostOf(t, trap.URL)}, nil)
		response, err := d.Do(t.Context(), post(s.URL, "a"))
		if err != nil || response.Status != http.StatusTemporaryRedirect || response.Header.Get("Location") != target {
			t.Errorf("%+v, %v", response, err)
		}
		if here.Load() != 1 || elsewhere.Load() != 0 {
			t.Errorf("%d requests here and %d there", here.Load(), elsewhere.Load())
		}
	}
}

func TestAPackedAnswerIsNotUnpacked(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	_, _ = zip.Write(make([]byte, 8<<20))
	_ = zip.Close()
	s := server(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(packed.Bytes())
	})
	response, err := doer(t, s.URL).Do(t.Context(), get(s.URL))
	if err != nil || !bytes.Equal(response.Body, packed.Bytes()) {
		t.Errorf("%d bytes, %v", len(response.Body), err)
	}
}

func TestAnswersAreReadUpToTheBound(t *testing.T) {
	t.Parallel()
	for _, more := range []int{-1, 0, 1, 1 << 20} {
		s := server(t, func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(make([]byte, gateway.MaxAnswerBytes+more))
		})
		response, err := doer(t, s.URL).Do(t.Context(), get(s.URL))
		if more <= 0 {
			if err != nil || len(response.Body) != gateway.MaxAnswerBytes+more {
				t.Errorf("%d bytes more than the bound gave %d, %v", more, len(response.Body), err)
			}
			continue
		}
		checkFailure(t, err, gateway.Retryable, gateway.EffectUnknown, "the answer is longer than 4194304 bytes")
	}
}

func TestManyCallsShareABoundedNumberOfConnections(t *testing.T) {
	t.Parallel()
	const calls, bound = 100, 64
	var inside, opened atomic.Int32
	full := make(chan struct{})
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if inside.Add(1) == bound {
			close(full)
		}
		<-full
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	d := doer(t, s.URL)
	var all sync.WaitGroup
	for range calls {
		all.Go(func() {
			if _, err := d.Do(t.Context(), post(s.URL, "a")); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if inside.Load() != calls || opened.Load() > bound {
		t.Errorf("%d calls arrived on %d connections", inside.Load(), opened.Load())
	}
}

func TestCertificatesAreChecked(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	s := tlsServer(t, func(http.ResponseWriter, *http.Request) { calls.Add(1) })
	_, err := doer(t, s.URL).Do(t.Context(), post(s.URL, "a"))
	checkFailure(t, err, gateway.Misconfigured, gateway.EffectNone, "TLS: certificate not trusted")

	elsewhere := strings.Replace(s.URL, "127.0.0.1", "localhost", 1)
	_, err = client(t, gatewayhttp.Config{}, s).Doer([]string{hostOf(t, elsewhere)}, nil).Do(t.Context(), post(elsewhere, "a"))
	checkFailure(t, err, gateway.Misconfigured, gateway.EffectNone, "TLS: the certificate is for another name")
	if calls.Load() != 0 {
		t.Errorf("%d requests arrived", calls.Load())
	}
}

func TestOldTLSIsNotSpoken(t *testing.T) {
	t.Parallel()
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.TLS = &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}
	s.StartTLS()
	t.Cleanup(s.Close)
	_, err := client(t, gatewayhttp.Config{}, s).Doer([]string{hostOf(t, s.URL)}, nil).Do(t.Context(), post(s.URL, "a"))
	checkFailure(t, err, gateway.Retryable, gateway.EffectNone, "TLS: the gateway refused the connection")
}
