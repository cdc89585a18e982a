package core_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// bought is a payment of 250.00 that is paid.
func bought(t testingT, m core.Method) (*books, core.ID) {
	t.Helper()
	return after(m, answered(gateway.Paid, atGateway(25000)))(t)
}

// giveBack plans a refund, sends it, and has the gateway report on it.
func (b *books) giveBack(t testingT, of core.ID, plan core.RefundPlan, states ...gateway.RefundState) core.ID {
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
	return func(c core.Case, d core.Decision) (core.Changeset, error) { return core.DecideRefundReported(c, r, d) }
}

// TestARefundIsPlanned with a reference and key of its own, and is due at once.
func TestARefundIsPlanned(t *testing.T) {
	t.Parallel()
	b, of := bought(t, core.CreditCard)
	id, err := b.refund(t, of, core.RefundPlan{Amount: atGateway(10000), Target: map[string]string{"address": "T1"}})
	if err != nil {
		t.Fatal(err)
	}
	want := core.Operation{
		ID: id, Version: 1, PaymentID: b.payment.ID, TrackingCode: b.payment.TrackingCode, Kind: core.RefundOperation, Number: 1,
		GatewayID: 9, GatewayKind: gateway.Card, Ref: "CC0123456789ABCDEFF1", Key: gateway.Key(strings.ToLower(string(id))), Of: of,
		Why: "why", By: b.operation(id).By, Amount: atGateway(10000), Due: atGateway(10000), Fields: map[string]string{"address": "T1"},
		Phase: core.Planned, CreatedAt: b.now, NextAt: b.now,
	}
	if diff := cmp.Diff(want, b.operation(id), exactly); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if by := b.operation(id).By; by.Kind != core.ByStaff {
		t.Errorf("decided by %+v", by)
	}
	next, err := b.refund(t, of, core.RefundPlan{})
	if err != nil || b.operation(next).Ref != "CC0123456789ABCDEFF2" || b.operation(next).Amount != atGateway(15000) {
		t.Errorf("what is left: %v, %+v", err, b.operation(next))
	}
}

