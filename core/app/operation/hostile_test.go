package operation_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/memory"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app/apptest"
	"github.com/vezne/vezne/core/app/operation"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

func TestPanicOfAPluginEndsNothingButItsOwnCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.rig(&rig{})
	bad, o := w.begun(core.CreditCard, lira(250))
	good, well := w.begun(core.CreditCard, lira(250))
	r.read = func(ctx context.Context, k gateway.DepositKey) (gateway.Observation, error) {
		if k.Ref == o.Ref {
			panic("an answer that nobody expected")
		}
		return r.Till.ReadDeposit(ctx, k)
	}
	w.Till.Pay(well.Ref)
	w.later(6 * time.Second)
	w.is(good, core.Success)
	w.forMinutes(17)
	w.is(bad, core.Failed)
	if logs := w.Logs.String(); !strings.Contains(logs, "an answer that nobody expected") || !strings.Contains(logs, "hostile_test.go") {
		t.Error("the panic is not in the log, with where it came from")
	}
	r.start = func(context.Context, gateway.DepositOrder) (gateway.DepositStarted, error) { panic("at the start") }
	p := w.StartDeposit(t, core.CreditCard, lira(250))
	_, o, err := w.Operations.Begin(t.Context(), operation.Begin{Token: p.Token})
	if err != nil || o.Phase != core.Calling {
		t.Errorf("a start that panics has an unknown outcome: %s, %v", o.Phase, err)
	}
}

func TestNotificationThatMakesThePluginPanicIsAskedForAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.rig(&rig{told: func(gateway.Inbound) (gateway.Notification, error) { panic("a body that nobody expected") }})
	reply, err := w.Operations.Notify(t.Context(), w.Gateway.HookToken, gateway.Inbound{Method: http.MethodPost})
	if err != nil || reply.Status != http.StatusServiceUnavailable {
		t.Errorf("answered %d, %v", reply.Status, err)
	}
}

func TestAnswerAboutAnotherOrderIsNotBelieved(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.rig(&rig{})
	_, other := w.begun(core.CreditCard, lira(250))
	p, _ := w.begun(core.CreditCard, lira(250))
	w.Till.Pay(other.Ref)
	r.read = func(ctx context.Context, _ gateway.DepositKey) (gateway.Observation, error) {
		return r.Till.ReadDeposit(ctx, gateway.DepositKey{Ref: other.Ref})
	}
	w.forMinutes(1)
	w.is(p, core.Pending)
	payout := w.StartWithdrawal(t, core.BankWithdrawal, lira(500))
	w.Work(t)
	r.payout = func(gateway.PayoutKey) (gateway.PayoutReport, error) {
		return gateway.PayoutReport{Ref: "SOMEBODYELSES", State: gateway.PayoutDone, Trust: gateway.Answered}, nil
	}
	w.forMinutes(2)
	w.is(payout, core.Processing)
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
				started, err := r.Till.StartDeposit(ctx, o)
				started.Due = &due
				return started, err
			}
			p, o := w.begun(core.BankDeposit, lira(250))
			w.Till.Change(o.Ref, func(at *memory.Order) { at.State, at.Paid = string(gateway.Paid), due })
			w.forMinutes(1)
			if got := w.Reload(t, p); got.Status == core.Completed {
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
		seen, err := r.Till.ReadDeposit(ctx, k)
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
	w.begun(core.CreditCard, lira(250)) // refused here, taken by the other
	r.start = nil
	p, o := w.begun(core.BankDeposit, lira(250))
	w.later(6 * time.Second)
	w.later(time.Minute)
	w.is(p, core.Processing) // some money is there
	o = w.operations(p)[0]
	calls, err := w.Store.GatewayCalls(t.Context(), core.GatewayCallQuery{GatewayID: w.Gateway.ID, Limit: 100})
	w.no(err)
	moves, err := w.Store.Moves(t.Context(), p.ID)
	w.no(err)
	for what, kept := range map[string]string{
		"the operation": fmt.Sprintf("%+v", o), "the payment": fmt.Sprintf("%+v", w.Reload(t, p)), "the moves": fmt.Sprintf("%+v", moves),
		"the calls": fmt.Sprintf("%+v", calls), "the account": fmt.Sprintf("%+v", w.accountOf(w.Gateway.ID)), "the log": w.Logs.String(),
		"the discrepancy": fmt.Sprintf("%+v", w.discrepancy(p, core.OtherMoney)),
	} {
		if strings.Contains(kept, "key-of-till") {
			t.Errorf("%s has a secret: %s", what, kept)
		}
		if what != "the log" && (strings.ContainsAny(kept, "\x00\xff\u0007") || strings.Count(kept, "ş") > 2000) {
			t.Errorf("%s is out of bounds: %s", what, kept)
		}
	}
	if !o.External.IsZero() && o.External.ID != "till-"+string(o.Ref) {
		t.Errorf("an identity is kept that can't be: %q", o.External.ID)
	}
}

