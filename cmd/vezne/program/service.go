package program

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/vezne/vezne/adapters/asynqqueue"
	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/adapters/callbackhttp"
	"github.com/vezne/vezne/adapters/dircache"
	"github.com/vezne/vezne/adapters/exportfile"
	"github.com/vezne/vezne/adapters/fence"
	"github.com/vezne/vezne/adapters/gatewayhttp"
	"github.com/vezne/vezne/adapters/hostclock"
	"github.com/vezne/vezne/adapters/localevents"
	"github.com/vezne/vezne/adapters/metrics"
	"github.com/vezne/vezne/adapters/passkey"
	"github.com/vezne/vezne/adapters/paypage"
	"github.com/vezne/vezne/adapters/readiness"
	"github.com/vezne/vezne/adapters/redisevents"
	"github.com/vezne/vezne/adapters/redislimit"
	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/adapters/rest/apidoc"
	dealerapi "github.com/vezne/vezne/adapters/rest/dealer"
	"github.com/vezne/vezne/adapters/rest/export"
	"github.com/vezne/vezne/adapters/rest/gatewayhook"
	"github.com/vezne/vezne/adapters/rest/provider"
	"github.com/vezne/vezne/adapters/tracing"
	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/access"
	"github.com/vezne/vezne/app/approval"
	"github.com/vezne/vezne/app/audit"
	"github.com/vezne/vezne/app/command"
	"github.com/vezne/vezne/app/dispute"
	"github.com/vezne/vezne/app/live"
	"github.com/vezne/vezne/app/once"
	"github.com/vezne/vezne/app/operation"
	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/app/payment"
	"github.com/vezne/vezne/app/queues"
	"github.com/vezne/vezne/app/report"
	"github.com/vezne/vezne/app/restore"
	"github.com/vezne/vezne/app/staff"
	"github.com/vezne/vezne/app/sweep"
	"github.com/vezne/vezne/app/testplan"
	"github.com/vezne/vezne/app/wallet"
	"github.com/vezne/vezne/cmd/vezne/dirlock"
	"github.com/vezne/vezne/cmd/vezne/health"
	"github.com/vezne/vezne/cmd/vezne/settings"
	"github.com/vezne/vezne/console"
	"github.com/vezne/vezne/core"
	coreaudit "github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	corepayment "github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/graph"
	"github.com/vezne/vezne/graph/graphiql"
	"github.com/vezne/vezne/graph/invite"
	"github.com/vezne/vezne/plugins"
	"github.com/vezne/vezne/ports"
)

// service is one process of Vezne, put together.
type service struct {
	set     settings.Settings
	log     *slog.Logger
	clock   *hostclock.Clock
	writes  *readiness.Writes // whether payments can be written
	fence   *fence.Fence      // whether the database is the one of its installation, and money may move
	address net.Addr
	baseURL string

	database *bunstore.Replica
	owners   *dircache.Directory // the directory of the database, kept for a moment
	queue    *asynqqueue.Queue
	waker    *app.NearbyWaker
	metrics  *metrics.Metrics
	traces   *tracing.Tracing // nil: nothing is traced
	health   *health.Health
	limits   ports.Limiter

	unit         *app.UnitOfWork
	gate         *access.Authenticator
	staffService *staff.Service
	passkeys     ports.Passkeys
	directory    *directory.Directory
	deposits     *payment.Deposits
	credits      *payment.Credits
	customers    *directory.Retention
	dealers      *payment.DealerPayments
	wallets      *wallet.Wallets
	statements   *wallet.Statements
	withdrawals  *payment.Withdrawals
	notes        *payment.Notes
	callbacks    *payment.Callbacks
	testPlans    *testplan.Service // nil: money may move here
	sweep        *sweep.Service
	restore      *restore.Service
	backoffice   *report.Backoffice
	audit        *audit.Service
	auditBell    *audit.Bell
	queues       *queues.Service
	jobs         *report.Jobs
	approvals    *approval.Service
	once         *once.Service
	statistics   *report.Statistics

	gateways     *app.Gateways
	operations   *operation.Service
	disputes     *dispute.Service
	cards        *payment.Cards
	gatewayAdmin *directory.Gateways

	events ports.Events
	live   *live.Service
	graph  *graph.Endpoint // nil: this process takes no requests

	endDemo func() error  // nil: this is none
	lock    *dirlock.Lock // of the embedded database's directory; nil: it is on a server
}

