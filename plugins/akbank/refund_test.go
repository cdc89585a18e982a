package akbank_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
)

// txnOf is what a request asks for.
func txnOf(r gateway.Request) string {
	var c call
	_ = json.Unmarshal(r.Body, &c)
	return c.Txn
}

// meets has the bank's answers to a kind of request replaced from now on. Carry has the bank act before.
func (s *shop) meets(txn string, carry bool, answer gateway.Response, err error) {
	s.Between(func(r gateway.Request, send func() (gateway.Response, error)) (gateway.Response, error) {
		if txnOf(r) != txn {
			return send()
		}
		if carry {
			_, _ = send()
		}
		return answer, err
	})
}

// TestAWholeOfTheDayIsVoided, and given back later; a part is given back always.
func TestAWholeOfTheDayIsVoided(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		amount      string
		wait        time.Duration
		void, given int
	}{
		"whole, same day":             {"125.50", time.Minute, 1, 0},
		"whole, just before midnight": {"125.50", 12*time.Hour - time.Second, 1, 0}, // the tests begin at noon in Istanbul
		"whole, just after midnight":  {"125.50", 12 * time.Hour, 0, 1},
		"a part, same day":            {"25.10", time.Minute, 0, 1},
	} {
		s := newShop(t)
		k, o := s.paid("R1", "125.50")
		s.Clock.Advance(c.wait)
		order := refundOf(k, "B1", c.amount)
		r, err := s.Refund(t.Context(), order)
		if err != nil || r.State != gateway.RefundDone || s.done("1003") != c.void || s.done("1002") != c.given {
			t.Errorf("%s: %+v %v, %d voids and %d refunds", what, r, err, s.done("1003"), s.done("1002"))
		}
		read, err := s.ReadRefund(t.Context(), refundKeyOf(order, r))
		if err != nil || read.State != gateway.RefundDone || *read.Amount != conformance.Lira(c.amount) {
			t.Errorf("%s reads as %+v %v", what, read, err)
		}
		if _, err := s.Refund(t.Context(), refundOf(k, "B2", "125.50")); !conformance.IsFailure(err, gateway.Invalid, gateway.EffectNone) {
			t.Errorf("%s, and once more: %v, %+v", what, err, o)
		}
	}
	s := newShop(t)
	k, o := s.paid("R0", "125.50")
	o.lines[0].kurus = 10000
	s.bank.charge(o, "N", "VPS-0000").kurus = 2550
	if _, err := s.Refund(t.Context(), refundOf(k, "B0", "125.50")); err != nil || s.done("1003") != 0 {
		t.Errorf("all of two: %v, %d voids", err, s.done("1003"))
	}
	s = newShop(t)
	k, o = s.paid("R1", "125.50")
	s.bank.charge(o, "N", "VPS-0000") // in another window: a void would undo who knows which
	if _, err := s.Refund(t.Context(), refundOf(k, "B1", "125.50")); err != nil || s.done("1003") != 0 || s.done("1002") != 1 {
		t.Errorf("one of two: %v, %d voids", err, s.done("1003"))
	}
	if got := s.read(k); got.State != gateway.PartRefunded || *got.Refunded != conformance.Lira("125.50") {
		t.Errorf("%+v", got)
	}
}

