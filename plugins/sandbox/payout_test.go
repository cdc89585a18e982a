package sandbox_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// payeeIBAN is no test IBAN: the kuruş decide.
const payeeIBAN = "TR330006100519786457841326"

func (w *world) payoutOrder(amount string) gateway.PayoutOrder {
	return gateway.PayoutOrder{
		Ref: "TPBW1", Key: "key-of-TPBW1", Amount: conformance.Lira(amount), Kind: gateway.Bank, Asset: gateway.TRY,
		Customer: gateway.Customer{FullName: "Ali Veli"}, Fields: map[string]string{"iban": payeeIBAN},
	}
}

func (w *world) transferOrder(amount string) gateway.TransferOrder {
	return gateway.TransferOrder{
		Ref: "TPBW1", Key: "key-of-TPBW1", AccountID: "acc-1", Amount: conformance.Lira(amount), Text: "payment",
		To: gateway.Party{Name: "Ali Veli", IBAN: payeeIBAN},
	}
}

func TestPayoutScenarioIsOfItsPayeeBeforeItsAmount(t *testing.T) {
	t.Parallel()
	for kind, fields := range map[gateway.Kind]map[string]string{
		gateway.Bank:   {"iban": bank.TestIBAN("13")},
		gateway.Wallet: {"wallet_number": bank.TestWallet("13")},
		gateway.Crypto: {"crypto_type": "USDT (TRC20)", "wallet_address": bank.TestAddress("TRC20", "13")},
	} {
		w := newWorld(t)
		o := w.payoutOrder("700.14")
		o.Kind, o.Fields = kind, fields
		if kind == gateway.Crypto {
			o.Asset = gateway.Asset{Code: "USDT", Network: "TRC20", Decimals: 6}
		}
		_, err := w.gateway.SendPayout(w.ctx, o)
		w.check("a payout by "+string(kind), gateway.ErrorOf(err).RawCode, "invalid_recipient")
		_, err = w.gateway.ReadPayout(w.ctx, gateway.PayoutKey{Ref: o.Ref})
		w.check("nothing is kept", gateway.ErrorOf(err).Class, gateway.NotFound)
	}
}

func TestPayoutInACoinSaysWhatWasSent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	o := w.payoutOrder("100.00")
	o.Kind, o.Asset = gateway.Crypto, gateway.Asset{Code: "USDT", Network: "TRC20", Decimals: 6}
	o.Fields = map[string]string{"crypto_type": "USDT (TRC20)", "wallet_address": bank.TestAddress("TRC20", "00")}
	p, err := w.gateway.SendPayout(w.ctx, o)
	w.ok(err)
	w.check("sent", *p.Sent, gateway.Money{Amount: conformance.Lira("2.5").Amount, Asset: o.Asset})
	w.check("fee", *p.Fee, conformance.Lira("2.5"))
	if p.Proof == "" {
		t.Error("there is no proof")
	}
}

func TestPayoutIsCanceledWhileItIsQueued(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.gateway.SendPayout(w.ctx, w.payoutOrder("100.02"))
	w.ok(err)
	k := gateway.PayoutKey{Ref: "TPBW1", Key: "c"}
	p, err := w.gateway.CancelPayout(w.ctx, k)
	w.ok(err)
	w.check("canceled", p.State, gateway.PayoutCanceled)
	w.pass(10 * time.Second)
	p, err = w.gateway.ReadPayout(w.ctx, k)
	w.ok(err)
	w.check("stays canceled", p.State, gateway.PayoutCanceled)
}

func TestPayoutIsIdempotent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	o := w.payoutOrder("100.00")
	first, err := w.gateway.SendPayout(w.ctx, o)
	w.ok(err)
	again, err := w.gateway.SendPayout(w.ctx, o)
	w.ok(err)
	w.check("the same payout", again, first)
	for what, spoil := range map[string]func(*gateway.PayoutOrder){
		"another key":    func(o *gateway.PayoutOrder) { o.Key = "k2" },
		"another amount": func(o *gateway.PayoutOrder) { o.Amount = conformance.Lira("100.50") },
		"another payee":  func(o *gateway.PayoutOrder) { o.Fields = map[string]string{"iban": bank.TestIBAN("00")} },
	} {
		other := w.payoutOrder("100.00")
		spoil(&other)
		_, err := w.gateway.SendPayout(w.ctx, other)
		e := gateway.ErrorOf(err)
		w.check(what, []any{e.Class, e.Effect}, []any{gateway.Conflicting, gateway.EffectUnknown})
	}
	w.check("one payout", len(w.bank.State().Payouts), 1)
}

func TestCheckOfAPayout(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	good, err := w.gateway.CheckPayout(w.ctx, w.payoutOrder("100.00"))
	w.ok(err)
	w.check("good", []any{good.OK, good.Name, *good.Fee}, []any{true, "Ali Veli", conformance.Lira("2.5")})
	bad, err := w.gateway.CheckPayout(w.ctx, w.payoutOrder("100.12"))
	w.ok(err)
	w.check("another name", []any{bad.OK, bad.Name, bad.Reason.Code}, []any{false, "Ayşe Yılmaz", gateway.NameMismatch})
	w.check("nothing is kept", len(w.bank.State().Payouts), 0)
}
