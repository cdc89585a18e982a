package sandbox_test

import (
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// handCase is a scenario of a deposit that the customer pays by hand, by bank or in a coin.
type handCase struct {
	code  string
	state gateway.State // after ten seconds
	told  []string
	later time.Duration
	ends  gateway.State
	tells []string
	paid  string // in the end, times what was due
}

func (c handCase) play(w *world, kind gateway.Kind) {
	w.t.Helper()
	s := w.start(w.order(kind, "4000."+c.code))
	w.check("the next step", s.Next.Kind(), gateway.StepPay)
	w.check("the state at first", w.state(), gateway.Waiting)
	w.pass(10 * time.Second)
	w.check("the state", w.state(), c.state)
	w.check("notifications", w.told(), c.told)
	w.pass(c.later)
	w.check("later notifications", w.told(), c.tells)
	o := w.read()
	if c.ends != "" {
		w.check("the end", o.State, c.ends)
	}
	if o.Paid != nil && c.paid != "" {
		want := s.Due.Amount.Mul(money.MustDecimal(c.paid)).QuoUp(money.MustDecimal("1"), s.Due.Asset.Decimals)
		w.check("paid", o.Paid.Amount, want)
	}
}

// sharedCases go the same way for every kind that is paid by hand.
func sharedCases() []handCase {
	return []handCase{
		{code: "04", state: gateway.Waiting, later: 15 * time.Minute, ends: gateway.Expired},
		{code: "20", state: gateway.Waiting, later: 21 * time.Minute, ends: gateway.Paid, tells: []string{"paid"}, paid: "1"},
		{code: "21", state: gateway.Paid, told: []string{"paid", "paid", "paid"}, paid: "1"},
		{code: "23", state: gateway.Paid, told: nil, paid: "1"},
		{code: "25", state: gateway.Paid, told: []string{"paid", "failed", "processing"}, paid: "1"},
		{code: "26", state: gateway.PartPaid, told: []string{"part-paid"}, paid: "0.5"},
		{code: "27", state: gateway.OverPaid, told: []string{"over-paid"}, paid: "1.5"},
		{code: "29", state: gateway.Paid, told: []string{"unauthenticated", "paid", "unauthenticated"}, paid: "1"},
		{code: "30", state: gateway.Review, told: []string{"review"}, later: time.Minute, ends: gateway.Paid, tells: []string{"paid"}},
		{code: "33", state: gateway.OverPaid, told: []string{"paid", "over-paid"}, paid: "2"},
	}
}

func TestBankScenario(t *testing.T) {
	t.Parallel()
	paid := []string{"paid"}
	for _, c := range append(sharedCases(), []handCase{
		{code: "00", state: gateway.Paid, told: paid, paid: "1"},
		{code: "60", state: gateway.Waiting, told: []string{"line"}, later: 15 * time.Minute, ends: gateway.Expired},
		{code: "61", state: gateway.Waiting, told: []string{"line"}, later: 15 * time.Minute, ends: gateway.Expired},
		{code: "62", state: gateway.Paid, told: paid, paid: "1"},
		{code: "63", state: gateway.Review, told: []string{"review"}},
		{code: "64", state: gateway.Paid, told: paid, later: 25 * time.Hour, ends: gateway.Disputed, tells: []string{"disputed"}},
		{code: "65", state: gateway.Processing, told: []string{"processing"}, later: 13 * time.Hour, ends: gateway.Paid, tells: paid},
	}...) {
		for _, kind := range []gateway.Kind{gateway.Bank, gateway.Account} {
			t.Run(c.code+" "+string(kind), func(t *testing.T) {
				t.Parallel()
				c.play(newWorld(t), kind)
			})
		}
	}
}

func TestCryptoScenario(t *testing.T) {
	t.Parallel()
	steps := func(last ...string) []string { return append([]string{"processing", "processing"}, last...) }
	for _, c := range append(sharedCases(), []handCase{
		{code: "00", state: gateway.Paid, told: steps("paid"), paid: "1"},
		{code: "70", state: gateway.Paid, told: steps("paid"), paid: "0.995"}, // rounded up from 99.5
		{code: "71", state: gateway.PartPaid, told: []string{"part-paid"}, paid: "0.95"},
		{code: "72", state: gateway.PartPaid, told: []string{"part-paid"}, later: 30 * time.Second, ends: gateway.Paid, tells: []string{"paid"}, paid: "1"},
		{code: "73", state: gateway.Review, told: []string{"review"}},
		{code: "74", state: gateway.Review, told: []string{"review"}},
		{code: "75", state: gateway.Review, told: []string{"review"}},
		{code: "76", state: gateway.Processing, told: []string{"processing"}, later: 10 * time.Second, ends: gateway.Waiting, tells: []string{"waiting"}},
		{code: "77", state: gateway.Waiting, later: 12 * time.Minute, ends: gateway.Review, tells: []string{"review"}},
		{code: "78", state: gateway.Paid, told: steps("paid"), later: 25 * time.Hour, ends: gateway.OverPaid, tells: []string{"over-paid"}, paid: "2"},
	}...) {
		t.Run(c.code, func(t *testing.T) {
			t.Parallel()
			c.play(newWorld(t), gateway.Crypto)
		})
	}
}

func TestScenarioByHandBeginsAnew(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start(w.order(gateway.Bank, "100.04"))
	w.pass(time.Minute)
	w.ok(w.bank.SetOutcome("CC1", "27"))
	w.pass(4 * time.Second)
	w.check("the state", w.state(), gateway.OverPaid)
}

func TestMoneyInAnotherFormIsVisible(t *testing.T) {
	t.Parallel()
	for code, asset := range map[string]string{"73": "TRX (TRC20)", "74": "USDT (ERC20)"} {
		w := newWorld(t)
		w.start(w.order(gateway.Crypto, "40."+code))
		w.pass(5 * time.Second)
		w.check("the asset of scenario "+code, w.read().Paid.Asset, asset)
	}
}

func TestConfirmationsCount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start(w.order(gateway.Crypto, "40.00"))
	var seen []int
	for range 8 {
		w.pass(time.Second)
		seen = append(seen, w.read().Confirms)
	}
	w.check("confirmations, second by second", slices.Compact(seen), []int{0, 1, 3})
}

