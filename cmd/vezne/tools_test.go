package main_test

import (
	"strings"
	"testing"
)

func TestVersion(t *testing.T) {
	t.Parallel()
	if o := (launch{args: []string{"version"}}).execute(t); o.code != 0 || o.stdout != "vezne "+testVersion+"\n" || o.stderr != "" {
		t.Errorf("version ends with %d and prints %q and %q", o.code, o.stdout, o.stderr)
	}
}

func TestHelp(t *testing.T) {
	t.Parallel()
	in := newEmpty(t)
	said := in.succeed("--help")
	for _, command := range []string{"serve", "demo", "migrate up", "migrate down", "migrate status", "staff create", "staff reset-factors", "audit verify", "audit head", "seed", "sign", "doctor", "version"} {
		if !strings.Contains(said, "\n  "+command+" ") && !strings.Contains(said, "\n  "+command+"\n") {
			t.Errorf("--help does not name %s:\n%s", command, said)
		}
	}
	said = in.succeed("serve", "--help")
	for _, name := range []string{
		"LISTEN", "BASE_URL", "DATA_DIR", "DATABASE_URL", "REDIS_URL", "TIME_ZONE", "MASTER_KEY", "EXPIRY_DEPOSIT", "EXPIRY_CARD",
		"EXPIRY_BANK_WITHDRAWAL", "STATEMENT_INTERVAL", "MATCH_SCORE", "CLAIM_TIMEOUT", "CALLBACK_SCHEDULE", "CALLBACK_TIMEOUT", "CALLBACK_ALLOW_PRIVATE",
		"GATEWAY_SANDBOX", "GATEWAY_ALLOW_PRIVATE", "TRUSTED_PROXIES", "RATE_LIMIT", "LOG_FORMAT", "INTROSPECTION", "GRAPHIQL",
	} {
		if flag := "--" + strings.ToLower(strings.ReplaceAll(name, "_", "-")); !strings.Contains(said, flag) && !strings.Contains(said, "--[no-]"+flag[2:]) {
			t.Errorf("serve --help does not name %s", flag)
		}
		if !strings.Contains(said, "$VEZNE_"+name) {
			t.Errorf("serve --help does not name VEZNE_%s", name)
		}
	}
}

// succeed runs a command that has to end well.
func (in *installation) succeed(args ...string) string {
	in.t.Helper()
	return in.succeedWith("", args...)
}

func (in *installation) succeedWith(stdin string, args ...string) string {
	in.t.Helper()
	o := launch{args: args, env: in.env, stdin: stdin}.execute(in.t)
	if o.code != 0 {
		in.t.Fatalf("vezne %v ends with %d:\n%s%s", args, o.code, o.stdout, o.stderr)
	}
	return o.stdout
}

// TestMigrate takes an empty database up, in part down, up again and down to nothing.
func TestMigrate(t *testing.T) {
	t.Parallel()
	t.Run("embedded", func(t *testing.T) { t.Parallel(); testMigrate(t, newEmpty(t)) })
	t.Run("servers", func(t *testing.T) {
		t.Parallel()
		testMigrate(t, newEmpty(t, "VEZNE_DATABASE_URL="+newDatabase(t, ""), "VEZNE_REDIS_URL="+newQueue(t)))
	})
}

func testMigrate(t *testing.T, in *installation) {
	counts := func() (applied, missing int) {
		status := in.succeed("migrate", "status")
		return strings.Count(status, " applied "), strings.Count(status, " missing")
	}
	applied, all := counts()
	if applied != 0 || all == 0 {
		t.Fatalf("of an empty database %d migrations are applied and %d missing", applied, all)
	}
	if said := in.succeed("migrate", "up"); strings.Count(said, "applied ") != all {
		t.Errorf("migrate up of %d says:\n%s", all, said)
	}
	if said := in.succeed("migrate", "up"); said != "The schema is up to date.\n" {
		t.Errorf("a second migrate up says %q", said)
	}
	if said := in.succeed("migrate", "down", "--steps", "2"); strings.Count(said, "taken back ") != 2 {
		t.Errorf("migrate down of 2 says:\n%s", said)
	}
	if applied, missing := counts(); applied != all-2 || missing != 2 {
		t.Errorf("after taking 2 back, %d are applied and %d missing", applied, missing)
	}
	in.succeed("migrate", "up")
	in.succeed("migrate", "down", "--steps", "1000")
	if applied, missing := counts(); applied != 0 || missing != all {
		t.Errorf("after taking all back, %d are applied and %d missing", applied, missing)
	}
	if said := in.succeed("migrate", "down"); said != "There is nothing to take back.\n" {
		t.Errorf("migrate down of nothing says %q", said)
	}
	in.succeed("migrate", "up") // what was taken back can be made again
	in.seed().stop(t)
}

// TestStaffCreate makes the first login, and one while the service runs.
func TestStaffCreate(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		const password = "correct horse battery"
		shared.keepSecret("a new staff member's password", password)
		if said := in.succeedWith(password+"\n", "staff", "create", "--email", "First@Vezne.Example", "--role", "admin"); !strings.Contains(said, "created admin first@vezne.example") {
			t.Errorf("staff create says %q", said)
		}
		server := in.serve()
		in.env = append(in.env, "VEZNE_STAFF_PASSWORD="+password)
		in.succeed("staff", "create", "--email", "dealer@vezne.example", "--role", "dealer", "--dealer", "2")
		for _, email := range []string{"first@vezne.example", "dealer@vezne.example"} {
			s, err := signIn(server.url, email, password)
			if err != nil {
				t.Fatalf("%s cannot sign in: %v", email, err)
			}
			var data struct{ Me struct{ Email string } }
			if err := s.ask(`{ me { email } }`, nil, &data); err != nil || data.Me.Email != email {
				t.Errorf("%s is signed in as %q (%v)", email, data.Me.Email, err)
			}
		}
		for _, c := range []struct {
			args []string
			want string
		}{
			{[]string{"--email", "first@vezne.example", "--role", "viewer"}, "already"},
			{[]string{"--email", "nobody", "--role", "viewer"}, "email"},
			{[]string{"--email", "a@vezne.example", "--role", "dealer"}, "dealer"},
			{[]string{"--email", "a@vezne.example", "--role", "admin", "--dealer", "1"}, "dealer"},
		} {
			launch{args: append([]string{"staff", "create"}, c.args...), env: in.env}.expectFailure(t, c.want)
		}
		launch{
			args: []string{"staff", "create", "--email", "a@vezne.example", "--role", "viewer"},
			env:  append(in.env, "VEZNE_STAFF_PASSWORD=short"),
		}.expectFailure(t, "password")
		server.stop(t)
	})
}
