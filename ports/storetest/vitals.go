package storetest

import (
	"time"
)

func provesItself(w *world) {
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for i := range 4 {
		w.no(w.store.ProveWrite(w.ctx, "one", at.Add(time.Duration(i)*time.Second), i%2 == 0))
	}
	w.no(w.store.ProveWrite(w.ctx, "another", at, false))
	w.no(w.store.ProveWrite(w.ctx, "one", at.Add(48*time.Hour), true)) // forgets the other
	w.no(w.store.ProveWrite(w.ctx, "another", at.Add(48*time.Hour), true))
	for range 2 {
		w.no(w.store.ForgetProcess(w.ctx, "one"))
	}
	w.no(w.store.ProveWrite(w.ctx, "one", at, false))
}

// tellsTheTime compares with no other clock: a moment lies between two others of the same clock.
func tellsTheTime(w *world) {
	earlier, err := w.store.Now(w.ctx)
	w.no(err)
	w.no(w.store.ProveWrite(w.ctx, "one", earlier, false))
	later, err := w.store.Now(w.ctx)
	w.no(err)
	if later.Before(earlier) || later.Sub(earlier) > time.Hour || earlier.Year() < 2020 {
		w.t.Errorf("the database's time is %s, and then %s", earlier, later)
	}
}
