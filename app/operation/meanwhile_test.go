package operation_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/ports"
)

// meanwhile has something happen between the reading of a payment and that of its operations, whichever comes first, once it is armed.
type meanwhile struct {
	happens func()
	isArmed atomic.Bool
}

func (m *meanwhile) now() {
	if m.isArmed.CompareAndSwap(true, false) {
		m.happens()
	}
}

type paymentsMeanwhile struct {
	ports.Payments
	*meanwhile
}

func (m paymentsMeanwhile) PaymentByID(ctx context.Context, id core.ID) (payment.Payment, error) {
	defer m.now()
	return m.Payments.PaymentByID(ctx, id)
}

type operationsMeanwhile struct {
	ports.Operations
	*meanwhile
}

func (m operationsMeanwhile) OperationsOf(ctx context.Context, payments ...core.ID) ([]operation.Operation, error) {
	defer m.now()
	return m.Operations.OperationsOf(ctx, payments...)
}

// TestWhatARefundEndsBetweenTwoReadsIsNotHeldAgain: the gateway's answer is from before the refund, and is taken in while that ends.
func TestWhatARefundEndsBetweenTwoReadsIsNotHeldAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.rig(&rig{})
	p, o := w.begun(payment.CreditCard, lira(250))
	w.Sandbox.PayAmount(o.Reference, gateway.Lira(lira(300)))
	w.later(6 * time.Second)
	d := w.discrepancy(p, discrepancy.OverMoney)
	m := &meanwhile{happens: func() {
		_, err := w.Operations.RefundDiscrepancy(t.Context(), byOf(w, p), d.ID, nil)
		w.no(err)
		w.Work(t)
	}}
	w.UnitOfWork.Payments, w.Operations.Operations = paymentsMeanwhile{w.Store, m}, operationsMeanwhile{w.Store, m}
	r.finish = func() { m.isArmed.Store(true) }
	w.comeBack(o)
	w.is(p, payment.Failed)
	if got := w.operations(p)[0]; got.IsHeld {
		t.Errorf("the payment has ended, and its deposit is %s and waits for a decision", got.Phase)
	}
}
