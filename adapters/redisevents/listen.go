package redisevents

import (
	"context"
	"errors"
	"net"
	"strings"
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

// Listen implements ports.Events. What this process publishes its listeners are told directly, and what others do over one
// subscription for all of them, which is made again after an outage for as long as it takes. A listener who is slow never keeps
// Redis waiting: what comes meanwhile waits here.
func (n *Events) Listen(ctx context.Context, handle func([]core.Event)) {
	e := n.enter()
	defer n.leave(e)
	for {
		select {
		case <-ctx.Done():
			return
		case <-e.wake:
			n.mu.Lock()
			events := e.waiting.Take()
			n.mu.Unlock()
			if len(events) > 0 {
				handle(events)
			}
		}
	}
}

// listener holds what one listener has not received yet.
type listener struct {
	waiting *core.EventSet // while the Events' lock is held
	wake    chan struct{}
}

func (e *listener) add(events []core.Event) {
	e.waiting.Add(events...)
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// enter adds a listener, who is told to look once it is certain that the events after that are heard.
func (n *Events) enter() *listener {
	e := &listener{waiting: core.NewEventSet(maxWaiting), wake: make(chan struct{}, 1)}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.isHeard {
		e.add([]core.Event{{Kind: core.EventsLost}})
	}
	n.listeners[e] = struct{}{}
	return e
}

func (n *Events) leave(e *listener) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.listeners, e)
}

// tell tells all listeners, while the lock is held.
func (n *Events) tell(events ...core.Event) {
	for e := range n.listeners {
		e.add(events)
	}
}

// heard notes whether there is a subscription. Whoever listens when there is one, again or for the first time, should look.
func (n *Events) heard(isHeard bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.isHeard = isHeard
	if isHeard {
		n.tell(core.Event{Kind: core.EventsLost})
	}
}

// subscribe keeps a subscription until the context ends.
func (n *Events) subscribe(ctx context.Context) {
	for pause := minPause; ctx.Err() == nil; pause = min(2*pause, maxPause) {
		began := time.Now()
		err := n.receive(ctx)
		n.heard(false)
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
func (n *Events) receive(ctx context.Context) error {
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
		n.pass(received)
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
func (n *Events) pass(received any) {
	switch message := received.(type) {
	case *redis.Subscription:
		if message.Kind == "subscribe" {
			n.heard(true)
		}
	case *redis.Message:
		if strings.HasPrefix(message.Payload, n.mark) {
			return // listeners here were told when it was published
		}
		events, err := decode(message.Payload)
		if err != nil {
			n.log.Debug("a live update cannot be read", "error", err)
			return
		}
		n.mu.Lock()
		defer n.mu.Unlock()
		n.tell(events...)
	}
}
