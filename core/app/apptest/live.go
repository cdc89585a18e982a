package apptest

import (
	"log/slog"
	"time"

	"github.com/vezne/vezne/adapters/memory"
	"github.com/vezne/vezne/core/app/live"
)

// startLive has every commit told to whoever watches.
func (w *World) startLive(t TB, log *slog.Logger) {
	t.Helper()
	w.News = memory.NewNews()
	w.Desk.Commits = live.Announce(w.Desk.Commits, w.News)
	w.Live = &live.Service{News: w.News, Payments: w.Store, Gateways: w.Store, Log: log, Every: time.Millisecond}
	w.Live.Start()
	t.Cleanup(w.Live.Stop)
}
