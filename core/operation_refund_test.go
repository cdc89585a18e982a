package core_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// bought is a payment of 250.00 that is paid.
func bought(t testingT, m payment.Method) (*books, core.ID) {
	t.Helper()
	return after(m, answered(gateway.Paid, atGateway(25000)))(t)
}

// giveBack plans a refund, sends it, and has the gateway report on it.
func (b *books) giveBack(t testingT, of core.ID, plan operation.RefundPlan, states ...gateway.RefundState) core.ID {
	t.Helper()
	id, err := b.refund(t, of, plan)
	if err != nil {
		t.Fatalf("refund: %v", err)
	}
	if !b.send(t, id) {
		t.Fatalf("not sent: %+v", b.operation(id))
	}
	for _, s := range states {
		b.refundReport(t, id, s)
	}
	return id
}

func (b *books) refundReport(t testingT, id core.ID, s gateway.RefundState) core.Changeset {
	t.Helper()
	return b.take(t, id, refundReported(gateway.RefundReport{State: s, Trust: gateway.Answered, Raw: "raw " + string(s)}))
}

func refundReported(r gateway.RefundReport) decide {
	return func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideRefundReported(c, r, d)
	}
}

// TestARefundIsPlanned with a reference and key of its own, and is due at once.
func TestARefundIsPlanned(t *testing.T) {
	t.Parallel()
	b, of := bought(t, payment.CreditCard)
	id, err := b.refund(t, of, operation.RefundPlan{Amount: atGateway(10000), Target: map[string]string{"address": "T1"}})
	if err != nil {
		t.Fatal(err)
	}
	want := operation.Operation{
		ID: id, Version: 1, PaymentID: b.payment.ID, TrackingCode: b.payment.TrackingCode, Kind: operation.RefundOperation, Number: 1,
		GatewayID: 9, GatewayKind: gateway.Card, Ref: "CC0123456789ABCDEFF1", Key: gateway.Key(strings.ToLower(string(id))), Of: of,
		Why: "why", By: b.operation(id).By, Amount: atGateway(10000), Due: atGateway(10000), Fields: map[string]string{"address": "T1"},
		Phase: operation.Planned, CreatedAt: b.now, NextAt: b.now,
	}
	if diff := cmp.Diff(want, b.operation(id), exactly); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if by := b.operation(id).By; by.Kind != core.ByStaff {
		t.Errorf("decided by %+v", by)
	}
	next, err := b.refund(t, of, operation.RefundPlan{})
	if err != nil || b.operation(next).Ref != "CC0123456789ABCDEFF2" || b.operation(next).Amount != atGateway(15000) {
		t.Errorf("what is left: %v, %+v", err, b.operation(next))
	}
}

