//go:build drill

package machines_test

import (
	"testing"

	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/e2e/machines"
)

// TestDrillProcesses stops and kills processes of Vezne behind HAProxy. A stop is noticed by nobody: it drains.
func TestDrillProcesses(t *testing.T) {
	m := machines.Serve(t, harness.NewOnServers(t))
	load := m.Begin()
	load.AwaitMore(50)
	m.APIs[0].Stop(t)
	load.AwaitMore(50)
	m.APIs[0] = m.APIs[0].Again(t)
	m.APIs[1] = m.Replace(m.APIs[1])
	m.Workers[0] = m.Replace(m.Workers[0])
	load.AwaitMore(50)
	stopped := load.Finish("stop")
	load.MustHold(stopped)
	if stopped.Refused > 0 {
		t.Errorf("processes that drain have refused calls for %s", stopped.Refused)
	}
}

// TestDrillKill kills a process of each role in the middle of its work.
func TestDrillKill(t *testing.T) {
	m := machines.Serve(t, harness.NewOnServers(t))
	load := m.Begin()
	load.AwaitMore(50)
	m.APIs[0].Kill()
	m.Workers[0].Kill()
	load.AwaitMore(100)
	m.APIs[0], m.Workers[0] = m.APIs[0].Again(t), m.Workers[0].Again(t)
	load.AwaitMore(50)
	load.MustHold(load.Finish("kill"))
}
