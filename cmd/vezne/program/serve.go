package program

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
	"github.com/go-chi/chi/v5"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/audit"
	"github.com/vezne/vezne/app/report"
	"github.com/vezne/vezne/app/restore"
	"github.com/vezne/vezne/app/sweep"
	"github.com/vezne/vezne/cmd/vezne/cautions"
	"github.com/vezne/vezne/cmd/vezne/settings"
	"github.com/vezne/vezne/core"
)

// stopMargin is how much longer than one callback attempt a graceful stop may take: requests and callbacks under way are
// finished within it.
const stopMargin = 20 * time.Second

// gcPercent lets the small live heap of a server grow before it is collected: at Go's own 100 a seventh of all work under
// load was collecting.
const gcPercent = 200

// Bounds of a connection, against clients that send or read slowly.
const (
	readHeaderTimeout = 10 * time.Second
	readTimeout       = 30 * time.Second
	writeTimeout      = 90 * time.Second // a customer may be tried at three gateways
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 32 << 10
)

type serveCommand struct {
	settings.Config
	Role string `env:"VEZNE_ROLE" enum:"all,api,worker" default:"all" help:"What this process does: all, api (requests only) or worker (expiry and callbacks only)."`
}

// Run serves until the process is told to stop.
func (c serveCommand) Run(ctx context.Context, t terminal) error {
	set, err := c.CheckServing(c.Role)
	if err != nil {
		return err
	}
	// The embedded database belongs to this process alone, so it is brought up to date without being asked.
	return serve(ctx, t, set, serveOptions{command: "serve", role: c.Role, migrate: set.IsEmbedded()})
}

// serveOptions is what differs between serve and demo.
type serveOptions struct {
	command  string // for whoever finds the data directory in use
	role     string
	migrate  bool // bring the schema up to date first
	loopback bool // callbacks may go to this machine
	prepare  func(context.Context, terminal, *service, chi.Router) error
}

func serve(ctx context.Context, t terminal, set settings.Settings, o serveOptions) (err error) {
	log := newLogger(t, set.Config)
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	captureDriverLog(log)
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", set.Listen)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("listening on %s: %w (is another vezne running?)", set.Listen, err)
	case err != nil:
		return fmt.Errorf("VEZNE_LISTEN: %w", err)
	}
	defer func() { _ = listener.Close() }() // closed already after a graceful stop
	admin, err := listenAdmin(ctx, set.AdminListen, log)
	if err != nil {
		return err
	}
	if admin != nil {
		defer func() { _ = admin.Close() }()
	}
	s, err := build(ctx, set, o, listener.Addr(), log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	defer s.watch(ctx)() // a demo's past takes longer than one comparison of the clock is relied on
	router := s.routes(o)
	if o.prepare != nil {
		if err := o.prepare(ctx, t, s, router); err != nil {
			return err
		}
	}
	if err := s.gatewayAdmin.Declare(ctx, log); err != nil {
		return fmt.Errorf("taking the gateways' bank accounts: %w", err)
	}
	if !set.IsDemo {
		s.warn(ctx, o.role)
	}
	debug.FreeOSMemory() // starting takes several times the memory that serving does
	log.Info("ready", "address", s.baseURL, "listen", listener.Addr().String(), "admin", addressOf(admin), "role", o.role, "version", version, "database", s.databaseName(), "queue", s.queueName())
	return s.run(ctx, listener, admin, router, o)
}

// warn logs what is likely to be wrong.
func (s *service) warn(ctx context.Context, role string) {
	list := s.set.Cautions(role, s.baseURL)
	server, err := s.database.Server(ctx)
	if err != nil {
		s.log.WarnContext(ctx, "PostgreSQL does not say how it is set", "error", err)
	}
	for _, c := range append(list, cautions.OfServer(server)...) {
		s.log.WarnContext(ctx, c.Text, "setting", c.Setting)
	}
	if isDemo, err := s.database.IsDemo(ctx); err == nil && isDemo {
		s.log.WarnContext(ctx, settings.DemoMarked)
	}
}

// warnOfStranger logs that a peer sends a header that is not believed. The log has a few peers at most.
func (s *service) warnOfStranger(peer netip.Addr) {
	s.log.Warn("X-Forwarded-For of this peer does not count, so that all its clients have its address: name it in "+
		"VEZNE_TRUSTED_PROXIES if it is your proxy", "peer", peer.String(), "setting", "VEZNE_TRUSTED_PROXIES")
}

