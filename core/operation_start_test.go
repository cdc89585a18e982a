package core_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// TestADepositIsOnRecordBeforeItsCall: with everything that the call will say, and as one whose outcome is unknown.
func TestADepositIsOnRecordBeforeItsCall(t *testing.T) {
	t.Parallel()
	b := newBooks(t, payment.CryptoDeposit)
	plan := depositPlan(payment.CryptoDeposit)
	plan.Option, plan.Fields = "usdt", map[string]string{"memo": "1"}
	plan.Quote = &gateway.Quote{From: atGateway(25000), To: coins("7.1")}
	id := b.begin(t, plan)
	want := operation.Operation{
		ID: id, Version: 1, PaymentID: b.payment.ID, TrackingCode: "TPCD-0123456789ABCDEF", Kind: operation.DepositOperation,
		Number: 1, GatewayID: 9, GatewayKind: gateway.Crypto, Ref: "TPCD0123456789ABCDEF", ReturnToken: "R",
		Why: "default, priority 1", Amount: atGateway(25000), Due: coins("7.1"), Quote: plan.Quote, Option: "usdt",
		Fields: plan.Fields, Phase: operation.Calling, NextAt: b.now.Add(35 * time.Second), LeaseUntil: b.now.Add(35 * time.Second),
		DeadlineAt: b.payment.ExpiresAt, LateUntil: b.payment.ExpiresAt.Add(2 * time.Hour), CreatedAt: b.now,
	}
	got := b.operation(id)
	if len(got.Key) != 26 {
		t.Errorf("key %q", got.Key)
	}
	want.Key = got.Key
	if diff := cmp.Diff(want, got, exactly); diff != "" {
		t.Errorf("operation (-want +got):\n%s", diff)
	}
	p := b.payment
	if p.Status != payment.Showing || p.Version != 2 || p.AtGate.GatewayID != 9 || p.Reason != "" || len(b.callbacks) != 0 {
		t.Errorf("the payment is %+v", p)
	}
	if len(b.moves) != 1 || b.moves[0].Command != payment.Begin || b.moves[0].Reason != plan.Why {
		t.Errorf("history %+v", b.moves)
	}
}

// TestHowLongMoneyIsWaitedFor: as long as the plugin says that it can come; "for ever" is a quarter of a year.
func TestHowLongMoneyIsWaitedFor(t *testing.T) {
	t.Parallel()
	for late, want := range map[time.Duration]time.Duration{0: 0, time.Hour: time.Hour, -1: 90 * 24 * time.Hour} {
		b := newBooks(t, payment.CreditCard)
		plan := depositPlan(payment.CreditCard)
		plan.Late = late
		if got := b.operation(b.begin(t, plan)).LateUntil.Sub(b.payment.ExpiresAt); got != want {
			t.Errorf("late %s: %s after the end, want %s", late, got, want)
		}
	}
}

// TestAnotherTryHasAReferenceOfItsOwn, and the tries before it are to be called off.
func TestAnotherTryHasAReferenceOfItsOwn(t *testing.T) {
	t.Parallel()
	b, first := opened(t, payment.CreditCard)
	second := b.begin(t, depositPlan(payment.CreditCard))
	third := b.begin(t, depositPlan(payment.CreditCard))
	refs := []gateway.Ref{b.operation(first).Ref, b.operation(second).Ref, b.operation(third).Ref}
	if want := []gateway.Ref{"CC0123456789ABCDEF", "CC0123456789ABCDEFN2", "CC0123456789ABCDEFN3"}; !reflect.DeepEqual(refs, want) {
		t.Errorf("%q, want %q", refs, want)
	}
	for _, id := range []core.ID{first, second} {
		if o := b.operation(id); !o.IsUnwanted || !o.NextAt.Equal(b.now) {
			t.Errorf("an earlier try is still wanted: %+v", o)
		}
	}
	if o, ok := operation.Current(b.operations); !ok || o.ID != third || b.payment.AtGate.OperationID != third {
		t.Errorf("the current one is %s, want %s", o.ID, third)
	}
}

