package operation_test

import (
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// shownManual is a manual deposit of 250.00 whose customer was shown an account.
func shownManual(t coretest.T) payment.Payment {
	p := coretest.Started(t, payment.ManualDeposit)
	p.Account = owner.OfferedAccount{AccountID: 1, Day: coretest.Account(1).Day, Held: p.Amount}
	return p
}

// TestOnePersonsWordIsBounded (attack H2): by what they saw, by the requested amount, by the account and by the dealer.
func TestOnePersonsWordIsBounded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*payment.Payment, *operation.HandCredit)
		needs  string
		code   fault.Code
	}{
		"its own amount":              {nil, "", ""},
		"less":                        {func(_ *payment.Payment, h *operation.HandCredit) { h.Amount = coretest.Lira(1) }, "", ""},
		"double":                      {func(_ *payment.Payment, h *operation.HandCredit) { h.Amount = coretest.Lira(50_000) }, "", ""},
		"a kuruş more than double":    {func(_ *payment.Payment, h *operation.HandCredit) { h.Amount = coretest.Lira(50_001) }, payment.NeedsMultiple, ""},
		"everything there is":         {func(_ *payment.Payment, h *operation.HandCredit) { h.Amount = coretest.Lira(99_999_999_999) }, payment.NeedsMultiple, ""},
		"more than the account takes": {func(_ *payment.Payment, h *operation.HandCredit) { h.AccountMax = coretest.Lira(24_999) }, payment.NeedsMaximum, ""},
		"an account that is gone":     {func(_ *payment.Payment, h *operation.HandCredit) { h.AccountMax = money.Amount{} }, payment.NeedsMaximum, ""},
		"the dealer's own cap":        {func(_ *payment.Payment, h *operation.HandCredit) { h.DealerCap = coretest.Lira(24_999) }, payment.NeedsDealerCap, ""},
		"exactly the dealer's cap":    {func(_ *payment.Payment, h *operation.HandCredit) { h.DealerCap = coretest.Lira(25_000) }, "", ""},
		"the customer changed it on the page, tenfold": {func(p *payment.Payment, h *operation.HandCredit) {
			p.Amount, p.Account.Held, h.Expected = coretest.Lira(250_000), coretest.Lira(250_000), coretest.Lira(250_000)
		}, payment.NeedsMultiple, ""},
		"the customer changed it meanwhile": {func(p *payment.Payment, _ *operation.HandCredit) { p.Amount = coretest.Lira(490_000) }, "", fault.Changed},
		"no account was shown":              {func(p *payment.Payment, _ *operation.HandCredit) { p.Account = owner.OfferedAccount{} }, payment.NeedsException, ""},
		"an E-IBAN deposit":                 {func(p *payment.Payment, _ *operation.HandCredit) { p.Method = payment.EIBANDeposit }, payment.NeedsException, ""},
		"a third party's":                   {func(p *payment.Payment, _ *operation.HandCredit) { p.Method = payment.BankDeposit }, payment.NeedsException, ""},
	} {
		p := shownManual(t)
		h := coretest.ByHand(p, coretest.Lira(0))
		if c.change != nil {
			c.change(&p, &h)
		}
		change, err := operation.DecideApproval(p, h, coretest.Decision(t))
		if fault.CodeOf(err) != c.code {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil {
			continue
		}
		if len(core.RowsOf[payment.Credit](change)) != 1 {
			t.Fatalf("%s: %d credits", name, len(core.RowsOf[payment.Credit](change)))
		}
		k := core.RowsOf[payment.Credit](change)[0]
		isWord := k.Source == payment.CreditOfStaff && k.Amount.Equal(core.RowsOf[payment.Payment](change)[0].Amount) && k.PaymentID == p.ID && k.Number == 1
		if !isWord || k.NeedsSecond != c.needs || k.AwaitsMoney != (p.Method != payment.ManualDeposit) {
			t.Errorf("%s: %+v", name, k)
		}
	}
}

// TestAnExceptionHasAReason, and calls off what is open at a gateway.
func TestAnExceptionHasAReason(t *testing.T) {
	t.Parallel()
	b, id := coretest.Opened(t, payment.BankDeposit)
	d := coretest.Decision(t)
	d.Reason = ""
	h := coretest.ByHand(b.Payment, coretest.Lira(0))
	h.Operations = b.Operations
	if _, err := operation.DecideApproval(b.Payment, h, d); !fault.Is(err, fault.Invalid) {
		t.Errorf("without a reason: %v", err)
	}
	d.Reason = "the gateway's panel has it"
	change, err := operation.DecideApproval(b.Payment, h, d)
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

// TestAHandCreditMovesAsTheTableSays, whatever the payment and its status.
func TestAHandCreditMovesAsTheTableSays(t *testing.T) {
	t.Parallel()
	for _, m := range payment.Methods() {
		for _, s := range payment.Statuses() {
			p := coretest.Started(t, m)
			p.Status = s
			_, want := payment.PathOf(p, payment.Approve)
			change, err := operation.DecideApproval(p, coretest.ByHand(p, coretest.Lira(0)), coretest.Decision(t))
			if fault.CodeOf(err) != fault.CodeOf(want) || (err == nil) != core.Has[payment.Payment](change) {
				t.Errorf("%s %s: %v, want %v: %+v", m, s, err, want, change)
			}
		}
	}
}
