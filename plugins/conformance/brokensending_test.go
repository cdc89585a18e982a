package conformance_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/plugkit"
)

func sendingDefects() []defect {
	const group = "payout and transfer/"
	paidOut := func(change func(o *gateway.PayoutOrder), after func(p *gateway.PayoutReport, err *error)) flaws {
		return flaws{payout: func(g *sample, ctx context.Context, o gateway.PayoutOrder) (gateway.PayoutReport, error) {
			if change != nil {
				change(&o)
			}
			p, err := g.SendPayout(ctx, o)
			if after != nil {
				after(&p, &err)
			}
			return p, err
		}}
	}
	read := func(change func(k gateway.PayoutKey, p *gateway.PayoutReport, err *error)) flaws {
		return flaws{readPayout: func(g *sample, ctx context.Context, k gateway.PayoutKey) (gateway.PayoutReport, error) {
			p, err := g.ReadPayout(ctx, k)
			change(k, &p, &err)
			return p, err
		}}
	}
	return []defect{
		{"pays out a kuruş too little", group + "a payout of 99999.99 lira, or the nearest amount that is allowed, arrives " +
			"exactly",
			paidOut(func(o *gateway.PayoutOrder) { o.Amount.Amount = o.Amount.Amount.Sub(money.MustDecimal("0.01")) }, nil)},
		{"pays out with no key", group + "a payout that is sent again is sent once",
			paidOut(func(o *gateway.PayoutOrder) { o.Key = "" }, nil)},
		{"takes a lost payout for a failed one", group + "a payout that meets status 500 without a body" + unclear,
			paidOut(nil, func(p *gateway.PayoutReport, err *error) {
				if gateway.IsClass(*err, gateway.Retryable) {
					*p, *err = gateway.PayoutReport{State: gateway.PayoutFailed, Trust: gateway.Answered}, nil
				}
			})},
		{"tells of no funds as a decline", group + "a payout that is refused for lack of funds says so, and is not sent",
			paidOut(nil, func(_ *gateway.PayoutReport, err *error) {
				if gateway.IsClass(*err, gateway.OutOfFunds) {
					*err = &gateway.Error{Class: gateway.Refused, Effect: gateway.EffectNone}
				}
			})},
		{"keeps the wrong name to itself", group + "a payout that is refused because the name differs says so, and is not sent",
			paidOut(nil, func(_ *gateway.PayoutReport, err *error) {
				if gateway.IsClass(*err, gateway.Refused) {
					*err = &gateway.Error{Class: gateway.Refused, Effect: gateway.EffectNone}
				}
			})},
		{"takes returned for done", group + "a payout that is returned after it was done is Returned, and not done",
			read(func(_ gateway.PayoutKey, p *gateway.PayoutReport, _ *error) {
				if p.State == gateway.PayoutReturned {
					p.State = gateway.PayoutDone
				}
			})},
		{"takes a new status of a payout for a failure", group + "a payout that is in a status that nobody documented is " +
			"Unknown, never Failed and never Done",
			read(func(_ gateway.PayoutKey, p *gateway.PayoutReport, _ *error) {
				if p.State == gateway.PayoutUnknown {
					p.State = gateway.PayoutFailed
				}
			})},
		{"finds no payout by reference", group + "a payout that is done is Done",
			read(func(k gateway.PayoutKey, _ *gateway.PayoutReport, err *error) {
				if k.External.IsZero() {
					*err = &gateway.Error{Class: gateway.NotFound, Effect: gateway.EffectNone}
				}
			})},
		{"takes a fault for an unknown payout", group + "a payout is never decided by status 500 with JSON",
			read(func(_ gateway.PayoutKey, _ *gateway.PayoutReport, err *error) {
				if *err != nil {
					*err = &gateway.Error{Class: gateway.NotFound, Effect: gateway.EffectNone}
				}
			})},
		{"sends without an IBAN", group + "a payout without what the payee must say is refused and not sent",
			flaws{payout: func(g *sample, ctx context.Context, o gateway.PayoutOrder) (gateway.PayoutReport, error) {
				var out order
				err := g.post(ctx, "/payouts", o.Key, order{Ref: string(o.Ref), Amount: o.Amount.Amount.String(), Currency: "TRY"}, &out)
				return gateway.PayoutReport{State: gateway.PayoutQueued, Trust: gateway.Answered}, err
			}}},
		{"says nothing of the second factor", group + "a payout that waits for a second factor says so",
			paidOut(nil, func(p *gateway.PayoutReport, _ *error) {
				if p.State == gateway.PayoutNeedsApproval {
					p.State = gateway.PayoutSent
				}
			})},
		{"takes any code", group + "a payout is approved by the right code, and by no other",
			flaws{approve: func(_ *sample, _ context.Context, k gateway.PayoutKey, _ string) (gateway.PayoutReport, error) {
				return gateway.PayoutReport{Ref: k.Ref, State: gateway.PayoutQueued, Trust: gateway.Answered}, nil
			}}},
		{"transfers to any IBAN", group + "a transfer without a right IBAN or a name is refused and not sent",
			flaws{transfer: func(g *sample, ctx context.Context, o gateway.TransferOrder) (gateway.PayoutReport, error) {
				var out order
				err := g.post(ctx, "/transfers", o.Key, order{
					Ref: string(o.Ref), Amount: o.Amount.Amount.String(), Currency: "TRY", IBAN: o.To.IBAN,
				}, &out)
				return gateway.PayoutReport{Ref: o.Ref, State: gateway.PayoutQueued, Trust: gateway.Answered}, err
			}}},
	}
}

