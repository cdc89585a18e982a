package operation_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// TestARefundIsPlanned with a reference and key of its own, and is due at once.
func TestARefundIsPlanned(t *testing.T) {
	t.Parallel()
	b, of := bought(t, payment.CreditCard)
	id, err := b.Refund(t, of, operation.RefundPlan{Amount: coretest.AtGateway(10000), Target: map[string]string{"address": "T1"}})
	if err != nil {
		t.Fatal(err)
	}
	want := operation.Operation{
		ID: id, Version: 1, PaymentID: b.Payment.ID, TrackingCode: b.Payment.TrackingCode, Kind: operation.RefundOperation, Number: 1,
		GatewayID: 9, GatewayKind: gateway.Card, Reference: "CC0123456789ABCDEFF1", Key: gateway.Key(strings.ToLower(string(id))), Of: of,
		Why: "why", By: b.Operation(id).By, Amount: coretest.AtGateway(10000), Due: coretest.AtGateway(10000), Fields: map[string]string{"address": "T1"},
		Phase: operation.Planned, CreatedAt: b.Now, NextAt: b.Now,
	}
	if diff := cmp.Diff(want, b.Operation(id), coretest.Exactly); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if by := b.Operation(id).By; by.Kind != core.ByStaff {
		t.Errorf("decided by %+v", by)
	}
	next, err := b.Refund(t, of, operation.RefundPlan{})
	if err != nil || b.Operation(next).Reference != "CC0123456789ABCDEFF2" || b.Operation(next).Amount != coretest.AtGateway(15000) {
		t.Errorf("what is left: %v, %+v", err, b.Operation(next))
	}
}

