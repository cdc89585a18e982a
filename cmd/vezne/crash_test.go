package main_test

import "testing"

// TestKilledBeforeDelivery: the process that commits is killed and never sends anything; the next one delivers.
func TestKilledBeforeDelivery(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		api := in.serve("VEZNE_ROLE=api")
		to := newReceiver(t, in.keys.Provider, accept)
		in.callBack(api, to)
		made := in.provider(api).createMany(t, "start-manual-deposit", 50, "10.00")
		in.signIn(api, "operator").decideAll(t, "approveDeposit", made)
		api.kill()
		if to.count() > 0 {
			t.Fatal("a process that only takes requests has sent a callback")
		}
		worker := in.serve("VEZNE_ROLE=worker")
		to.awaitAll(t, made, "completed")
		worker.stop(t)
		for _, p := range made {
			if n := len(to.of(p.TrackingCode)); n != 1 {
				t.Errorf("the callback of %s came %d times", p.TrackingCode, n)
			}
		}
	})
}

// TestKilledDuringDelivery: the process is killed while the receiver holds some callbacks and others are leased or due.
// Those that were under way may come again, with the same id; none is lost, and none says anything else.
func TestKilledDuringDelivery(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		first := in.serve("VEZNE_CALLBACK_TIMEOUT=1s")
		to, open := newGatedReceiver(t, in.keys.Provider, 0)
		in.callBack(first, to)
		made := in.provider(first).createMany(t, "start-eiban-deposit", 50, "10.00")
		in.signIn(first, "operator").decideAll(t, "rejectDeposit", made)
		to.next(t)
		first.kill()
		open()
		second := in.serve("VEZNE_CALLBACK_TIMEOUT=1s")
		to.awaitAll(t, made, "canceled")
		viewer := in.signIn(second, "viewer")
		for _, p := range made {
			if found := viewer.settled(t, p.TrackingCode).Callbacks[0]; found.State != "delivered" {
				t.Errorf("after the crash the callback of %s is %s", p.TrackingCode, found.State)
			}
		}
		second.stop(t)
	})
}

// TestKilledUnderLoad: whatever was answered before the crash is there after it.
func TestKilledUnderLoad(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		first := in.serve("VEZNE_CALLBACK_TIMEOUT=1s")
		to := newReceiver(t, in.keys.Provider, accept)
		in.callBack(first, to)
		operator := in.signIn(first, "operator")
		answered := make(chan payment, 10_000)
		load := startLoad(8, func() bool {
			_, p, err := in.provider(first).try("start-manual-withdraw", order("10.00"), "")
			if err == nil && p.TrackingCode != "" {
				_, err = operator.pay("completeWithdrawal", p.TrackingCode)
			}
			if err == nil && p.TrackingCode != "" {
				answered <- p
			}
			return err == nil // until the process is gone
		})
		for range 50 {
			to.next(t)
		}
		first.kill()
		load.Wait()
		close(answered)
		var made []payment
		for p := range answered {
			made = append(made, p)
		}
		second := in.serve()
		to.awaitAll(t, made, "completed")
		second.stop(t)
	})
}
