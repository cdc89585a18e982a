package sandbox_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// payeeIBAN is no test IBAN: the kuruş decide.
const payeeIBAN = "TR330006100519786457841326"

func (w *world) payoutOrder(amount string) gateway.PayoutOrder {
	return gateway.PayoutOrder{
		Ref: "TPBW1", Key: "key-of-TPBW1", Amount: lira(amount), Kind: gateway.Bank, Asset: gateway.TRY,
		Customer: gateway.Customer{FullName: "Ali Veli"}, Fields: map[string]string{"iban": payeeIBAN},
	}
}

func (w *world) transferOrder(amount string) gateway.TransferOrder {
	return gateway.TransferOrder{
		Ref: "TPBW1", Key: "key-of-TPBW1", AccountID: "acc-1", Amount: lira(amount), Text: "payment",
		To: gateway.Party{Name: "Ali Veli", IBAN: payeeIBAN},
	}
}

// payoutCase is one of the scenarios of payouts and transfers.
type payoutCase struct {
	code   string
	class  gateway.Class // of the refusal
	reason gateway.ReasonCode
	first  gateway.PayoutState
	then   gateway.PayoutState // after ten seconds
	later  time.Duration
	ends   gateway.PayoutState
}

func payoutCases() []payoutCase {
	return []payoutCase{
		{code: "00", first: gateway.PayoutDone, then: gateway.PayoutDone, ends: gateway.PayoutDone},
		{code: "02", first: gateway.PayoutQueued, then: gateway.PayoutDone, ends: gateway.PayoutDone},
		{code: "10", class: gateway.OutOfFunds, reason: gateway.NoFunds},
		{code: "11", first: gateway.PayoutSent, then: gateway.PayoutRejected, ends: gateway.PayoutRejected, reason: gateway.InvalidTarget},
		{code: "12", class: gateway.Refused, reason: gateway.NameMismatch},
		{code: "13", class: gateway.Refused, reason: gateway.InvalidTarget},
		{code: "14", class: gateway.Refused, reason: gateway.LimitExceeded},
		{code: "16", first: gateway.PayoutSent, then: gateway.PayoutSent, later: 2 * time.Minute, ends: gateway.PayoutDone},
		{code: "17", first: gateway.PayoutSent, then: gateway.PayoutSent, later: 2 * time.Minute, ends: gateway.PayoutFailed, reason: gateway.IssuerDown},
		{code: "35", first: gateway.PayoutDone, then: gateway.PayoutDone, later: 24 * time.Hour, ends: gateway.PayoutReturned, reason: gateway.InvalidTarget},
	}
}

// play sends something and follows it to its end.
func (c payoutCase) play(w *world, send, read func() (gateway.PayoutReport, error)) {
	w.t.Helper()
	p, err := send()
	if c.class != "" {
		e := gateway.ErrorOf(err)
		if e.Class != c.class || e.Effect != gateway.EffectNone || e.Reason == nil || e.Reason.Code != c.reason {
			w.t.Errorf("got %v with reason %+v", err, e.Reason)
		}
		_, err = read()
		w.check("nothing is kept", gateway.ErrorOf(err).Class, gateway.NotFound)
		return
	}
	w.ok(err)
	w.check("at first", p.State, c.first)
	w.pass(10 * time.Second)
	p, err = read()
	w.ok(err)
	w.check("after ten seconds", p.State, c.then)
	w.pass(c.later)
	p, err = read()
	w.ok(err)
	w.check("in the end", p.State, c.ends)
	if c.reason != "" && (p.Reason == nil || p.Reason.Code != c.reason) {
		w.t.Errorf("the reason is %+v, want %s", p.Reason, c.reason)
	}
}

func TestPayoutScenario(t *testing.T) {
	t.Parallel()
	for _, c := range payoutCases() {
		for by, spoil := range map[string]func(*gateway.PayoutOrder){
			"kuruş":     func(o *gateway.PayoutOrder) { o.Amount = lira("700." + c.code) },
			"test IBAN": func(o *gateway.PayoutOrder) { o.Fields["iban"] = bank.TestIBAN(c.code) },
			"test wallet": func(o *gateway.PayoutOrder) {
				o.Kind, o.Fields = gateway.Wallet, map[string]string{"wallet_number": bank.TestWallet(c.code)}
			},
			"test address": func(o *gateway.PayoutOrder) {
				o.Kind, o.Asset = gateway.Crypto, gateway.Asset{Code: "USDT", Network: "TRC20", Decimals: 6}
				o.Fields = map[string]string{"crypto_type": "USDT (TRC20)", "wallet_address": bank.TestAddress("TRC20", c.code)}
			},
			"test address of Bitcoin": func(o *gateway.PayoutOrder) {
				o.Kind, o.Asset = gateway.Crypto, gateway.Asset{Code: "BTC", Network: "BTC", Decimals: 8}
				o.Fields = map[string]string{"crypto_type": "BTC (BTC)", "wallet_address": bank.TestAddress("BTC", c.code)}
			},
		} {
			t.Run(c.code+" by "+by, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				o := w.payoutOrder("700.14") // what is sent to counts for more than the kuruş
				spoil(&o)
				c.play(w,
					func() (gateway.PayoutReport, error) { return w.gateway.SendPayout(w.ctx, o) },
					func() (gateway.PayoutReport, error) {
						return w.gateway.ReadPayout(w.ctx, gateway.PayoutKey{Ref: o.Ref})
					})
			})
		}
	}
}