// run serves and works until ctx ends. Then it goes on for the drain delay, while /readyz says that it stops, so that whoever
// sends requests here finds out before they are refused. After that it stops everything at once, each part with all the time
// that there is: no new requests, requests under way finished; nothing new claimed, what is under way finished and kept,
// the rest handed back.
func (s *service) run(ctx context.Context, listener, admin net.Listener, handler http.Handler, o serveOptions) error {
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes,
		ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	stopAdmin := s.serveAdmin(admin)
	stopWork := func(context.Context) error { return nil }
	if o.role != settings.RoleAPI {
		stopWork = s.work(context.WithoutCancel(ctx))
	}
	watched, unwatch := context.WithCancel(context.WithoutCancel(ctx))
	defer unwatch()
	go s.watchdog(watched, listener.Addr().String())
	go releaseMemory(watched)
	s.notify(daemon.SdNotifyReady)
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
		s.notify(daemon.SdNotifyStopping)
		err = s.drain(ctx, failed, o)
	}
	unwatch() // a stop has systemd's TimeoutStopSec
	s.health.Stop()
	s.log.Info("stopping")
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.set.CallbackWait+stopMargin)
	defer cancel()
	finishRequests := func(ctx context.Context) error {
		if s.graph == nil {
			return server.Shutdown(ctx)
		}
		return errors.Join(s.graph.Stop(ctx), server.Shutdown(ctx)) // streams end, or there would always be a request under way
	}
	err = errors.Join(err, atOnce(stopping, finishRequests, stopWork))
	err = errors.Join(err, stopAdmin())
	s.log.Info("stopped")
	return err
}

// drain goes on serving for the drain delay, or until that fails. Nobody waits for a person at the keyboard, nor for a process
// that nobody sends requests to.
func (s *service) drain(ctx context.Context, failed <-chan error, o serveOptions) error {
	s.health.Stop()
	delay := s.set.Drain
	if s.set.IsDemo || o.role == settings.RoleWorker || errors.Is(context.Cause(ctx), errInterrupted) {
		delay = 0
	}
	if delay == 0 {
		return nil
	}
	s.log.Info("draining: /readyz says that this process stops, requests are still served", "for", delay)
	rest := time.NewTimer(delay)
	defer rest.Stop()
	select {
	case err := <-failed:
		return err
	case <-rest.C:
		return nil
	}
}

// watch starts what a process of any role does: it compares its clock, hears of what others change in the directory, and says that
// it runs. That an embedded one does, its directory says.
func (s *service) watch(ctx context.Context) (stop func()) {
	watching, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var parts sync.WaitGroup
	parts.Go(func() { s.clock.Run(watching) })
	parts.Go(func() { s.fence.Run(watching) })
	parts.Go(func() { s.owners.Listen(watching, s.events) })
	if !s.set.IsEmbedded() {
		parts.Go(func() { s.writes.Announce(watching) })
	}
	return func() {
		cancel()
		parts.Wait()
	}
}

// work starts the worker; the returned function stops it.
func (s *service) work(ctx context.Context) (stop func(context.Context) error) {
	s.callbacks.Start()
	s.operations.Start()
	s.disputes.Start()
	s.statements.Start()
	s.jobs.Start()
	stopTests := func(context.Context) error { return nil }
	if s.testPlans != nil {
		s.testPlans.Start()
		stopTests = s.testPlans.Stop
	}
	working, cancel := context.WithCancel(ctx)
	s.waker.Start(func(up core.WakeUp) {
		if up.Kind == core.DueCallbacks { // of a commit of this process, which holds them or knows that they are in the store
			s.callbacks.WakeOwn(up.Receiver)
			return
		}
		s.receive(working, up)
	})
	var parts sync.WaitGroup
	parts.Go(func() { s.sweep.Run(working, sweep.DefaultPeriod) })
	parts.Go(func() { s.restore.Run(working, restore.DefaultPeriod) })
	parts.Go(func() { s.audit.Run(working, audit.DefaultPeriod) })
	parts.Go(func() { s.audit.Watch(working) })
	parts.Go(func() { s.statistics.Run(working, report.DefaultPeriod) })
	parts.Go(func() { s.credits.Run(working) })
	parts.Go(func() { s.customers.Run(working) })
	parts.Go(func() {
		if err := s.queue.Serve(working, s.receive); err != nil {
			s.log.Error("the queue's worker ended; the sweeper goes on without it", "error", err)
		}
	})
	return func(ctx context.Context) error {
		s.waker.Stop()
		cancel()
		ended := func(ctx context.Context) error { return app.Await(ctx, &parts) }
		return atOnce(ctx, ended, stopTests, s.jobs.Stop, s.statements.Stop, s.operations.Stop, s.disputes.Stop, s.callbacks.Stop)
	}
}

// atOnce ends all parts beside each other, so that none which is slow keeps another from ending.
func atOnce(ctx context.Context, stops ...func(context.Context) error) error {
	errs := make([]error, len(stops))
	var all sync.WaitGroup
	for i, stop := range stops {
		all.Go(func() { errs[i] = stop(ctx) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// inSeconds writes durations as seconds, as metrics do: a number of nanoseconds is not told from one of anything else.
func inSeconds(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindDuration {
		a.Value = slog.Float64Value(a.Value.Duration().Seconds())
	}
	return a
}

func newLogger(t terminal, c settings.Config) *slog.Logger {
	options := &slog.HandlerOptions{Level: slog.LevelInfo}
	if c.LogDebug {
		options.Level = slog.LevelDebug
	}
	if c.LogFormat == "json" {
		options.ReplaceAttr = inSeconds
		return slog.New(slog.NewJSONHandler(t.err, options))
	}
	return slog.New(slog.NewTextHandler(t.err, options))
}
