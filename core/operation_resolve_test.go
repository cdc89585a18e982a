package core_test

import (
	"slices"
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// TestResolutions: what staff's word about each kind does to the payment, and to the watch on its deposit.
func TestResolutions(t *testing.T) {
	t.Parallel()
	paid, failed, expired := answered(gateway.Paid, atGateway(25000)), answered(gateway.Failed), answered(gateway.Expired)
	part, over := answered(gateway.PartPaid, atGateway(20000)), answered(gateway.OverPaid, atGateway(30000))
	accept, writeOff := operation.AcceptMoney, operation.WriteOff
	card, wallet := payment.CreditCard, payment.WalletDeposit
	tests := []struct {
		name   string
		make   func(t testingT) (*books, core.ID)
		kind   discrepancy.DiscrepancyKind
		do     operation.Resolution
		minor  int64
		status payment.Status
		amount int64
		calls  int
	}{
		{"late money for a card", after(card, failed, paid), discrepancy.LateMoney, accept, 0, payment.Success, 25000, 2},
		{"late money for a card", after(card, failed, paid), discrepancy.LateMoney, writeOff, 0, payment.Failed, 25000, 1},
		{"late money for a canceled card", after(card, answered(gateway.Canceled), paid), discrepancy.LateMoney, accept, 0, payment.Success, 25000, 2},
		{"late money for a deposit", after(wallet, expired, paid), discrepancy.LateMoney, accept, 0, payment.Completed, 25000, 2},
		{"a part after the end", after(wallet, expired, part), discrepancy.ShortMoney, accept, 20000, payment.Completed, 20000, 2},
		{"a part for a card", after(card, part), discrepancy.ShortMoney, accept, 20000, payment.Success, 20000, 1},
		{"a part for a card", after(card, part), discrepancy.ShortMoney, writeOff, 0, payment.Failed, 25000, 1},
		{"a part for a deposit", after(wallet, part), discrepancy.ShortMoney, accept, 0, payment.Completed, 20000, 1},
		{"a part for a deposit", after(wallet, part), discrepancy.ShortMoney, writeOff, 0, payment.Canceled, 25000, 1},
		{"a part, and its time is over", after(wallet, part, expired), discrepancy.ShortMoney, accept, 20000, payment.Completed, 20000, 1},
		{"a part, and its time is over", after(wallet, part, expired), discrepancy.ShortMoney, writeOff, 0, payment.Canceled, 25000, 1},
		{"too much", after(wallet, over), discrepancy.OverMoney, accept, 30000, payment.Completed, 30000, 1},
		{"too much", after(wallet, over), discrepancy.OverMoney, writeOff, 0, payment.Canceled, 25000, 1},
		{"too much", after(wallet, over), discrepancy.OverMoney, accept, 0, payment.Completed, 25000, 1},
		{"another coin", after(wallet, answered(gateway.Paid, coins("7"))), discrepancy.OtherMoney, writeOff, 0, payment.Canceled, 25000, 1},
		{"under review", after(card, answered(gateway.Review, atGateway(25000))), discrepancy.UnderReview, accept, 0, payment.Success, 25000, 1},
		{"under review", after(card, answered(gateway.Review)), discrepancy.UnderReview, writeOff, 0, payment.Failed, 25000, 1},
		{"a surplus", elsewhereAfter(card, paid, paid), discrepancy.SurplusMoney, accept, 0, payment.Success, 25000, 1},
		{"a surplus", elsewhereAfter(card, paid, paid), discrepancy.SurplusMoney, writeOff, 0, payment.Success, 25000, 1},
		{"taken back", after(card, paid, failed), discrepancy.ReversedMoney, writeOff, 0, payment.Success, 25000, 1},
		{"a dispute", after(card, paid, answered(gateway.Disputed)), discrepancy.Dispute, accept, 0, payment.Success, 25000, 1},
		{"given back elsewhere", after(card, paid, answered(gateway.Refunded)), discrepancy.RefundElsewhere, accept, 0, payment.Success, 25000, 1},
		{"too much for a paid one", after(card, paid, over), discrepancy.OverMoney, accept, 0, payment.Success, 25000, 1},
		{"a part of an earlier try", elsewhereAfter(card, part), discrepancy.ShortMoney, writeOff, 0, payment.Pending, 25000, 0},
		{"a part of an earlier try", elsewhereAfter(card, part), discrepancy.ShortMoney, accept, 20000, payment.Success, 20000, 1},
	}
	for _, tt := range tests {
		b, id := tt.make(t)
		if err := b.resolve(t, tt.kind, tt.do, lira(tt.minor)); err != nil {
			t.Errorf("%s, %s: %v", tt.name, tt.do, err)
			continue
		}
		p := b.payment
		if p.Status != tt.status || p.Amount.Minor() != tt.amount || len(b.callbacks) != tt.calls {
			t.Errorf("%s, %s: %s of %s with %d callbacks, want %s of %d with %d",
				tt.name, tt.do, p.Status, p.Amount, len(b.callbacks), tt.status, tt.amount, tt.calls)
		}
		if n := len(b.callbacks); n > 0 && (b.callbacks[n-1].Payload.Status != p.Status || b.callbacks[n-1].Payload.Amount != p.Amount) {
			t.Errorf("%s, %s: called back %+v", tt.name, tt.do, b.callbacks[n-1].Payload)
		}
		known := b.discrepancy(t, tt.kind)
		want := map[operation.Resolution]discrepancy.DiscrepancyState{accept: discrepancy.DiscrepancyAccepted, writeOff: discrepancy.DiscrepancyWrittenOff}[tt.do]
		if known.State != want || known.Reason != "why" || known.ResolvedBy.Kind != core.ByStaff || known.Version != 2 {
			t.Errorf("%s, %s: kept as %+v", tt.name, tt.do, known)
		}
		if err := b.resolve(t, tt.kind, tt.do, money.Amount{}); !fault.Is(err, fault.AlreadyFinal) {
			t.Errorf("%s, %s, again: %v", tt.name, tt.do, err)
		}
		if o := b.operation(id); p.Status.IsFinal() && (o.IsHeld || o.IsLive()) {
			t.Errorf("%s, %s: the deposit is %s, held %v", tt.name, tt.do, o.Phase, o.IsHeld)
		}
	}
}

// elsewhereAfter is an earlier try of which something is told; then, maybe, of the later one.
func elsewhereAfter(m payment.Method, first gateway.Observation, later ...gateway.Observation) func(t testingT) (*books, core.ID) {
	return func(t testingT) (*books, core.ID) {
		b, id := elsewhere(m, later...)(t)
		b.observe(t, id, first)
		return b, id
	}
}

// TestAResolutionIsRefused for what there is not, and for less than nothing.
func TestAResolutionIsRefused(t *testing.T) {
	t.Parallel()
	b, id := after(payment.CreditCard, answered(gateway.PartPaid, atGateway(20000)))(t)
	second := b.operations[0]
	second.ID, second.Ref, second.Version = "OTHER", "OTHER", 1
	b.operations = append(b.operations, second)
	known := b.discrepancy(t, discrepancy.ShortMoney)
	resolve := func(o, discrepancy core.ID, amount int64) error {
		return b.order(t, o, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
			return operation.DecideResolution(c, discrepancy, operation.AcceptMoney, lira(amount), d)
		})
	}
	if err := resolve(id, "X", 0); !fault.Is(err, fault.NotFound) {
		t.Errorf("one that there is not: %v", err)
	}
	if err := resolve("OTHER", known.ID, 0); !fault.Is(err, fault.NotFound) {
		t.Errorf("one of another operation: %v", err)
	}
	if err := resolve(id, known.ID, -1); !fault.Is(err, fault.Invalid) {
		t.Errorf("less than nothing: %v", err)
	}
	if b.payment.Status != payment.Pending {
		t.Errorf("the payment is %s", b.payment.Status)
	}
}

