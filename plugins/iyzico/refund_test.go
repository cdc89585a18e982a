package iyzico_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/conformance"
)

func refundOf(k gateway.DepositKey, ref, amount string) gateway.RefundOrder {
	return gateway.RefundOrder{
		DepositKey: k, RefundRef: gateway.Ref(ref), Key: gateway.Key("key-" + ref), Amount: conformance.Lira(amount),
		IsWhole: conformance.Lira(amount) == k.Due, Why: "customer's request",
	}
}

func (s *shop) refunded(o gateway.RefundOrder) gateway.RefundReport {
	s.t.Helper()
	r, err := s.Refund(s.t.Context(), o)
	if err != nil || r.State != gateway.RefundDone || r.RefundRef != o.RefundRef || r.Trust != gateway.Answered {
		s.t.Fatalf("Refund: %+v, %v", r, err)
	}
	if r.Amount == nil || *r.Amount != o.Amount || r.External.ID == "" {
		s.t.Errorf("Refund of %s reports %v, %q", o.Amount, r.Amount, r.External.ID)
	}
	return r
}

func (s *shop) ways() (cancels, refunds int) {
	return len(s.SentTo("POST", pathCancel)), len(s.SentTo("POST", pathRefund))
}

func TestTheWholeOfTodayIsCanceled(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k := s.paid("CC1", "22")
	s.Clock.Advance(11*time.Hour + 59*time.Minute) // 23:59 in Istanbul
	s.refunded(refundOf(k, "RF1", "22"))
	if cancels, refunds := s.ways(); cancels != 1 || refunds != 0 {
		t.Errorf("%d cancels, %d refunds", cancels, refunds)
	}
	if o := s.read(k); o.State != gateway.Refunded {
		t.Errorf("afterwards it is %s", o.State)
	}
}

func TestTheWholeOfYesterdayIsRefunded(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k := s.paid("CC1", "22")
	s.Clock.Advance(12 * time.Hour) // midnight in Istanbul, 21:00 in London
	s.refunded(refundOf(k, "RF1", "22"))
	if cancels, refunds := s.ways(); cancels != 0 || refunds != 1 {
		t.Errorf("%d cancels, %d refunds", cancels, refunds)
	}
}

func TestWhenTheBankHasClosedTheDayTheWholeIsRefunded(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k := s.paid("CC1", "22")
	s.form("CC1", func(f *form) { f.last().bankClosed = true })
	s.refunded(refundOf(k, "RF1", "22"))
	if cancels, refunds := s.ways(); cancels != 1 || refunds != 1 {
		t.Errorf("%d cancels, %d refunds", cancels, refunds)
	}
}

func TestPartsAreRefundedUntilNothingIsLeft(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k := s.paid("CC1", "22")
	s.refunded(refundOf(k, "RF1", "10"))
	s.refunded(refundOf(k, "RF2", "11.99"))
	if _, err := s.Refund(t.Context(), refundOf(k, "RF3", "0.02")); !conformance.IsFailure(err, gateway.Invalid, gateway.EffectNone) {
		t.Errorf("more than is left: %v", err)
	}
	whole := refundOf(k, "RF4", "22") // a cancel would take back what was refunded already
	if _, err := s.Refund(t.Context(), whole); !conformance.IsFailure(err, gateway.Invalid, gateway.EffectNone) {
		t.Errorf("the whole after parts: %v", err)
	}
	s.refunded(refundOf(k, "RF5", "0.01"))
	if cancels, _ := s.ways(); cancels != 0 {
		t.Errorf("%d cancels", cancels)
	}
}

// TestARefundIsNotMadeTwice: iyzico knows no keys, so that its record is read first.
func TestARefundIsNotMadeTwice(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k := s.paid("CC1", "22")
	for range 3 {
		s.refundedOnce(refundOf(k, "RF1", "5"))
	}
	if _, refunds := s.ways(); refunds != 1 {
		t.Errorf("%d refunds", refunds)
	}
	canceled := s.paid("CC2", "22")
	for range 3 {
		s.refundedOnce(refundOf(canceled, "RF2", "22"))
	}
	if cancels, refunds := s.ways(); cancels != 1 || refunds != 1 {
		t.Errorf("%d cancels, %d refunds", cancels, refunds)
	}
}

