package sandbox_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/plugkit"
	"github.com/vezne/vezne/plugins/sandbox"
	"github.com/vezne/vezne/plugins/sandbox/bank"
	"github.com/vezne/vezne/ports"
)

// The conformance kit is held to finding what costs money: each mutant is this plugin with one mistake, and names the
// test case of the kit that has to find it.

// mutant is a mistake. Its flaws are made anew for each gateway that is opened.
type mutant struct {
	name, fails string
	flaws       func(env ports.GatewayEnv) flaws
	source      string // in the place of the plugin's own; empty: that
	// changes is what the mutant's test says of it otherwise; nil: nothing.
	changes   func(s *conformance.Subject)
	describes func(d *gateway.Descriptor)
}

// flaws replace calls of a gateway; what is nil is as it should be.
type flaws struct {
	request  func(*gateway.Request)
	response func(*gateway.Response)
	failure  func(*gateway.Error)

	start      call[gateway.DepositOrder, gateway.DepositStarted]
	read       call[gateway.DepositKey, gateway.Observation]
	back       call[gateway.ReturnVisit, gateway.Observation]
	cancel     call[gateway.CancelOrder, gateway.Observation]
	review     call[gateway.ReviewOrder, gateway.Observation]
	refund     call[gateway.RefundOrder, gateway.RefundReport]
	readRefund call[gateway.RefundKey, gateway.RefundReport]
	hear       call[gateway.Inbound, gateway.Notification]
	payout     call[gateway.PayoutOrder, gateway.PayoutReport]
	readPayout call[gateway.PayoutKey, gateway.PayoutReport]
	transfer   call[gateway.TransferOrder, gateway.PayoutReport]
	balance    call[string, gateway.Balance]
	statement  call[gateway.StatementQuery, gateway.StatementPage]
	dispute    call[string, gateway.DisputeReport]
	answer     call[gateway.EvidenceOrder, gateway.DisputeReport]
}

// call stands in the place of a method, which is next.
type call[I, O any] func(in I, next func(I) (O, error)) (O, error)

func (c call[I, O]) do(ctx context.Context, in I, next func(context.Context, I) (O, error)) (O, error) {
	if c == nil {
		return next(ctx, in)
	}
	return c(in, func(in I) (O, error) { return next(ctx, in) })
}

// always changes every result of a method.
func always[I, O any](change func(in I, out *O, err *error)) call[I, O] {
	return func(in I, next func(I) (O, error)) (O, error) {
		out, err := next(in)
		change(in, &out, &err)
		return out, err
	}
}

// broken is an opened mutant.
type broken struct {
	*sandbox.Gateway
	flaws
}

func (g broken) StartDeposit(ctx context.Context, o gateway.DepositOrder) (gateway.DepositStarted, error) {
	return g.start.do(ctx, o, g.Gateway.StartDeposit)
}

func (g broken) ReadDeposit(ctx context.Context, k gateway.DepositKey) (gateway.Observation, error) {
	return g.read.do(ctx, k, g.Gateway.ReadDeposit)
}

func (g broken) FinishReturn(ctx context.Context, v gateway.ReturnVisit) (gateway.Observation, error) {
	return g.back.do(ctx, v, g.Gateway.FinishReturn)
}

func (g broken) CancelDeposit(ctx context.Context, o gateway.CancelOrder) (gateway.Observation, error) {
	return g.cancel.do(ctx, o, g.Gateway.CancelDeposit)
}

func (g broken) ReviewDeposit(ctx context.Context, o gateway.ReviewOrder) (gateway.Observation, error) {
	return g.review.do(ctx, o, g.Gateway.ReviewDeposit)
}

func (g broken) Refund(ctx context.Context, o gateway.RefundOrder) (gateway.RefundReport, error) {
	return g.refund.do(ctx, o, g.Gateway.Refund)
}

func (g broken) ReadRefund(ctx context.Context, k gateway.RefundKey) (gateway.RefundReport, error) {
	return g.readRefund.do(ctx, k, g.Gateway.ReadRefund)
}

func (g broken) ReadNotification(ctx context.Context, in gateway.Inbound) (gateway.Notification, error) {
	return g.hear.do(ctx, in, g.Gateway.ReadNotification)
}

func (g broken) SendPayout(ctx context.Context, o gateway.PayoutOrder) (gateway.PayoutReport, error) {
	return g.payout.do(ctx, o, g.Gateway.SendPayout)
}

