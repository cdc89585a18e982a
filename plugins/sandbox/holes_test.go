package sandbox_test

import (
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/ports"
)

// The mutants of this file passed the kit once, or are incidents of other payment plugins: the kit's README names the
// reports.

// describing changes a copy of the descriptor's traits.
func describing(change func(d *gateway.DepositTraits, n *gateway.NotifyTraits)) func(*gateway.Descriptor) {
	return func(d *gateway.Descriptor) {
		deposit, notify := *d.Deposit, *d.Notify
		change(&deposit, &notify)
		d.Deposit, d.Notify = &deposit, &notify
	}
}

// believing takes every answer for that about the order that was asked about last.
func believing() flaws {
	var mu sync.Mutex
	asked := ""
	inPath := regexp.MustCompile(`/(deposits|refunds)/(KIT[0-9A-Z]+)`)
	inAnswer := regexp.MustCompile(`"reference":"KIT[^"]*"`)
	return flaws{
		request: func(r *gateway.Request) {
			var order struct{ Reference string }
			mu.Lock()
			defer mu.Unlock()
			if found := inPath.FindStringSubmatch(r.URL); found != nil {
				asked = found[2]
			}
			if json.Unmarshal(r.Body, &order) == nil && order.Reference != "" {
				asked = order.Reference
			}
		},
		response: func(r *gateway.Response) {
			mu.Lock()
			defer mu.Unlock()
			r.Body = inAnswer.ReplaceAll(r.Body, []byte(`"reference":"`+asked+`"`))
		},
	}
}

// each makes flaws that remember, anew for each gateway.
func each(name, fails string, f func() flaws) mutant {
	return mutant{name: name, fails: fails, flaws: func(ports.GatewayEnv) flaws { return f() }}
}

// keyless sends no keys.
func keyless(ports.GatewayEnv) flaws {
	isKey := func(f gateway.Field) bool { return strings.HasPrefix(f.Value, "key-of-") }
	return flaws{request: func(r *gateway.Request) { r.Header = slices.DeleteFunc(r.Header, isKey) }}
}

