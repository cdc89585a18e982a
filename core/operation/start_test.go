package operation_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// TestADepositIsOnRecordBeforeItsCall: with everything that the call will say, and as one whose outcome is unknown.
func TestADepositIsOnRecordBeforeItsCall(t *testing.T) {
	t.Parallel()
	b := coretest.NewStore(t, payment.CryptoDeposit)
	plan := coretest.DepositPlan(payment.CryptoDeposit)
	plan.Option, plan.Fields = "usdt", map[string]string{"memo": "1"}
	plan.Quote = &gateway.Quote{From: coretest.AtGateway(25000), To: coretest.Coins("7.1")}
	id := b.Begin(t, plan)
	want := operation.Operation{
		ID: id, Version: 1, PaymentID: b.Payment.ID, TrackingCode: "TPCD-0123456789ABCDEF", Kind: operation.DepositOperation,
		Number: 1, GatewayID: 9, GatewayKind: gateway.Crypto, Reference: "TPCD0123456789ABCDEF", ReturnToken: "R",
		Why: "default, priority 1", Amount: coretest.AtGateway(25000), Due: coretest.Coins("7.1"), Quote: plan.Quote, Option: "usdt",
		Fields: plan.Fields, Phase: operation.Calling, NextAt: b.Now.Add(35 * time.Second), LeaseUntil: b.Now.Add(35 * time.Second),
		DeadlineAt: b.Payment.ExpiresAt, LateUntil: b.Payment.ExpiresAt.Add(2 * time.Hour), CreatedAt: b.Now,
	}
	got := b.Operation(id)
	if len(got.Key) != 26 {
		t.Errorf("key %q", got.Key)
	}
	want.Key = got.Key
	if diff := cmp.Diff(want, got, coretest.Exactly); diff != "" {
		t.Errorf("operation (-want +got):\n%s", diff)
	}
	p := b.Payment
	if p.Status != payment.Showing || p.Version != 2 || p.Gateway.GatewayID != 9 || p.Reason != "" || len(b.Callbacks) != 0 {
		t.Errorf("the payment is %+v", p)
	}
	if len(b.Moves) != 1 || b.Moves[0].Command != payment.Begin || b.Moves[0].Reason != plan.Why {
		t.Errorf("history %+v", b.Moves)
	}
}

// TestHowLongMoneyIsWaitedFor: as long as the plugin says that it can come; "for ever" is a quarter of a year.
func TestHowLongMoneyIsWaitedFor(t *testing.T) {
	t.Parallel()
	for late, want := range map[time.Duration]time.Duration{0: 0, time.Hour: time.Hour, -1: 90 * 24 * time.Hour} {
		b := coretest.NewStore(t, payment.CreditCard)
		plan := coretest.DepositPlan(payment.CreditCard)
		plan.Late = late
		if got := b.Operation(b.Begin(t, plan)).LateUntil.Sub(b.Payment.ExpiresAt); got != want {
			t.Errorf("late %s: %s after the end, want %s", late, got, want)
		}
	}
}

// TestAnotherTryHasAReferenceOfItsOwn, and the tries before it are to be called off.
func TestAnotherTryHasAReferenceOfItsOwn(t *testing.T) {
	t.Parallel()
	b, first := coretest.Opened(t, payment.CreditCard)
	second := b.Begin(t, coretest.DepositPlan(payment.CreditCard))
	third := b.Begin(t, coretest.DepositPlan(payment.CreditCard))
	refs := []gateway.Ref{b.Operation(first).Reference, b.Operation(second).Reference, b.Operation(third).Reference}
	if want := []gateway.Ref{"CC0123456789ABCDEF", "CC0123456789ABCDEFN2", "CC0123456789ABCDEFN3"}; !reflect.DeepEqual(refs, want) {
		t.Errorf("%q, want %q", refs, want)
	}
	for _, id := range []core.ID{first, second} {
		if o := b.Operation(id); !o.IsUnwanted || !o.NextAt.Equal(b.Now) {
			t.Errorf("an earlier try is still wanted: %+v", o)
		}
	}
	if o, ok := operation.Current(b.Operations); !ok || o.ID != third || b.Payment.Gateway.OperationID != third {
		t.Errorf("the current one is %s, want %s", o.ID, third)
	}
}

