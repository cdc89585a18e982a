package sandbox_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
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
		DepositKey: gateway.DepositKey{Ref: "CC1"}, RefundRef: ref, Key: gateway.Key(ref), Amount: conformance.Lira(amount), IsWhole: isWhole,
		Why: "customer's request",
	}
}

func (w *world) refund(o gateway.RefundOrder) gateway.RefundReport {
	w.t.Helper()
	r, err := w.gateway.Refund(w.ctx, o)
	w.ok(err)
	return r
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