// build puts everything together, from the outside in: keys, database, queue, then the use cases.
func build(ctx context.Context, set settings.Settings, o serveOptions, addr net.Addr, log *slog.Logger) (*service, error) {
	s := &service{
		set: set, log: log, clock: hostclock.New(hostSource(), log), address: addr, baseURL: set.BaseURL, metrics: metrics.New(version, builtOf().Commit),
		auditBell: audit.NewBell(),
	}
	if s.baseURL == "" {
		s.baseURL = "http://" + localAddress(addr)
	}
	sealer, err := s.take(ctx, o)
	if err != nil {
		return nil, errors.Join(err, s.lock.Release())
	}
	var auditKeys coreaudit.Keys
	if o.role != settings.RoleAPI { // whoever takes requests only chains nothing
		if auditKeys, err = set.AuditKeys(); err != nil {
			return nil, errors.Join(err, s.lock.Release())
		}
	}
	if s.traces, err = tracing.New(ctx, tracing.Config{URL: set.TracesURL, Version: version, Role: o.role, Log: log}); err != nil {
		return nil, errors.Join(err, s.lock.Release())
	}
	if err := s.openStore(ctx, sealer, o.migrate); err != nil {
		return nil, errors.Join(err, s.traces.Close(), s.lock.Release())
	}
	if s.queue, err = asynqqueue.Open(ctx, asynqqueue.Config{RedisURL: set.RedisURL, Connections: set.RedisConns, Log: log}); err != nil {
		return nil, errors.Join(fmt.Errorf("VEZNE_REDIS_URL: %w", fault.Cause(err)), s.traces.Close(), s.closeDatabase(), s.lock.Release())
	}
	s.waker = &app.NearbyWaker{Queue: s.queue}
	if err := s.openFence(ctx); err != nil {
		return nil, errors.Join(err, s.close())
	}
	s.health = health.New(s.writes, s.queue.Ping, s.clock, s.fence, log)
	registry, err := plugins.NewRegistry(gateways...)
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	if s.passkeys, err = passkey.New(s.baseURL, "Vezne"); err != nil {
		return nil, errors.Join(err, s.close())
	}
	s.buildUseCases(o, registry)
	s.buildOversight(auditKeys)
	return s, nil
}

// take has the directory and the keys ready. Nothing is written to the database of a demo before it is known to be one's.
func (s *service) take(ctx context.Context, o serveOptions) (sealer ports.Sealer, err error) {
	if s.lock, err = s.set.TakeDirectory(o.command); err != nil {
		return nil, err
	}
	if s.set.IsDemo {
		if err := s.set.RefuseReal(ctx); err != nil {
			return nil, err
		}
	}
	if o.command == "demo" {
		if err := s.removeUnfinished(); err != nil {
			return nil, fmt.Errorf("removing what is left of a demo: %w", err)
		}
	}
	return s.set.Sealer()
}

// commits is what every change passes on its way into the database, from the last that sees it to the first. What has come
// back from the database is known to the last of them first.
func (s *service) commits() ports.Committer {
	var c ports.Committer = s.database
	c = s.writes.Commits(c)           // knows whether the database takes anything
	c = s.auditBell.Commits(c)        // has entries of the audit log chained at once
	c = s.metrics.Commits(c)          // measures what the database takes
	c = s.callbacks.Commits(c)        // keeps callbacks at hand that are to be sent
	c = s.traces.Commits(c)           // says what took how long, and keeps with the rows where they come from
	c = s.clock.Commits(c)            // lets nothing pass that was decided by a wrong time
	c = s.fence.Commits(c)            // nor into a database that is not the one of its installation, nor money while it is frozen
	c = s.owners.Forgets(c)           // forgets what is kept of the rows
	return live.Announce(c, s.events) // tells whoever watches, with what the gate has added
}