// TestAVoidOfUnknownOutcomeIsNotFollowedByARefund: the money would move twice.
func TestAVoidOfUnknownOutcomeIsNotFollowedByARefund(t *testing.T) {
	t.Parallel()
	refused := func(code string) gateway.Response {
		return gateway.Response{Status: 200, Body: []byte(`{"txnCode":"1003","responseCode":"` + code + `","responseMessage":"x","order":{"orderId":"R1"}}`)}
	}
	lost := &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectUnknown}
	for what, c := range map[string]struct {
		answer gateway.Response
		err    error
		class  gateway.Class
	}{
		"no answer":               {err: lost, class: gateway.Retryable},
		"a code that no list has": {answer: refused("VPS-9999"), class: gateway.Retryable},
		"voided before":           {answer: refused("VPS-1008"), class: gateway.Conflicting},
		"half an answer":          {answer: gateway.Response{Status: 200, Body: []byte(`{"txnC`)}, class: gateway.Retryable},
		"an error with a code":    {answer: gateway.Response{Status: 502, Body: []byte(`{"code":"401"}`)}, class: gateway.Retryable},
		"an error":                {answer: gateway.Response{Status: 500, Body: []byte(`{"responseCode":"VPS-1007"}`)}, class: gateway.Retryable},
		"another order's refusal": {answer: gateway.Response{Status: 200, Body: []byte(`{"responseCode":"VPS-1007","order":{"orderId":"R2"}}`)}, class: gateway.Retryable},
	} {
		s := newShop(t)
		k, _ := s.paid("R1", "125.50")
		s.meets("1003", true, c.answer, c.err)
		order := refundOf(k, "B1", "125.50")
		_, err := s.Refund(t.Context(), order)
		if !conformance.IsFailure(err, c.class, gateway.EffectUnknown) || s.done("1002") != 0 {
			t.Errorf("%s: %v, %d refunds", what, err, s.done("1002"))
		}
		s.Between(nil)
		if r, err := s.ReadRefund(t.Context(), refundKeyOf(order, gateway.RefundReport{})); err != nil || r.State != gateway.RefundDone {
			t.Errorf("%s reads as %+v %v", what, r, err)
		}
	}
	s := newShop(t)
	s.bank.voidCode = "VPS-1007"
	k, _ := s.paid("R1", "125.50")
	r, err := s.Refund(t.Context(), refundOf(k, "B1", "125.50"))
	if err != nil || r.State != gateway.RefundDone || s.done("1003") != 1 || s.done("1002") != 1 {
		t.Errorf("nothing to void: %+v %v", r, err)
	}
}

// TestARefundWhoseAnswerWasLost is known only where nothing, or exactly the whole, was given back.
func TestARefundWhoseAnswerWasLost(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		amount string
		want   gateway.RefundState
	}{"the whole": {"125.50", gateway.RefundDone}, "a part": {"25.10", gateway.RefundUnknown}} {
		s := newShop(t)
		k, _ := s.paid("R1", "125.50")
		s.Clock.Advance(24 * time.Hour)
		order := refundOf(k, "B1", c.amount)
		key := refundKeyOf(order, gateway.RefundReport{})
		if _, err := s.ReadRefund(t.Context(), key); !conformance.IsFailure(err, gateway.NotFound, gateway.EffectNone) {
			t.Errorf("%s before: %v", what, err)
		}
		s.meets("1002", true, gateway.Response{}, &gateway.Error{Class: gateway.Retryable})
		if _, err := s.Refund(t.Context(), order); !conformance.IsFailure(err, gateway.Retryable, gateway.EffectUnknown) {
			t.Fatal(err)
		}
		s.Between(nil)
		if r, err := s.ReadRefund(t.Context(), key); err != nil || r.State != c.want {
			t.Errorf("%s reads as %+v %v", what, r, err)
		}
	}
}

// TestARefundIsReadByItsOwnNumber.
func TestARefundIsReadByItsOwnNumber(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k, o := s.paid("R1", "125.50")
	first, second := refundOf(k, "B1", "25.10"), refundOf(k, "B2", "100.40")
	one, err1 := s.Refund(t.Context(), first)
	two, err2 := s.Refund(t.Context(), second)
	if err1 != nil || err2 != nil || one.External.ID == two.External.ID {
		t.Fatal(err1, err2, one, two)
	}
	reads := func(o gateway.RefundOrder, r gateway.RefundReport) gateway.RefundState {
		t.Helper()
		got, err := s.ReadRefund(t.Context(), refundKeyOf(o, r))
		if err != nil {
			t.Fatal(err)
		}
		return got.State
	}
	if reads(first, one) != gateway.RefundDone || reads(second, two) != gateway.RefundDone {
		t.Error("two refunds that were done do not read so")
	}
	other := first
	other.Amount = conformance.Lira("25")
	if r, err := s.ReadRefund(t.Context(), refundKeyOf(other, one)); !conformance.IsFailure(err, gateway.Retryable, gateway.EffectUnknown) {
		t.Errorf("of another amount: %+v %v", r, err)
	}
	o.lines[1].code = "VPS-1005"
	if reads(first, one) != gateway.RefundFailed || reads(second, two) != gateway.RefundDone {
		t.Error("one that failed does not read so")
	}
	o.lines[1].status = "S"
	if reads(first, one) != gateway.RefundUnknown {
		t.Error("a suspicious one is not unknown")
	}
}

