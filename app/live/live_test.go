package live_test

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/localevents"
	"github.com/vezne/vezne/app/live"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports"
)

var amount = money.New(25000, money.TRY)

// next returns the next event, within a test's patience.
func next[T any](t *testing.T, w *live.Watch[T]) live.Event[T] {
	t.Helper()
	select {
	case e, ok := <-w.Events:
		if !ok {
			t.Fatalf("the watch is over: %v", w.Err())
		}
		return e
	case <-time.After(time.Minute):
		t.Fatal("no event came")
		return live.Event[T]{}
	}
}

// told returns the next event that is no gap.
func told[T any](t *testing.T, w *live.Watch[T]) live.Event[T] {
	t.Helper()
	for {
		if e := next(t, w); !e.HasGap {
			return e
		}
	}
}

// watch begins to watch transactions and takes the first event, a gap.
func watch(t *testing.T, s *live.Service, by staff.Staff, q report.PaymentQuery) *live.Watch[payment.Payment] {
	t.Helper()
	w, err := s.Transactions(t.Context(), by, q)
	if err != nil {
		t.Fatal(err)
	}
	if e := next(t, w); !e.HasGap || e.Row != nil {
		t.Fatalf("the first event is %+v", e)
	}
	return w
}

func TestAWatchTellsWhatMatches(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	all := watch(t, w.Live, w.Admin, report.PaymentQuery{})
	done := watch(t, w.Live, w.Viewer, report.PaymentQuery{Statuses: []payment.Status{payment.Completed}})
	p := w.StartDeposit(t, payment.ManualDeposit, amount)
	if e := next(t, all); !e.IsNew || e.Row.ID != p.ID {
		t.Errorf("the creation is told as %+v", e)
	}
	if _, err := w.Approve(t.Context(), apptest.By(w.Admin, p, ""), money.Amount{}); err != nil {
		t.Fatal(err)
	}
	for _, one := range []*live.Watch[payment.Payment]{all, done} {
		if e := next(t, one); e.IsNew || e.Row.Status != payment.Completed {
			t.Errorf("the decision is told as %+v", e)
		}
	}
}

// The scope holds whatever the filter asks for, and whatever a cue says of whose a row is.
func TestAWatchKeepsToItsScope(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	mine := watch(t, w.Live, w.DealerStaff, report.PaymentQuery{Scope: core.Scope{DealerID: w.OtherDealer.ID}})
	all := watch(t, w.Live, w.Admin, report.PaymentQuery{})
	theirs := w.Start(t, payment.Request{Method: payment.ManualDeposit, Amount: amount, Provider: w.OtherProvider, Site: w.OtherSite})
	next(t, all)
	w.News.Publish(core.Event{Kind: core.PaymentChanged, ID: theirs.ID, DealerID: w.Dealer.ID})
	own := w.StartDeposit(t, payment.ManualDeposit, amount)
	if e := next(t, mine); e.Row.ID != own.ID {
		t.Errorf("a dealer's staff are told %+v", e.Row)
	}
}

func TestWhoMayNotReadMayNotWatch(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	nobody := w.Admin
	nobody.IsActive = false
	if _, err := w.Live.Transactions(t.Context(), nobody, report.PaymentQuery{}); !fault.Is(err, fault.Forbidden) {
		t.Errorf("transactions: %v", err)
	}
	if _, err := w.Live.Discrepancies(t.Context(), nobody, discrepancy.Query{}); !fault.Is(err, fault.Forbidden) {
		t.Errorf("discrepancies: %v", err)
	}
}

func TestASlowWatcherIsLetGoAlone(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.Live.Buffer = 3
	slow, fast := watch(t, w.Live, w.Admin, report.PaymentQuery{}), watch(t, w.Live, w.Admin, report.PaymentQuery{})
	for range 10 {
		p := w.StartDeposit(t, payment.ManualDeposit, amount)
		if e := next(t, fast); e.Row.ID != p.ID {
			t.Errorf("told is %+v", e)
		}
	}
	count := 0
	for range slow.Events {
		count++
	}
	if count != 3 || !fault.Is(slow.Err(), fault.TooSlow) {
		t.Errorf("the slow one is told %d events and then %v", count, slow.Err())
	}
}