// staffCommits is what every change that staff ask for passes before it, from the last that sees it to the first. Before all
// of them app/once adds the key of a request to what it does.
func (s *service) staffCommits(next ports.Committer) (app.StaffCommitter, *approval.Gate) {
	gate := &approval.Gate{ // holds up what two people have to do
		Next:      restore.StaffCommits{Next: next, Fence: s.fence}, // while it is frozen staff change nothing that has to do with money
		Approvals: s.database, Staff: s.database, Operations: s.database, Clock: s.clock, Random: rand.Reader,
		Zone: s.set.Zone,
	}
	return &staff.MoneyProof{ // wants a fresh proof from whoever moves much
		Next: gate, Staff: s.database, Clock: s.clock, Above: s.set.StepUpAmount,
	}, gate
}

func (s *service) buildUseCases(o serveOptions, registry ports.Plugins) {
	limiter := s.limiter()
	s.limits = limiter
	s.events = s.openEvents()
	s.callbacks = &payment.Callbacks{Timeout: s.set.CallbackWait, Zone: s.set.Zone, Log: s.log, Restored: s.fence.Restored}
	commits := s.commits()
	byStaff, gate := s.staffCommits(commits)
	s.unit = &app.UnitOfWork{
		Open:    corepayment.OpenLimits{PerCustomer: s.set.MostOpenPerCustomer(), PerSite: s.set.OpenPerSite},
		Commits: commits, Staff: byStaff, Waker: s.waker, Clock: s.clock, Time: s.clock, Fence: s.fence, Random: rand.Reader, Payments: s.database, Callbacks: s.database,
		Directory: s.owners, Schedule: s.set.Schedule,
	}
	if s.traces != nil {
		s.unit.Tracer = s.traces
	}
	s.approvals = &approval.Service{UnitOfWork: s.unit, Store: s.database, Staff: s.database, Gate: gate}
	s.once = &once.Service{UnitOfWork: s.unit}
	s.gate = &access.Authenticator{
		UnitOfWork: s.unit, Directory: s.owners, Limiter: limiter, Clock: s.clock, Time: s.clock, Rate: s.set.Rate, FailRate: s.set.Rate.Tenth(),
		NoteOldKey: s.noteOldKey,
	}
	s.staffService = staff.New(staff.Config{
		UnitOfWork: s.unit, Store: s.database, Sequences: s.database, Limiter: limiter, Passkeys: s.passkeys, BaseURL: s.baseURL,
		Issuer: "Vezne", Required: s.set.SecondFactorRoles,
	})
	dealerLocks := &app.KeyedLock{}
	s.deposits = &payment.Deposits{
		UnitOfWork: s.unit, Owners: s.database, Operations: s.database, ExpiresIn: s.set.DepositExpiry, Zone: s.set.Zone,
		DealerLocks: dealerLocks, MostTimes: s.set.HandCreditTimes,
	}
	s.credits = &payment.Credits{
		UnitOfWork: s.unit, Operations: s.database, Statements: s.database, Log: s.log, Checked: s.metrics.CreditsChecked,
	}
	s.dealers = &payment.DealerPayments{
		UnitOfWork: s.unit, Owners: s.database, DealerLocks: dealerLocks, ExpiryDeposit: s.set.DepositExpiry,
		ExpiryCard: s.set.CardExpiry, Zone: s.set.Zone,
	}
	s.withdrawals = &payment.Withdrawals{UnitOfWork: s.unit, ClaimFor: s.set.ClaimFor, Notes: s.database}
	s.notes = &payment.Notes{UnitOfWork: s.unit, Store: s.database}
	sender := callbackhttp.New(callbackhttp.Config{
		Version: version, Timeout: s.set.CallbackWait, AllowPrivate: s.set.AllowsPrivate(), AllowLoopback: o.loopback,
	})
	s.callbacks.UnitOfWork, s.callbacks.Sender = s.unit, s.traces.CallbackSender(s.metrics.CallbackSender(sender))
	if s.set.TakesTests() {
		s.testPlans = &testplan.Service{UnitOfWork: s.unit, Plans: s.database, Log: s.log}
		s.callbacks.Sender = &testplan.Sender{
			CallbackSender: s.callbacks.Sender, UnitOfWork: s.unit, Plans: s.database, Timeout: s.set.CallbackWait, Zone: s.set.Zone,
		}
	}
	s.directory = &directory.Directory{
		UnitOfWork: s.unit, Sequences: s.database, Owners: s.database, Reports: s.database, Sender: sender, Limiter: limiter, Zone: s.set.Zone,
	}
	s.buildGateways(registry, limiter)
	s.wallets = &wallet.Wallets{
		UnitOfWork: s.unit, Wallets: s.database, Gateways: s.gateways, Sequences: s.database, Zone: s.set.Zone,
	}
	s.statements = &wallet.Statements{
		UnitOfWork: s.unit, Store: s.database, Wallets: s.database, Operations: s.database, Reports: s.database,
		Gateways: s.gateways, Every: s.set.StatementsEvery, AutoScore: s.set.MatchScore,
		Zone: s.set.Zone, Log: s.log,
	}
	s.statistics = &report.Statistics{Reports: s.database, Directory: s.owners, Clock: s.clock, Time: s.clock, Zone: s.set.Zone, Log: s.log}
	s.jobs = &report.Jobs{
		UnitOfWork: s.unit, Reports: s.database, Position: s.database.Position, Staff: s.database, Writers: exportfile.Writers(), Zone: s.set.Zone, Log: s.log,
		Wallets: s.database, Lines: s.database, Audit: s.database, Statistics: s.statistics,
	}
	s.sweep = &sweep.Service{
		UnitOfWork: s.unit, Rows: s.database, Keep: s.set.Retention, Log: s.log, Undecided: s.metrics.Undecided, HasRoom: s.metrics.HasRoom, Wake: s.receive,
		Asks: []sweep.Due{s.operations.Due, sweep.Always(core.DueStatements), sweep.Always(core.DueJobs), s.approvals.Due, s.disputes.Due},
		Due:  []sweep.Due{s.callbacks.Due},
	}
	if s.testPlans != nil {
		s.sweep.Due = append(s.sweep.Due, sweep.Always(core.DueTestPlans))
	}
	s.restore = &restore.Service{
		UnitOfWork: s.unit, Epochs: s.database, Operations: s.database, Disputes: s.database, Wallets: s.database, Statements: s.database,
		Reports: s.database, Staff: s.database, Gateways: s.gateways, Log: s.log,
	}
	s.customers = &directory.Retention{
		Forgetting: directory.Forgetting{UnitOfWork: s.unit, Subjects: s.database, Owners: s.database},
		Years:      s.set.RetainCustomers, Log: s.log,
	}
	s.backoffice = &report.Backoffice{
		Payments: s.database, Callbacks: s.database, Operations: s.database, Disputes: s.database, Statements: s.database, Directory: s.owners,
		Owners: s.database, Reports: s.database, Clock: s.clock,
	}
	s.live = &live.Service{
		Events: s.events, Payments: s.database, Operations: s.database, Statements: s.database, Wallets: s.database, Outbox: s.database, Reports: s.database,
		Requests: s.database, Log: s.log,
	}
}

