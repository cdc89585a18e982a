package main_test

import (
	"fmt"
	"testing"
)

// TestAStopHandsBackWhatItLeased while a slow request keeps the process alive: what it is not sending at that moment is anybody's
// before the process has ended. A lease would last longer than this test is patient.
func TestAStopHandsBackWhatItLeased(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		const lease, quickly, atOnce = "VEZNE_CALLBACK_TIMEOUT=1m", 60, 16
		api := in.serve("VEZNE_ROLE=api")
		to, open := newGatedReceiver(t, in.keys.Provider, quickly)
		in.callBack(api, to)
		made := in.provider(api).createMany(t, "start-manual-withdraw", 300, "10.00")
		in.signIn(api, "operator").decideAll(t, "cancelWithdrawal", made)
		api.stop(t)
		first := in.serve(lease)
		for range quickly + 1 {
			to.next(t)
		}
		held := hold(t, in, first)
		stopping(t, first)
		db := in.openDatabase()
		eventually(t, func() error {
			var leased int
			err := db.QueryRowContext(t.Context(),
				"SELECT count(*) FROM callbacks WHERE state = 'waiting' AND lease_until IS NOT NULL").Scan(&leased)
			if err == nil && leased > atOnce {
				err = fmt.Errorf("%d callbacks are leased", leased)
			}
			return err
		})
		if first.hasExited() {
			t.Error("the process did not wait for its request")
		}
		open()
		held.finish(t)
		if err := first.end(); err != nil {
			t.Error(err)
		}
		first.checkLog(t)
		second := in.serve(lease)
		to.awaitAll(t, made, "canceled")
		second.stop(t)
		for _, p := range made {
			if n := len(to.of(p.TrackingCode)); n != 1 {
				t.Errorf("the callback of %s came %d times", p.TrackingCode, n)
			}
		}
	})
}