func TestInstructionsOfABankDeposit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pay := w.start(w.order(gateway.Bank, "100.00")).Next.Pay
	account, err := w.gateway.ListAccounts(w.ctx)
	w.ok(err)
	w.check("the account", []string{pay.IBAN, pay.Holder, pay.Bank}, []string{account[0].IBAN, account[0].Holder, account[0].Bank})
	w.check("the amount", pay.Exact.String()+pay.Asset.String(), "100TRY")
	w.check("it is marked", pay.Lines[0][0], "SIM")
	if len(pay.Reference) < 8 {
		t.Errorf("the reference is %q", pay.Reference)
	}
	w.pass(5 * time.Second)
	w.check("the payer", w.read().Payer.Name, "Ali Veli")
}

func TestSenderNamesDiffer(t *testing.T) {
	t.Parallel()
	for code, name := range map[string]string{"62": "Ayşe Yılmaz", "63": "Üçüncü Kişi Ltd. Şti."} {
		w := newWorld(t)
		w.start(w.order(gateway.Bank, "100."+code))
		w.pass(5 * time.Second)
		w.check("the payer of scenario "+code, w.read().Payer.Name, name)
	}
}

func TestCryptoDepositIsPricedByItsQuote(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		option    string
		asset     gateway.Asset
		exact, qr string
	}{
		{"USDT-TRC20", gateway.Asset{Code: "USDT", Network: "TRC20", Decimals: 6}, "3.0835", "tron:"},
		{"BTC", gateway.Asset{Code: "BTC", Network: "BTC", Decimals: 8}, "0.00003084", "bitcoin:"}, // rounded up from 0.000030835
	} {
		w := newWorld(t)
		o := w.order(gateway.Crypto, "123.34")
		o.Option = c.option
		q, err := w.gateway.Quote(w.ctx, gateway.QuoteRequest{From: o.Amount, To: c.asset})
		w.ok(err)
		o.Quote = &q
		s := w.start(o)
		pay := s.Next.Pay
		w.check("due", s.Due, &q.To)
		w.check("the amount", pay.Exact, c.exact)
		w.check("the QR code", pay.QR, c.qr+pay.Address+"?amount="+c.exact)
		w.check("confirmations", pay.Confirms, 3)
	}
}

func TestQuoteMustBeTheBanksAndHold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	o := w.order(gateway.Crypto, "100.00")
	q, err := w.gateway.Quote(w.ctx, gateway.QuoteRequest{From: o.Amount, To: gateway.Asset{Code: "BTC", Network: "BTC", Decimals: 8}})
	w.ok(err)
	o.Option, o.Quote = "USDT-TRC20", &q
	_, err = w.gateway.StartDeposit(w.ctx, o)
	w.check("another coin's quote", gateway.ErrorOf(err).RawCode, "quote_differs")
	o.Option = "BTC"
	w.pass(10 * time.Minute)
	_, err = w.gateway.StartDeposit(w.ctx, o)
	w.check("an old quote", gateway.ErrorOf(err).RawCode, "quote_expired")
	w.check("has no effect", gateway.HasNoEffect(err), true)
	o.Option, o.Quote = "DOGE", nil
	_, err = w.gateway.StartDeposit(w.ctx, o)
	w.check("another option", gateway.ErrorOf(err).Class, gateway.Unsupported)
}

func TestOptionsPrintAsTheContractWantsThem(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	options, err := w.gateway.ListOptions(w.ctx)
	w.ok(err)
	var names []string
	for _, o := range options {
		names = append(names, o.ID+" "+o.Asset.String())
	}
	w.check("options", names, []string{"USDT-TRC20 USDT (TRC20)", "BTC BTC (BTC)"})
}