// buildGateways puts together what reaches third-party gateways.
func (s *service) buildGateways(registry ports.Plugins, limiter ports.Limiter) {
	s.gateways = &app.Gateways{
		Plugins: registry, Directory: s.owners, Clock: s.clock, AllowSandbox: s.set.IsSandbox(),
		Doers: s.traces.Doers(gatewayhttp.New(gatewayhttp.Config{
			Version: version, AllowPrivate: s.set.GatewayAllowPrivate, AllowLoopback: s.set.IsDemo, Log: s.log,
		})),
	}
	s.operations = &operation.Service{
		UnitOfWork: s.unit, Operations: s.database, Owners: s.database, Statements: s.database, Disputes: s.database,
		Gateways: s.gateways, Limiter: limiter, BaseURL: s.baseURL,
		ExpiryBankWithdrawal: s.set.BankWithdrawalExpiry, Log: s.log,
	}
	s.disputes = &dispute.Service{
		UnitOfWork: s.unit, Disputes: s.database, Operations: s.database, Notes: s.database, Gateways: s.gateways, Log: s.log,
	}
	s.cards = &payment.Cards{UnitOfWork: s.unit, ExpiresIn: s.set.CardExpiry}
	s.gatewayAdmin = &directory.Gateways{
		UnitOfWork: s.unit, Operations: s.database, Owners: s.database, Sequences: s.database, Gateways: s.gateways,
		NotifyURL: s.baseURL + operation.NotifyPath,
	}
}

