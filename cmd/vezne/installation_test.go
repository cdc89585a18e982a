package main_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// demoKeys is what tests read of demo.json.
type demoKeys struct {
	BaseURL          string       `json:"base_url"`
	Provider         providerKeys `json:"provider"`
	Sites            []siteKeys   `json:"sites"`
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
	Staff   []staffKeys  `json:"staff"`
	Sandbox sandboxKeys  `json:"sandbox"`
	Wallets []walletKeys `json:"wallets"`
}

type providerKeys struct {
	ID              int64  `json:"id"`
	Name            string `json:"name"`
	APIKey          string `json:"api_key"`
	SecretKey       string `json:"secret_key"`
	VerificationKey string `json:"verification_key"`
	WebhookSecret   string `json:"webhook_secret"`
}

type sitedKeys struct {
	providerKeys
	Sites []siteKeys `json:"sites"`
}

type siteKeys struct {
	ID            int64  `json:"id"`
	Name          string `json:"name"`
	CredentialKey string `json:"credential_key"`
}

type staffKeys struct {
	Email    string `json:"email"`
	Password string `json:"password"`
	Role     string `json:"role"`
}

// walletKeys name a dealer's E-IBAN wallet.
type walletKeys struct {
	DealerID int64  `json:"dealer_id"`
	WalletID string `json:"wallet_id"`
	IBAN     string `json:"iban"`
}

// sandboxKeys are those of the simulated gateway.
type sandboxKeys struct {
	GatewayID    int64  `json:"gateway_id"`
	URL          string `json:"url"`
	AdminKey     string `json:"admin_key"`
	APIKey       string `json:"api_key"`
	APISecret    string `json:"api_secret"`
	NotifySecret string `json:"notify_secret"`
	WalletSecret string `json:"wallet_secret"`
}

// readDemoKeys reads demo.json and the master key beside it, and keeps what is secret of them.
func readDemoKeys(dir string) (k demoKeys, master string, err error) {
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
	shared.keepSecret("a master key", master)
	return k, master, err
}

func (k demoKeys) keepSecrets() {
	for _, p := range []providerKeys{k.Provider, k.OtherProvider.providerKeys, k.InactiveProvider.providerKeys} {
		shared.keepSecret("a provider's secret key", p.SecretKey)
		shared.keepSecret("a provider's verification key", p.VerificationKey)
		shared.keepSecret("a webhook secret", p.WebhookSecret)
	}
	for _, s := range slices.Concat(k.Sites, k.OtherProvider.Sites, k.InactiveProvider.Sites) {
		shared.keepSecret("a site's credential key", s.CredentialKey)
	}
	for _, s := range k.Staff {
		shared.keepSecret("a staff member's password", s.Password)
	}
	shared.keepSecret("a dealer's secret key", k.Dealer.SecretKey)
	shared.keepSecret("a site token", k.SiteToken.Token)
	shared.keepSecret("a site token's secret", k.SiteToken.SecretKey)
	for _, secret := range []string{
		k.Sandbox.AdminKey, k.Sandbox.APIKey, k.Sandbox.APISecret, k.Sandbox.NotifySecret, k.Sandbox.WalletSecret,
	} {
		shared.keepSecret("a key of the sandbox", secret)
	}
}

// seeded is what a demo has left: a data directory, the database's name where it is on the server, and a session of each of
// its staff.
type seeded struct {
	dir, database string
	sessions      map[string]string // token by email
	signedInAt    time.Time
}

func seedEmbedded() (seeded, error) {
	s := seeded{dir: filepath.Join(shared.dir, "embedded")}
	return s, s.runDemo()
}

func seedServers() (s seeded, err error) {
	s.dir = filepath.Join(shared.dir, "servers")
	if s.database, err = shared.databases.create(""); err != nil {
		return s, err
	}
	redisURL, release, err := shared.queues.take()
	if err != nil {
		return s, err
	}
	err = s.runDemo("VEZNE_DATABASE_URL="+shared.databases.url(s.database), "VEZNE_REDIS_URL="+redisURL)
	return s, errors.Join(err, release())
}

func (s *seeded) runDemo(env ...string) error {
	p, err := launch{args: []string{"demo", "--data-dir", s.dir}, env: append(env, "VEZNE_TIME_ZONE="+shared.zone.String())}.startServer()
	if err != nil {
		return err
	}
	err = s.signIn(p.url)
	p.terminate()
	if err := errors.Join(err, p.end()); err != nil {
		return err
	}
	at, err := netip.ParseAddrPort(strings.TrimPrefix(p.url, "http://"))
	if err != nil {
		return err
	}
	return holdPort(at)
}

// signIn signs every member of the staff in, once for all tests: hashing passwords takes most of a sign-in's time.
func (s *seeded) signIn(base string) error {
	keys, _, err := readDemoKeys(s.dir)
	if err != nil {
		return err
	}
	s.sessions, s.signedInAt = map[string]string{}, time.Now()
	for _, member := range keys.Staff {
		session, err := signIn(base, member.Email, member.Password)
		if err != nil {
			return err
		}
		s.sessions[member.Email] = session.token
	}
	return nil
}