func (s *shop) refundedOnce(o gateway.RefundOrder) {
	s.t.Helper()
	s.refunded(o)
	k := gateway.RefundKey{DepositKey: gateway.DepositKey{Ref: o.Ref}, RefundRef: o.RefundRef, Amount: o.Amount}
	if r, err := s.ReadRefund(s.t.Context(), k); err != nil || r.State != gateway.RefundDone || *r.Amount != o.Amount {
		s.t.Errorf("ReadRefund by references alone: %+v, %v", r, err)
	}
}

func TestARefundWhoseAnswerWasLostIsFound(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ path, amount string }{{pathCancel, "22"}, {pathRefund, "5"}} {
		s := newShop(t)
		k := s.paid("CC1", "22")
		s.Lose("POST", tt.path)
		o := refundOf(k, "RF1", tt.amount)
		if _, err := s.Refund(t.Context(), o); err == nil || gateway.HasNoEffect(err) {
			t.Errorf("%s: a lost answer: %v", tt.path, err)
		}
		if cancels, refunds := s.ways(); cancels+refunds != 1 {
			t.Errorf("%s: %d cancels, %d refunds: after an unknown cancel nothing may be refunded", tt.path, cancels, refunds)
		}
		r, err := s.ReadRefund(t.Context(), gateway.RefundKey{DepositKey: k, RefundRef: "RF1", Amount: o.Amount})
		if err != nil || r.State != gateway.RefundDone {
			t.Errorf("%s: ReadRefund: %+v, %v", tt.path, r, err)
		}
	}
}

// TestWhileAnEarlierOneIsUnderWayNothingIsRefused: the recorded answer says so, and that it must not be tried again; whether
// the money of this one goes back is not known.
func TestWhileAnEarlierOneIsUnderWayNothingIsRefused(t *testing.T) {
	t.Parallel()
	for _, amount := range []string{"22", "5"} {
		s := newShop(t)
		k := s.paid("CC1", "22")
		s.form("CC1", func(f *form) { f.last().isGivingBack = true })
		_, err := s.Refund(t.Context(), refundOf(k, "RF1", amount))
		if !conformance.IsFailure(err, gateway.Conflicting, gateway.EffectUnknown) || gateway.ErrorOf(err).RawCode != "8514" {
			t.Errorf("%s: %v", amount, err)
		}
		if cancels, refunds := s.ways(); cancels+refunds != 1 {
			t.Errorf("%s: %d cancels, %d refunds", amount, cancels, refunds)
		}
	}
}

// TestARefundThatMayBeTriedAgainMayHaveBeenMade: retryable says that iyzico does not know.
func TestARefundThatMayBeTriedAgainMayHaveBeenMade(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"4711", "10051", "11", "5997"} {
		for retryable, effect := range map[string]gateway.Effect{"true": gateway.EffectUnknown, "false": gateway.EffectNone} {
			s := newShop(t)
			k := s.paid("CC1", "22")
			s.Answer("POST", pathRefund, 200, `{"status":"failure","errorCode":"`+code+`","retryable":`+retryable+`}`)
			if _, err := s.Refund(t.Context(), refundOf(k, "RF1", "5")); err == nil || gateway.ErrorOf(err).Effect != effect {
				t.Errorf("%s, retryable %s: %v", code, retryable, err)
			}
		}
	}
}

// TestOnlyARefusedCancelFallsBack: an unknown or postponed one must not become a refund too.
func TestOnlyARefusedCancelFallsBack(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]struct {
		class     gateway.Class
		fallsBack bool
	}{
		"1": {gateway.Retryable, false}, "8514": {gateway.Conflicting, false}, "10214": {gateway.Retryable, false}, "50000": {gateway.RateLimited, false},
		"1001": {gateway.Misconfigured, false}, "10005": {"", true}, "11": {"", true}, "4711": {"", true},
	} {
		s := newShop(t)
		k := s.paid("CC1", "22")
		s.Answer("POST", pathCancel, 200, `{"status":"failure","errorCode":"`+code+`"}`)
		s.form("CC1", func(f *form) { f.last().bankClosed = true })
		_, err := s.Refund(t.Context(), refundOf(k, "RF1", "22"))
		if (err == nil) != want.fallsBack || err != nil && !gateway.IsClass(err, want.class) {
			t.Errorf("%s: %v", code, err)
		}
		if _, refunds := s.ways(); (refunds == 1) != want.fallsBack {
			t.Errorf("%s: %d refunds", code, refunds)
		}
	}
}

