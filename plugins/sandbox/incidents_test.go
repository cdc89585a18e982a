package sandbox_test

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/plugkit"
	"github.com/vezne/vezne/ports"
)

// The mutants of this file passed the kit until it was asked about units, modes, replays and what stands between a plugin and
// its gateway.

func incidentMutants() []mutant {
	const (
		startAnswer = "start/a start whose answer is of another amount or currency is not shown to the customer"
		redirect    = "status 302 to another host"
		noPage      = "a proxy's page with status 404"
		parted      = "read/a deposit that is " + string(conformance.IsPartRefunded) + " is PartRefunded, and not all of it"
	)
	hundredth := func(m *gateway.Money) *gateway.Money {
		if m == nil {
			return nil
		}
		return &gateway.Money{Amount: m.Amount.QuoDown(money.MustDecimal("100"), m.Asset.Decimals), Asset: m.Asset}
	}
	hears := func(change func(in gateway.Inbound, n *gateway.Notification, err *error)) flaws {
		return flaws{hear: always(change)}
	}
	reads := func(change func(o *gateway.Observation)) flaws {
		return flaws{read: always(func(_ gateway.DepositKey, o *gateway.Observation, _ *error) { change(o) })}
	}
	compressed := plain("unpacks what it is sent", "hygiene/the source imports no network, disk, database, log or random numbers", flaws{})
	compressed.source = "package sandbox\n\nimport _ \"compress/gzip\"\n"
	return []mutant{
		compressed,
		plain("shows another amount than was ordered", startAnswer, flaws{
			start: always(func(o gateway.DepositOrder, s *gateway.DepositStarted, err *error) {
				if gateway.IsClass(*err, gateway.Retryable) && gateway.ErrorOf(*err).RawCode == "other_amount" {
					s.Next, *err = gateway.NextStep{Redirect: &gateway.Redirect{URL: "http://sandbox.test/pay/1"}}, nil
				}
			}),
		}),
		{name: "takes the other mode's money", fails: "notifications/a message of the other mode, test or live, moves no money",
			flaws: func(ports.GatewayEnv) flaws { return flaws{} },
			changes: func(s *conformance.Subject) {
				make := s.NewFake
				s.NewFake = func(t testing.TB, c gateway.Config, now func() time.Time) conformance.Fake {
					fake := make(t, c, now)
					set := fake.Set
					fake.Set = func(ref gateway.Ref, to conformance.Situation) bool {
						if to == conformance.IsOfOtherMode {
							to = conformance.IsPaid
						}
						return set(ref, to)
					}
					return fake
				}
			}},
		plain("approves what is declined", "cancel and refund/a held deposit that is approved is paid, and one that is declined is not", flaws{
			review: func(o gateway.ReviewOrder, next func(gateway.ReviewOrder) (gateway.Observation, error)) (gateway.Observation, error) {
				o.Approves = true
				return next(o)
			},
		}),
		plain("tells of lira as kuruş", "notifications/a notification of a deposit names it and does not contradict it", hears(
			func(_ gateway.Inbound, n *gateway.Notification, _ *error) {
				for i := range n.Events {
					n.Events[i].Paid = hundredth(n.Events[i].Paid)
				}
			})),
		plain("reads what was given back as kuruş", parted, reads(func(o *gateway.Observation) { o.Refunded = hundredth(o.Refunded) })),
		plain("does not say how much was given back", parted, reads(func(o *gateway.Observation) { o.Refunded = nil })),
		plain("gives back a hundredth", "cancel and refund/a whole refund gives back what was paid", flaws{
			refund: func(o gateway.RefundOrder, next func(gateway.RefundOrder) (gateway.RefundReport, error)) (gateway.RefundReport, error) {
				asked := o.Amount
				o.Amount = *hundredth(&o.Amount)
				r, err := next(o)
				if r.Amount != nil {
					r.Amount = &asked
				}
				return r, err
			},
		}),
		plain("reads a time without its zone", "read/a deposit that is "+string(conformance.IsPaid)+" is Paid with exactly what was due",
			reads(func(o *gateway.Observation) { o.At = o.At.Add(3 * time.Hour) })),
		plain("tells a time without its zone", "notifications/a notification of a deposit names it and does not contradict it", hears(
			func(_ gateway.Inbound, n *gateway.Notification, _ *error) {
				for i := range n.Events {
					n.Events[i].At = n.Events[i].At.Add(-3 * time.Hour)
				}
			})),
		plain("names the order by the address", "notifications/a message that is sent again to another order's address stays with its order", hears(
			func(in gateway.Inbound, n *gateway.Notification, _ *error) {
				if q, _ := url.ParseQuery(in.Query); q.Get("of") != "" {
					for i := range n.Events {
						n.Events[i].Ref = gateway.Ref(q.Get("of"))
					}
				}
			})),
		plain("takes a refund for a payment", "notifications/a notification of a deposit names it and does not contradict it", hears(
			func(_ gateway.Inbound, n *gateway.Notification, _ *error) {
				for i, e := range n.Events {
					if e.State == gateway.Refunded {
						n.Events[i].State = gateway.Paid
					}
				}
			})),
		plain("takes a dispute for a failure", "notifications/a notification of a deposit names it and does not contradict it", hears(
			func(_ gateway.Inbound, n *gateway.Notification, _ *error) {
				for i, e := range n.Events {
					if e.State == gateway.Disputed {
						n.Events[i].State = gateway.Failed
					}
				}
			})),
		plain("follows where it is sent", "read/reading a deposit that meets "+redirect+" is an error and no answer", flaws{
			response: func(r *gateway.Response) {
				if r.Status/100 == 3 {
					r.Status, r.Body = http.StatusOK, []byte(`{"status":"paid"}`)
				}
			},
		}),
		{name: "asks the host that it was sent to", fails: "read/reading a deposit that meets " + redirect + " is an error and no answer",
			flaws: func(env ports.GatewayEnv) flaws {
				return flaws{read: func(k gateway.DepositKey, next func(gateway.DepositKey) (gateway.Observation, error)) (gateway.Observation, error) {
					o, err := next(k)
					if err != nil && gateway.ErrorOf(err).RawCode == "302" {
						_, err = env.HTTP.Do(context.Background(), gateway.Request{Method: "GET", URL: "https://elsewhere.example.com/v1/deposits"})
					}
					return o, err
				}}
			}},
		plain("takes a proxy's page for the gateway's word", "read/reading a deposit that meets "+noPage+" is an error and no answer", flaws{
			response: func(r *gateway.Response) {
				if r.Status == http.StatusNotFound {
					r.Header, r.Body = nil, nil
				}
			},
		}),
		plain("takes a lost page for an order that was never made", "start/a deposit that meets "+noPage+unclear, flaws{
			start: always(func(_ gateway.DepositOrder, _ *gateway.DepositStarted, err *error) {
				if gateway.IsClass(*err, gateway.Retryable) && gateway.ErrorOf(*err).RawCode == "404" {
					*err = plugkit.Refuse(gateway.Invalid, "404")
				}
			}),
		}),
		{name: "goes over http", fails: "descriptor and config/no host is reached but those that are named",
			flaws: func(ports.GatewayEnv) flaws {
				return flaws{request: func(r *gateway.Request) { r.URL = strings.Replace(r.URL, "https://", "http://", 1) }}
			},
			changes: func(s *conformance.Subject) {
				s.Config = maps.Clone(s.Config)
				s.Config["base_url"] = "https://sandbox.test"
			}},
		{name: "puts its key into the address", fails: "descriptor and config/secrets show in no URL, error, report or printed gateway",
			flaws: func(env ports.GatewayEnv) flaws {
				return flaws{request: func(r *gateway.Request) {
					sign := "?"
					if strings.Contains(r.URL, "?") {
						sign = "&"
					}
					r.URL += sign + "key=" + env.Config.Text("api_secret")
				}}
			}},
		plain("counts in floats", "start/a deposit of 19.99 lira, or the nearest amount that is allowed, arrives exactly", flaws{
			start: func(o gateway.DepositOrder, next func(gateway.DepositOrder) (gateway.DepositStarted, error)) (gateway.DepositStarted, error) {
				if o.Amount.Amount.String() == "19.99" {
					o.Amount.Amount = money.MustDecimal("19.98") // 19.99 * 100 is 1998.9999999999998
				}
				return next(o)
			},
		}),
		plain("breaks at a letter of four bytes", "start/a customer of any name can pay", flaws{
			start: func(o gateway.DepositOrder, next func(gateway.DepositOrder) (gateway.DepositStarted, error)) (gateway.DepositStarted, error) {
				if strings.Contains(o.Customer.FullName, "🌸") {
					return gateway.DepositStarted{}, plugkit.Refuse(gateway.Invalid, "Incorrect string value: '\\xF0\\x9F\\x8C\\xB8'")
				}
				return next(o)
			},
		}),
		plain("breaks at an address of IPv6", "start/a customer of any name can pay", flaws{
			start: func(o gateway.DepositOrder, next func(gateway.DepositOrder) (gateway.DepositStarted, error)) (gateway.DepositStarted, error) {
				if strings.Contains(o.Customer.IP, ":") {
					return gateway.DepositStarted{}, plugkit.Refuse(gateway.Invalid, "user_ip")
				}
				return next(o)
			},
		}),
	}
}
