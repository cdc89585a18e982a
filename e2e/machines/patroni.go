package machines

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/vezne/vezne/adapters/redistest"
	"github.com/vezne/vezne/e2e/harness"
)

// Cluster is two PostgreSQL under Patroni and etcd, and HAProxy, which leads to the primary, all configured as is shipped.
type Cluster struct {
	t     *testing.T
	nodes []*node
	Port  string // of HAProxy
}

// node is a PostgreSQL with its Patroni.
type node struct {
	*Daemon
	rest, port, data string
}

// URL is the address of the primary.
func (c *Cluster) URL() string {
	return "postgres://postgres:CHANGE-ME-1@" + local(c.Port) + "/postgres?sslmode=disable"
}

// StartCluster starts it; changes are of patroni.yaml.
func StartCluster(t *testing.T, changes ...string) *Cluster {
	t.Helper()
	dir, err := os.MkdirTemp("", "vezne-ha-") // not t.TempDir, which only this user may enter
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	as := unprivileged(t)
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	etcd, peers := redistest.FreePort(t), redistest.FreePort(t)
	keeper := &Daemon{t: t, path: program(t, "etcd"), dir: dir, as: as, args: []string{
		"--data-dir", filepath.Join(dir, "etcd"), "--listen-client-urls", "http://" + local(etcd), "--advertise-client-urls", "http://" + local(etcd),
		"--listen-peer-urls", "http://" + local(peers), "--initial-advertise-peer-urls", "http://" + local(peers),
		"--initial-cluster", "default=http://" + local(peers), "--unsafe-no-fsync", "--enable-v2",
	}}
	keeper.Up(func() error { return answers("http://" + local(etcd) + "/health") })
	c := &Cluster{t: t, Port: redistest.FreePort(t)}
	bin := postgresBin(t)
	for i := range 2 {
		n := &node{rest: redistest.FreePort(t), port: redistest.FreePort(t), data: filepath.Join(dir, fmt.Sprintf("pg%d", i+1))}
		text := Shipped(t, "patroni/patroni.yaml", append([]string{
			"name: pg1", fmt.Sprintf("name: pg%d", i+1),
			"10.0.0.21:8008", local(n.rest), "10.0.0.21:5432", local(n.port),
			"[10.0.0.31:2379, 10.0.0.32:2379, 10.0.0.33:2379]", "[" + local(etcd) + "]",
			"10.0.0.0/24", "127.0.0.0/8", "local all all peer", "local all all scram-sha-256",
			"/var/lib/postgresql/15/vezne", n.data, "/usr/lib/postgresql/15/bin", bin,
			"        wal_log_hints: \"on\"\n", "        wal_log_hints: \"on\"\n        unix_socket_directories: \"" + dir + "\"\n",
		}, changes...)...)
		n.Daemon = &Daemon{t: t, path: program(t, "patroni"), dir: dir, as: as, args: []string{write(t, dir, fmt.Sprintf("patroni%d.yaml", i+1), text)}}
		t.Cleanup(n.killPostgres)
		c.nodes = append(c.nodes, n)
		want := "/replica"
		if i == 0 {
			want = "/primary"
		}
		n.Up(func() error { return answers("http://" + local(n.rest) + want) })
	}
	StartHAProxy(t, Shipped(t, "proxy/haproxy-postgres.cfg", `    server pg3 "${VEZNE_PG3-10.0.0.23:5432}" port "${VEZNE_PATRONI3-8008}"`+"\n", ""),
		c.leadsToPrimary, "VEZNE_POSTGRES="+local(c.Port),
		"VEZNE_PG1="+local(c.nodes[0].port), "VEZNE_PATRONI1="+c.nodes[0].rest,
		"VEZNE_PG2="+local(c.nodes[1].port), "VEZNE_PATRONI2="+c.nodes[1].rest)
	return c
}

// leadsToPrimary reports whether HAProxy leads to nothing but a primary. It takes turns, and has looked at none when it begins.
func (c *Cluster) leadsToPrimary() error {
	for range 2 * len(c.nodes) {
		if err := isPrimary(c.URL()); err != nil {
			return err
		}
	}
	return nil
}

func isPrimary(databaseURL string) error {
	db := harness.OpenSQL(databaseURL)
	defer func() { _ = db.Close() }()
	isStandby := true
	err := db.QueryRowContext(context.Background(), "SELECT pg_is_in_recovery()").Scan(&isStandby)
	if err == nil && isStandby {
		err = errors.New("it leads to a standby")
	}
	return err
}

