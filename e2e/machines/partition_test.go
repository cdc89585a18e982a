//go:build drill

package machines_test

import (
	"fmt"
	"net/http"
	"net/url"
	"syscall"
	"testing"
	"time"

	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/e2e/machines"
)

// waits is far beyond what Vezne lets a caller wait, which is 10 seconds for a commit and some for what is read before, and half of
// what HAProxy would.
const waits = time.Minute

// TestDrillPartition cuts a process for requests and one for background work off from the database: no connection breaks, and nothing
// gets through. What they had sent arrives when they are connected again, long after they have given up: then others have done it.
func TestDrillPartition(t *testing.T) {
	in := harness.NewOnServers(t)
	direct, err := url.Parse(in.Setting("DATABASE_URL"))
	if err != nil {
		t.Fatal(err)
	}
	m := machines.Serve(t, in)
	wire, address := machines.StartWire(t, direct.Host)
	through := *direct
	through.Host = address
	for _, p := range []**harness.Process{&m.APIs[0], &m.Workers[0]} {
		(*p).Env = append((*p).Env, "VEZNE_DATABASE_URL="+through.String())
		*p = m.Replace(*p)
	}
	load := m.Begin()
	load.AwaitMore(50)
	cut := time.Now()
	wire.Signal(syscall.SIGSTOP)
	for _, p := range []*harness.Process{m.APIs[0], m.Workers[0]} {
		awaitReady(t, p, http.StatusServiceUnavailable)
	}
	load.AwaitRefusal(cut)
	load.AwaitMore(100)
	wire.Signal(syscall.SIGCONT)
	for _, p := range []*harness.Process{m.APIs[0], m.Workers[0]} {
		awaitReady(t, p, http.StatusOK)
	}
	load.AwaitMore(50)
	r := load.Finish("partition")
	load.MustHold(r)
	if r.Longest > waits {
		t.Errorf("a caller has waited for %s", r.Longest)
	}
}

func awaitReady(t *testing.T, p *harness.Process, status int) {
	t.Helper()
	harness.Eventually(t, func() error {
		if a := harness.Get(t, p.URL+"/readyz"); a.Status != status {
			return fmt.Errorf("/readyz answers %d %s, want %d", a.Status, a.Body, status)
		}
		return nil
	})
}
