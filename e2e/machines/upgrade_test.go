//go:build drill

package machines_test

import (
	"testing"

	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/e2e/machines"
)

// TestDrillUpgrade begins with the previous release on its own schema, brings the schema up to date under its processes, and replaces
// them one by one: the previous release works on this one's schema, and beside it.
func TestDrillUpgrade(t *testing.T) {
	in := harness.NewEmpty(t, "VEZNE_DATABASE_URL="+harness.NewDatabase(t, ""), "VEZNE_REDIS_URL="+harness.NewQueue(t),
		"VEZNE_CALLBACK_ALLOW_PRIVATE=true")
	in.Binary = machines.Previous(t)
	in.Seed().Stop(t)
	m := machines.Serve(t, in)
	load := m.Begin()
	load.AwaitMore(50)
	in.Binary = ""
	in.Succeed("migrate", "up")
	load.AwaitMore(100)
	for _, each := range [][]*harness.Process{m.APIs, m.Workers} {
		for i := range each {
			each[i] = m.Replace(each[i])
			load.AwaitMore(20)
		}
	}
	r := load.Finish("upgrade")
	load.MustHold(r)
	if r.Refused > 0 {
		t.Errorf("the upgrade has refused calls for %s", r.Refused)
	}
}
