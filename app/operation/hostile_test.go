package operation_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	coreoperation "github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

func TestPanicOfAPluginEndsNothingButItsOwnCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.rig(&rig{})
	bad, o := w.begun(payment.CreditCard, lira(250))
	good, well := w.begun(payment.CreditCard, lira(250))
	r.read = func(ctx context.Context, k gateway.DepositKey) (gateway.Observation, error) {
		if k.Ref == o.Reference {
			panic("an answer that nobody expected")
		}
		return r.ReadDeposit(ctx, k)
	}
	w.Sandbox.PayInFull(well.Reference)
	w.later(6 * time.Second)
	w.is(good, payment.Success)
	w.forMinutes(17)
	w.is(bad, payment.Failed)
	if logs := w.Logs.String(); !strings.Contains(logs, "an answer that nobody expected") || !strings.Contains(logs, "hostile_test.go") {
		t.Error("the panic is not in the log, with where it came from")
	}
	r.start = func(context.Context, gateway.DepositOrder) (gateway.DepositStarted, error) { panic("at the start") }
	p := w.StartDeposit(t, payment.CreditCard, lira(250))
	_, o, err := w.Operations.Begin(t.Context(), operation.Begin{Token: p.Token})
	if err != nil || o.Phase != coreoperation.Calling {
		t.Errorf("a start that panics has an unknown outcome: %s, %v", o.Phase, err)
	}
}

func TestAnswerAboutAnotherOrderIsNotBelieved(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.rig(&rig{})
	_, other := w.begun(payment.CreditCard, lira(250))
	p, _ := w.begun(payment.CreditCard, lira(250))
	w.Sandbox.PayInFull(other.Reference)
	r.read = func(ctx context.Context, _ gateway.DepositKey) (gateway.Observation, error) {
		return r.ReadDeposit(ctx, gateway.DepositKey{Ref: other.Reference})
	}
	w.forMinutes(1)
	w.is(p, payment.Pending)
	payout := w.StartWithdrawal(t, payment.BankWithdrawal, lira(500))
	w.Work(t)
	r.payout = func(gateway.PayoutKey) (gateway.PayoutReport, error) {
		return gateway.PayoutReport{Ref: "SOMEBODYELSES", State: gateway.PayoutDone, Trust: gateway.Answered}, nil
	}
	w.forMinutes(2)
	w.is(payout, payment.Processing)
}

// TestSmallerAmountThanWasOrderedNeverCompletesAPayment: what the gateway names as due is not what was ordered.
func TestSmallerAmountThanWasOrderedNeverCompletesAPayment(t *testing.T) {
	t.Parallel()
	for name, due := range map[string]gateway.Money{
		"a lira":           gateway.Lira(lira(1)),
		"nothing":          gateway.Lira(lira(0)),
		"another currency": {Amount: money.MustDecimal("250"), Asset: gateway.Asset{Code: "USD", Decimals: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			r := w.rig(&rig{})
			r.start = func(ctx context.Context, o gateway.DepositOrder) (gateway.DepositStarted, error) {
				started, err := r.StartDeposit(ctx, o)
				started.Due = &due
				return started, err
			}
			p, _ := w.begun(payment.BankDeposit, lira(250))
			r.read = func(ctx context.Context, k gateway.DepositKey) (gateway.Observation, error) {
				seen, err := r.ReadDeposit(ctx, k)
				seen.State, seen.Paid = gateway.Paid, &due
				return seen, err
			}
			w.forMinutes(1)
			if got := w.Reload(t, p); got.Status == payment.Completed {
				t.Errorf("completed with %s", due)
			}
			if !strings.Contains(w.Logs.String(), "another amount than was ordered") {
				t.Error("nobody is told")
			}
		})
	}
}

// oddTexts are what no database takes, or no person can read.
func oddTexts() string { return "key-of-till\x00\xff\u0007" + strings.Repeat("ş", 5000) }

