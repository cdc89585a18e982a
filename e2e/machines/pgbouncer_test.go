//go:build drill

package machines_test

import (
	"fmt"
	"net/url"
	"strings"
	"syscall"
	"testing"

	"github.com/vezne/vezne/adapters/redistest"
	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/e2e/machines"
)

// TestDrillPgBouncer serves through PgBouncer in transaction mode, which is killed and started again. With prepared statements it refuses
// to start.
func TestDrillPgBouncer(t *testing.T) {
	in := harness.NewOnServers(t)
	direct, err := url.Parse(in.Setting("DATABASE_URL"))
	if err != nil {
		t.Fatal(err)
	}
	database, role := strings.TrimPrefix(direct.Path, "/"), "vezne_"+strings.ToLower(redistest.FreePort(t))
	settings := "CREATE ROLE " + role + " SUPERUSER LOGIN PASSWORD 'drill'"
	for line := range strings.Lines(machines.Shipped(t, "pgbouncer/pgbouncer.ini")) {
		if _, statement, isOne := strings.Cut(line, ";   ALTER ROLE vezne "); isOne {
			settings += "; ALTER ROLE " + role + " " + statement
		}
	}
	if err := in.Tamper(settings); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Tamper("DROP ROLE " + role) })
	port := redistest.FreePort(t)
	bouncer := machines.StartPgBouncer(t, port, machines.Shipped(t, "pgbouncer/pgbouncer.ini",
		"vezne = host=127.0.0.1 port=5432 dbname=vezne", fmt.Sprintf("%s = host=%s port=%s dbname=%[1]s", database, direct.Hostname(), direct.Port()),
		"listen_port = 6432", "listen_port = "+port), role, "drill")
	through := *direct
	through.User, through.Host = url.UserPassword(role, "drill"), "127.0.0.1:"+port
	for i, setting := range in.Env {
		if strings.HasPrefix(setting, "VEZNE_DATABASE_URL=") {
			in.Env[i] = "VEZNE_DATABASE_URL=" + through.String()
		}
	}
	for _, command := range []string{"serve", "doctor"} {
		refused := harness.Launch{Args: []string{command}, Env: append(in.Env, "VEZNE_BASE_URL=http://127.0.0.1:1", "VEZNE_LISTEN=127.0.0.1:0", "VEZNE_ADMIN_LISTEN=off")}.Execute(t)
		if said := refused.Stdout + refused.Stderr; refused.Code != 1 || !strings.Contains(said, "pooler in transaction mode") ||
			!strings.Contains(said, "set VEZNE_DATABASE_PREPARED=false") {
			t.Errorf("with prepared statements %s ends with %d:\n%s", command, refused.Code, said)
		}
	}
	m := machines.Serve(t, in, "VEZNE_DATABASE_PREPARED=false")
	if said := in.Succeed("doctor"); strings.Contains(said, "ALTER ROLE") {
		t.Errorf("doctor misses what is set as pgbouncer.ini says:\n%s", said)
	}
	load := m.Begin()
	load.AwaitMore(100)
	bouncer.Down(syscall.SIGKILL)
	bouncer.Again()
	load.AwaitMore(100)
	load.MustHold(load.Finish("pgbouncer"))
}
