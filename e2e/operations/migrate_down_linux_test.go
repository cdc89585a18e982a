package operations_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// databaseName is what an operator has to type.
func databaseName(t *testing.T, in *harness.Installation) string {
	t.Helper()
	if in.Setting("DATABASE_URL") == "" {
		return filepath.Base(in.Dir)
	}
	u, err := url.Parse(in.Setting("DATABASE_URL"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(u.Path, "/")
}

func withParameter(t *testing.T, address, name, value string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	query.Set(name, value)
	u.RawQuery = query.Encode()
	return u.String()
}

// TestMigrateDownAsks: it says what will be lost, and wants to be told the database's name or that it need not ask.
func TestMigrateDownAsks(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		before := in.Succeed("migrate", "status")
		_, since, _ := strings.Cut(before, "\n20261124000006_")
		steps := 1 + strings.Count(since, "\n2")
		down := []string{"migrate", "down", "--steps", strconv.Itoa(steps)}
		losses := []string{"the table installation will be deleted: 1 row\n", "the table processes will be deleted: 0 rows\n"}
		harness.Launch{Args: down, Env: in.Env}.ExpectFailure(t, append(losses, "nothing was taken back", "--yes")...)
		for _, typed := range []string{"\n", "vezne\n", "y\n", "\x04"} {
			keyboard, terminal := harness.NewTerminal(t)
			if _, err := keyboard.WriteString(typed); err != nil {
				t.Fatal(err)
			}
			harness.Launch{Args: down, Env: in.Env, Stdin: terminal}.ExpectFailure(t,
				append(losses, "Type the database's name, "+databaseName(t, in)+", to go on", "nothing was taken back: that is not")...)
		}
		harness.Launch{Args: []string{"migrate", "down", "--steps=0", "--yes"}, Env: in.Env}.ExpectFailure(t, "--steps must be 1 or more")
		if after := in.Succeed("migrate", "status"); after != before {
			t.Errorf("after refusals the migrations are\n%s, before they were\n%s", after, before)
		}
		keyboard, terminal := harness.NewTerminal(t)
		if _, err := keyboard.WriteString(databaseName(t, in) + "\n"); err != nil {
			t.Fatal(err)
		}
		o := harness.Launch{Args: down, Env: in.Env, Stdin: terminal}.Execute(t)
		if o.Code != 0 || strings.Count(o.Stdout, "taken back ") != steps {
			t.Errorf("with the name typed it ends with %d:\n%s%s", o.Code, o.Stdout, o.Stderr)
		}
	})
}

// TestMigrateDownLeavesARunningServiceAlone unless it is told to go on all the same.
func TestMigrateDownLeavesARunningServiceAlone(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		server := in.Serve()
		if url := in.Setting("DATABASE_URL"); url != "" { // a name of its own hides nobody
			server.Stop(t)
			server = in.Serve("VEZNE_DATABASE_URL=" + withParameter(t, url, "application_name", "pay"))
		}
		before := in.Succeed("migrate", "status")
		want := "in use by vezne serve"
		if in.Setting("DATABASE_URL") != "" {
			want = "Vezne is running on this database"
		}
		harness.Launch{Args: []string{"migrate", "down", "--yes"}, Env: in.Env}.ExpectFailure(t, want)
		if after := in.Succeed("migrate", "status"); after != before {
			t.Errorf("a refusal changes the migrations:\n%s", after)
		}
		if said := in.Succeed("migrate", "down", "--yes", "--force"); !strings.Contains(said, "taken back ") {
			t.Errorf("told to go on, it says:\n%s", said)
		}
		server.Kill()
		harness.Eventually(t, func() error { // the command waits until a killed process is taken for gone, the server may take longer
			if o := (harness.Launch{Args: []string{"migrate", "down", "--yes"}, Env: in.Env}).Execute(t); o.Code != 0 {
				return fmt.Errorf("after a kill it ends with %d: %s", o.Code, o.Stderr)
			}
			return nil
		})
	})
}

// TestMigrateDownKnowsAProcessThatIsNotConnected, of which nobody asks whether it runs. What it has said counts until it ends.
func TestMigrateDownKnowsAProcessThatIsNotConnected(t *testing.T) {
	t.Parallel()
	in := harness.NewOnServers(t)
	db := in.OpenDatabase()
	announced := func(want int) {
		t.Helper()
		harness.Eventually(t, func() error {
			var found int
			err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM processes").Scan(&found)
			if err == nil && found != want {
				err = fmt.Errorf("%d processes are known, want %d", found, want)
			}
			return err
		})
	}
	announced(0)
	server := in.Serve("VEZNE_ROLE=api")
	announced(1)
	if err := syscall.Kill(server.PID(), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Kill(server.PID(), syscall.SIGCONT) }() // it may have gone on
	down := harness.Launch{Args: []string{"migrate", "down", "--yes"}, Env: in.Env}
	harness.Eventually(t, func() error { // a session that is told to end does so in its own time, and one may still have been beginning
		for _, statement := range []string{
			"UPDATE processes SET seen_at = clock_timestamp() + interval '15 seconds'", // however slow this test is
			"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
		} {
			if _, err := db.ExecContext(t.Context(), statement); err != nil {
				return err
			}
		}
		o := down.Execute(t)
		switch {
		case o.Code == 0:
			t.Fatal("the schema was taken down beside a process")
		case strings.Contains(o.Stderr, "connections"):
			return errors.New(o.Stderr)
		case !strings.Contains(o.Stderr, "Vezne is running on this database: 1 of its processes said so lately") || !strings.Contains(o.Stderr, "--force"):
			t.Errorf("it says %s", o.Stderr)
		}
		return nil
	})
	if err := syscall.Kill(server.PID(), syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	awaitReadiness(t, server, http.StatusOK, ready)
	server.Stop(t)
	announced(0)
	in.Succeed("migrate", "down", "--yes")
}