func TestOddTextsAreBroughtIntoBoundsAndSecretsKeptOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.rig(&rig{})
	odd := oddTexts()
	isOdd := true
	r.read = func(ctx context.Context, k gateway.DepositKey) (gateway.Observation, error) {
		seen, err := r.ReadDeposit(ctx, k)
		seen.External, seen.Raw = gateway.ExternalRef{ID: odd, State: bytes.Repeat([]byte{0}, 5000)}, odd
		seen.Payer = &gateway.Party{Name: odd}
		seen.Paid = &gateway.Money{Amount: money.MustDecimal("1"), Asset: gateway.Asset{Code: odd, Network: odd}}
		seen.Reason = &gateway.Reason{Code: gateway.ReasonCode(odd), RawCode: odd, RawText: odd}
		seen.State = gateway.Failed
		if isOdd {
			isOdd = false
			return seen, &gateway.Error{Class: gateway.Retryable, RawCode: odd, RawText: odd, Err: fmt.Errorf("with %s", odd)}
		}
		return seen, err
	}
	r.start = func(context.Context, gateway.DepositOrder) (gateway.DepositStarted, error) {
		return gateway.DepositStarted{}, &gateway.Error{Class: gateway.Misconfigured, Effect: gateway.EffectNone, RawCode: odd, Err: fmt.Errorf("with %s", odd)}
	}
	w.begun(payment.CreditCard, lira(250)) // refused here, taken by the other
	r.start = nil
	p, _ := w.begun(payment.BankDeposit, lira(250))
	w.later(6 * time.Second)
	w.later(time.Minute)
	w.is(p, payment.Processing) // some money is there
	o := w.operations(p)[0]
	calls, err := w.Store.GatewayCalls(t.Context(), coreoperation.GatewayCallQuery{Gateways: []int64{w.Gateway.ID}, Limit: 100})
	w.no(err)
	moves, err := w.Store.MovesOf(t.Context(), []core.ID{p.ID}, core.Paging[payment.TransitionID]{Limit: core.MaxPage})
	w.no(err)
	for what, kept := range map[string]string{
		"the operation": fmt.Sprintf("%+v", o), "the payment": fmt.Sprintf("%+v", w.Reload(t, p)), "the moves": fmt.Sprintf("%+v", moves),
		"the calls": fmt.Sprintf("%+v", calls), "the account": fmt.Sprintf("%+v", w.accountOf(w.Gateway.ID)), "the log": w.Logs.String(),
		"the discrepancy": fmt.Sprintf("%+v", w.discrepancy(p, discrepancy.OtherMoney)),
	} {
		if strings.Contains(kept, "key-of-till") {
			t.Errorf("%s has a secret: %s", what, kept)
		}
		if what != "the log" && (!core.IsCleanText(kept) || strings.Count(kept, "ş") > 2000) {
			t.Errorf("%s is out of bounds: %s", what, kept)
		}
	}
	if at, _ := w.Sandbox.FindDeposit(string(o.Reference)); !o.External.IsZero() && o.External.ID != at.ID {
		t.Errorf("an identity is kept that can't be: %q", o.External.ID)
	}
}

func TestNextStepThatIsTooLargeIsNoStep(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.rig(&rig{})
	r.start = func(ctx context.Context, o gateway.DepositOrder) (gateway.DepositStarted, error) {
		started, err := r.StartDeposit(ctx, o)
		started.Next = gateway.NextStep{HTML: &gateway.HostedHTML{Document: strings.Repeat("x", 4<<20)}}
		return started, err
	}
	p := w.StartDeposit(t, payment.CreditCard, lira(250))
	_, o, err := w.Operations.Begin(t.Context(), operation.Begin{Token: p.Token})
	if err != nil || o.Phase != coreoperation.Calling || o.Next.HTML != nil {
		t.Errorf("kept: %s, %v", o.Phase, err)
	}
}

