package operation

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// perGateway is how many operations of one gateway account are worked on at once. Each account has room of its own, so
// that one that hangs delays no other, and each operation a place of its own, so that one that hangs keeps one place.
const perGateway = 16

// aside is how many operations at once are put aside while their gateway does not answer.
const aside = 100

// work is the work on one gateway account, or on notifications.
type work struct {
	isClaiming bool
	again      bool // somebody rang meanwhile
	busy       int  // operations that are worked on
	isHungry   bool // there was no room for what may be due
}

// Start allows work until Stop.
func (s *Service) Start() {
	s.active = map[string]*work{}
	s.ctx, s.stop = context.WithCancel(context.Background())
}

// Stop takes no new work and waits for calls under way, so that their outcome is kept; ctx bounds the waiting. What was
// leased and not begun is handed back: it is due again at once.
func (s *Service) Stop(ctx context.Context) error {
	s.mu.Lock()
	s.stop()
	s.mu.Unlock()
	return s.Wait(ctx)
}

// Wait waits until nothing is being worked on.
func (s *Service) Wait(ctx context.Context) error { return app.Await(ctx, &s.working) }

// notifications is the key under which notifications are worked on, beside the gateway accounts' ids.
const notifications = "notifications"

// WakeNotifications has waiting notifications worked on; it returns at once.
func (s *Service) WakeNotifications() { s.Wake(notifications) }

// Wake has a gateway account's due operations worked on; it returns at once.
func (s *Service) Wake(gatewayID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wake(gatewayID)
}

// wake is Wake for who holds s.mu.
func (s *Service) wake(key string) {
	if s.ctx == nil || s.ctx.Err() != nil {
		return
	}
	w := s.active[key]
	if w == nil {
		w = &work{}
		s.active[key] = w
	}
	if w.isClaiming {
		w.again = true
		return
	}
	w.isClaiming = true
	s.working.Add(1)
	go s.run(key, w)
}

// run claims what is due until nothing more is, or there is no more room.
func (s *Service) run(key string, w *work) {
	defer s.working.Done()
	round := func() (bool, error) { return s.round(key, w) }
	if key == notifications {
		round = s.workNotifications
	}
	for {
		more, err := safely(round)
		if err != nil && s.ctx.Err() == nil {
			s.Log.Error("working on a gateway's operations", "gateway", key, "error", err)
		}
		s.mu.Lock()
		if err != nil || s.ctx.Err() != nil || !more && !w.again {
			w.isClaiming, w.again = false, false
			s.mu.Unlock()
			return
		}
		w.again = false
		s.mu.Unlock()
	}
}

// safely turns a panic into an error: what one operation meets must not end the work on all others.
func safely[T any](do func() (T, error)) (result T, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
		}
	}()
	return do()
}

// round leases due operations of an account, as many as there is room for, and has each advanced; more tells whether
// there may be others.
func (s *Service) round(key string, w *work) (more bool, err error) {
	id, err := strconv.ParseInt(key, 10, 64)
	if err != nil {
		return false, nil //nolint:nilerr // a ring of another version
	}
	g, err := s.Gateways.Gateway(s.ctx, id)
	switch {
	case fault.Is(err, fault.GatewayUnusable), fault.Is(err, fault.NotFound):
		return s.goWithout(id, err)
	case err != nil:
		return false, fault.E("operation.round", "", err)
	}
	limit := s.room(w, g.IsFailing())
	if limit == 0 {
		return false, nil // whoever is done first comes back
	}
	if limit = g.MayTry(limit); limit == 0 {
		return s.putAside(g)
	}
	now := s.Desk.Clock.Now()
	rows, err := s.Operations.ClaimOperations(s.unbroken(), id, now, now.Add(2*lease), limit)
	if err != nil {
		return false, fault.E("operation.round", "", err)
	}
	for _, o := range rows {
		s.launch(key, w, func() error { return s.advance(s.ctx, g, o) }, o)
	}
	return len(rows) == limit, nil
}

// unbroken is what a claim is made with: broken off, it might have leased what nobody works on.
func (s *Service) unbroken() context.Context { return context.WithoutCancel(s.ctx) }

// room is how many more operations of an account may be worked on. While the account is failing that is one at a time.
func (s *Service) room(w *work, isFailing bool) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	free := perGateway - w.busy
	if isFailing && w.busy > 0 {
		free = 0
	}
	w.isHungry = free == 0
	return free
}