func TestAWatchEndsWithItsContextAndWithTheService(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	one, err := w.Live.Transactions(ctx, w.Admin, report.PaymentQuery{})
	if err != nil {
		t.Fatal(err)
	}
	other := watch(t, w.Live, w.Admin, report.PaymentQuery{})
	cancel()
	for range one.Events {
	}
	w.StartDeposit(t, payment.ManualDeposit, amount)
	next(t, other)
	w.Live.Stop()
	for range other.Events {
	}
	if one.Err() != nil || other.Err() != nil {
		t.Errorf("they end with %v and %v", one.Err(), other.Err())
	}
	if _, err := w.Live.Transactions(t.Context(), w.Admin, report.PaymentQuery{}); !fault.Is(err, fault.Unavailable) {
		t.Errorf("after the end: %v", err)
	}
}

// sick is a store that cannot be read for a while, and counts how often it is.
type sick struct {
	ports.Payments
	failures atomic.Int64
	reads    atomic.Int64
}

func (s *sick) PaymentsByID(ctx context.Context, scope core.Scope, ids []core.ID) ([]payment.Payment, error) {
	s.reads.Add(1)
	if s.failures.Add(-1) >= 0 {
		return nil, fault.E("sick", fault.Unavailable, errors.New("out of reach"))
	}
	return s.Payments.PaymentsByID(ctx, scope, ids)
}

func newService(
	t testing.TB, w *apptest.World, payments ports.Payments, events ports.Events, set ...func(*live.Service),
) *live.Service {
	t.Helper()
	s := &live.Service{
		Events: events, Payments: payments, Operations: w.Store, Statements: w.Store, Wallets: w.Store, Outbox: w.Store, Reports: w.Store, Requests: w.Store,
		Log: slog.New(slog.DiscardHandler), Every: time.Millisecond,
	}
	for _, change := range set {
		change(s)
	}
	apptest.StartLive(t, s)
	return s
}

func TestWhatCannotBeReadIsToldLater(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	store := &sick{Payments: w.Store}
	s := newService(t, w, store, w.News)
	one := watch(t, s, w.Admin, report.PaymentQuery{})
	store.failures.Store(5)
	p := w.StartDeposit(t, payment.ManualDeposit, amount)
	if e := told(t, one); e.Row == nil || e.Row.ID != p.ID {
		t.Errorf("told is %+v", e)
	}
}

// Whoever asks the same is read for once.
func TestOneReadingServesAllWhoAskTheSame(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	store := &sick{Payments: w.Store}
	s := newService(t, w, store, w.News)
	var all []*live.Watch[payment.Payment]
	for range 50 {
		all = append(all, watch(t, s, w.Admin, report.PaymentQuery{Statuses: []payment.Status{payment.Showing}}))
	}
	watch(t, s, w.DealerStaff, report.PaymentQuery{ProviderID: 99})
	w.Start(t, payment.Request{Method: payment.ManualDeposit, Amount: amount, Provider: w.OtherProvider, Site: w.OtherSite})
	for _, one := range all {
		told(t, one)
	}
	if n := store.reads.Load(); n != 1 {
		t.Errorf("the store is read %d times", n)
	}
}

// committer answers as told.
type committer struct{ err error }

func (c committer) Commit(context.Context, core.Changeset) error { return c.err }

func TestWhatMayBeCommittedIsAnnounced(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err  error
		want bool
	}{
		"committed": {nil, true}, "lost race": {fault.New("x", fault.Conflict), false},
		"outcome unknown": {fault.New("x", fault.Unavailable), true},
	} {
		published := &notes{}
		err := live.Announce(committer{c.err}, published).Commit(t.Context(), core.Changeset{payment.Payment{ID: "P1"}})
		if !errors.Is(err, c.err) || (len(published.news) == 1) != c.want {
			t.Errorf("%s: announced is %+v, the commit gives %v", name, published.news, err)
		}
		_ = live.Announce(committer{c.err}, published).Commit(t.Context(), core.Changeset{payment.Transition{}})
		if len(published.news) > 1 {
			t.Errorf("%s: what nobody watches is announced", name)
		}
	}
}

type notes struct {
	localevents.Events
	news []core.Event
}

func (n *notes) Publish(events ...core.Event) { n.news = append(n.news, events...) }
