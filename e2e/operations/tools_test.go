package operations_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

func TestVersion(t *testing.T) {
	t.Parallel()
	platform := runtime.GOOS + "/" + runtime.GOARCH
	want := "vezne " + harness.TestVersion + "\nbuilt with " + runtime.Version() + " for " + platform + "\n"
	if o := (harness.Launch{Args: []string{"version"}}).Execute(t); o.Code != 0 || o.Stdout != want || o.Stderr != "" {
		t.Errorf("version ends with %d and prints %q and %q", o.Code, o.Stdout, o.Stderr)
	}
	want = `{"version":"` + harness.TestVersion + `","go":"` + runtime.Version() + `","platform":"` + platform + "\"}\n"
	if o := (harness.Launch{Args: []string{"version", "--json"}}).Execute(t); o.Code != 0 || o.Stdout != want || o.Stderr != "" {
		t.Errorf("version --json ends with %d and prints %q and %q", o.Code, o.Stdout, o.Stderr)
	}
}

func TestHelp(t *testing.T) {
	t.Parallel()
	in := harness.NewEmpty(t)
	said := in.Succeed("--help")
	for _, command := range []string{"serve", "demo", "migrate up", "migrate down", "migrate status", "staff create", "staff reset-factors", "audit verify", "audit head", "audit adopt", "seed", "sign", "listen", "trigger", "sdk-check", "doctor", "health", "version"} {
		if !strings.Contains(said, "\n  "+command+" ") && !strings.Contains(said, "\n  "+command+"\n") {
			t.Errorf("--help does not name %s:\n%s", command, said)
		}
	}
	said = in.Succeed("serve", "--help")
	for _, name := range []string{
		"LISTEN", "BASE_URL", "DATA_DIR", "DATABASE_URL", "DATABASE_CONNECTIONS", "REDIS_URL", "REDIS_CONNECTIONS", "TIME_ZONE", "MASTER_KEY", "AUDIT_KEY", "AUDIT_HEADS_FILE", "AUDIT_HEADS_URL", "EXPIRY_DEPOSIT", "EXPIRY_CARD",
		"EXPIRY_BANK_WITHDRAWAL", "STATEMENT_INTERVAL", "MATCH_SCORE", "CLAIM_TIMEOUT", "CALLBACK_SCHEDULE", "CALLBACK_TIMEOUT", "CALLBACK_ALLOW_PRIVATE",
		"GATEWAY_SANDBOX", "TEST_PAYMENTS", "GATEWAY_ALLOW_PRIVATE", "TRUSTED_PROXIES", "RATE_LIMIT", "LOG_FORMAT", "INTROSPECTION", "GRAPHIQL",
	} {
		if flag := "--" + strings.ToLower(strings.ReplaceAll(name, "_", "-")); !strings.Contains(said, flag) && !strings.Contains(said, "--[no-]"+flag[2:]) {
			t.Errorf("serve --help does not name %s", flag)
		}
		if !strings.Contains(said, "$VEZNE_"+name) {
			t.Errorf("serve --help does not name VEZNE_%s", name)
		}
	}
}

// TestMigrate takes an empty database up, in part down, up again and down to nothing.
func TestMigrate(t *testing.T) {
	t.Parallel()
	t.Run("embedded", func(t *testing.T) { t.Parallel(); testMigrate(t, harness.NewEmpty(t)) })
	t.Run("servers", func(t *testing.T) {
		t.Parallel()
		testMigrate(t, harness.NewEmpty(t, "VEZNE_DATABASE_URL="+harness.NewDatabase(t, ""), "VEZNE_REDIS_URL="+harness.NewQueue(t)))
	})
}

func testMigrate(t *testing.T, in *harness.Installation) {
	counts := func() (applied, missing int) {
		status := in.Succeed("migrate", "status")
		return strings.Count(status, " applied "), strings.Count(status, " missing")
	}
	applied, all := counts()
	if applied != 0 || all == 0 {
		t.Fatalf("of an empty database %d migrations are applied and %d missing", applied, all)
	}
	if said := in.Succeed("migrate", "up"); strings.Count(said, "applied ") != all {
		t.Errorf("migrate up of %d says:\n%s", all, said)
	}
	if said := in.Succeed("migrate", "up"); said != "The schema is up to date.\n" {
		t.Errorf("a second migrate up says %q", said)
	}
	if said := in.Succeed("migrate", "down", "--yes", "--steps", "2"); strings.Count(said, "taken back ") != 2 {
		t.Errorf("migrate down of 2 says:\n%s", said)
	}
	if applied, missing := counts(); applied != all-2 || missing != 2 {
		t.Errorf("after taking 2 back, %d are applied and %d missing", applied, missing)
	}
	in.Succeed("migrate", "up")
	in.Succeed("migrate", "down", "--yes", "--steps", "1000")
	if applied, missing := counts(); applied != 0 || missing != all {
		t.Errorf("after taking all back, %d are applied and %d missing", applied, missing)
	}
	if said := in.Succeed("migrate", "down"); said != "There is nothing to take back.\n" {
		t.Errorf("migrate down of nothing says %q", said)
	}
	in.Succeed("migrate", "up") // what was taken back can be made again
	in.Seed().Stop(t)
}

// TestStaffCreate makes the first login, and one more while the service runs: embedded, in its place.
func TestStaffCreate(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		const password = "correct horse battery"
		harness.KeepSecret("a new staff member's password", password)
		if said := in.SucceedWith(password+"\n", "staff", "create", "--email", "First@Vezne.Example", "--role", "admin"); !strings.Contains(said, "created admin first@vezne.example") {
			t.Errorf("staff create says %q", said)
		}
		server := in.Serve()
		in.Env = append(in.Env, "VEZNE_STAFF_PASSWORD="+password)
		server = in.InTurn(server, "", "staff", "create", "--email", "dealer@vezne.example", "--role", "dealer", "--dealer", "2")
		for _, email := range []string{"first@vezne.example", "dealer@vezne.example"} {
			s, err := harness.SignIn(server.URL, email, password)
			if err != nil {
				t.Fatalf("%s cannot sign in: %v", email, err)
			}
			var data struct{ Me struct{ Email string } }
			if err := s.Ask(`{ me { email } }`, nil, &data); err != nil || data.Me.Email != email {
				t.Errorf("%s is signed in as %q (%v)", email, data.Me.Email, err)
			}
		}
		server.Stop(t)
		for _, c := range []struct {
			args []string
			want string
		}{
			{[]string{"--email", "first@vezne.example", "--role", "viewer"}, "already"},
			{[]string{"--email", "nobody", "--role", "viewer"}, "email"},
			{[]string{"--email", "a@vezne.example", "--role", "dealer"}, "dealer"},
			{[]string{"--email", "a@vezne.example", "--role", "admin", "--dealer", "1"}, "dealer"},
		} {
			harness.Launch{Args: append([]string{"staff", "create"}, c.args...), Env: in.Env}.ExpectFailure(t, c.want)
		}
		harness.Launch{
			Args: []string{"staff", "create", "--email", "a@vezne.example", "--role", "viewer"},
			Env:  append(in.Env, "VEZNE_STAFF_PASSWORD=short"),
		}.ExpectFailure(t, "password")
	})
}