func (g broken) ReadPayout(ctx context.Context, k gateway.PayoutKey) (gateway.PayoutReport, error) {
	return g.readPayout.do(ctx, k, g.Gateway.ReadPayout)
}

func (g broken) SendTransfer(ctx context.Context, o gateway.TransferOrder) (gateway.PayoutReport, error) {
	return g.transfer.do(ctx, o, g.Gateway.SendTransfer)
}

func (g broken) ReadBalance(ctx context.Context, id string) (gateway.Balance, error) {
	return g.balance.do(ctx, id, g.Gateway.ReadBalance)
}

func (g broken) ReadDispute(ctx context.Context, id string) (gateway.DisputeReport, error) {
	return g.dispute.do(ctx, id, g.Gateway.ReadDispute)
}

func (g broken) AnswerDispute(ctx context.Context, o gateway.EvidenceOrder) (gateway.DisputeReport, error) {
	return g.answer.do(ctx, o, g.Gateway.AnswerDispute)
}

func (g broken) ReadStatement(ctx context.Context, q gateway.StatementQuery) (gateway.StatementPage, error) {
	return g.statement.do(ctx, q, g.Gateway.ReadStatement)
}

// wire is the Doer of a mutant.
type wire struct {
	ports.Doer
	flaws
}

// Do implements ports.Doer.
func (w wire) Do(ctx context.Context, r gateway.Request) (gateway.Response, error) {
	if w.request != nil {
		w.request(&r)
	}
	answer, err := w.Doer.Do(ctx, r)
	switch {
	case err == nil && w.response != nil:
		w.response(&answer)
	case err != nil && w.failure != nil:
		e := *gateway.ErrorOf(err)
		w.failure(&e)
		err = &e
	}
	return answer, err
}

// spoiled is the sandbox's registration, opened as a mutant.
type spoiled struct {
	ports.Plugin
	mutant
}

// Describe implements ports.Plugin.
func (p spoiled) Describe() gateway.Descriptor {
	d := p.Plugin.Describe()
	if p.describes != nil {
		p.describes(&d)
	}
	return d
}

// Open implements ports.Plugin.
func (p spoiled) Open(env ports.GatewayEnv) (ports.Gateway, error) {
	f := p.flaws(env)
	env.HTTP = wire{env.HTTP, f}
	g, err := sandbox.Open(env)
	return broken{g, f}, err
}

// subject is a mutant for the kit. Its bank counts what was ordered again under another reference.
func (m mutant) subject(t *testing.T) conformance.Subject {
	t.Helper()
	s := subject()
	if m.source != "" {
		s.Source = t.TempDir()
		if err := os.WriteFile(filepath.Join(s.Source, "sandbox.go"), []byte(m.source), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.Plugin = spoiled{sandbox.Plugin(), m}
	s.NewFake = func(t testing.TB, c gateway.Config, now func() time.Time) conformance.Fake {
		fake := newFake(t, c, now)
		doubled := func(of func(gateway.Ref) []gateway.Money) func(gateway.Ref) []gateway.Money {
			return func(ref gateway.Ref) []gateway.Money { return slices.Concat(of(ref), of(ref+again)) }
		}
		fake.Deposits, fake.Payouts, fake.Transfers = doubled(fake.Deposits), doubled(fake.Payouts), doubled(fake.Transfers)
		var taken atomic.Int32
		calls := fake.Handler
		fake.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == takePath {
				taken.Add(1)
				return
			}
			calls.ServeHTTP(w, r)
		})
		fake.Finishes = func(gateway.Ref) int { return int(taken.Load()) }
		return fake
	}
	if m.changes != nil {
		m.changes(&s)
	}
	return s
}

// takePath is a call that the bank does not have: it takes the money of a customer who returned.
const takePath = "/v1/take"

// again ends the reference and the key of an order that a mutant makes once more.
const again = "again"

// asMutants is set where this test binary runs itself, to put the mutants through the kit.
const asMutants = "SANDBOX_MUTANTS"