func TestNextStepThatIsTooLargeIsNoStep(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.rig(&rig{})
	r.start = func(ctx context.Context, o gateway.DepositOrder) (gateway.DepositStarted, error) {
		started, err := r.Till.StartDeposit(ctx, o)
		started.Next = gateway.NextStep{HTML: &gateway.HostedHTML{Document: strings.Repeat("x", 4<<20)}}
		return started, err
	}
	p := w.StartDeposit(t, core.CreditCard, lira(250))
	_, o, err := w.Operations.Begin(t.Context(), operation.Begin{Token: p.Token})
	if err != nil || o.Phase != core.Calling || o.Next.HTML != nil {
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
		return r.Till.ReadDeposit(ctx, k)
	}
	p, o := w.begun(core.CreditCard, lira(250))
	for range 100 {
		w.comeBack(o)
	}
	if n := asked.Load(); n == 0 || n > 10 {
		t.Errorf("asked %d times", n)
	}
	w.Till.Pay(o.Ref)
	w.Clock.Advance(time.Minute)
	w.comeBack(o)
	w.is(p, core.Success)
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
	p := w.StartDeposit(t, core.BankDeposit, lira(250))
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

func TestFloodOfForgedNotificationsIsKeptShortAndFew(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	forged := gateway.Inbound{Method: http.MethodPost, Body: bytes.Repeat([]byte("x"), gateway.MaxNotificationBytes)}
	for i := range 100 {
		forged.Header = append(forged.Header, gateway.Field{Name: fmt.Sprint("X-", i), Value: strings.Repeat("y", 1000)})
	}
	for range 500 {
		w.Clock.Advance(time.Millisecond)
		reply, err := w.Operations.Notify(t.Context(), w.Gateway.HookToken, forged)
		if err != nil || reply.Status != http.StatusUnauthorized {
			t.Fatalf("answered %d, %v", reply.Status, err)
		}
	}
	kept := w.notifications()
	size := 0
	for _, n := range kept {
		size += len(n.Inbound.Body) + len(n.Inbound.Query)
		for _, f := range n.Inbound.Header {
			size += len(f.Name) + len(f.Value)
		}
	}
	if len(kept) != 60 || size > 60*(20<<10) {
		t.Errorf("%d are kept, of %d bytes", len(kept), size)
	}
}

func (w *world) notifications() []core.Notification {
	w.t.Helper()
	all, err := w.Store.Notifications(w.t.Context(), core.NotificationQuery{Limit: 1000})
	w.no(err)
	return all
}

func TestMessagesThatNoSignatureProtectsAreTakenAtABoundedRate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, o := w.begun(core.CreditCard, lira(250))
	statuses := map[int]int{}
	send := func(i int, trust gateway.Trust) {
		reply, err := w.Operations.Notify(t.Context(), w.Gateway.HookToken, w.Till.Notification(fmt.Sprint("n-", trust, i), o.Ref, trust))
		w.no(err)
		statuses[reply.Status]++
	}
	for i := range 700 {
		send(i, gateway.Hint)
	}
	if statuses[http.StatusOK] != 600 || statuses[http.StatusServiceUnavailable] != 100 {
		t.Errorf("hints are answered %v", statuses)
	}
	clear(statuses)
	for i := range 700 {
		send(i, gateway.Signed)
	}
	if statuses[http.StatusOK] != 700 {
		t.Errorf("what is signed is answered %v", statuses)
	}
}

func TestKeysThatNoDatabaseTakesStillTellMessagesApart(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.rig(&rig{})
	r.told = func(in gateway.Inbound) (gateway.Notification, error) {
		return gateway.Notification{ID: oddTexts() + string(in.Body), Type: oddTexts()}, nil
	}
	for _, body := range []string{"1", "2", "1"} {
		_, err := w.Operations.Notify(t.Context(), w.Gateway.HookToken, gateway.Inbound{Method: http.MethodPost, Body: []byte(body)})
		w.no(err)
	}
	kept := w.notifications()
	if len(kept) != 2 || kept[0].Key == kept[1].Key || len(kept[0].Key) > 200 || strings.ContainsAny(kept[0].Key+kept[0].Type, "\x00\xff") {
		t.Errorf("kept %d: %q", len(kept), kept[0].Key)
	}
}

