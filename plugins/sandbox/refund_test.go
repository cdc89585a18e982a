package sandbox_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
)

// paidCard starts a card deposit and has it paid.
func (w *world) paidCard(amount string) {
	w.t.Helper()
	b := w.browse(w.start(w.order(gateway.Card, amount)).Next.Redirect.URL)
	b.card(visa)
	w.pass(5 * time.Second)
	w.told()
}

func refundOrder(ref gateway.Ref, amount string, isWhole bool) gateway.RefundOrder {
	return gateway.RefundOrder{
		DepositKey: gateway.DepositKey{Ref: "CC1"}, RefundRef: ref, Key: gateway.Key(ref), Amount: lira(amount), IsWhole: isWhole,
		Why: "customer's request",
	}
}

func (w *world) refund(o gateway.RefundOrder) gateway.RefundReport {
	w.t.Helper()
	r, err := w.gateway.Refund(w.ctx, o)
	w.ok(err)
	return r
}

func TestRefundScenario(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		code  string
		first gateway.RefundState
		state gateway.State
		ends  gateway.RefundState
		at    gateway.State // of the deposit in the end
		back  string
		tells []string
	}{
		{"50", gateway.RefundDone, gateway.Refunded, gateway.RefundDone, gateway.Refunded, "80.5", []string{"refund done"}},
		{"51", gateway.RefundPending, gateway.Refunding, gateway.RefundDone, gateway.Refunded, "80.51", []string{"refund done"}},
		{"52", gateway.RefundPending, gateway.Refunding, gateway.RefundFailed, gateway.Paid, "80.52", []string{"refund failed"}},
		{"53", gateway.RefundDone, gateway.PartRefunded, gateway.RefundDone, gateway.PartRefunded, "40.27", []string{"refund done"}},
		{"54", gateway.RefundDone, gateway.Refunded, gateway.RefundDone, gateway.Refunded, "80.54", []string{"refund done"}},
	} {
		t.Run(c.code, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.paidCard("80." + c.code)
			r := w.refund(refundOrder("R1", "80."+c.code, true))
			w.check("the refund", r.State, c.first)
			w.check("the deposit", w.state(), c.state)
			w.pass(2 * time.Minute)
			r, err := w.gateway.ReadRefund(w.ctx, gateway.RefundKey{RefundRef: "R1"})
			w.ok(err)
			w.check("in the end", []any{r.State, r.Amount.Amount}, []any{c.ends, c.back})
			w.check("the deposit in the end", w.state(), c.at)
			w.check("notifications", w.told(), c.tells)
		})
	}
}

func TestWholeRefundIsAVoidOnTheSameDayOnly(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		amount string
		wait   time.Duration
		isVoid bool
	}{
		"on the day":                   {"80.00", 0, true},
		"the day is closed by the row": {"80.54", 0, false},
		"a day later":                  {"80.00", 24 * time.Hour, false},
	} {
		w := newWorld(t)
		w.paidCard(c.amount)
		w.pass(c.wait)
		w.refund(refundOrder("R1", c.amount, true))
		w.check(name, w.bank.State().Refunds[0].IsVoid, c.isVoid)
	}
}

func TestRefundsInParts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.paidCard("80.00")
	w.refund(refundOrder("R1", "30.00", false))
	w.check("after one part", w.state(), gateway.PartRefunded)
	w.check("given back", w.read().Refunded.Amount, "30")
	w.refund(refundOrder("R1", "30.00", false)) // the same again
	_, err := w.gateway.Refund(w.ctx, refundOrder("R2", "50.01", false))
	w.check("more than is left", []any{gateway.ErrorOf(err).Class, gateway.ErrorOf(err).RawCode}, []any{gateway.Invalid, "refund_too_large"})
	_, err = w.gateway.Refund(w.ctx, refundOrder("R1", "10.00", false))
	w.check("another under the same reference", gateway.ErrorOf(err).Class, gateway.Conflicting)
	w.refund(refundOrder("R3", "50.00", false))
	w.check("after all parts", w.state(), gateway.Refunded)
	_, err = w.gateway.Refund(w.ctx, refundOrder("R4", "1.00", false))
	w.check("nothing is left", gateway.ErrorOf(err).RawCode, "not_refundable")
}

func TestRefundOfACoinNeedsAnAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.start(w.order(gateway.Crypto, "40.00"))
	w.pass(10 * time.Second)
	o := refundOrder("R1", "1.00", true)
	o.Amount = *s.Due
	_, err := w.gateway.Refund(w.ctx, o)
	w.check("without", gateway.ErrorOf(err).RawCode, "address_required")
	o.Target = map[string]string{"wallet_address": "TXyz12345"}
	w.check("with", w.refund(o).State, gateway.RefundDone)
}
