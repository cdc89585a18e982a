package operations_test

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/e2e/harness"
)

// TestSecretsFromFiles: what holds a secret may be named by a file, as systemd, compose and Kubernetes bring it. What is wrong with the
// file is said without what is in it.
func TestSecretsFromFiles(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	put := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	master, err := os.ReadFile(filepath.Join(in.Dir, "master.key"))
	if err != nil {
		t.Fatal(err)
	}
	expectFindings(t, examine(in, 0, "VEZNE_MASTER_KEY_FILE="+put("master", strings.TrimSpace(string(master))+"\n")), nil)
	const secret = "c2VjcmV0LW9mLWEtZmlsZS13aXRoLTMyLWJ5dGVzISE="
	harness.KeepSecret("the key in a file", secret)
	for wanted, env := range map[string][]string{
		"VEZNE_MASTER_KEY_FILE: ":                             {"VEZNE_MASTER_KEY_FILE=" + filepath.Join(t.TempDir(), "none")},
		" is empty":                                           {"VEZNE_AUDIT_KEY_FILE=" + put("empty", "\n")},
		" has more than one line":                             {"VEZNE_AUDIT_KEY_FILE=" + put("lines", secret+"\n"+secret+"\n")},
		" has more than 16384 bytes":                          {"VEZNE_REDIS_URL_FILE=" + put("long", strings.Repeat("r", 16385))},
		"VEZNE_DATABASE_URL must be a PostgreSQL address":     {"VEZNE_DATABASE_URL_FILE=" + put("database", secret)},
		"VEZNE_MASTER_KEY and VEZNE_MASTER_KEY_FILE are set":  {"VEZNE_MASTER_KEY=" + secret, "VEZNE_MASTER_KEY_FILE=" + put("both", secret)},
		"VEZNE_STATEMENT_INTERVAL_FILE is not a setting":      {"VEZNE_STATEMENT_INTERVAL_FILE=" + put("interval", "30s")},
		"not a setting (did you mean VEZNE_MASTER_KEY_FILE?)": {"VEZNE_MASTER_KEYFILE=" + put("misspelt", secret)},
	} {
		harness.Launch{Args: []string{"serve"}, Env: env, Dir: t.TempDir()}.ExpectFailure(t, wanted)
	}
}

// TestSystemdIsTold: a process that systemd has started says when it is ready, that it still answers, and that it stops; `vezne health`
// says the same by its exit code.
func TestSystemdIsTold(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "notify") // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(dir, "s"), Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = socket.Close() })
	next := func() string {
		if err := socket.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		text := make([]byte, 256)
		n, err := socket.Read(text)
		if err != nil {
			t.Fatal(err)
		}
		return string(text[:n])
	}
	in := harness.NewEmbedded(t)
	server := in.Serve("NOTIFY_SOCKET="+filepath.Join(dir, "s"), "WATCHDOG_USEC=300000")
	for _, wanted := range []string{"READY=1", "WATCHDOG=1", "WATCHDOG=1"} {
		if said := next(); said != wanted {
			t.Fatalf("systemd is told %q, want %q", said, wanted)
		}
	}
	listen := strings.TrimPrefix(server.URL, "http://")
	asked := harness.Launch{Args: []string{"health"}, Env: []string{"VEZNE_LISTEN=" + listen}}
	if o := asked.Execute(t); o.Code != 0 || !strings.Contains(o.Stdout, `"status":"ready"`) {
		t.Errorf("health of a server that is ready ends with %d:\n%s%s", o.Code, o.Stdout, o.Stderr)
	}
	server.Stop(t) // what it says meanwhile is kept in the socket
	harness.Eventually(t, func() error {
		if next() != "STOPPING=1" {
			return errors.New("systemd is not told that the process stops")
		}
		return nil
	})
	if o := asked.Execute(t); o.Code != 1 {
		t.Errorf("health of a server that has stopped ends with %d:\n%s%s", o.Code, o.Stdout, o.Stderr)
	}
}
