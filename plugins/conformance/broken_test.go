package conformance_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/ports"
)

// defect is a mistake of a kind that plugins have had, and a sentence that must find it.
type defect struct {
	name  string
	fails string
	flaws flaws
}

// unclear ends the sentences of calls of which nobody knows whether they worked.
const unclear = " has an unknown effect, is found again and not made twice"

func defects() []defect {
	return slices.Concat(formDefects(), signatureDefects(), notificationDefects(), startDefects(), returnDefects(),
		readDefects(),
		giveBackDefects(), sendingDefects(), accountDefects(), hygieneDefects())
}

// doer is a Doer made of a function.
type doer func(ctx context.Context, r gateway.Request) (gateway.Response, error)

// Do implements ports.Doer.
func (d doer) Do(ctx context.Context, r gateway.Request) (gateway.Response, error) { return d(ctx, r) }

// between stands between the sample and its Doer.
type between func(next ports.Doer, ctx context.Context, r gateway.Request) (gateway.Response, error)

func over(wrap between) func(*ports.GatewayEnv) {
	return func(env *ports.GatewayEnv) {
		next := env.HTTP
		env.HTTP = doer(func(ctx context.Context, r gateway.Request) (gateway.Response, error) { return wrap(next, ctx, r) })
	}
}

// request changes each request.
func request(change func(r *gateway.Request)) func(*ports.GatewayEnv) {
	return over(func(next ports.Doer, ctx context.Context, r gateway.Request) (gateway.Response, error) {
		r.Header = slices.Clone(r.Header)
		change(&r)
		return next.Do(ctx, r)
	})
}

// response changes each answer.
func response(change func(r *gateway.Response)) func(*ports.GatewayEnv) {
	return over(func(next ports.Doer, ctx context.Context, r gateway.Request) (gateway.Response, error) {
		got, err := next.Do(ctx, r)
		change(&got)
		return got, err
	})
}

// failure changes each error of the Doer.
func failure(change func(e *gateway.Error)) func(*ports.GatewayEnv) {
	return over(func(next ports.Doer, ctx context.Context, r gateway.Request) (gateway.Response, error) {
		got, err := next.Do(ctx, r)
		if err == nil {
			return got, nil
		}
		e := *gateway.ErrorOf(err)
		change(&e)
		return got, &e
	})
}

func config(change func(f *gateway.ConfigField)) func(*gateway.Descriptor) {
	return func(d *gateway.Descriptor) {
		d.Config = slices.Clone(d.Config)
		for i := range d.Config {
			change(&d.Config[i])
		}
	}
}

func formDefects() []defect {
	const group = "form and config/"
	var shared sync.Map // what a package-level variable would be
	return []defect{
		{"says nothing of its notifications", group + "the descriptor and the methods agree", flaws{
			descriptor: func(d *gateway.Descriptor) { d.Notify = nil },
		}},
		{"takes a number as text", group + "opening makes no call and never panics", flaws{
			descriptor: config(func(f *gateway.ConfigField) { f.Required = f.Required && f.Name != "account" }),
			env: func(env *ports.GatewayEnv) {
				if env.Config.Text("account") == "" {
					panic("no account")
				}
			},
		}},
		{"does not check IBANs", group + "a customer's field of a well-known name is checked for what it is", flaws{
			descriptor: func(d *gateway.Descriptor) {
				d.Payout.Needs = []gateway.FieldSpec{{Name: "iban", Check: gateway.CheckText}}
			},
		}},
		{"takes test accounts in production", group + "keys of another environment are refused without a call", flaws{
			subject: func(_ *testing.T, s *conformance.Subject) { s.MisplacedConfig["account"] = "acme-test" },
		}},
		{"calls when it is opened", group + "opening makes no call and never panics", flaws{env: func(env *ports.GatewayEnv) {
			_, _ = env.HTTP.Do(context.Background(), gateway.Request{Method: "GET", URL: "https://api.sample.example/me"})
		}}},
		{"reaches another host", group + "no host is reached but those that are named",
			flaws{env: request(func(r *gateway.Request) {
				r.URL = strings.Replace(r.URL, "api.sample.example", "api2.sample.example", 1)
			})}},
		{"goes over plain http", group + "no host is reached but those that are named",
			flaws{env: request(func(r *gateway.Request) {
				r.URL = strings.Replace(r.URL, "https:", "http:", 1)
			})}},
		{"puts its key into the URL", group + "secrets show in no URL, error, report or printed gateway", flaws{
			env: func(env *ports.GatewayEnv) {
				key := env.Config.Text("api_key")
				request(func(r *gateway.Request) { r.URL += "?key=" + key })(env)
			},
		}},
		{"quotes its key in errors", group + "secrets show in no URL, error, report or printed gateway", flaws{
			env: func(env *ports.GatewayEnv) {
				key := env.Config.Text("api_key")
				failure(func(e *gateway.Error) { e.Err = errors.New("calling with " + key) })(env)
			},
		}},
		{"probes with its key in the detail", group + "secrets show in no URL, error, report or printed gateway", flaws{
			probe: func(g *sample, ctx context.Context) gateway.ProbeReport {
				report := g.Probe(ctx)
				report.Checks[0].Detail = "key " + g.config.Text("api_key")
				return report
			},
		}},
		{"prints its key", group + "secrets show in no URL, error, report or printed gateway", flaws{
			printed: func(env ports.GatewayEnv) string { return env.Config.Text("api_key") },
		}},
		{"keeps the first key for all", group + "two gateways of different configuration share nothing", flaws{
			env: request(func(r *gateway.Request) {
				for i, f := range r.Header {
					if f.Name == "Authorization" {
						first, _ := shared.LoadOrStore("key", f.Value)
						r.Header[i].Value, _ = first.(string)
					}
				}
			}),
		}},
	}
}

