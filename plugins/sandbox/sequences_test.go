package sandbox_test

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/plugkit"
	"github.com/vezne/vezne/plugins/sandbox/bank"
	"github.com/vezne/vezne/ports"
)

// The mutants of this file passed the kit until it was asked about several calls: a plugin for a crypto gateway with tokens, lists and
// further payments to one address was made wrong in these ways.

type (
	startCall = func(gateway.DepositOrder) (gateway.DepositStarted, error)
	readCall  = func(gateway.DepositKey) (gateway.Observation, error)
	hearCall  = func(gateway.Inbound) (gateway.Notification, error)
)

func sequenceMutants() []mutant {
	return []mutant{
		{name: "takes another order's answer in a session", fails: "read/an answer about another one is not taken for a deposit of ours",
			flaws: func(env ports.GatewayEnv) flaws {
				f := believing()
				var session sync.Once
				f.read = func(k gateway.DepositKey, next readCall) (gateway.Observation, error) {
					session.Do(func() {
						_, _ = env.HTTP.Do(context.Background(), gateway.Request{Method: "GET", URL: env.Config.Text("base_url") + "/v1/options"})
					})
					return next(k)
				}
				return f
			}},
		plain("sends once more after a timeout", "start/a deposit that meets no answer in time"+unclear, flaws{
			start: func(o gateway.DepositOrder, next startCall) (gateway.DepositStarted, error) {
				started, err := next(o)
				if err != nil && !gateway.HasNoEffect(err) {
					o.Ref, o.Key = o.Ref+again, o.Key+again
					return next(o)
				}
				return started, err
			},
		}),
		{name: "takes what is signed with nothing", fails: "signatures/a notification that is signed with an empty secret is refused",
			flaws: func(env ports.GatewayEnv) flaws {
				return flaws{hear: func(in gateway.Inbound, next hearCall) (gateway.Notification, error) {
					if signature := in.Header.Get(bank.SignatureHeader); signature == signedAt(in, "", env.Clock.Now()).Header[0].Value {
						in = signedAt(in, env.Config.Text("notify_secret"), env.Clock.Now())
					}
					return next(in)
				}}
			}},
		plain("claims an end that it does not send", "start/the end that was asked for reaches the gateway", flaws{
			start: func(o gateway.DepositOrder, next startCall) (gateway.DepositStarted, error) {
				asked := o.ExpiresAt
				o.ExpiresAt = conformance.Opening.Add(time.Hour)
				started, err := next(o)
				started.ExpiresAt = asked
				return started, err
			},
		}),
		{name: "begins no second session", fails: "hygiene/questions are answered a day later, too",
			flaws: func(env ports.GatewayEnv) flaws {
				begun := env.Clock.Now()
				return flaws{read: func(k gateway.DepositKey, next readCall) (gateway.Observation, error) {
					if env.Clock.Now().Sub(begun) > 24*time.Hour {
						return gateway.Observation{}, plugkit.Refuse(gateway.Unauthenticated, "the session has ended")
					}
					return next(k)
				}}
			}},
		each("asks one question at a time", "hygiene/a question does not wait for another one's answer", func() flaws {
			var mu sync.Mutex
			return flaws{read: func(k gateway.DepositKey, next readCall) (gateway.Observation, error) {
				mu.Lock()
				defer mu.Unlock()
				return next(k)
			}}
		}),
		each("looks through one page of a hundred", "read/a deposit is found behind a hundred later ones", func() flaws {
			var mu sync.Mutex
			var page []gateway.Ref
			return flaws{
				start: always(func(o gateway.DepositOrder, _ *gateway.DepositStarted, _ *error) {
					mu.Lock()
					defer mu.Unlock()
					page = append(page[max(0, len(page)-99):], o.Ref)
				}),
				read: func(k gateway.DepositKey, next readCall) (gateway.Observation, error) {
					mu.Lock()
					isListed := slices.Contains(page, k.Ref)
					mu.Unlock()
					if k.External.IsZero() && !isListed {
						return gateway.Observation{}, plugkit.Refuse(gateway.NotFound, "it is not on the page")
					}
					return next(k)
				},
			}
		}),
		each("tells of what was asked for", "notifications/a notification that is believed says what really came", func() flaws {
			var asked sync.Map
			return flaws{
				start: always(func(o gateway.DepositOrder, _ *gateway.DepositStarted, _ *error) { asked.Store(o.Ref, o.Amount) }),
				hear: always(func(_ gateway.Inbound, n *gateway.Notification, _ *error) {
					for i, e := range n.Events {
						if amount, isKnown := asked.Load(e.Ref); isKnown && e.Paid != nil {
							due := amount.(gateway.Money)
							n.Events[i].State, n.Events[i].Paid = gateway.Paid, &due
						}
					}
				}),
			}
		}),
	}
}
