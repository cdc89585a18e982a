package payments_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/e2e/harness"
)

const shortExpiry = "VEZNE_EXPIRY_DEPOSIT=1s"

// checkExpired waits for the callbacks that say that deposits have expired, and looks at what customers see.
func checkExpired(t *testing.T, server *harness.Process, to *harness.Receiver, made []harness.Payment) {
	t.Helper()
	to.AwaitAll(t, made, "expired")
	for _, p := range made {
		if page := p.At(server).Open(t); !strings.Contains(page, `<main class="card expired"`) {
			t.Errorf("the page of an expired deposit shows something else:\n%s", page)
		}
		if l := to.Of(p.TrackingCode)[0]; l.Amount != p.Amount {
			t.Errorf("the callback of %s says %s, want %s", p.TrackingCode, l.Amount, p.Amount)
		}
	}
}

func TestExpiry(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		server := in.Serve(shortExpiry)
		to := harness.NewReceiver(t, in.Keys.Provider, harness.Accept)
		in.CallBack(server, to)
		provider := in.Provider(server)
		made := []harness.Payment{
			provider.Create(t, "start-manual-deposit", "12.34"), provider.Create(t, "start-eiban-deposit", "999"),
		}
		made[1].Amount = "999.00"
		checkExpired(t, server, to, made)
		for _, p := range made {
			found := in.SignIn(server, "viewer").Settled(t, p.TrackingCode)
			if found.Status != "EXPIRED" || found.Callbacks[0].AttemptCount != 1 {
				t.Errorf("%s is %s after %d attempts", p.TrackingCode, found.Status, found.Callbacks[0].AttemptCount)
			}
			if _, err := in.SignIn(server, "operator").Decide("approveDeposit", p.TrackingCode); harness.CodeOf(err) != "ALREADY_FINAL" {
				t.Errorf("approving an expired deposit gives %v", err)
			}
		}
		server.Stop(t)
	})
}

// TestExpiryIsNotForPaid: what the customer says is paid waits for staff, beyond its time.
func TestExpiryIsNotForPaid(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	server := in.Serve("VEZNE_EXPIRY_DEPOSIT=8s")
	to := harness.NewReceiver(t, in.Keys.Provider, harness.Accept)
	in.CallBack(server, to)
	d := &desk{server: server, operator: in.SignIn(server, "operator")}
	paid := in.Provider(server).Create(t, "start-manual-deposit", "50")
	d.pay(t, paid, "50")
	later := in.Provider(server).Create(t, "start-manual-deposit", "60") // when this one is expired, so would be the other
	if l := to.Next(t); l.TrackingCode != later.TrackingCode || l.Status != "expired" {
		t.Fatalf("the first callback is that of %s, %s", l.TrackingCode, l.Status)
	}
	var data struct{ Transaction struct{ IsOverdue bool } }
	err := d.operator.Ask(`query($code: String!) { transaction(trackingCode: $code) { isOverdue } }`,
		map[string]any{"code": paid.TrackingCode}, &data)
	if err != nil || !data.Transaction.IsOverdue {
		t.Errorf("a deposit that waits beyond its time is not shown as overdue (%v)", err)
	}
	d.operator.Must(t, "approveDeposit", paid.TrackingCode)
	if l := to.Next(t); l.TrackingCode != paid.TrackingCode || l.Status != "completed" {
		t.Errorf("the paid deposit's callback is that of %s, %s", l.TrackingCode, l.Status)
	}
	server.Stop(t)
}

// TestExpiryWhileDown: the time comes while nothing runs.
func TestExpiryWhileDown(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		server := in.Serve("VEZNE_EXPIRY_DEPOSIT=8s")
		to := harness.NewReceiver(t, in.Keys.Provider, harness.Accept)
		in.CallBack(server, to)
		made := in.Provider(server).CreateMany(t, "start-manual-deposit", 20, "10.00")
		server.Kill()
		late := time.Now().Add(8 * time.Second)
		harness.Eventually(t, func() error {
			if time.Now().Before(late) {
				return fmt.Errorf("it is before %s", late)
			}
			return nil
		})
		if to.Count() > 0 {
			t.Fatal("a deposit expired before its time")
		}
		checkExpired(t, in.Serve(), to, made)
	})
}

// TestExpiryByWorker: one process takes requests, another one works.
func TestExpiryByWorker(t *testing.T) {
	t.Parallel()
	in := harness.NewOnServers(t)
	api := in.Serve(shortExpiry, "VEZNE_ROLE=api")
	to := harness.NewReceiver(t, in.Keys.Provider, harness.Accept)
	in.CallBack(api, to)
	before := in.Provider(api).Create(t, "start-manual-deposit", "10.00")
	viewer := in.SignIn(api, "viewer")
	if status := viewer.Transaction(t, before.TrackingCode).Status; status != "SHOWING" {
		t.Errorf("without a worker the deposit is %s", status)
	}
	worker := in.Serve("VEZNE_ROLE=worker")
	after := in.Provider(api).Create(t, "start-manual-deposit", "11.00")
	checkExpired(t, api, to, []harness.Payment{before, after})
	for _, path := range []string{"/api/provider/welcome", "/graphql", "/pay/x", "/docs"} {
		if a := harness.Get(t, worker.URL+path); a.Status != 404 {
			t.Errorf("a worker answers %s with %d", path, a.Status)
		}
	}
	if a := harness.Get(t, worker.URL+"/readyz"); a.Status != 200 {
		t.Errorf("a worker is not ready: %d %s", a.Status, a.Body)
	}
	if slices.ContainsFunc(viewer.All(t), func(f harness.Transaction) bool { return f.Status != "EXPIRED" }) {
		t.Error("a deposit is not expired")
	}
	worker.Stop(t)
	api.Stop(t)
}
