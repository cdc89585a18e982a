package operation_test

import (
	"context"
	"sync/atomic"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/e2e/apptest"
)

// rig is a gateway of which a test takes single calls over: to hang, to panic, to lie. What is nil is the gateway's own.
type rig struct {
	*apptest.PaymentGateway
	start  func(context.Context, gateway.DepositOrder) (gateway.DepositStarted, error)
	read   func(context.Context, gateway.DepositKey) (gateway.Observation, error)
	list   func(context.Context) ([]gateway.Option, error)
	probe  func() gateway.ProbeReport
	told   func(gateway.Inbound) (gateway.Notification, error)
	payout func(gateway.PayoutKey) (gateway.PayoutReport, error)
	open   func() error
	finish func()

	opened, closed atomic.Int32
}

// rigged is an opened rig.
type rigged struct{ *rig }

// rig puts one in the place of the World's first gateway.
func (w *world) rig(r *rig) *rig {
	r.PaymentGateway = w.Sandbox
	w.Sandbox.As = &rigged{r}
	if r.list != nil {
		w.Sandbox.As = &listing{&rigged{r}}
	}
	w.Sandbox.Opens = func() error {
		r.opened.Add(1)
		if r.open != nil {
			return r.open()
		}
		return nil
	}
	return r
}

func (g *rigged) Close() error {
	g.closed.Add(1)
	return nil
}

func (g *rigged) Probe(ctx context.Context) gateway.ProbeReport {
	if g.probe != nil {
		return g.probe()
	}
	return g.PaymentGateway.Probe(ctx)
}

func (g *rigged) StartDeposit(ctx context.Context, o gateway.DepositOrder) (gateway.DepositStarted, error) {
	if g.start != nil {
		return g.start(ctx, o)
	}
	return g.PaymentGateway.StartDeposit(ctx, o)
}

func (g *rigged) ReadDeposit(ctx context.Context, k gateway.DepositKey) (gateway.Observation, error) {
	if g.read != nil {
		return g.read(ctx, k)
	}
	return g.PaymentGateway.ReadDeposit(ctx, k)
}

func (g *rigged) ReadPayout(ctx context.Context, k gateway.PayoutKey) (gateway.PayoutReport, error) {
	if g.payout != nil {
		return g.payout(k)
	}
	return g.PaymentGateway.ReadPayout(ctx, k)
}

func (g *rigged) ReadNotification(ctx context.Context, in gateway.Inbound) (gateway.Notification, error) {
	if g.told != nil {
		return g.told(in)
	}
	return g.PaymentGateway.ReadNotification(ctx, in)
}

// listing is a rigged one that lists options.
type listing struct{ *rigged }

func (g *listing) ListOptions(ctx context.Context) ([]gateway.Option, error) { return g.list(ctx) }

func (g *rigged) FinishReturn(ctx context.Context, v gateway.ReturnVisit) (gateway.Observation, error) {
	if g.finish != nil {
		g.finish()
	}
	return g.PaymentGateway.FinishReturn(ctx, v)
}