func accountDefects() []defect {
	const group = "accounts/"
	booked := func(change func(g *sample, q gateway.StatementQuery, p *gateway.StatementPage)) flaws {
		return flaws{statement: func(g *sample, ctx context.Context, q gateway.StatementQuery) (gateway.StatementPage, error) {
			p, err := g.ReadStatement(ctx, q)
			change(g, q, &p)
			return p, err
		}}
	}
	asking := func(change func(q *gateway.StatementQuery)) flaws {
		return flaws{statement: func(g *sample, ctx context.Context, q gateway.StatementQuery) (gateway.StatementPage, error) {
			change(&q)
			return g.ReadStatement(ctx, q)
		}}
	}
	return []defect{
		{"does not say when", group + "a balance says when it was true, and has no more available than there is",
			flaws{balance: func(g *sample, ctx context.Context, id string) (gateway.Balance, error) {
				b, err := g.ReadBalance(ctx, id)
				b.At = time.Time{}
				return b, err
			}}},
		{"has more available than there is", group + "a balance says when it was true, and has no more available than there is",
			flaws{balance: func(g *sample, ctx context.Context, id string) (gateway.Balance, error) {
				b, err := g.ReadBalance(ctx, id)
				b.Total, b.Available = b.Available, b.Total
				return b, err
			}}},
		{"keeps the sign", group + "a line comes back as it was booked",
			booked(func(_ *sample, _ gateway.StatementQuery, p *gateway.StatementPage) {
				for i, l := range p.Lines {
					if l.Direction == gateway.Outgoing {
						p.Lines[i].Amount = money.Decimal{}.Sub(l.Amount)
					}
				}
			})},
		{"turns the direction", group + "a line comes back as it was booked",
			booked(func(_ *sample, _ gateway.StatementQuery, p *gateway.StatementPage) {
				for i := range p.Lines {
					p.Lines[i].Direction = gateway.Incoming
				}
			})},
		{"takes the bank's time for UTC", group + "a line comes back as it was booked",
			booked(func(_ *sample, _ gateway.StatementQuery, p *gateway.StatementPage) {
				for i := range p.Lines {
					p.Lines[i].BookedAt = p.Lines[i].BookedAt.Add(3 * time.Hour)
				}
			})},
		{"pages by time alone", group + "lines of the same time all come, oldest first", asking(func(q *gateway.StatementQuery) {
			if seconds, _, ok := strings.Cut(string(q.Cursor), "."); ok {
				q.Cursor = gateway.Cursor(seconds + ".z")
			}
		})},
		{"begins a page with its last line", group + "every line comes once, even when others are booked between two pages",
			asking(func(q *gateway.StatementQuery) {
				if q.Cursor != "" {
					q.Cursor = q.Cursor[:len(q.Cursor)-1]
				}
			})},
		{"stops after a page", group + "every line comes once, even when others are booked between two pages",
			booked(func(_ *sample, _ gateway.StatementQuery, p *gateway.StatementPage) { p.Next = "" })},
		{"includes the end", group + "a window has its beginning and not its end", asking(func(q *gateway.StatementQuery) {
			q.To = q.To.Add(time.Second)
		})},
		{"numbers its lines", group + "a line has the same ID each time",
			booked(func(_ *sample, q gateway.StatementQuery, p *gateway.StatementPage) {
				for i := range p.Lines {
					p.Lines[i].ID = plugkit.ContentID(string(q.Cursor), string(rune('a'+i)))
				}
			})},
		{"cuts long windows", group + "a window longer than the bank's is refused, or read whole",
			asking(func(q *gateway.StatementQuery) {
				if from := q.To.Add(-72 * time.Hour); q.From.Before(from) {
					q.From = from
				}
			})},
		{"shows any account", group + "an account that is not there is an error",
			asking(func(q *gateway.StatementQuery) { q.AccountID = "1" })},
	}
}

