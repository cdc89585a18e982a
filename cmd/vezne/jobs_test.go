package main_test

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
)

// jobView is what tests read of a job.
type jobView struct {
	ID                    string
	State                 string
	Total                 int
	Done, Skipped, Failed int
	Totals                []jobTotal
}

type jobTotal struct {
	Method, Status                    string
	Count                             int
	RequestedAmount, Amount, Currency string
}

const jobViewFields = `{ id state total done skipped failed
	totals { method status count requestedAmount amount currency } }`

// over waits until a job is over.
func (s staff) over(t testing.TB, id string) (found jobView) {
	t.Helper()
	eventually(t, func() error {
		var data struct{ Job jobView }
		if err := s.ask(`query($id: ID!) { job(id: $id) `+jobViewFields+` }`, map[string]any{"id": id}, &data); err != nil {
			return err
		}
		if found = data.Job; found.State == "queued" || found.State == "running" {
			return fmt.Errorf("the job is %+v", found)
		}
		return nil
	})
	return found
}

// TestResend: a receiver that was dead gets everything that failed, by one order, with the same ids.
func TestResend(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		server := in.serve("VEZNE_CALLBACK_SCHEDULE=0s")
		var isAlive atomic.Bool
		to := newReceiver(t, in.keys.Provider, func(letter) int {
			if isAlive.Load() {
				return http.StatusOK
			}
			return http.StatusServiceUnavailable
		})
		in.callBack(server, to)
		operator := in.signIn(server, "operator")
		payments := in.provider(server).createMany(t, "start-manual-deposit", 12, "25.00")
		operator.decideAll(t, "rejectDeposit", payments)
		ids := map[string]string{}
		for _, p := range payments {
			callback := operator.settled(t, p.TrackingCode).Callbacks[0]
			if callback.State != "failed" {
				t.Fatalf("a dead receiver leaves %+v", callback)
			}
			ids[p.TrackingCode] = callback.ID
		}
		isAlive.Store(true)
		var data struct {
			ResendCallbacks struct {
				Count   int
				IsExact bool
				Job     *jobView
			}
		}
		order := `mutation($dry: Boolean) { resendCallbacks(filter: {status: canceled, method: manual_deposit}, states: [failed], dryRun: $dry) {
			count isExact job { id } } }`
		for _, isDry := range []bool{true, false} {
			if err := operator.ask(order, map[string]any{"dry": isDry}, &data); err != nil || data.ResendCallbacks.Count != 12 {
				t.Fatalf("the order comes to %+v (%v)", data.ResendCallbacks, err)
			}
		}
		if j := operator.over(t, data.ResendCallbacks.Job.ID); j.State != "done" || j.Done != 12 || j.Failed != 0 {
			t.Errorf("the job is %+v", j)
		}
		for _, p := range payments {
			callback := operator.settled(t, p.TrackingCode).Callbacks[0]
			letters := to.of(p.TrackingCode)
			if callback.State != "delivered" || callback.ID != ids[p.TrackingCode] || len(letters) != 2 || letters[0].ID != letters[1].ID {
				t.Errorf("%s: %s after %d letters", p.TrackingCode, callback.State, len(letters))
			}
		}
		server.stop(t)
	})
}