// TestNotificationThatCannotBeWorkedOnHoldsUpNoOtherAndIsLeftToStaff: whatever keeps one from being worked on.
func TestNotificationThatCannotBeWorkedOnHoldsUpNoOtherAndIsLeftToStaff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	bad, o := w.begun(core.CreditCard, lira(250))
	w.Desk.Commits = &apptest.Commits{Committer: w.Store, Before: func(c core.Changeset) error {
		for _, p := range c.Payments {
			if p.ID == bad.ID {
				return fault.New("test", fault.Internal)
			}
		}
		return nil
	}}
	w.Till.Pay(o.Ref)
	for i := range 40 {
		_, err := w.Operations.Notify(t.Context(), w.Gateway.HookToken, w.Till.Notification(fmt.Sprint("bad-", i), o.Ref, gateway.Signed))
		w.no(err)
	}
	good, o := w.begun(core.CreditCard, lira(250))
	w.Till.Pay(o.Ref)
	_, err := w.Operations.Notify(t.Context(), w.Gateway.HookToken, w.Till.Notification("good", o.Ref, gateway.Signed))
	w.no(err)
	w.Work(t)
	w.is(good, core.Success)
	for range 60 {
		w.later(time.Hour)
	}
	for _, n := range w.notifications() {
		want := core.NotificationUnknown
		if n.Key == "good" {
			want = core.NotificationDone
		}
		if n.State != want {
			t.Fatalf("%s is %s after %d tries", n.Key, n.State, n.Tries)
		}
	}
}

// TestReportsFindTheOperationOfTheirKind: a gateway may give a deposit and its refund one id, and may name the wrong one.
func TestReportsFindTheOperationOfTheirKind(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.rig(&rig{})
	p, o := w.begun(core.CreditCard, lira(250))
	w.Till.Pay(o.Ref)
	w.comeBack(o)
	w.Clock.Advance(time.Second)
	_, err := w.Operations.Refund(t.Context(), byOf(w, p), lira(100), nil)
	w.no(err)
	w.Work(t)
	refund := w.operations(p)[1]
	refund.Version, refund.External.ID = refund.Version+1, o.External.ID // newer, and of the same id
	w.no(w.Store.Commit(t.Context(), core.Changeset{Operations: []core.Operation{refund}}))
	r.told = func(gateway.Inbound) (gateway.Notification, error) {
		return gateway.Notification{ID: "n-1", Events: []gateway.Observation{{External: o.External, State: gateway.Disputed, Trust: gateway.Answered}}}, nil
	}
	_, err = w.Operations.Notify(t.Context(), w.Gateway.HookToken, gateway.Inbound{})
	w.no(err)
	w.Work(t)
	if d := w.discrepancy(p, core.Dispute); d.OperationID != o.ID {
		t.Errorf("it is about %s", d.OperationID)
	}
	r.told = func(gateway.Inbound) (gateway.Notification, error) { // a payout under a deposit's reference
		return gateway.Notification{ID: "n-2", Payouts: []gateway.PayoutReport{{Ref: o.Ref, State: gateway.PayoutDone, Trust: gateway.Signed}}}, nil
	}
	_, err = w.Operations.Notify(t.Context(), w.Gateway.HookToken, gateway.Inbound{})
	w.no(err)
	w.Work(t)
	for _, n := range w.notifications() {
		if n.Key == "n-2" && n.State != core.NotificationUnknown {
			t.Errorf("a report about another kind is %s", n.State)
		}
	}
}

// TestEverybodyAtOnce lets the worker, the customer's returns, notifications, a cancel, other presses and the page come at
// the same moment, many times: one end, one callback, and no money that nobody is told of.
func TestEverybodyAtOnce(t *testing.T) {
	t.Parallel()
	for i := range 30 {
		w := newWorld(t)
		p, o := w.begun(core.CreditCard, lira(250))
		isPaid := i%3 != 0
		if isPaid {
			w.Till.Pay(o.Ref)
		}
		letters := []gateway.Inbound{
			w.Till.Notification("n-1", o.Ref, gateway.Signed), w.Till.Notification("n-1", o.Ref, gateway.Signed), w.Till.Notification("n-2", o.Ref, gateway.Hint),
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
				w.Operations.Wake(fmt.Sprint(w.Gateway.ID))
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
		want := core.Cancelled
		if isPaid {
			want = core.Success
		}
		w.is(p, want)
		if n := len(w.callbacks(p)); n != 1 {
			t.Fatalf("%d callbacks", n)
		}
		if n := w.Till.Finishes(o.Ref); n > 1 {
			t.Fatalf("%d finishing calls", n)
		}
	}
}
