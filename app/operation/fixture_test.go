package operation_test

import (
	"errors"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	coreoperation "github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
)

func lira(n int64) money.Amount { return money.New(n*100, money.TRY) }

// world is a World with what these tests ask of it again and again.
type world struct {
	*apptest.World
	t *testing.T
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return &world{apptest.New(t), t}
}

// begun is a payment that was handed to its gateway.
func (w *world) begun(m payment.Method, amount money.Amount) (payment.Payment, coreoperation.Operation) {
	w.t.Helper()
	p := w.StartDeposit(w.t, m, amount)
	b := operation.Begin{Token: p.Token}
	if m != payment.CreditCard {
		b.GatewayID = w.Gateway.ID
	}
	p, o, err := w.Operations.Begin(w.t.Context(), b)
	w.no(err)
	return p, o
}

func (w *world) no(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) fails(err error, want fault.Code) {
	w.t.Helper()
	if got := fault.CodeOf(err); got != want {
		w.t.Fatalf("got %q (%v), want %q", got, err, want)
	}
}

// faults lets the next calls of a kind fail, one each.
func (w *world) faults(at *apptest.SimulatedGateway, call gateway.Capability, faults ...apptest.Fault) {
	at.Fault = func(c gateway.Capability, _ gateway.Ref) apptest.Fault {
		if c != call || len(faults) == 0 {
			return apptest.NoFault
		}
		f := faults[0]
		faults = faults[1:]
		return f
	}
}

// later lets time pass, with the sweeper coming by at its end.
func (w *world) later(d time.Duration) {
	w.t.Helper()
	w.Clock.Advance(d)
	w.no(w.Sweep.Sweep(w.t.Context()))
	w.no(errors.Join(w.Operations.Wait(w.t.Context()), w.Statements.Wait(w.t.Context())))
	w.Work(w.t)
}

func (w *world) is(p payment.Payment, want payment.Status) payment.Payment {
	w.t.Helper()
	p = w.Reload(w.t, p)
	if p.Status != want {
		w.t.Fatalf("%s is %s, want %s", p.TrackingCode, p.Status, want)
	}
	return p
}

func (w *world) operations(p payment.Payment) []coreoperation.Operation {
	w.t.Helper()
	all, err := w.Store.OperationsOf(w.t.Context(), p.ID)
	w.no(err)
	return all
}

// discrepancy is the only one of a payment.
func (w *world) discrepancy(p payment.Payment, want discrepancy.Kind) discrepancy.Discrepancy {
	w.t.Helper()
	all, err := w.Store.DiscrepanciesOf(w.t.Context(), p.Key())
	w.no(err)
	if len(all) != 1 || all[0].Kind != want {
		w.t.Fatalf("discrepancies %+v, want one of kind %s", all, want)
	}
	return all[0]
}

func (w *world) callbacks(p payment.Payment) []payment.Callback {
	w.t.Helper()
	all, err := w.Store.CallbacksOf(w.t.Context(), p.ID)
	w.no(err)
	return all
}

func (w *world) comeBack(o coreoperation.Operation) {
	w.t.Helper()
	_, err := w.Operations.Return(w.t.Context(), o.ReturnToken, gateway.Inbound{Method: "GET"})
	w.no(err)
}

// byOf is what an operator decides about a payment.
func byOf(w *world, p payment.Payment) app.StaffMove { return apptest.By(w.Operator, p, "seen") }
