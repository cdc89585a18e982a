package payment_test

import (
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
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
		change func(*payment.Payment, *payment.HandCredit)
		needs  string
		code   fault.Code
	}{
		"its own amount":              {nil, "", ""},
		"less":                        {func(_ *payment.Payment, h *payment.HandCredit) { h.Amount = coretest.Lira(1) }, "", ""},
		"double":                      {func(_ *payment.Payment, h *payment.HandCredit) { h.Amount = coretest.Lira(50_000) }, "", ""},
		"a kuruş more than double":    {func(_ *payment.Payment, h *payment.HandCredit) { h.Amount = coretest.Lira(50_001) }, payment.NeedsMultiple, ""},
		"everything there is":         {func(_ *payment.Payment, h *payment.HandCredit) { h.Amount = coretest.Lira(99_999_999_999) }, payment.NeedsMultiple, ""},
		"more than the account takes": {func(_ *payment.Payment, h *payment.HandCredit) { h.AccountMax = coretest.Lira(24_999) }, payment.NeedsMaximum, ""},
		"an account that is gone":     {func(_ *payment.Payment, h *payment.HandCredit) { h.AccountMax = money.Amount{} }, payment.NeedsMaximum, ""},
		"the dealer's own cap":        {func(_ *payment.Payment, h *payment.HandCredit) { h.DealerCap = coretest.Lira(24_999) }, payment.NeedsDealerCap, ""},
		"exactly the dealer's cap":    {func(_ *payment.Payment, h *payment.HandCredit) { h.DealerCap = coretest.Lira(25_000) }, "", ""},
		"the customer changed it on the page, tenfold": {func(p *payment.Payment, h *payment.HandCredit) {
			p.Amount, p.Account.Held, h.Expected = coretest.Lira(250_000), coretest.Lira(250_000), coretest.Lira(250_000)
		}, payment.NeedsMultiple, ""},
		"the customer changed it meanwhile": {func(p *payment.Payment, _ *payment.HandCredit) { p.Amount = coretest.Lira(490_000) }, "", fault.Changed},
		"no account was shown":              {func(p *payment.Payment, _ *payment.HandCredit) { p.Account = owner.OfferedAccount{} }, payment.NeedsException, ""},
		"an E-IBAN deposit":                 {func(p *payment.Payment, _ *payment.HandCredit) { p.Method = payment.EIBANDeposit }, payment.NeedsException, ""},
		"a third party's":                   {func(p *payment.Payment, _ *payment.HandCredit) { p.Method = payment.BankDeposit }, payment.NeedsException, ""},
	} {
		p := shownManual(t)
		h := coretest.ByHand(p, coretest.Lira(0))
		if c.change != nil {
			c.change(&p, &h)
		}
		change, err := payment.DecideHandCredit(p, h, coretest.Decision(t))
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

// TestAHandCreditMovesAsTheTableSays, whatever the payment and its status.
func TestAHandCreditMovesAsTheTableSays(t *testing.T) {
	t.Parallel()
	for _, m := range payment.Methods() {
		for _, s := range payment.Statuses() {
			p := coretest.Started(t, m)
			p.Status = s
			_, want := payment.PathOf(p, payment.Approve)
			change, err := payment.DecideHandCredit(p, coretest.ByHand(p, coretest.Lira(0)), coretest.Decision(t))
			if fault.CodeOf(err) != fault.CodeOf(want) || (err == nil) != core.Has[payment.Payment](change) {
				t.Errorf("%s %s: %v, want %v: %+v", m, s, err, want, change)
			}
		}
	}
}
