package operations_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// stopping tells a process to end and waits until it has begun to.
func stopping(t *testing.T, p *harness.Process) {
	t.Helper()
	p.Terminate()
	harness.Eventually(t, func() error {
		if len(p.Log("stopping")) == 0 {
			return errors.New("the process goes on as if nothing had been said")
		}
		return nil
	})
}

// TestStopFinishesRequests: SIGTERM arrives while a handler reads its request. The request is answered, and new ones find
// nobody.
func TestStopFinishesRequests(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	server := in.Serve()
	held := hold(t, in, server)
	stopping(t, server)
	harness.Eventually(t, func() error {
		if probe, err := net.Dial("tcp", held.address); err == nil {
			return errors.Join(errors.New("a stopping server takes new connections"), probe.Close())
		}
		return nil
	})
	held.finish(t)
	if err := server.End(); err != nil {
		t.Error(err)
	}
	server.CheckLog(t)
	if all := in.SignIn(in.Serve(), "viewer").All(t); len(all) != 1 {
		t.Errorf("%d payments were created, want the one that was answered", len(all))
	}
}

// heldRequest is a creating call whose handler waits for its body.
type heldRequest struct {
	address, body string
	request       *http.Request
	conn          net.Conn
	answers       *bufio.Reader
}

func hold(t *testing.T, in *harness.Installation, server *harness.Process) *heldRequest {
	t.Helper()
	body := `{"fullname":"Ayşe Yılmaz","username":"ayse.yilmaz","user_id":"u-1001","amount":250.00}`
	r, err := in.Provider(server).Signed("start-manual-deposit", "X-Credential-Key", in.Keys.Sites[0].CredentialKey, body)
	if err != nil {
		t.Fatal(err)
	}
	address := strings.TrimPrefix(server.URL, "http://")
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\nExpect: 100-continue\r\n", r.URL.Path, address, len(body))
	for name := range r.Header {
		fmt.Fprintf(conn, "%s: %s\r\n", name, r.Header.Get(name))
	}
	fmt.Fprint(conn, "\r\n")
	answers := bufio.NewReader(conn)
	if line, err := answers.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("the server says %q (%v)", line, err) // its handler is reading the body
	}
	if _, err := answers.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return &heldRequest{address, body, r, conn, answers}
}

// finish sends the body and checks the answer.
func (h *heldRequest) finish(t *testing.T) {
	t.Helper()
	fmt.Fprint(h.conn, h.body)
	answer, err := http.ReadResponse(h.answers, h.request)
	if err != nil {
		t.Fatalf("the request under way is not answered: %v", err)
	}
	said, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK || !strings.Contains(string(said), "tracking_code") {
		t.Errorf("the request under way is answered with %d %s (%v)", answer.StatusCode, said, err)
	}
	_, token, _ := strings.Cut(string(said), "/pay/")
	harness.KeepSecret("a page's token", token[:min(len(token), 32)])
}

// TestASlowRequestKeepsNoWorkFromOthers: while a stopping process waits for a request, it has handed back what it had leased
// and not sent, and claims nothing more: another process delivers all of it. A lease would last longer than this test is
// patient.
func TestASlowRequestKeepsNoWorkFromOthers(t *testing.T) {
	t.Parallel()
	const lease, quickly = "VEZNE_CALLBACK_TIMEOUT=1m", 60
	in := harness.NewOnServers(t)
	api := in.Serve("VEZNE_ROLE=api")
	to, open := harness.NewGatedReceiver(t, in.Keys.Provider, quickly)
	in.CallBack(api, to)
	made := in.Provider(api).CreateMany(t, "start-manual-withdraw", 300, "10.00")
	in.SignIn(api, "operator").DecideAll(t, "cancelWithdrawal", made)
	api.Stop(t)
	first := in.Serve(lease)
	for range quickly + 1 {
		to.Next(t)
	}
	held := hold(t, in, first)
	stopping(t, first)
	open()
	second := in.Serve(lease)
	to.AwaitAll(t, made, "canceled")
	if first.HasExited() {
		t.Error("the first process did not wait for its request")
	}
	held.finish(t)
	if err := first.End(); err != nil {
		t.Error(err)
	}
	first.CheckLog(t)
	second.Stop(t)
	for _, p := range made {
		if n := len(to.Of(p.TrackingCode)); n != 1 {
			t.Errorf("the callback of %s came %d times", p.TrackingCode, n)
		}
	}
}

// TestStopFinishesCallbacks: what a receiver holds when SIGTERM arrives is finished and kept. The rest, also what the
// process has leased already, is delivered by the next one; a lease would last longer than this test is patient.
func TestStopFinishesCallbacks(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		const lease, quickly = "VEZNE_CALLBACK_TIMEOUT=1m", 60 // the better a receiver answers, the more is leased at once
		api := in.Serve("VEZNE_ROLE=api")
		to, open := harness.NewGatedReceiver(t, in.Keys.Provider, quickly)
		in.CallBack(api, to)
		made := in.Provider(api).CreateMany(t, "start-manual-withdraw", 300, "10.00")
		in.SignIn(api, "operator").DecideAll(t, "cancelWithdrawal", made)
		api.Stop(t)
		first := in.Serve(lease)
		for range quickly + 1 {
			to.Next(t)
		}
		stopping(t, first)
		open()
		if err := first.End(); err != nil {
			t.Fatal(err)
		}
		first.CheckLog(t)
		second := in.Serve(lease)
		to.AwaitAll(t, made, "canceled")
		second.Stop(t)
		for _, p := range made {
			if n := len(to.Of(p.TrackingCode)); n != 1 {
				t.Errorf("the callback of %s came %d times", p.TrackingCode, n)
			}
		}
	})
}

// TestDraining: the first SIGTERM only has /readyz say that the process stops, for as long as the delay is; the second one ends
// it at once.
func TestDraining(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	server := in.Serve("VEZNE_DRAIN_DELAY=5m")
	to := harness.NewReceiver(t, in.Keys.Provider, harness.Accept)
	in.CallBack(server, to)
	server.Terminate()
	awaitReadiness(t, server, http.StatusServiceUnavailable, readiness{"stopping", "ok", "ok", "ok"})
	p := in.Provider(server).Create(t, "start-manual-deposit", "10.00")
	in.SignIn(server, "operator").Must(t, "approveDeposit", p.TrackingCode)
	to.AwaitAll(t, []harness.Payment{p}, "completed") // and the worker works
	if len(server.Log("stopping")) > 0 {
		t.Error("the process stops before its delay is over")
	}
	server.Terminate()
	if err := server.End(); err == nil {
		t.Error("a process that was ended at once has ended well")
	}
	again := in.Serve()
	if all := in.SignIn(again, "viewer").All(t); len(all) != 1 || all[0].Status != "COMPLETED" {
		t.Errorf("after that there are %+v", all)
	}
	again.Stop(t)
}

// TestWhoDoesNotDrain: nobody waits for a load balancer that does not know the process, or for a person at the keyboard.
func TestWhoDoesNotDrain(t *testing.T) {
	t.Parallel()
	const delay = "VEZNE_DRAIN_DELAY=5m"
	worker, demo, interactive := harness.NewEmbedded(t).Serve(delay, "VEZNE_ROLE=worker"), harness.NewEmbedded(t).Demo(delay), harness.NewEmbedded(t).Serve(delay)
	worker.Terminate()
	demo.Terminate()
	interactive.Interrupt()
	for _, p := range []*harness.Process{worker, demo, interactive} {
		if err := p.End(); err != nil {
			t.Error(err)
		}
	}
}
