package operations_test

import (
	"net/url"
	"path/filepath"
	"strings"
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
		down := []string{"migrate", "down", "--steps", "3"}
		losses := []string{"the table installation will be deleted: 1 row\n", "the table processes will be deleted: 0 rows\n"}
		before := in.Succeed("migrate", "status")
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
		if o.Code != 0 || strings.Count(o.Stdout, "taken back ") != 3 {
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
		in.Succeed("migrate", "down", "--yes") // the connections of a killed process are listed for a moment
	})
}
