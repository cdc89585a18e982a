package apptest

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/vezne/vezne/adapters/localevents"
	"github.com/vezne/vezne/app/live"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
)

// startLive has every commit told to whoever watches.
func (w *World) startLive(t TB, log *slog.Logger) {
	t.Helper()
	w.News = localevents.New()
	w.UnitOfWork.Commits = live.Announce(w.UnitOfWork.Commits, w.News)
	w.Live = &live.Service{
		Events: w.News, Payments: w.Store, Operations: w.Store, Statements: w.Store, Wallets: w.Store, Outbox: w.Store, Reports: w.Store, Requests: w.Store, Log: log,
		Every: time.Millisecond,
	}
	StartLive(t, w.Live)
}

// StartLive starts a service that ends with the test, and waits until it hears: no gap of its beginning is told later.
func StartLive(t TB, s *live.Service) {
	t.Helper()
	heard := make(chan struct{})
	s.Events = opening{s.Events, heard}
	s.Start()
	t.Cleanup(s.Stop)
	<-heard
}

// opening are events that say when a listener has heard the first of them.
type opening struct {
	ports.Events
	heard chan struct{}
}

// Listen implements ports.Events.
func (o opening) Listen(ctx context.Context, handle func([]core.Event)) {
	first := sync.OnceFunc(func() { close(o.heard) })
	o.Events.Listen(ctx, func(events []core.Event) {
		handle(events)
		first()
	})
}