// TestNoMoreIsAcceptedThanWasSeen, and nothing in what was not seen (attack H1).
func TestNoMoreIsAcceptedThanWasSeen(t *testing.T) {
	t.Parallel()
	card, wallet := payment.CreditCard, payment.WalletDeposit
	part, over := answered(gateway.PartPaid, atGateway(20000)), answered(gateway.OverPaid, atGateway(30000))
	for _, tt := range []struct {
		name string
		make func(t testingT) (*books, core.ID)
		kind discrepancy.DiscrepancyKind
		most int64 // kuruş that may be accepted; 0: nothing at all
	}{
		{"a part", after(wallet, part), discrepancy.ShortMoney, 20000},
		{"too much", after(wallet, over), discrepancy.OverMoney, 30000},
		{"a fraction of a kuruş", after(wallet, answered(gateway.PartPaid, gateway.Money{
			Amount: money.MustDecimal("199.999"), Asset: gateway.TRY,
		})), discrepancy.ShortMoney, 19999},
		{"another coin", after(wallet, answered(gateway.Paid, coins("7"))), discrepancy.OtherMoney, 0},
		{"under review, of a sum that is not told", after(card, answered(gateway.Review)), discrepancy.UnderReview, 0},
		{"a part after the end", after(wallet, answered(gateway.Expired), part), discrepancy.ShortMoney, 20000},
	} {
		b, _ := tt.make(t)
		for _, amount := range []int64{tt.most + 1, 99_999_999_999} {
			if err := b.resolve(t, tt.kind, operation.AcceptMoney, lira(amount)); !fault.Is(err, fault.MoreThanSeen) {
				t.Errorf("%s: %d accepted: %v", tt.name, amount, err)
			}
		}
		err := b.resolve(t, tt.kind, operation.AcceptMoney, lira(tt.most))
		if isRefused := fault.Is(err, fault.MoreThanSeen); isRefused != (tt.most == 0) || !isRefused && err != nil {
			t.Errorf("%s: what was seen: %v", tt.name, err)
		}
		if tt.most != 0 && (len(b.credits) != 1 || b.credits[0].Amount.Minor() != tt.most || b.credits[0].By.Kind != core.ByStaff) {
			t.Errorf("%s: credited %+v", tt.name, b.credits)
		}
	}
}