// TestARefundIsRefused that is of nothing, of too much, of another money, or that passes an open discrepancy by.
func TestARefundIsRefused(t *testing.T) {
	t.Parallel()
	paid := func(t testingT) (*books, core.ID) { return bought(t, core.CreditCard) }
	part := after(core.CreditCard, answered(gateway.PartPaid, atGateway(20000)))
	half := func(t testingT) (*books, core.ID) {
		b, id := paid(t)
		b.giveBack(t, id, core.RefundPlan{Amount: atGateway(15000)})
		return b, id
	}
	over := after(core.CreditCard, answered(gateway.Paid, atGateway(25000)), answered(gateway.OverPaid, atGateway(30000)))
	writtenOff := func(t testingT) (*books, core.ID) {
		b, id := part(t)
		if err := b.resolve(t, core.ShortMoney, core.WriteOff, money.Amount{}); err != nil {
			t.Fatalf("%v", err)
		}
		return b, id
	}
	tests := []struct {
		name string
		make func(t testingT) (*books, core.ID)
		plan core.RefundPlan
		want fault.Code
	}{
		{"nothing came", after(core.CreditCard), core.RefundPlan{}, fault.NotAllowed},
		{"it is only under review", after(core.CreditCard, answered(gateway.Review, atGateway(25000))), core.RefundPlan{}, fault.NotAllowed},
		{"a payout", sent, core.RefundPlan{}, fault.NotAllowed},
		{"all of it", paid, core.RefundPlan{}, ""},
		{"all of it, named", paid, core.RefundPlan{Amount: atGateway(25000)}, ""},
		{"more than all", paid, core.RefundPlan{Amount: atGateway(25001)}, fault.Invalid},
		{"less than nothing", paid, core.RefundPlan{Amount: atGateway(-1)}, fault.Invalid},
		{"in a coin", paid, core.RefundPlan{Amount: coins("1")}, fault.Invalid},
		{"more than is left", half, core.RefundPlan{Amount: atGateway(10001)}, fault.Invalid},
		{"as much as is left", half, core.RefundPlan{Amount: atGateway(10000)}, ""},
		{"money that waits as a discrepancy", part, core.RefundPlan{}, fault.NotAllowed},
		{"a discrepancy that there is not", part, core.RefundPlan{Discrepancy: "X"}, fault.NotFound},
		{"the payment's own, with a surplus waiting", over, core.RefundPlan{Amount: atGateway(25000)}, ""},
		{"what was written off", writtenOff, core.RefundPlan{}, ""},
		{"all of it, twice", func(t testingT) (*books, core.ID) {
			b, id := paid(t)
			b.giveBack(t, id, core.RefundPlan{})
			return b, id
		}, core.RefundPlan{}, fault.Invalid},
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
		kind   core.DiscrepancyKind
		amount int64 // asked for; 0: what there is
		want   int64 // given back; 0: refused
		code   fault.Code
	}{
		{
			"more than was paid", after(core.CreditCard, answered(gateway.Paid, atGateway(25000)), answered(gateway.OverPaid, atGateway(30000))),
			core.OverMoney, 0, 5000, "",
		},
		{
			"more than was paid, and of the payment's own", after(core.CreditCard, answered(gateway.Paid, atGateway(25000)), answered(gateway.OverPaid, atGateway(30000))),
			core.OverMoney, 5001, 0, fault.Invalid,
		},
		{
			"a dispute is about the payment's own", after(core.CreditCard, answered(gateway.Paid, atGateway(25000)), answered(gateway.Disputed, atGateway(25000))),
			core.Dispute, 0, 0, fault.Invalid,
		},
		{
			"taken back", after(core.CreditCard, answered(gateway.Paid, atGateway(25000)), answered(gateway.Canceled)),
			core.ReversedMoney, 0, 0, fault.NotAllowed,
		},
		{
			"given back elsewhere", after(core.CreditCard, answered(gateway.Paid, atGateway(25000)), answered(gateway.Refunded)),
			core.RefundElsewhere, 0, 0, fault.NotAllowed,
		},
		{"late", after(core.CreditCard, answered(gateway.Failed), answered(gateway.Paid, atGateway(25000))), core.LateMoney, 0, 25000, ""},
	}
	for _, tt := range tests {
		b, id := tt.make(t)
		plan := core.RefundPlan{Discrepancy: b.discrepancy(t, tt.kind).ID}
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
	b, id := after(core.CreditCard, answered(gateway.Failed), answered(gateway.Paid, atGateway(25000)))(t)
	plan := core.RefundPlan{Discrepancy: b.discrepancy(t, core.LateMoney).ID}
	refund := b.giveBack(t, id, plan)
	if got := b.discrepancy(t, core.LateMoney); got.State != core.DiscrepancyRefunding || got.RefundID != refund || got.ResolvedBy.Kind != core.ByStaff {
		t.Errorf("under way: %+v", got)
	}
	if _, err := b.refund(t, id, plan); !fault.Is(err, fault.NotAllowed) {
		t.Errorf("twice at once: %v", err)
	}
	if err := b.resolve(t, core.LateMoney, core.AcceptMoney, money.Amount{}); !fault.Is(err, fault.NotAllowed) {
		t.Errorf("accepted while it is given back: %v", err)
	}
	b.refundReport(t, refund, gateway.RefundDone)
	if _, err := b.refund(t, id, plan); !fault.Is(err, fault.AlreadyFinal) {
		t.Errorf("again: %v", err)
	}
	if b.payment.Status != core.Failed || b.payment.AtGate.Refunded.Minor() != 0 || len(b.callbacks) != 1 {
		t.Errorf("the payment itself is %s, %+v", b.payment.Status, b.payment.AtGate)
	}
}

// TestTwoRefundsAtOnce of the same money can not both be kept: they would have the same reference.
func TestTwoRefundsAtOnce(t *testing.T) {
	t.Parallel()
	b, id := bought(t, core.CreditCard)
	d := b.decision(core.System, "")
	first, err1 := core.DecideRefund(b.caseOf(id), core.RefundPlan{}, d)
	second, err2 := core.DecideRefund(b.caseOf(id), core.RefundPlan{}, d)
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
		method   core.Method
		steps    []step
		status   core.Status
		refunded int64
	}{
		{"whole", core.CreditCard, []step{{25000, []gateway.RefundState{done}}}, core.Refunded, 25000},
		{"whole, told three times", core.CreditCard, []step{{25000, []gateway.RefundState{done, done, pending, done, failed}}}, core.Refunded, 25000},
		{"pending", core.CreditCard, []step{{25000, []gateway.RefundState{pending}}}, core.Success, 0},
		{"pending, then done", core.CreditCard, []step{{25000, []gateway.RefundState{pending, unknown, done}}}, core.Refunded, 25000},
		{"pending, then failed", core.CreditCard, []step{{25000, []gateway.RefundState{pending, failed, pending}}}, core.Success, 0},
		{"a part", core.CreditCard, []step{{10000, []gateway.RefundState{done}}}, core.Success, 10000},
		{"two parts", core.CreditCard, []step{{10000, []gateway.RefundState{done}}, {15000, []gateway.RefundState{done}}}, core.Refunded, 25000},
		{"two parts, one failed", core.CreditCard, []step{{10000, []gateway.RefundState{failed}}, {15000, []gateway.RefundState{done}}}, core.Success, 15000},
		{"failed, then again", core.CreditCard, []step{{25000, []gateway.RefundState{failed}}, {25000, []gateway.RefundState{done}}}, core.Refunded, 25000},
		{"a deposit", core.WalletDeposit, []step{{25000, []gateway.RefundState{done}}}, core.Completed, 25000},
	}
	for _, tt := range tests {
		b, id := bought(t, tt.method)
		finished := b.payment.FinishedAt
		b.now = b.now.Add(time.Hour)
		for _, s := range tt.steps {
			b.giveBack(t, id, core.RefundPlan{Amount: atGateway(s.minor)}, s.states...)
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
	b, id := bought(t, core.CreditCard)
	first := b.giveBack(t, id, core.RefundPlan{}, gateway.RefundFailed)
	b.giveBack(t, id, core.RefundPlan{}, gateway.RefundDone)
	b.refundReport(t, first, gateway.RefundDone)
	b.refundReport(t, first, gateway.RefundDone)
	if got := b.kinds(first); !slices.Equal(got, []string{"refund open"}) || b.payment.Status != core.Refunded {
		t.Errorf("%q, %s", got, b.payment.Status)
	}
	if _, err := b.refund(t, id, core.RefundPlan{}); !fault.Is(err, fault.NotAllowed) && !fault.Is(err, fault.Invalid) {
		t.Errorf("and once more: %v", err)
	}
}

// TestASurplusIsNotThePaymentsOwn: what came beyond it and goes back leaves the payment as it is.
func TestASurplusIsNotThePaymentsOwn(t *testing.T) {
	t.Parallel()
	b, id := after(core.CreditCard, answered(gateway.Paid, atGateway(25000)), answered(gateway.OverPaid, atGateway(30000)))(t)
	b.giveBack(t, id, core.RefundPlan{Amount: atGateway(5000), Discrepancy: b.discrepancy(t, core.OverMoney).ID}, gateway.RefundDone)
	if got := b.kinds(id); !slices.Equal(got, []string{"over refunded"}) || b.payment.AtGate.Refunded.Minor() != 0 {
		t.Errorf("the surplus is given back: %q, refunded %s", got, b.payment.AtGate.Refunded)
	}
	b.giveBack(t, id, core.RefundPlan{Amount: atGateway(20000)}, gateway.RefundDone)
	if b.payment.Status != core.Success || b.payment.AtGate.Refunded.Minor() != 20000 {
		t.Errorf("50.00 are still there: %s, refunded %s", b.payment.Status, b.payment.AtGate.Refunded)
	}
	b.giveBack(t, id, core.RefundPlan{}, gateway.RefundDone)
	if b.payment.Status != core.Refunded || b.payment.AtGate.Refunded.Minor() != 25000 {
		t.Errorf("nothing is left: %s, refunded %s", b.payment.Status, b.payment.AtGate.Refunded)
	}
}

// TestAPartOfADiscrepancyGivenBack leaves the rest of it to staff.
func TestAPartOfADiscrepancyGivenBack(t *testing.T) {
	t.Parallel()
	late, id := after(core.CreditCard, answered(gateway.Failed), answered(gateway.Paid, atGateway(25000)))(t)
	plan := core.RefundPlan{Amount: atGateway(10000), Discrepancy: late.discrepancy(t, core.LateMoney).ID}
	late.giveBack(t, id, plan, gateway.RefundDone)
	if got := late.kinds(id); !slices.Equal(got, []string{"late open"}) {
		t.Errorf("150.00 are left: %q", got)
	}
	plan.Amount = gateway.Money{}
	late.giveBack(t, id, plan, gateway.RefundDone)
	if got := late.kinds(id); !slices.Equal(got, []string{"late refunded"}) {
		t.Errorf("nothing is left: %q", got)
	}
	over, id := after(core.WalletDeposit, answered(gateway.OverPaid, atGateway(30000)))(t)
	plan = core.RefundPlan{Amount: atGateway(5000), Discrepancy: over.discrepancy(t, core.OverMoney).ID}
	over.giveBack(t, id, plan, gateway.RefundDone)
	if err := over.resolve(t, core.OverMoney, core.AcceptMoney, money.Amount{}); err != nil || over.payment.Status != core.Completed {
		t.Errorf("the surplus went back, and the rest is accepted: %v, %s", err, over.payment.Status)
	}
}

// TestAPaymentHeldForMoneyThatGoesBackHasEnded: nothing waits for it any more.
func TestAPaymentHeldForMoneyThatGoesBackHasEnded(t *testing.T) {
	t.Parallel()
	for m, want := range map[core.Method]core.Status{core.CreditCard: core.Failed, core.WalletDeposit: core.Canceled} {
		b, id := after(m, answered(gateway.PartPaid, atGateway(20000)))(t)
		plan := core.RefundPlan{Discrepancy: b.discrepancy(t, core.ShortMoney).ID}
		b.giveBack(t, id, plan, gateway.RefundFailed)
		if b.payment.Status.IsFinal() || !slices.Equal(b.kinds(id), []string{"short open"}) || !b.operation(id).IsHeld {
			t.Errorf("%s, the refund failed: %s, %q", m, b.payment.Status, b.kinds(id))
		}
		b.giveBack(t, id, plan, gateway.RefundPending, gateway.RefundDone)
		if b.payment.Status != want || len(b.callbacks) != 1 || !slices.Equal(b.kinds(id), []string{"short refunded"}) {
			t.Errorf("%s, given back: %s with %d callbacks, %q", m, b.payment.Status, len(b.callbacks), b.kinds(id))
		}
		if o := b.operation(id); o.IsHeld || o.Phase != core.Late {
			t.Errorf("%s: the deposit is still %s, held %v", m, o.Phase, o.IsHeld)
		}
	}
}

// TestCoinsGivenBackAreNoLira.
func TestCoinsGivenBackAreNoLira(t *testing.T) {
	t.Parallel()
	b := newBooks(t, core.CryptoDeposit)
	plan := depositPlan(core.CryptoDeposit)
	plan.Quote = &gateway.Quote{From: atGateway(25000), To: coins("7.1")}
	id := b.begin(t, plan)
	b.takeStart(t, id)
	b.observe(t, id, answered(gateway.Paid, coins("7.1")))
	refund := b.giveBack(t, id, core.RefundPlan{}, gateway.RefundDone)
	if b.operation(refund).Amount != coins("7.1") || b.payment.AtGate.Refunded.Minor() != 0 || b.payment.Status != core.Completed {
		t.Errorf("gave back %s, and the payment says %s", b.operation(refund).Amount, b.payment.AtGate.Refunded)
	}
}

// TestARefundNotMade is tried again with the same key, or has failed.
func TestARefundNotMade(t *testing.T) {
	t.Parallel()
	notMade := func(class gateway.Class) decide {
		return func(c core.Case, d core.Decision) (core.Changeset, error) {
			return core.DecideRefundNotMade(c, &gateway.Error{Class: class, Effect: gateway.EffectNone}, d)
		}
	}
	b, of := bought(t, core.CreditCard)
	id := b.giveBack(t, of, core.RefundPlan{})
	b.take(t, id, notMade(gateway.Maintenance))
	if o := b.operation(id); o.Phase != core.Planned || o.NextAt.IsZero() || !b.send(t, id) {
		t.Errorf("a gateway under maintenance: %+v", o)
	}
	b.take(t, id, notMade(gateway.Refused))
	if o := b.operation(id); o.Phase != core.Closed || o.State != string(gateway.RefundFailed) {
		t.Errorf("refused: %+v", o)
	}
	if _, err := b.refund(t, of, core.RefundPlan{}); err != nil {
		t.Errorf("what was not given back can't be: %v", err)
	}
	b, of = bought(t, core.CreditCard)
	known := b.giveBack(t, of, core.RefundPlan{}, gateway.RefundPending)
	if change := b.take(t, known, notMade(gateway.Retryable)); !isNothing(change) {
		t.Errorf("the gateway has it: %+v", change)
	}
}

// TestUntrustedReportsOfARefund have the gateway asked, and change nothing.
func TestUntrustedReportsOfARefund(t *testing.T) {
	t.Parallel()
	for _, trust := range []gateway.Trust{gateway.Hint, gateway.SharedSecret} {
		b, of := bought(t, core.CreditCard)
		id := b.giveBack(t, of, core.RefundPlan{})
		before := b.operation(id)
		b.take(t, id, refundReported(gateway.RefundReport{State: gateway.RefundDone, Trust: trust}))
		before.Version, before.CueVersion, before.CuedAt, before.NextAt = before.Version+1, before.Version+1, b.now, b.now
		if diff := cmp.Diff(before, b.operation(id), exactly); diff != "" || b.payment.Status != core.Success {
			t.Errorf("%s: %s (-want +got):\n%s", trust, b.payment.Status, diff)
		}
	}
}

// TestARefundWhoseOutcomeNobodyTells is for staff, who say what the gateway's panel shows.
func TestARefundWhoseOutcomeNobodyTells(t *testing.T) {
	t.Parallel()
	silence := func(c core.Case, d core.Decision) (core.Changeset, error) {
		return core.DecideRefundNoAnswer(c, core.Asked{Err: &gateway.Error{Class: gateway.Retryable}}, d), nil
	}
	lost := func(t testingT) (*books, core.ID, core.ID) {
		b, of := after(core.CreditCard, answered(gateway.PartPaid, atGateway(20000)))(t)
		id := b.giveBack(t, of, core.RefundPlan{Discrepancy: b.discrepancy(t, core.ShortMoney).ID})
		for len(b.kinds(id)) == 0 {
			b.now = b.operation(id).NextAt
			b.take(t, id, silence)
		}
		return b, of, id
	}
	b, of, id := lost(t)
	if err := b.resolve(t, core.UnknownOutcome, core.AcceptMoney, money.Amount{}); err != nil || b.operation(id).State != string(gateway.RefundDone) {
		t.Fatalf("the panel says that it was made: %v, %+v", err, b.operation(id))
	}
	if b.payment.Status != core.Failed || !slices.Equal(b.kinds(of), []string{"short refunded"}) {
		t.Errorf("made: %s, %q", b.payment.Status, b.kinds(of))
	}
	b, of, id = lost(t)
	if err := b.resolve(t, core.UnknownOutcome, core.WriteOff, money.Amount{}); err != nil || b.operation(id).State != string(gateway.RefundFailed) {
		t.Fatalf("the panel says that it was not: %v, %+v", err, b.operation(id))
	}
	if b.payment.Status != core.Pending || !slices.Equal(b.kinds(of), []string{"short open"}) {
		t.Errorf("not made: %s, %q", b.payment.Status, b.kinds(of))
	}
	b, _, id = lost(t)
	b.refundReport(t, id, gateway.RefundPending)
	if got := b.kinds(id); !slices.Equal(got, []string{"unknown settled"}) {
		t.Errorf("the gateway answers at last, and there is %q", got)
	}
}