// launch works on one operation, beside others.
func (s *Service) launch(key string, w *work, do func() error, o operation.Operation) {
	s.mu.Lock()
	w.busy++
	s.mu.Unlock()
	s.working.Go(func() {
		s.finish(o, do)
		s.mu.Lock()
		defer s.mu.Unlock()
		if w.busy--; w.isHungry {
			w.isHungry = false
			s.wake(key)
		}
	})
}

func (s *Service) finish(o operation.Operation, do func() error) {
	err := s.ctx.Err()
	if err == nil {
		_, err = safely(func() (struct{}, error) { return struct{}{}, do() })
	}
	switch {
	case err == nil:
	case s.ctx.Err() != nil:
		s.handBack(core.Changeset{o.HandedBack()})
	default:
		s.Log.Error("advancing an operation; it is tried again when its lease ends", "tracking_code", o.TrackingCode, "ref", o.Ref, "error", err)
	}
}

// handBack ends the lease of what was not begun when the service stopped. What was changed since it was claimed was begun:
// that is a lost race, and its lease stays.
func (s *Service) handBack(change core.Changeset) {
	ctx, cancel := keep(s.ctx)
	defer cancel()
	if err := s.Desk.Commit(ctx, change); err != nil && !fault.Is(err, fault.Conflict) {
		s.Log.Warn("handing work back; it goes on when its lease ends", "error", err)
	}
}

// putAside is for an account that does not answer, until it is probed. Nothing is asked, and no attempt is lost; but a
// payment whose time is over ends all the same, and staff are told of what could not be sent or asked about for too long.
func (s *Service) putAside(g *app.Gateway) (more bool, err error) {
	e := &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone, RawCode: "not asked: it does not answer"}
	return s.setAside(g.Account.ID, max(g.ProbeIn(), time.Second), func(o operation.Operation) error {
		switch now := s.Desk.Clock.Now(); {
		case o.MaySend():
			return s.stuck(o, e.RawCode)
		case o.IsOverdue(now) || o.IsForgotten(now):
			return s.unanswered(o, e)
		default:
			return nil
		}
	})
}

// noGatewayFor is how long what is not asked about rests where there is no gateway.
const noGatewayFor = time.Minute

// goWithout is for an account that can't be opened: its plugin is gone, or its configuration is not valid any more. What
// was under way there counts as asked without an answer, so that payments end; what is still here waits.
func (s *Service) goWithout(gatewayID int64, why error) (more bool, err error) {
	e := &gateway.Error{Class: gateway.Misconfigured, Effect: gateway.EffectNone, RawCode: "the account can't be opened", Err: why}
	isFirst := sync.OnceFunc(func() {
		s.Log.Error("a gateway account can't be opened, and what is under way there can't be asked about", "gateway", gatewayID, "error", why)
	})
	return s.setAside(gatewayID, noGatewayFor, func(o operation.Operation) error {
		isFirst()
		if o.MaySend() {
			return s.stuck(o, e.RawCode)
		}
		return s.unanswered(o, e)
	})
}

// unable is for an operation of a kind that its gateway lacks by now.
func (s *Service) unable(o operation.Operation, why error) error {
	e := &gateway.Error{Class: gateway.Unsupported, Effect: gateway.EffectNone, RawCode: "the gateway can't do this any more", Err: why}
	if o.MaySend() {
		return errors.Join(why, s.stuck(o, e.RawCode))
	}
	return errors.Join(why, s.unanswered(o, e))
}

// setAside leases due operations without calling their gateway.
func (s *Service) setAside(gatewayID int64, rest time.Duration, do func(operation.Operation) error) (more bool, err error) {
	now := s.Desk.Clock.Now()
	rows, err := s.Operations.ClaimOperations(s.unbroken(), gatewayID, now, now.Add(rest), aside)
	if err != nil {
		return false, fault.E("operation.setAside", "", err)
	}
	for _, o := range rows {
		s.finish(o, func() error { return do(o) })
	}
	return len(rows) == aside, nil
}

// unanswered takes a question that could not even be asked into an operation.
func (s *Service) unanswered(o operation.Operation, e *gateway.Error) error {
	_, err := s.take(s.ctx, o, app.BySystem, nil, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
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
