package operations_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// readiness is what /readyz says.
type readiness struct{ Status, Database, Queue, Clock string }

var ready = readiness{"ready", "ok", "ok", "ok"}

func readinessOf(t testing.TB, p *harness.Process) (int, readiness) {
	t.Helper()
	var r readiness
	a := harness.Get(t, p.URL+"/readyz")
	if err := json.Unmarshal(a.Body, &r); err != nil {
		t.Fatalf("/readyz answers %d %s", a.Status, a.Body)
	}
	return a.Status, r
}

// awaitReadiness waits until /readyz says something.
func awaitReadiness(t testing.TB, p *harness.Process, status int, want readiness) {
	t.Helper()
	harness.Eventually(t, func() error {
		if code, got := readinessOf(t, p); code != status || got != want {
			return fmt.Errorf("/readyz says %d %+v, want %d %+v", code, got, status, want)
		}
		return nil
	})
}

// TestOutageRedisIsFlushed empties Redis while 1,000 callbacks are in flight: some are being sent, the others are due.
func TestOutageRedisIsFlushed(t *testing.T) {
	t.Parallel()
	inFlight := 1000
	if testing.Short() {
		inFlight = 200
	}
	redis := harness.NewOwnRedis(t)
	in := harness.NewOnServersWith(t, redis.URL)
	api := in.Serve("VEZNE_ROLE=api")
	to, open := harness.NewGatedReceiver(t, in.Keys.Provider, 0)
	in.CallBack(api, to)
	made := in.Provider(api).CreateMany(t, "start-manual-withdraw", inFlight, "10.00")
	in.SignIn(api, "operator").PayAll(t, made[:inFlight/2])
	workers := []*harness.Process{
		in.Serve("VEZNE_ROLE=worker", "VEZNE_CALLBACK_TIMEOUT=1m"), in.Serve("VEZNE_ROLE=worker", "VEZNE_CALLBACK_TIMEOUT=1m"),
	}
	to.Next(t)
	in.SignIn(api, "operator").PayAll(t, made[inFlight/2:])
	client, err := harness.NewRedisClient(redis.URL)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(client.FlushAll(context.Background()).Err(), client.Close()); err != nil {
		t.Fatal(err)
	}
	open()
	to.AwaitAll(t, made, "completed")
	for _, p := range append(workers, api) {
		p.Stop(t)
	}
	for _, p := range made {
		if n := len(to.Of(p.TrackingCode)); n != 1 {
			t.Errorf("the callback of %s came %d times", p.TrackingCode, n)
		}
	}
}

// TestOutageRedisIsLost stops Redis, has a payment decided, and starts Redis again: nothing but the queue notices.
func TestOutageRedisIsLost(t *testing.T) {
	t.Parallel()
	redis := harness.NewOwnRedis(t)
	in := harness.NewOnServersWith(t, redis.URL)
	server := in.Serve()
	to := harness.NewReceiver(t, in.Keys.Provider, harness.Accept)
	in.CallBack(server, to)
	operator := in.SignIn(server, "operator")
	awaitReadiness(t, server, http.StatusOK, ready)
	deliver := func() {
		p := in.Provider(server).Create(t, "start-manual-deposit", "10.00")
		operator.Must(t, "approveDeposit", p.TrackingCode)
		to.AwaitAll(t, []harness.Payment{p}, "completed")
	}
	deliver()
	redis.Down(syscall.SIGKILL)
	awaitReadiness(t, server, http.StatusOK, readiness{"ready", "ok", "out of reach", "ok"})
	deliver() // the sweeper finds it
	redis.Up(t)
	awaitReadiness(t, server, http.StatusOK, ready)
	deliver()
	server.Stop(t)
}

