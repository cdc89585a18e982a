package operations_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// examine runs doctor and gives its findings by what they are about: "ok" or "FAIL" and the text.
func examine(in *harness.Installation, wantCode int, env ...string) map[string]string {
	in.T.Helper()
	settings := slices.Concat([]string{"VEZNE_BASE_URL=http://localhost:8080"}, in.Env, env)
	o := harness.Launch{Args: []string{"doctor"}, Env: settings}.Execute(in.T)
	if o.Code != wantCode {
		in.T.Errorf("doctor ends with %d, want %d:\n%s%s", o.Code, wantCode, o.Stdout, o.Stderr)
	}
	findings := make(map[string]string)
	for line := range strings.Lines(o.Stdout) {
		mark, rest := strings.TrimSpace(line[:min(6, len(line))]), line[min(6, len(line)):]
		what, text := strings.TrimSpace(rest[:min(15, len(rest))]), strings.TrimSpace(rest[min(15, len(rest)):])
		findings[what] = mark + " " + text
	}
	return findings
}

func expectFindings(t *testing.T, got map[string]string, wanted map[string]string) {
	t.Helper()
	for what, text := range wanted {
		mark, part, _ := strings.Cut(text, " ")
		if found := got[what]; !strings.HasPrefix(found, mark+" ") || !strings.Contains(found, part) {
			t.Errorf("doctor says of %s: %q, want %q", what, found, text)
		}
	}
}

func TestDoctor(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		expectFindings(t, examine(in, 0), map[string]string{
			"configuration": "ok " + harness.Zone().String(), "master key": "ok", "database": "ok answers", "schema": "ok up to date",
			"secrets": "ok 3 providers", "audit key": "ok", "audit log": "ok links", "audit heads": "ok", "bank accounts": "ok each has one", "queue": "ok", "callbacks": "ok private",
		})
		expectFindings(t, examine(in, 1, "VEZNE_MASTER_KEY=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="), map[string]string{
			"database": "ok", "secrets": "FAIL master key",
		})
		expectFindings(t, examine(in, 1, "VEZNE_MASTER_KEY=nonsense"), map[string]string{"master key": "FAIL 32 bytes", "database": "ok"})
		expectFindings(t, examine(in, 1, "VEZNE_REDIS_URL=redis://127.0.0.1:1/0"), map[string]string{
			"queue": "FAIL does not answer", "database": "ok",
		})
		expectFindings(t, examine(in, 1, "VEZNE_DATABASE_URL=postgres://vezne:pw-in-url@127.0.0.1:1/vezne"), map[string]string{
			"database": "FAIL does not answer",
		})
		expectFindings(t, examine(in, 1, "VEZNE_TIME_ZONE=Mars/Olympus", "VEZNE_RATE_LIMIT=fast"), map[string]string{
			"configuration": "FAIL VEZNE_TIME_ZONE",
		})
		if _, isOnServers := examine(in, 0)["connections"]; isOnServers {
			expectFindings(t, examine(in, 0), map[string]string{"connections": "ok of 19 connections each"})
			expectFindings(t, examine(in, 0, "VEZNE_DATABASE_CONNECTIONS=499"), map[string]string{"connections": "warn VEZNE_DATABASE_CONNECTIONS"})
		}
		expectFindings(t, examine(in, 1, "VEZNE_DATABASE_CONNECTIONS=9"), map[string]string{"configuration": "FAIL 10 to 500"})
		expectFindings(t, examine(in, 0, "VEZNE_CALLBACK_ALLOW_PRIVATE=false"), map[string]string{"callbacks": "ok public addresses only"})
		in.Succeed("migrate", "down", "--yes", "--steps", "1")
		expectFindings(t, examine(in, 1), map[string]string{"database": "ok", "schema": "FAIL lacks 1 migration"})
	})
}

// TestDoctorBefore examines an installation that was never started: nothing is wrong yet, and nothing is left behind.
func TestDoctorBefore(t *testing.T) {
	t.Parallel()
	in := harness.NewEmpty(t)
	expectFindings(t, examine(in, 0), map[string]string{
		"master key": "ok will be made", "database": "ok will be made", "queue": "ok in process",
	})
	onServers := harness.NewEmpty(t, "VEZNE_DATABASE_URL="+harness.NewDatabase(t, ""), "VEZNE_REDIS_URL="+harness.NewQueue(t))
	expectFindings(t, examine(onServers, 1), map[string]string{
		"master key": "FAIL VEZNE_MASTER_KEY is missing", "audit key": "FAIL VEZNE_AUDIT_KEY is missing", "database": "ok", "schema": "FAIL run `vezne migrate up`", "queue": "ok",
	})
}

// TestWhatIsCommittedMayBeLost is said by doctor, and by serve at its start: whoever operates PostgreSQL may have made it faster so.
func TestWhatIsCommittedMayBeLost(t *testing.T) {
	t.Parallel()
	in := harness.NewOnServers(t)
	hasty := "VEZNE_DATABASE_URL=" + in.Setting("DATABASE_URL") + "&synchronous_commit=off"
	for env, want := range map[string]bool{hasty: true, "": false} {
		if found := examine(in, 0, env)["durability"]; strings.Contains(found, "synchronous_commit") != want {
			t.Errorf("with %q doctor says of durability: %s", env, found)
		}
		server := in.Serve(env)
		server.Stop(t)
		if said := server.Stderr.String(); strings.Contains(said, "synchronous_commit") != want {
			t.Errorf("with %q serve says:\n%s", env, said)
		}
	}
}
