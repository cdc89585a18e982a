package app

import (
	"context"
	"sync"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/ports"
)

// How long a gateway's list of options is kept, how soon after a failure it is asked for again, and how long a
// customer's page waits for it.
const (
	optionsFor   = time.Minute
	optionsRetry = 10 * time.Second
	optionsWait  = 5 * time.Second
)

// Bounds of a list of options.
const (
	maxOptions     = 200
	maxOptionBytes = 100
)

// options is a gateway's list of options, as it was given last.
type options struct {
	mu     sync.Mutex
	list   []gateway.Option
	err    error         // why there is none
	until  time.Time     // then it is asked for again
	asking chan struct{} // closed when the question that is under way has its answer; nil: none is
}

// Options lists the ways to pay at the gateway for a kind: its own list as of the last minute, or one for each asset. One
// caller asks for all who want it meanwhile. A list that can't be renewed is better than none.
func (g *Gateway) Options(ctx context.Context) ([]gateway.Option, error) {
	lister, ok := g.Gateway.(ports.OptionLister)
	if !ok {
		return assetOptions(g.Descriptor.Deposit.Assets), nil
	}
	o := &g.options
	o.mu.Lock()
	defer o.mu.Unlock()
	switch asking := o.asking; {
	case g.clock.Now().Before(o.until):
	case asking != nil:
		o.mu.Unlock()
		err := await(ctx, asking)
		o.mu.Lock()
		if err != nil {
			return nil, err
		}
	default:
		o.asking = make(chan struct{})
		o.mu.Unlock()
		listed, err := g.list(ctx, lister)
		o.mu.Lock()
		o.keep(listed, err, g.clock.Now())
	}
	return o.list, o.err
}

func await(ctx context.Context, answer <-chan struct{}) error {
	select {
	case <-answer:
		return nil
	case <-ctx.Done():
		return &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone, Err: ctx.Err()}
	}
}

func (g *Gateway) list(ctx context.Context, lister ports.OptionLister) ([]gateway.Option, error) {
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), optionsWait)
	defer cancel()
	listed, err := Ask(bounded, g, gateway.CanListOptions, lister.ListOptions)
	return inBounds(listed), err
}

// inBounds leaves out what no page can show.
func inBounds(listed []gateway.Option) []gateway.Option {
	list := []gateway.Option{}
	for _, o := range listed[:min(len(listed), maxOptions)] {
		if o.ID == OneLine(o.ID, maxOptionBytes) {
			o.Title = OneLine(o.Title, maxOptionBytes)
			list = append(list, o)
		}
	}
	return list
}

func (o *options) keep(listed []gateway.Option, err error, now time.Time) {
	close(o.asking)
	o.asking = nil
	if err == nil {
		o.list, o.err, o.until = listed, nil, now.Add(optionsFor)
		return
	}
	o.until = now.Add(optionsRetry)
	if len(o.list) == 0 {
		o.err = err
	}
}

func assetOptions(assets []gateway.Asset) []gateway.Option {
	var list []gateway.Option
	for _, a := range assets {
		list = append(list, gateway.Option{ID: a.String(), Title: a.String(), Asset: a})
	}
	return list
}