// TestKitFindsMutants: a test cannot look on as another one fails, so the kit meets the mutants in a second process.
func TestKitFindsMutants(t *testing.T) {
	t.Parallel()
	if os.Getenv(asMutants) != "" {
		for _, m := range mutants() {
			t.Run(m.name, func(t *testing.T) {
				t.Parallel()
				group, _, _ := strings.Cut(m.fails, "/")
				conformance.RunGroup(t, m.subject(t), group)
			})
		}
		return
	}
	chosen := mutants()
	if testing.Short() { // other ones in each run
		rand.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
		chosen = chosen[:len(chosen)/5]
	}
	var names []string
	for _, m := range chosen {
		names = append(names, regexp.QuoteMeta(strings.ReplaceAll(m.name, " ", "_")))
	}
	kit := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKitFindsMutants$/^("+strings.Join(names, "|")+")$", "-test.v")
	kit.Env = append(os.Environ(), asMutants+"=1")
	output, err := kit.CombinedOutput()
	if err == nil {
		t.Fatal("the kit passed the mutants")
	}
	for _, m := range chosen {
		t.Run(m.name, func(t *testing.T) {
			failed := "--- FAIL: " + strings.ReplaceAll("TestKitFindsMutants/"+m.name+"/"+m.fails, " ", "_") + " ("
			if !strings.Contains(string(output), failed) {
				t.Errorf("the kit does not say %q", failed)
			}
		})
	}
}

