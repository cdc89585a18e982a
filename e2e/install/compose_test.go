//go:build drill

package install_test

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/e2e/install"
)

// TestDrillCompose: whoever follows "With compose" of docs/install.md has an installation over TLS, and its first payment, which is still
// there when processes are replaced and database and Redis start again.
func TestDrillCompose(t *testing.T) {
	blocks, onMachine := install.Blocks(t, "install.md", install.WithCompose), install.Blocks(t, "install.md", install.OnBareMachine)
	if len(blocks) != 1 || len(onMachine) != 7 {
		t.Fatalf("install.md has %d blocks of commands with compose and %d on a machine", len(blocks), len(onMachine))
	}
	c := composed{t, os.Getenv("VEZNE_TEST_CHECKOUT")}
	began := time.Now()
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(c.do("cd deploy/compose && docker compose logs --no-color --tail 40", ""))
		}
		c.do("cd deploy/compose && docker compose down --volumes --timeout 2", "")
	})
	c.do(strings.ReplaceAll(blocks[0], "VERSION", os.Getenv("VEZNE_TEST_VERSION")), password+"\n")
	c.do("cd deploy/compose && docker compose exec worker /usr/bin/vezne staff create --email second@example.com --role admin", password+"\n")
	signedIn := func(email string) (admin harness.Staff) {
		harness.Eventually(t, func() (err error) { // once Caddy has its certificate
			admin, err = harness.SignIn("https://"+install.Host, email, password)
			return err
		})
		admin.SetUpTOTP(t) // which compose.yaml asks for
		return admin
	}
	admin, second := signedIn("you@example.com"), signedIn("second@example.com")
	admin.Second = func() (harness.Staff, error) { return second, nil }
	code := firstPayment(t, admin, func(script, input string) string {
		return c.do("export PUBLIC_HOST="+install.Host+"\n"+script, input)
	}, onMachine[6])
	t.Logf("with compose to the first payment over TLS in %s", time.Since(began).Round(time.Second))

	// The proxy is believed what it says of its clients, and nobody else is reached.
	if said := c.do("cd deploy/compose && docker compose logs --no-color api", ""); strings.Contains(said, `"addr":"172.30.83.2"`) {
		t.Errorf("requests come from the proxy:\n%s", said)
	}
	said := c.do(`docker ps --format '{{.Label "com.docker.compose.service"}} {{.Ports}}'`, "")
	for line := range strings.Lines(said) {
		if service, ports, _ := strings.Cut(strings.TrimSpace(line), " "); (service == "proxy") != strings.Contains(ports, "->") {
			t.Errorf("%s is reached at %q", service, ports)
		}
	}

	c.do("cd deploy/compose && docker compose up --detach --force-recreate --no-deps api worker", "") // docs/runbooks.md: restart every process
	c.do("cd deploy/compose && docker compose restart postgres redis", "")
	harness.Eventually(t, func() error {
		if found, err := admin.Read(code); err != nil || found.Status != "COMPLETED" {
			return fmt.Errorf("afterwards the payment is %+v (%w)", found, err)
		}
		return nil
	})
	harness.Eventually(t, func() error {
		states := strings.Fields(c.do(`cd deploy/compose && docker compose ps --format '{{.Service}}:{{.State}}:{{.Health}}'`, ""))
		slices.Sort(states)
		want := []string{"api:running:healthy", "postgres:running:healthy", "proxy:running:", "redis:running:healthy", "worker:running:healthy"}
		if !slices.Equal(states, want) {
			return fmt.Errorf("the services are %q", states)
		}
		return nil
	})
}

// composed is where deploy/compose is used.
type composed struct {
	t        *testing.T
	checkout string
}

// do runs commands in the checkout, none of which may fail, and returns what they print.
func (c composed) do(script, input string) string {
	c.t.Helper()
	cmd := exec.Command("/bin/sh", "-e", "-u", "-c", script)
	cmd.Dir, cmd.Stdin = c.checkout, strings.NewReader(input)
	said, err := cmd.CombinedOutput()
	if err != nil {
		c.t.Fatalf("%v:\n%s\n%s", err, script, said)
	}
	return string(said)
}
