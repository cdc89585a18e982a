package conformance_test

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/ports"
)

// begun changes the order of a start before it, and its result after it.
func begun(before func(o *gateway.DepositOrder), after func(o gateway.DepositOrder, s *gateway.DepositStarted,
	err *error)) flaws {
	return flaws{start: func(g *sample, ctx context.Context, o gateway.DepositOrder) (gateway.DepositStarted, error) {
		if before != nil {
			before(&o)
		}
		s, err := g.StartDeposit(ctx, o)
		if after != nil {
			after(o, &s, &err)
		}
		return s, err
	}}
}

func startDefects() []defect {
	const group = "start/"
	var firsts sync.Map // by gateway: the amount of its first order
	mixing := func(g *sample, ctx context.Context, o gateway.DepositOrder) (gateway.DepositStarted, error) {
		first, _ := firsts.LoadOrStore(g, o.Amount)
		o.Amount, _ = first.(gateway.Money)
		return g.StartDeposit(ctx, o)
	}
	return []defect{
		{"drops the kuruş", group + "99999.99 lira, or the nearest amount that is allowed, arrives exactly",
			begun(func(o *gateway.DepositOrder) {
				whole, _, _ := strings.Cut(o.Amount.Amount.String(), ".")
				o.Amount.Amount = money.MustDecimal(whole)
			}, nil)},
		{"sends kuruş for lira", group + "250 lira, or the nearest amount that is allowed, arrives exactly",
			begun(func(o *gateway.DepositOrder) { o.Amount.Amount = o.Amount.Amount.Mul(money.MustDecimal("100")) }, nil)},
		{"sends no key", group + "the same start sent again makes one order",
			begun(func(o *gateway.DepositOrder) { o.Key = "" }, nil)},
		{"sends no key after a timeout", group + "a start that meets no answer in time" + unclear,
			begun(func(o *gateway.DepositOrder) { o.Key = "" }, nil)},
		{"takes a timeout for nothing", group + "a start that meets no answer in time" + unclear,
			flaws{env: failure(func(e *gateway.Error) { e.Effect = gateway.EffectNone })}},
		{"fears what was never sent", group + "a start that meets a connection that can't be made has no effect and can be " +
			"sent again",
			flaws{env: failure(func(e *gateway.Error) { e.Effect = gateway.EffectUnknown })}},
		{"takes status 500 for a refusal", group + "a start that meets status 500 with JSON" + unclear,
			flaws{env: response(func(r *gateway.Response) {
				if r.Status == 500 {
					r.Status = 400
				}
			})}},
		{"takes a page for success", group + "a start that meets a proxy's page with status 200" + unclear,
			begun(nil, func(_ gateway.DepositOrder, s *gateway.DepositStarted, err *error) {
				if *err != nil && strings.Contains((*err).Error(), "html") {
					*s, *err = gateway.DepositStarted{Next: gateway.NextStep{Wait: &gateway.Wait{}}}, nil
				}
			})},
		{"hurries after status 429", group + "a start that meets status 429 has no effect and can be sent again",
			flaws{env: response(func(r *gateway.Response) { r.Header = nil })}},
		{"takes a wrong key for a decline", group + "a start with refused keys is misconfigured, not declined",
			flaws{env: response(func(r *gateway.Response) {
				if r.Status == 401 {
					r.Status = 400
				}
			})}},
		{"does not listen to its context", group + "a start that hangs ends with its context",
			flaws{env: over(func(next ports.Doer, ctx context.Context, r gateway.Request) (gateway.Response, error) {
				return next.Do(context.WithoutCancel(ctx), r)
			})}},
		{"starts under a context that is over", group + "a start under a context that is over has no effect",
			flaws{env: over(func(next ports.Doer, ctx context.Context, r gateway.Request) (gateway.Response, error) {
				return next.Do(context.WithoutCancel(ctx), r)
			})}},
		{"puts the email into the URL", group + "nothing personal is in a URL", flaws{env: request(func(r *gateway.Request) {
			r.URL += "?email=gizem.sakli%40example.org"
		})}},
		{"gives a step that it did not promise", group + "the next step is one that the descriptor promises, and can be taken",
			begun(nil, func(_ gateway.DepositOrder, s *gateway.DepositStarted, _ *error) {
				s.Next = gateway.NextStep{Wait: &gateway.Wait{PollAfter: time.Second}}
			})},
		{"collects on an account that it did not declare",
			group + "a bank account that customers pay to is one that the configuration declares",
			begun(nil, func(o gateway.DepositOrder, s *gateway.DepositStarted, _ *error) {
				s.Next = gateway.NextStep{Pay: &gateway.Instructions{
					Kind: gateway.Bank, IBAN: "TR399999800000000000000001", Asset: gateway.TRY, Exact: o.Amount.Amount,
				}}
			})},
		{"gives two steps", group + "the next step is one that the descriptor promises, and can be taken",
			begun(nil, func(_ gateway.DepositOrder, s *gateway.DepositStarted, _ *error) { s.Next.Wait = &gateway.Wait{} })},
		{"lets deposits live longer", group + "a deposit ends no later than was asked or is promised",
			begun(func(o *gateway.DepositOrder) { o.ExpiresAt = o.ExpiresAt.Add(time.Hour) }, nil)},
		{"mixes starts", group + "concurrent starts do not mix", flaws{start: mixing}},
		{"gives rates upside down", group + "a quote is exact, and its deposit asks for what was quoted",
			flaws{quote: func(g *sample, ctx context.Context, q gateway.QuoteRequest) (gateway.Quote, error) {
				got, err := g.Quote(ctx, q)
				got.Rate = money.MustDecimal("1").QuoUp(money.MustDecimal("34.51"), 8)
				return got, err
			}}},
		{"forgets its quotes", group + "a quote is exact, and its deposit asks for what was quoted",
			begun(func(o *gateway.DepositOrder) {
				if o.Quote != nil {
					o.Quote.To.Amount = o.Quote.To.Amount.Add(money.MustDecimal("1"))
				}
			}, nil)},
	}
}

