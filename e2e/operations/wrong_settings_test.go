package operations_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// TestMisspeltVariables stop every command that takes settings, with the name that may be meant and without the value.
func TestMisspeltVariables(t *testing.T) {
	t.Parallel()
	harness.KeepSecret("the password in a misspelt variable", "pw-in-misspelt")
	env := []string{"VEZNE_DATABSE_URL=postgres://vezne:pw-in-misspelt@db/vezne", "VEZNE_PORT=80", "VEZNE_TEST_ANYTHING=1"}
	for _, command := range [][]string{
		{"serve"}, {"demo"}, {"migrate", "up"}, {"migrate", "down"}, {"migrate", "status"}, {"audit", "head"}, {"audit", "verify"},
		{"seed"}, {"staff", "create", "--email", "a@b.example", "--role", "admin"}, {"staff", "reset-factors", "--email", "a@b.example"},
	} {
		dir := t.TempDir()
		harness.Launch{Args: command, Env: env, Dir: dir}.ExpectFailure(t,
			"VEZNE_DATABSE_URL is not a setting (did you mean VEZNE_DATABASE_URL?)", "VEZNE_PORT is not a setting")
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("vezne %v leaves %v (%v)", command, left, err)
		}
	}
	in := harness.NewEmpty(t)
	expectFindings(t, examine(in, 1, env...), map[string]string{"configuration": "FAIL VEZNE_DATABSE_URL is not a setting"})
	expectFindings(t, examine(in, 0, "VEZNE_TEST_ANYTHING=1", "VEZNE_STAFF_PASSWORD=x", "VEZNE_SIGN_KEY=x", "VEZNE_ROLE=all"), nil)
	for _, command := range []string{"version", "--help"} {
		if o := (harness.Launch{Args: []string{command}, Env: env}).Execute(t); o.Code != 0 {
			t.Errorf("vezne %s ends with %d:\n%s", command, o.Code, o.Stderr)
		}
	}
}

// TestWhatAServerLacks: what may have other processes beside it needs one address for its links, and Redis for its roles.
func TestWhatAServerLacks(t *testing.T) {
	t.Parallel()
	const (
		postgres = "VEZNE_DATABASE_URL=postgres://vezne@127.0.0.1:1/vezne"
		redis    = "VEZNE_REDIS_URL=redis://127.0.0.1:1/0"
		base     = "VEZNE_BASE_URL=https://pay.example.com"
		key      = "VEZNE_MASTER_KEY=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
		noBase   = "VEZNE_BASE_URL is missing: "
		noRedis  = "VEZNE_REDIS_URL is missing: "
		audit    = "VEZNE_AUDIT_KEY=AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="
		isAsked  = "opening the database" // it has got that far
	)
	for _, c := range []struct {
		env    []string
		wanted string
		not    string
	}{
		{[]string{postgres, redis, key}, noBase + "several processes may share the PostgreSQL", noRedis},
		{[]string{postgres, key}, noBase, noRedis},
		{[]string{redis, "VEZNE_LISTEN=127.0.0.1:0"}, noBase + "several processes may share the Redis", noRedis},
		{[]string{"VEZNE_ROLE=api"}, noBase + "a process of the role api", noRedis},
		{[]string{"VEZNE_LISTEN=0.0.0.0:0"}, noBase + "others reach the address 0.0.0.0:0", noRedis},
		{[]string{"VEZNE_LISTEN=:0"}, noBase, noRedis},
		{[]string{postgres, base, key, "VEZNE_ROLE=api"}, noRedis + "processes of the role api", noBase},
		{[]string{postgres, base, key, "VEZNE_ROLE=worker"}, noRedis, noBase},
		{[]string{postgres, base, key, audit, "VEZNE_LISTEN=127.0.0.1:0"}, isAsked, " is missing"},
		{[]string{postgres, base, redis, key, "VEZNE_LISTEN=127.0.0.1:0", "VEZNE_ROLE=api"}, isAsked, " is missing"},
	} {
		l := harness.Launch{Args: []string{"serve"}, Env: append(c.env, "VEZNE_DATA_DIR="+filepath.Join(t.TempDir(), "data"))}
		l.ExpectFailure(t, c.wanted)
		if o := l.Execute(t); strings.Contains(o.Stderr, c.not) {
			t.Errorf("with %v, serve says %q:\n%s", c.env, c.not, o.Stderr)
		}
	}
	in := harness.NewEmpty(t)
	expectFindings(t, examine(in, 1, "VEZNE_BASE_URL=", "VEZNE_LISTEN=:80"), map[string]string{"configuration": "FAIL VEZNE_BASE_URL is missing", "queue": "ok"})
	expectFindings(t, examine(in, 1, postgres, key, "VEZNE_ROLE=worker"), map[string]string{"configuration": "FAIL VEZNE_REDIS_URL is missing"})
	expectFindings(t, examine(in, 0, "VEZNE_BASE_URL="), map[string]string{"configuration": "ok"})
}