// TestARefundIsRefused that is of nothing, of too much, of another money, or that passes an open discrepancy by.
func TestARefundIsRefused(t *testing.T) {
	t.Parallel()
	paid := func(t coretest.T) (*coretest.Store, core.ID) { return bought(t, payment.CreditCard) }
	part := coretest.After(payment.CreditCard, coretest.Answered(gateway.PartPaid, coretest.AtGateway(20000)))
	half := func(t coretest.T) (*coretest.Store, core.ID) {
		b, id := paid(t)
		b.GiveBack(t, id, operation.RefundPlan{Amount: coretest.AtGateway(15000)})
		return b, id
	}
	over := coretest.After(payment.CreditCard, coretest.Answered(gateway.Paid, coretest.AtGateway(25000)), coretest.Answered(gateway.OverPaid, coretest.AtGateway(30000)))
	writtenOff := func(t coretest.T) (*coretest.Store, core.ID) {
		b, id := part(t)
		if err := b.Resolve(t, discrepancy.ShortMoney, operation.WriteOff, money.Amount{}); err != nil {
			t.Fatalf("%v", err)
		}
		return b, id
	}
	tests := []struct {
		name string
		make func(t coretest.T) (*coretest.Store, core.ID)
		plan operation.RefundPlan
		want fault.Code
	}{
		{"nothing came", coretest.After(payment.CreditCard), operation.RefundPlan{}, fault.NotAllowed},
		{"it is only under review", coretest.After(payment.CreditCard, coretest.Answered(gateway.Review, coretest.AtGateway(25000))), operation.RefundPlan{}, fault.NotAllowed},
		{"a payout", sent, operation.RefundPlan{}, fault.NotAllowed},
		{"all of it", paid, operation.RefundPlan{}, ""},
		{"all of it, named", paid, operation.RefundPlan{Amount: coretest.AtGateway(25000)}, ""},
		{"more than all", paid, operation.RefundPlan{Amount: coretest.AtGateway(25001)}, fault.Invalid},
		{"less than nothing", paid, operation.RefundPlan{Amount: coretest.AtGateway(-1)}, fault.Invalid},
		{"in a coin", paid, operation.RefundPlan{Amount: coretest.Coins("1")}, fault.Invalid},
		{"more than is left", half, operation.RefundPlan{Amount: coretest.AtGateway(10001)}, fault.Invalid},
		{"as much as is left", half, operation.RefundPlan{Amount: coretest.AtGateway(10000)}, ""},
		{"money that waits as a discrepancy", part, operation.RefundPlan{}, fault.NotAllowed},
		{"a discrepancy that there is not", part, operation.RefundPlan{Discrepancy: "X"}, fault.NotFound},
		{"the payment's own, with a surplus waiting", over, operation.RefundPlan{Amount: coretest.AtGateway(25000)}, ""},
		{"what was written off", writtenOff, operation.RefundPlan{}, ""},
		{"all of it, twice", func(t coretest.T) (*coretest.Store, core.ID) {
			b, id := paid(t)
			b.GiveBack(t, id, operation.RefundPlan{})
			return b, id
		}, operation.RefundPlan{}, fault.Invalid},
	}
	for _, tt := range tests {
		b, id := tt.make(t)
		if _, err := b.Refund(t, id, tt.plan); fault.CodeOf(err) != tt.want {
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
		make   func(t coretest.T) (*coretest.Store, core.ID)
		kind   discrepancy.Kind
		amount int64 // asked for; 0: what there is
		want   int64 // given back; 0: refused
		code   fault.Code
	}{
		{
			"more than was paid", coretest.After(payment.CreditCard, coretest.Answered(gateway.Paid, coretest.AtGateway(25000)), coretest.Answered(gateway.OverPaid, coretest.AtGateway(30000))),
			discrepancy.OverMoney, 0, 5000, "",
		},
		{
			"more than was paid, and of the payment's own", coretest.After(payment.CreditCard, coretest.Answered(gateway.Paid, coretest.AtGateway(25000)), coretest.Answered(gateway.OverPaid, coretest.AtGateway(30000))),
			discrepancy.OverMoney, 5001, 0, fault.Invalid,
		},
		{
			"a dispute is about the payment's own", coretest.After(payment.CreditCard, coretest.Answered(gateway.Paid, coretest.AtGateway(25000)), coretest.Answered(gateway.Disputed, coretest.AtGateway(25000))),
			discrepancy.Dispute, 0, 0, fault.Invalid,
		},
		{
			"taken back", coretest.After(payment.CreditCard, coretest.Answered(gateway.Paid, coretest.AtGateway(25000)), coretest.Answered(gateway.Canceled)),
			discrepancy.ReversedMoney, 0, 0, fault.NotAllowed,
		},
		{
			"given back elsewhere", coretest.After(payment.CreditCard, coretest.Answered(gateway.Paid, coretest.AtGateway(25000)), coretest.Answered(gateway.Refunded)),
			discrepancy.RefundElsewhere, 0, 0, fault.NotAllowed,
		},
		{"late", coretest.After(payment.CreditCard, coretest.Answered(gateway.Failed), coretest.Answered(gateway.Paid, coretest.AtGateway(25000))), discrepancy.LateMoney, 0, 25000, ""},
	}
	for _, tt := range tests {
		b, id := tt.make(t)
		plan := operation.RefundPlan{Discrepancy: b.Discrepancy(t, tt.kind).ID}
		if tt.amount != 0 {
			plan.Amount = coretest.AtGateway(tt.amount)
		}
		refund, err := b.Refund(t, id, plan)
		if fault.CodeOf(err) != tt.code {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.code)
			continue
		}
		if err == nil && b.Operation(refund).Amount != coretest.AtGateway(tt.want) {
			t.Errorf("%s: gives back %s", tt.name, b.Operation(refund).Amount)
		}
	}
	for _, m := range []gateway.Money{{}, coretest.AtGateway(0), coretest.AtGateway(-1)} {
		if err := (gateway.RefundOrder{Amount: m}).Check(); !gateway.IsClass(err, gateway.Invalid) || !gateway.HasNoEffect(err) {
			t.Errorf("an order of %q: %v", m, err)
		}
	}
	if err := (gateway.RefundOrder{Amount: coretest.AtGateway(1)}).Check(); err != nil {
		t.Error(err)
	}
}

