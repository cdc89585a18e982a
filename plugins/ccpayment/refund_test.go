package ccpayment_test

import (
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
)

// TestARefundWhoseAnswerWasLostIsNotMadeAgain: the gateway takes a reference once.
func TestARefundWhoseAnswerWasLostIsNotMadeAgain(t *testing.T) {
	t.Parallel()
	for what, amount := range map[string]string{"a part": "25.10", "the whole": "125.50"} {
		s := newShop(t)
		k, o := s.paid("R1", "125.50")
		order := refundOf(k, "B1", amount)
		lost := refundKeyOf(order, gateway.RefundReport{})
		if _, err := s.ReadRefund(t.Context(), lost); !conformance.IsFailure(err, gateway.NotFound, gateway.EffectNone) {
			t.Errorf("%s before: %v", what, err)
		}
		s.Lose("POST", "/api/refund")
		if _, err := s.Refund(t.Context(), order); !conformance.IsFailure(err, gateway.Retryable, gateway.EffectUnknown) {
			t.Fatal(err)
		}
		s.Between(nil)
		before := o.back100
		if r, err := s.Refund(t.Context(), order); !conformance.IsFailure(err, gateway.Conflicting, gateway.EffectUnknown) || o.back100 != before {
			t.Errorf("%s once more: %+v %v, %d and %d kuruş given back", what, r, err, before, o.back100)
		}
		want := gateway.RefundUnknown // another part of the same payment could be what shows
		if order.IsWhole {
			want = gateway.RefundDone
		}
		if r, err := s.ReadRefund(t.Context(), lost); err != nil || r.State != want {
			t.Errorf("%s reads as %+v %v", what, r, err)
		}
		o.giveBack(o.charged - o.back100) // the rest, in the brand's panel
		if r, err := s.ReadRefund(t.Context(), lost); err != nil || r.State != want {
			t.Errorf("%s reads as %+v %v once all is given back", what, r, err)
		}
	}
}

// TestARefundThatFailedIsRefusedOnlyIfNothingWasGivenBack: one code stands for a refusal, and for a bank's answer that was lost.
func TestARefundThatFailedIsRefusedOnlyIfNothingWasGivenBack(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k, o := s.paid("R1", "125.50")
	o.isOld = true
	_, err := s.Refund(t.Context(), refundOf(k, "B1", "25.10"))
	if e := gateway.ErrorOf(err); !conformance.IsFailure(err, gateway.Invalid, gateway.EffectNone) || e.RawCode != "49" || e.RawText != "Refund Failed" {
		t.Errorf("refused: %v", err)
	}
	o.isOld, o.isCut = false, true
	if _, err := s.Refund(t.Context(), refundOf(k, "B2", "25.10")); !conformance.IsFailure(err, gateway.Retryable, gateway.EffectUnknown) || o.back100 != 2510 {
		t.Errorf("lost at the bank: %v, %d", err, o.back100)
	}
	for what, answer := range map[string]gateway.Response{
		"the count can't be asked for": {Status: 500},
		"the count is not to be had":   {Status: 200, Body: []byte(`{"status_code":100,"transaction_status":"Partly Cloudy","invoice_id":"R1"}`)},
	} {
		s := newShop(t)
		k, o := s.paid("R1", "125.50")
		o.isOld = true
		s.Between(func(_ gateway.Request, send func() (gateway.Response, error)) (gateway.Response, error) {
			if len(s.SentTo("POST", "/api/refund")) > 0 && len(s.SentTo("POST", "/checkstatus")) > 1 {
				return answer, nil
			}
			return send()
		})
		if _, err := s.Refund(t.Context(), refundOf(k, "B3", "25.10")); !conformance.IsFailure(err, gateway.Retryable, gateway.EffectUnknown) {
			t.Errorf("refused, and %s: %v", what, err)
		}
	}
}

// TestARefundThatPeopleCarryOutWaits until everything was given back: how much of a part was, no answer tells.
func TestARefundThatPeopleCarryOutWaits(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k, o := s.paid("R1", "125.50")
	o.isPending = true
	order := refundOf(k, "B1", "25.50")
	r, err := s.Refund(t.Context(), order)
	if err != nil || r.State != gateway.RefundPending {
		t.Fatalf("%+v %v", r, err)
	}
	for _, c := range []struct {
		kurus int64
		want  gateway.RefundState
	}{{0, gateway.RefundPending}, {2550, gateway.RefundPending}, {10000, gateway.RefundDone}} {
		o.giveBack(c.kurus)
		if read, err := s.ReadRefund(t.Context(), refundKeyOf(order, r)); err != nil || read.State != c.want || *read.Amount != order.Amount {
			t.Errorf("with %d kuruş given back: %+v %v", o.back100, read, err)
		}
	}
}

// TestNothingIsGivenBackThatIsNotThere: such orders are not sent at all.
func TestNothingIsGivenBackThatIsNotThere(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	unpaid, _ := s.started("R1", "125.50")
	k, o := s.paid("R2", "125.50")
	if _, err := s.Refund(t.Context(), refundOf(k, "B0", "25.50")); err != nil {
		t.Fatal(err)
	}
	sent := len(s.SentTo("POST", "/api/refund"))
	disputed, _ := s.paid("R3", "125.50")
	s.brand.set("R3", conformance.IsDisputed)
	for what, order := range map[string]gateway.RefundOrder{
		"of what was not paid": refundOf(unpaid, "B1", "125.50"), "of more than is left": refundOf(k, "B2", "100.01"),
		"of less than a kuruş": refundOf(k, "B3", "0.001"), "without a reference": refundOf(k, "", "1"),
		"of what a bank has taken back": refundOf(disputed, "B4", "125.50"),
	} {
		if _, err := s.Refund(t.Context(), order); !conformance.IsFailure(err, gateway.Invalid, gateway.EffectNone) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if len(s.SentTo("POST", "/api/refund")) != sent || o.back100 != 2550 {
		t.Errorf("%d refunds were sent, %d kuruş given back", len(s.SentTo("POST", "/api/refund")), o.back100)
	}
	if got := s.read(k); got.State != gateway.PartRefunded || *got.Refunded != conformance.Lira("25.50") {
		t.Errorf("%+v", got)
	}
}

// TestARefundsAnswerIsAboutItsPayment.
func TestARefundsAnswerIsAboutItsPayment(t *testing.T) {
	t.Parallel()
	for what, answer := range map[string]string{
		"another payment":    `{"status_code":100,"status_description":"ok","order_no":"1","invoice_id":"R2","ref_no":""}`,
		"no payment":         `{"status_code":100,"status_description":"ok"}`,
		"no code":            `{"status_description":"ok","invoice_id":"R1"}`,
		"a code of its own":  `{"status_code":112,"status_description":"Kısmen başarılı","invoice_id":"R1"}`,
		"no more than a yes": `true`,
	} {
		s := newShop(t)
		k, _ := s.paid("R1", "1.00")
		s.Answer("POST", "/api/refund", 200, answer)
		if r, err := s.Refund(t.Context(), refundOf(k, "B1", "1.00")); !conformance.IsFailure(err, gateway.Retryable, gateway.EffectUnknown) {
			t.Errorf("%s: %+v %v", what, r, err)
		}
	}
}
