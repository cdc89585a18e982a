package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

const (
	pgDataDir  = "data"       // inside the server's directory
	pgUser     = "postgres"   // a superuser: tests may create databases
	pgDatabase = "vezne_test" // empty
)

// postgres is a running PostgreSQL.
type postgres struct {
	bin     string
	dir     string
	owner   *syscall.Credential
	port    int
	version string

	isDurable bool // what is committed outlives a power cut, too
}

// startPostgres makes a cluster, starts it and creates the database.
func startPostgres(ctx context.Context, bin string, isDurable bool, keeper *janitor) (*postgres, error) {
	owner, err := postgresOwner()
	if err != nil {
		return nil, err
	}
	dir, err := serverDir("postgres", owner, keeper)
	if err != nil {
		return nil, err
	}
	p := &postgres{bin: bin, dir: dir, owner: owner, isDurable: isDurable}
	if err := p.initialise(ctx); err != nil {
		return nil, err
	}
	p.port, err = onFreePort(ctx, func(port int) (*server, error) { return p.start(ctx, port) })
	if err != nil {
		return nil, err
	}
	if _, err := p.psql(ctx, p.port, "CREATE DATABASE "+pgDatabase); err != nil {
		return nil, err
	}
	p.version, err = p.psql(ctx, p.port, "SELECT split_part(current_setting('server_version'), ' ', 1)")
	return p, err
}

// initialise makes the cluster. Its files need not survive a power cut while
// they are made (--no-sync); what the tests commit later does.
func (p *postgres) initialise(ctx context.Context) error {
	_, err := p.tool(ctx, "initdb", "--pgdata", p.data(), "--username", pgUser, "--auth", "trust",
		"--encoding", "UTF8", "--locale", "C.UTF-8", "--no-sync", "--no-instructions")
	return err
}

// start writes the settings and starts the server. They are in the
// configuration file and not on the command line, so that a test may stop and
// start the server with pg_ctl alone.
func (p *postgres) start(ctx context.Context, port int) (*server, error) {
	path := filepath.Join(p.data(), "postgresql.auto.conf")
	if err := os.WriteFile(path, []byte(p.settings(port)), 0o600); err != nil {
		return nil, err
	}
	return startServer(ctx, serverSpec{
		name:  "postgres",
		dir:   p.dir,
		owner: p.owner,
		stop:  syscall.SIGQUIT,
		path:  filepath.Join(p.bin, "postgres"),
		args:  []string{"-D", p.data()},
		ready: func(ctx context.Context) error {
			_, err := p.psql(ctx, port, "SELECT 1")
			return err
		},
	})
}

// settings are the ones that differ from the defaults or that tests rely on:
// what is committed outlives the server's crash, because tests crash it and
// count what is left. Whether it outlives a power cut is up to the caller:
// tests do not wait for the disk, measurements do.
func (p *postgres) settings(port int) string {
	onOff := map[bool]string{true: "on", false: "off"}
	settings := []string{
		"listen_addresses = '127.0.0.1'",
		"port = " + strconv.Itoa(port),
		"unix_socket_directories = '" + p.dir + "'",
		"max_connections = 200",
		"max_prepared_transactions = 200", // the benchmark commits on two servers
		"min_wal_size = 1GB",              // the benchmark fills it, so that no commit waits for a new file to be made
		"max_wal_size = 4GB",
		"fsync = " + onOff[p.isDurable],
		"synchronous_commit = on",
		"full_page_writes = " + onOff[p.isDurable],
		"jit = " + onOff[p.isDurable], // compiling a statement takes longer than running it on what a test has written
		"timezone = 'UTC'",
		"log_timezone = 'UTC'",
		"lc_messages = 'C.UTF-8'",
	}
	if memory := available(); p.isDurable && memory > 0 { // as docs/operators.md says of a server that is relied on
		settings = append(settings, "shared_buffers = "+strconv.FormatUint(memory>>20/4, 10)+"MB", "max_wal_size = 16GB", "checkpoint_timeout = 15min")
	}
	return strings.Join(append(settings, ""), "\n")
}

// psql runs one statement over TCP, the way the tests will connect.
func (p *postgres) psql(ctx context.Context, port int, statement string) (string, error) {
	return p.tool(ctx, "psql", "--no-psqlrc", "--no-password", "--quiet", "--tuples-only", "--no-align",
		"--host", "127.0.0.1", "--port", strconv.Itoa(port), "--username", pgUser, "--dbname", "postgres",
		"--set", "ON_ERROR_STOP=1", "--command", statement)
}

// tool runs one of PostgreSQL's programs to its end as the cluster's owner.
func (p *postgres) tool(ctx context.Context, name string, args ...string) (string, error) {
	cmd := serverCommand(ctx, serverSpec{path: filepath.Join(p.bin, name), args: args, dir: p.dir, owner: p.owner})
	dieWithParent(cmd.SysProcAttr, syscall.SIGKILL)
	output, err := cmd.CombinedOutput()
	text := strings.TrimSpace(string(output))
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", name, err, text)
	}
	return text, nil
}

func (p *postgres) data() string { return filepath.Join(p.dir, pgDataDir) }

func (p *postgres) url() string {
	return fmt.Sprintf("postgres://%s@127.0.0.1:%d/%s?sslmode=disable", pgUser, p.port, pgDatabase)
}

// postgresOwner is the user that the server runs as: the caller, or, since
// PostgreSQL refuses to run as root, the one that Debian's package creates, or
// nobody.
func postgresOwner() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	account, err := user.Lookup("postgres")
	if err != nil {
		if account, err = user.Lookup("nobody"); err != nil {
			return nil, fmt.Errorf("PostgreSQL does not run as root, and no user to run it as was found: %w", err)
		}
	}
	uid, err := strconv.ParseUint(account.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(account.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
}

// findPostgres returns the directory of the server's programs: PATH's, or the
// newest of Debian's, which keeps them out of PATH.
func findPostgres() (string, bool) {
	var dirs []string
	if initdb, err := exec.LookPath("initdb"); err == nil {
		dirs = append(dirs, filepath.Dir(initdb))
	}
	debian, _ := filepath.Glob("/usr/lib/postgresql/*/bin") // the pattern is valid, which is all that can fail
	slices.Reverse(debian)
	for _, dir := range append(dirs, debian...) {
		if hasServer(dir) {
			dir, err := filepath.Abs(dir)
			return dir, err == nil
		}
	}
	return "", false
}

// hasServer distinguishes a server's directory from one that has only the client.
func hasServer(dir string) bool {
	for _, name := range []string{"initdb", "postgres", "pg_ctl", "psql"} {
		if _, err := exec.LookPath(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}