func returnDefects() []defect {
	const group = "return/"
	believing := func(g *sample, ctx context.Context, v gateway.ReturnVisit) (gateway.Observation, error) {
		if strings.Contains(v.Request.Query, "status=success") {
			return gateway.Observation{Ref: v.Ref, State: gateway.Paid, Paid: &v.Amount, Trust: gateway.Signed}, nil
		}
		return g.FinishReturn(ctx, v)
	}
	always := func(g *sample, ctx context.Context, v gateway.ReturnVisit) (gateway.Observation, error) {
		return g.finish(ctx, v)
	}
	foreign := func(g *sample, ctx context.Context, v gateway.ReturnVisit) (gateway.Observation, error) {
		if !strings.Contains(v.Request.Query, "status=paid") {
			return g.FinishReturn(ctx, v)
		}
		return gateway.Observation{Ref: v.Ref, State: gateway.Paid, Paid: &v.Amount, Trust: gateway.Answered}, nil
	}
	return []defect{
		{"believes the browser", group + "a browser that claims success before the payment is not believed",
			flaws{finishReturn: believing}},
		{"believes another order's browser", group + "a browser that brings another order's success is not believed",
			flaws{finishReturn: foreign}},
		{"takes the money each time", group + "returns that come again, late or together take the money once",
			flaws{finishReturn: always}},
		{"panics without a token", group + "a return that brings nothing is no more than a question", flaws{
			finishReturn: func(g *sample, ctx context.Context, v gateway.ReturnVisit) (gateway.Observation, error) {
				_ = strings.Split(v.Request.Query, "token=")[1]
				return g.FinishReturn(ctx, v)
			},
		}},
		{"reports what was ordered as paid", group + "after less was paid the return does not say that all was", flaws{
			finishReturn: func(g *sample, ctx context.Context, v gateway.ReturnVisit) (gateway.Observation, error) {
				o, err := g.FinishReturn(ctx, v)
				if o.Paid != nil {
					o.State, o.Paid = gateway.Paid, &v.Amount
				}
				return o, err
			},
		}},
		{"gives up at a fault", group + "a return that meets status 500 without a body decides nothing", flaws{
			finishReturn: func(g *sample, ctx context.Context, v gateway.ReturnVisit) (gateway.Observation, error) {
				o, err := g.FinishReturn(ctx, v)
				if gateway.IsClass(err, gateway.Retryable) {
					return gateway.Observation{State: gateway.Failed, Trust: gateway.Answered}, nil
				}
				return o, err
			},
		}},
	}
}

