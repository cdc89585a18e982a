//go:build drill

package machines_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/e2e/machines"
)

// onCluster makes an installation on PostgreSQL under Patroni, and serves it.
func onCluster(t *testing.T, cluster *machines.Cluster, settings ...string) *machines.Machines {
	t.Helper()
	in := harness.NewEmpty(t, "VEZNE_DATABASE_URL="+cluster.URL(), "VEZNE_REDIS_URL="+harness.NewQueue(t), "VEZNE_CALLBACK_ALLOW_PRIVATE=true")
	in.Seed().Stop(t)
	return machines.Serve(t, in, settings...)
}

// TestDrillFailover kills the primary with its Patroni, which promotes the standby.
func TestDrillFailover(t *testing.T) {
	cluster := machines.StartCluster(t)
	m := onCluster(t, cluster)
	cluster.AwaitStandby()
	if status := cluster.RestartByAnybody(); status != http.StatusUnauthorized {
		t.Errorf("whoever reaches Patroni restarts the primary: it answers %d", status)
	}
	load := m.Begin()
	load.AwaitMore(50)
	killed := time.Now()
	cluster.KillPrimary()
	load.AwaitRefusal(killed)
	cluster.AwaitTurn()
	load.AwaitMore(100)
	load.MustHold(load.Finish("failover"))
}

// TestDrillFrozen stops the primary's Patroni, whose PostgreSQL goes on and takes itself for the primary while the standby becomes another
// one: two primaries. What the old one still takes it cannot answer, for no standby has it. Set free, Patroni makes it the other's standby.
func TestDrillFrozen(t *testing.T) {
	cluster := machines.StartCluster(t)
	m := onCluster(t, cluster)
	cluster.AwaitStandby()
	load := m.Begin()
	load.AwaitMore(50)
	frozen := time.Now()
	thaw := cluster.FreezePatroni()
	load.AwaitRefusal(frozen)
	cluster.AwaitTurn()
	load.AwaitMore(100)
	thaw()
	cluster.AwaitStandby()
	load.AwaitMore(50)
	load.MustHold(load.Finish("frozen"))
}

// TestDrillAsynchronous is the proof that these drills can fail, and why patroni.yaml has synchronous_mode: a standby that lags and
// becomes the primary has not what was answered. The fence finds it before anything is committed there: until people have looked at what remains, and two have thawed it, no
// payment changes and no callback goes out. Callers then repeat what was lost.
func TestDrillAsynchronous(t *testing.T) {
	cluster := machines.StartCluster(t, "synchronous_mode: true", "synchronous_mode: false\n    maximum_lag_on_failover: 1000000000")
	m := onCluster(t, cluster)
	// No bank and no gateway is there to be asked: each would be waited for.
	err := m.Tamper("UPDATE feeds SET next_at = NULL", "UPDATE dispute_listings SET listed_until = now() + interval '1 day'")
	if err != nil {
		t.Fatal(err)
	}
	load := m.Begin()
	load.RefuseCallbacks(true) // they are due again when it is frozen
	load.AwaitMore(20)
	lose := cluster.Detach()
	load.AwaitMore(50)
	killed := time.Now()
	cluster.KillPrimary()
	lose()
	load.AwaitRefusal(killed)
	cluster.AwaitTurn()
	behind := machines.Epoch{Number: 1, State: "frozen", Cause: "behind"}
	if e := m.AwaitFrozen(); e != behind {
		t.Errorf("a standby that lags has become the primary, and it is %s, want %s", e, behind)
	}
	if n := m.ChangedSince(killed); n > 0 {
		t.Errorf("%d payments changed on a primary that nobody had looked at", n)
	}
	t.Logf("the primary was killed and all of it frozen within %s", time.Since(killed).Round(time.Millisecond))
	load.RefuseCallbacks(false)
	load.MustRest()
	t.Logf("people have looked at %v", m.Thaw())
	thawed := machines.Epoch{Number: 2, State: "live", Cause: "behind"}
	load.AwaitMore(20)
	r := load.Compare("control asynchronous, which has to lose")
	if r.Lost == 0 {
		t.Error("a standby that lags has become the primary, and nothing is lost: these drills find nothing")
	}
	if r.Epoch != thawed {
		t.Errorf("after two have thawed it, it is %s, want %s", r.Epoch, thawed)
	}
	if n := load.Repeat(); n == 0 {
		t.Error("no payment is lost, only what became of some")
	} else {
		t.Logf("%d payments were lost, and are there again after their calls were repeated", n)
	}
}
