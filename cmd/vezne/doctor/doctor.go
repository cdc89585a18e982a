// Package doctor examines an installation: settings, directory, keys, database, Redis, clock.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/vezne/vezne/adapters/asynqqueue"
	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/cmd/vezne/cautions"
	"github.com/vezne/vezne/cmd/vezne/rekey"
	"github.com/vezne/vezne/cmd/vezne/settings"
	"github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/plugins"
	"github.com/vezne/vezne/ports"
)

// maxClockDrift is how far this machine's clock may be from the database's before signatures and expiry suffer.
const maxClockDrift = 5 * time.Second // the database tells whole seconds

// timeout bounds each examination.
const timeout = 10 * time.Second

// Command is `vezne doctor`.
type Command struct {
	settings.Config
	Sealed bool   `help:"Count what each master key has encrypted, by reading all of it. Without it, doctor looks where tables begin and end."`
	Role   string `env:"VEZNE_ROLE" enum:"all,api,worker" default:"all" help:"What the process is to do whose settings these are: all, api or worker."`
}

// doctor examines one part after the other.
type doctor struct {
	out      io.Writer
	set      settings.Settings
	sealer   ports.Sealer
	version  settings.Version
	problems int

	countsSealed bool
	auditKeys    audit.Keys
	gateways     []plugins.Registration
}

// errUnwell makes the command end with a failure after everything was said.
var errUnwell = errors.New("some checks failed")

// Run examines everything and says what is wrong.
func (c Command) Run(ctx context.Context, out io.Writer, version settings.Version, gateways []plugins.Registration) error {
	d := &doctor{out: out, version: version, gateways: gateways, countsSealed: c.Sealed}
	var err error
	if d.set, err = c.Check("data"); err != nil {
		d.say("configuration", "", err)
		return errUnwell
	}
	d.say("configuration", "complete; times in "+d.set.Zone.String(), d.set.Missing(c.Role))
	d.cautions(c.Role)
	d.say("retention", fmt.Sprintf("histories of payments %s, the audit log %s, customers' data %s", keptFor(d.set.RetainHistory),
		keptFor(d.set.RetainAudit), keptFor(d.set.RetainCustomers)), nil)
	d.directory()
	d.keys()
	d.auditKey()
	d.database(ctx)
	d.redis(ctx)
	d.callbacks()
	if d.problems > 0 {
		return errUnwell
	}
	return nil
}

func keptFor(years int) string {
	if years == 0 {
		return "forever"
	}
	return fmt.Sprintf("%d years", years)
}

// say reports one finding.
func (d *doctor) say(what, good string, err error) {
	mark, text := "ok  ", good
	if err != nil {
		mark, text = "FAIL", err.Error()
		d.problems++
	}
	_, _ = fmt.Fprintf(d.out, "%s  %-14s %s\n", mark, what, text) // a closed terminal: nobody reads it
}

// warn reports what is likely to be wrong.
func (d *doctor) warn(what, text string) {
	_, _ = fmt.Fprintf(d.out, "warn  %-14s %s\n", what, text) // a closed terminal: nobody reads it
}

func (d *doctor) cautions(role string) {
	base := d.set.BaseURL
	if base == "" {
		base = "http://" + d.set.Listen
	}
	for _, c := range d.set.Cautions(role, base) {
		d.warn(c.Subject, c.Text)
	}
}

// directory tries whether an embedded database could be written to: in its directory, or where that would be made.
func (d *doctor) directory() {
	if !d.set.IsEmbedded() {
		return
	}
	dir, err := filepath.Abs(d.set.DataDir)
	for err == nil {
		if _, err = os.Stat(dir); !errors.Is(err, os.ErrNotExist) || dir == filepath.Dir(dir) {
			break
		}
		dir, err = filepath.Dir(dir), nil
	}
	var file *os.File
	if err == nil {
		if file, err = os.CreateTemp(dir, ".vezne-doctor-*"); err == nil {
			err = errors.Join(file.Close(), os.Remove(file.Name()))
		}
	}
	if err != nil {
		err = fmt.Errorf("VEZNE_DATA_DIR is %q: it cannot be written to: %w", d.set.DataDir, err)
	}
	d.say("data directory", "can be written to", err)
}

func (d *doctor) keys() {
	_, statErr := os.Stat(d.set.KeyFile)
	if d.set.MasterKey == "" && d.set.IsEmbedded() && errors.Is(statErr, os.ErrNotExist) {
		d.say("master key", "will be made at the first start, in "+d.set.KeyFile, nil)
		d.sealer = settings.NoSealer{}
		return
	}
	sealer, err := d.set.Sealer()
	d.sealer = sealer
	if err != nil {
		d.sealer = settings.NoSealer{}
	}
	d.say("master key", "readable", err)
}