// TestCautions: what is accepted and still likely to be wrong is said by doctor, and logged by serve.
func TestCautions(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	public := []string{"VEZNE_BASE_URL=http://203.0.113.7:8080"}
	expectFindings(t, examine(in, 0, append(public, "VEZNE_LISTEN=:8080")...), map[string]string{
		"proxies": "warn VEZNE_TRUSTED_PROXIES names no proxy", "base URL": "warn VEZNE_BASE_URL is plain http",
		"second factor": "warn VEZNE_REQUIRE_SECOND_FACTOR leaves out admin,operator,finance,dealer,dealer_manager,provider_manager, and",
		"passkeys":      "warn passkeys cannot work", "purpose": "warn marked as a demo's",
	})
	expectFindings(t, examine(in, 0, append(public, "VEZNE_REQUIRE_SECOND_FACTOR=admin,finance,viewer")...), map[string]string{
		"second factor": "warn VEZNE_REQUIRE_SECOND_FACTOR leaves out operator,dealer,dealer_manager,provider_manager, and",
	})
	server := in.Serve(public...)
	for _, subject := range []string{"VEZNE_BASE_URL", "VEZNE_REQUIRE_SECOND_FACTOR", "passkeys cannot work", "marked as a demo's"} {
		if said := server.Stderr.String(); !strings.Contains(said, subject) {
			t.Errorf("serve does not warn of %s:\n%s", subject, said)
		}
	}
	server.Stop(t)
	sound := examine(in, 0, "VEZNE_BASE_URL=https://pay.example.com", "VEZNE_TRUSTED_PROXIES=10.0.0.0/8",
		"VEZNE_REQUIRE_SECOND_FACTOR=admin,operator,finance,dealer,dealer_manager,provider_manager")
	for what, found := range sound {
		if strings.HasPrefix(found, "warn") && what != "purpose" {
			t.Errorf("doctor says of %s: %s", what, found)
		}
	}
	expectFindings(t, examine(in, 0, "VEZNE_TRUSTED_PROXIES=10.0.0.5,0.0.0.0/0"), map[string]string{"proxies": "warn a block of all addresses"})
	alone := examine(in, 1, "VEZNE_DATABASE_URL=postgres://vezne@127.0.0.1:1/vezne")
	expectFindings(t, alone, map[string]string{"processes": "warn must be the only process"})
}

// TestAnUnnamedProxyIsLogged once, however many requests come through it.
func TestAnUnnamedProxyIsLogged(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	for env, want := range map[string]int{"": 1, "VEZNE_TRUSTED_PROXIES=127.0.0.1": 0} {
		server := in.Serve(env)
		for range 3 {
			in.Provider(server).Welcome(t, "X-Forwarded-For", "203.0.113.9")
		}
		server.Stop(t)
		if n := strings.Count(server.Stderr.String(), "X-Forwarded-For of this peer does not count"); n != want {
			t.Errorf("with %q an unnamed proxy is logged %d times, want %d", env, n, want)
		}
	}
}

// TestSettingsThatLeadNowhere are each answered by a sentence that names the setting, and no secret.
func TestSettingsThatLeadNowhere(t *testing.T) {
	t.Parallel()
	harness.KeepSecret("a wrong password", "pw-that-is-wrong")
	redis := harness.NewOwnRedis(t)
	base := "VEZNE_BASE_URL=https://pay.example.com"
	in := harness.NewEmbedded(t)
	server, command := []string{"serve", "--listen", "127.0.0.1:0"}, []string{"migrate", "status"}
	for _, url := range []string{
		strings.Replace(redis.URL, "redis://:", "redis://:pw-that-is-wrong", 1), redis.URL[:8] + redis.URL[strings.Index(redis.URL, "@")+1:],
	} {
		harness.Launch{Args: server, Env: append(in.Env, base, "VEZNE_REDIS_URL="+url)}.ExpectFailure(t,
			"vezne: VEZNE_REDIS_URL: Redis refuses the user name or the password")
		expectFindings(t, examine(in, 1, "VEZNE_REDIS_URL="+url), map[string]string{"queue": "FAIL Redis refuses the user name or the password"})
	}
	for _, mode := range []string{"bogus", "pw-that-is-wrong", "REQUIRE"} {
		wrong := slices.Concat(in.Env, []string{base, "VEZNE_DATABASE_URL=postgres://vezne:pw-that-is-wrong@127.0.0.1:1/vezne?sslmode=" + mode})
		for _, args := range [][]string{server, command} {
			harness.Launch{Args: args, Env: wrong}.ExpectFailure(t, "VEZNE_DATABASE_URL has an sslmode that there is not", "verify-full")
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "below"), "/proc/vezne"} {
		for _, args := range [][]string{server, {"demo", "--listen", "127.0.0.1:0"}, command, {"migrate", "up"}} {
			harness.Launch{Args: args, Env: []string{"VEZNE_DATA_DIR=" + dir}}.ExpectFailure(t, "VEZNE_DATA_DIR", dir)
		}
		expectFindings(t, examine(in, 1, "VEZNE_DATA_DIR="+dir), map[string]string{"configuration": "ok"})
	}
}

// TestATruncatedDatabaseIsSaidToBe: neither is it opened as a new one, nor does the error speak of pages.
func TestATruncatedDatabaseIsSaidToBe(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	in.Serve().Stop(t)
	file := filepath.Join(in.Dir, "vezne.db")
	for _, size := range []int64{300_000, 4096, 50, 0} {
		if err := os.Truncate(file, size); err != nil {
			t.Fatal(err)
		}
		want := []string{file, "VEZNE_DATA_DIR", "is damaged or cut short"}
		expectFindings(t, examine(in, 1), map[string]string{"database": "FAIL is damaged or cut short"})
		for _, args := range [][]string{
			{"serve", "--listen", "127.0.0.1:0"}, {"demo", "--listen", "127.0.0.1:0"}, {"migrate", "status"}, {"migrate", "up"}, {"audit", "head"}, {"seed"},
		} {
			harness.Launch{Args: args, Env: in.Env}.ExpectFailure(t, want...)
		}
		if info, err := os.Stat(file); err != nil || info.Size() != size {
			t.Errorf("a file of %d bytes is changed: %v (%v)", size, info, err)
		}
	}
}