// holdPort keeps a port for the rest of the run, with nobody listening there. What a demo has seeded leads to the gateway
// that it was itself: whoever got its port would be called by every installation.
func holdPort(at netip.AddrPort) error {
	syscall.ForkLock.RLock()
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(socket)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return err
	}
	reuse := func(on int) error { return syscall.SetsockoptInt(socket, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, on) }
	if err := errors.Join(reuse(1), syscall.Bind(socket, &syscall.SockaddrInet4{Port: int(at.Port()), Addr: at.Addr().As4()})); err != nil {
		return fmt.Errorf("keeping %s: %w", at, err)
	}
	return reuse(0) // only what is left of the demo's connections was to be passed over
}

// installation is one test's own seeded Vezne: its database, its queue and its keys. Processes are started on it.
type installation struct {
	t    *testing.T
	dir  string   // data directory: demo.json, the master key, SQLite's file
	env  []string // what leads a process to it
	keys demoKeys
	from seeded // what it was copied from; zero: nothing
}

// newEmbedded makes an installation on SQLite with the queue in process.
func newEmbedded(t *testing.T) *installation {
	t.Helper()
	return newInstallation(t, shared.embedded)
}

// newOnServers makes an installation on the PostgreSQL and the Redis that testenv provides.
func newOnServers(t *testing.T) *installation {
	t.Helper()
	return newOnServersWith(t, newQueue(t))
}

// newOnServersWith makes an installation on PostgreSQL and the Redis at a URL.
func newOnServersWith(t *testing.T, redisURL string) *installation {
	t.Helper()
	databaseURL := newDatabase(t, shared.servers.database)
	return newInstallation(t, shared.servers, "VEZNE_DATABASE_URL="+databaseURL, "VEZNE_REDIS_URL="+redisURL)
}

func newInstallation(t *testing.T, from seeded, env ...string) *installation {
	t.Helper()
	in := &installation{t: t, dir: filepath.Join(t.TempDir(), "data"), from: from}
	if err := copyPrivate(from.dir, in.dir); err != nil {
		t.Fatal(err)
	}
	var master string
	var err error
	if in.keys, master, err = readDemoKeys(in.dir); err != nil {
		t.Fatal(err)
	}
	in.env = []string{"VEZNE_DATA_DIR=" + in.dir, "VEZNE_CALLBACK_ALLOW_PRIVATE=true", "VEZNE_TIME_ZONE=" + shared.zone.String()}
	if len(env) > 0 {
		in.env = append(append(in.env, env...), "VEZNE_MASTER_KEY="+master)
	}
	return in
}

// newEmpty makes an installation with nothing in it yet.
func newEmpty(t *testing.T, env ...string) *installation {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "demo-data")
	return &installation{t: t, dir: dir, env: append(env, "VEZNE_DATA_DIR="+dir)}
}

// seed starts a demo, which seeds an empty installation, and reads its keys.
func (in *installation) seed() *process {
	in.t.Helper()
	p := in.demo()
	var err error
	if in.keys, _, err = readDemoKeys(in.dir); err != nil {
		in.t.Fatal(err)
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

// serve starts a serving process with further settings; it ends with the test.
func (in *installation) serve(env ...string) *process {
	in.t.Helper()
	return in.run([]string{"serve"}, env...)
}

// setting is a setting of the installation's processes; empty when there is none.
func (in *installation) setting(name string) string {
	for _, pair := range in.env {
		if value, ok := strings.CutPrefix(pair, "VEZNE_"+name+"="); ok {
			return value
		}
	}
	return ""
}

// serveAll starts as many serving processes as an installation of its kind may have: one embedded, two on servers.
func (in *installation) serveAll(env ...string) []*process {
	in.t.Helper()
	all := []*process{in.serve(env...)}
	if in.setting("DATABASE_URL") != "" {
		all = append(all, in.serve(env...))
	}
	return all
}

// demo starts a demo on the installation.
func (in *installation) demo(env ...string) *process {
	in.t.Helper()
	return in.run([]string{"demo"}, env...)
}

func (in *installation) run(args []string, env ...string) *process {
	in.t.Helper()
	p, err := launch{args: args, env: append(slices.Clone(in.env), env...)}.startServer()
	if err != nil {
		in.t.Fatal(err)
	}
	in.t.Cleanup(p.kill)
	return p
}

// forEach runs a test on an installation of each kind.
func forEach(t *testing.T, test func(t *testing.T, in *installation)) {
	t.Helper()
	t.Run("embedded", func(t *testing.T) { t.Parallel(); test(t, newEmbedded(t)) })
	t.Run("servers", func(t *testing.T) { t.Parallel(); test(t, newOnServers(t)) })
}
