package payment

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/ports"
)

// Sizes of the work on one receiver.
const (
	perReceiver  = 16     // sent to one receiver at once
	maxBatch     = 256    // leased at once, of a receiver that answers quickly
	maxReceivers = 10_000 // remembered by this process

	failuresToOpen = 20 // failures in a row after which a receiver is only probed
)

// A lease lasts for one attempt and leaseMargin. It is short because it is also how long a callback waits after the
// crash of the worker that held it, and how long the next callback of its payment waits for one that is being sent.
//
// What is not started within startMargin is handed back: an attempt is over before its lease is, even where the clocks of
// two processes differ by the rest.
const (
	leaseMargin = 10 * time.Second
	startMargin = leaseMargin / 2
)

// quick is how soon a batch must be through for the next one to be twice as large.
const quick = time.Second

// Callbacks delivers the outbox: it leases due callbacks of a receiver, sends them, and commits what came of each. Every
// receiver has a delivery of its own, so that a slow or dead one delays nobody else. Fill it, then Start it.
type Callbacks struct {
	Desk    *app.Desk
	Courier ports.Courier
	Timeout time.Duration // of one attempt, as the courier keeps it: the lease is longer
	Zone    *time.Location
	Log     *slog.Logger

	mu      sync.Mutex
	active  map[string]*delivery
	working sync.WaitGroup
	ctx     context.Context //nolint:containedctx // the life of the deliveries, from Start to Stop
	stop    context.CancelFunc
}

// delivery is the work on one receiver.
type delivery struct {
	again   bool // somebody rang while it was working
	running bool
	batch   int // size of the next one
	breaker app.Breaker
}

// Start allows deliveries until Stop.
func (s *Callbacks) Start() {
	s.active = make(map[string]*delivery)
	s.ctx, s.stop = context.WithCancel(context.Background())
}

// Stop takes no new work and waits for what is being sent, so that its outcome is kept; ctx bounds the waiting. What
// was leased and not sent is handed back: it is due again at once.
func (s *Callbacks) Stop(ctx context.Context) error {
	s.mu.Lock() // a Wake either counts its work before the waiting begins or finds the service stopped
	s.stop()
	s.mu.Unlock()
	return s.Wait(ctx)
}

// Wait waits until nothing is being delivered.
func (s *Callbacks) Wait(ctx context.Context) error { return app.Await(ctx, &s.working) }

// Wake has the receiver's due callbacks delivered; it returns at once. Waking a receiver that is being worked on makes
// its delivery look once more before it ends.
func (s *Callbacks) Wake(receiver string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx == nil || s.ctx.Err() != nil {
		return
	}
	d := s.active[receiver]
	if d == nil {
		s.forgetIdle()
		d = &delivery{breaker: app.Breaker{Failures: failuresToOpen}}
		s.active[receiver] = d
	}
	if d.running {
		d.again = true
		return
	}
	d.running = true
	s.working.Add(1)
	go s.work(receiver, d)
}

// forgetIdle keeps the number of remembered receivers bounded; a forgotten one only loses its breaker's memory.
func (s *Callbacks) forgetIdle() {
	if len(s.active) < maxReceivers {
		return
	}
	for name, d := range s.active {
		if !d.running {
			delete(s.active, name)
		}
	}
}

func (s *Callbacks) work(receiver string, d *delivery) {
	defer s.working.Done()
	for {
		more, err := s.round(receiver, d)
		if err != nil {
			s.Log.Error("delivering callbacks", "receiver", receiver, "error", err)
		}
		s.mu.Lock()
		if err != nil || s.ctx.Err() != nil || (!more && !d.again) {
			d.running, d.again = false, false
			s.mu.Unlock()
			return
		}
		d.again = false
		s.mu.Unlock()
	}
}

// round leases one batch and delivers it; more tells whether there may be another.
func (s *Callbacks) round(receiver string, d *delivery) (more bool, err error) {
	now := s.Desk.Clock.Now()
	limit := d.breaker.Allowed(now, max(d.batch, perReceiver))
	if limit == 0 {
		return false, nil // it keeps failing: the sweeper comes back when a probe is due
	}
	ctx := context.WithoutCancel(s.ctx) // broken off, it might have leased what nobody sends
	rows, err := s.Desk.Callbacks.ClaimCallbacks(ctx, receiver, now, now.Add(s.Timeout+leaseMargin), limit)
	if err != nil {
		return false, fault.E("callback.round", "", err)
	}
	s.send(rows, &d.breaker, now.Add(startMargin))
	d.batch = perReceiver
	if s.Desk.Clock.Now().Sub(now) < quick {
		d.batch = min(2*limit, maxBatch)
	}
	return len(rows) == limit, nil
}

// send delivers a batch, perReceiver at once, and commits its outcomes as they come. What is not started by the
// deadline, or after the receiver turned out to fail, is handed back.
func (s *Callbacks) send(rows []payment.Callback, b *app.Breaker, deadline time.Time) {
	outcomes := make(chan core.Changeset, len(rows))
	go func() {
		defer close(outcomes)
		var sending sync.WaitGroup
		slots := make(chan struct{}, perReceiver)
		slots <- struct{}{} // the first one's
		for i, cb := range rows {
			if i > 0 {
				select {
				case slots <- struct{}{}:
				case <-s.ctx.Done(): // also while all that is being sent hangs
				}
			}
			if i > 0 && (s.ctx.Err() != nil || b.IsOpen() || s.Desk.Clock.Now().After(deadline)) {
				for _, unsent := range rows[i:] { // one by one: one that was superseded must not cost the others their place
					outcomes <- payment.HandBack([]payment.Callback{unsent})
				}
				break
			}
			sending.Go(func() {
				defer func() { <-slots }()
				if change, ok := s.attempt(cb, b, deadline); ok {
					outcomes <- change
				}
			})
		}
		sending.Wait()
	}()
	s.keep(outcomes)
}

// attempt sends one callback, unless the deadline to begin is over, and decides what came of it.
func (s *Callbacks) attempt(cb payment.Callback, b *app.Breaker, deadline time.Time) (core.Changeset, bool) {
	ctx := context.WithoutCancel(s.ctx) // a started attempt is finished even while stopping
	now := s.Desk.Clock.Now()
	ids, err := core.NewIDs(now, s.Desk.Random)
	if err != nil {
		s.Log.Error("callback attempt", "callback", cb.ID, "error", err)
		return core.Changeset{}, false
	}
	signer, target, err := s.Desk.Target(ctx, cb.ProviderID, cb.SiteID, cb.DealerID, cb.Kind)
	if err != nil {
		s.Log.Error("callback target", "callback", cb.ID, "error", err)
		return core.Changeset{}, false
	}
	if target.URL == "" {
		return payment.DecideSkip(cb, now), true
	}
	message, err := cb.Message(signer, now, s.Zone)
	if err != nil {
		s.Log.Error("callback message", "callback", cb.ID, "error", err)
		return core.Changeset{}, false
	}
	if s.Desk.Clock.Now().After(deadline) {
		return payment.HandBack([]payment.Callback{cb}), true
	}
	answer := s.Courier.Send(ctx, target.URL, message)
	b.Record(answer.IsSuccess(), s.Desk.Clock.Now())
	return payment.DecideAttempt(cb, target.URL, answer, s.Desk.Ladder, s.Desk.Clock.Now(), ids), true
}