func TestACardThatCanNotBeRefunded(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k := s.started("CC1", "22")
	s.bank.pay(k.External.Alt["token"], "5406670000000009")
	_, err := s.Refund(t.Context(), refundOf(k, "RF1", "22"))
	if !conformance.IsFailure(err, gateway.Invalid, gateway.EffectNone) || gateway.ErrorOf(err).RawCode != "5997" {
		t.Errorf("%v", err)
	}
	_, err = s.ReadRefund(t.Context(), gateway.RefundKey{DepositKey: k, RefundRef: "RF1"})
	if !gateway.IsClass(err, gateway.NotFound) {
		t.Errorf("ReadRefund of what was refused: %v", err)
	}
}

func TestARefundWithAWrongSignatureIsUnknown(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k := s.paid("CC1", "22")
	s.bank.misSigns = true
	if _, err := s.Refund(t.Context(), refundOf(k, "RF1", "5")); !conformance.IsFailure(err, gateway.Misconfigured, gateway.EffectUnknown) {
		t.Errorf("a wrong signature: %v", err)
	}
	s.bank.misSigns = false
	s.Answer("POST", pathRefund, 200, s.signedBody(`"conversationId":"RF1","paymentId":"25149157","price":5,"currency":"TRY"`,
		"25149157", "5", "TRY", "RF1"))
	if _, err := s.Refund(t.Context(), refundOf(k, "RF2", "5")); !conformance.IsFailure(err, gateway.Misconfigured, gateway.EffectUnknown) {
		t.Errorf("the answer to another refund: %v", err)
	}
}

func TestWhatCanNotBeGivenBackIsRefusedBeforeTheCall(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	paid, unpaid, refused := s.paid("CC1", "22"), s.started("CC2", "22"), s.started("CC3", "22")
	s.bank.pay(refused.External.Alt["token"], "4111111111111129")
	foreign := refundOf(paid, "RF1", "22")
	foreign.Amount.Asset = gateway.Asset{Code: "USD", Decimals: 2}
	for name, o := range map[string]gateway.RefundOrder{
		"dollars": foreign, "nothing": refundOf(paid, "RF1", "0"), "half a kuruş": refundOf(paid, "RF1", "0.005"),
		"no reference": refundOf(paid, "", "22"), "an unpaid deposit": refundOf(unpaid, "RF1", "22"),
		"a refused card": refundOf(refused, "RF1", "22"),
	} {
		if _, err := s.Refund(t.Context(), o); err == nil || !gateway.HasNoEffect(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if cancels, refunds := s.ways(); cancels+refunds != 0 {
		t.Errorf("%d cancels, %d refunds", cancels, refunds)
	}
}

// TestARefundOfAnUndocumentedStatusIsUnknown: iyzico names no values of refundStatus.
func TestARefundOfAnUndocumentedStatusIsUnknown(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k := s.paid("CC1", "22")
	s.form("CC1", func(f *form) { f.last().refunds = []back{{"RF1", money.MustDecimal("5"), "0"}} })
	r, err := s.ReadRefund(t.Context(), gateway.RefundKey{DepositKey: k, RefundRef: "RF1"})
	if err != nil || r.State != gateway.RefundUnknown || r.Raw != "0" {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestTheDayOfAPaymentIsIstanbuls: times come with a zone, without one, or not at all.
func TestTheDayOfAPaymentIsIstanbuls(t *testing.T) {
	t.Parallel()
	for created, isToday := range map[string]bool{
		"2026-03-02T00:00:00": true, "2026-03-01T23:59:59": false, "2026-03-02 11:00:00": true,
		"2026-03-02T00:00:00.000Z": true, "2026-03-02T00:00:00Z": true, "2026-03-01T23:59:59Z": false, "2026-03-02T11:59:59Z": true, "2026-03-02T00:00:00.000+0300": true,
		"2026-03-02T00:00:00+03:00": true, "": false, "yesterday": false,
	} {
		s := newShop(t)
		k := s.paid("CC1", "22")
		s.Answer("GET", pathDetails, 200, `{"status":"success","payments":[{"paymentId":25149157,"paymentStatus":1,"fraudStatus":1,`+
			`"paidPrice":22.00000000,"currency":"TRY","basketId":"CC1","createdDate":"`+created+`"}]}`)
		s.refunded(refundOf(k, "RF1", "22"))
		if cancels, _ := s.ways(); (cancels == 1) != isToday {
			t.Errorf("%s: %d cancels", created, cancels)
		}
	}
}