// TestBeginIsRefused when the time is over, the payment has ended, or money that came waits for a decision: nobody is
// asked to pay twice.
func TestBeginIsRefused(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		set  func(b *books, id core.ID)
		want fault.Code
	}{
		{"the last moment", func(b *books, _ core.ID) { b.now = b.payment.ExpiresAt.Add(-1) }, ""},
		{"its time is over", func(b *books, _ core.ID) { b.now = b.payment.ExpiresAt }, fault.Expired},
		{"it has no end", func(b *books, _ core.ID) { b.now, b.payment.ExpiresAt = b.payment.ExpiresAt, time.Time{} }, ""},
		{"it is paid", func(b *books, id core.ID) { b.observe(t, id, answered(gateway.Paid, atGateway(25000))) }, fault.AlreadyFinal},
		{"a part is paid", func(b *books, id core.ID) { b.observe(t, id, answered(gateway.PartPaid, atGateway(100))) }, fault.NotAllowed},
		{"it is under review", func(b *books, id core.ID) { b.observe(t, id, answered(gateway.Review)) }, fault.NotAllowed},
	}
	for _, m := range []payment.Method{payment.CreditCard, payment.WalletDeposit} {
		for _, tt := range tests {
			b, id := opened(t, m)
			tt.set(b, id)
			change, err := operation.DecideBegin(b.payment, b.operations, depositPlan(m), b.decision(core.System, ""))
			if fault.CodeOf(err) != tt.want {
				t.Errorf("%s, %s: %v, want %s", m, tt.name, err, tt.want)
			}
			if err != nil && !isNothing(change) {
				t.Errorf("%s, %s: refused, yet changes %+v", m, tt.name, change)
			}
		}
	}
}

// TestWhatTheStartSaysIsKept: how the customer goes on, what the gateway calls it, what is due in a coin.
func TestWhatTheStartSaysIsKept(t *testing.T) {
	t.Parallel()
	b, id := begun(t, payment.CryptoDeposit)
	due := coins("7.25")
	s := gateway.DepositStarted{
		External: gateway.ExternalRef{ID: "x"}, Due: &due,
		Next: gateway.NextStep{Wait: &gateway.Wait{PollAfter: 3 * time.Second}, Done: &gateway.Observation{State: gateway.Paid}},
	}
	b.now = b.now.Add(2 * time.Second)
	b.take(t, id, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideStarted(c, s, d), nil
	})
	o := b.operation(id)
	if o.Phase != operation.Open || o.External.ID != "x" || o.Next.Kind() != gateway.StepWait || o.Due != due || !o.StartedAt.Equal(b.now) {
		t.Errorf("kept %+v", o)
	}
	if !o.NextAt.Equal(b.now.Add(3*time.Second)) || !o.LeaseUntil.IsZero() {
		t.Errorf("asked again at %s", o.NextAt)
	}
	change := operation.DecideStarted(b.caseOf(id), s, b.decision(core.System, ""))
	if !isNothing(change) {
		t.Errorf("told twice, it changes %+v", change)
	}
}

// TestAReportQuickerThanTheStart is newer than it; yet only the start says how the customer goes on.
func TestAReportQuickerThanTheStart(t *testing.T) {
	t.Parallel()
	start := func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		due := coins("7.25")
		next := gateway.NextStep{Redirect: &gateway.Redirect{URL: "https://pay.example.com"}}
		return operation.DecideStarted(c, gateway.DepositStarted{External: gateway.ExternalRef{ID: "start"}, Next: next, Due: &due}, d), nil
	}
	b, id := begun(t, payment.CryptoDeposit)
	seen := answered(gateway.Processing)
	seen.External.ID = "report"
	b.observe(t, id, seen)
	before := b.operation(id)
	b.now = b.now.Add(time.Second)
	b.take(t, id, start)
	want := before
	want.Version++
	want.Next, want.Due = gateway.NextStep{Redirect: &gateway.Redirect{URL: "https://pay.example.com"}}, coins("7.25")
	if diff := cmp.Diff(want, b.operation(id), exactly); diff != "" {
		t.Errorf("after the start (-want +got):\n%s", diff)
	}

	paid, id := begun(t, payment.CreditCard)
	paid.observe(t, id, answered(gateway.Paid, atGateway(25000)))
	if change := paid.take(t, id, start); !isNothing(change) {
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
		b, id := begun(t, tt.method)
		e := &gateway.Error{
			Class: tt.class, Effect: gateway.EffectNone, RawCode: "10057", Reason: &gateway.Reason{Code: gateway.LimitExceeded},
		}
		notTaken := func(c operation.Case, d payment.Decision) (core.Changeset, error) {
			return operation.DecideNotTaken(c, e, d)
		}
		b.take(t, id, notTaken)
		o, p := b.operation(id), b.payment
		if o.Phase != operation.Closed || o.State != string(gateway.Failed) || o.Raw != "10057" || !o.NextAt.IsZero() {
			t.Errorf("%s %s: the operation is %+v", tt.method, tt.class, o)
		}
		if p.Status != tt.want || p.Failure.Code != tt.code || p.AtGate.OperationID != "" || len(b.callbacks) != len(tt.code)/len("LIMIT_EXCEEDED") {
			t.Errorf("%s %s: the payment is %s, %+v, %+v, %d callbacks", tt.method, tt.class, p.Status, p.Failure, p.AtGate, len(b.callbacks))
		}
		if change := b.take(t, id, notTaken); !isNothing(change) {
			t.Errorf("%s %s: told twice, it changes %+v", tt.method, tt.class, change)
		}
	}
}

