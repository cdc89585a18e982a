package payment

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"slices"
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
	receiverPage = 500    // of those with due callbacks, read at once

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
// receiver is a key of the worker, so that a slow or dead one delays nobody else. Fill it, then Start it.
type Callbacks struct {
	app.Worker[string, batch]

	UnitOfWork *app.UnitOfWork
	Sender     ports.CallbackSender
	Timeout    time.Duration // of one attempt, as the sender keeps it: the lease is longer
	MaxBatch   int           // leased at once; 0: as many as a receiver's answers allow
	Zone       *time.Location
	Log        *slog.Logger
	// Restored reports whether a payment's callbacks may have been sent by a database that was lost, and to which moment the present one
	// was restored. Nil: there was no other database.
	Restored func(paymentID core.ID) (to time.Time, ok bool)

	mu       sync.Mutex
	known    map[string]*receiver
	reserved int // of all receivers
}

// receiver is what this process remembers of one. What stands below breaker is guarded by the mutex of Callbacks.
type receiver struct {
	breaker app.Breaker

	batch     int                // size of the next one
	room      int                // for held
	held      []payment.Callback // committed by this process with its lease; see Callbacks.Commits
	reserved  int                // room that is taken by held, and by what is being committed
	isInStore bool               // there may be some due in the store, too
	turn      int                // batches since the last one of the store
}

// batch is what was leased of a receiver at once.
type batch struct {
	to    *receiver
	rows  []payment.Callback
	limit int
	at    time.Time // when the first of them was leased
}

// Start allows deliveries until Stop. Of a receiver there is one batch at a time.
func (s *Callbacks) Start() {
	s.Worker.Start(app.Work[string, batch]{
		Name: "callbacks", UnitOfWork: s.UnitOfWork, Log: s.Log, Room: 1, Claim: s.claim, Do: s.deliver,
		Failed: func(_ context.Context, b batch, err error) {
			s.Log.Error("delivering callbacks", "receiver", b.rows[0].Receiver, "error", err)
		},
		HandBack: func(b batch) core.Changeset { return payment.HandBack(b.rows) },
	})
}

// Due wakes every receiver with due callbacks.
func (s *Callbacks) Due(ctx context.Context, wake func(core.WakeUp)) error {
	for after := ""; ; {
		receivers, err := s.UnitOfWork.Callbacks.DueReceivers(ctx, s.UnitOfWork.Clock.Now(), after, receiverPage)
		if err != nil {
			return fault.E("callback.Due", "", err)
		}
		for _, r := range receivers {
			wake(core.WakeUp{Kind: core.DueCallbacks, Receiver: r})
		}
		if len(receivers) < receiverPage {
			return nil
		}
		after = receivers[len(receivers)-1]
	}
}

// receiver returns what is remembered of one. When that becomes too much all is forgotten of whom nothing is held, which only costs the
// memory of who kept failing.
func (s *Callbacks) receiver(name string) *receiver {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known[name] == nil {
		if s.known == nil {
			s.known = make(map[string]*receiver)
		}
		if len(s.known) >= maxReceivers {
			maps.DeleteFunc(s.known, func(_ string, r *receiver) bool { return r.reserved == 0 })
		}
		s.known[name] = &receiver{breaker: app.Breaker{Failures: failuresToOpen}, room: perReceiver}
	}
	return s.known[name]
}

// size is how many may be leased of a receiver at once. The caller holds s.mu.
func (s *Callbacks) size(r *receiver) int {
	return min(max(r.batch, perReceiver), cmp.Or(s.MaxBatch, maxBatch))
}

// allowed is how many may be leased of a receiver now.
func (s *Callbacks) allowed(r *receiver) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return r.breaker.Allowed(s.UnitOfWork.Clock.Now(), s.size(r))
}

