package live_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/vezne/vezne/app/live"
	begun "github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports"
)

// Whoever asks for something else is not read for again: members of all roles, each with filters of their own.
func TestOneReadingServesAllFilters(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	store := &sick{Payments: w.Store}
	s := newService(t, w, store, w.News)
	all := watch(t, s, w.Admin, report.PaymentQuery{})
	var mine []*live.Watch[payment.Payment]
	for i := range 300 {
		by := []staff.Staff{w.Admin, w.Viewer, w.DealerStaff, w.ProviderStaff}[i%4]
		watch(t, s, by, report.PaymentQuery{MinAmount: money.New(int64(30_000+i), money.TRY)})
		mine = append(mine, watch(t, s, by, report.PaymentQuery{MinAmount: money.New(int64(1+i), money.TRY), UserID: "u-1001"}))
	}
	for range 3 {
		before := store.reads.Load()
		p := w.Start(t, payment.Request{Method: payment.ManualDeposit, Amount: amount})
		for _, one := range append(mine, all) {
			if e := told(t, one); e.Row.ID != p.ID {
				t.Fatalf("told is %+v", e.Row)
			}
		}
		if n := store.reads.Load() - before; n != 1 {
			t.Errorf("for one event the store is read %d times", n)
		}
	}
}

// failing are operations that cannot be read: at once, or not before the test lets them.
type failing struct {
	ports.Operations
	hangs chan struct{} // nil: they fail
	asked chan struct{}
	heals atomic.Bool
}

func (f *failing) fail(ctx context.Context) error {
	select {
	case f.asked <- struct{}{}:
	default:
	}
	if f.hangs != nil {
		select {
		case <-f.hangs:
		case <-ctx.Done():
		}
		return nil
	}
	if f.heals.Load() {
		return nil
	}
	return fault.E("failing", fault.Unavailable, errors.New("out of reach"))
}

func (f *failing) OperationsOf(ctx context.Context, ids ...core.ID) ([]operation.Operation, error) {
	if err := f.fail(ctx); err != nil {
		return nil, err
	}
	return f.Operations.OperationsOf(ctx, ids...)
}

func (f *failing) Discrepancies(ctx context.Context, q discrepancy.Query) ([]discrepancy.Discrepancy, error) {
	if err := f.fail(ctx); err != nil {
		return nil, err
	}
	return f.Operations.Discrepancies(ctx, q)
}

// What one kind of watcher needs may be out of reach, or take as long as it wants: others are told meanwhile, event by event.
func TestWhatCannotBeReadForSomeIsToldToOthers(t *testing.T) {
	t.Parallel()
	for name, hangs := range map[string]chan struct{}{"fails": nil, "hangs": make(chan struct{})} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := apptest.New(t)
			store := &failing{Operations: w.Store, hangs: hangs, asked: make(chan struct{}, 1)}
			s := newService(t, w, w.Store, w.News, func(s *live.Service) { s.Operations = store })
			plain := watch(t, s, w.Viewer, report.PaymentQuery{})
			found := watch(t, s, w.Admin, report.PaymentQuery{Text: "u-1001"}) // at gateways as well
			differing, err := s.Discrepancies(t.Context(), w.Admin, discrepancy.Query{})
			if err != nil {
				t.Fatal(err)
			}
			next(t, differing)
			w.News.Publish(core.Event{Kind: core.DiscrepancyChanged, ID: "1"})
			<-store.asked
			var last payment.Payment
			for range 5 {
				last = w.Start(t, payment.Request{Method: payment.ManualDeposit, Amount: amount})
				if e := told(t, plain); e.Row.ID != last.ID {
					t.Fatalf("told is %+v", e.Row)
				}
			}
			store.heals.Store(true)
			if hangs != nil {
				close(hangs)
			}
			for e := told(t, found); e.Row.ID != last.ID; e = told(t, found) {
			}
		})
	}
}

// broken is a store with a payment that cannot be opened.
type broken struct {
	ports.Payments
	id atomic.Value
}

func (b *broken) PaymentsByID(ctx context.Context, scope core.Scope, ids []core.ID) ([]payment.Payment, error) {
	for _, id := range ids {
		if id == b.id.Load() {
			return nil, fault.E("broken", fault.Internal, errors.New("a body that is none"))
		}
	}
	return b.Payments.PaymentsByID(ctx, scope, ids)
}

// A row that cannot be read is one that may have been missed; the others are told.
func TestARowThatCannotBeReadHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	store := &broken{Payments: w.Store}
	bad, good := w.StartDeposit(t, payment.ManualDeposit, amount), w.StartDeposit(t, payment.ManualDeposit, amount)
	store.id.Store(bad.ID)
	s := newService(t, w, store, w.News)
	one := watch(t, s, w.Admin, report.PaymentQuery{})
	theirs := watch(t, s, w.Admin, report.PaymentQuery{Scope: core.Scope{DealerID: w.OtherDealer.ID}})
	event := func(p payment.Payment) core.Event {
		return core.Event{Kind: core.PaymentChanged, ID: p.ID, DealerID: p.DealerID, ProviderID: p.ProviderID}
	}
	w.News.Publish(event(bad), event(good))
	if e := next(t, one); !e.HasGap {
		t.Errorf("of a row that cannot be read is told %+v", e)
	}
	if e := next(t, one); e.Row == nil || e.Row.ID != good.ID {
		t.Errorf("after it is told %+v", e)
	}
	other := w.Start(t, payment.Request{Method: payment.ManualDeposit, Amount: amount, Provider: w.OtherProvider, Site: w.OtherSite})
	if e := next(t, theirs); e.Row == nil || e.Row.ID != other.ID {
		t.Errorf("whose it is not are told %+v", e)
	}
}

// A payment is watched by what a gateway calls it, and by whom a bank line came from, as it is searched for.
func TestAPaymentIsWatchedByItsReference(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := w.Start(t, payment.Request{Method: payment.CreditCard, Amount: amount})
	_, o, err := w.Operations.Begin(t.Context(), begun.Begin{Token: p.Token})
	if err != nil {
		t.Fatal(err)
	}
	one := watch(t, w.Live, w.Admin, report.PaymentQuery{GatewayReference: string(o.Reference)})
	none := watch(t, w.Live, w.Admin, report.PaymentQuery{GatewayReference: strings.ToLower(string(o.Reference)) + "x"})
	w.News.Publish(core.Event{Kind: core.PaymentChanged, ID: p.ID, DealerID: p.DealerID, ProviderID: p.ProviderID})
	if e := told(t, one); e.Row.ID != p.ID {
		t.Errorf("told is %+v", e.Row)
	}
	select {
	case e := <-none.Events:
		t.Errorf("another reference is told %+v", e)
	default:
	}
}