// TestADiscrepancyIsGivenBackOnce: not while another refund of it is under way, nor after it was resolved.
func TestADiscrepancyIsGivenBackOnce(t *testing.T) {
	t.Parallel()
	b, id := coretest.After(payment.CreditCard, coretest.Answered(gateway.Failed), coretest.Answered(gateway.Paid, coretest.AtGateway(25000)))(t)
	plan := operation.RefundPlan{Discrepancy: b.Discrepancy(t, discrepancy.LateMoney).ID}
	refund := b.GiveBack(t, id, plan)
	if got := b.Discrepancy(t, discrepancy.LateMoney); got.Status != discrepancy.Refunding || got.RefundID != refund || got.ResolvedBy.Kind != core.ByStaff {
		t.Errorf("under way: %+v", got)
	}
	if _, err := b.Refund(t, id, plan); !fault.Is(err, fault.NotAllowed) {
		t.Errorf("twice at once: %v", err)
	}
	if err := b.Resolve(t, discrepancy.LateMoney, operation.AcceptMoney, money.Amount{}); !fault.Is(err, fault.NotAllowed) {
		t.Errorf("accepted while it is given back: %v", err)
	}
	b.RefundReport(t, refund, gateway.RefundDone)
	if _, err := b.Refund(t, id, plan); !fault.Is(err, fault.AlreadyFinal) {
		t.Errorf("again: %v", err)
	}
	if b.Payment.Status != payment.Failed || b.Payment.Gateway.Refunded.Minor() != 0 || len(b.Callbacks) != 1 {
		t.Errorf("the payment itself is %s, %+v", b.Payment.Status, b.Payment.Gateway)
	}
}

// TestSomethingIsGivenBackSoOften: what fails, or is called off, counts too, so that a payment has no end of operations.
func TestSomethingIsGivenBackSoOften(t *testing.T) {
	t.Parallel()
	b, id := bought(t, payment.CreditCard)
	for range 100 {
		b.GiveBack(t, id, operation.RefundPlan{}, gateway.RefundFailed)
	}
	if _, err := b.Refund(t, id, operation.RefundPlan{}); !fault.Is(err, fault.NotAllowed) {
		t.Errorf("once more: %v", err)
	}
}

// TestTwoRefundsAtOnce of the same money can not both be kept: they would have the same reference.
func TestTwoRefundsAtOnce(t *testing.T) {
	t.Parallel()
	b, id := bought(t, payment.CreditCard)
	d := b.Decision(core.System, "")
	first, err1 := operation.DecideRefund(b.CaseOf(id), operation.RefundPlan{}, d)
	second, err2 := operation.DecideRefund(b.CaseOf(id), operation.RefundPlan{}, d)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	b.Apply(t, first)
	if b.Commits(second) {
		t.Error("500.00 of 250.00 is given back")
	}
}

// TestARefundAndAnotherDecisionOfItsDepositAtOnce: whichever is saved later has not seen the other's money, and is decided anew.
func TestARefundAndAnotherDecisionOfItsDepositAtOnce(t *testing.T) {
	t.Parallel()
	b, id := bought(t, payment.CreditCard)
	d := b.Decision(core.System, "")
	refund, err1 := operation.DecideRefund(b.CaseOf(id), operation.RefundPlan{}, d)
	more, err2 := operation.DecideObserved(b.CaseOf(id), coretest.Answered(gateway.Paid, coretest.AtGateway(30000)), d)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	b.Apply(t, refund)
	if b.Commits(more) {
		t.Error("300.00 came in of which 250.00 are given back, and nobody knew of both")
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
		finished := b.Payment.FinishedAt
		b.Now = b.Now.Add(time.Hour)
		for _, s := range tt.steps {
			b.GiveBack(t, id, operation.RefundPlan{Amount: coretest.AtGateway(s.minor)}, s.states...)
		}
		p := b.Payment
		if p.Status != tt.status || p.Gateway.Refunded.Minor() != tt.refunded || len(b.Callbacks) != 1 || p.FinishedAt != finished {
			t.Errorf("%s: %s, refunded %s, %d callbacks", tt.name, p.Status, p.Gateway.Refunded, len(b.Callbacks))
		}
		if !p.Amount.Equal(coretest.Lira(25000)) {
			t.Errorf("%s: the amount is %s", tt.name, p.Amount)
		}
	}
}