// TestEveryGroupOfTheKitFindsAMutant, and the kit's README speaks of it.
func TestEveryGroupOfTheKitFindsAMutant(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile(filepath.Join("..", "conformance", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range conformance.Groups(subject()) {
		if !strings.Contains(string(readme), "\n| "+group+" | ") {
			t.Errorf("the README's table lacks the group %q", group)
		}
		if !slices.ContainsFunc(mutants(), func(m mutant) bool { return strings.HasPrefix(m.fails, group+"/") }) {
			t.Errorf("no mutant is for the group %q", group)
		}
	}
}

func mutants() []mutant {
	return slices.Concat(secretMutants(), notificationMutants(), startMutants(), returnMutants(), readMutants(), refundMutants(),
		payoutMutants(), accountMutants(), documentMutants(), holeMutants(), incidentMutants(), sequenceMutants(),
		hygieneMutants(), disputeMutants(), quietMutants())
}

// plain is a mistake that needs nothing of the gateway's own.
func plain(name, fails string, f flaws) mutant {
	return mutant{name: name, fails: fails, flaws: func(ports.GatewayEnv) flaws { return f }}
}

// unclear ends the names of test cases about calls of which nobody knows whether they worked.
const unclear = " has an unknown effect, is found again and not made twice"

// quietMutants passed the kit until it was asked about ends and statuses.
func quietMutants() []mutant {
	late := plain("promises no late money", "read/money that comes after the end is seen", flaws{})
	late.describes = func(d *gateway.Descriptor) {
		traits := *d.Deposit
		traits.Expiry.LateUntil = 0
		d.Deposit = &traits
	}
	ends := mutant{name: "ends a try with its page", fails: "read/what is under way at the end has not ended", flaws: func(env ports.GatewayEnv) flaws {
		opened := env.Clock.Now()
		return flaws{read: always(func(_ gateway.DepositKey, o *gateway.Observation, _ *error) {
			if o.State == gateway.Processing && env.Clock.Now().Sub(opened) > 10*time.Minute {
				o.State = gateway.Expired
			}
		})}
	}}
	unplayed := plain("takes a status for paid that nobody has seen", "read/every status that counts as paid is played", flaws{})
	unplayed.changes = func(s *conformance.Subject) {
		s.Tables = map[string]any{"Statuses": plugkit.States{"paid": gateway.Paid, "settled": gateway.Paid}}
	}
	return []mutant{late, ends, unplayed}
}

func disputeMutants() []mutant {
	const group = "disputes/"
	read := func(change func(id string, r *gateway.DisputeReport)) flaws {
		return flaws{dispute: always(func(id string, r *gateway.DisputeReport, err *error) {
			if *err == nil {
				change(id, r)
			}
		})}
	}
	totals := group + "what a dispute has withdrawn and reinstated is told as totals"
	arrives := group + "evidence arrives whole, and the dispute says its key"
	return []mutant{
		plain("keeps what a won dispute gives back", totals, read(func(_ string, r *gateway.DisputeReport) { r.Reinstated = nil })),
		plain("counts the fee of a dispute", totals, read(func(_ string, r *gateway.DisputeReport) {
			if r.Withdrawn != nil {
				more := *r.Withdrawn
				more.Amount = more.Amount.Add(r.Fee.Amount)
				r.Withdrawn = &more
			}
		})),
		{name: "takes any dispute's answer", fails: group + "the answer about another dispute is not taken for ours",
			flaws: func(ports.GatewayEnv) flaws {
				return flaws{dispute: always(func(id string, r *gateway.DisputeReport, err *error) {
					if gateway.ErrorOf(*err).RawCode == "other_reference" {
						r.ID, *err = id, nil
					}
				})}
			}},
		plain("submits evidence without its files", arrives, flaws{
			answer: func(o gateway.EvidenceOrder, next func(gateway.EvidenceOrder) (gateway.DisputeReport, error)) (gateway.DisputeReport, error) {
				o.Evidence = slices.DeleteFunc(slices.Clone(o.Evidence), func(e gateway.Evidence) bool { return e.Kind.IsFile() })
				return next(o)
			},
		}),
		plain("says no key of evidence", arrives, flaws{
			dispute: always(func(_ string, r *gateway.DisputeReport, _ *error) { r.Answered = "" }),
			answer:  always(func(_ gateway.EvidenceOrder, r *gateway.DisputeReport, _ *error) { r.Answered = "" }),
		}),
		plain("sends refused evidence again", group+"a dispute that takes no evidence refuses it, and stays as it is", flaws{
			answer: always(func(_ gateway.EvidenceOrder, _ *gateway.DisputeReport, err *error) {
				if *err != nil {
					*err = &gateway.Error{Class: gateway.Retryable}
				}
			}),
		}),
		plain("submits evidence with a new key each time", group+"AnswerDispute that meets no answer in time"+unclear, flaws{
			answer: freshKey(),
		}),
		plain("tells no disputes", group+"a notification about a dispute names it, and says no money of it", flaws{
			hear: always(func(_ gateway.Inbound, n *gateway.Notification, _ *error) { n.Disputes = nil }),
		}),
	}
}

// freshKey sends evidence with another key each time.
func freshKey() call[gateway.EvidenceOrder, gateway.DisputeReport] {
	var count atomic.Int32
	return func(o gateway.EvidenceOrder, next func(gateway.EvidenceOrder) (gateway.DisputeReport, error)) (gateway.DisputeReport, error) {
		o.Key += gateway.Key(strconv.Itoa(int(count.Add(1))))
		return next(o)
	}
}

func secretMutants() []mutant {
	return []mutant{
		plain("reaches another host", "descriptor and config/no host is reached but those that are named", flaws{
			request: func(r *gateway.Request) { r.URL = strings.Replace(r.URL, "sandbox.test", "sandbox2.test", 1) },
		}),
		{name: "quotes its key in errors", fails: "descriptor and config/secrets show in no URL, error, report or printed gateway", flaws: func(env ports.GatewayEnv) flaws {
			return flaws{failure: func(e *gateway.Error) { e.Err = errors.New("calling with " + env.Config.Text("api_secret")) }}
		}},
	}
}

// signedAt signs a notification as the bank does.
func signedAt(in gateway.Inbound, secret string, at time.Time) gateway.Inbound {
	stamp := strconv.FormatInt(at.Unix(), 10)
	in.Header = gateway.Header{{Name: bank.SignatureHeader,
		Value: fmt.Sprintf("t=%s,v1=%x", stamp, plugkit.HMAC256(secret, stamp, ".", string(in.Body)))}}
	return in
}

func notificationMutants() []mutant {
	return []mutant{
		{name: "believes everybody", fails: "signatures/a notification signed with another account's secrets is not believed", flaws: func(env ports.GatewayEnv) flaws {
			return flaws{hear: func(in gateway.Inbound, next func(gateway.Inbound) (gateway.Notification, error)) (gateway.Notification, error) {
				return next(signedAt(in, env.Config.Text("notify_secret"), env.Clock.Now()))
			}}
		}},
		{name: "takes old messages", fails: "signatures/a notification that is too old is refused", flaws: func(env ports.GatewayEnv) flaws {
			return flaws{hear: func(in gateway.Inbound, next func(gateway.Inbound) (gateway.Notification, error)) (gateway.Notification, error) {
				stamp, _, _ := strings.Cut(strings.TrimPrefix(in.Header.Get(bank.SignatureHeader), "t="), ",")
				seconds, _ := strconv.ParseInt(stamp, 10, 64)
				if in.Header.Get(bank.SignatureHeader) == signedAt(in, env.Config.Text("notify_secret"), time.Unix(seconds, 0)).Header[0].Value {
					in = signedAt(in, env.Config.Text("notify_secret"), env.Clock.Now())
				}
				return next(in)
			}}
		}},
		plain("gives one ID to all of an order", "notifications/different events have different IDs", flaws{
			hear: always(func(_ gateway.Inbound, n *gateway.Notification, _ *error) { n.ID = "evt" }),
		}),
		plain("decides by a new type", "notifications/a message of a type that nobody documented is no error, and decides nothing", flaws{
			hear: always(func(_ gateway.Inbound, n *gateway.Notification, _ *error) {
				if len(n.Events)+len(n.Refunds)+len(n.Payouts)+len(n.Lines) == 0 {
					n.Events = []gateway.Observation{{Ref: "R", State: gateway.Failed, Trust: gateway.Signed}}
				}
			}),
		}),
		plain("fails at a new status", "notifications/a status that nobody documented is no error, and Unknown", flaws{
			hear: always(func(_ gateway.Inbound, n *gateway.Notification, err *error) {
				if len(n.Events) > 0 && n.Events[0].State == gateway.Unknown {
					*err = &gateway.Error{Class: gateway.Invalid}
				}
			}),
		}),
	}
}

func startMutants() []mutant {
	const group = "start/"
	started := func(change func(o *gateway.DepositOrder)) flaws {
		return flaws{start: func(o gateway.DepositOrder, next func(gateway.DepositOrder) (gateway.DepositStarted, error)) (gateway.DepositStarted, error) {
			change(&o)
			return next(o)
		}}
	}
	return []mutant{
		plain("drops the kuruş", group+"a deposit of 99999.99 lira, or the nearest amount that is allowed, arrives exactly", started(func(o *gateway.DepositOrder) {
			whole, _, _ := strings.Cut(o.Amount.Amount.String(), ".")
			o.Amount.Amount = money.MustDecimal(whole)
		})),
		{name: "orders each time anew", fails: group + "a deposit that is sent again is made once", flaws: func(ports.GatewayEnv) flaws {
			var known refs
			return started(func(o *gateway.DepositOrder) { o.Ref, o.Key = known.renamed(o.Ref, o.Key) })
		}},
		plain("takes a timeout for nothing", group+"a deposit that meets no answer in time"+unclear, flaws{
			failure: func(e *gateway.Error) { e.Effect = gateway.EffectNone },
		}),
		plain("takes status 500 for a refusal", group+"a deposit that meets status 500 with JSON"+unclear, flaws{
			response: func(r *gateway.Response) {
				if r.Status == http.StatusInternalServerError {
					r.Status = http.StatusBadRequest
				}
			},
		}),
		plain("lets deposits live longer", group+"a deposit ends no later than was asked or is promised", started(func(o *gateway.DepositOrder) {
			o.ExpiresAt = o.ExpiresAt.Add(time.Hour)
		})),
		plain("collects on an account that it did not declare", group+"every kind of payment can be started", flaws{
			start: always(func(_ gateway.DepositOrder, s *gateway.DepositStarted, _ *error) {
				if s.Next.Pay != nil {
					s.Next.Pay.IBAN = bank.TurkishIBAN("99998", "7")
				}
			}),
		}),
		{name: "mixes starts", fails: group + "a deposit beside others does not mix with them", flaws: func(ports.GatewayEnv) flaws {
			var first sync.Once
			var amount gateway.Money
			return started(func(o *gateway.DepositOrder) {
				first.Do(func() { amount = o.Amount })
				o.Amount = amount
			})
		}},
		plain("gives rates upside down", group+"a quote is exact, and its deposit asks for what was quoted", flaws{
			response: func(r *gateway.Response) {
				r.Body = []byte(strings.Replace(string(r.Body), `"rate":"`, `"rate":"0.0`, 1))
			},
		}),
	}
}

// refs are the references that a mutant has ordered under.
type refs struct{ known sync.Map }

// renamed makes another order of one that was made already.
func (r *refs) renamed(ref gateway.Ref, key gateway.Key) (gateway.Ref, gateway.Key) {
	if _, isKnown := r.known.LoadOrStore(ref, true); isKnown {
		return ref + again, key + again
	}
	return ref, key
}

func returnMutants() []mutant {
	const group = "return/"
	claims := func(says string) call[gateway.ReturnVisit, gateway.Observation] {
		return func(v gateway.ReturnVisit, next func(gateway.ReturnVisit) (gateway.Observation, error)) (gateway.Observation, error) {
			if strings.Contains(v.Request.Query, says) {
				return gateway.Observation{Ref: v.Ref, State: gateway.Paid, Paid: &v.Amount, Trust: gateway.Answered}, nil
			}
			return next(v)
		}
	}
	return []mutant{
		plain("believes the browser", group+"a browser that claims success before the payment is not believed", flaws{back: claims("status=success")}),
		plain("believes another order's browser", group+"a browser that brings another order's success is not believed", flaws{back: claims("sandbox_status=paid")}),
		{name: "takes the money each time", fails: group + "returns that come again, late or together take the money once", flaws: func(env ports.GatewayEnv) flaws {
			return flaws{back: always(func(_ gateway.ReturnVisit, o *gateway.Observation, err *error) {
				if o.State == gateway.Paid {
					_, *err = env.HTTP.Do(context.Background(), gateway.Request{Method: "POST", URL: env.Config.Text("base_url") + takePath})
				}
			})}
		}},
		plain("reports what was ordered as paid", group+"after less was paid the return does not say that all was", flaws{
			back: always(func(v gateway.ReturnVisit, o *gateway.Observation, _ *error) {
				if o.Paid != nil {
					o.State, o.Paid = gateway.Paid, &v.Amount
				}
			}),
		}),
	}
}

func readMutants() []mutant {
	const group = "read/"
	is := func(s conformance.Situation, says string) string {
		return group + "a deposit that is " + string(s) + " is " + says
	}
	becomes := func(from, to gateway.State) flaws {
		return flaws{read: always(func(k gateway.DepositKey, o *gateway.Observation, _ *error) {
			if o.State == from {
				o.State, o.Paid = to, &k.Due
			}
		})}
	}
	failed := func(class gateway.Class) flaws {
		return flaws{read: always(func(_ gateway.DepositKey, o *gateway.Observation, err *error) {
			if gateway.IsClass(*err, class) {
				*o, *err = gateway.Observation{State: gateway.Failed, Trust: gateway.Answered}, nil
			}
		})}
	}
	return []mutant{
		plain("takes a new status for a failure", is(conformance.IsUnlisted, "Unknown, never Failed and never Paid"), becomes(gateway.Unknown, gateway.Failed)),
		plain("takes review for paid", is(conformance.IsInReview, "Review, apart from Paid"), becomes(gateway.Review, gateway.Paid)),
		plain("believes a person's mark", is(conformance.IsMarkedPaid, "not Paid: nobody saw the money"), becomes(gateway.Review, gateway.Paid)),
		plain("reports what was due as paid", is(conformance.IsPaidLess, "PartPaid, with what really came"), becomes(gateway.PartPaid, gateway.Paid)),
		plain("does not see too much", is(conformance.IsPaidMore, "OverPaid, with what really came"), becomes(gateway.OverPaid, gateway.Paid)),
		plain("looks at no currency", is(conformance.IsPaidInOtherCurrency, "never Paid with what was due"), becomes(gateway.Paid, gateway.Paid)),
		plain("takes not found for a failure", group+"a deposit that the gateway does not know is not found, and not failed", failed(gateway.NotFound)),
		plain("takes refused keys for a failure", group+"reading a deposit that meets refused keys is an error and no answer", failed(gateway.Misconfigured)),
		plain("takes a fault for not found", group+"reading a deposit that meets a proxy's page with status 502 is an error and no answer", flaws{
			response: func(r *gateway.Response) {
				if r.Status == http.StatusBadGateway {
					r.Status, r.Body = http.StatusNotFound, nil
				}
			},
		}),
	}
}

func refundMutants() []mutant {
	const group = "cancel and refund/"
	return []mutant{
		plain("says that a paid deposit is canceled", group+"canceling a deposit that is paid exactly reports that and changes nothing", flaws{
			cancel: always(func(_ gateway.CancelOrder, o *gateway.Observation, _ *error) { o.State = gateway.Canceled }),
		}),
		plain("refunds everything", group+"a deposit is refunded in parts", flaws{
			refund: func(o gateway.RefundOrder, next func(gateway.RefundOrder) (gateway.RefundReport, error)) (gateway.RefundReport, error) {
				o.Amount = o.Due
				return next(o)
			},
		}),
		{name: "refunds each time anew", fails: group + "a refund that is sent again is made once", flaws: func(ports.GatewayEnv) flaws {
			var known refs
			return flaws{refund: func(o gateway.RefundOrder, next func(gateway.RefundOrder) (gateway.RefundReport, error)) (gateway.RefundReport, error) {
				o.RefundRef, o.Key = known.renamed(o.RefundRef, o.Key)
				return next(o)
			}}
		}},
		plain("takes the refused for done", group+"more than is left is refused without effect", flaws{
			refund: always(func(o gateway.RefundOrder, r *gateway.RefundReport, err *error) {
				if gateway.IsClass(*err, gateway.Invalid) {
					*r, *err = gateway.RefundReport{RefundRef: o.RefundRef, State: gateway.RefundDone, Trust: gateway.Answered}, nil
				}
			}),
		}),
		plain("takes pending for done", group+"a refund that stays pending is pending", flaws{
			refund: always(func(_ gateway.RefundOrder, r *gateway.RefundReport, _ *error) { r.State = gateway.RefundDone }),
		}),
		plain("never looks again", group+"a refund that fails later is failed, and not done", flaws{
			readRefund: always(func(_ gateway.RefundKey, r *gateway.RefundReport, _ *error) { r.State = gateway.RefundDone }),
		}),
		plain("invents refunds", group+"a refund that was never made is not done", flaws{
			readRefund: func(k gateway.RefundKey, _ func(gateway.RefundKey) (gateway.RefundReport, error)) (gateway.RefundReport, error) {
				return gateway.RefundReport{RefundRef: k.RefundRef, State: gateway.RefundDone, Trust: gateway.Answered}, nil
			},
		}),
		plain("takes a lost refund for nothing", group+"a refund that meets no answer in time"+unclear, flaws{
			failure: func(e *gateway.Error) { e.Effect = gateway.EffectNone },
		}),
	}
}

func payoutMutants() []mutant {
	const group = "payout and transfer/"
	sent := func(change func(o *gateway.PayoutOrder)) flaws {
		return flaws{payout: func(o gateway.PayoutOrder, next func(gateway.PayoutOrder) (gateway.PayoutReport, error)) (gateway.PayoutReport, error) {
			change(&o)
			return next(o)
		}}
	}
	becomes := func(from, to gateway.PayoutState) flaws {
		return flaws{readPayout: always(func(_ gateway.PayoutKey, p *gateway.PayoutReport, _ *error) {
			if p.State == from {
				p.State = to
			}
		})}
	}
	return []mutant{
		plain("pays out a kuruş too little", group+"a payout of 99999.99 lira, or the nearest amount that is allowed, arrives exactly",
			sent(func(o *gateway.PayoutOrder) { o.Amount.Amount = o.Amount.Amount.Sub(money.MustDecimal("0.01")) })),
		{name: "pays out each time anew", fails: group + "a payout that is sent again is made once", flaws: func(ports.GatewayEnv) flaws {
			var known refs
			return sent(func(o *gateway.PayoutOrder) { o.Ref, o.Key = known.renamed(o.Ref, o.Key) })
		}},
		{name: "transfers each time anew", fails: group + "a transfer that is sent again is made once", flaws: func(ports.GatewayEnv) flaws {
			var known refs
			return flaws{transfer: func(o gateway.TransferOrder, next func(gateway.TransferOrder) (gateway.PayoutReport, error)) (gateway.PayoutReport, error) {
				o.Ref, o.Key = known.renamed(o.Ref, o.Key)
				return next(o)
			}}
		}},
		plain("takes a lost payout for a failed one", group+"a payout that meets status 500 without a body"+unclear, flaws{
			payout: always(func(_ gateway.PayoutOrder, p *gateway.PayoutReport, err *error) {
				if gateway.IsClass(*err, gateway.Retryable) {
					*p, *err = gateway.PayoutReport{State: gateway.PayoutFailed, Trust: gateway.Answered}, nil
				}
			}),
		}),
		plain("takes returned for done", group+"a payout that is returned after it was done is Returned, and not done",
			becomes(gateway.PayoutReturned, gateway.PayoutDone)),
		plain("takes a new status of a payout for a failure", group+"a payout that is in a status that nobody documented is Unknown, never Failed and never Done",
			becomes(gateway.PayoutUnknown, gateway.PayoutFailed)),
		plain("takes a fault for an unknown payout", group+"reading a payout that meets status 500 with JSON is an error and no answer", flaws{
			readPayout: always(func(_ gateway.PayoutKey, _ *gateway.PayoutReport, err *error) {
				if *err != nil {
					*err = &gateway.Error{Class: gateway.NotFound, Effect: gateway.EffectNone}
				}
			}),
		}),
		plain("pays whom it finds", group+"a payout without what the payee must say is refused and not sent",
			sent(func(o *gateway.PayoutOrder) { o.Fields = subject().Fields })),
		plain("transfers to whom it finds", group+"a transfer without a right IBAN or a name is refused and not sent", flaws{
			transfer: func(o gateway.TransferOrder, next func(gateway.TransferOrder) (gateway.PayoutReport, error)) (gateway.PayoutReport, error) {
				o.To = gateway.Party{Name: "Ali Veli", IBAN: bank.TestIBAN("00")}
				return next(o)
			},
		}),
	}
}

func accountMutants() []mutant {
	const group = "accounts/"
	booked := func(change func(q gateway.StatementQuery, p *gateway.StatementPage)) flaws {
		return flaws{statement: always(func(q gateway.StatementQuery, p *gateway.StatementPage, _ *error) { change(q, p) })}
	}
	return []mutant{
		plain("has more available than there is", group+"a balance says when it was true, and has no more available than there is", flaws{
			balance: always(func(_ string, b *gateway.Balance, _ *error) { b.Available = b.Total.Add(money.MustDecimal("1")) }),
		}),
		plain("turns the direction", group+"a line comes back as it was booked", booked(func(_ gateway.StatementQuery, p *gateway.StatementPage) {
			for i := range p.Lines {
				p.Lines[i].Direction = gateway.Incoming
			}
		})),
		plain("stops after a page", group+"every line comes once, even when others are booked between two pages",
			booked(func(_ gateway.StatementQuery, p *gateway.StatementPage) { p.Next = "" })),
		plain("numbers its lines", group+"a line has the same ID each time", booked(func(q gateway.StatementQuery, p *gateway.StatementPage) {
			for i := range p.Lines {
				p.Lines[i].ID = plugkit.ContentID(string(q.Cursor), strconv.Itoa(i))
			}
		})),
		plain("includes the end", group+"a window has its beginning and not its end", flaws{
			statement: func(q gateway.StatementQuery, next func(gateway.StatementQuery) (gateway.StatementPage, error)) (gateway.StatementPage, error) {
				q.To = q.To.Add(time.Second)
				return next(q)
			},
		}),
	}
}

// documentMutants are of a plugin that takes real money.
func documentMutants() []mutant {
	const group = "as documented/"
	isReal := func(d *gateway.Descriptor) { d.IsSimulator = false }
	return []mutant{
		{name: "is held against nothing", fails: group + "the gateway's calls are held against a source that the plugin's author did not write",
			flaws: func(ports.GatewayEnv) flaws { return flaws{} }, describes: isReal},
		{name: "names no source", fails: group + "every fact, vector and deviation names its source",
			flaws: func(ports.GatewayEnv) flaws { return flaws{} }, describes: isReal,
			changes: func(s *conformance.Subject) { s.Vectors[0].Source = "" }},
		{name: "tells people another meaning of a code", fails: "readme/README.md has the tables of the code",
			flaws: func(ports.GatewayEnv) flaws { return flaws{} },
			changes: func(s *conformance.Subject) {
				s.Tables["Statuses of refunds"] = plugkit.Refunds{"pending": gateway.RefundDone}
			}},
		{name: "tells people that it is proven", fails: "readme/README.md says the maturity and names every field of the configuration",
			flaws: func(ports.GatewayEnv) flaws { return flaws{} }, describes: func(d *gateway.Descriptor) { d.Maturity = gateway.Stable }},
		{name: "calls what nobody documented", fails: group + "every request and every answer is as documented",
			flaws: func(ports.GatewayEnv) flaws { return flaws{} }, describes: isReal,
			changes: func(s *conformance.Subject) {
				s.Documents = &conformance.Documents{Of: "the sandbox", Versions: []conformance.Version{{
					Version: "1", Source: "README.md", Operations: map[string]conformance.Operation{"GET /v1/nothing": {Source: "README.md"}},
				}}}
			}},
	}
}

// hygieneMutants has a reader that answers well at first, and under load always the same.
func hygieneMutants() []mutant {
	floats := plain("has floats", "hygiene/the source has no floats", flaws{})
	floats.source = "package sandbox\n\nfunc price(x float64) float64 { return x }\n"
	return []mutant{floats, {name: "answers for somebody else", fails: "hygiene/fifty questions at a time get fifty right answers", flaws: func(ports.GatewayEnv) flaws {
		var mu sync.Mutex
		var asked []gateway.DepositKey
		return flaws{read: func(k gateway.DepositKey, next func(gateway.DepositKey) (gateway.Observation, error)) (gateway.Observation, error) {
			mu.Lock()
			if asked = append(asked, k); len(asked) > 10 {
				k = asked[0]
			}
			mu.Unlock()
			return next(k)
		}}
	}}}
}