// TestARefundIsRefused that is of nothing, of too much, of another money, or that passes an open discrepancy by.
func TestARefundIsRefused(t *testing.T) {
	t.Parallel()
	paid := func(t testingT) (*books, core.ID) { return bought(t, payment.CreditCard) }
	part := after(payment.CreditCard, answered(gateway.PartPaid, atGateway(20000)))
	half := func(t testingT) (*books, core.ID) {
		b, id := paid(t)
		b.giveBack(t, id, operation.RefundPlan{Amount: atGateway(15000)})
		return b, id
	}
	over := after(payment.CreditCard, answered(gateway.Paid, atGateway(25000)), answered(gateway.OverPaid, atGateway(30000)))
	writtenOff := func(t testingT) (*books, core.ID) {
		b, id := part(t)
		if err := b.resolve(t, discrepancy.ShortMoney, operation.WriteOff, money.Amount{}); err != nil {
			t.Fatalf("%v", err)
		}
		return b, id
	}
	tests := []struct {
		name string
		make func(t testingT) (*books, core.ID)
		plan operation.RefundPlan
		want fault.Code
	}{
		{"nothing came", after(payment.CreditCard), operation.RefundPlan{}, fault.NotAllowed},
		{"it is only under review", after(payment.CreditCard, answered(gateway.Review, atGateway(25000))), operation.RefundPlan{}, fault.NotAllowed},
		{"a payout", sent, operation.RefundPlan{}, fault.NotAllowed},
		{"all of it", paid, operation.RefundPlan{}, ""},
		{"all of it, named", paid, operation.RefundPlan{Amount: atGateway(25000)}, ""},
		{"more than all", paid, operation.RefundPlan{Amount: atGateway(25001)}, fault.Invalid},
		{"less than nothing", paid, operation.RefundPlan{Amount: atGateway(-1)}, fault.Invalid},
		{"in a coin", paid, operation.RefundPlan{Amount: coins("1")}, fault.Invalid},
		{"more than is left", half, operation.RefundPlan{Amount: atGateway(10001)}, fault.Invalid},
		{"as much as is left", half, operation.RefundPlan{Amount: atGateway(10000)}, ""},
		{"money that waits as a discrepancy", part, operation.RefundPlan{}, fault.NotAllowed},
		{"a discrepancy that there is not", part, operation.RefundPlan{Discrepancy: "X"}, fault.NotFound},
		{"the payment's own, with a surplus waiting", over, operation.RefundPlan{Amount: atGateway(25000)}, ""},
		{"what was written off", writtenOff, operation.RefundPlan{}, ""},
		{"all of it, twice", func(t testingT) (*books, core.ID) {
			b, id := paid(t)
			b.giveBack(t, id, operation.RefundPlan{})
			return b, id
		}, operation.RefundPlan{}, fault.Invalid},
	}
	for _, tt := range tests {
		b, id := tt.make(t)
		if _, err := b.refund(t, id, tt.plan); fault.CodeOf(err) != tt.want {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// TestThereIsNoRefundOfNothing: of a discrepancy goes back what it is about and what is not the payment's own, and where that
// is nothing, nothing does. Money that is gone is not given back once more.
func TestThereIsNoRefundOfNothing(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		make   func(t testingT) (*books, core.ID)
		kind   discrepancy.DiscrepancyKind
		amount int64 // asked for; 0: what there is
		want   int64 // given back; 0: refused
		code   fault.Code
	}{
		{
			"more than was paid", after(payment.CreditCard, answered(gateway.Paid, atGateway(25000)), answered(gateway.OverPaid, atGateway(30000))),
			discrepancy.OverMoney, 0, 5000, "",
		},
		{
			"more than was paid, and of the payment's own", after(payment.CreditCard, answered(gateway.Paid, atGateway(25000)), answered(gateway.OverPaid, atGateway(30000))),
			discrepancy.OverMoney, 5001, 0, fault.Invalid,
		},
		{
			"a dispute is about the payment's own", after(payment.CreditCard, answered(gateway.Paid, atGateway(25000)), answered(gateway.Disputed, atGateway(25000))),
			discrepancy.Dispute, 0, 0, fault.Invalid,
		},
		{
			"taken back", after(payment.CreditCard, answered(gateway.Paid, atGateway(25000)), answered(gateway.Canceled)),
			discrepancy.ReversedMoney, 0, 0, fault.NotAllowed,
		},
		{
			"given back elsewhere", after(payment.CreditCard, answered(gateway.Paid, atGateway(25000)), answered(gateway.Refunded)),
			discrepancy.RefundElsewhere, 0, 0, fault.NotAllowed,
		},
		{"late", after(payment.CreditCard, answered(gateway.Failed), answered(gateway.Paid, atGateway(25000))), discrepancy.LateMoney, 0, 25000, ""},
	}
	for _, tt := range tests {
		b, id := tt.make(t)
		plan := operation.RefundPlan{Discrepancy: b.discrepancy(t, tt.kind).ID}
		if tt.amount != 0 {
			plan.Amount = atGateway(tt.amount)
		}
		refund, err := b.refund(t, id, plan)
		if fault.CodeOf(err) != tt.code {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.code)
			continue
		}
		if err == nil && b.operation(refund).Amount != atGateway(tt.want) {
			t.Errorf("%s: gives back %s", tt.name, b.operation(refund).Amount)
		}
	}
	for _, m := range []gateway.Money{{}, atGateway(0), atGateway(-1)} {
		if err := (gateway.RefundOrder{Amount: m}).Check(); !gateway.IsClass(err, gateway.Invalid) || !gateway.HasNoEffect(err) {
			t.Errorf("an order of %q: %v", m, err)
		}
	}
	if err := (gateway.RefundOrder{Amount: atGateway(1)}).Check(); err != nil {
		t.Error(err)
	}
}

// TestADiscrepancyIsGivenBackOnce: not while another refund of it is under way, nor after it was resolved.
func TestADiscrepancyIsGivenBackOnce(t *testing.T) {
	t.Parallel()
	b, id := after(payment.CreditCard, answered(gateway.Failed), answered(gateway.Paid, atGateway(25000)))(t)
	plan := operation.RefundPlan{Discrepancy: b.discrepancy(t, discrepancy.LateMoney).ID}
	refund := b.giveBack(t, id, plan)
	if got := b.discrepancy(t, discrepancy.LateMoney); got.State != discrepancy.DiscrepancyRefunding || got.RefundID != refund || got.ResolvedBy.Kind != core.ByStaff {
		t.Errorf("under way: %+v", got)
	}
	if _, err := b.refund(t, id, plan); !fault.Is(err, fault.NotAllowed) {
		t.Errorf("twice at once: %v", err)
	}
	if err := b.resolve(t, discrepancy.LateMoney, operation.AcceptMoney, money.Amount{}); !fault.Is(err, fault.NotAllowed) {
		t.Errorf("accepted while it is given back: %v", err)
	}
	b.refundReport(t, refund, gateway.RefundDone)
	if _, err := b.refund(t, id, plan); !fault.Is(err, fault.AlreadyFinal) {
		t.Errorf("again: %v", err)
	}
	if b.payment.Status != payment.Failed || b.payment.AtGate.Refunded.Minor() != 0 || len(b.callbacks) != 1 {
		t.Errorf("the payment itself is %s, %+v", b.payment.Status, b.payment.AtGate)
	}
}

// TestTwoRefundsAtOnce of the same money can not both be kept: they would have the same reference.
func TestTwoRefundsAtOnce(t *testing.T) {
	t.Parallel()
	b, id := bought(t, payment.CreditCard)
	d := b.decision(core.System, "")
	first, err1 := operation.DecideRefund(b.caseOf(id), operation.RefundPlan{}, d)
	second, err2 := operation.DecideRefund(b.caseOf(id), operation.RefundPlan{}, d)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	b.apply(t, first)
	if b.commits(second) {
		t.Error("500.00 of 250.00 is given back")
	}
}

// TestOnlyAWholeRefundThatIsDoneIsRefunded: in parts, it is refunded with the last of them; nobody is called back.
func TestOnlyAWholeRefundThatIsDoneIsRefunded(t *testing.T) {
	t.Parallel()
	type step struct {
		minor  int64
		states []gateway.RefundState
	}
	pending, done, failed, unknown := gateway.RefundPending, gateway.RefundDone, gateway.RefundFailed, gateway.RefundUnknown
	tests := []struct {
		name     string
		method   payment.Method
		steps    []step
		status   payment.Status
		refunded int64
	}{
		{"whole", payment.CreditCard, []step{{25000, []gateway.RefundState{done}}}, payment.Refunded, 25000},
		{"whole, told three times", payment.CreditCard, []step{{25000, []gateway.RefundState{done, done, pending, done, failed}}}, payment.Refunded, 25000},
		{"pending", payment.CreditCard, []step{{25000, []gateway.RefundState{pending}}}, payment.Success, 0},
		{"pending, then done", payment.CreditCard, []step{{25000, []gateway.RefundState{pending, unknown, done}}}, payment.Refunded, 25000},
		{"pending, then failed", payment.CreditCard, []step{{25000, []gateway.RefundState{pending, failed, pending}}}, payment.Success, 0},
		{"a part", payment.CreditCard, []step{{10000, []gateway.RefundState{done}}}, payment.Success, 10000},
		{"two parts", payment.CreditCard, []step{{10000, []gateway.RefundState{done}}, {15000, []gateway.RefundState{done}}}, payment.Refunded, 25000},
		{"two parts, one failed", payment.CreditCard, []step{{10000, []gateway.RefundState{failed}}, {15000, []gateway.RefundState{done}}}, payment.Success, 15000},
		{"failed, then again", payment.CreditCard, []step{{25000, []gateway.RefundState{failed}}, {25000, []gateway.RefundState{done}}}, payment.Refunded, 25000},
		{"a deposit", payment.WalletDeposit, []step{{25000, []gateway.RefundState{done}}}, payment.Completed, 25000},
	}
	for _, tt := range tests {
		b, id := bought(t, tt.method)
		finished := b.payment.FinishedAt
		b.now = b.now.Add(time.Hour)
		for _, s := range tt.steps {
			b.giveBack(t, id, operation.RefundPlan{Amount: atGateway(s.minor)}, s.states...)
		}
		p := b.payment
		if p.Status != tt.status || p.AtGate.Refunded.Minor() != tt.refunded || len(b.callbacks) != 1 || p.FinishedAt != finished {
			t.Errorf("%s: %s, refunded %s, %d callbacks", tt.name, p.Status, p.AtGate.Refunded, len(b.callbacks))
		}
		if !p.Amount.Equal(lira(25000)) {
			t.Errorf("%s: the amount is %s", tt.name, p.Amount)
		}
	}
}

// TestARefundThatWasCalledFailedAndIsDone is told to staff: the same money may have been given back twice.
func TestARefundThatWasCalledFailedAndIsDone(t *testing.T) {
	t.Parallel()
	b, id := bought(t, payment.CreditCard)
	first := b.giveBack(t, id, operation.RefundPlan{}, gateway.RefundFailed)
	b.giveBack(t, id, operation.RefundPlan{}, gateway.RefundDone)
	b.refundReport(t, first, gateway.RefundDone)
	b.refundReport(t, first, gateway.RefundDone)
	if got := b.kinds(first); !slices.Equal(got, []string{"refund open"}) || b.payment.Status != payment.Refunded {
		t.Errorf("%q, %s", got, b.payment.Status)
	}
	if _, err := b.refund(t, id, operation.RefundPlan{}); !fault.Is(err, fault.NotAllowed) && !fault.Is(err, fault.Invalid) {
		t.Errorf("and once more: %v", err)
	}
}

// TestASurplusIsNotThePaymentsOwn: what came beyond it and goes back leaves the payment as it is.
func TestASurplusIsNotThePaymentsOwn(t *testing.T) {
	t.Parallel()
	b, id := after(payment.CreditCard, answered(gateway.Paid, atGateway(25000)), answered(gateway.OverPaid, atGateway(30000)))(t)
	b.giveBack(t, id, operation.RefundPlan{Amount: atGateway(5000), Discrepancy: b.discrepancy(t, discrepancy.OverMoney).ID}, gateway.RefundDone)
	if got := b.kinds(id); !slices.Equal(got, []string{"over refunded"}) || b.payment.AtGate.Refunded.Minor() != 0 {
		t.Errorf("the surplus is given back: %q, refunded %s", got, b.payment.AtGate.Refunded)
	}
	b.giveBack(t, id, operation.RefundPlan{Amount: atGateway(20000)}, gateway.RefundDone)
	if b.payment.Status != payment.Success || b.payment.AtGate.Refunded.Minor() != 20000 {
		t.Errorf("50.00 are still there: %s, refunded %s", b.payment.Status, b.payment.AtGate.Refunded)
	}
	b.giveBack(t, id, operation.RefundPlan{}, gateway.RefundDone)
	if b.payment.Status != payment.Refunded || b.payment.AtGate.Refunded.Minor() != 25000 {
		t.Errorf("nothing is left: %s, refunded %s", b.payment.Status, b.payment.AtGate.Refunded)
	}
}

// TestAPartOfADiscrepancyGivenBack leaves the rest of it to staff.
func TestAPartOfADiscrepancyGivenBack(t *testing.T) {
	t.Parallel()
	late, id := after(payment.CreditCard, answered(gateway.Failed), answered(gateway.Paid, atGateway(25000)))(t)
	plan := operation.RefundPlan{Amount: atGateway(10000), Discrepancy: late.discrepancy(t, discrepancy.LateMoney).ID}
	late.giveBack(t, id, plan, gateway.RefundDone)
	if got := late.kinds(id); !slices.Equal(got, []string{"late open"}) {
		t.Errorf("150.00 are left: %q", got)
	}
	plan.Amount = gateway.Money{}
	late.giveBack(t, id, plan, gateway.RefundDone)
	if got := late.kinds(id); !slices.Equal(got, []string{"late refunded"}) {
		t.Errorf("nothing is left: %q", got)
	}
	over, id := after(payment.WalletDeposit, answered(gateway.OverPaid, atGateway(30000)))(t)
	plan = operation.RefundPlan{Amount: atGateway(5000), Discrepancy: over.discrepancy(t, discrepancy.OverMoney).ID}
	over.giveBack(t, id, plan, gateway.RefundDone)
	if err := over.resolve(t, discrepancy.OverMoney, operation.AcceptMoney, money.Amount{}); err != nil || over.payment.Status != payment.Completed {
		t.Errorf("the surplus went back, and the rest is accepted: %v, %s", err, over.payment.Status)
	}
}

// TestAPaymentHeldForMoneyThatGoesBackHasEnded: nothing waits for it any more.
func TestAPaymentHeldForMoneyThatGoesBackHasEnded(t *testing.T) {
	t.Parallel()
	for m, want := range map[payment.Method]payment.Status{payment.CreditCard: payment.Failed, payment.WalletDeposit: payment.Canceled} {
		b, id := after(m, answered(gateway.PartPaid, atGateway(20000)))(t)
		plan := operation.RefundPlan{Discrepancy: b.discrepancy(t, discrepancy.ShortMoney).ID}
		b.giveBack(t, id, plan, gateway.RefundFailed)
		if b.payment.Status.IsFinal() || !slices.Equal(b.kinds(id), []string{"short open"}) || !b.operation(id).IsHeld {
			t.Errorf("%s, the refund failed: %s, %q", m, b.payment.Status, b.kinds(id))
		}
		b.giveBack(t, id, plan, gateway.RefundPending, gateway.RefundDone)
		if b.payment.Status != want || len(b.callbacks) != 1 || !slices.Equal(b.kinds(id), []string{"short refunded"}) {
			t.Errorf("%s, given back: %s with %d callbacks, %q", m, b.payment.Status, len(b.callbacks), b.kinds(id))
		}
		if o := b.operation(id); o.IsHeld || o.Phase != operation.Late {
			t.Errorf("%s: the deposit is still %s, held %v", m, o.Phase, o.IsHeld)
		}
	}
}

// TestCoinsGivenBackAreNoLira.
func TestCoinsGivenBackAreNoLira(t *testing.T) {
	t.Parallel()
	b := newBooks(t, payment.CryptoDeposit)
	plan := depositPlan(payment.CryptoDeposit)
	plan.Quote = &gateway.Quote{From: atGateway(25000), To: coins("7.1")}
	id := b.begin(t, plan)
	b.takeStart(t, id)
	b.observe(t, id, answered(gateway.Paid, coins("7.1")))
	refund := b.giveBack(t, id, operation.RefundPlan{}, gateway.RefundDone)
	if b.operation(refund).Amount != coins("7.1") || b.payment.AtGate.Refunded.Minor() != 0 || b.payment.Status != payment.Completed {
		t.Errorf("gave back %s, and the payment says %s", b.operation(refund).Amount, b.payment.AtGate.Refunded)
	}
}

// TestARefundNotMade is tried again with the same key, or has failed.
func TestARefundNotMade(t *testing.T) {
	t.Parallel()
	notMade := func(class gateway.Class) decide {
		return func(c operation.Case, d payment.Decision) (core.Changeset, error) {
			return operation.DecideRefundNotMade(c, &gateway.Error{Class: class, Effect: gateway.EffectNone}, d)
		}
	}
	b, of := bought(t, payment.CreditCard)
	id := b.giveBack(t, of, operation.RefundPlan{})
	b.take(t, id, notMade(gateway.Maintenance))
	if o := b.operation(id); o.Phase != operation.Planned || o.NextAt.IsZero() || !b.send(t, id) {
		t.Errorf("a gateway under maintenance: %+v", o)
	}
	b.take(t, id, notMade(gateway.Refused))
	if o := b.operation(id); o.Phase != operation.Closed || o.State != string(gateway.RefundFailed) {
		t.Errorf("refused: %+v", o)
	}
	if _, err := b.refund(t, of, operation.RefundPlan{}); err != nil {
		t.Errorf("what was not given back can't be: %v", err)
	}
	b, of = bought(t, payment.CreditCard)
	known := b.giveBack(t, of, operation.RefundPlan{}, gateway.RefundPending)
	if change := b.take(t, known, notMade(gateway.Retryable)); !isNothing(change) {
		t.Errorf("the gateway has it: %+v", change)
	}
}

// TestUntrustedReportsOfARefund have the gateway asked, and change nothing.
func TestUntrustedReportsOfARefund(t *testing.T) {
	t.Parallel()
	for _, trust := range []gateway.Trust{gateway.Hint, gateway.SharedSecret} {
		b, of := bought(t, payment.CreditCard)
		id := b.giveBack(t, of, operation.RefundPlan{})
		before := b.operation(id)
		b.take(t, id, refundReported(gateway.RefundReport{State: gateway.RefundDone, Trust: trust}))
		before.Version, before.CueVersion, before.CuedAt, before.NextAt = before.Version+1, before.Version+1, b.now, b.now
		if diff := cmp.Diff(before, b.operation(id), exactly); diff != "" || b.payment.Status != payment.Success {
			t.Errorf("%s: %s (-want +got):\n%s", trust, b.payment.Status, diff)
		}
	}
}

// TestARefundWhoseOutcomeNobodyTells is for staff, who say what the gateway's panel shows.
func TestARefundWhoseOutcomeNobodyTells(t *testing.T) {
	t.Parallel()
	silence := func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideRefundNoAnswer(c, operation.Asked{Err: &gateway.Error{Class: gateway.Retryable}}, d), nil
	}
	lost := func(t testingT) (*books, core.ID, core.ID) {
		b, of := after(payment.CreditCard, answered(gateway.PartPaid, atGateway(20000)))(t)
		id := b.giveBack(t, of, operation.RefundPlan{Discrepancy: b.discrepancy(t, discrepancy.ShortMoney).ID})
		for len(b.kinds(id)) == 0 {
			b.now = b.operation(id).NextAt
			b.take(t, id, silence)
		}
		return b, of, id
	}
	b, of, id := lost(t)
	if err := b.resolve(t, discrepancy.UnknownOutcome, operation.AcceptMoney, money.Amount{}); err != nil || b.operation(id).State != string(gateway.RefundDone) {
		t.Fatalf("the panel says that it was made: %v, %+v", err, b.operation(id))
	}
	if b.payment.Status != payment.Failed || !slices.Equal(b.kinds(of), []string{"short refunded"}) {
		t.Errorf("made: %s, %q", b.payment.Status, b.kinds(of))
	}
	b, of, id = lost(t)
	if err := b.resolve(t, discrepancy.UnknownOutcome, operation.WriteOff, money.Amount{}); err != nil || b.operation(id).State != string(gateway.RefundFailed) {
		t.Fatalf("the panel says that it was not: %v, %+v", err, b.operation(id))
	}
	if b.payment.Status != payment.Pending || !slices.Equal(b.kinds(of), []string{"short open"}) {
		t.Errorf("not made: %s, %q", b.payment.Status, b.kinds(of))
	}
	b, _, id = lost(t)
	b.refundReport(t, id, gateway.RefundPending)
	if got := b.kinds(id); !slices.Equal(got, []string{"unknown settled"}) {
		t.Errorf("the gateway answers at last, and there is %q", got)
	}
}
