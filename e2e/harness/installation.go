package harness

import (
	"cmp"
	"encoding/json"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// DemoKeys is what tests read of demo.json.
type DemoKeys struct {
	BaseURL          string       `json:"base_url"`
	Provider         ProviderKeys `json:"provider"`
	Sites            []SiteKeys   `json:"sites"`
	OtherProvider    sitedKeys    `json:"other_provider"`
	InactiveProvider sitedKeys    `json:"inactive_provider"`
	Dealer           struct {
		ID        int64  `json:"id"`
		APIKey    string `json:"api_key"`
		SecretKey string `json:"secret_key"`
	} `json:"dealer"`
	SiteToken struct {
		Token     string `json:"token"`
		SecretKey string `json:"secret_key"`
	} `json:"site_token"`
	Staff   []StaffKeys  `json:"staff"`
	Sandbox SandboxKeys  `json:"sandbox"`
	Wallets []WalletKeys `json:"wallets"`
}

// ProviderKeys are those of a provider.
type ProviderKeys struct {
	ID              int64  `json:"id"`
	Name            string `json:"name"`
	APIKey          string `json:"api_key"`
	SecretKey       string `json:"secret_key"`
	VerificationKey string `json:"verification_key"`
	WebhookSecret   string `json:"webhook_secret"`
}

type sitedKeys struct {
	ProviderKeys
	Sites []SiteKeys `json:"sites"`
}

// SiteKeys are those of a site.
type SiteKeys struct {
	ID            int64  `json:"id"`
	Name          string `json:"name"`
	CredentialKey string `json:"credential_key"`
}

// StaffKeys are what a member of the staff signs in with.
type StaffKeys struct {
	Email    string `json:"email"`
	Password string `json:"password"`
	Role     string `json:"role"`
}

// WalletKeys name a dealer's E-IBAN wallet.
type WalletKeys struct {
	DealerID int64  `json:"dealer_id"`
	WalletID string `json:"wallet_id"`
	IBAN     string `json:"iban"`
}

// SandboxKeys are those of the simulated gateway.
type SandboxKeys struct {
	GatewayID    int64  `json:"gateway_id"`
	URL          string `json:"url"`
	AdminKey     string `json:"admin_key"`
	APIKey       string `json:"api_key"`
	APISecret    string `json:"api_secret"`
	NotifySecret string `json:"notify_secret"`
	WalletSecret string `json:"wallet_secret"`
}

// readDemoKeys reads demo.json and the master key beside it, and keeps what is secret of them.
func readDemoKeys(dir string) (k DemoKeys, master string, err error) {
	data, err := os.ReadFile(filepath.Join(dir, "demo.json"))
	if err == nil {
		err = json.Unmarshal(data, &k)
	}
	if err != nil {
		return k, "", err
	}
	key, err := os.ReadFile(filepath.Join(dir, "master.key"))
	master = strings.TrimSpace(string(key))
	k.keepSecrets()
	KeepSecret("a master key", master)
	return k, master, err
}

func (k DemoKeys) keepSecrets() {
	for _, p := range []ProviderKeys{k.Provider, k.OtherProvider.ProviderKeys, k.InactiveProvider.ProviderKeys} {
		KeepSecret("a provider's secret key", p.SecretKey)
		KeepSecret("a provider's verification key", p.VerificationKey)
		KeepSecret("a webhook secret", p.WebhookSecret)
	}
	for _, s := range slices.Concat(k.Sites, k.OtherProvider.Sites, k.InactiveProvider.Sites) {
		KeepSecret("a site's credential key", s.CredentialKey)
	}
	for _, s := range k.Staff {
		KeepSecret("a staff member's password", s.Password)
	}
	KeepSecret("a dealer's secret key", k.Dealer.SecretKey)
	KeepSecret("a site token", k.SiteToken.Token)
	KeepSecret("a site token's secret", k.SiteToken.SecretKey)
	for _, secret := range []string{
		k.Sandbox.AdminKey, k.Sandbox.APIKey, k.Sandbox.APISecret, k.Sandbox.NotifySecret, k.Sandbox.WalletSecret,
	} {
		KeepSecret("a key of the sandbox", secret)
	}
}

// Installation is one test's own seeded Vezne: its database, its queue and its keys. Processes are started on it.
type Installation struct {
	T    *testing.T
	Dir  string   // data directory: demo.json, the master key, SQLite's file
	Env  []string // what leads a process to it
	Keys DemoKeys
	// Binary is a vezne in place of the one under test; empty: that one. A process that is started Again is of the one under test.
	Binary string
	from   seeded // what it was copied from; zero: nothing
}

// NewEmbedded makes an installation on SQLite with the queue in process.
func NewEmbedded(t *testing.T) *Installation {
	t.Helper()
	return newInstallation(t, shared.Embedded)
}

// NewOnServers makes an installation on the PostgreSQL and the Redis that testenv provides.
func NewOnServers(t *testing.T) *Installation {
	t.Helper()
	return NewOnServersWith(t, NewQueue(t))
}

// NewOnServersWith makes an installation on PostgreSQL and the Redis at a URL.
func NewOnServersWith(t *testing.T, redisURL string) *Installation {
	t.Helper()
	databaseURL := NewDatabase(t, shared.Servers.Database)
	return newInstallation(t, shared.Servers, "VEZNE_DATABASE_URL="+databaseURL, "VEZNE_REDIS_URL="+redisURL)
}

func newInstallation(t *testing.T, from seeded, env ...string) *Installation {
	t.Helper()
	in := &Installation{T: t, Dir: filepath.Join(t.TempDir(), "data"), from: from}
	if err := copyPrivate(from.Dir, in.Dir); err != nil {
		t.Fatal(err)
	}
	var master string
	var err error
	if in.Keys, master, err = readDemoKeys(in.Dir); err != nil {
		t.Fatal(err)
	}
	in.Env = []string{"VEZNE_DATA_DIR=" + in.Dir, "VEZNE_CALLBACK_ALLOW_PRIVATE=true", "VEZNE_TIME_ZONE=" + shared.zone.String()}
	if len(env) > 0 {
		key, err := os.ReadFile(filepath.Join(in.Dir, "audit.key"))
		if err != nil {
			t.Fatal(err)
		}
		auditKey := strings.TrimSpace(string(key))
		KeepSecret("an audit key", auditKey)
		in.Env = append(append(in.Env, env...), "VEZNE_MASTER_KEY="+master, "VEZNE_AUDIT_KEY="+auditKey)
	}
	return in
}

// NewEmpty makes an installation with nothing in it yet.
func NewEmpty(t *testing.T, env ...string) *Installation {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "demo-data")
	return &Installation{T: t, Dir: dir, Env: append(env, "VEZNE_DATA_DIR="+dir)}
}

