package apptest

import (
	"crypto/rand"
	"log/slog"
	"time"

	"github.com/vezne/vezne/adapters/fence"
	"github.com/vezne/vezne/app/restore"
	"github.com/vezne/vezne/core/epoch"
)

// Freeze is what an operator does after a backup was restored whose last commit is of a moment, or what a process does that finds out. The World's services are behind a
// fence from then on, as in a process that was started on it.
func (w *World) Freeze(t TB, cause epoch.Cause, restoredTo time.Time, place fence.File) *fence.Fence {
	t.Helper()
	e, mark, err := w.Store.Mark(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	mark.At = restoredTo
	change, _, err := fence.Freeze(e, mark, cause, "a drill", w.Clock.Now(), rand.Reader)
	if err == nil {
		err = w.Store.Commit(t.Context(), change)
	}
	if err != nil {
		t.Fatal(err)
	}
	f := fence.New(fence.Config{Epochs: w.Store, Follow: w.Store.Follow, Store: w.Store, Place: place, Clock: w.Clock, Random: rand.Reader, Log: slog.New(slog.DiscardHandler)})
	if err := f.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.UnitOfWork.Fence, w.UnitOfWork.Commits, w.Callbacks.Restored = f, f.Commits(w.Store), f.Restored
	w.FourEyes.Next = restore.StaffCommits{Next: w.UnitOfWork.Commits, Fence: f}
	return f
}
