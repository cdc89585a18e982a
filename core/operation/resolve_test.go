package operation_test

import (
	"slices"
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
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
	paid, failed, expired := coretest.Answered(gateway.Paid, coretest.AtGateway(25000)), coretest.Answered(gateway.Failed), coretest.Answered(gateway.Expired)
	part, over := coretest.Answered(gateway.PartPaid, coretest.AtGateway(20000)), coretest.Answered(gateway.OverPaid, coretest.AtGateway(30000))
	accept, writeOff := operation.AcceptMoney, operation.WriteOff
	card, wallet := payment.CreditCard, payment.WalletDeposit
	tests := []struct {
		name   string
		make   func(t coretest.T) (*coretest.Store, core.ID)
		kind   discrepancy.Kind
		do     operation.Resolution
		minor  int64
		status payment.Status
		amount int64
		calls  int
	}{
		{"late money for a card", coretest.After(card, failed, paid), discrepancy.LateMoney, accept, 0, payment.Success, 25000, 2},
		{"late money for a card", coretest.After(card, failed, paid), discrepancy.LateMoney, writeOff, 0, payment.Failed, 25000, 1},
		{"late money for a canceled card", coretest.After(card, coretest.Answered(gateway.Canceled), paid), discrepancy.LateMoney, accept, 0, payment.Success, 25000, 2},
		{"late money for a deposit", coretest.After(wallet, expired, paid), discrepancy.LateMoney, accept, 0, payment.Completed, 25000, 2},
		{"a part after the end", coretest.After(wallet, expired, part), discrepancy.ShortMoney, accept, 20000, payment.Completed, 20000, 2},
		{"a part for a card", coretest.After(card, part), discrepancy.ShortMoney, accept, 20000, payment.Success, 20000, 1},
		{"a part for a card", coretest.After(card, part), discrepancy.ShortMoney, writeOff, 0, payment.Failed, 25000, 1},
		{"a part for a deposit", coretest.After(wallet, part), discrepancy.ShortMoney, accept, 0, payment.Completed, 20000, 1},
		{"a part for a deposit", coretest.After(wallet, part), discrepancy.ShortMoney, writeOff, 0, payment.Canceled, 25000, 1},
		{"a part, and its time is over", coretest.After(wallet, part, expired), discrepancy.ShortMoney, accept, 20000, payment.Completed, 20000, 1},
		{"a part, and its time is over", coretest.After(wallet, part, expired), discrepancy.ShortMoney, writeOff, 0, payment.Canceled, 25000, 1},
		{"too much", coretest.After(wallet, over), discrepancy.OverMoney, accept, 30000, payment.Completed, 30000, 1},
		{"too much", coretest.After(wallet, over), discrepancy.OverMoney, writeOff, 0, payment.Canceled, 25000, 1},
		{"too much", coretest.After(wallet, over), discrepancy.OverMoney, accept, 0, payment.Completed, 25000, 1},
		{"another coin", coretest.After(wallet, coretest.Answered(gateway.Paid, coretest.Coins("7"))), discrepancy.OtherMoney, writeOff, 0, payment.Canceled, 25000, 1},
		{"under review", coretest.After(card, coretest.Answered(gateway.Review, coretest.AtGateway(25000))), discrepancy.UnderReview, accept, 0, payment.Success, 25000, 1},
		{"under review", coretest.After(card, coretest.Answered(gateway.Review)), discrepancy.UnderReview, writeOff, 0, payment.Failed, 25000, 1},
		{"a surplus", elsewhereAfter(card, paid, paid), discrepancy.SurplusMoney, accept, 0, payment.Success, 25000, 1},
		{"a surplus", elsewhereAfter(card, paid, paid), discrepancy.SurplusMoney, writeOff, 0, payment.Success, 25000, 1},
		{"taken back", coretest.After(card, paid, failed), discrepancy.ReversedMoney, writeOff, 0, payment.Success, 25000, 1},
		{"a dispute", coretest.After(card, paid, coretest.Answered(gateway.Disputed)), discrepancy.Dispute, accept, 0, payment.Success, 25000, 1},
		{"given back elsewhere", coretest.After(card, paid, coretest.Answered(gateway.Refunded)), discrepancy.RefundElsewhere, accept, 0, payment.Success, 25000, 1},
		{"too much for a paid one", coretest.After(card, paid, over), discrepancy.OverMoney, accept, 0, payment.Success, 25000, 1},
		{"a part of an earlier try", elsewhereAfter(card, part), discrepancy.ShortMoney, writeOff, 0, payment.Pending, 25000, 0},
		{"a part of an earlier try", elsewhereAfter(card, part), discrepancy.ShortMoney, accept, 20000, payment.Success, 20000, 1},
	}
	for _, tt := range tests {
		b, id := tt.make(t)
		if err := b.Resolve(t, tt.kind, tt.do, coretest.Lira(tt.minor)); err != nil {
			t.Errorf("%s, %s: %v", tt.name, tt.do, err)
			continue
		}
		p := b.Payment
		if p.Status != tt.status || p.Amount.Minor() != tt.amount || len(b.Callbacks) != tt.calls {
			t.Errorf("%s, %s: %s of %s with %d callbacks, want %s of %d with %d",
				tt.name, tt.do, p.Status, p.Amount, len(b.Callbacks), tt.status, tt.amount, tt.calls)
		}
		if n := len(b.Callbacks); n > 0 && (b.Callbacks[n-1].Payload.Status != p.Status || b.Callbacks[n-1].Payload.Amount != p.Amount) {
			t.Errorf("%s, %s: called back %+v", tt.name, tt.do, b.Callbacks[n-1].Payload)
		}
		known := b.Discrepancy(t, tt.kind)
		want := map[operation.Resolution]discrepancy.Status{accept: discrepancy.Accepted, writeOff: discrepancy.WrittenOff}[tt.do]
		if known.Status != want || known.Reason != "why" || known.ResolvedBy.Kind != core.ByStaff || known.Version != 2 {
			t.Errorf("%s, %s: kept as %+v", tt.name, tt.do, known)
		}
		if err := b.Resolve(t, tt.kind, tt.do, money.Amount{}); !fault.Is(err, fault.AlreadyFinal) {
			t.Errorf("%s, %s, again: %v", tt.name, tt.do, err)
		}
		if o := b.Operation(id); p.Status.IsFinal() && (o.IsHeld || o.IsLive()) {
			t.Errorf("%s, %s: the deposit is %s, held %v", tt.name, tt.do, o.Phase, o.IsHeld)
		}
	}
}

