package gatewayhttp_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/vezne/vezne/adapters/gatewayhttp"
	"github.com/vezne/vezne/core/gateway"
)

// record keeps what is logged of exchanges.
type record struct{ log bytes.Buffer }

func (r *record) config(level slog.Level) gatewayhttp.Config {
	return gatewayhttp.Config{Log: slog.New(slog.NewTextHandler(&r.log, &slog.HandlerOptions{
		Level: level, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == "duration" {
				a.Value = slog.StringValue("some")
			}
			return a
		},
	}))}
}

func TestEveryExchangeIsLogged(t *testing.T) {
	t.Parallel()
	s := server(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusPaymentRequired)
		_, _ = io.WriteString(w, "no money")
	})
	host, dead := hostOf(t, s.URL), closedPort(t)
	var r record
	d := client(t, r.config(slog.LevelDebug), nil).Doer([]string{host, dead}, nil)
	_, _ = d.Do(t.Context(), post(s.URL+"/v1/a%20b?token=hunter2", "abc"))
	_, _ = d.Do(t.Context(), post("http://"+dead+"/", "abc"))
	_, _ = d.Do(t.Context(), post("https://Evil.example:8443/v2", "abc"))
	_, _ = d.Do(t.Context(), gateway.Request{Method: "BREW", URL: "coffee://pot"})
	for i, part := range []string{
		`host=` + host + ` method=POST path="/v1/a b" status=402 duration=some sent=3 received=8` + "\n",
		`host=` + dead + ` method=POST path=/ status=0 duration=some sent=3 received=0 error="gateway: retryable (effect none): connec`,
		`host=evil.example:8443 method=POST path=/v2 status=0 duration=some sent=3 received=0 error="gateway: misconfigured`,
		`host="" method="" path="" status=0 duration=some sent=0 received=0 error="gateway: misconfigured (effect none): the URL is not one of http or https"`,
	} {
		line := strings.SplitAfter(r.log.String(), "\n")[i]
		if !strings.Contains(line, "level=DEBUG") || !strings.Contains(line, part) {
			t.Errorf("line %d is %s, and lacks %s", i, line, part)
		}
	}
}

func TestNothingIsLoggedAboveDebug(t *testing.T) {
	t.Parallel()
	s := server(t, func(http.ResponseWriter, *http.Request) {})
	var r record
	d := client(t, r.config(slog.LevelInfo), nil).Doer([]string{hostOf(t, s.URL)}, nil)
	_, _ = d.Do(t.Context(), get(s.URL))
	_, _ = d.Do(t.Context(), get("https://evil.example"))
	if r.log.Len() != 0 {
		t.Errorf("logged %s", r.log.String())
	}
}

func TestSecretsAreBlottedOut(t *testing.T) {
	t.Parallel()
	secrets := []string{"hunter2", "", "hunter2-longer", "bot:12/AB c", "evil"}
	s := server(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Echo", r.Header.Get("Authorization"))
		_, _ = io.WriteString(w, "hunter2")
	})
	host := hostOf(t, s.URL)
	broken := says(t, "hunter2 hunter2\r\n")
	var r record
	d := client(t, r.config(slog.LevelDebug), nil).Doer([]string{host, broken}, secrets)
	paths := []string{
		"/hunter2/a", "/hunter2-longer", "/bot%3A12%2FAB%20c/send", "/bot:12%2fAB%20c", "/%68unter2", "/?token=hunter2",
		"/#hunter2",
	}
	var errs []error
	addresses := []string{s.URL, "http://" + broken, "https://evil.example", "https://hunter2@" + host, "ftp://hunter2"}
	for _, address := range addresses {
		for _, path := range paths {
			request := post(address+path, "hunter2")
			request.Header = gateway.Header{{Name: "Authorization", Value: "Bearer hunter2"}}
			_, err := d.Do(t.Context(), request)
			errs = append(errs, err)
		}
	}
	told := fmt.Sprintf("%v %s", errs, r.log.String())
	for _, s := range append(secrets, "longer", "AB", "token", "Bearer") {
		if s != "" && strings.Contains(told, s) {
			t.Errorf("%q is in %s", s, told)
		}
	}
	lines := strings.Split(strings.TrimSpace(r.log.String()), "\n")
	if len(lines) != len(addresses)*len(paths) {
		t.Fatalf("%d lines", len(lines))
	}
	for i, part := range map[int]string{1: " path=/[secret] ", 2: " path=/[secret]/send ", 5: " path=/ "} {
		if !strings.Contains(lines[i], part) {
			t.Errorf("line %d is %s, and lacks %s", i, lines[i], part)
		}
	}
}

func TestManyCallsAtOnceKeepApart(t *testing.T) {
	t.Parallel()
	s := tlsServer(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = fmt.Fprintf(w, "%s %s", r.URL.Path, body)
	})
	c := client(t, gatewayhttp.Config{}, s)
	var all sync.WaitGroup
	for i := range 50 {
		d := c.Doer([]string{hostOf(t, s.URL)}, []string{fmt.Sprint("secret-", i)})
		all.Go(func() {
			for range 4 {
				response, err := d.Do(t.Context(), post(fmt.Sprint(s.URL, "/", i), fmt.Sprint(i)))
				if want := fmt.Sprint("/", i, " ", i); err != nil || string(response.Body) != want {
					t.Errorf("got %s, %v, want %s", response.Body, err, want)
				}
			}
		})
	}
	all.Wait()
}