// AwaitStandby waits until the standby of the primary is one that may take its place.
func (c *Cluster) AwaitStandby() {
	c.t.Helper()
	harness.Eventually(c.t, func() error {
		if err := answers("http://" + local(c.nodes[1].rest) + "/synchronous"); err != nil {
			return fmt.Errorf("%w\nthe primary's Patroni:\n%s\nthe standby's:\n%s", err, &c.nodes[0].output, &c.nodes[1].output)
		}
		return nil
	})
}

// KillPrimary kills the primary with its Patroni, as the loss of its machine does.
func (c *Cluster) KillPrimary() {
	c.nodes[0].Down(syscall.SIGKILL)
	c.nodes[0].killPostgres()
}

// AwaitTurn waits until the other has taken over.
func (c *Cluster) AwaitTurn() {
	c.t.Helper()
	harness.Eventually(c.t, func() error {
		return errors.Join(answers("http://"+local(c.nodes[1].rest)+"/primary"), c.leadsToPrimary())
	})
	c.nodes[0], c.nodes[1] = c.nodes[1], c.nodes[0]
}

// RestartByAnybody asks the primary's Patroni to restart it, as somebody without a password, and returns the HTTP status.
func (c *Cluster) RestartByAnybody() (status int) {
	c.t.Helper()
	a, err := harness.PostJSON("http://"+local(c.nodes[0].rest)+"/restart", http.Header{}, map[string]any{})
	if err != nil {
		c.t.Fatal(err)
	}
	return a.Status
}

// FreezePatroni stops the Patroni of the primary, and PostgreSQL goes on.
func (c *Cluster) FreezePatroni() (thaw func()) {
	c.t.Helper()
	n := c.nodes[0]
	n.Signal(syscall.SIGSTOP)
	thaw = func() { _ = n.run.Process.Signal(syscall.SIGCONT) }
	c.t.Cleanup(thaw)
	return thaw
}

// killPostgres kills all processes of the server, if it runs.
func (n *node) killPostgres() {
	pid := postmaster(n.data)
	if pid == 0 {
		return
	}
	for _, each := range append(children(pid), pid) {
		_ = syscall.Kill(each, syscall.SIGKILL) // it may have ended
	}
}

// postmaster is the process of a server; 0: there is none.
func postmaster(data string) int {
	lock, err := os.ReadFile(filepath.Join(data, "postmaster.pid"))
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(lock), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		return 0
	}
	return pid
}

func children(pid int) (list []int) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid)) // of one that has ended there is none
	for _, field := range strings.Fields(string(text)) {
		if child, err := strconv.Atoi(field); err == nil {
			list = append(list, child)
		}
	}
	return list
}

// Detach has the standby receive nothing from here on; what it had not read is gone for it when lose is called.
func (c *Cluster) Detach() (lose func()) {
	c.t.Helper()
	receiver := 0
	harness.Eventually(c.t, func() error { // it is another one after each new connection
		for _, child := range children(postmaster(c.nodes[1].data)) {
			text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", child))
			if strings.Contains(string(text), "walreceiver") && strings.Contains(string(text), "streaming") && syscall.Kill(child, syscall.SIGSTOP) == nil {
				receiver = child
				return nil
			}
		}
		return errors.New("the standby receives nothing")
	})
	return func() { _ = syscall.Kill(receiver, syscall.SIGKILL) }
}

func postgresBin(t *testing.T) string {
	t.Helper()
	bin := os.Getenv("VEZNE_TEST_PG_BIN")
	if bin == "" {
		t.Fatal("VEZNE_TEST_PG_BIN must name the directory of PostgreSQL's programs: run the drills with `make drill-ha`")
	}
	return bin
}

// unprivileged is who PostgreSQL runs as where the drill runs as root.
func unprivileged(t *testing.T) *syscall.Credential {
	t.Helper()
	if os.Geteuid() != 0 {
		return nil
	}
	account, err := user.Lookup("postgres")
	if err != nil {
		t.Fatal(err)
	}
	uid, uidErr := strconv.ParseUint(account.Uid, 10, 32)
	gid, gidErr := strconv.ParseUint(account.Gid, 10, 32)
	if err := errors.Join(uidErr, gidErr); err != nil {
		t.Fatal(err)
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}
