package garanti_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
)

// TestAWholeOfTheDayIsVoided, and given back later; a part is given back always.
func TestAWholeOfTheDayIsVoided(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		amount      string
		wait        time.Duration
		byLine      bool
		void, given int
	}{
		"whole, same day":             {"125.50", time.Minute, false, 1, 0},
		"whole, same day, as a line":  {"125.50", time.Minute, true, 1, 0},
		"whole, just before midnight": {"125.50", 12*time.Hour - time.Second, false, 1, 0}, // the tests begin at noon in Istanbul
		"whole, just after midnight":  {"125.50", 12 * time.Hour, false, 0, 1},
		"a part, same day":            {"25.10", time.Minute, false, 0, 1},
	} {
		s := newShop(t)
		s.bank.voidsAsLine = c.byLine
		k, _ := s.paid("R1", "125.50")
		s.Clock.Advance(c.wait)
		order := refundOf(k, "B1", c.amount)
		r, err := s.Refund(t.Context(), order)
		if err != nil || r.State != gateway.RefundDone || s.done("void") != c.void || s.done("refund") != c.given {
			t.Errorf("%s: %+v %v, %d voids and %d refunds", what, r, err, s.done("void"), s.done("refund"))
		}
		read, err := s.ReadRefund(t.Context(), refundKeyOf(order, r))
		if err != nil || read.State != gateway.RefundDone || *read.Amount != conformance.Lira(c.amount) {
			t.Errorf("%s reads as %+v %v", what, read, err)
		}
		if _, err := s.Refund(t.Context(), refundOf(k, "B2", "125.50")); !conformance.IsFailure(err, gateway.Invalid, gateway.EffectNone) {
			t.Errorf("%s, and once more: %v", what, err)
		}
	}
}

// TestAVoidOfUnknownOutcomeIsNotFollowedByARefund: the money would move twice.
func TestAVoidOfUnknownOutcomeIsNotFollowedByARefund(t *testing.T) {
	t.Parallel()
	lost := &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectUnknown}
	for what, c := range map[string]struct {
		answer func(b *bank) string
		err    error
	}{
		"no answer":               {func(*bank) string { return "" }, lost},
		"a code that no list has": {func(b *bank) string { return b.refused(refunding("R1"), "7777", "x") }, nil},
		"an unsigned refusal":     {func(b *bank) string { c := refunding("R1"); c.User = "PROVAUT"; return b.refused(c, "0210", "x") }, nil},
		"half an answer":          {func(*bank) string { return "<GVPSRes" }, nil},
		"another order's refusal": {func(b *bank) string { return b.refused(refunding("R2"), "0210", "x") }, nil},
	} {
		s := newShop(t)
		k, _ := s.paid("R1", "125.50")
		s.meets("void", true, c.answer(s.bank), c.err)
		order := refundOf(k, "B1", "125.50")
		_, err := s.Refund(t.Context(), order)
		if !conformance.IsFailure(err, gateway.Retryable, gateway.EffectUnknown) || s.done("refund") != 0 {
			t.Errorf("%s: %v, %d refunds", what, err, s.done("refund"))
		}
		s.Between(nil)
		if r, err := s.ReadRefund(t.Context(), refundKeyOf(order, gateway.RefundReport{})); err != nil || r.State != gateway.RefundDone {
			t.Errorf("%s reads as %+v %v", what, r, err)
		}
	}
	for _, code := range []string{"0201", "0210"} {
		s := newShop(t)
		s.bank.voidCode = code
		k, _ := s.paid("R1", "125.50")
		r, err := s.Refund(t.Context(), refundOf(k, "B1", "125.50"))
		if err != nil || r.State != gateway.RefundDone || s.done("void") != 1 || s.done("refund") != 1 {
			t.Errorf("nothing to void: %+v %v", r, err)
		}
	}
	s := newShop(t)
	s.bank.voidCode = "0652" // no refund follows another refusal
	k, _ := s.paid("R1", "125.50")
	if _, err := s.Refund(t.Context(), refundOf(k, "B1", "125.50")); !conformance.IsFailure(err, gateway.Misconfigured, gateway.EffectNone) || s.done("refund") != 0 {
		t.Errorf("a user who may not: %v", err)
	}
}

// refunding is a call that gives back.
func refunding(ref string) call {
	return call{User: "PROVRFN", Terminal: "30691299", Merchant: "7000679", OrderID: ref}
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
		s.meets("refund", true, "", &gateway.Error{Class: gateway.Retryable})
		if _, err := s.Refund(t.Context(), order); !conformance.IsFailure(err, gateway.Retryable, gateway.EffectUnknown) {
			t.Fatal(err)
		}
		s.Between(nil)
		if r, err := s.ReadRefund(t.Context(), key); err != nil || r.State != c.want {
			t.Errorf("%s reads as %+v %v", what, r, err)
		}
	}
}