// TestBeginIsRefused when the time is over, the payment has ended, or money that came waits for a decision: nobody is
// asked to pay twice.
func TestBeginIsRefused(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		set  func(b *coretest.Store, id core.ID)
		want fault.Code
	}{
		{"the last moment", func(b *coretest.Store, _ core.ID) { b.Now = b.Payment.ExpiresAt.Add(-1) }, ""},
		{"its time is over", func(b *coretest.Store, _ core.ID) { b.Now = b.Payment.ExpiresAt }, fault.Expired},
		{"it has no end", func(b *coretest.Store, _ core.ID) { b.Now, b.Payment.ExpiresAt = b.Payment.ExpiresAt, time.Time{} }, ""},
		{"it is paid", func(b *coretest.Store, id core.ID) {
			b.Observe(t, id, coretest.Answered(gateway.Paid, coretest.AtGateway(25000)))
		}, fault.AlreadyFinal},
		{"a part is paid", func(b *coretest.Store, id core.ID) {
			b.Observe(t, id, coretest.Answered(gateway.PartPaid, coretest.AtGateway(100)))
		}, fault.NotAllowed},
		{"it is under review", func(b *coretest.Store, id core.ID) { b.Observe(t, id, coretest.Answered(gateway.Review)) }, fault.NotAllowed},
	}
	for _, m := range []payment.Method{payment.CreditCard, payment.WalletDeposit} {
		for _, tt := range tests {
			b, id := coretest.Opened(t, m)
			tt.set(b, id)
			change, err := operation.DecideBegin(b.Payment, b.Operations, coretest.DepositPlan(m), b.Decision(core.System, ""))
			if fault.CodeOf(err) != tt.want {
				t.Errorf("%s, %s: %v, want %s", m, tt.name, err, tt.want)
			}
			if err != nil && len(change) > 0 {
				t.Errorf("%s, %s: refused, yet changes %+v", m, tt.name, change)
			}
		}
	}
}

// TestWhatTheStartSaysIsKept: how the customer goes on, what the gateway calls it, what is due in a coin.
func TestWhatTheStartSaysIsKept(t *testing.T) {
	t.Parallel()
	b, id := coretest.Begun(t, payment.CryptoDeposit)
	due := coretest.Coins("7.25")
	s := gateway.DepositStarted{
		External: gateway.ExternalRef{ID: "x"}, Due: &due,
		Next: gateway.NextStep{Wait: &gateway.Wait{PollAfter: 3 * time.Second}, Done: &gateway.Observation{State: gateway.Paid}},
	}
	b.Now = b.Now.Add(2 * time.Second)
	b.Take(t, id, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideStarted(c, s, d), nil
	})
	o := b.Operation(id)
	if o.Phase != operation.Open || o.External.ID != "x" || o.Next.Kind() != gateway.StepWait || o.Due != due || !o.StartedAt.Equal(b.Now) {
		t.Errorf("kept %+v", o)
	}
	if !o.NextAt.Equal(b.Now.Add(3*time.Second)) || !o.LeaseUntil.IsZero() {
		t.Errorf("asked again at %s", o.NextAt)
	}
	change := operation.DecideStarted(b.CaseOf(id), s, b.Decision(core.System, ""))
	if len(change) > 0 {
		t.Errorf("told twice, it changes %+v", change)
	}
}

// TestAReportQuickerThanTheStart is newer than it; yet only the start says how the customer goes on.
func TestAReportQuickerThanTheStart(t *testing.T) {
	t.Parallel()
	start := func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		due := coretest.Coins("7.25")
		next := gateway.NextStep{Redirect: &gateway.Redirect{URL: "https://pay.example.com"}}
		return operation.DecideStarted(c, gateway.DepositStarted{External: gateway.ExternalRef{ID: "start", Alt: map[string]string{"token": "t", "payment": "1"}}, Next: next, Due: &due}, d), nil
	}
	b, id := coretest.Begun(t, payment.CryptoDeposit)
	seen := coretest.Answered(gateway.Processing)
	seen.External = gateway.ExternalRef{ID: "report", Alt: map[string]string{"payment": "2"}}
	b.Observe(t, id, seen)
	before := b.Operation(id)
	b.Now = b.Now.Add(time.Second)
	b.Take(t, id, start)
	want := before
	want.Version++
	want.External.Alt = map[string]string{"token": "t", "payment": "2"} // both are needed, and what was seen is newer
	want.Next, want.Due = gateway.NextStep{Redirect: &gateway.Redirect{URL: "https://pay.example.com"}}, coretest.Coins("7.25")
	if diff := cmp.Diff(want, b.Operation(id), coretest.Exactly); diff != "" {
		t.Errorf("after the start (-want +got):\n%s", diff)
	}

	paid, id := coretest.Begun(t, payment.CreditCard)
	paid.Observe(t, id, coretest.Answered(gateway.Paid, coretest.AtGateway(25000)))
	if change := paid.Take(t, id, start); len(change) > 0 {
		t.Errorf("it is paid, and the start changes %+v", change)
	}
}

