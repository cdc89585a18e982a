package operations_test

import (
	"fmt"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// writers are the commands that write to an embedded database, whichever it is.
var writers = [][]string{
	{"serve", "--listen", "127.0.0.1:0"}, {"demo", "--listen", "127.0.0.1:0"}, {"migrate", "up"}, {"migrate", "down", "--yes"},
	{"seed", "--transactions", "1"}, {"staff", "create", "--email", "a@b.example", "--role", "admin"},
	{"staff", "reset-factors", "--email", "admin@demo.vezne.local"},
}

// TestOneProcessHasAnEmbeddedDirectory: a second one that would write is told who has it, one that only reads works beside it, and
// a crash gives it back.
func TestOneProcessHasAnEmbeddedDirectory(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	in.Env = append(in.Env, "VEZNE_STAFF_PASSWORD=correct horse battery")
	server := in.Serve()
	p := in.Provider(server).Create(t, "start-manual-deposit", "10.00")
	holder := fmt.Sprintf("in use by vezne serve, process %d on ", server.PID())
	for _, args := range writers {
		harness.Launch{Args: args, Env: in.Env}.ExpectFailure(t, "the data directory "+in.Dir, holder)
	}
	expectFindings(t, examine(in, 0), map[string]string{"database": "ok answers", "schema": "ok"})
	in.Succeed("migrate", "status")
	in.Succeed("audit", "verify")
	in.Succeed("audit", "head")
	in.Provider(server).Create(t, "start-manual-deposit", "10.00")
	server.Kill()
	after := in.Demo()
	harness.Launch{Args: writers[0], Env: in.Env}.ExpectFailure(t, fmt.Sprintf("in use by vezne demo, process %d on ", after.PID()))
	if page := harness.Get(t, after.URL+"/pay/"+harness.PageToken(p.PaymentURL)); page.Status != 200 {
		t.Errorf("after the crash a payment's page answers %d", page.Status)
	}
	after.Stop(t)
	in.Serve().Stop(t)
}