// TestARefundThatWasCalledFailedAndIsDone is told to staff: the same money may have been given back twice.
func TestARefundThatWasCalledFailedAndIsDone(t *testing.T) {
	t.Parallel()
	b, id := bought(t, payment.CreditCard)
	first := b.GiveBack(t, id, operation.RefundPlan{}, gateway.RefundFailed)
	b.GiveBack(t, id, operation.RefundPlan{}, gateway.RefundDone)
	b.RefundReport(t, first, gateway.RefundDone)
	b.RefundReport(t, first, gateway.RefundDone)
	if got := b.Kinds(first); !slices.Equal(got, []string{"refund open"}) || b.Payment.Status != payment.Refunded {
		t.Errorf("%q, %s", got, b.Payment.Status)
	}
	if _, err := b.Refund(t, id, operation.RefundPlan{}); !fault.Is(err, fault.NotAllowed) && !fault.Is(err, fault.Invalid) {
		t.Errorf("and once more: %v", err)
	}
}

// TestASurplusIsNotThePaymentsOwn: what came beyond it and goes back leaves the payment as it is.
func TestASurplusIsNotThePaymentsOwn(t *testing.T) {
	t.Parallel()
	b, id := coretest.After(payment.CreditCard, coretest.Answered(gateway.Paid, coretest.AtGateway(25000)), coretest.Answered(gateway.OverPaid, coretest.AtGateway(30000)))(t)
	b.GiveBack(t, id, operation.RefundPlan{Amount: coretest.AtGateway(5000), Discrepancy: b.Discrepancy(t, discrepancy.OverMoney).ID}, gateway.RefundDone)
	if got := b.Kinds(id); !slices.Equal(got, []string{"over refunded"}) || b.Payment.Gateway.Refunded.Minor() != 0 {
		t.Errorf("the surplus is given back: %q, refunded %s", got, b.Payment.Gateway.Refunded)
	}
	b.GiveBack(t, id, operation.RefundPlan{Amount: coretest.AtGateway(20000)}, gateway.RefundDone)
	if b.Payment.Status != payment.Success || b.Payment.Gateway.Refunded.Minor() != 20000 {
		t.Errorf("50.00 are still there: %s, refunded %s", b.Payment.Status, b.Payment.Gateway.Refunded)
	}
	b.GiveBack(t, id, operation.RefundPlan{}, gateway.RefundDone)
	if b.Payment.Status != payment.Refunded || b.Payment.Gateway.Refunded.Minor() != 25000 {
		t.Errorf("nothing is left: %s, refunded %s", b.Payment.Status, b.Payment.Gateway.Refunded)
	}
}