func signatureDefects() []defect {
	const group = "signatures/"
	return []defect{
		{"computes another vector", group + `the vector "HMAC of nothing" comes out as published`, flaws{
			subject: func(_ *testing.T, s *conformance.Subject) {
				s.Vectors[0].Check = func() (string, string) { return "b613679a0814d9ed", "b613679a0814d9ec" }
			},
		}},
		{"believes everybody", group + "a changed byte of the body is never believed", flaws{
			notify: func(_ *sample, _ context.Context, in gateway.Inbound) (gateway.Notification, error) {
				return readMessage(in.Body, gateway.Signed)
			},
		}},
		{"believes any secret", group + "a notification signed with another account's secrets is not believed", flaws{
			notify: func(_ *sample, _ context.Context, in gateway.Inbound) (gateway.Notification, error) {
				return readMessage(in.Body, gateway.Signed)
			},
		}},
		{"promises more than it does", group + "a notification is trusted as the descriptor says, and no more", flaws{
			notify: func(_ *sample, _ context.Context, in gateway.Inbound) (gateway.Notification, error) {
				return readMessage(in.Body, gateway.Hint)
			},
		}},
		{"takes the first of two signatures", group + "a signature that is missing, empty, cut or doubled is refused", flaws{
			notify: func(g *sample, ctx context.Context, in gateway.Inbound) (gateway.Notification, error) {
				in.Header = gateway.Header{{Name: "Content-Type", Value: "application/json"},
					{Name: signatureHeader, Value: in.Header.Get(signatureHeader)}}
				return g.ReadNotification(ctx, in)
			},
		}},
		{"takes half a signature", group + "a signature that is missing, empty, cut or doubled is refused", flaws{
			notify: func(g *sample, ctx context.Context, in gateway.Inbound) (gateway.Notification, error) {
				n, err := g.ReadNotification(ctx, in)
				if given := in.Header.Get(signatureHeader); err != nil && len(given) > 10 && len(given) < 60 {
					return readMessage(in.Body, gateway.Signed)
				}
				return n, err
			},
		}},
		{"forgets the previous secret", group + "the secret before the last change is taken beside the new one", flaws{
			env: func(env *ports.GatewayEnv) {
				values := map[string]string{}
				for _, f := range descriptor().Config {
					values[f.Name] = env.Config.Text(f.Name)
				}
				env.Config = gateway.NewConfig(descriptor().Config, values, nil)
			},
		}},
		{"signs with nothing", group + "where no secret is set nothing is signed", flaws{
			notify: func(g *sample, ctx context.Context, in gateway.Inbound) (gateway.Notification, error) {
				if g.config.Text("hook_secret") == "" {
					return readMessage(in.Body, gateway.Signed)
				}
				return g.ReadNotification(ctx, in)
			},
		}},
		{"takes old messages", group + "a notification that is too old is refused", flaws{
			notify: func(g *sample, ctx context.Context, in gateway.Inbound) (gateway.Notification, error) {
				stamp, _, _ := strings.Cut(strings.TrimPrefix(in.Header.Get(signatureHeader), "t="), ",")
				seconds, _ := strconv.ParseInt(stamp, 10, 64)
				then := *g
				then.clock = stopped{time.Unix(seconds, 0)}
				return then.ReadNotification(ctx, in)
			},
		}},
	}
}