// TestARefundThatShowsUnderNoNumber: no source records how a refund shows, so that the order's own mark must do.
func TestARefundThatShowsUnderNoNumber(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.bank.isPlain = true
	k, o := s.paid("R1", "125.50")
	s.Clock.Advance(24 * time.Hour)
	order := refundOf(k, "B1", "125.50")
	r, err := s.Refund(t.Context(), order)
	if err != nil || len(o.lines) != 1 {
		t.Fatalf("%+v %v", r, err)
	}
	if read, err := s.ReadRefund(t.Context(), refundKeyOf(order, r)); err != nil || read.State != gateway.RefundDone {
		t.Errorf("%+v %v", read, err)
	}
	o.lines[0].status = "N" // and where nothing shows at all
	if read, err := s.ReadRefund(t.Context(), refundKeyOf(order, r)); err != nil || read.State != gateway.RefundUnknown {
		t.Errorf("%+v %v", read, err)
	}
}

// TestALostRefundIsNotFoundInWhatOthersDid: who gave back what shows is not known.
func TestALostRefundIsNotFoundInWhatOthersDid(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		amount string
		back   int64
		more   *line
	}{
		"the whole, and a part was":  {"125.50", 2510, nil},
		"a part, and the whole was":  {"25.10", 12550, nil},
		"a part, beside a suspicion": {"25.10", 0, &line{txn: "1000", status: "S", id: "R1", currency: 949}},
	} {
		s := newShop(t)
		k, o := s.paid("R1", "125.50")
		if o.lines = append(o.lines, s.bank.line("1002", "N", "VPS-0000", c.back)); c.more != nil {
			o.lines[1] = c.more
		}
		r, err := s.ReadRefund(t.Context(), refundKeyOf(refundOf(k, "B1", c.amount), gateway.RefundReport{}))
		if err != nil || r.State != gateway.RefundUnknown {
			t.Errorf("%s: %+v %v", what, r, err)
		}
	}
	s := newShop(t)
	dollars, paid := s.paid("R2", "125.50")
	paid.lines[0].currency, paid.lines[0].status = 840, "V"
	if r, err := s.ReadRefund(t.Context(), refundKeyOf(refundOf(dollars, "B2", "125.50"), gateway.RefundReport{})); err != nil || r.State != gateway.RefundUnknown {
		t.Errorf("of dollars: %+v %v", r, err)
	}
	both, voided := s.paid("R3", "125.50")
	voided.lines[0].status = "V"
	voided.lines = append(voided.lines, s.bank.line("1002", "N", "VPS-0000", 12550))
	if r, err := s.ReadRefund(t.Context(), refundKeyOf(refundOf(both, "B3", "125.50"), gateway.RefundReport{})); err != nil || r.State != gateway.RefundUnknown {
		t.Errorf("voided and given back: %+v %v", r, err)
	}
	k, o := s.paid("R1", "125.50")
	order := refundOf(k, "B1", "25.10")
	r, err := s.Refund(t.Context(), order)
	o.lines[0].rrn, o.lines[1].rrn = r.External.ID, "410000000000" // the number of the sale, as a capture has it
	if read, errRead := s.ReadRefund(t.Context(), refundKeyOf(order, r)); err != nil || errRead != nil || read.State != gateway.RefundDone {
		t.Errorf("under the sale's number: %+v %v %v", read, err, errRead)
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
	declined, bad := s.started("R3", "125.50")
	s.bank.charge(bad, "N", "VPS-1005")
	for what, order := range map[string]gateway.RefundOrder{
		"of what was not paid": refundOf(unpaid, "B1", "125.50"), "of more than is left": refundOf(k, "B2", "100.01"),
		"of less than a kuruş": refundOf(k, "B3", "0.001"), "without a reference": refundOf(k, "", "1"), "of a decline": refundOf(declined, "B4", "1"),
	} {
		if _, err := s.Refund(t.Context(), order); !conformance.IsFailure(err, gateway.Invalid, gateway.EffectNone) {
			t.Errorf("%s: %v", what, err)
		}
	}
	o.lines[0].status = "S"
	if _, err := s.Refund(t.Context(), refundOf(k, "B5", "1")); !conformance.IsFailure(err, gateway.Conflicting, gateway.EffectNone) {
		t.Errorf("of what nobody knows: %v", err)
	}
	doubtful, two := s.paid("R5", "125.50")
	s.bank.charge(two, "S", "")
	if _, err := s.Refund(t.Context(), refundOf(doubtful, "B7", "1")); !conformance.IsFailure(err, gateway.Conflicting, gateway.EffectNone) {
		t.Errorf("beside what nobody knows: %v", err)
	}
	dollars, paid := s.paid("R4", "1.00")
	paid.lines[0].currency = 840
	if _, err := s.Refund(t.Context(), refundOf(dollars, "B6", "1.00")); !conformance.IsFailure(err, gateway.Conflicting, gateway.EffectNone) {
		t.Errorf("of dollars: %v", err)
	}
	if s.done("1002") != 1 || s.done("1003") != 0 {
		t.Errorf("%d refunds and %d voids were sent", s.done("1002"), s.done("1003"))
	}
}

