package main_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

const shortExpiry = "VEZNE_EXPIRY_DEPOSIT=1s"

// checkExpired waits for the callbacks that say that deposits have expired, and looks at what customers see.
func checkExpired(t *testing.T, server *process, to *receiver, made []payment) {
	t.Helper()
	to.awaitAll(t, made, "expired")
	for _, p := range made {
		if page := p.at(server).open(t); !strings.Contains(page, `<main class="card expired"`) {
			t.Errorf("the page of an expired deposit shows something else:\n%s", page)
		}
		if l := to.of(p.TrackingCode)[0]; l.Amount != p.Amount {
			t.Errorf("the callback of %s says %s, want %s", p.TrackingCode, l.Amount, p.Amount)
		}
	}
}

func TestExpiry(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		server := in.serve(shortExpiry)
		to := newReceiver(t, in.keys.Provider, accept)
		in.callBack(server, to)
		provider := in.provider(server)
		made := []payment{
			provider.create(t, "start-manual-deposit", "12.34"), provider.create(t, "start-eiban-deposit", "999"),
		}
		made[1].Amount = "999.00"
		checkExpired(t, server, to, made)
		for _, p := range made {
			found := in.signIn(server, "viewer").settled(t, p.TrackingCode)
			if found.Status != "expired" || found.Callbacks[0].AttemptCount != 1 {
				t.Errorf("%s is %s after %d attempts", p.TrackingCode, found.Status, found.Callbacks[0].AttemptCount)
			}
			if _, err := in.signIn(server, "operator").decide("approveDeposit", p.TrackingCode); codeOf(err) != "ALREADY_FINAL" {
				t.Errorf("approving an expired deposit gives %v", err)
			}
		}
		server.stop(t)
	})
}

// TestExpiryIsNotForPaid: what the customer says is paid waits for staff, beyond its time.
func TestExpiryIsNotForPaid(t *testing.T) {
	t.Parallel()
	in := newEmbedded(t)
	server := in.serve("VEZNE_EXPIRY_DEPOSIT=8s")
	to := newReceiver(t, in.keys.Provider, accept)
	in.callBack(server, to)
	d := &desk{server: server, operator: in.signIn(server, "operator")}
	paid := in.provider(server).create(t, "start-manual-deposit", "50")
	d.pay(t, paid, "50")
	later := in.provider(server).create(t, "start-manual-deposit", "60") // when this one is expired, so would be the other
	if l := to.next(t); l.TrackingCode != later.TrackingCode || l.Status != "expired" {
		t.Fatalf("the first callback is that of %s, %s", l.TrackingCode, l.Status)
	}
	var data struct{ Transaction struct{ IsOverdue bool } }
	err := d.operator.ask(`query($code: String!) { transaction(trackingCode: $code) { isOverdue } }`,
		map[string]any{"code": paid.TrackingCode}, &data)
	if err != nil || !data.Transaction.IsOverdue {
		t.Errorf("a deposit that waits beyond its time is not shown as overdue (%v)", err)
	}
	d.operator.must(t, "approveDeposit", paid.TrackingCode)
	if l := to.next(t); l.TrackingCode != paid.TrackingCode || l.Status != "completed" {
		t.Errorf("the paid deposit's callback is that of %s, %s", l.TrackingCode, l.Status)
	}
	server.stop(t)
}

// TestExpiryWhileDown: the time comes while nothing runs.
func TestExpiryWhileDown(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		server := in.serve("VEZNE_EXPIRY_DEPOSIT=8s")
		to := newReceiver(t, in.keys.Provider, accept)
		in.callBack(server, to)
		made := in.provider(server).createMany(t, "start-manual-deposit", 20, "10.00")
		server.kill()
		late := time.Now().Add(8 * time.Second)
		eventually(t, func() error {
			if time.Now().Before(late) {
				return fmt.Errorf("it is before %s", late)
			}
			return nil
		})
		if to.count() > 0 {
			t.Fatal("a deposit expired before its time")
		}
		checkExpired(t, in.serve(), to, made)
	})
}

// TestExpiryByWorker: one process takes requests, another one works.
func TestExpiryByWorker(t *testing.T) {
	t.Parallel()
	in := newOnServers(t)
	api := in.serve(shortExpiry, "VEZNE_ROLE=api")
	to := newReceiver(t, in.keys.Provider, accept)
	in.callBack(api, to)
	before := in.provider(api).create(t, "start-manual-deposit", "10.00")
	viewer := in.signIn(api, "viewer")
	if status := viewer.transaction(t, before.TrackingCode).Status; status != "showing" {
		t.Errorf("without a worker the deposit is %s", status)
	}
	worker := in.serve("VEZNE_ROLE=worker")
	after := in.provider(api).create(t, "start-manual-deposit", "11.00")
	checkExpired(t, api, to, []payment{before, after})
	for _, path := range []string{"/api/provider/welcome", "/graphql", "/pay/x", "/docs"} {
		if a := get(t, worker.url+path); a.status != 404 {
			t.Errorf("a worker answers %s with %d", path, a.status)
		}
	}
	if a := get(t, worker.url+"/readyz"); a.status != 200 {
		t.Errorf("a worker is not ready: %d %s", a.status, a.body)
	}
	if slices.ContainsFunc(viewer.all(t), func(f transaction) bool { return f.Status != "expired" }) {
		t.Error("a deposit is not expired")
	}
	worker.stop(t)
	api.stop(t)
}
