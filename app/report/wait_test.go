package report_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	reports "github.com/vezne/vezne/app/report"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports"
)

// asked counts questions, and holds each until it is let go.
type asked struct {
	ports.Reports
	count atomic.Int32
	began chan struct{}
	hold  chan struct{}
	fails atomic.Bool
}

func (a *asked) LastWaits(ctx context.Context, q report.WaitQuery) ([]time.Duration, error) {
	a.count.Add(1)
	a.began <- struct{}{}
	<-a.hold
	if a.fails.Load() {
		return nil, errors.New("down")
	}
	return a.Reports.LastWaits(ctx, q)
}

// TestHowLongDepositsWait: as staff have decided those of the site, looked up once for all pages, and kept while the database is down.
func TestHowLongDepositsWait(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	var log bytes.Buffer
	a := &asked{Reports: w.Store, began: make(chan struct{}, 9), hold: make(chan struct{}, 9)}
	waits := &reports.Waits{Reports: a, Clock: w.Clock, Log: slog.New(slog.NewTextHandler(&log, nil))}
	p := w.StartDeposit(t, payment.ManualDeposit, lira(100))
	usual := func(p payment.Payment) time.Duration { a.hold <- struct{}{}; return waits.Usual(t.Context(), p) }
	if got := usual(p); got != 0 || a.count.Load() != 1 {
		t.Fatalf("of none it is %s", got)
	}
	<-a.began
	if got := waits.Usual(t.Context(), p); got != 0 || a.count.Load() != 1 {
		t.Fatalf("it is not kept: %s after %d questions", got, a.count.Load())
	}
	for range 20 {
		d := w.StartDeposit(t, payment.ManualDeposit, lira(100))
		if _, err := w.Deposits.Continue(t.Context(), d, d.Amount); err != nil {
			t.Fatal(err)
		}
		d, err := w.Deposits.ClaimPaid(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		w.Clock.Advance(4 * time.Minute)
		if _, err := w.Approve(t.Context(), apptest.By(w.Operator, d, "seen"), d.Amount); err != nil {
			t.Fatal(err)
		}
	}
	first := make(chan time.Duration)
	go func() { first <- waits.Usual(t.Context(), p) }()
	<-a.began
	if got := waits.Usual(t.Context(), p); got != 0 { // while it is looked up
		t.Errorf("another page waits for it, and is told %s", got)
	}
	a.hold <- struct{}{}
	if got := <-first; got != 5*time.Minute {
		t.Errorf("it is %s", got)
	}
	w.Clock.Advance(11 * time.Minute)
	a.fails.Store(true)
	if got := usual(p); got != 5*time.Minute || !bytes.Contains(log.Bytes(), []byte("not known")) {
		t.Errorf("while the database is down it is %s: %s", got, log.String())
	}
}
