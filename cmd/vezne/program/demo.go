package program

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/vezne/vezne/adapters/dircache"
	"github.com/vezne/vezne/adapters/hostclock"
	"github.com/vezne/vezne/adapters/inbox"
	"github.com/vezne/vezne/adapters/metrics"
	"github.com/vezne/vezne/adapters/readiness"
	dealerapi "github.com/vezne/vezne/adapters/rest/dealer"
	"github.com/vezne/vezne/adapters/rest/provider"
	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/audit"
	"github.com/vezne/vezne/cmd/vezne/demo"
	"github.com/vezne/vezne/cmd/vezne/demofile"
	"github.com/vezne/vezne/cmd/vezne/settings"
	"github.com/vezne/vezne/cmd/vezne/signing"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/plugins"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

type demoCommand struct {
	settings.Config
	Past bool `env:"VEZNE_DEMO_PAST" default:"true" negatable:"" help:"Begin with weeks of made-up payments and a day's open work; otherwise with those who work here alone."`

	CallbackURL string `env:"VEZNE_DEMO_CALLBACK_URL" placeholder:"URL" help:"Where the callbacks of the demo's provider and dealer are sent, such as http://127.0.0.1:3000/callback. Default: the demo's inbox."`
}

// Run migrates, seeds once and serves, and says where everything is.
func (c demoCommand) Run(ctx context.Context, t terminal) error {
	set, err := c.Check("demo-data")
	if err != nil {
		return err
	}
	set.IsDemo = true
	var form core.Form
	if form.URL("--callback-url", &c.CallbackURL, &c.CallbackURL); form.Err("demo") != nil {
		return errors.New("--callback-url is no address of a receiver: it is an http or https URL without user and password")
	}
	return serve(ctx, t, set, serveOptions{
		command: "demo", role: settings.RoleAll, migrate: true, prepare: c.prepare,
		loopback: c.CallbackAllowPrivate == nil, // the demo's receiver is on this machine
	})
}

// prepare seeds an empty installation, puts the demo's receiver in place, and prints where things are.
func (c demoCommand) prepare(ctx context.Context, t terminal, s *service, router chi.Router) error {
	if err := os.MkdirAll(s.set.DataDir, 0o700); err != nil { // before anything is made whose keys would have no place
		return err
	}
	if err := s.markDemo(ctx); err != nil {
		return err
	}
	house := s.demoHouse()
	box, err := inbox.New(inbox.Config{
		Receiver: house.Receiver, Now: s.clock.Now, Zone: s.set.Zone, Log: s.log,
	})
	if err != nil {
		return err
	}
	router.Mount(inbox.Path, box.Handler())
	router.Method(http.MethodGet, "/", http.RedirectHandler(inbox.Path, http.StatusFound))
	var sandbox *bank.Bank // as it has lived through the demo's past
	d, err := demofile.Read(s.set.DataDir)
	isSeeded := err == nil
	if isSeeded {
		if isSeeded, err = house.IsSeeded(ctx, d); err != nil {
			return err
		}
	}
	if !isSeeded {
		if d, sandbox, err = s.seedDemo(ctx, house, c.Past); err != nil {
			return err
		}
	}
	if err := house.SendCallbacks(ctx, &d, c.CallbackURL); err != nil {
		return err
	}
	if s.endDemo, err = house.ServeSandbox(ctx, router, &d.Sandbox, sandbox); err != nil {
		return err
	}
	d.BaseURL = s.baseURL
	if err := d.Write(s.set.DataDir); err != nil {
		return fmt.Errorf("writing %s: %w", demofile.Name, err)
	}
	if err := demofile.End(s.set.DataDir); err != nil {
		return err
	}
	return printDemo(t, s, d)
}

