package operation_test

import (
	"context"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/notification"
	coreoperation "github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/ports"
)

// stoppedMeanwhile stops the service while it leases, and gives who was stopped nothing of what it leased.
type stoppedMeanwhile struct {
	ports.Operations
	stop func()
}

func (s stoppedMeanwhile) ClaimOperations(
	ctx context.Context, gatewayID int64, now, until time.Time, limit int,
) ([]coreoperation.Operation, error) {
	rows, err := s.Operations.ClaimOperations(ctx, gatewayID, now, until, limit)
	s.stop()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return rows, err
}

func (s stoppedMeanwhile) ClaimNotifications(
	ctx context.Context, now, until time.Time, limit int,
) ([]notification.Notification, error) {
	rows, err := s.Operations.ClaimNotifications(ctx, now, until, limit)
	s.stop()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return rows, err
}

// stopWhileLeasing has the service stop within its next claim.
func (w *world) stopWhileLeasing() {
	impatient, cancel := context.WithCancel(w.t.Context())
	cancel()
	w.Operations.Operations = stoppedMeanwhile{w.Store, func() { _ = w.Operations.Stop(impatient) }}
}

// TestAStopWhileLeasingHandsOperationsBack: else nobody would ask about them until the lease ends.
func TestAStopWhileLeasingHandsOperationsBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var begun []coreoperation.Operation
	for range 5 {
		_, o := w.begun(payment.BankDeposit, lira(250))
		begun = append(begun, o)
	}
	w.Clock.Advance(time.Hour)
	w.stopWhileLeasing()
	w.Operations.Wake(w.Gateway.ID)
	w.no(w.Operations.Wait(t.Context()))
	now := w.Clock.Now()
	free, err := w.Store.ClaimOperations(t.Context(), w.Gateway.ID, now, now.Add(time.Second), 100)
	if err != nil || len(free) != len(begun) {
		t.Errorf("%d of %d operations may be worked on at once, %v", len(free), len(begun), err)
	}
	for _, o := range free {
		if o.Checks != begun[0].Checks {
			t.Errorf("an attempt was used up: %+v", o)
		}
	}
}

// TestAStopWhileLeasingHandsNotificationsBack.
func TestAStopWhileLeasingHandsNotificationsBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, o := w.begun(payment.CreditCard, lira(250))
	w.stopWhileLeasing()
	_, err := w.Operations.Notify(t.Context(), w.Gateway.HookToken, w.Sandbox.Inform("n-1", o.Reference, gateway.Signed))
	w.no(err)
	w.Operations.WakeNotifications()
	w.no(w.Operations.Wait(t.Context()))
	now := w.Clock.Now()
	free, err := w.Store.ClaimNotifications(t.Context(), now, now.Add(time.Second), 100)
	if err != nil || len(free) != 1 || free[0].Tries != 0 {
		t.Errorf("%d notifications may be worked on at once, %v", len(free), err)
	}
}
