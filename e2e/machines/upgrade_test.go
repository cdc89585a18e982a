//go:build drill

package machines_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/e2e/machines"
)

// TestDrillUpgrade begins with the previous release on its own schema, brings the schema up to date under its processes, and replaces
// them one by one: the previous release works on this one's schema, and beside it, for callers and for staff.
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
	staff := m.SignIn(m.APIs[0], "admin")
	for _, list := range []string{
		fmt.Sprintf("statistics(by: [STATUS], from: %q, until: %q) { rows { count } }", time.Now().AddDate(0, -1, 0).Format(time.RFC3339), time.Now().Format(time.RFC3339)),
		"auditLog(first: 5) { nodes { id } }", "callbacks(first: 5) { nodes { id } }", "disputes(first: 5) { nodes { id } }", "wallets { id }",
		"transactions(first: 5) { nodes { history { nodes { to } } notes { text } callbacks { id } gatewayCalls { id } } }", "restoration { epoch }", "queues { work { kind } }",
	} {
		if err := staff.Ask("{ "+list+" }", nil, &struct{}{}); err != nil {
			t.Errorf("%s of the release before, on the new schema: %v", list, err)
		}
	}
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