func hygieneDefects() []defect {
	const group = "hygiene/"
	written := func(text string) flaws {
		return flaws{subject: func(t *testing.T, s *conformance.Subject) {
			t.Helper()
			s.Source = source(t, "package sample\n\n"+text+"\n")
		}}
	}
	return []defect{
		{"imports the network", group + "the source imports no network, disk, database, log or random numbers",
			written(`import _ "net/http/cookiejar"`)},
		{"imports the disk", group + "the source imports no network, disk, database, log or random numbers",
			written(`import _ "os"`)},
		{"looks at the clock", group + "the source looks at no clock and never waits",
			written("import clock \"time\"\n\nvar now = clock.Now")},
		{"has floats", group + "the source has no floats", written("func price(x float64) float64 { return x }")},
		{"has an init", group + "the source has no init", written("func init() {}")},
		{"changes something when it is probed", group + "probing changes nothing and finds a working account working", flaws{
			probe: func(g *sample, ctx context.Context) gateway.ProbeReport {
				_ = g.api.Call(ctx, "POST", "/test/that/changes/things", order{}, nil)
				return g.Probe(ctx)
			},
		}},
		{"finds everything fine", group + "probing with refused keys says that they are refused", flaws{
			probe: func(g *sample, ctx context.Context) gateway.ProbeReport {
				report := g.Probe(ctx)
				report.Checks[0].OK = true
				return report
			},
		}},
		{"tries nothing", group + "probing changes nothing and finds a working account working", flaws{
			probe: func(*sample, context.Context) gateway.ProbeReport { return gateway.ProbeReport{} },
		}},
		{"goes on after Close", group + "nothing goes on after Close", flaws{
			probe: func(g *sample, ctx context.Context) gateway.ProbeReport {
				go func() { select {} }()
				return g.Probe(ctx)
			},
		}},
		{"answers for somebody else", group + "fifty questions at a time get fifty right answers", flaws{
			read: tired(),
		}},
	}
}

// tired is a reader that answers well at first, and under load always the same.
func tired() func(g *sample, ctx context.Context, k gateway.DepositKey) (gateway.Observation, error) {
	const enough = 10
	var asked sync.Map // by gateway: *load
	return func(g *sample, ctx context.Context, k gateway.DepositKey) (gateway.Observation, error) {
		fresh := &load{first: k}
		known, _ := asked.LoadOrStore(g, fresh)
		mine, _ := known.(*load)
		if mine.count.Add(1) > enough {
			return g.ReadDeposit(ctx, mine.first)
		}
		return g.ReadDeposit(ctx, k)
	}
}

// load is how often a gateway was asked, and for what first.
type load struct {
	first gateway.DepositKey
	count atomic.Int32
}