// noteOldKey keeps who still uses an old key. Whoever does is let in all the same.
func (s *service) noteOldKey(ctx context.Context, use owner.OldKeyUse) {
	if err := s.directory.NoteOldKey(ctx, use); err != nil {
		s.log.WarnContext(ctx, "noting the use of an old key", "error", err)
	}
}

// limiter counts in Redis, for all processes; embedded there is only this one.
func (s *service) limiter() ports.Limiter {
	if s.set.RedisURL == "" {
		return redislimit.NewLocal()
	}
	return redislimit.New(s.queue.Client(), s.log)
}

// openEvents tells all processes over Redis; embedded there is only this one.
func (s *service) openEvents() ports.Events {
	if s.set.RedisURL == "" {
		return localevents.New()
	}
	return redisevents.New(s.queue.Client(), s.log)
}

// receive brings a wake-up, of the queue or of the sweeper, to its worker.
func (s *service) receive(ctx context.Context, up core.WakeUp) {
	switch up.Kind {
	case core.DueCallbacks:
		s.callbacks.Wake(up.Receiver)
	case core.DuePayments:
		if _, err := s.sweep.ExpireDue(ctx); err != nil && ctx.Err() == nil {
			s.log.Warn("expiring payments; the sweeper tries again", "error", err)
		}
	case core.DueOperations:
		s.operations.Wake(up.GatewayID)
	case core.DueDisputes:
		s.disputes.Wake(up.GatewayID)
	case core.DueNotifications:
		s.operations.WakeNotifications()
	case core.DueStatements:
		s.statements.Wake()
	case core.DueJobs:
		s.jobs.Wake()
	case core.DueTestPlans:
		if s.testPlans != nil { // another process may take tests that this one is not set to
			s.testPlans.Wake()
		}
	}
}

// isSecure reports whether everybody comes over TLS.
func (s *service) isSecure() bool { return strings.HasPrefix(s.baseURL, "https://") }

// observe takes an answer into the metrics; a stream is as long as somebody watches, which is no latency.
func (s *service) observe(v rest.Served) {
	if !v.IsStream {
		s.metrics.Request(v.Pattern, v.Method, v.Status, v.Duration)
	}
}

