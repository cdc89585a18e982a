package conformance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/ports"
)

// TestGatewaysThatCanLessPass holds the kit to asking no more than the descriptor promises.
func TestGatewaysThatCanLessPass(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]flaws{
		"no key and no look-up by reference":       unkeyed(),
		"whole refunds only":                       wholeOnly(),
		"notifications without signature":          unsigned(),
		"notifications with a secret in the body":  secretInBody(),
		"orders that are found once they are paid": foundOncePaid(),
		"keys of a certain form": {
			descriptor: config(func(f *gateway.ConfigField) {
				if f.Name == "api_key" {
					f.Pattern = "k-live-[0-9]+"
				}
			}),
			subject: func(_ *testing.T, s *conformance.Subject) { s.KeepSecrets = []string{"api_key"} },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conformance.Run(t, subject(t, f))
		})
	}
}

// TestGatewaysOfOneSortPass holds the kit to leaving out what a gateway says nothing of.
func TestGatewaysOfOneSortPass(t *testing.T) {
	t.Parallel()
	for name, plugin := range map[string]ports.Plugin{
		"deposits": plugins.Register(part(gateway.Card), func(env ports.GatewayEnv) (depositsOnly, error) {
			g, err := openSample(env)
			return depositsOnly{g, g, g}, err
		}),
		"payouts": plugins.Register(part(gateway.Bank), func(env ports.GatewayEnv) (payoutsOnly, error) {
			g, err := openSample(env)
			return payoutsOnly{g, g, g, g}, err
		}),
		"accounts": plugins.Register(part(gateway.Account), func(env ports.GatewayEnv) (accountsOnly, error) {
			g, err := openSample(env)
			return accountsOnly{g, g, g, g}, err
		}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := subject(t, flaws{})
			s.Plugin, s.Vectors = plugin, nil
			conformance.Run(t, s)
		})
	}
}

type depositsOnly struct {
	ports.Gateway
	ports.DepositStarter
	ports.DepositReader
}

type payoutsOnly struct {
	ports.Gateway
	ports.Payer
	ports.PayoutApprover
	ports.NotificationReader
}

type accountsOnly struct {
	ports.Gateway
	ports.AccountReader
	ports.StatementReader
	ports.TransferSender
}

// part is the sample's descriptor for one kind.
func part(kind gateway.Kind) gateway.Descriptor {
	d := descriptor()
	d.Kinds = []gateway.Kind{kind}
	if kind != gateway.Card {
		d.Deposit = nil
	}
	if kind != gateway.Bank {
		d.Payout, d.Notify = nil, nil
	}
	if kind != gateway.Account {
		d.Account = nil
	}
	return d
}

func unkeyed() flaws {
	none := gateway.KeyTraits{Mode: gateway.NoKey}
	f := seen(func(k gateway.DepositKey, o *gateway.Observation, err *error) {
		if k.External.IsZero() {
			*o, *err = gateway.Observation{}, &gateway.Error{Class: gateway.Unsupported, Effect: gateway.EffectNone}
		}
	})
	f.start = func(g *sample, ctx context.Context, o gateway.DepositOrder) (gateway.DepositStarted, error) {
		o.Key = ""
		return g.StartDeposit(ctx, o)
	}
	f.descriptor = func(d *gateway.Descriptor) { d.Deposit.Keys, d.Payout.Keys, d.Account.Keys = none, none, none }
	return f
}

// foundOncePaid is a gateway that shows and lists payments, and not open forms.
func foundOncePaid() flaws {
	f := seen(func(k gateway.DepositKey, o *gateway.Observation, err *error) {
		if k.External.IsZero() && *err == nil && o.Paid == nil {
			*o, *err = gateway.Observation{}, &gateway.Error{Class: gateway.NotFound, Effect: gateway.EffectNone}
		}
	})
	f.subject = func(_ *testing.T, s *conformance.Subject) { s.FindsOncePaid = true }
	f.list = func(g *sample, ctx context.Context, w gateway.Window, c gateway.Cursor) (gateway.ObservationPage, error) {
		page, err := g.ListDeposits(ctx, w, c)
		page.Items = slices.DeleteFunc(page.Items, func(o gateway.Observation) bool { return o.Paid == nil })
		return page, err
	}
	return f
}

func wholeOnly() flaws {
	return flaws{
		descriptor: func(d *gateway.Descriptor) { d.Deposit.Refund.Partial = false },
		refund: func(g *sample, ctx context.Context, o gateway.RefundOrder) (gateway.RefundReport, error) {
			if !o.IsWhole {
				return gateway.RefundReport{}, &gateway.Error{Class: gateway.Unsupported, Effect: gateway.EffectNone}
			}
			return g.Refund(ctx, o)
		},
	}
}

func unsigned() flaws {
	return flaws{
		descriptor: func(d *gateway.Descriptor) {
			d.Notify.Trust = gateway.Hint
			config(func(f *gateway.ConfigField) { f.Rotates = false })(d)
		},
		subject: func(_ *testing.T, s *conformance.Subject) { s.StaleAfter = 0 },
		notify: func(_ *sample, _ context.Context, in gateway.Inbound) (gateway.Notification, error) {
			return readMessage(in.Body, gateway.Hint)
		},
	}
}

// secretInBody is a gateway that signs nothing and sends a secret along.
func secretInBody() flaws {
	return flaws{
		descriptor: func(d *gateway.Descriptor) { d.Notify.Trust = gateway.SharedSecret },
		subject: func(_ *testing.T, s *conformance.Subject) {
			s.StaleAfter = 0
			s.NewFake = func(t testing.TB, c gateway.Config, now func() time.Time) conformance.Fake {
				fake := newBank(t, c, now)
				signed := fake.Notification
				fake.Batch = nil
				fake.Notification = func(ref gateway.Ref) (gateway.Inbound, bool) {
					in, ok := signed(ref)
					in.Header = in.Header[:1]
					secret, _ := json.Marshal(map[string]string{"Secret": c.Text("hook_secret")})
					in.Body = bytes.Replace(in.Body, []byte("{"), append(secret[:len(secret)-1], ','), 1)
					return in, ok
				}
				return fake
			}
		},
		notify: func(g *sample, _ context.Context, in gateway.Inbound) (gateway.Notification, error) {
			trust := gateway.Hint
			var brought struct{ Secret string }
			if json.Unmarshal(in.Body, &brought) == nil && slices.Contains(g.config.Secrets("hook_secret"), brought.Secret) {
				trust = gateway.SharedSecret
			}
			return readMessage(in.Body, trust)
		},
	}
}