// TestARefundsAnswerIsAboutItsPayment, and says that it was done.
func TestARefundsAnswerIsAboutItsPayment(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		answer string
		class  gateway.Class
		effect gateway.Effect
	}{
		"another payment":            {`{"txnCode":"1002","responseCode":"VPS-0000","order":{"orderId":"R2"}}`, gateway.Retryable, gateway.EffectUnknown},
		"no payment":                 {`{"txnCode":"1002","responseCode":"VPS-0000"}`, gateway.Retryable, gateway.EffectUnknown},
		"another question":           {`{"txnCode":"1010","responseCode":"VPS-0000","order":{"orderId":"R1"}}`, gateway.Retryable, gateway.EffectUnknown},
		"a host that broke down":     {`{"responseCode":"VPS-1005","hostResponseCode":"96","order":{"orderId":"R1"}}`, gateway.Retryable, gateway.EffectUnknown},
		"a host without a code":      {`{"responseCode":"VPS-1005","order":{"orderId":"R1"}}`, gateway.Retryable, gateway.EffectUnknown},
		"a host that refused":        {`{"responseCode":"VPS-1005","hostResponseCode":"57","order":{"orderId":"R1"}}`, gateway.Refused, gateway.EffectNone},
		"a code of two kinds":        {`{"responseCode":"VPS-9999","code":"401","order":{"orderId":"R1"}}`, gateway.Retryable, gateway.EffectUnknown},
		"wrong keys":                 {`{"code":401,"message":"Unauthorized"}`, gateway.Misconfigured, gateway.EffectNone},
		"no more than a yes":         {`true`, gateway.Retryable, gateway.EffectUnknown},
		"a success beside no number": {`{"responseCode":"VPS-0000","order":{"orderId":"R1"}}`, "", gateway.EffectNone},
	} {
		s := newShop(t)
		k, _ := s.paid("R1", "1.00")
		s.meets("1002", false, gateway.Response{Status: 200, Body: []byte(c.answer)}, nil)
		r, err := s.Refund(t.Context(), refundOf(k, "B1", "0.40"))
		if c.class == "" && (err != nil || r.External.ID == "") || c.class != "" && !conformance.IsFailure(err, c.class, c.effect) {
			t.Errorf("%s: %+v %v", what, r, err)
		}
	}
}