// routes is everything that this process answers, by role.
func (s *service) routes(o serveOptions) chi.Router {
	router := rest.Routes()
	isProbe := func(r *http.Request) bool { return health.IsProbe(r) || s.set.IsDemo && isChatter(r) }
	router.Use((&rest.Edge{
		Log: s.log, Now: s.clock.Now, Random: rand.Reader, TrustedProxies: s.set.Proxies,
		IsSecure: s.isSecure(), Observe: s.observe, IsChatter: isProbe,
		Span:     s.requestSpan(isProbe),
		Stranger: s.warnOfStranger, LogEvery: s.set.LogRequestsEvery,
	}).Handler)
	s.health.Routes(router)
	if o.role == settings.RoleWorker {
		return router
	}
	router.Mount(provider.Path, provider.New(provider.Config{
		Gate: s.gate, Directory: s.directory, Deposits: s.deposits, Withdrawals: s.withdrawals, Cards: s.cards,
		Operations: s.operations, BaseURL: s.baseURL, Zone: s.set.Zone, Now: s.clock.Now, IsSandbox: s.set.IsSandbox(),
		Tests: s.testPlans,
	}))
	router.Mount(dealerapi.Path, dealerapi.New(dealerapi.Config{
		Gate: s.gate, Dealers: s.dealers, Wallets: s.wallets, Operations: s.operations, BaseURL: s.baseURL, Zone: s.set.Zone,
		IsSandbox: s.set.IsSandbox(), Tests: s.testPlans,
	}))
	router.Mount(gatewayhook.Path, gatewayhook.New(s.operations))
	router.Mount(apidoc.Path, documents(s.baseURL))
	router.Get("/favicon.ico", paypage.Icon)
	router.Head("/favicon.ico", paypage.Icon)
	router.Get(report.DownloadPath+export.Pattern, export.New(s.jobs).ServeHTTP)
	router.Mount("/pay", paypage.New(paypage.Config{
		Take:     s.limits.Take,
		Deposits: s.deposits, Operations: s.operations, Zone: s.set.Zone, Log: s.log, BaseURL: s.baseURL,
		ClientAddr: func(r *http.Request) netip.Addr { return rest.Of(r).Addr },
		UsualWait:  (&report.Waits{Reports: s.database, Clock: s.clock, Log: s.log}).Usual,
	}))
	s.live.Start()
	config := graph.Config{
		Staff: s.staffService, Backoffice: s.backoffice, Withdrawals: s.withdrawals, Notes: s.notes, Directory: s.directory, Gateways: s.gatewayAdmin,
		Wallets: s.wallets, Statements: s.statements, Audit: s.audit, Queues: s.queues, Jobs: s.jobs, Live: s.live,
		Statistics: s.statistics, Approvals: s.approvals, Restore: s.restore, Commands: s.staffCommands(), Clock: s.clock, Log: s.log,
		HasIntrospection: settings.IsOn(s.set.Introspection, s.set.IsDemo), IsSecure: s.isSecure(),
		Installation: graph.Installation{Version: version, IsDemo: s.set.IsDemo, StepUpAbove: s.set.StepUpAmount},
		ClientAddr:   func(r *http.Request) netip.Addr { return rest.Of(r).Addr },
		RequestID:    func(r *http.Request) string { return rest.Of(r).RequestID },
		Name:         func(r *http.Request, caller string) { rest.Of(r).Caller = caller },
		Operation:    func(r *http.Request, name string) { rest.Of(r).Operation = name },
		Span:         s.span(),
	}
	if s.set.ReadURL != "" {
		config.Positions = s.database
	}
	s.graph = graph.New(config)
	router.Handle("/graphql", s.graph)
	router.Handle(graph.FilesPath+"/*", s.graph.Files())
	app := console.New()
	router.Handle(console.Path, app)
	router.Handle(console.Path+"/*", app)
	invitation := invite.New(settings.IsOn(s.set.GraphiQL, s.set.IsDemo))
	router.Handle(invite.Path, invitation)
	router.Handle(invite.Path+"/*", invitation)
	if settings.IsOn(s.set.GraphiQL, s.set.IsDemo) {
		page := graphiql.New()
		router.Handle(graphiql.Path, page)
		router.Handle(graphiql.Path+"/*", page)
	}
	return router
}

// staffCommands are what staff may ask for.
func (s *service) staffCommands() *command.Commands {
	return command.New(command.Services{
		Staff: s.staffService, Directory: s.directory, Gateways: s.gatewayAdmin, Deposits: s.deposits, Credits: s.credits,
		Withdrawals: s.withdrawals, Notes: s.notes, Operations: s.operations, Disputes: s.disputes, Wallets: s.wallets, Statements: s.statements,
		Backoffice: s.backoffice, Jobs: s.jobs, Approvals: s.approvals, Once: s.once, Restore: s.restore, Clock: s.clock,
	})
}

// close lets go of what build opened, after everything that uses it has stopped.
func (s *service) close() error {
	var ended error
	if s.endDemo != nil {
		ended = s.endDemo()
	}
	if s.graph != nil {
		s.live.Stop()
	}
	if events, ok := s.events.(*redisevents.Events); ok {
		events.Close()
	}
	return errors.Join(ended, s.queue.Close(), s.closeDatabase(), s.traces.Close(), s.lock.Release())
}
