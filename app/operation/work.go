package operation

import (
	"context"
	"errors"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// perGateway is how many operations of one gateway account are worked on at once. Each account has room of its own, so
// that one that hangs delays no other, and each operation a place of its own, so that one that hangs keeps one place.
const perGateway = 16

// notificationsAtOnce is how many notifications are worked on at once.
const notificationsAtOnce = 32

// noGatewayFor is how long what is not asked about rests where there is no gateway.
const noGatewayFor = time.Minute

// Start allows work until Stop.
func (s *Service) Start() {
	s.advancing.Start(app.Work[int64, task]{
		Name: "operations", UnitOfWork: s.UnitOfWork, Log: s.Log, Room: perGateway, MovesNothing: true, Claim: s.claim, Do: s.do,
		Cause: func(t task) core.Cause { return t.o.Cause() },
		Failed: func(_ context.Context, t task, err error) {
			s.Log.Error("advancing an operation; it is tried again when its lease ends", "tracking_code", t.o.TrackingCode, "ref", t.o.Reference, "error", err)
		},
		HandBack: func(t task) core.Changeset { return core.Changeset{t.o.HandedBack()} },
	})
	s.applying.Start(app.Work[app.All, *notification.Notification]{
		Name: "notifications", UnitOfWork: s.UnitOfWork, Log: s.Log, Room: notificationsAtOnce, MovesNothing: true, Claim: s.claimNotifications, Do: s.apply,
		Cause:    func(n *notification.Notification) core.Cause { return n.Cause() },
		Failed:   s.putOff,
		HandBack: func(n *notification.Notification) core.Changeset { return core.Changeset{n.HandedBack()} },
	})
}

// Stop takes no new work and waits for calls under way, so that their outcome is kept; ctx bounds the waiting. What was
// leased and not begun is handed back: it is due again at once.
func (s *Service) Stop(ctx context.Context) error {
	s.advancing.Halt()
	s.applying.Halt()
	return s.Wait(ctx)
}

// Wait waits until nothing is being worked on.
func (s *Service) Wait(ctx context.Context) error {
	return errors.Join(s.advancing.Wait(ctx), s.applying.Wait(ctx))
}

// Wake has a gateway account's due operations worked on; it returns at once.
func (s *Service) Wake(gatewayID int64) { s.advancing.Wake(gatewayID) }

// WakeNotifications has waiting notifications worked on; it returns at once.
func (s *Service) WakeNotifications() { s.applying.Wake(app.All{}) }

// Step is app.Worker.Step for the operations of a gateway account.
func (s *Service) Step(gatewayID int64) (more bool, err error) {
	return s.advancing.Step(gatewayID, perGateway)
}

// StepNotifications is app.Worker.Step for notifications.
func (s *Service) StepNotifications() (more bool, err error) {
	return s.applying.Step(app.All{}, notificationsAtOnce)
}

// Due wakes the work on notifications, and that on every gateway account with due operations.
func (s *Service) Due(ctx context.Context, wake func(core.WakeUp)) error {
	wake(core.WakeUp{Kind: core.DueNotifications})
	ids, err := s.Operations.DueGateways(ctx, s.UnitOfWork.Clock.Now())
	for _, id := range ids {
		wake(core.WakeUp{Kind: core.DueOperations, GatewayID: id})
	}
	return fault.E("operation.Due", "", err)
}

// task is an operation that is leased to us.
type task struct {
	o operation.Operation
	// g is where it is advanced; nil: its account can't be opened.
	g *app.Gateway
	// unasked is why its gateway is not called; nil: it is.
	unasked *gateway.Error
}

// claim leases due operations of an account. What is due at a gateway that does not answer, until it is probed, and where
// there is none, is leased all the same: a payment whose time is over ends, and staff are told of what could not be sent
// or asked about for too long. While an account is failing one operation at a time is tried.
func (s *Service) claim(ctx context.Context, gatewayID int64, room int) (tasks []task, more bool, err error) {
	const op = "operation.claim"
	t, rest := task{}, 2*lease
	t.g, err = s.Gateways.Gateway(ctx, gatewayID)
	switch {
	case fault.Is(err, fault.GatewayUnusable), fault.Is(err, fault.NotFound):
		rest = noGatewayFor
		t = task{unasked: &gateway.Error{
			Class: gateway.Misconfigured, Effect: gateway.EffectNone, RawCode: "the account can't be opened", Err: err,
		}}
	case err != nil:
		return nil, false, fault.E(op, "", err)
	case t.g.IsFailing() && room < perGateway:
		return nil, true, nil
	default:
		tries := t.g.MayTry(room)
		if tries == 0 {
			rest = max(t.g.ProbeIn(), time.Second)
			t.unasked = &gateway.Error{
				Class: gateway.Retryable, Effect: gateway.EffectNone, RawCode: "not asked: it does not answer",
			}
			break
		}
		room = tries
	}
	now := s.UnitOfWork.Clock.Now()
	rows, err := s.Operations.ClaimOperations(ctx, gatewayID, now, now.Add(rest), room)
	if t.g == nil && len(rows) > 0 {
		s.Log.Error("a gateway account can't be opened, and what is under way there can't be asked about", "gateway", gatewayID, "error", t.unasked.Err)
	}
	for _, t.o = range rows {
		tasks = append(tasks, t)
	}
	return tasks, len(rows) == room, fault.E(op, "", err)
}

// do advances an operation. Where its gateway is not called it goes on waiting, unless that has been too long. What was
// under way at an account that can't be opened counts as asked without an answer, so that payments end.
func (s *Service) do(ctx context.Context, t task) error {
	now := s.UnitOfWork.Clock.Now()
	switch {
	case t.unasked == nil:
		return s.advance(ctx, t.g, t.o)
	case t.o.MaySend():
		return s.stuck(ctx, t.o, t.unasked.RawCode)
	case t.g == nil || t.o.IsOverdue(now) || t.o.IsForgotten(now):
		return s.unanswered(ctx, t.o, t.unasked)
	default:
		return nil
	}
}

// unable is for an operation of a kind that its gateway lacks by now.
func (s *Service) unable(ctx context.Context, o operation.Operation, why error) error {
	e := &gateway.Error{Class: gateway.Unsupported, Effect: gateway.EffectNone, RawCode: "the gateway can't do this any more", Err: why}
	return errors.Join(why, s.do(ctx, task{o: o, unasked: e}))
}

// unanswered takes a question that could not even be asked into an operation.
func (s *Service) unanswered(ctx context.Context, o operation.Operation, e *gateway.Error) error {
	_, err := s.take(ctx, o, app.BySystem, nil, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		asked := operation.Asked{Err: e}
		switch c.Operation.Kind {
		case operation.PayoutOperation:
			return operation.DecidePayoutNoAnswer(c, asked, d), nil
		case operation.RefundOperation:
			return operation.DecideRefundNoAnswer(c, asked, d), nil
		default:
			return operation.DecideNoAnswer(c, asked, d)
		}
	})
	return err
}