// TestALostRefundIsNotFoundInWhatOthersDid: who gave back what shows is not known.
func TestALostRefundIsNotFoundInWhatOthersDid(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		amount string
		more   *line
	}{
		"the whole, and a part was":  {"125.50", &line{kind: "refund", status: "00", code: "00", kurus: 2510, currency: "949"}},
		"a part, and the whole was":  {"25.10", &line{kind: "refund", status: "00", code: "00", kurus: 12550, currency: "949"}},
		"a part, beside a riddle":    {"25.10", &line{kind: "sales", status: "77", currency: "949"}},
		"the whole, in other money":  {"125.50", &line{kind: "refund", status: "00", code: "00", kurus: 12550, currency: "840"}},
		"the whole, voided in parts": {"125.50", &line{kind: "void", status: "00", code: "00", kurus: 2510, currency: "949"}},
	} {
		s := newShop(t)
		k, o := s.paid("R1", "125.50")
		o.lines = append(o.lines, c.more)
		r, err := s.ReadRefund(t.Context(), refundKeyOf(refundOf(k, "B1", c.amount), gateway.RefundReport{}))
		if err != nil || r.State != gateway.RefundUnknown {
			t.Errorf("%s: %+v %v", what, r, err)
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
	o.lines[1].status, o.lines[1].code = "01", "05"
	if reads(first, one) != gateway.RefundFailed || reads(second, two) != gateway.RefundDone {
		t.Error("one that failed does not read so")
	}
	o.lines[1].status = "77"
	if reads(first, one) != gateway.RefundUnknown {
		t.Error("one of a status that nobody knows is not unknown")
	}
	o.lines = o.lines[:1] // and where nothing shows at all
	if reads(second, two) != gateway.RefundUnknown {
		t.Error("one that does not show is not unknown")
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
	s.bank.charge(bad, "01")
	for what, order := range map[string]gateway.RefundOrder{
		"of what was not paid": refundOf(unpaid, "B1", "125.50"), "of more than is left": refundOf(k, "B2", "100.01"),
		"of less than a kuruş": refundOf(k, "B3", "0.001"), "without a reference": refundOf(k, "", "1"), "of a decline": refundOf(declined, "B4", "1"),
	} {
		if _, err := s.Refund(t.Context(), order); !conformance.IsFailure(err, gateway.Invalid, gateway.EffectNone) {
			t.Errorf("%s: %v", what, err)
		}
	}
	twice, two := s.paid("R4", "125.50")
	s.bank.charge(two, "00")
	dollars, foreign := s.paid("R5", "1.00")
	foreign.lines[0].currency = "840"
	nameless, sale := s.paid("R6", "1.00")
	sale.lines[0].number = ""
	o.lines[0].status = "77"
	for what, order := range map[string]gateway.RefundOrder{
		"of what nobody knows": refundOf(k, "B5", "1"), "of one of two": refundOf(twice, "B6", "1"), "of dollars": refundOf(dollars, "B7", "1"),
		"of a sale without a number": refundOf(nameless, "B8", "1"),
	} {
		if _, err := s.Refund(t.Context(), order); !conformance.IsFailure(err, gateway.Conflicting, gateway.EffectNone) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if s.done("refund") != 1 || s.done("void") != 0 {
		t.Errorf("%d refunds and %d voids were sent", s.done("refund"), s.done("void"))
	}
}

// TestARefundsAnswerIsAboutItsPayment, and says that it was done.
func TestARefundsAnswerIsAboutItsPayment(t *testing.T) {
	t.Parallel()
	reply := func(ref, code, reason, number, inOrder string) func(*bank) string {
		return func(b *bank) string { return b.reply(refunding(ref), "HOST", code, reason, "x", number, inOrder) }
	}
	for what, c := range map[string]struct {
		answer func(*bank) string
		class  gateway.Class
		effect gateway.Effect
	}{
		"another payment":          {reply("R2", "00", "00", "1", ""), gateway.Retryable, gateway.EffectUnknown},
		"another question":         {reply("R1", "00", "", "", "<OrderHistInqResult></OrderHistInqResult>"), gateway.Retryable, gateway.EffectUnknown},
		"a host that broke down":   {reply("R1", "96", "96", "", ""), gateway.Retryable, gateway.EffectUnknown},
		"a host that refused":      {reply("R1", "05", "05", "1", ""), gateway.Refused, gateway.EffectNone},
		"too much":                 {reply("R1", "92", "0214", "", ""), gateway.Invalid, gateway.EffectNone},
		"no such sale":             {reply("R1", "92", "0208", "", ""), gateway.Invalid, gateway.EffectNone},
		"a user who may not":       {reply("R1", "92", "0652", "", ""), gateway.Misconfigured, gateway.EffectNone},
		"nothing":                  {func(*bank) string { return "" }, gateway.Retryable, gateway.EffectUnknown},
		"a success without number": {reply("R1", "00", "00", "", ""), "", gateway.EffectNone},
	} {
		s := newShop(t)
		k, _ := s.paid("R1", "1.00")
		s.meets("refund", false, c.answer(s.bank), nil)
		r, err := s.Refund(t.Context(), refundOf(k, "B1", "0.40"))
		if c.class == "" && (err != nil || r.External.ID == "") || c.class != "" && !conformance.IsFailure(err, c.class, c.effect) {
			t.Errorf("%s: %+v %v", what, r, err)
		}
	}
}