// seen changes what a question about a deposit brings.
func seen(change func(k gateway.DepositKey, o *gateway.Observation, err *error)) flaws {
	return flaws{read: func(g *sample, ctx context.Context, k gateway.DepositKey) (gateway.Observation, error) {
		o, err := g.ReadDeposit(ctx, k)
		change(k, &o, &err)
		return o, err
	}}
}

func becomes(from, to gateway.State) flaws {
	return seen(func(_ gateway.DepositKey, o *gateway.Observation, _ *error) {
		if o.State == from {
			o.State = to
			o.Paid = &gateway.Money{Amount: money.MustDecimal("125.5"), Asset: gateway.TRY}
		}
	})
}

func readDefects() []defect {
	const group = "read/"
	sentence := func(s conformance.Situation, is string) string {
		return group + "a deposit that is " + string(s) + " is " + is
	}
	return []defect{
		{"takes a new status for a failure", sentence(conformance.IsUnlisted, "Unknown, never Failed and never Paid"),
			becomes(gateway.Unknown, gateway.Failed)},
		{"takes review for paid", sentence(conformance.IsInReview, "Review, apart from Paid"),
			becomes(gateway.Review, gateway.Paid)},
		{"believes a person's mark", sentence(conformance.IsMarkedPaid, "not Paid: nobody saw the money"),
			becomes(gateway.Review, gateway.Paid)},
		{"takes authorized for paid", sentence(conformance.IsProcessing, "not settled"),
			becomes(gateway.Authorized, gateway.Paid)},
		{"leaves out what was paid", sentence(conformance.IsPaid, "Paid with exactly what was due"),
			seen(func(_ gateway.DepositKey, o *gateway.Observation, _ *error) { o.Paid = nil })},
		{"reports what was due as paid", sentence(conformance.IsPaidLess, "PartPaid, with what really came"),
			seen(func(k gateway.DepositKey, o *gateway.Observation, _ *error) {
				if o.Paid != nil {
					o.State, o.Paid = gateway.Paid, &k.Due
				}
			})},
		{"does not see too much", sentence(conformance.IsPaidMore, "OverPaid, with what really came"),
			seen(func(k gateway.DepositKey, o *gateway.Observation, _ *error) {
				if o.State == gateway.OverPaid {
					o.State, o.Paid = gateway.Paid, &k.Due
				}
			})},
		{"looks at no currency", sentence(conformance.IsPaidElse, "never Paid with what was due"),
			seen(func(_ gateway.DepositKey, o *gateway.Observation, _ *error) {
				if o.Paid != nil {
					o.State, o.Paid.Asset = gateway.Paid, gateway.TRY
				}
			})},
		{"needs the gateway's own ID", group + "asking changes nothing",
			seen(func(k gateway.DepositKey, _ *gateway.Observation, err *error) {
				if k.External.IsZero() {
					*err = &gateway.Error{Class: gateway.NotFound, Effect: gateway.EffectNone}
				}
			})},
		{"takes not found for a failure", group + "a deposit that the gateway does not know is not found, and not failed",
			seen(func(_ gateway.DepositKey, o *gateway.Observation, err *error) {
				if gateway.IsClass(*err, gateway.NotFound) {
					*o, *err = gateway.Observation{State: gateway.Failed, Trust: gateway.Answered}, nil
				}
			})},
		{"takes a fault for not found", group + "a proxy's page with status 502 is never taken for an answer",
			flaws{env: response(func(r *gateway.Response) {
				if r.Status == 502 {
					r.Status = 404
				}
			})}},
		{"takes half an answer for waiting", group + "half an answer is never taken for an answer",
			seen(func(_ gateway.DepositKey, o *gateway.Observation, err *error) {
				if *err != nil && strings.Contains((*err).Error(), "JSON") {
					*o, *err = gateway.Observation{State: gateway.Waiting, Trust: gateway.Answered}, nil
				}
			})},
		{"takes refused keys for a failure", group + "refused keys are no answer to a question",
			seen(func(_ gateway.DepositKey, o *gateway.Observation, err *error) {
				if gateway.IsClass(*err, gateway.Misconfigured) {
					*o, *err = gateway.Observation{State: gateway.Failed, Trust: gateway.Answered}, nil
				}
			})},
		{"trusts its own answers too little", sentence(conformance.IsWaiting, "Waiting"),
			seen(func(_ gateway.DepositKey, o *gateway.Observation, _ *error) { o.Trust = gateway.Hint })},
		{"loses its last page", group + "a listing has every paid deposit of its window, and none twice",
			flaws{list: func(g *sample, ctx context.Context, w gateway.Window, c gateway.Cursor) (gateway.ObservationPage, error) {
				page, err := g.ListDeposits(ctx, w, c)
				if c != "" {
					page.Next = ""
				}
				return page, err
			}}},
		{"gives plain errors", group + "a reference that was never started is not found",
			seen(func(_ gateway.DepositKey, _ *gateway.Observation, err *error) {
				if *err != nil {
					*err = context.DeadlineExceeded
				}
			})},
	}
}