func TestReturnAddressOpenedAgainAndAgainAsksSeldom(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.rig(&rig{})
	var asked atomic.Int32
	r.read = func(ctx context.Context, k gateway.DepositKey) (gateway.Observation, error) {
		asked.Add(1)
		return r.ReadDeposit(ctx, k)
	}
	p, o := w.begun(payment.CreditCard, lira(250))
	for range 100 {
		w.comeBack(o)
	}
	if n := asked.Load(); n == 0 || n > 10 {
		t.Errorf("asked %d times", n)
	}
	w.Sandbox.PayInFull(o.Reference)
	w.Clock.Advance(time.Minute)
	w.comeBack(o)
	w.is(p, payment.Success)
	asked.Store(0)
	for range 10 {
		w.Clock.Advance(time.Minute)
		w.comeBack(o)
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("asked %d times about what has ended", n)
	}
}

func TestOnePaymentIsNotHandedToGatewaysWithoutEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.StartDeposit(t, payment.BankDeposit, lira(250))
	var err error
	for i := range 100 {
		id := w.Gateway.ID
		if i%2 == 1 {
			id = w.OtherGateway.ID
		}
		if _, _, err = w.Operations.Begin(t.Context(), operation.Begin{Token: p.Token, GatewayID: id}); err != nil {
			break
		}
	}
	w.fails(err, fault.NotAllowed)
	if n := len(w.operations(p)); n != 30 {
		t.Errorf("%d operations", n)
	}
}