// TestAcceptedMoneyIsNotASurplus when the gateway confirms it later, and is told when the gateway takes it back.
func TestAcceptedMoneyIsNotASurplus(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		accepted gateway.Observation
		kind     discrepancy.DiscrepancyKind
		later    gateway.Observation
		want     []string
	}{
		{"approved", answered(gateway.Review, atGateway(25000)), discrepancy.UnderReview, answered(gateway.Paid, atGateway(25000)),
			[]string{"review accepted"}},
		{"declined", answered(gateway.Review, atGateway(25000)), discrepancy.UnderReview, answered(gateway.Failed),
			[]string{"review accepted", "reversed open"}},
		{"all in parts, now called paid", answered(gateway.PartPaid, atGateway(25000)), discrepancy.UnderReview, answered(gateway.Paid, atGateway(25000)),
			[]string{"review accepted"}},
		{"a part, and its time is over", answered(gateway.PartPaid, atGateway(20000)), discrepancy.ShortMoney, answered(gateway.Expired),
			[]string{"short accepted"}},
		{"a part, and the rest comes", answered(gateway.PartPaid, atGateway(20000)), discrepancy.ShortMoney, answered(gateway.Paid, atGateway(25000)),
			[]string{"short accepted", "surplus open"}},
		{"too much, told again", answered(gateway.OverPaid, atGateway(30000)), discrepancy.OverMoney, answered(gateway.OverPaid, atGateway(30000)),
			[]string{"over accepted"}},
	}
	for _, tt := range tests {
		b, id := after(payment.CreditCard, tt.accepted)(t)
		if err := b.resolve(t, tt.kind, operation.AcceptMoney, money.Amount{}); err != nil {
			t.Fatal(err)
		}
		b.observe(t, id, tt.later)
		b.observe(t, id, tt.later)
		if got := b.kinds(id); !slices.Equal(got, tt.want) || b.payment.Status != payment.Success || len(b.callbacks) != 1 {
			t.Errorf("%s: %s with %d callbacks, %q, want %q", tt.name, b.payment.Status, len(b.callbacks), got, tt.want)
		}
	}
}

// TestAnAcceptedTryCallsTheOthersOff: the customer is not to pay once more on a page that is still open.
func TestAnAcceptedTryCallsTheOthersOff(t *testing.T) {
	t.Parallel()
	b, first := opened(t, payment.CreditCard)
	second := b.begin(t, depositPlan(payment.CreditCard))
	b.takeStart(t, second)
	b.observe(t, first, answered(gateway.PartPaid, atGateway(20000)))
	if err := b.resolve(t, discrepancy.ShortMoney, operation.AcceptMoney, money.Amount{}); err != nil {
		t.Fatal(err)
	}
	if o := b.operation(second); !o.IsUnwanted || !o.NextAt.Equal(b.now) || b.payment.AtGate.OperationID != first {
		t.Errorf("the other try is wanted %v; the payment is at %s", !o.IsUnwanted, b.payment.AtGate.OperationID)
	}
}
