package app

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/ports"
)

// Gateway is an opened gateway account.
type Gateway struct {
	ports.Gateway
	Account    owner.GatewayAccount
	Descriptor gateway.Descriptor

	plugin  ports.Plugin
	secrets []string
	breaker *Breaker
	clock   ports.Clock
	options options
}

// Has reports whether the gateway has a capability.
func (g *Gateway) Has(c gateway.Capability) bool { return g.plugin.Has(c) }

// IsFailing reports whether the last calls met no working gateway.
func (g *Gateway) IsFailing() bool { return g.breaker.IsOpen() }

// MayTry is how many of at most most calls may be made now.
func (g *Gateway) MayTry(most int) int { return g.breaker.Allowed(g.clock.Now(), most) }

// Admit reports whether somebody may be sent to the gateway now. While it is failing that is one at a time: the others
// need not wait with that one for an answer that may not come.
func (g *Gateway) Admit() bool { return g.breaker.Admit(g.clock.Now(), ports.CallTimeout) }

// ProbeIn is how long a failing gateway is left alone from now on.
func (g *Gateway) ProbeIn() time.Duration { return g.breaker.ProbeIn(g.clock.Now()) }

// PayoutBounds are the limits of a payout through an account that has payouts. A zero high is no limit.
func (g *Gateway) PayoutBounds() (low, high money.Amount) {
	return g.Account.Bounds(g.Descriptor.Payout.Min, g.Descriptor.Payout.Max)
}

// Call makes one call of the gateway and says how it went, for the log: outcome says what came of a call that
// succeeded. The call is bounded in time, also by ctx's deadline, but it is not called back: what is on its way to a
// gateway has an effect there, whether somebody still waits for it here or not. The error is always a *gateway.Error,
// without the account's secrets; a panic is one, too.
func (g *Gateway) Call(
	ctx context.Context, name gateway.Capability, call func(context.Context) (outcome string, err error),
) (operation.GatewayCall, error) {
	start := g.clock.Now()
	bounded, cancel := detached(ctx, ports.CallTimeout)
	defer cancel()
	var outcome string
	err := g.cleared(Guarded(func() (err error) {
		outcome, err = call(bounded)
		return err
	}))
	log := operation.GatewayCall{
		GatewayID: g.Account.ID, Name: string(name), At: start, Duration: g.clock.Now().Sub(start), Outcome: outcome,
	}
	if err != nil {
		e := gateway.ErrorOf(err)
		log.Outcome, log.Effect, log.Detail = string(e.Class), e.Effect.String(), strings.TrimSpace(e.RawCode+" "+e.RawText)
	}
	g.breaker.Record(err == nil || !gateway.ErrorOf(err).Class.IsOutage(), g.clock.Now())
	return log, err
}

// Ask is Call of what only asks the gateway something: nobody keeps a log of it.
func Ask[T any](
	ctx context.Context, g *Gateway, name gateway.Capability, ask func(context.Context) (T, error),
) (answer T, err error) {
	_, err = g.Call(ctx, name, func(ctx context.Context) (_ string, err error) {
		answer, err = ask(ctx)
		return "", err
	})
	return answer, err
}

// detached is ctx without its end, except by time.
func detached(ctx context.Context, most time.Duration) (context.Context, context.CancelFunc) {
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), most)
	if at, ok := ctx.Deadline(); ok {
		sooner, cancelSooner := context.WithDeadline(bounded, at)
		return sooner, func() { cancelSooner(); cancel() }
	}
	return bounded, cancel
}

// Probe implements ports.Gateway: a panic is a failed check.
func (g *Gateway) Probe(ctx context.Context) gateway.ProbeReport {
	var report gateway.ProbeReport
	err := Guarded(func() error {
		report = g.Gateway.Probe(ctx)
		return nil
	})
	if err != nil {
		return gateway.ProbeReport{Checks: []gateway.ProbeCheck{{Name: "plugin", Detail: "it panics", Failure: gateway.Retryable}}}
	}
	return report
}

// IsWell reports whether money may be sent through the gateway now. One that is failing is asked whether it works again
// first, without changing anything there: the outcome of what is sent to it would be unknown.
func (g *Gateway) IsWell(ctx context.Context) bool {
	if !g.IsFailing() {
		return true
	}
	_, err := g.Call(ctx, "probe", func(ctx context.Context) (string, error) {
		for _, c := range g.Gateway.Probe(ctx).Checks {
			if !c.IsOK {
				return "", &gateway.Error{Class: cmp.Or(c.Failure, gateway.Retryable), Effect: gateway.EffectNone, RawText: c.Detail}
			}
		}
		return "works", nil
	})
	return err == nil
}

// Read has the gateway read a notification. The error is always a *gateway.Error without the account's secrets.
func (g *Gateway) Read(ctx context.Context, r ports.NotificationReader, in gateway.Inbound) (gateway.Notification, error) {
	var n gateway.Notification
	err := Guarded(func() (err error) {
		n, err = r.ReadNotification(ctx, in)
		return err
	})
	return n, g.cleared(err)
}

// maxDetailBytes bounds what is kept of a gateway's own words.
const maxDetailBytes = 500

// cleared is a failure without the account's secrets, which some gateways echo, and in bounds.
func (g *Gateway) cleared(err error) error {
	if err == nil {
		return nil
	}
	e := *gateway.ErrorOf(err)
	e.RawCode, e.RawText = g.Excerpt(e.RawCode), g.Excerpt(e.RawText)
	if e.Reason != nil {
		reason := *e.Reason
		reason.RawCode, reason.RawText = g.Excerpt(reason.RawCode), g.Excerpt(reason.RawText)
		e.Reason = &reason
	}
	if e.Err != nil {
		if text := e.Err.Error(); g.blot(text) != text {
			e.Err = errors.New(g.blot(text))
		}
	}
	return &e
}

// Excerpt is a text of the gateway's, fit to be kept and shown: in one line, and without the account's secrets.
func (g *Gateway) Excerpt(text string) string {
	return OneLine(g.blot(text), maxDetailBytes)
}

// minSecretBytes is the shortest secret that is looked for: shorter ones stand in any text by chance.
const minSecretBytes = 6

func (g *Gateway) blot(text string) string {
	for _, secret := range g.secrets {
		if len(secret) >= minSecretBytes {
			text = strings.ReplaceAll(text, secret, "[secret]")
		}
	}
	return text
}

// OneLine is a text from outside as databases, logs and people can take it: valid, printable, and of at most so many
// bytes.
func OneLine(text string, mostBytes int) string {
	return strings.TrimSpace(lang.Clean(text[:min(len(text), mostBytes)]))
}