// TestAPartOfADiscrepancyGivenBack leaves the rest of it to staff.
func TestAPartOfADiscrepancyGivenBack(t *testing.T) {
	t.Parallel()
	late, id := coretest.After(payment.CreditCard, coretest.Answered(gateway.Failed), coretest.Answered(gateway.Paid, coretest.AtGateway(25000)))(t)
	plan := operation.RefundPlan{Amount: coretest.AtGateway(10000), Discrepancy: late.Discrepancy(t, discrepancy.LateMoney).ID}
	late.GiveBack(t, id, plan, gateway.RefundDone)
	if got := late.Kinds(id); !slices.Equal(got, []string{"late open"}) {
		t.Errorf("150.00 are left: %q", got)
	}
	plan.Amount = gateway.Money{}
	late.GiveBack(t, id, plan, gateway.RefundDone)
	if got := late.Kinds(id); !slices.Equal(got, []string{"late refunded"}) {
		t.Errorf("nothing is left: %q", got)
	}
	over, id := coretest.After(payment.WalletDeposit, coretest.Answered(gateway.OverPaid, coretest.AtGateway(30000)))(t)
	plan = operation.RefundPlan{Amount: coretest.AtGateway(5000), Discrepancy: over.Discrepancy(t, discrepancy.OverMoney).ID}
	over.GiveBack(t, id, plan, gateway.RefundDone)
	if err := over.Resolve(t, discrepancy.OverMoney, operation.AcceptMoney, money.Amount{}); err != nil || over.Payment.Status != payment.Completed {
		t.Errorf("the surplus went back, and the rest is accepted: %v, %s", err, over.Payment.Status)
	}
}

// TestAPaymentHeldForMoneyThatGoesBackHasEnded: nothing waits for it any more.
func TestAPaymentHeldForMoneyThatGoesBackHasEnded(t *testing.T) {
	t.Parallel()
	for m, want := range map[payment.Method]payment.Status{payment.CreditCard: payment.Failed, payment.WalletDeposit: payment.Canceled} {
		b, id := coretest.After(m, coretest.Answered(gateway.PartPaid, coretest.AtGateway(20000)))(t)
		plan := operation.RefundPlan{Discrepancy: b.Discrepancy(t, discrepancy.ShortMoney).ID}
		b.GiveBack(t, id, plan, gateway.RefundFailed)
		if b.Payment.Status.IsFinal() || !slices.Equal(b.Kinds(id), []string{"short open"}) || !b.Operation(id).IsHeld {
			t.Errorf("%s, the refund failed: %s, %q", m, b.Payment.Status, b.Kinds(id))
		}
		b.GiveBack(t, id, plan, gateway.RefundPending, gateway.RefundDone)
		if b.Payment.Status != want || len(b.Callbacks) != 1 || !slices.Equal(b.Kinds(id), []string{"short refunded"}) {
			t.Errorf("%s, given back: %s with %d callbacks, %q", m, b.Payment.Status, len(b.Callbacks), b.Kinds(id))
		}
		if o := b.Operation(id); o.IsHeld || o.Phase != operation.Late {
			t.Errorf("%s: the deposit is still %s, held %v", m, o.Phase, o.IsHeld)
		}
	}
}

// TestCoinsGivenBackAreNoLira.
func TestCoinsGivenBackAreNoLira(t *testing.T) {
	t.Parallel()
	b, id := boughtWithCoins(t)
	refund := b.GiveBack(t, id, operation.RefundPlan{}, gateway.RefundDone)
	if b.Operation(refund).Amount != coretest.Coins("7.1") || b.Payment.Gateway.Refunded.Minor() != 0 || b.Payment.Status != payment.Completed {
		t.Errorf("gave back %s, and the payment says %s", b.Operation(refund).Amount, b.Payment.Gateway.Refunded)
	}
}

