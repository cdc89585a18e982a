package report

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/ports"
)

// Bounds of what customers are told of other deposits: how long it is kept, of how many sites, and how long a page waits for it.
const (
	waitsFor     = 10 * time.Minute
	maxWaitsKept = 10_000
	waitsTimeout = 2 * time.Second
)

// Waits knows within which time deposits are usually decided, of each site and method.
type Waits struct {
	Reports ports.Reports
	Clock   ports.Clock
	Log     *slog.Logger

	mu    sync.Mutex
	known map[waitOf]usualWait
}

// waitOf is of which deposits it is known.
type waitOf struct {
	siteID, dealerID int64
	method           payment.Method
}

type usualWait struct {
	within time.Duration
	until  time.Time // then it is looked up again
}

// Usual is within which time a deposit such as this one is usually decided; 0: nobody knows. Where it has to be looked up one page does,
// and the others go on with what was known. A page never fails because of it.
func (w *Waits) Usual(ctx context.Context, p payment.Payment) time.Duration {
	of := waitOf{siteID: p.SiteID, method: p.Method}
	if p.SiteID == 0 {
		of.dealerID = p.DealerID
	}
	now := w.Clock.Now()
	known, isFresh := w.take(of, now)
	if isFresh {
		return known
	}
	ctx, cancel := context.WithTimeout(ctx, waitsTimeout)
	defer cancel()
	waits, err := w.Reports.LastWaits(core.After(ctx, ""), report.WaitQuery{
		SiteID: of.siteID, DealerID: of.dealerID, Method: of.method, Since: now.Add(-report.WaitsWithin), Limit: report.LastWaits,
	})
	if err != nil {
		w.Log.Warn("how long deposits wait is not known", "error", err)
		return known
	}
	known = report.UsualWait(waits)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.known[of] = usualWait{known, now.Add(waitsFor)}
	return known
}

// take returns what is known, and whether that is fresh. Whoever is told that it is not looks it up, for all.
func (w *Waits) take(of waitOf, now time.Time) (within time.Duration, isFresh bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	known, ok := w.known[of]
	if ok && now.Before(known.until) {
		return known.within, true
	}
	if w.known == nil || len(w.known) >= maxWaitsKept {
		w.known = map[waitOf]usualWait{}
	}
	w.known[of] = usualWait{known.within, now.Add(waitsFor)}
	return known.within, false
}
