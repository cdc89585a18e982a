package payments_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// TestRetry: a receiver that fails is tried again by the schedule, with the same id, freshly signed each time.
func TestRetry(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		server := in.Serve("VEZNE_CALLBACK_SCHEDULE=0s,1s,1s")
		var calls atomic.Int32
		to := harness.NewReceiver(t, in.Keys.Provider, func(harness.Letter) int {
			return []int{http.StatusInternalServerError, http.StatusAccepted, http.StatusOK}[calls.Add(1)-1]
		})
		in.CallBack(server, to)
		operator := in.SignIn(server, "operator")
		p := in.Provider(server).Create(t, "start-manual-withdraw", "80")
		operator.Must(t, "rejectWithdrawal", p.TrackingCode)
		found := operator.Settled(t, p.TrackingCode).Callbacks[0]
		var statuses []int
		for _, a := range found.Attempts {
			statuses = append(statuses, a.HTTPStatus)
			if a.URL != to.URL || !strings.Contains(a.Answer, "success") {
				t.Errorf("attempt %d is logged as %+v", a.Number, a)
			}
		}
		if found.Status != "DELIVERED" || fmt.Sprint(statuses) != "[500 202 200]" {
			t.Errorf("the callback is %s after answers %v: only 200 is success", found.Status, statuses)
		}
		letters := to.Of(p.TrackingCode)
		if len(letters) != 3 || letters[0].ID != letters[2].ID || letters[0].Timestamp == letters[2].Timestamp {
			t.Errorf("the attempts were %+v", letters)
		}
		server.Stop(t)
	})
}

// TestGivesUp: after the last attempt the callback has failed, with every attempt to be read.
func TestGivesUp(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	server := in.Serve("VEZNE_CALLBACK_SCHEDULE=0s,1s", "VEZNE_CALLBACK_TIMEOUT=500ms")
	to, open := harness.NewGatedReceiver(t, in.Keys.Provider, 0)
	defer open()
	in.CallBack(server, to)
	operator := in.SignIn(server, "operator")
	p := in.Provider(server).Create(t, "start-manual-withdraw", "80")
	operator.MustPay(t, "failWithdrawal", p.TrackingCode)
	found := operator.Settled(t, p.TrackingCode).Callbacks[0]
	if found.Status != "FAILED" || found.AttemptCount != 2 || !strings.Contains(found.Attempts[1].Error, "no answer within 500ms") {
		t.Errorf("a receiver that never answers leaves %+v", found)
	}
	server.Stop(t)
}

// TestPrivateAddressesAreRefused: without the operator's permission no callback goes to this machine.
func TestPrivateAddressesAreRefused(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		server := in.Serve("VEZNE_CALLBACK_ALLOW_PRIVATE=false", "VEZNE_CALLBACK_SCHEDULE=0s")
		to := harness.NewReceiver(t, in.Keys.Provider, harness.Accept)
		admin := in.SignIn(server, "admin")
		_, port, _ := strings.Cut(strings.TrimPrefix(to.URL, "http://"), ":")
		for _, host := range []string{"127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]", "0.0.0.0"} {
			admin.UpdateProvider(t, in.Keys.Provider.ID, map[string]any{"withdrawalCallbackUrl": "http://" + host + ":" + port + "/"})
			p := in.Provider(server).Create(t, "start-manual-withdraw", "80")
			admin.MustPay(t, "completeWithdrawal", p.TrackingCode)
			found := admin.Settled(t, p.TrackingCode).Callbacks[0]
			if found.Status != "FAILED" || len(found.Attempts) != 1 || found.Attempts[0].HTTPStatus != 0 {
				t.Errorf("a callback to %s is %s: %+v", host, found.Status, found.Attempts)
			} else if why := found.Attempts[0].Error; !strings.Contains(why, "is not public") && !strings.Contains(why, "does not resolve") {
				t.Errorf("a callback to %s was not sent because of %q", host, why)
			}
		}
		if to.Count() > 0 {
			t.Error("a callback reached this machine")
		}
		server.Stop(t)
	})
}

// TestHangingReceiver: a receiver that does not answer, with more callbacks than are sent to one at once, delays nobody.
func TestHangingReceiver(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		const healthy, each, forHanging = 20, 5, 40
		to := harness.NewReceiver(t, in.Keys.Provider, harness.Accept)
		hanging, open := harness.NewGatedReceiver(t, in.Keys.Provider, 0)
		urls := []string{hanging.URL}
		for i := range healthy {
			urls = append(urls, fmt.Sprintf("%s/%d", to.URL, i))
		}
		sites := in.AddSites(urls)
		server := in.Serve("VEZNE_CALLBACK_TIMEOUT=1m")
		operator := in.SignIn(server, "operator")
		held := harness.Caller{Base: server.URL, Keys: in.Keys.Provider, Site: sites[0]}.CreateMany(t, "start-manual-deposit", forHanging, "10.00")
		operator.DecideAll(t, "rejectDeposit", held)
		hanging.Next(t) // it hangs
		var fine []harness.Payment
		for _, site := range sites[1:] {
			fine = append(fine, harness.Caller{Base: server.URL, Keys: in.Keys.Provider, Site: site}.CreateMany(t, "start-manual-deposit", each, "10.00")...)
		}
		operator.DecideAll(t, "approveDeposit", fine)
		to.AwaitAll(t, fine, "completed")
		for _, p := range held {
			if status := operator.Transaction(t, p.TrackingCode).Callbacks[0].Status; status != "WAITING" {
				t.Errorf("the receiver hangs, yet a callback to it is %s", status)
			}
		}
		open()
		hanging.AwaitAll(t, held, "canceled")
		for _, p := range append(fine, held...) {
			if found := operator.Settled(t, p.TrackingCode).Callbacks[0]; found.Status != "DELIVERED" || found.AttemptCount != 1 {
				t.Errorf("%s: %s after %d attempts", p.TrackingCode, found.Status, found.AttemptCount)
			}
		}
		server.Stop(t)
	})
}