func (d *doctor) database(ctx context.Context) {
	forAll := ctx
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if _, err := os.Stat(d.set.SQLiteFile); d.set.IsEmbedded() && errors.Is(err, os.ErrNotExist) {
		d.say("database", "embedded; will be made at the first start, in "+d.set.SQLiteFile, nil)
		return
	}
	config, err := d.set.StoreConfig(d.sealer, slog.New(slog.DiscardHandler))
	if err != nil {
		d.say("database", "", err)
		return
	}
	config.IsPrimary = true
	store, err := bunstore.Open(ctx, config)
	if err != nil {
		d.say("database", "", fmt.Errorf("does not answer: %w", d.set.DatabaseFault(err)))
		return
	}
	defer func() { _ = store.Close() }() // only read from
	d.say("database", "answers", nil)
	if !d.schema(ctx, store) {
		return // the rest would be about tables that this program does not know
	}
	d.role(ctx, store)
	if isDemo, err := store.IsDemo(ctx); err == nil && isDemo {
		d.warn("purpose", settings.DemoMarked)
	}
	d.clock(ctx, store)
	d.server(ctx, store, config)
	d.standby(ctx, store, config)
	d.secrets(ctx, store)
	d.credits(ctx, store)
	d.sealed(forAll, store)
	d.auditLog(ctx, store)
}

// role says what has to be set for the database's role, where a pooler is between this service and its sessions.
func (d *doctor) role(ctx context.Context, store *bunstore.Store) {
	lacking, err := store.RoleSettings(ctx)
	if err != nil {
		d.say("role", "", err)
	}
	for _, w := range lacking {
		d.warn("role", fmt.Sprintf("VEZNE_DATABASE_PREPARED is false, and %s of the database's role is %s: ALTER ROLE … SET %s = '%s'",
			w.Name, w.Is, w.Name, w.Wanted))
	}
}

// server says how PostgreSQL is set, and whether it has connections for all processes.
func (d *doctor) server(ctx context.Context, store *bunstore.Store, config bunstore.Config) {
	if d.set.IsEmbedded() {
		return
	}
	is, err := store.Server(ctx)
	if err != nil {
		d.say("server", "", fault.Cause(err))
		return
	}
	for _, c := range cautions.OfServer(is) {
		d.warn(c.Subject, c.Text)
	}
	if is.Off == "" {
		d.say("durability", "what is committed outlives a crash and a loss of power", nil)
	}
	d.connections(ctx, config, is.Connections)
}

// credits adds up what was credited beside the money behind it.
func (d *doctor) credits(ctx context.Context, store *bunstore.Store) {
	const shown = 3
	check, err := store.CheckCredits(ctx, shown)
	if err != nil {
		err = fmt.Errorf("cannot be added up: %w", fault.Cause(err))
	}
	var wrong []string
	for _, b := range check.Breaches {
		wrong = append(wrong, b.TrackingCode+" ("+string(b.Kind)+")")
	}
	if len(wrong) > 0 {
		err = fmt.Errorf("do not agree with the money behind them: %s; somebody has changed the database, or this is a defect",
			strings.Join(wrong, ", "))
	}
	d.say("credits", fmt.Sprintf("all have their money; %d by hand wait for theirs", check.Awaiting), err)
}

// schema reports whether the tables are those that this program knows.
func (d *doctor) schema(ctx context.Context, store *bunstore.Store) bool {
	err := d.set.IsUpToDate(ctx, store)
	d.say("schema", "up to date", err)
	return err == nil
}

// connections adds up what the processes that run, and one more of these settings, may hold at once. A pooler between them and the
// server may hold fewer.
func (d *doctor) connections(ctx context.Context, config bunstore.Config, there int) {
	others, err := bunstore.FindOthers(ctx, config)
	if err != nil {
		d.say("connections", "", fault.Cause(err))
		return
	}
	processes := len(others.Announced) + 1
	text := fmt.Sprintf("%d processes of %d connections each; the server has %d", processes, d.set.Connections, there)
	if processes*d.set.Connections > there {
		d.warn("connections", text+": raise its max_connections, or set VEZNE_DATABASE_CONNECTIONS")
		return
	}
	d.say("connections", text, nil)
}

// standbyTries are how often a standby is asked until it answers.
const standbyTries = 5