func giveBackDefects() []defect {
	const group = "cancel and refund/"
	given := func(change func(o gateway.RefundOrder, r *gateway.RefundReport, err *error)) flaws {
		return flaws{refund: func(g *sample, ctx context.Context, o gateway.RefundOrder) (gateway.RefundReport, error) {
			r, err := g.Refund(ctx, o)
			change(o, &r, &err)
			return r, err
		}}
	}
	return []defect{
		{"says that a paid deposit is canceled", group + "cancelling a paid deposit reports Paid and changes nothing",
			flaws{cancel: func(g *sample, ctx context.Context, o gateway.CancelOrder) (gateway.Observation, error) {
				seen, err := g.CancelDeposit(ctx, o)
				seen.State = gateway.Canceled
				return seen, err
			}}},
		{"fails at a paid deposit", group + "cancelling a paid deposit reports Paid and changes nothing",
			flaws{cancel: func(g *sample, ctx context.Context, o gateway.CancelOrder) (gateway.Observation, error) {
				seen, err := g.CancelDeposit(ctx, o)
				if seen.State == gateway.Paid {
					err = invalid("paid already")
				}
				return seen, err
			}}},
		{"refunds everything", group + "a deposit is refunded in parts",
			flaws{refund: func(g *sample, ctx context.Context, o gateway.RefundOrder) (gateway.RefundReport, error) {
				o.Amount = o.Due
				return g.Refund(ctx, o)
			}}},
		{"refunds with a key of its own", group + "the same refund sent again is made once",
			flaws{refund: func(g *sample, ctx context.Context, o gateway.RefundOrder) (gateway.RefundReport, error) {
				o.Key = ""
				return g.Refund(ctx, o)
			}}},
		{"takes the refused for done", group + "more than is left is refused without effect",
			given(func(o gateway.RefundOrder, r *gateway.RefundReport, err *error) {
				if gateway.IsClass(*err, gateway.Invalid) {
					*r, *err = gateway.RefundReport{RefundRef: o.RefundRef, State: gateway.RefundDone}, nil
				}
			})},
		{"fears what was refused", group + "what was not paid is not refunded",
			given(func(_ gateway.RefundOrder, _ *gateway.RefundReport, err *error) {
				if *err != nil {
					*err = &gateway.Error{Class: gateway.Retryable}
				}
			})},
		{"takes pending for done", group + "a refund that stays pending is pending",
			given(func(_ gateway.RefundOrder, r *gateway.RefundReport, _ *error) {
				if r.State == gateway.RefundPending {
					r.State = gateway.RefundDone
				}
			})},
		{"never looks again", group + "a refund that fails later is failed, and not done",
			flaws{readRefund: func(g *sample, ctx context.Context, k gateway.RefundKey) (gateway.RefundReport, error) {
				r, err := g.ReadRefund(ctx, k)
				if err == nil {
					r.State = gateway.RefundDone
				}
				return r, err
			}}},
		{"takes too late for a decline", group + "a refund that comes too late is invalid, with the gateway's own reason",
			given(func(_ gateway.RefundOrder, _ *gateway.RefundReport, err *error) {
				if gateway.IsClass(*err, gateway.Invalid) {
					*err = &gateway.Error{Class: gateway.Refused, Effect: gateway.EffectNone}
				}
			})},
		{"invents refunds", group + "a refund that was never made is not done",
			flaws{readRefund: func(_ *sample, _ context.Context, k gateway.RefundKey) (gateway.RefundReport, error) {
				return gateway.RefundReport{RefundRef: k.RefundRef, State: gateway.RefundDone, Trust: gateway.Answered}, nil
			}}},
		{"takes a lost refund for nothing", group + "a refund that meets no answer in time" + unclear,
			given(func(_ gateway.RefundOrder, _ *gateway.RefundReport, err *error) {
				if *err != nil {
					*err = &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone}
				}
			})},
	}
}
