package operations_test

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// TestWrongSettings: all that is wrong is said at once, each variable by its name, and no value that may be secret.
func TestWrongSettings(t *testing.T) {
	t.Parallel()
	wrong := map[string]string{
		"LISTEN": "nonsense", "BASE_URL": "ftp://pay.example", "DATABASE_URL": "mysql://vezne:pw-in-url@db/vezne",
		"REDIS_URL": "http://:pw-in-url@cache", "TIME_ZONE": "Mars/Olympus", "EXPIRY_DEPOSIT": "1ms", "EXPIRY_CARD": "9999h",
		"EXPIRY_BANK_WITHDRAWAL": "0s", "CALLBACK_SCHEDULE": "0s,soon", "CALLBACK_TIMEOUT": "1h", "TRUSTED_PROXIES": "10.0.0.0/8,home",
		"RATE_LIMIT": "fast", "LOG_FORMAT": "xml", "ADMIN_LISTEN": "nonsense", "DRAIN_DELAY": "6m", "AUDIT_HEADS_URL": "ftp://heads.example",
		"OPEN_DEPOSITS_PER_CUSTOMER": "-1", "OPEN_DEPOSITS_PER_SITE": "-1", "REQUIRE_SECOND_FACTOR": "boss", "STEP_UP_ABOVE": "-1",
		"RETAIN_LOGS": "6", "RETAIN_NOTIFICATIONS": "29", "RETAIN_JOBS": "29", "RETAIN_CUSTOMERS": "9", // the law says ten years
		"RETAIN_HISTORY": "1", "RETAIN_AUDIT": "101",
	}
	var env, names []string
	for name, value := range wrong {
		env = append(env, "VEZNE_"+name+"="+value)
		names = append(names, "VEZNE_"+name+" ")
	}
	harness.KeepSecret("the password in a wrong URL", "pw-in-url")
	for _, command := range [][]string{{"serve"}, {"demo"}, {"migrate", "status"}} {
		harness.Launch{Args: command, Env: env, Dir: t.TempDir()}.ExpectFailure(t, names...)
	}
	dir := t.TempDir()
	o := harness.Launch{Args: []string{"serve", "--log-format", "xml", "--rate-limit=100 a day"}, Dir: dir}.Execute(t)
	if o.Code != 1 || !strings.Contains(o.Stderr, "VEZNE_LOG_FORMAT") || !strings.Contains(o.Stderr, "VEZNE_RATE_LIMIT") {
		t.Errorf("wrong flags end with %d:\n%s", o.Code, o.Stderr)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("a start that failed leaves %v (%v)", left, err)
	}
}

func TestWrongCommandLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		env  string
		want string
	}{
		{nil, "", "expected one of"},
		{[]string{"nonsense"}, "", "nonsense"},
		{[]string{"serve", "--role", "boss"}, "", `"all","api","worker"`},
		{[]string{"serve"}, "VEZNE_EXPIRY_DEPOSIT=soon", "VEZNE_EXPIRY_DEPOSIT"},
		{[]string{"serve"}, "VEZNE_CALLBACK_ALLOW_PRIVATE=perhaps", "VEZNE_CALLBACK_ALLOW_PRIVATE"},
		{[]string{"staff", "create", "--email", "a@b.example", "--role", "boss"}, "", `"admin","operator","finance","support","auditor","viewer","dealer","provider"`},
		{[]string{"staff", "create", "--role", "admin"}, "", "--email"},
	} {
		harness.Launch{Args: c.args, Env: []string{c.env}}.ExpectFailure(t, c.want)
	}
}

// TestServeOnServersNeeds a master key, a schema and a database that answers, and says what to do about each.
func TestServeOnServersNeeds(t *testing.T) {
	t.Parallel()
	in := harness.NewOnServers(t)
	empty := harness.NewDatabase(t, "")
	base := []string{"VEZNE_BASE_URL=https://pay.example.com"}
	for _, c := range []struct {
		env  []string
		want string
	}{
		{[]string{"VEZNE_MASTER_KEY=", "VEZNE_DATA_DIR=" + t.TempDir()}, "VEZNE_MASTER_KEY is missing"},
		{[]string{"VEZNE_MASTER_KEY=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}, "does not open the secrets in this database"},
		{[]string{"VEZNE_AUDIT_KEY=", "VEZNE_DATA_DIR=" + t.TempDir()}, "VEZNE_AUDIT_KEY is missing"},
		{[]string{"VEZNE_AUDIT_KEY=short"}, "VEZNE_AUDIT_KEY: audit key 1 is not 32 bytes"},
		{[]string{"VEZNE_AUDIT_KEY=" + in.Setting("MASTER_KEY")}, "VEZNE_AUDIT_KEY has a key of VEZNE_MASTER_KEY"},
		{[]string{"VEZNE_MASTER_KEY=short"}, "openssl rand -base64 32"},
		{[]string{"VEZNE_DATABASE_URL=" + empty}, "run `vezne migrate up`"},
		{[]string{"VEZNE_DATABASE_URL=postgres://vezne:pw-in-url@127.0.0.1:1/vezne"}, "opening the database"},
		{[]string{"VEZNE_DATABASE_URL=" + harness.DatabaseURL("vezne_e2e_missing")}, "vezne_e2e_missing"},
	} {
		harness.Launch{Args: []string{"serve", "--listen", "127.0.0.1:0"}, Env: slices.Concat(in.Env, base, c.env)}.ExpectFailure(t, c.want)
	}
}

func TestPortInUse(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	taken, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	harness.Launch{Args: []string{"serve", "--listen", taken.Addr().String()}, Env: in.Env}.ExpectFailure(t,
		taken.Addr().String(), "address already in use", "is another vezne running?")
}

// TestKeptKey: an embedded installation makes its master key once, for nobody else to read, and refuses one that is not.
func TestKeptKey(t *testing.T) {
	t.Parallel()
	in := harness.NewEmpty(t)
	in.Serve().Stop(t)
	file := filepath.Join(in.Dir, "master.key")
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	harness.KeepSecret("a master key", strings.TrimSpace(string(before)))
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the master key has mode %v (%v)", info.Mode(), err)
	}
	in.Serve().Stop(t)
	if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
		t.Errorf("the second start changed the master key (%v)", err)
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	harness.Launch{Args: []string{"serve", "--listen", "127.0.0.1:0"}, Env: in.Env}.ExpectFailure(t, "chmod 600")
}