// standby looks at the one that lists and statistics are read from.
func (d *doctor) standby(ctx context.Context, store *bunstore.Store, config bunstore.Config) {
	if d.set.ReadURL == "" {
		return
	}
	replica, err := store.WithReplica(ctx, config, bunstore.ReplicaConfig{URL: d.set.ReadURL, MaxLag: d.set.ReadLag})
	if err != nil {
		d.say("standby", "", fmt.Errorf("%w (VEZNE_DATABASE_READ_URL)", fault.Cause(err)))
		return
	}
	defer func() { _ = replica.CloseReplica() }() // only read from
	answers := false
	for try := 0; try < standbyTries && !answers; try++ { // a server is given a second for each: on a busy machine one may be short
		answers = replica.Answers(ctx)
	}
	if !answers {
		err = errors.New("does not answer, or is none: lists and statistics are read from the primary (VEZNE_DATABASE_READ_URL)")
	}
	d.say("standby", "answers", err)
}

func (d *doctor) clock(ctx context.Context, store *bunstore.Store) {
	if d.set.IsEmbedded() {
		return
	}
	there, err := store.Now(ctx)
	drift := time.Since(there).Abs()
	if err == nil && drift > maxClockDrift {
		err = fmt.Errorf("differs from the database's by %s: set both by NTP", drift.Round(time.Millisecond))
	}
	d.say("clock", "agrees with the database's", err)
}

// secrets tries the master key on what it has to open.
func (d *doctor) secrets(ctx context.Context, store *bunstore.Store) {
	if (d.sealer == settings.NoSealer{}) {
		return
	}
	n, err := store.CheckSecrets(ctx)
	switch {
	case fault.Is(err, fault.Unavailable):
		err = fmt.Errorf("what is stored cannot be read: %w", fault.Cause(err))
	case err != nil:
		err = fmt.Errorf("the master key does not open what is stored: %w", fault.Cause(err))
	}
	d.say("secrets", fmt.Sprintf("%d providers' secrets open", n), err)
	if err == nil {
		d.bankAccounts(ctx, store)
	}
}

// sealed says what each master key has encrypted, and which may go.
func (d *doctor) sealed(ctx context.Context, store *bunstore.Store) {
	ring, ok := d.sealer.(ports.Keyring)
	if !ok {
		return
	}
	counts, isWhole, err := bunstore.SealedCounts(nil), true, error(nil)
	if d.countsSealed {
		counts, err = store.CountSealed(ctx)
	} else {
		counts, isWhole, err = sampled(ctx, store)
	}
	if err != nil {
		d.say("master keys", "", fmt.Errorf("cannot be looked for: %w", fault.Cause(err)))
		return
	}
	for _, k := range rekey.Findings(counts, ring, isWhole) {
		switch {
		case k.IsLost:
			d.say("master keys", "", errors.New(k.Text))
		case k.Others > 0:
			d.say("master keys", k.Text+"; run `vezne rekey`", nil)
		default:
			d.say("master keys", k.Text, nil)
		}
	}
}

func sampled(ctx context.Context, store *bunstore.Store) (bunstore.SealedCounts, bool, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return store.SampleSealed(ctx)
}

// bankAccounts looks for bank accounts of which two tell what came in: a gateway or staff beside a dealer's statement.
func (d *doctor) bankAccounts(ctx context.Context, store *bunstore.Store) {
	registry, err := plugins.NewRegistry(d.gateways...)
	if err != nil {
		d.say("bank accounts", "", err)
		return
	}
	admin := &owner.Gateways{
		UnitOfWork: &app.UnitOfWork{Directory: store}, Owners: store, Gateways: &app.Gateways{Plugins: registry},
	}
	clashes, err := admin.Clashes(ctx)
	for _, c := range clashes {
		err = errors.Join(err, fmt.Errorf("the gateway account %q collects on %s, which is a dealer's: one payment may be "+
			"credited twice", c.Account.Code, c.IBAN))
	}
	shared, failed := store.AccountsBesideStatements(ctx)
	err = errors.Join(err, failed)
	for _, iban := range shared {
		err = errors.Join(err, fmt.Errorf("staff approve manual deposits to %s, whose statement credits E-IBAN deposits: one "+
			"payment may be credited twice; switch the account for manual deposits off", iban))
	}
	d.say("bank accounts", "each has one who tells what came in", err)
}

func (d *doctor) redis(ctx context.Context) {
	if d.set.RedisURL == "" {
		d.say("queue", "in process", nil)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	queue, err := asynqqueue.Open(ctx, asynqqueue.Config{RedisURL: d.set.RedisURL, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		d.say("queue", "", fmt.Errorf("VEZNE_REDIS_URL: %w", fault.Cause(err)))
		return
	}
	if err = errors.Join(queue.Ping(ctx), queue.Close()); err != nil {
		err = fmt.Errorf("the Redis server does not answer: %w (VEZNE_REDIS_URL)", fault.Cause(err))
	}
	d.say("queue", "Redis answers", err)
}

func (d *doctor) callbacks() {
	if d.set.AllowsPrivate() {
		d.say("callbacks", "may go to private addresses: right for tests, not for production", nil)
		return
	}
	d.say("callbacks", "go to public addresses only", nil)
}
