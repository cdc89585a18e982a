package operations_test

import (
	"fmt"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// TestAStopHandsBackWhatItLeased while a slow request keeps the process alive: what it is not sending at that moment is anybody's
// before the process has ended. A lease would last longer than this test is patient.
func TestAStopHandsBackWhatItLeased(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		const lease, quickly, atOnce = "VEZNE_CALLBACK_TIMEOUT=1m", 60, 16
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
		db := in.OpenDatabase()
		harness.Eventually(t, func() error {
			var leased int
			err := db.QueryRowContext(t.Context(),
				"SELECT count(*) FROM callbacks WHERE state = 'waiting' AND lease_until IS NOT NULL").Scan(&leased)
			if err == nil && leased > atOnce {
				err = fmt.Errorf("%d callbacks are leased", leased)
			}
			return err
		})
		if first.HasExited() {
			t.Error("the process did not wait for its request")
		}
		open()
		held.finish(t)
		if err := first.End(); err != nil {
			t.Error(err)
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
