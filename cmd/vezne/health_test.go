package main_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/vezne/vezne/adapters/redistest"
)

func TestMetrics(t *testing.T) {
	t.Parallel()
	in := newEmbedded(t)
	server := in.serve()
	to := newReceiver(t, in.keys.Provider, accept)
	in.callBack(server, to)
	operator := in.signIn(server, "operator")
	p := in.provider(server).create(t, "start-eiban-deposit", "10.00")
	p.at(server).open(t)
	operator.must(t, "approveDeposit", p.TrackingCode)
	operator.settled(t, p.TrackingCode)
	a := get(t, server.url+"/metrics")
	if a.status != http.StatusOK {
		t.Fatalf("/metrics answers %d", a.status)
	}
	for _, series := range []string{
		`vezne_build_info{version="` + testVersion + `"} 1`,
		`vezne_http_request_duration_seconds_count{method="POST",route="/api/provider/start-eiban-deposit",status="200"} 1`,
		`vezne_payment_moves_total{from="",method="eiban_deposit",to="showing"} 1`,
		`vezne_payment_moves_total{from="processing",method="eiban_deposit",to="completed"} 1`,
		`vezne_callback_attempt_duration_seconds_count{result="ok"} 1`,
		`vezne_commit_duration_seconds_count{result="ok"}`,
		"vezne_callbacks_due 0", "vezne_callbacks_oldest_due_seconds 0", "process_resident_memory_bytes", "go_goroutines",
	} {
		if !strings.Contains(string(a.body), series) {
			t.Errorf("/metrics has no %s", series)
		}
	}
	if what := shared.leakIn(string(a.body)); what != "" {
		t.Errorf("/metrics shows %s", what)
	}
	server.stop(t)
}

// TestTextLog: the log that people read, which is the default.
func TestTextLog(t *testing.T) {
	t.Parallel()
	in := newEmbedded(t)
	url := "http://127.0.0.1:" + redistest.FreePort(t)
	p, err := launch{args: []string{"serve", "--listen", strings.TrimPrefix(url, "http://")}, env: in.env}.start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	eventually(t, func() error {
		if !strings.Contains(p.stderr.String(), "level=INFO msg=ready address="+url+" listen="+url[7:]+" role=all") {
			return errors.New("the log does not say that the process is ready:\n" + p.stderr.String())
		}
		return nil
	})
	p.url = url
	in.provider(p).create(t, "start-manual-deposit", "10.00")
	p.terminate()
	if err := p.end(); err != nil {
		t.Error(err)
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	server := newEmbedded(t).serve()
	if a := get(t, server.url+"/healthz"); a.status != http.StatusOK || !strings.Contains(string(a.body), `"ok"`) {
		t.Errorf("/healthz answers %d %s", a.status, a.body)
	}
	awaitReadiness(t, server, http.StatusOK, readiness{"ready", "ok", "ok"})
	if a := get(t, server.url+"/nowhere"); a.status != http.StatusNotFound || !strings.Contains(string(a.body), `"success":false`) {
		t.Errorf("an unknown path answers %d %s", a.status, a.body)
	}
	server.stop(t)
}