// Seed starts a demo, which seeds an empty installation, and reads its keys.
func (in *Installation) Seed(env ...string) *Process {
	in.T.Helper()
	p := in.Demo(env...)
	var err error
	if in.Keys, _, err = readDemoKeys(in.Dir); err != nil {
		in.T.Fatal(err)
	}
	return p
}

// copyPrivate copies the files of a directory so that only this user may read them.
func copyPrivate(from, to string) error {
	files, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	err = os.Mkdir(to, 0o700)
	for _, file := range files {
		data, readErr := os.ReadFile(filepath.Join(from, file.Name()))
		err = errors.Join(err, readErr, os.WriteFile(filepath.Join(to, file.Name()), data, 0o600))
	}
	return err
}

// Serve starts a serving process with further settings; it ends with the test.
func (in *Installation) Serve(env ...string) *Process {
	in.T.Helper()
	return in.run([]string{"serve"}, env...)
}

// ServeAtWrongTime starts a serving process whose clock is wrong, and returns how to set it.
func (in *Installation) ServeAtWrongTime(skew time.Duration, env ...string) (p *Process, set func(time.Duration)) {
	in.T.Helper()
	dir := in.T.TempDir()
	set = func(skew time.Duration) {
		in.T.Helper()
		file := filepath.Join(dir, skewFile)
		if err := os.WriteFile(file+".new", []byte(skew.String()), 0o600); err != nil {
			in.T.Fatal(err)
		}
		if err := os.Rename(file+".new", file); err != nil { // whole at any moment
			in.T.Fatal(err)
		}
	}
	set(skew)
	return in.launch(Launch{Args: []string{"serve"}, Env: env, Dir: dir, binary: shared.WrongClock}), set
}

// Setting is a setting of the installation's processes; empty when there is none.
func (in *Installation) Setting(name string) string {
	for _, pair := range in.Env {
		if value, ok := strings.CutPrefix(pair, "VEZNE_"+name+"="); ok {
			return value
		}
	}
	return ""
}

// ServeAll starts as many serving processes as an installation of its kind may have: one embedded, two on servers.
func (in *Installation) ServeAll(env ...string) []*Process {
	in.T.Helper()
	all := []*Process{in.Serve(env...)}
	if in.Setting("DATABASE_URL") != "" {
		all = append(all, in.Serve(env...))
	}
	return all
}

// InTurn runs a command that writes, with something on standard input: on servers beside a process, embedded in its place, since
// the directory is one process's. It returns the process that serves afterwards, at the same address.
func (in *Installation) InTurn(p *Process, stdin string, args ...string) *Process {
	in.T.Helper()
	if in.Setting("DATABASE_URL") != "" {
		in.SucceedWith(stdin, args...)
		return p
	}
	p.Stop(in.T)
	in.SucceedWith(stdin, args...)
	return p.Again(in.T)
}

// Bare has a demo begin with nothing but those who work there.
const Bare = "VEZNE_DEMO_PAST=false"

// Demo starts a demo on the installation: a bare one, unless a setting says otherwise.
func (in *Installation) Demo(env ...string) *Process {
	in.T.Helper()
	return in.run([]string{"demo"}, append([]string{Bare}, env...)...)
}

func (in *Installation) run(args []string, env ...string) *Process {
	in.T.Helper()
	return in.launch(Launch{Args: args, Env: env})
}

func (in *Installation) launch(l Launch) *Process {
	in.T.Helper()
	l.Env = append(slices.Clone(in.Env), l.Env...)
	l.binary = cmp.Or(l.binary, in.Binary)
	if l.Args[0] == "serve" {
		l.listen = ReserveAddress(in.T)
		l.Env = append([]string{"VEZNE_BASE_URL=http://" + l.listen}, l.Env...) // one that is set takes its place
	}
	p, err := l.startServer()
	if err != nil {
		in.T.Fatal(err)
	}
	in.T.Cleanup(p.Kill)
	return p
}

// ForEach runs a test on an installation of each kind. With -short it runs on one of them, which the test's name decides, so that
// both kinds are tried by every run of the whole suite.
func ForEach(t *testing.T, test func(t *testing.T, in *Installation)) {
	t.Helper()
	short, onServers := testing.Short(), crc32.ChecksumIEEE([]byte(t.Name()))%2 == 1
	if !short || !onServers {
		t.Run("embedded", func(t *testing.T) { t.Parallel(); test(t, NewEmbedded(t)) })
	}
	if !short || onServers {
		t.Run("servers", func(t *testing.T) { t.Parallel(); test(t, NewOnServers(t)) })
	}
}
