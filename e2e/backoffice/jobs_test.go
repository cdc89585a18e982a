package backoffice_test

import (
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// TestResend: a receiver that was dead gets everything that failed, by one order, with the same ids.
func TestResend(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		server := in.Serve("VEZNE_CALLBACK_SCHEDULE=0s")
		var isAlive atomic.Bool
		to := harness.NewReceiver(t, in.Keys.Provider, func(harness.Letter) int {
			if isAlive.Load() {
				return http.StatusOK
			}
			return http.StatusServiceUnavailable
		})
		in.CallBack(server, to)
		operator := in.SignIn(server, "operator")
		payments := in.Provider(server).CreateMany(t, "start-manual-deposit", 12, "25.00")
		operator.DecideAll(t, "rejectDeposit", payments)
		ids := map[string]string{}
		for _, p := range payments {
			callback := operator.Settled(t, p.TrackingCode).Callbacks[0]
			if callback.Status != "FAILED" {
				t.Fatalf("a dead receiver leaves %+v", callback)
			}
			ids[p.TrackingCode] = callback.ID
		}
		isAlive.Store(true)
		var data struct {
			ResendCallbacks struct {
				Count   int
				IsExact bool
				Job     *harness.JobView
			}
		}
		order := `mutation($dry: Boolean) { resendCallbacks(input: {filter: {status: CANCELED, method: MANUAL_DEPOSIT}, status: [FAILED], dryRun: $dry}) {
			count isExact job { id } } }`
		for _, isDry := range []bool{true, false} {
			if err := operator.Ask(order, map[string]any{"dry": isDry}, &data); err != nil || data.ResendCallbacks.Count != 12 {
				t.Fatalf("the order comes to %+v (%v)", data.ResendCallbacks, err)
			}
		}
		if j := operator.Over(t, data.ResendCallbacks.Job.ID); j.Status != "DONE" || j.Done != 12 || j.Failed != 0 {
			t.Errorf("the job is %+v", j)
		}
		for _, p := range payments {
			callback := operator.Settled(t, p.TrackingCode).Callbacks[0]
			letters := to.Of(p.TrackingCode)
			if callback.Status != "DELIVERED" || callback.ID != ids[p.TrackingCode] || len(letters) != 2 || letters[0].ID != letters[1].ID {
				t.Errorf("%s: %s after %d letters", p.TrackingCode, callback.Status, len(letters))
			}
		}
		server.Stop(t)
	})
}