// TestNotTakenIsNotBelievedAgainstAReport: what a gateway has reported is there.
func TestNotTakenIsNotBelievedAgainstAReport(t *testing.T) {
	t.Parallel()
	b, id := begun(t, payment.WalletDeposit)
	b.observe(t, id, answered(gateway.PartPaid, atGateway(20000)))
	change := b.take(t, id, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideNotTaken(c, &gateway.Error{Class: gateway.Refused, Effect: gateway.EffectNone}, d)
	})
	if !isNothing(change) || !b.operation(id).IsHeld {
		t.Errorf("changes %+v", change)
	}
}

// TestNotTakenOfAnEarlierTry leaves the payment to the later one.
func TestNotTakenOfAnEarlierTry(t *testing.T) {
	t.Parallel()
	b, first := begun(t, payment.CreditCard)
	second := b.begin(t, depositPlan(payment.CreditCard))
	b.take(t, first, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideNotTaken(c, &gateway.Error{Class: gateway.Refused, Effect: gateway.EffectNone}, d)
	})
	if b.payment.Status != payment.Pending || b.payment.AtGate.OperationID != second || b.operation(first).Phase != operation.Closed {
		t.Errorf("the payment is %s at %s, the first try %s", b.payment.Status, b.payment.AtGate.OperationID, b.operation(first).Phase)
	}
}

// TestFinishingIsClaimedOnce: the call that may take the money is made at most once, whoever comes back how often.
func TestFinishingIsClaimedOnce(t *testing.T) {
	t.Parallel()
	b, id := opened(t, payment.CreditCard)
	change, ok := operation.DecideFinishing(b.operation(id), b.now, time.Minute)
	if !ok {
		t.Fatal("refused")
	}
	twin, ok := operation.DecideFinishing(b.operation(id), b.now, time.Minute)
	if !ok {
		t.Fatal("the twin sees the same operation")
	}
	b.apply(t, change)
	if b.commits(twin) {
		t.Error("two customers' tabs both finish")
	}
	if o := b.operation(id); !o.IsFinished || !o.LeaseUntil.Equal(b.now.Add(time.Minute)) {
		t.Errorf("claimed as %+v", o)
	}
	if _, ok := operation.DecideFinishing(b.operation(id), b.now, time.Minute); ok {
		t.Error("claimed twice")
	}
	for _, phase := range []operation.Phase{operation.Planned, operation.Closed} {
		if _, ok := operation.DecideFinishing(operation.Operation{Kind: operation.DepositOperation, Phase: phase}, b.now, time.Minute); ok {
			t.Errorf("finishes a deposit that is %s", phase)
		}
	}
	if _, ok := operation.DecideFinishing(operation.Operation{Kind: operation.RefundOperation, Phase: operation.Open}, b.now, time.Minute); ok {
		t.Error("finishes a refund")
	}
}

// TestCallingOff asks the worker at once.
func TestCallingOff(t *testing.T) {
	t.Parallel()
	b, id := opened(t, payment.CreditCard)
	b.apply(t, operation.DecideUnwanted(b.operation(id), b.now))
	if o := b.operation(id); !o.IsUnwanted || !o.NextAt.Equal(b.now) {
		t.Errorf("called off as %+v", o)
	}
	if _, ok := operation.Current(b.operations); ok {
		t.Error("what nobody wants is still the current one")
	}
}