func TestTransferScenario(t *testing.T) {
	t.Parallel()
	for _, c := range payoutCases() {
		t.Run(c.code, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			o := w.transferOrder("700." + c.code)
			c.play(w,
				func() (gateway.PayoutReport, error) { return w.gateway.SendTransfer(w.ctx, o) },
				func() (gateway.PayoutReport, error) {
					return w.gateway.ReadTransfer(w.ctx, gateway.PayoutKey{Ref: o.Ref})
				})
		})
	}
}

func TestPayoutIsToldToTheAddressInThePanel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.gateway.SendPayout(w.ctx, w.payoutOrder("700.02"))
	w.ok(err)
	w.pass(10 * time.Second)
	w.check("notifications", w.told(), []string{"payout queued", "payout sent", "payout done"})
}

func TestPayoutInACoinSaysWhatWasSent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	o := w.payoutOrder("100.00")
	o.Kind, o.Asset = gateway.Crypto, gateway.Asset{Code: "USDT", Network: "TRC20", Decimals: 6}
	o.Fields = map[string]string{"crypto_type": "USDT (TRC20)", "wallet_address": bank.TestAddress("TRC20", "00")}
	p, err := w.gateway.SendPayout(w.ctx, o)
	w.ok(err)
	w.check("sent", *p.Sent, gateway.Money{Amount: lira("2.5").Amount, Asset: o.Asset})
	w.check("fee", *p.Fee, lira("2.5"))
	if p.Proof == "" {
		t.Error("there is no proof")
	}
}

func TestPayoutNeedsWhatItsKindNeeds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for kind, fields := range map[gateway.Kind]map[string]string{
		gateway.Bank:   {"wallet_number": "5321234567"},
		gateway.Wallet: {"iban": payeeIBAN},
		gateway.Crypto: {"crypto_type": "USDT (TRC20)"},
	} {
		o := w.payoutOrder("100.00")
		o.Kind, o.Fields = kind, fields
		_, err := w.gateway.SendPayout(w.ctx, o)
		w.check("a payout of kind "+string(kind), gateway.ErrorOf(err).Class, gateway.Invalid)
	}
	w.check("nothing is kept", len(w.bank.State().Payouts), 0)
}

func TestPayoutIsApprovedByItsCode(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		codes []string
		ends  gateway.PayoutState
	}{
		"right":                    {[]string{bank.Code}, gateway.PayoutDone},
		"wrong, then right":        {[]string{"1", "2", bank.Code}, gateway.PayoutDone},
		"five wrong, then right":   {[]string{"1", "2", "3", "4", "5", bank.Code}, gateway.PayoutRejected},
		"right for a second time":  {[]string{bank.Code, bank.Code}, gateway.PayoutDone},
		"none":                     {nil, gateway.PayoutNeedsApproval},
		"only an empty one is bad": {[]string{""}, gateway.PayoutNeedsApproval},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			k := gateway.PayoutKey{Ref: "TPBW1", Key: "key-of-TPBW1"}
			p, err := w.gateway.SendPayout(w.ctx, w.payoutOrder("100.01"))
			w.ok(err)
			w.check("at first", p.State, gateway.PayoutNeedsApproval)
			for _, code := range c.codes {
				if _, err := w.gateway.ApprovePayout(w.ctx, k, code); code != bank.Code {
					e := gateway.ErrorOf(err)
					w.check("a wrong code", []any{e.Class, e.Effect}, []any{gateway.Refused, gateway.EffectNone})
				}
			}
			p, err = w.gateway.ReadPayout(w.ctx, k)
			w.ok(err)
			w.check("in the end", p.State, c.ends)
		})
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
		"another amount": func(o *gateway.PayoutOrder) { o.Amount = lira("100.50") },
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
	w.check("good", []any{good.OK, good.Name, *good.Fee}, []any{true, "Ali Veli", lira("2.5")})
	bad, err := w.gateway.CheckPayout(w.ctx, w.payoutOrder("100.12"))
	w.ok(err)
	w.check("another name", []any{bad.OK, bad.Name, bad.Reason.Code}, []any{false, "Ayşe Yılmaz", gateway.NameMismatch})
	w.check("nothing is kept", len(w.bank.State().Payouts), 0)
}
