package owner

import (
	"context"
	"log/slog"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
)

// Sizes and intervals of forgetting by age.
const (
	retentionPage  = 200
	retentionPause = time.Second
	retentionEvery = 24 * time.Hour
	retentionAgain = time.Minute // after a round in which something failed, or nothing might be forgotten
)

// Retention forgets customers whose last payment was too long ago. Who cannot be forgotten, because they are blocked or
// something of theirs is open, is looked at again a day later.
type Retention struct {
	Forgetting

	Years int // from owner.KeepFor on; 0: nobody is forgotten by age
	Log   *slog.Logger
}

// Run forgets until ctx ends: all who are due, once a day. A round that fails begins again after a minute.
func (r *Retention) Run(ctx context.Context) {
	if r.Years == 0 {
		return
	}
	for after := ""; ; {
		pause := retentionPause
		next, err := r.Page(ctx, after)
		if err != nil && ctx.Err() == nil {
			r.Log.Error("forgetting customers whose last payment was too long ago; it is tried again", "error", err)
		}
		switch after = next; {
		case err != nil || r.UnitOfWork.MayMove() != nil:
			pause = retentionAgain
		case next == "":
			pause = retentionEvery
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// Page forgets who is due of the customers behind a key. Next is where the next page begins; empty: this was the last.
func (r *Retention) Page(ctx context.Context, after string) (next string, err error) {
	const op = "directory.Retention"
	before := r.UnitOfWork.Clock.Now().AddDate(-r.Years, 0, 0)
	if r.UnitOfWork.MayMove() != nil { // asked after the time was read: what is erased by a wrong one is lost
		return "", nil
	}
	held, next, err := r.Subjects.OldestData(ctx, before, after, retentionPage)
	if err != nil {
		return "", fault.E(op, "", err)
	}
	by := app.By(core.Actor{Kind: core.BySystem, Name: "retention"})
	for _, h := range held {
		if !h.IsErased && !h.LastPaymentAt.Before(before) {
			continue
		}
		refusal, err := r.refusal(ctx, h)
		if err == nil && refusal == "" {
			if err = r.take(ctx, by, h, ""); err == nil {
				err = r.Subjects.EraseData(ctx, h)
			}
		}
		if err != nil && !fault.Is(err, fault.Conflict) { // somebody else was quicker, or they have come back just now
			return "", fault.E(op, "", err)
		}
	}
	return next, nil
}