func holeMutants() []mutant {
	started := func(change func(o *gateway.DepositOrder)) flaws {
		return flaws{start: func(o gateway.DepositOrder, next func(gateway.DepositOrder) (gateway.DepositStarted, error)) (gateway.DepositStarted, error) {
			change(&o)
			return next(o)
		}}
	}
	read := func(change func(k gateway.DepositKey, o *gateway.Observation)) flaws {
		return flaws{read: always(func(k gateway.DepositKey, o *gateway.Observation, err *error) {
			if *err == nil {
				change(k, o)
			}
		})}
	}
	becomes := func(from, to gateway.State) flaws {
		return read(func(k gateway.DepositKey, o *gateway.Observation) {
			if o.State == from {
				o.State, o.Paid = to, &k.Due
			}
		})
	}
	is := func(s conformance.Situation, says string) string {
		return "read/a deposit that is " + string(s) + " is " + says
	}
	const addresses = "start/the customer's return and the gateway's notifications have their addresses"
	return []mutant{
		plain("returns to the notification's address", addresses, started(func(o *gateway.DepositOrder) { o.ReturnURL = o.NotifyURL })),
		plain("notifies at the return's address", addresses, started(func(o *gateway.DepositOrder) { o.NotifyURL = o.ReturnURL })),
		plain("loses the query of an address", addresses, started(func(o *gateway.DepositOrder) {
			u := *o.ReturnURL
			u.RawQuery = ""
			o.ReturnURL = &u
		})),
		each("takes another order's answer", "read/an answer about another one is not taken for a deposit of ours", believing),
		each("takes another start's answer", "start/the answer to another order's start is not taken for ours", believing),
		each("takes another refund's answer", "cancel and refund/the answer about another refund is not taken for ours", believing),
		plain("has the last card decide", is(conformance.IsPaidAmongFailures, "Paid: the card that succeeded counts"), becomes(gateway.Paid, gateway.Failed)),
		{name: "checks no signature", fails: "signatures/what the gateway signs is checked, whatever it is trusted for",
			describes: describing(func(_ *gateway.DepositTraits, n *gateway.NotifyTraits) { n.Trust = gateway.Hint }),
			flaws: func(env ports.GatewayEnv) flaws {
				return flaws{hear: func(in gateway.Inbound, next func(gateway.Inbound) (gateway.Notification, error)) (gateway.Notification, error) {
					n, err := next(signedAt(in, env.Config.Text("notify_secret"), env.Clock.Now()))
					for i := range n.Events {
						n.Events[i].Trust = gateway.Hint
					}
					return n, err
				}}
			}},
		{name: "has a fake of three situations", fails: is(conformance.IsInReview, "Review, apart from Paid"),
			flaws: func(ports.GatewayEnv) flaws { return flaws{} },
			changes: func(s *conformance.Subject) {
				make := s.NewFake
				s.NewFake = func(t testing.TB, c gateway.Config, now func() time.Time) conformance.Fake {
					fake := make(t, c, now)
					set := fake.Set
					fake.Set = func(ref gateway.Ref, to conformance.Situation) bool {
						return (to == conformance.IsWaiting || to == conformance.IsPaid || to == conformance.IsUnlisted) && set(ref, to)
					}
					return fake
				}
			}},
		plain("names an event by its status alone", "notifications/different events have different IDs", flaws{
			hear: always(func(_ gateway.Inbound, n *gateway.Notification, _ *error) {
				if len(n.Events) > 0 {
					n.ID = string(n.Events[0].Ref) + string(n.Events[0].State)
				}
			}),
		}),
		plain("takes an empty object for a start", "start/a deposit that meets status 200 with an empty object"+unclear, flaws{
			start: always(func(_ gateway.DepositOrder, s *gateway.DepositStarted, err *error) {
				if gateway.IsClass(*err, gateway.Retryable) && gateway.ErrorOf(*err).RawCode == "other_reference" {
					s.Next, *err = gateway.NextStep{Redirect: &gateway.Redirect{}}, nil
				}
			}),
		}),
		plain("sends the same nonce each time", "hygiene/what must be new with each request is", flaws{
			request: func(r *gateway.Request) { r.Header = append(r.Header, gateway.Field{Name: "X-Nonce", Value: "1"}) },
		}),
		{name: "looks for no earlier refund", fails: "cancel and refund/a refund that was made is looked for before it is made again",
			describes: describing(func(d *gateway.DepositTraits, _ *gateway.NotifyTraits) { d.Keys.Mode = gateway.NoKey }),
			flaws: func(ports.GatewayEnv) flaws {
				var known refs
				return flaws{refund: func(o gateway.RefundOrder, next func(gateway.RefundOrder) (gateway.RefundReport, error)) (gateway.RefundReport, error) {
					o.RefundRef, o.Key = known.renamed(o.RefundRef, o.Key)
					return next(o)
				}}
			}},
		{name: "promises keys and sends none", fails: "start/the key goes with a deposit", flaws: keyless,
			describes: describing(func(d *gateway.DepositTraits, _ *gateway.NotifyTraits) { d.Keys.Mode = gateway.HeaderKey })},
		{name: "promises keys of refunds and sends none", fails: "cancel and refund/the key goes with a refund", flaws: keyless,
			describes: describing(func(d *gateway.DepositTraits, _ *gateway.NotifyTraits) {
				d.Refund.Keys = gateway.KeyTraits{Mode: gateway.HeaderKey, Find: true}
			})},
		plain("has the browser post a form that the gateway does not take", "start/every kind of payment can be started", flaws{
			start: always(func(_ gateway.DepositOrder, s *gateway.DepositStarted, _ *error) {
				s.Next = gateway.NextStep{Form: &gateway.FormPost{Action: "https://bank.example.com/nowhere", Fields: [][2]string{{"a", "b"}}}}
			}),
		}),
		plain("does not know what a refusal did", "start/a start that the gateway refuses has no effect, and is no fault", flaws{
			start: always(func(_ gateway.DepositOrder, _ *gateway.DepositStarted, err *error) {
				if gateway.IsClass(*err, gateway.Refused) {
					*err = &gateway.Error{Class: gateway.Refused}
				}
			}),
		}),
		plain("breaks at a quotation mark", "start/a customer of any name can pay", flaws{
			start: func(o gateway.DepositOrder, next func(gateway.DepositOrder) (gateway.DepositStarted, error)) (gateway.DepositStarted, error) {
				if strings.Contains(o.Customer.FullName, `"`) {
					return gateway.DepositStarted{}, &gateway.Error{Class: gateway.Misconfigured, Effect: gateway.EffectNone, Err: errors.New("signature")}
				}
				return next(o)
			},
		}),
		plain("takes a part for the whole", is(conformance.IsPartRefunded, "PartRefunded, and not all of it"), becomes(gateway.PartRefunded, gateway.Refunded)),
		plain("does not see a chargeback", is(conformance.IsDisputed, "Disputed, and neither Paid nor Failed"), becomes(gateway.Disputed, gateway.Paid)),
		{name: "ends by its own clock", fails: "read/money that comes after the end is seen", flaws: func(env ports.GatewayEnv) flaws {
			var ends sync.Map
			f := read(func(k gateway.DepositKey, o *gateway.Observation) {
				if at, ok := ends.Load(k.Ref); ok && env.Clock.Now().After(at.(time.Time)) {
					o.State, o.Paid = gateway.Expired, nil
				}
			})
			f.start = always(func(o gateway.DepositOrder, s *gateway.DepositStarted, _ *error) { ends.Store(o.Ref, s.ExpiresAt) })
			return f
		}},
		each("keeps answers", "read/what happened since the last question is seen", func() flaws {
			var known sync.Map
			return read(func(k gateway.DepositKey, o *gateway.Observation) {
				if first, isKnown := known.LoadOrStore(k.Ref, *o); isKnown {
					*o = first.(gateway.Observation)
				}
			})
		}),
		plain("asks for what it learnt in the wrong place", "read/what a question taught can go back with the next", flaws{
			read: func(k gateway.DepositKey, next func(gateway.DepositKey) (gateway.Observation, error)) (gateway.Observation, error) {
				if k.External.Alt["payment"] != "" {
					return gateway.Observation{}, &gateway.Error{Class: gateway.NotFound, Effect: gateway.EffectNone}
				}
				o, err := next(k)
				o.External.Alt = map[string]string{"payment": "1"}
				return o, err
			},
		}),
		each("reads the first refund for each", "cancel and refund/each of several refunds reads as itself", func() flaws {
			var first sync.Map
			return flaws{readRefund: func(k gateway.RefundKey, next func(gateway.RefundKey) (gateway.RefundReport, error)) (gateway.RefundReport, error) {
				known, _ := first.LoadOrStore(k.Ref, k)
				return next(known.(gateway.RefundKey))
			}}
		}),
		plain("finds by the beginning", "read/a deposit whose reference begins another one is not taken for it", flaws{
			read: func(k gateway.DepositKey, next func(gateway.DepositKey) (gateway.Observation, error)) (gateway.Observation, error) {
				o, err := next(k)
				if gateway.IsClass(err, gateway.NotFound) {
					k.Ref += "1"
					return next(k)
				}
				return o, err
			},
		}),
		plain("reads identifiers as numbers", is(conformance.IsPaid, "Paid with exactly what was due"), read(func(_ gateway.DepositKey, o *gateway.Observation) {
			o.External.ID = "2.5149157e+07"
		})),
		plain("keeps what the gateway says of a card", is(conformance.IsPaid, "Paid with exactly what was due"), read(func(_ gateway.DepositKey, o *gateway.Observation) {
			o.Raw = "paid with 5528 7900 0000 0008"
		})),
		{name: "sends customers over http", fails: "start/the next step is one that the descriptor promises, and can be taken",
			flaws: func(ports.GatewayEnv) flaws {
				return flaws{start: always(func(_ gateway.DepositOrder, s *gateway.DepositStarted, _ *error) {
					if s.Next.Redirect != nil {
						s.Next.Redirect = &gateway.Redirect{URL: strings.Replace(s.Next.Redirect.URL, "https://", "http://", 1)}
					}
				})}
			},
			changes: func(s *conformance.Subject) {
				s.Config = maps.Clone(s.Config)
				s.Config["base_url"] = "https://sandbox.test"
			}},
	}
}