// TestARefundNotMade is tried again with the same key, or has failed.
func TestARefundNotMade(t *testing.T) {
	t.Parallel()
	b, of := bought(t, payment.CreditCard)
	id := b.GiveBack(t, of, operation.RefundPlan{})
	b.Take(t, id, notGivenBack(gateway.Maintenance))
	if o := b.Operation(id); o.Phase != operation.Planned || o.NextAt.IsZero() || !b.Send(t, id) {
		t.Errorf("a gateway under maintenance: %+v", o)
	}
	b.Take(t, id, notGivenBack(gateway.Refused))
	if o := b.Operation(id); o.Phase != operation.Closed || o.Status != string(gateway.RefundFailed) {
		t.Errorf("refused: %+v", o)
	}
	if _, err := b.Refund(t, of, operation.RefundPlan{}); err != nil {
		t.Errorf("what was not given back can't be: %v", err)
	}
	b, of = bought(t, payment.CreditCard)
	known := b.GiveBack(t, of, operation.RefundPlan{}, gateway.RefundPending)
	if change := b.Take(t, known, notGivenBack(gateway.Retryable)); len(change) > 0 {
		t.Errorf("the gateway has it: %+v", change)
	}
}

// TestARefundWhoseOutcomeNobodyTells is for staff, who say what the gateway's panel shows.
func TestARefundWhoseOutcomeNobodyTells(t *testing.T) {
	t.Parallel()
	lost := func(t coretest.T) (*coretest.Store, core.ID, core.ID) {
		b, of := coretest.After(payment.CreditCard, coretest.Answered(gateway.PartPaid, coretest.AtGateway(20000)))(t)
		id := b.GiveBack(t, of, operation.RefundPlan{Discrepancy: b.Discrepancy(t, discrepancy.ShortMoney).ID})
		for len(b.Kinds(id)) == 0 {
			b.Now = b.Operation(id).NextAt
			b.Take(t, id, refundUnanswered(gateway.Retryable))
		}
		return b, of, id
	}
	b, of, id := lost(t)
	if err := b.Resolve(t, discrepancy.UnknownOutcome, operation.AcceptMoney, money.Amount{}); err != nil || b.Operation(id).Status != string(gateway.RefundDone) {
		t.Fatalf("the panel says that it was made: %v, %+v", err, b.Operation(id))
	}
	if b.Payment.Status != payment.Failed || !slices.Equal(b.Kinds(of), []string{"short refunded"}) {
		t.Errorf("made: %s, %q", b.Payment.Status, b.Kinds(of))
	}
	b, of, id = lost(t)
	if err := b.Resolve(t, discrepancy.UnknownOutcome, operation.WriteOff, money.Amount{}); err != nil || b.Operation(id).Status != string(gateway.RefundFailed) {
		t.Fatalf("the panel says that it was not: %v, %+v", err, b.Operation(id))
	}
	if b.Payment.Status != payment.Pending || !slices.Equal(b.Kinds(of), []string{"short open"}) {
		t.Errorf("not made: %s, %q", b.Payment.Status, b.Kinds(of))
	}
	b, _, id = lost(t)
	b.RefundReport(t, id, gateway.RefundPending)
	if got := b.Kinds(id); !slices.Equal(got, []string{"unknown settled"}) {
		t.Errorf("the gateway answers at last, and there is %q", got)
	}
}

// TestRefundsThatEndInOneMomentCountEachOther: of two ends that are decided about the same, one is decided anew, also where the payment does not
// sum what goes back.
func TestRefundsThatEndInOneMomentCountEachOther(t *testing.T) {
	t.Parallel()
	b, of := boughtWithCoins(t)
	part := b.GiveBack(t, of, operation.RefundPlan{Amount: coretest.Coins("3")})
	rest := b.GiveBack(t, of, operation.RefundPlan{})
	ends := func(id core.ID) core.Changeset {
		d := b.Decision(core.System, "")
		d.AskedVersion = b.Operation(id).Version
		change, err := operation.DecideRefundReported(b.CaseOf(id), gateway.RefundReport{State: gateway.RefundDone, Trust: gateway.Answered}, d)
		if err != nil {
			t.Fatal(err)
		}
		return change
	}
	one, other := ends(part), ends(rest)
	if !b.Commits(one) || b.Commits(other) {
		t.Error("two ends that do not know of each other are both kept")
	}
	if !b.Commits(ends(rest)) {
		t.Error("decided anew, it loses a race against itself")
	}
}
