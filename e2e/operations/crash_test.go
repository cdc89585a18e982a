package operations_test

import (
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// TestKilledBeforeDelivery: the process that commits is killed and never sends anything; the next one delivers.
func TestKilledBeforeDelivery(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		api := in.Serve("VEZNE_ROLE=api")
		to := harness.NewReceiver(t, in.Keys.Provider, harness.Accept)
		in.CallBack(api, to)
		made := in.Provider(api).CreateMany(t, "start-manual-deposit", 50, "10.00")
		in.SignIn(api, "operator").DecideAll(t, "approveDeposit", made)
		api.Kill()
		if to.Count() > 0 {
			t.Fatal("a process that only takes requests has sent a callback")
		}
		worker := in.Serve("VEZNE_ROLE=worker")
		to.AwaitAll(t, made, "completed")
		worker.Stop(t)
		for _, p := range made {
			if n := len(to.Of(p.TrackingCode)); n != 1 {
				t.Errorf("the callback of %s came %d times", p.TrackingCode, n)
			}
		}
	})
}

// TestKilledDuringDelivery: the process is killed while the receiver holds some callbacks and others are leased or due.
// Those that were under way may come again, with the same id; none is lost, and none says anything else.
func TestKilledDuringDelivery(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		first := in.Serve("VEZNE_CALLBACK_TIMEOUT=1s")
		to, open := harness.NewGatedReceiver(t, in.Keys.Provider, 0)
		in.CallBack(first, to)
		made := in.Provider(first).CreateMany(t, "start-eiban-deposit", 50, "10.00")
		in.SignIn(first, "operator").DecideAll(t, "rejectDeposit", made)
		to.Next(t)
		first.Kill()
		open()
		second := in.Serve("VEZNE_CALLBACK_TIMEOUT=1s")
		to.AwaitAll(t, made, "canceled")
		viewer := in.SignIn(second, "viewer")
		for _, p := range made {
			if found := viewer.Settled(t, p.TrackingCode).Callbacks[0]; found.Status != "DELIVERED" {
				t.Errorf("after the crash the callback of %s is %s", p.TrackingCode, found.Status)
			}
		}
		second.Stop(t)
	})
}

// TestKilledUnderLoad: whatever was answered before the crash is there after it.
func TestKilledUnderLoad(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		first := in.Serve("VEZNE_CALLBACK_TIMEOUT=1s")
		to := harness.NewReceiver(t, in.Keys.Provider, harness.Accept)
		in.CallBack(first, to)
		operator := in.SignIn(first, "operator")
		answered := make(chan harness.Payment, 10_000)
		load := harness.StartLoad(8, func() bool {
			_, p, err := in.Provider(first).Try("start-manual-withdraw", harness.Order("10.00"), "")
			if err == nil && p.TrackingCode != "" {
				_, err = operator.Pay("completeWithdrawal", p.TrackingCode)
			}
			if err == nil && p.TrackingCode != "" {
				answered <- p
			}
			return err == nil // until the process is gone
		})
		for range 50 {
			to.Next(t)
		}
		first.Kill()
		load.Wait()
		close(answered)
		var made []harness.Payment
		for p := range answered {
			made = append(made, p)
		}
		second := in.Serve()
		to.AwaitAll(t, made, "completed")
		second.Stop(t)
	})
}
