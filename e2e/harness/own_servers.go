package harness

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/vezne/vezne/adapters/redistest"
)

// OwnServer is a Redis or PostgreSQL that one test stops and starts as it likes.
type OwnServer struct {
	URL     string
	data    string // PostgreSQL: its directory
	start   func() *exec.Cmd
	isReady func() error
	running *exec.Cmd
	ended   chan struct{}
	output  *capture
}

// Up starts the server and waits until it answers.
func (s *OwnServer) Up(t testing.TB) {
	t.Helper()
	s.running, s.ended, s.output = s.start(), make(chan struct{}), &capture{}
	s.running.Stdout, s.running.Stderr = s.output, s.output
	if err := s.running.Start(); err != nil {
		t.Fatal(err)
	}
	running, ended := s.running, s.ended
	go func() {
		_ = running.Wait() // how it ended does not matter
		close(ended)
	}()
	Eventually(t, func() error {
		if err := s.isReady(); err != nil {
			return fmt.Errorf("%w\n%s", err, s.output)
		}
		return nil
	})
}

// Signal sends the server a signal that does not end it, such as SIGSTOP.
func (s *OwnServer) Signal(t testing.TB, signal os.Signal) {
	t.Helper()
	if err := s.running.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
}

// Down ends the server by a signal and waits until it has.
func (s *OwnServer) Down(signal os.Signal) {
	if s.running == nil {
		return
	}
	_ = s.running.Process.Signal(signal) // it may have ended by itself
	<-s.ended
	s.running = nil
}

// NewOwnRedis starts a Redis with a password.
func NewOwnRedis(t testing.TB) *OwnServer {
	t.Helper()
	path := os.Getenv("VEZNE_TEST_REDIS_SERVER")
	if path == "" {
		var err error
		if path, err = exec.LookPath("redis-server"); err != nil {
			t.Fatal("VEZNE_TEST_REDIS_SERVER must name a redis-server that this test may stop: run the tests with `make test`")
		}
	}
	port, password, dir := redistest.FreePort(t), "pw-"+rand.Text(), t.TempDir()
	KeepSecret("Redis's password", password)
	s := &OwnServer{URL: "redis://:" + password + "@127.0.0.1:" + port + "/0"}
	s.start = func() *exec.Cmd {
		return exec.CommandContext(context.Background(), path, "--bind", "127.0.0.1", "--port", port,
			"--requirepass", password, "--save", "", "--appendonly", "no", "--dir", dir)
	}
	s.isReady = func() error {
		client, err := NewRedisClient(s.URL)
		if err != nil {
			return err
		}
		return errors.Join(client.Ping(context.Background()).Err(), client.Close())
	}
	s.Up(t)
	t.Cleanup(func() { s.Down(syscall.SIGTERM) })
	return s
}

// NewOwnPostgres makes and starts a PostgreSQL. Like the real thing it syncs: the test crashes it and counts what is left.
func NewOwnPostgres(t testing.TB) *OwnServer {
	t.Helper()
	return newPostgres(t, "initdb", "--username", "postgres", "--auth", "trust", "--encoding", "UTF8", "--locale", "C.UTF-8", "--no-sync",
		"--no-instructions")
}

// NewOwnStandby copies a PostgreSQL and follows it from then on, as a hot standby.
func NewOwnStandby(t testing.TB, primary *OwnServer) *OwnServer {
	t.Helper()
	return newPostgres(t, "pg_basebackup", "--dbname", primary.URL, "--write-recovery-conf", "--checkpoint", "fast", "--no-sync")
}

// newPostgres starts a PostgreSQL whose directory a program makes.
func newPostgres(t testing.TB, maker string, args ...string) *OwnServer {
	t.Helper()
	bin, owner := findPostgres(t), postgresOwner(t)
	dir, err := os.MkdirTemp("", "vezne-pg-") // not t.TempDir, which nobody but this user may enter
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if owner != nil {
		if err := os.Chown(dir, int(owner.Uid), int(owner.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	data := filepath.Join(dir, "data")
	command := func(name string, args ...string) *exec.Cmd {
		cmd := exec.CommandContext(context.Background(), filepath.Join(bin, name), args...)
		cmd.Dir, cmd.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8", "TZ=UTC"}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: owner}
		return cmd
	}
	if said, err := command(maker, append([]string{"--pgdata", data}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", maker, err, said)
	}
	port := redistest.FreePort(t)
	s := &OwnServer{URL: "postgres://postgres@127.0.0.1:" + port + "/postgres?sslmode=disable", data: data}
	s.start = func() *exec.Cmd {
		return command("postgres", "-D", data, "-p", port, "-c", "listen_addresses=127.0.0.1",
			"-c", "unix_socket_directories="+dir, "-c", "max_connections=100", "-c", "timezone=UTC")
	}
	s.isReady = func() error { return execute(s.URL, "SELECT 1") }
	s.Up(t)
	t.Cleanup(func() { s.Down(syscall.SIGQUIT) })
	return s
}

// BeStandby starts a PostgreSQL anew as a hot standby, which hears of nothing that is new until somebody promotes it.
func (s *OwnServer) BeStandby(t testing.TB) {
	t.Helper()
	s.Down(syscall.SIGINT)
	if err := os.WriteFile(filepath.Join(s.data, "standby.signal"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	s.Up(t)
}

// Promote has a hot standby become a primary.
func (s *OwnServer) Promote(t testing.TB) {
	t.Helper()
	if err := execute(s.URL, "SELECT pg_promote()"); err != nil {
		t.Fatal(err)
	}
}

func findPostgres(t testing.TB) (bin string) {
	t.Helper()
	if bin = os.Getenv("VEZNE_TEST_PG_BIN"); bin != "" {
		return bin
	}
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path)
	}
	if found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb"); len(found) > 0 {
		return strings.TrimSuffix(found[len(found)-1], "/initdb")
	}
	t.Fatal("VEZNE_TEST_PG_BIN must name the directory of PostgreSQL's programs: run the tests with `make test`")
	return ""
}

// postgresOwner is who PostgreSQL runs as where the tests run as root, whom it refuses.
func postgresOwner(t testing.TB) *syscall.Credential {
	t.Helper()
	if os.Geteuid() != 0 {
		return nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		account, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.ParseUint(account.Uid, 10, 32)
		gid, gidErr := strconv.ParseUint(account.Gid, 10, 32)
		if err := errors.Join(uidErr, gidErr); err != nil {
			t.Fatal(err)
		}
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	t.Fatal("PostgreSQL does not run as root, and there is no other user to run it as")
	return nil
}

// Execute runs a statement on a PostgreSQL.
func (s *OwnServer) Execute(statement string) error { return execute(s.URL, statement) }