// claim takes one batch of what is held, or leases one.
func (s *Callbacks) claim(ctx context.Context, name string, _ int) (batches []batch, more bool, err error) {
	b := batch{to: s.receiver(name)}
	if b.limit = s.allowed(b.to); b.limit == 0 { // it keeps failing: the sweeper comes back when a probe is due
		s.handBack(ctx, b.to)
		return nil, false, nil
	}
	if b.rows = s.takeHeld(b.to, b.limit); len(b.rows) == 0 {
		now := s.UnitOfWork.Clock.Now()
		b.rows, err = s.UnitOfWork.Callbacks.ClaimCallbacks(ctx, name, now, now.Add(s.leaseTime()), b.limit)
		if err != nil || len(b.rows) == b.limit {
			s.look(name)
		}
		if err != nil {
			return nil, false, fault.E("callback.claim", "", err)
		}
	}
	if len(b.rows) == 0 {
		b.rows = s.takeHeld(b.to, b.limit) // it was the store's turn
	}
	if len(b.rows) == 0 {
		return nil, false, nil
	}
	b.at = slices.MinFunc(b.rows, func(a, b payment.Callback) int { return a.LeaseUntil.Compare(b.LeaseUntil) }).LeaseUntil.Add(-s.leaseTime())
	return []batch{b}, s.isMore(b.to), nil
}

// deliver sends a batch, perReceiver at once, and commits its outcomes as they come. What is not started in time, or after
// the receiver turned out to fail, is handed back.
func (s *Callbacks) deliver(ctx context.Context, b batch) error {
	outcomes := make(chan core.Changeset, len(b.rows))
	go func() {
		defer close(outcomes)
		s.send(ctx, b, outcomes)
	}()
	s.keep(ctx, outcomes)
	s.learn(b)
	return nil
}

// learn takes in how long a batch has taken.
func (s *Callbacks) learn(b batch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch took := s.UnitOfWork.Clock.Now().Sub(b.at); {
	case took < quick:
		b.to.batch = 2 * b.limit
		b.to.room = heldBatches * s.size(b.to)
	case took < startMargin:
		b.to.batch, b.to.room = perReceiver, perReceiver
	default:
		b.to.batch, b.to.room = perReceiver, 0
	}
}

func (s *Callbacks) send(ctx context.Context, b batch, outcomes chan<- core.Changeset) {
	deadline := b.at.Add(startMargin)
	var sending sync.WaitGroup
	defer sending.Wait()
	slots := make(chan struct{}, perReceiver)
	slots <- struct{}{} // the first one's
	for i, cb := range b.rows {
		if i > 0 {
			select {
			case slots <- struct{}{}:
			case <-ctx.Done(): // also while all that is being sent hangs
			}
		}
		if i > 0 && (ctx.Err() != nil || b.to.breaker.IsOpen() || s.UnitOfWork.Clock.Now().After(deadline)) {
			for _, unsent := range b.rows[i:] { // one by one: one that was superseded must not cost the others their place
				outcomes <- payment.HandBack([]payment.Callback{unsent})
			}
			return
		}
		sending.Go(func() {
			defer func() { <-slots }()
			var change core.Changeset
			err := app.Guarded(func() (err error) {
				change, err = s.attempt(context.WithoutCancel(ctx), cb, &b.to.breaker, deadline) // begun, it is finished
				return err
			})
			if err != nil {
				app.LogPanic(s.Log, "callbacks", err)
				s.Log.Error("a callback is not attempted before its lease ends", "callback", cb.ID, "error", err)
				return
			}
			outcomes <- change
		})
	}
}

// attempt sends one callback, unless the deadline to begin is over, and decides what came of it.
func (s *Callbacks) attempt(ctx context.Context, cb payment.Callback, b *app.Breaker, deadline time.Time) (core.Changeset, error) {
	now := s.UnitOfWork.Clock.Now()
	ids, err := core.NewIDs(now, s.UnitOfWork.Random)
	if err != nil {
		return nil, err
	}
	signer, target, err := s.UnitOfWork.Target(ctx, cb.ProviderID, cb.SiteID, cb.DealerID, cb.Kind)
	if err != nil {
		return nil, err
	}
	if target.URL == "" {
		return payment.DecideSkip(cb, now), nil
	}
	if s.Restored != nil {
		cb.RestoredTo, _ = s.Restored(cb.PaymentID)
	}
	message, err := cb.Message(signer, now, s.Zone)
	if err != nil {
		return nil, err
	}
	if s.UnitOfWork.Clock.Now().After(deadline) {
		return payment.HandBack([]payment.Callback{cb}), nil
	}
	answer := s.Sender.Send(ctx, target.URL, message)
	answer.Acknowledgement = message.Acknowledgement
	b.Record(answer.IsAccepted(), s.UnitOfWork.Clock.Now())
	return payment.DecideAttempt(cb, target.URL, answer, s.UnitOfWork.Schedule, s.UnitOfWork.Clock.Now(), ids), nil
}
