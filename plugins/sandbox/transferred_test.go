package sandbox_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
)

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
	w.check("the account", []string{pay.IBAN, pay.Holder, pay.Bank}, []string{account[0].IBAN, account[0].Holder, account[0].BankName})
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
		{"USDT-TRC20", gateway.Asset{Code: "USDT", Network: "TRC20", Decimals: 6}, "3.0835", "%[1]s"},                // without an amount, which a wallet might take for TRX
		{"BTC", gateway.Asset{Code: "BTC", Network: "BTC", Decimals: 8}, "0.00003084", "bitcoin:%[1]s?amount=%[2]s"}, // rounded up from 0.000030835
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
		w.check("the QR code", pay.QR, fmt.Sprintf(c.qr+"%.0[2]s", pay.Address, c.exact))
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