type stopped struct{ at time.Time }

// Now implements ports.Clock.
func (s stopped) Now() time.Time { return s.at }

// heard changes what a right notification says.
func heard(change func(n *gateway.Notification)) flaws {
	return flaws{notify: func(g *sample, ctx context.Context, in gateway.Inbound) (gateway.Notification, error) {
		n, err := g.ReadNotification(ctx, in)
		change(&n)
		return n, err
	}}
}

func notificationDefects() []defect {
	const group = "notifications/"
	return []defect{
		{"asks while it reads", group + "a notification is read without a call, by any gateway of the same configuration", flaws{
			notify: func(g *sample, ctx context.Context, in gateway.Inbound) (gateway.Notification, error) {
				g.Probe(ctx)
				return g.ReadNotification(ctx, in)
			},
		}},
		{"gives random IDs", group + "the same message has the same ID each time", heard(func(n *gateway.Notification) {
			n.ID = fmt.Sprint(rand.Uint64())
		})},
		{"gives no IDs", group + "the same message has the same ID each time", heard(func(n *gateway.Notification) { n.ID = "" })},
		{"gives one ID to all of an order", group + "different events have different IDs", heard(func(n *gateway.Notification) {
			n.ID = "evt"
		})},
		{"panics on what it does not know", group + "a hostile body never causes a panic and is never trusted", flaws{
			notify: func(g *sample, ctx context.Context, in gateway.Inbound) (gateway.Notification, error) {
				_ = in.Body[0]
				return g.ReadNotification(ctx, in)
			},
		}},
		{"believes bodies that are not signed", group + "a hostile body never causes a panic and is never trusted", flaws{
			notify: func(g *sample, ctx context.Context, in gateway.Inbound) (gateway.Notification, error) {
				if len(in.Header) == 0 {
					paid := gateway.Lira(money.New(100, money.TRY))
					return gateway.Notification{ID: "1", Events: []gateway.Observation{{State: gateway.Paid, Paid: &paid,
						Trust: gateway.Signed}}}, nil
				}
				return g.ReadNotification(ctx, in)
			},
		}},
		{"fails at a new status", group + "a status that nobody documented is no error, and Unknown", flaws{
			notify: func(g *sample, ctx context.Context, in gateway.Inbound) (gateway.Notification, error) {
				n, err := g.ReadNotification(ctx, in)
				if err == nil && len(n.Events) > 0 && n.Events[0].State == gateway.Unknown {
					return n, invalid("unknown status")
				}
				return n, err
			},
		}},
		{"does not name the order", group + "a notification names its order and does not contradict it",
			heard(func(n *gateway.Notification) {
				for i := range n.Events {
					n.Events[i].Ref, n.Events[i].External = "", gateway.ExternalRef{}
				}
			})},
		{"fails at a new type", group + "a message of a type that nobody documented is no error, and decides nothing", flaws{
			notify: func(g *sample, ctx context.Context, in gateway.Inbound) (gateway.Notification, error) {
				n, err := g.ReadNotification(ctx, in)
				if err == nil && len(n.Events)+len(n.Payouts) == 0 {
					return n, invalid("unknown type")
				}
				return n, err
			},
		}},
		{"reports the first event only", group + "a message that tells of several orders reports each",
			heard(func(n *gateway.Notification) {
				n.Events = n.Events[:min(1, len(n.Events))]
			})},
		{"refuses what it keeps", group + "a reply says success, refusal or try again",
			flaws{acknowledge: func(gateway.Disposition) gateway.Reply {
				return gateway.Reply{Status: 404}
			}}},
		{"thanks for forgeries", group + "a reply says success, refusal or try again",
			flaws{acknowledge: func(gateway.Disposition) gateway.Reply {
				return gateway.Reply{Status: 200}
			}}},
		{"says thanks in other words", group + "a reply says success, refusal or try again", flaws{
			acknowledge: func(d gateway.Disposition) gateway.Reply {
				reply := gateway.DefaultReply(d)
				reply.Body += "\n"
				return reply
			},
		}},
	}
}