// elsewhereAfter is an earlier try of which something is told; then, maybe, of the later one.
func elsewhereAfter(m payment.Method, first gateway.Observation, later ...gateway.Observation) func(t coretest.T) (*coretest.Store, core.ID) {
	return func(t coretest.T) (*coretest.Store, core.ID) {
		b, id := elsewhere(m, later...)(t)
		b.Observe(t, id, first)
		return b, id
	}
}

// TestAResolutionIsRefused for what there is not, and for less than nothing.
func TestAResolutionIsRefused(t *testing.T) {
	t.Parallel()
	b, id := coretest.After(payment.CreditCard, coretest.Answered(gateway.PartPaid, coretest.AtGateway(20000)))(t)
	second := b.Operations[0]
	second.ID, second.Reference, second.Version = "OTHER", "OTHER", 1
	b.Operations = append(b.Operations, second)
	known := b.Discrepancy(t, discrepancy.ShortMoney)
	resolve := func(o, discrepancy core.ID, amount int64) error {
		return b.Order(t, o, resolved(discrepancy, operation.AcceptMoney, coretest.Lira(amount)))
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
	if b.Payment.Status != payment.Pending {
		t.Errorf("the payment is %s", b.Payment.Status)
	}
}

// TestNoMoreIsAcceptedThanWasSeen, and nothing in what was not seen (attack H1).
func TestNoMoreIsAcceptedThanWasSeen(t *testing.T) {
	t.Parallel()
	card, wallet := payment.CreditCard, payment.WalletDeposit
	part, over := coretest.Answered(gateway.PartPaid, coretest.AtGateway(20000)), coretest.Answered(gateway.OverPaid, coretest.AtGateway(30000))
	for _, tt := range []struct {
		name string
		make func(t coretest.T) (*coretest.Store, core.ID)
		kind discrepancy.Kind
		most int64 // kuruş that may be accepted; 0: nothing at all
	}{
		{"a part", coretest.After(wallet, part), discrepancy.ShortMoney, 20000},
		{"too much", coretest.After(wallet, over), discrepancy.OverMoney, 30000},
		{"a fraction of a kuruş", coretest.After(wallet, coretest.Answered(gateway.PartPaid, gateway.Money{
			Amount: money.MustDecimal("199.999"), Asset: gateway.TRY,
		})), discrepancy.ShortMoney, 19999},
		{"another coin", coretest.After(wallet, coretest.Answered(gateway.Paid, coretest.Coins("7"))), discrepancy.OtherMoney, 0},
		{"under review, of a sum that is not told", coretest.After(card, coretest.Answered(gateway.Review)), discrepancy.UnderReview, 0},
		{"a part after the end", coretest.After(wallet, coretest.Answered(gateway.Expired), part), discrepancy.ShortMoney, 20000},
	} {
		b, _ := tt.make(t)
		for _, amount := range []int64{tt.most + 1, 99_999_999_999} {
			if err := b.Resolve(t, tt.kind, operation.AcceptMoney, coretest.Lira(amount)); !fault.Is(err, fault.MoreThanSeen) {
				t.Errorf("%s: %d accepted: %v", tt.name, amount, err)
			}
		}
		err := b.Resolve(t, tt.kind, operation.AcceptMoney, coretest.Lira(tt.most))
		if isRefused := fault.Is(err, fault.MoreThanSeen); isRefused != (tt.most == 0) || !isRefused && err != nil {
			t.Errorf("%s: what was seen: %v", tt.name, err)
		}
		if tt.most != 0 && (len(b.Credits) != 1 || b.Credits[0].Amount.Minor() != tt.most || b.Credits[0].Actor.Kind != core.ByStaff) {
			t.Errorf("%s: credited %+v", tt.name, b.Credits)
		}
	}
}

// TestAcceptedMoneyIsNotASurplus when the gateway confirms it later, and is told when the gateway takes it back.
func TestAcceptedMoneyIsNotASurplus(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		accepted gateway.Observation
		kind     discrepancy.Kind
		later    gateway.Observation
		want     []string
	}{
		{"approved", coretest.Answered(gateway.Review, coretest.AtGateway(25000)), discrepancy.UnderReview, coretest.Answered(gateway.Paid, coretest.AtGateway(25000)),
			[]string{"review accepted"}},
		{"declined", coretest.Answered(gateway.Review, coretest.AtGateway(25000)), discrepancy.UnderReview, coretest.Answered(gateway.Failed),
			[]string{"review accepted", "reversed open"}},
		{"all in parts, now called paid", coretest.Answered(gateway.PartPaid, coretest.AtGateway(25000)), discrepancy.UnderReview, coretest.Answered(gateway.Paid, coretest.AtGateway(25000)),
			[]string{"review accepted"}},
		{"a part, and its time is over", coretest.Answered(gateway.PartPaid, coretest.AtGateway(20000)), discrepancy.ShortMoney, coretest.Answered(gateway.Expired),
			[]string{"short accepted"}},
		{"a part, and the rest comes", coretest.Answered(gateway.PartPaid, coretest.AtGateway(20000)), discrepancy.ShortMoney, coretest.Answered(gateway.Paid, coretest.AtGateway(25000)),
			[]string{"short accepted", "surplus open"}},
		{"too much, told again", coretest.Answered(gateway.OverPaid, coretest.AtGateway(30000)), discrepancy.OverMoney, coretest.Answered(gateway.OverPaid, coretest.AtGateway(30000)),
			[]string{"over accepted"}},
	}
	for _, tt := range tests {
		b, id := coretest.After(payment.CreditCard, tt.accepted)(t)
		if err := b.Resolve(t, tt.kind, operation.AcceptMoney, money.Amount{}); err != nil {
			t.Fatal(err)
		}
		b.Observe(t, id, tt.later)
		b.Observe(t, id, tt.later)
		if got := b.Kinds(id); !slices.Equal(got, tt.want) || b.Payment.Status != payment.Success || len(b.Callbacks) != 1 {
			t.Errorf("%s: %s with %d callbacks, %q, want %q", tt.name, b.Payment.Status, len(b.Callbacks), got, tt.want)
		}
	}
}

// TestAnAcceptedTryCallsTheOthersOff: the customer is not to pay once more on a page that is still open.
func TestAnAcceptedTryCallsTheOthersOff(t *testing.T) {
	t.Parallel()
	b, first := coretest.Opened(t, payment.CreditCard)
	second := b.Begin(t, coretest.DepositPlan(payment.CreditCard))
	b.TakeStart(t, second)
	b.Observe(t, first, coretest.Answered(gateway.PartPaid, coretest.AtGateway(20000)))
	if err := b.Resolve(t, discrepancy.ShortMoney, operation.AcceptMoney, money.Amount{}); err != nil {
		t.Fatal(err)
	}
	if o := b.Operation(second); !o.IsUnwanted || !o.NextAt.Equal(b.Now) || b.Payment.Gateway.OperationID != first {
		t.Errorf("the other try is wanted %v; the payment is at %s", !o.IsUnwanted, b.Payment.Gateway.OperationID)
	}
}