// TestEverybodyAtOnce lets the worker, the customer's returns, notifications, a cancel, other presses and the page come at
// the same moment, many times: one end, one callback, and no money that nobody is told of.
func TestEverybodyAtOnce(t *testing.T) {
	t.Parallel()
	for i := range 9 {
		w := newWorld(t)
		var finishes atomic.Int32
		w.rig(&rig{finish: func() { finishes.Add(1) }})
		p, o := w.begun(payment.CreditCard, lira(250))
		isPaid := i%3 != 0
		if isPaid {
			w.Sandbox.PayInFull(o.Reference)
		}
		letters := []gateway.Inbound{
			w.Sandbox.Inform("n-1", o.Reference, gateway.Signed), w.Sandbox.Inform("n-1", o.Reference, gateway.Signed), w.Sandbox.Inform("n-2", o.Reference, gateway.Hint),
		}
		w.Clock.Advance(6 * time.Second)
		var all sync.WaitGroup
		for _, do := range []func() error{
			func() error { return w.Sweep.Sweep(t.Context()) },
			func() error { _, err := w.Operations.Return(t.Context(), o.ReturnToken, gateway.Inbound{}); return err },
			func() error { _, err := w.Operations.Return(t.Context(), o.ReturnToken, gateway.Inbound{}); return err },
			func() error { _, err := w.Operations.Notify(t.Context(), w.Gateway.HookToken, letters[0]); return err },
			func() error { _, err := w.Operations.Notify(t.Context(), w.Gateway.HookToken, letters[1]); return err },
			func() error { _, err := w.Operations.Notify(t.Context(), w.Gateway.HookToken, letters[2]); return err },
			func() error { _, err := w.Operations.Cancel(t.Context(), p.Token); return err },
			func() error {
				_, _, err := w.Operations.Begin(t.Context(), operation.Begin{Token: p.Token})
				return err
			},
			func() error { _, err := w.Operations.View(t.Context(), p.Token); return err },
			func() error {
				w.Operations.Wake(w.Gateway.ID)
				w.Operations.WakeNotifications()
				return nil
			},
		} {
			all.Go(func() {
				if err := do(); err != nil && !fault.Is(err, fault.AlreadyFinal) && !fault.Is(err, fault.Conflict) && !fault.Is(err, fault.NotAllowed) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		w.no(w.Operations.Wait(t.Context()))
		w.forMinutes(1)
		want := payment.Cancelled
		if isPaid {
			want = payment.Success
		}
		w.is(p, want)
		if n := len(w.callbacks(p)); n != 1 {
			t.Fatalf("%d callbacks", n)
		}
		if n := finishes.Load(); n > 1 {
			t.Fatalf("%d finishing calls", n)
		}
	}
}

func TestOptionThatNobodyOffersIsNoOption(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, first := w.begun(payment.BankDeposit, lira(250))
	_, again, err := w.Operations.Begin(t.Context(), operation.Begin{Token: p.Token, GatewayID: w.Gateway.ID, Option: oddTexts()})
	w.no(err)
	if again.ID != first.ID || again.Option != "" {
		t.Errorf("begun anew, with option %q", again.Option)
	}
}

func TestListOfOptionsWithoutEndIsCut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.rig(&rig{list: func(context.Context) ([]gateway.Option, error) {
		list := []gateway.Option{{ID: oddTexts(), Asset: apptest.USDT}}
		for i := range 10_000 {
			list = append(list, gateway.Option{ID: fmt.Sprint("coin-", i), Title: oddTexts(), Asset: apptest.USDT})
		}
		return list, nil
	}})
	p := w.StartDeposit(t, payment.CryptoDeposit, lira(250))
	v, err := w.Operations.View(t.Context(), p.Token)
	w.no(err)
	for _, o := range v.Offers {
		for _, option := range o.Options {
			if len(o.Options) > 200 || len(option.ID) > 100 || len(option.Title) > 100 {
				t.Fatalf("%d options, %q %q", len(o.Options), option.ID, option.Title)
			}
		}
	}
}

func TestPluginThatQuotesTheConfigurationInItsErrorIsNotQuoted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.begun(payment.CreditCard, lira(250))
	w.rig(&rig{open: func() error { return fmt.Errorf("the key %q is not one", "key-of-till") }})
	a := w.Gateway
	a.Version++
	w.no(w.UnitOfWork.Commit(t.Context(), core.Changeset{a}))
	w.forMinutes(2)
	_, err := w.Gateways.Open(a)
	w.fails(err, fault.GatewayUnusable)
	if logs := w.Logs.String(); strings.Contains(logs+err.Error(), "key-of-till") || !strings.Contains(logs, "[secret]") {
		t.Errorf("quoted: %v", err)
	}
}

func TestConfirmingAPayoutIsAuditedWhateverComesOfIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.StartWithdrawal(t, payment.BankWithdrawal, lira(500))
	w.Work(t)
	w.Sandbox.Happen(w.operations(p)[0].Reference, bank.NeedsApproval)
	w.later(10 * time.Second)
	var rows []core.AuditEntry
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, After: func(c core.Changeset) error {
		rows = append(rows, core.RowsOf[core.AuditEntry](c)...)
		return nil
	}}
	_, err := w.Operations.ConfirmPayout(t.Context(), byOf(w, p), "000000")
	w.fails(err, fault.GatewayFailed)
	_, err = w.Operations.ConfirmPayout(t.Context(), byOf(w, p), "123456")
	w.no(err)
	var reasons []string // of what staff were about to do, and of what came of it
	for _, row := range rows {
		reasons = append(reasons, row.Reason)
	}
	want := []string{"seen", string(gateway.Refused), "seen", string(gateway.PayoutDone)}
	if !slices.Equal(reasons, want) {
		t.Fatalf("audited: %+v", rows)
	}
	for _, row := range rows {
		if row.Action != "confirmPayout" || row.Actor.Kind != core.ByStaff || row.Target != "payment/"+p.TrackingCode || strings.Contains(fmt.Sprint(row), "123456") {
			t.Errorf("audited: %+v", row)
		}
	}
	_, err = w.Operations.ConfirmPayout(t.Context(), apptest.By(w.Viewer, p, ""), "123456")
	w.fails(err, fault.Forbidden)
}
