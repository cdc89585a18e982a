package machines

import (
	"os"
	"testing"
)

// StartPgBouncer starts PgBouncer with a configuration for one user.
func StartPgBouncer(t *testing.T, port, configuration, name, password string) *Daemon {
	t.Helper()
	dir, err := os.MkdirTemp("", "vezne-bouncer-") // not t.TempDir, which only this user may enter
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	users := write(t, dir, "userlist.txt", `"`+name+`" "`+password+"\"\n")
	text := replace(t, "pgbouncer.ini", configuration, "/etc/pgbouncer/userlist.txt", users)
	d := &Daemon{t: t, path: program(t, "pgbouncer"), dir: dir, as: unprivileged(t), args: []string{write(t, dir, "pgbouncer.ini", text+"unix_socket_dir =\n")}}
	d.Up(func() error { return reaches(local(port)) })
	return d
}
