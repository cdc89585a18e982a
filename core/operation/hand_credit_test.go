package operation_test

import (
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// TestAnExceptionHasAReason, and calls off what is open at a gateway.
func TestAnExceptionHasAReason(t *testing.T) {
	t.Parallel()
	b, id := coretest.Opened(t, payment.BankDeposit)
	d := coretest.Decision(t)
	d.Reason = ""
	h := coretest.ByHand(b.Payment, coretest.Lira(0))
	if _, err := operation.DecideApproval(b.Payment, h, b.Operations, d); !fault.Is(err, fault.Invalid) {
		t.Errorf("without a reason: %v", err)
	}
	d.Reason = "the gateway's panel has it"
	change, err := operation.DecideApproval(b.Payment, h, b.Operations, d)
	if err != nil {
		t.Fatalf("%v", err)
	}
	if len(core.RowsOf[operation.Operation](change)) != 1 || core.RowsOf[operation.Operation](change)[0].ID != id || !core.RowsOf[operation.Operation](change)[0].IsUnwanted {
		t.Errorf("the customer can go on paying: %+v", core.RowsOf[operation.Operation](change))
	}
}

// TestTheMoneyOfAWordIsBoundToIt: what a gateway reports later credits nobody again, is no surplus, and is a discrepancy only by
// what it differs (correctness 5).
func TestTheMoneyOfAWordIsBoundToIt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		word, came int64
		want       []string
	}{
		"exactly it": {25_000, 25_000, nil},
		"more":       {20_000, 25_000, []string{"credit_differs open"}},
		"less":       {30_000, 25_000, []string{"credit_differs open"}},
	} {
		b, id := coretest.Excepted(t, c.word)
		paid := coretest.Answered(gateway.Paid, coretest.AtGateway(c.came))
		for range 3 {
			b.Observe(t, id, paid)
		}
		if got := b.Kinds(id); len(got) != len(c.want) || len(got) > 0 && got[0] != c.want[0] {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if len(b.Credits) != 1 || b.Credits[0].OperationID != id || b.Credits[0].IsAwaiting() || len(b.Callbacks) != 1 {
			t.Errorf("%s: %+v and %d callbacks", name, b.Credits, len(b.Callbacks))
		}
		if b.Payment.Amount.Minor() != c.word || b.Payment.Gateway.OperationID != id {
			t.Errorf("%s: the payment is %+v", name, b.Payment)
		}
	}
}