// TestOutagePostgresRestarts crashes and restarts PostgreSQL under load. Clients repeat what was not answered with 200, under
// the same Idempotency-Key, as they should: what was answered is there, and nothing is there twice.
func TestOutagePostgresRestarts(t *testing.T) {
	t.Parallel()
	postgres := harness.NewOwnPostgres(t)
	in := harness.NewEmpty(t, "VEZNE_DATABASE_URL="+postgres.URL, "VEZNE_REDIS_URL="+harness.NewQueue(t))
	server := in.Seed()
	to := harness.NewReceiver(t, in.Keys.Provider, harness.Accept)
	in.CallBack(server, to)
	l := &outageLoad{t: t, provider: in.Provider(server), operator: in.SignIn(server, "operator")}
	load := harness.StartLoad(8, l.step)
	l.awaitMore(100)
	for _, signal := range []os.Signal{syscall.SIGQUIT, syscall.SIGINT} { // a crash, and an operator's restart
		postgres.Down(signal)
		awaitReadiness(t, server, http.StatusServiceUnavailable, readiness{"not ready", "out of reach", "ok", "ok"})
		for _, address := range []string{server.URL + "/healthz", server.AdminURL + "/healthz", server.AdminURL + "/metrics"} {
			if a := harness.Get(t, address); a.Status != http.StatusOK {
				t.Errorf("without the database %s answers %d", address, a.Status)
			}
		}
		postgres.Up(t)
		awaitReadiness(t, server, http.StatusOK, ready)
		l.awaitMore(100)
	}
	l.isOver.Store(true)
	load.Wait()

	to.AwaitAll(t, l.done, "canceled")
	stored := make(map[string]harness.Transaction)
	for _, found := range l.operator.All(t) {
		stored[found.TrackingCode] = found
	}
	if len(stored) != len(l.done) {
		t.Errorf("%d keys made %d payments", len(l.done), len(stored))
	}
	var lost []string
	for _, p := range l.done {
		if stored[p.TrackingCode].Status != "CANCELED" {
			lost = append(lost, p.TrackingCode)
		}
	}
	if len(lost) > 0 {
		t.Errorf("%d payments were answered with 200 and rejected, and are not there or not canceled: %s …", len(lost), lost[0])
	}
	server.Stop(t)
}

// outageLoad creates deposits and rejects them, and goes on through outages.
type outageLoad struct {
	t        *testing.T
	provider harness.Caller
	operator harness.Staff
	isOver   atomic.Bool

	mu   sync.Mutex
	done []harness.Payment
}

func (l *outageLoad) step() (goOn bool) {
	key := rand.Text()
	var made harness.Payment
	err := harness.Await(func() error {
		a, p, err := l.provider.Try("start-manual-deposit", harness.Order("10.00"), key)
		made = p
		switch {
		case err == nil && a.Status == http.StatusServiceUnavailable && a.Header.Get("Retry-After") != "":
			return fmt.Errorf("%d %s", a.Status, a.Body)
		case err != nil || a.Status != http.StatusOK:
			l.t.Errorf("during the outage a creating call gives %d %s (%v)", a.Status, a.Body, err)
		}
		return nil
	})
	if err == nil {
		err = harness.Await(func() error { return l.reject(made.TrackingCode) })
	}
	if err != nil {
		l.t.Error(err)
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done = append(l.done, made)
	return !l.isOver.Load()
}

// reject decides until the answer is known. A decision whose answer was lost has counted: then it is final already.
func (l *outageLoad) reject(code string) error {
	_, err := l.operator.Decide("rejectDeposit", code)
	switch harness.CodeOf(err) {
	case "UNAVAILABLE":
		return err
	case "", "ALREADY_FINAL":
	default:
		l.t.Errorf("during the outage a decision gives %v", err)
	}
	return nil
}

// awaitMore waits until so many more payments are through.
func (l *outageLoad) awaitMore(n int) {
	l.t.Helper()
	count := func() int {
		l.mu.Lock()
		defer l.mu.Unlock()
		return len(l.done)
	}
	wanted := count() + n
	harness.Eventually(l.t, func() error {
		if now := count(); now < wanted {
			return fmt.Errorf("%d payments are through, not %d", now, wanted)
		}
		return nil
	})
}
