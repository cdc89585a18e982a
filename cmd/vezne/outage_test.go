package main_test

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
)

// readiness is what /readyz says.
type readiness struct{ Status, Database, Queue string }

func readinessOf(t testing.TB, p *process) (int, readiness) {
	t.Helper()
	var r readiness
	a := get(t, p.url+"/readyz")
	if err := json.Unmarshal(a.body, &r); err != nil {
		t.Fatalf("/readyz answers %d %s", a.status, a.body)
	}
	return a.status, r
}

// awaitReadiness waits until /readyz says something.
func awaitReadiness(t testing.TB, p *process, status int, want readiness) {
	t.Helper()
	eventually(t, func() error {
		if code, got := readinessOf(t, p); code != status || got != want {
			return fmt.Errorf("/readyz says %d %+v, want %d %+v", code, got, status, want)
		}
		return nil
	})
}

// TestFlushedRedis empties Redis while 1,000 callbacks are in flight: some are being sent, the others are due.
func TestFlushedRedis(t *testing.T) {
	t.Parallel()
	const inFlight = 1000
	redis := newOwnRedis(t)
	in := newOnServersWith(t, redis.url)
	api := in.serve("VEZNE_ROLE=api")
	to, open := newGatedReceiver(t, in.keys.Provider, 0)
	in.callBack(api, to)
	made := in.provider(api).createMany(t, "start-manual-withdraw", inFlight, "10.00")
	in.signIn(api, "operator").payAll(t, made[:inFlight/2])
	workers := []*process{
		in.serve("VEZNE_ROLE=worker", "VEZNE_CALLBACK_TIMEOUT=1m"), in.serve("VEZNE_ROLE=worker", "VEZNE_CALLBACK_TIMEOUT=1m"),
	}
	to.next(t)
	in.signIn(api, "operator").payAll(t, made[inFlight/2:])
	client, err := newRedisClient(redis.url)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(client.FlushAll(context.Background()).Err(), client.Close()); err != nil {
		t.Fatal(err)
	}
	open()
	to.awaitAll(t, made, "completed")
	for _, p := range append(workers, api) {
		p.stop(t)
	}
	for _, p := range made {
		if n := len(to.of(p.TrackingCode)); n != 1 {
			t.Errorf("the callback of %s came %d times", p.TrackingCode, n)
		}
	}
}

// TestLostRedis stops Redis, has a payment decided, and starts Redis again: nothing but the queue notices.
func TestLostRedis(t *testing.T) {
	t.Parallel()
	redis := newOwnRedis(t)
	in := newOnServersWith(t, redis.url)
	server := in.serve()
	to := newReceiver(t, in.keys.Provider, accept)
	in.callBack(server, to)
	operator := in.signIn(server, "operator")
	awaitReadiness(t, server, http.StatusOK, readiness{"ready", "ok", "ok"})
	deliver := func() {
		p := in.provider(server).create(t, "start-manual-deposit", "10.00")
		operator.must(t, "approveDeposit", p.TrackingCode)
		to.awaitAll(t, []payment{p}, "completed")
	}
	deliver()
	redis.down(syscall.SIGKILL)
	awaitReadiness(t, server, http.StatusOK, readiness{"ready", "ok", "out of reach"})
	deliver() // the sweeper finds it
	redis.up(t)
	awaitReadiness(t, server, http.StatusOK, readiness{"ready", "ok", "ok"})
	deliver()
	server.stop(t)
}

// TestRestartedPostgres crashes and restarts PostgreSQL under load. Clients repeat what was not answered with 200, under
// the same Idempotency-Key, as they should: what was answered is there, and nothing is there twice.
func TestRestartedPostgres(t *testing.T) {
	t.Parallel()
	postgres := newOwnPostgres(t)
	in := newEmpty(t, "VEZNE_DATABASE_URL="+postgres.url, "VEZNE_REDIS_URL="+newQueue(t))
	server := in.seed()
	to := newReceiver(t, in.keys.Provider, accept)
	in.callBack(server, to)
	l := &outageLoad{t: t, provider: in.provider(server), operator: in.signIn(server, "operator")}
	load := startLoad(8, l.step)
	l.awaitMore(100)
	for _, signal := range []os.Signal{syscall.SIGQUIT, syscall.SIGINT} { // a crash, and an operator's restart
		postgres.down(signal)
		awaitReadiness(t, server, http.StatusServiceUnavailable, readiness{"not ready", "out of reach", "ok"})
		for _, path := range []string{"/healthz", "/metrics"} {
			if a := get(t, server.url+path); a.status != http.StatusOK {
				t.Errorf("without the database %s answers %d", path, a.status)
			}
		}
		postgres.up(t)
		awaitReadiness(t, server, http.StatusOK, readiness{"ready", "ok", "ok"})
		l.awaitMore(100)
	}
	l.isOver.Store(true)
	load.Wait()

	to.awaitAll(t, l.done, "canceled")
	stored := make(map[string]transaction)
	for _, found := range l.operator.all(t) {
		stored[found.TrackingCode] = found
	}
	if len(stored) != len(l.done) {
		t.Errorf("%d keys made %d payments", len(l.done), len(stored))
	}
	var lost []string
	for _, p := range l.done {
		if stored[p.TrackingCode].Status != "canceled" {
			lost = append(lost, p.TrackingCode)
		}
	}
	if len(lost) > 0 {
		t.Errorf("%d payments were answered with 200 and rejected, and are not there or not canceled: %s …", len(lost), lost[0])
	}
	server.stop(t)
}

// outageLoad creates deposits and rejects them, and goes on through outages.
type outageLoad struct {
	t        *testing.T
	provider caller
	operator staff
	isOver   atomic.Bool

	mu   sync.Mutex
	done []payment
}

func (l *outageLoad) step() (goOn bool) {
	key := rand.Text()
	var made payment
	err := await(func() error {
		a, p, err := l.provider.try("start-manual-deposit", order("10.00"), key)
		made = p
		switch {
		case err == nil && a.status == http.StatusServiceUnavailable && a.header.Get("Retry-After") != "":
			return fmt.Errorf("%d %s", a.status, a.body)
		case err != nil || a.status != http.StatusOK:
			l.t.Errorf("during the outage a creating call gives %d %s (%v)", a.status, a.body, err)
		}
		return nil
	})
	if err == nil {
		err = await(func() error { return l.reject(made.TrackingCode) })
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
	_, err := l.operator.decide("rejectDeposit", code)
	switch codeOf(err) {
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
	eventually(l.t, func() error {
		if now := count(); now < wanted {
			return fmt.Errorf("%d payments are through, not %d", now, wanted)
		}
		return nil
	})
}
