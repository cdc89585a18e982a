package redisevents

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/vezne/vezne/core"
)

const (
	// quietFor is how long a subscription may be silent before Redis is asked whether it is still there, and how long it
	// has to answer.
	quietFor = 2 * time.Second
	// maxSilences in a row, and the connection is given up.
	maxSilences = 2
)

var errSilent = errors.New("redisevents: Redis does not answer")

// Listen implements ports.Events. It subscribes again after an outage for as long as it takes. A listener who is slow never
// keeps Redis waiting: what comes meanwhile waits here.
func (n *Events) Listen(ctx context.Context, handle func([]core.Event)) {
	e := &subscriber{waiting: core.NewEventSet(maxWaiting), wake: make(chan struct{}, 1)}
	var subscribing sync.WaitGroup
	subscribing.Go(func() { n.subscribe(ctx, e) })
	defer subscribing.Wait()
	for {
		select {
		case <-ctx.Done():
			return
		case <-e.wake:
			if events := e.take(); len(events) > 0 {
				handle(events)
			}
		}
	}
}

// subscriber holds what one listener has not received yet.
type subscriber struct {
	mu      sync.Mutex
	waiting *core.EventSet
	wake    chan struct{}
}

func (e *subscriber) add(events []core.Event) {
	e.mu.Lock()
	e.waiting.Add(events...)
	e.mu.Unlock()
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

func (e *subscriber) take() []core.Event {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.waiting.Take()
}

func (n *Events) subscribe(ctx context.Context, e *subscriber) {
	for pause := minPause; ctx.Err() == nil; pause = min(2*pause, maxPause) {
		began := time.Now()
		err := n.receive(ctx, e)
		if ctx.Err() != nil {
			return
		}
		n.log.Debug("the subscription to live updates broke", "error", err)
		if time.Since(began) > maxPause {
			pause = minPause
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
}

// receive listens on one connection until it breaks.
func (n *Events) receive(ctx context.Context, e *subscriber) error {
	subscription := n.client.Subscribe(ctx, n.channel)
	defer func() { _ = subscription.Close() }()
	// Receive does not look at its context while it waits.
	defer context.AfterFunc(ctx, func() { _ = subscription.Close() })()
	for silences := 0; ; {
		received, err := subscription.ReceiveTimeout(ctx, quietFor)
		if isTimeout := (net.Error)(nil); errors.As(err, &isTimeout) && isTimeout.Timeout() && silences < maxSilences {
			silences++
			err = subscription.Ping(ctx)
			if err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return errors.Join(err, silenceOf(silences))
		}
		silences = 0
		n.pass(received, e)
	}
}

func silenceOf(silences int) error {
	if silences >= maxSilences {
		return errSilent
	}
	return nil
}

// pass tells what Redis said: that the subscription stands (again, when the library has made a new connection by itself),
// or events.
func (n *Events) pass(received any, e *subscriber) {
	switch message := received.(type) {
	case *redis.Subscription:
		if message.Kind == "subscribe" {
			e.add([]core.Event{{Kind: core.EventsLost}})
		}
	case *redis.Message:
		events, err := decode(message.Payload)
		if err != nil {
			n.log.Debug("a live update cannot be read", "error", err)
			return
		}
		e.add(events)
	}
}
