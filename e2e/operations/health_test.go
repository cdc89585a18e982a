package operations_test

import (
	"errors"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/vezne/vezne/adapters/redistest"
	"github.com/vezne/vezne/e2e/harness"
)

func TestMetrics(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	server := in.Serve()
	to := harness.NewReceiver(t, in.Keys.Provider, harness.Accept)
	in.CallBack(server, to)
	operator := in.SignIn(server, "operator")
	p := in.Provider(server).Create(t, "start-eiban-deposit", "10.00")
	p.At(server).Open(t)
	operator.Must(t, "approveDeposit", p.TrackingCode)
	operator.Settled(t, p.TrackingCode)
	in.Provider(server).Create(t, "start-manual-deposit", "10.00") // does not end
	a := harness.Get(t, server.AdminURL+"/metrics")
	if a.Status != http.StatusOK {
		t.Fatalf("/metrics answers %d", a.Status)
	}
	for _, series := range []string{
		`vezne_build_info{goversion="` + runtime.Version() + `",revision="",version="` + harness.TestVersion + `"} 1`,
		`vezne_http_request_duration_seconds_count{method="POST",route="/api/provider/start-eiban-deposit",status="200"} 1`,
		`vezne_payment_moves_total{from="",method="eiban_deposit",to="showing"} 1`,
		`vezne_payment_moves_total{from="processing",method="eiban_deposit",to="completed"} 1`,
		`vezne_callback_attempt_duration_seconds_count{result="ok"} 1`,
		`vezne_commit_duration_seconds_count{result="ok"}`,
		`vezne_due_rows{kind="callbacks"} 0`, `vezne_due_oldest_seconds{kind="callbacks"} 0`, `vezne_open_work{kind="deposits"} 0`,
		`vezne_payments_oldest_seconds{method="manual_deposit",status="showing"}`, `go_sql_open_connections{db_name="commits"}`, "process_resident_memory_bytes", "go_goroutines",
	} {
		if !strings.Contains(string(a.Body), series) {
			t.Errorf("/metrics has no %s", series)
		}
	}
	if what := harness.LeakIn(string(a.Body)); what != "" {
		t.Errorf("/metrics shows %s", what)
	}
	server.Stop(t)
}

// TestTextLog: the log that people read, which is the default.
func TestTextLog(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	url := "http://127.0.0.1:" + redistest.FreePort(t)
	p, err := harness.Launch{Args: []string{"serve", "--listen", strings.TrimPrefix(url, "http://")}, Env: in.Env}.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	harness.Eventually(t, func() error {
		if !strings.Contains(p.Stderr.String(), "level=INFO msg=ready address="+url+" listen="+url[7:]+" admin=127.0.0.1:") {
			return errors.New("the log does not say that the process is ready:\n" + p.Stderr.String())
		}
		return nil
	})
	p.URL = url
	in.Provider(p).Create(t, "start-manual-deposit", "10.00")
	p.Terminate()
	if err := p.End(); err != nil {
		t.Error(err)
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	server := harness.NewEmbedded(t).Serve()
	if a := harness.Get(t, server.URL+"/healthz"); a.Status != http.StatusOK || !strings.Contains(string(a.Body), `"ok"`) {
		t.Errorf("/healthz answers %d %s", a.Status, a.Body)
	}
	awaitReadiness(t, server, http.StatusOK, ready)
	for _, path := range []string{"/healthz", "/readyz", "/docs", "/docs/openapi.json", "/favicon.ico"} { // B5: monitors ask by HEAD
		r, err := http.NewRequestWithContext(t.Context(), http.MethodHead, server.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if a, err := harness.Send(r); err != nil || a.Status != http.StatusOK || len(a.Body) > 0 {
			t.Errorf("HEAD %s answers %d %q %v", path, a.Status, a.Body, err)
		}
	}
	if a := harness.Get(t, server.URL+"/nowhere"); a.Status != http.StatusNotFound || !strings.Contains(string(a.Body), `"success":false`) {
		t.Errorf("an unknown path answers %d %s", a.Status, a.Body)
	}
	server.Stop(t)
}
