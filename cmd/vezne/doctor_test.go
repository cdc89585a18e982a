package main_test

import (
	"strings"
	"testing"
)

// examine runs doctor and gives its findings by what they are about: "ok" or "FAIL" and the text.
func (in *installation) examine(wantCode int, env ...string) map[string]string {
	in.t.Helper()
	o := launch{args: []string{"doctor"}, env: append(in.env, env...)}.execute(in.t)
	if o.code != wantCode {
		in.t.Errorf("doctor ends with %d, want %d:\n%s%s", o.code, wantCode, o.stdout, o.stderr)
	}
	findings := make(map[string]string)
	for line := range strings.Lines(o.stdout) {
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
	forEach(t, func(t *testing.T, in *installation) {
		expectFindings(t, in.examine(0), map[string]string{
			"configuration": "ok " + shared.zone.String(), "master key": "ok", "database": "ok answers", "schema": "ok up to date",
			"secrets": "ok 3 providers", "bank accounts": "ok each has one", "queue": "ok", "callbacks": "ok private",
		})
		expectFindings(t, in.examine(1, "VEZNE_MASTER_KEY=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="), map[string]string{
			"database": "ok", "secrets": "FAIL master key",
		})
		expectFindings(t, in.examine(1, "VEZNE_MASTER_KEY=nonsense"), map[string]string{"master key": "FAIL 32 bytes", "database": "ok"})
		expectFindings(t, in.examine(1, "VEZNE_REDIS_URL=redis://127.0.0.1:1/0"), map[string]string{
			"queue": "FAIL does not answer", "database": "ok",
		})
		expectFindings(t, in.examine(1, "VEZNE_DATABASE_URL=postgres://vezne:pw-in-url@127.0.0.1:1/vezne"), map[string]string{
			"database": "FAIL does not answer",
		})
		expectFindings(t, in.examine(1, "VEZNE_TIME_ZONE=Mars/Olympus", "VEZNE_RATE_LIMIT=fast"), map[string]string{
			"configuration": "FAIL VEZNE_TIME_ZONE",
		})
		expectFindings(t, in.examine(0, "VEZNE_CALLBACK_ALLOW_PRIVATE=false"), map[string]string{"callbacks": "ok public addresses only"})
		in.succeed("migrate", "down", "--steps", "1")
		expectFindings(t, in.examine(1), map[string]string{"database": "ok", "schema": "FAIL lacks 1 migration"})
	})
}

// TestDoctorBefore examines an installation that was never started: nothing is wrong yet, and nothing is left behind.
func TestDoctorBefore(t *testing.T) {
	t.Parallel()
	in := newEmpty(t)
	expectFindings(t, in.examine(0), map[string]string{
		"master key": "ok will be made", "database": "ok will be made", "queue": "ok in process",
	})
	onServers := newEmpty(t, "VEZNE_DATABASE_URL="+newDatabase(t, ""), "VEZNE_REDIS_URL="+newQueue(t))
	expectFindings(t, onServers.examine(1), map[string]string{
		"master key": "FAIL VEZNE_MASTER_KEY is missing", "database": "ok", "schema": "FAIL run `vezne migrate up`", "queue": "ok",
	})
}