// TestNotTaken: which refusals free the payment for another gateway, and which end it.
func TestNotTaken(t *testing.T) {
	t.Parallel()
	tests := []struct {
		method payment.Method
		class  gateway.Class
		want   payment.Status
		code   string
	}{
		{payment.CreditCard, gateway.Refused, payment.Failed, "LIMIT_EXCEEDED"},
		{payment.CreditCard, gateway.Misconfigured, payment.Pending, ""},
		{payment.CreditCard, gateway.RateLimited, payment.Pending, ""},
		{payment.CreditCard, gateway.Retryable, payment.Pending, ""},
		{payment.CreditCard, gateway.NotFound, payment.Pending, ""},
		{payment.BankDeposit, gateway.Refused, payment.Showing, ""},
		{payment.CryptoDeposit, gateway.Invalid, payment.Showing, ""},
	}
	for _, tt := range tests {
		b, id := coretest.Begun(t, tt.method)
		e := &gateway.Error{
			Class: tt.class, Effect: gateway.EffectNone, RawCode: "10057", Reason: &gateway.Reason{Code: gateway.LimitExceeded},
		}
		refused := func(c operation.Case, d payment.Decision) (core.Changeset, error) {
			return operation.DecideNotTaken(c, e, d)
		}
		b.Take(t, id, refused)
		o, p := b.Operation(id), b.Payment
		if o.Phase != operation.Closed || o.Status != string(gateway.Failed) || o.RawState != "10057" || !o.NextAt.IsZero() {
			t.Errorf("%s %s: the operation is %+v", tt.method, tt.class, o)
		}
		if p.Status != tt.want || p.Failure.Code != tt.code || p.Gateway.OperationID != "" || len(b.Callbacks) != len(tt.code)/len("LIMIT_EXCEEDED") {
			t.Errorf("%s %s: the payment is %s, %+v, %+v, %d callbacks", tt.method, tt.class, p.Status, p.Failure, p.Gateway, len(b.Callbacks))
		}
		if change := b.Take(t, id, refused); len(change) > 0 {
			t.Errorf("%s %s: told twice, it changes %+v", tt.method, tt.class, change)
		}
	}
}

// TestNotTakenIsNotBelievedAgainstAReport: what a gateway has reported is there.
func TestNotTakenIsNotBelievedAgainstAReport(t *testing.T) {
	t.Parallel()
	b, id := coretest.Begun(t, payment.WalletDeposit)
	b.Observe(t, id, coretest.Answered(gateway.PartPaid, coretest.AtGateway(20000)))
	change := b.Take(t, id, notTaken(gateway.Refused))
	if len(change) > 0 || !b.Operation(id).IsHeld {
		t.Errorf("changes %+v", change)
	}
}

// TestNotTakenOfAnEarlierTry leaves the payment to the later one.
func TestNotTakenOfAnEarlierTry(t *testing.T) {
	t.Parallel()
	b, first := coretest.Begun(t, payment.CreditCard)
	second := b.Begin(t, coretest.DepositPlan(payment.CreditCard))
	b.Take(t, first, notTaken(gateway.Refused))
	if b.Payment.Status != payment.Pending || b.Payment.Gateway.OperationID != second || b.Operation(first).Phase != operation.Closed {
		t.Errorf("the payment is %s at %s, the first try %s", b.Payment.Status, b.Payment.Gateway.OperationID, b.Operation(first).Phase)
	}
}

// TestFinishingIsClaimedOnce: the call that may take the money is made at most once, whoever comes back how often.
func TestFinishingIsClaimedOnce(t *testing.T) {
	t.Parallel()
	b, id := coretest.Opened(t, payment.CreditCard)
	change, ok := operation.DecideFinishing(b.Operation(id), b.Now, time.Minute)
	if !ok {
		t.Fatal("refused")
	}
	twin, ok := operation.DecideFinishing(b.Operation(id), b.Now, time.Minute)
	if !ok {
		t.Fatal("the twin sees the same operation")
	}
	b.Apply(t, change)
	if b.Commits(twin) {
		t.Error("two customers' tabs both finish")
	}
	if o := b.Operation(id); !o.IsFinished || !o.LeaseUntil.Equal(b.Now.Add(time.Minute)) {
		t.Errorf("claimed as %+v", o)
	}
	if _, ok := operation.DecideFinishing(b.Operation(id), b.Now, time.Minute); ok {
		t.Error("claimed twice")
	}
	for _, phase := range []operation.Phase{operation.Planned, operation.Closed} {
		if _, ok := operation.DecideFinishing(operation.Operation{Kind: operation.DepositOperation, Phase: phase}, b.Now, time.Minute); ok {
			t.Errorf("finishes a deposit that is %s", phase)
		}
	}
	if _, ok := operation.DecideFinishing(operation.Operation{Kind: operation.RefundOperation, Phase: operation.Open}, b.Now, time.Minute); ok {
		t.Error("finishes a refund")
	}
}

// TestCallingOff asks the worker at once.
func TestCallingOff(t *testing.T) {
	t.Parallel()
	b, id := coretest.Opened(t, payment.CreditCard)
	b.Apply(t, operation.DecideUnwanted(b.Operation(id), b.Now))
	if o := b.Operation(id); !o.IsUnwanted || !o.NextAt.Equal(b.Now) {
		t.Errorf("called off as %+v", o)
	}
	if _, ok := operation.Current(b.Operations); ok {
		t.Error("what nobody wants is still the current one")
	}
}