// removeUnfinished removes the database of a demo that was stopped while its data was made: nobody has seen any of it.
func (s *service) removeUnfinished() error {
	if !s.set.IsEmbedded() || !demofile.IsUnfinished(s.set.DataDir) {
		return nil
	}
	s.log.Info("the demo was stopped while it made its data; it is made anew")
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(s.set.SQLiteFile + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return demofile.End(s.set.DataDir)
}

// isChatter tells of what the demo asks itself, and of what an open page asks again and again: who reads the demo's log
// looks for what happens to payments.
func isChatter(r *http.Request) bool {
	path := r.URL.Path
	isPoll := strings.HasPrefix(path, "/pay/") && strings.HasSuffix(path, "/state")
	isListening := path == provider.Path+"/callbacks" || path == dealerapi.Path+"/callbacks"
	return isPoll || isListening || isBelow(path, demo.SandboxPath) || isBelow(path, inbox.Path)
}

func isBelow(path, folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") }

// seedDemo makes those whom a demo needs and, unless it shall be bare, what they have done until now.
func (s *service) seedDemo(ctx context.Context, house demo.House, hasPast bool) (d demofile.File, b *bank.Bank, err error) {
	if s.set.IsEmbedded() {
		if err := demofile.Begin(s.set.DataDir); err != nil {
			return d, nil, err
		}
	}
	if !hasPast {
		d, err = house.Seed(ctx)
		return d, nil, err
	}
	now := s.clock.Now()
	past, wakes, err := s.past(ctx, demo.NewTime(now.AddDate(0, 0, -demo.PastDays)))
	if err != nil {
		return d, nil, err
	}
	return past.Live(ctx, wakes, now, s.set.Zone)
}

// past puts the use cases together once more, on the same database, by a clock that is set to what has passed. Nothing of it
// works by itself, and nobody is told of anything.
func (s *service) past(ctx context.Context, at *demo.Time) (demo.Past, *demo.Wakes, error) {
	log := slog.New(slog.DiscardHandler)
	wakes := &demo.Wakes{}
	p := &service{
		set: s.set, log: log, clock: hostclock.New(at.Source, log), address: s.address, baseURL: s.baseURL, metrics: metrics.New(version, builtOf().Commit),
		auditBell: audit.NewBell(), database: s.database, owners: dircache.New(s.database, at), waker: &app.NearbyWaker{Queue: wakes},
		passkeys: s.passkeys, fence: s.fence,
	}
	p.set.RedisURL, p.set.Schedule = "", demo.PastSchedule()
	p.writes = readiness.NewWrites(s.database, p.clock, rand.Text())
	p.clock.Against(func(context.Context) (time.Time, error) { return at.Now(), nil })
	if err := p.clock.Compare(ctx); err != nil {
		return demo.Past{}, nil, err
	}
	registry, err := plugins.NewRegistry(gateways...)
	if err != nil {
		return demo.Past{}, nil, err
	}
	p.buildUseCases(serveOptions{loopback: true}, registry)
	p.statements.Every = pastStatements
	return demo.Past{
		House: p.demoHouse(), Time: at, Compare: p.clock.Compare, Deposits: p.deposits, Withdrawals: p.withdrawals, Cards: p.cards, Callbacks: p.callbacks,
		Operations: p.operations, Disputes: p.disputes, Statements: p.statements, Commands: p.staffCommands(), Sweep: p.sweep,
	}, wakes, nil
}

// pastStatements is how often statements were read in the demo's past; the bank also tells of each line.
const pastStatements = 3 * time.Hour

// demoHouse is this process as the demo has it.
func (s *service) demoHouse() demo.House {
	return demo.House{
		Unit: s.unit, Directory: s.directory, Gateways: s.gatewayAdmin, Wallets: s.wallets, Staff: s.staffService, Approvals: s.approvals,
		Sequences: s.database, Reports: s.database, BaseURL: s.baseURL, Here: "http://" + localAddress(s.address), Dir: s.set.DataDir, Log: s.log,
	}
}

func printDemo(t terminal, s *service, d demofile.File) error {
	curl := signing.Command{
		BaseURL: d.BaseURL, APIKey: d.Provider.APIKey, SecretKey: d.Provider.SecretKey,
		Key: d.Sites[0].CredentialKey, Timestamp: s.clock.Now().Unix(),
	}.Example("start-manual-deposit")
	var staff strings.Builder
	for _, m := range d.Staff {
		fmt.Fprintf(&staff, "    %-10s %s  %s\n", m.Role, m.Email, m.Password)
	}
	_, err := fmt.Fprintf(t.out, `Vezne demo is ready.

  Callback inbox   %[1]s%[2]s
  Callbacks go to  %[8]s
  Guide            %[1]s/docs  (API reference: /docs/reference)
  Console          %[1]s/console  (staff sign in here)
  Back office API  %[1]s/graphiql  (GraphiQL; docs/staff.md has operations to paste)
  GraphQL          %[1]s/graphql
  Sandbox gateway  %[1]s/sandbox
  Sandbox branch   %[1]s/sandbox/branch  (pay an E-IBAN deposit here, as its customer)
  Keys and logins  %[3]s%[4]c%[5]s
  Staff
%[6]s
Create a deposit (signed just now, valid for five minutes), then open its payment_url:

%[7]s

Sign further calls:  vezne sign start-manual-deposit --demo %[3]s
As a dealer:         vezne sign dealer-eibans --demo %[3]s
`, d.BaseURL, inbox.Path, s.set.DataDir, os.PathSeparator, demofile.Name, staff.String(), curl, d.CallbackURL)
	return err
}

// localAddress is how this machine reaches an address that was listened on.
func localAddress(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return addr.String()
	}
	return "127.0.0.1:" + strconv.Itoa(tcp.Port)
}
