package iyzico_test

import (
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/iyzico"
)

// TestEveryStatusOfAForm holds each word of the documentation to its state.
func TestEveryStatusOfAForm(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]gateway.State{
		"SUCCESS/1": gateway.Paid, "SUCCESS/0": gateway.Review, "SUCCESS/-1": gateway.Failed, "FAILURE/": gateway.Failed,
		"INIT_THREEDS/": gateway.Processing, "CALLBACK_THREEDS/": gateway.Processing, "CALLBACK_PECCO/": gateway.Processing, "PENDING_CREDIT/": gateway.Processing,
		"INIT_BANK_TRANSFER/": gateway.Waiting, "INIT_CREDIT/": gateway.Waiting, "INIT_APM/": gateway.Waiting,
		"INIT_CONTACTLESS/": gateway.Waiting, "BKM_POS_SELECTED/": gateway.Waiting,
		"SUCCESS/": gateway.Unknown, "SUCCESS/7": gateway.Unknown, "SUCCEEDED/1": gateway.Unknown, "FAILED/": gateway.Unknown,
		"success/1": gateway.Unknown,
	} {
		s := newShop(t)
		k := s.started("CC1", "125.50")
		status, fraud, _ := strings.Cut(raw, "/")
		s.form("CC1", func(f *form) {
			s.bank.add(f, status, fraud, "")
			f.failsPlain = true
		})
		o := s.read(k)
		if o.State != want || !strings.HasPrefix(raw, o.Raw) && raw != o.Raw+"/" {
			t.Errorf("%s: %s with raw %q, want %s", raw, o.State, o.Raw, want)
		}
		isMoney := want == gateway.Paid || want == gateway.Review
		if isMoney && (o.Paid == nil || *o.Paid != conformance.Lira("125.5")) || o.Paid != nil && status != "SUCCESS" {
			t.Errorf("%s: Paid is %v", raw, o.Paid)
		}
	}
}

// TestEveryTestCard is iyzico's table of test cards, each on a form of its own.
func TestEveryTestCard(t *testing.T) {
	t.Parallel()
	paid := gateway.ReasonCode("")
	for card, want := range map[string]gateway.ReasonCode{
		"5528790000000008": paid, "5890040000000016": paid, "9792030000000000": paid, "5406670000000009": paid,
		"4111111111111129": gateway.InsufficientFunds, "4129111111111111": gateway.DoNotHonour,
		"4128111111111112": gateway.Declined, "4127111111111113": gateway.LostOrStolen, "4126111111111114": gateway.LostOrStolen,
		"4125111111111115": gateway.ExpiredCard, "4124111111111116": gateway.WrongCVC, "4123111111111117": gateway.NotPermitted,
		"4122111111111118": gateway.NotPermitted, "4121111111111119": gateway.FraudSuspected,
		"4120111111111110": gateway.LostOrStolen, "4130111111111118": gateway.Declined, "4131111111111117": paid,
		"4141111111111115": paid, "4151111111111112": gateway.Declined,
	} {
		for _, isPlain := range []bool{false, true} {
			s := newShop(t)
			k := s.started("CC1", "22")
			s.form("CC1", func(f *form) { f.failsPlain = isPlain })
			s.bank.pay(k.External.Alt["token"], card)
			o := s.read(k)
			switch {
			case want == paid && (o.State != gateway.Paid || o.Reason != nil):
				t.Errorf("%s: %s, %+v", card, o.State, o.Reason)
			case want != paid && (o.State != gateway.Failed || !o.CanStillPay || o.Reason == nil || o.Reason.Code != want):
				t.Errorf("%s: %s, %v, %+v, want %s", card, o.State, o.CanStillPay, o.Reason, want)
			case want != paid && o.Reason.RawCode != cards[card].code:
				t.Errorf("%s: raw code %q", card, o.Reason.RawCode)
			}
		}
	}
	if len(cards) != 19 {
		t.Errorf("the bank knows %d test cards", len(cards))
	}
}

// TestARefusedCardIsNotTheEndOfTheForm: FAILURE, then SUCCESS on the same form.
func TestARefusedCardIsNotTheEndOfTheForm(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k := s.started("CC1", "22")
	token := k.External.Alt["token"]
	if o := s.read(k); o.State != gateway.Waiting {
		t.Errorf("before any card: %s", o.State)
	}
	s.bank.pay(token, "4111111111111129")
	if o := s.read(k); o.State != gateway.Failed || !o.CanStillPay {
		t.Errorf("after a refused card: %s, can still pay %v", o.State, o.CanStillPay)
	}
	s.Clock.Advance(29 * time.Minute)
	s.bank.pay(token, goodCard)
	if o := s.read(k); o.State != gateway.Paid || *o.Paid != conformance.Lira("22") || o.External.Alt["payment_id"] == "" {
		t.Errorf("after a good one: %+v", o)
	}
}

func TestARefusedCardIsTheEndWhenTheFormEnds(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	refused, untouched := s.started("CC1", "22"), s.started("CC2", "22")
	s.bank.pay(refused.External.Alt["token"], "4111111111111129")
	s.Clock.Advance(30*time.Minute - time.Second)
	if o := s.read(refused); !o.CanStillPay {
		t.Error("a second before tokenExpireTime the form is closed")
	}
	if o := s.read(untouched); o.State != gateway.Waiting {
		t.Errorf("a second before tokenExpireTime: %s", o.State)
	}
	s.Clock.Advance(time.Second)
	if o := s.read(refused); o.State != gateway.Failed || o.CanStillPay {
		t.Errorf("at tokenExpireTime: %s, can still pay %v", o.State, o.CanStillPay)
	}
	if o := s.read(untouched); o.State != gateway.Expired {
		t.Errorf("at tokenExpireTime, with no card: %s", o.State)
	}
}

func TestWhatReallyArrivedIsTold(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k := s.paid("CC1", "100")
	for paid, currency := range map[string]string{"100": "TRY", "99.99": "TRY", "112.5": "TRY", "100.00": "USD", "0.01": "EUR"} {
		s.form("CC1", func(f *form) { f.last().paid, f.last().currency = money.MustDecimal(paid), currency })
		o := s.read(k)
		if o.State != gateway.Paid || o.Paid.Amount != money.MustDecimal(paid) || o.Paid.Asset.Code != currency {
			t.Errorf("%s %s is reported as %s", paid, currency, o.Paid)
		}
		if o.Paid.IsSameAsset(k.Due) != (currency == "TRY") {
			t.Errorf("%s is taken for lira", currency)
		}
	}
}

// TestAnAnswerThatIsNotToBeBelievedMovesNoMoney: it is an error, whatever it says.
func TestAnAnswerThatIsNotToBeBelievedMovesNoMoney(t *testing.T) {
	t.Parallel()
	const token = "077aff05-1e9b-44aa-aa11-000000000001"
	paid := func(ref, amount, token string) string {
		return `"paymentStatus":"SUCCESS","fraudStatus":1,"paymentId":"9","currency":"TRY","basketId":"` + ref +
			`","conversationId":"CC1","paidPrice":` + amount + `,"price":22.0,"token":"` + token + `"`
	}
	s := newShop(t)
	k := s.started("CC1", "22")
	for name, body := range map[string]string{
		"a wrong signature":  s.signedBody(paid("CC1", "22.0", token), "SUCCESS", "9", "TRY", "CC1", "CC1", "21", "22", token),
		"no signature":       `{"status":"success",` + paid("CC1", "22.0", token) + `}`,
		"an empty signature": `{"status":"success","signature":"",` + paid("CC1", "22.0", token) + `}`,
		"zeros that JavaScript drops": s.signedBody(paid("CC1", "22.0", token), "SUCCESS", "9", "TRY", "CC1", "CC1", "22.0",
			"22.0", token),
		"another order of fields": s.signedBody(paid("CC1", "22.0", token), token, "SUCCESS", "9", "TRY", "CC1", "CC1", "22", "22"),
		"another order": s.signedBody(paid("CC2", "22.0", token), "SUCCESS", "9", "TRY", "CC2", "CC1", "22", "22",
			token),
		"another form": s.signedBody(paid("CC1", "22.0", "other"), "SUCCESS", "9", "TRY", "CC1", "CC1", "22", "22", "other"),
	} {
		s.Answer("POST", pathForm, 200, body)
		if o, err := s.ReadDeposit(t.Context(), k); !conformance.IsFailure(err, gateway.Misconfigured, gateway.EffectUnknown) {
			t.Errorf("%s: %s, %v", name, o.State, err)
		}
	}
	right := s.signedBody(paid("CC1", "22.0", token), "SUCCESS", "9", "TRY", "CC1", "CC1", "22", "22", token)
	s.Answer("POST", pathForm, 200, right)
	if o := s.read(k); o.State != gateway.Paid {
		t.Errorf("the same with a right signature: %s", o.State)
	}
	s.Answer("POST", pathForm, 200, strings.Replace(right, "22.0", "-22.0", 1))
	if _, err := s.ReadDeposit(t.Context(), k); err == nil {
		t.Error("a negative amount was taken")
	}
}

// TestASuccessWithAFailureInItIsNoPayment: HTTP 200 with status failure.
func TestASuccessWithAFailureInItIsNoPayment(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k := s.started("CC1", "22")
	s.Answer("POST", pathForm, 200, `{"status":"failure","errorCode":"10051","errorMessage":"no","paymentStatus":"SUCCESS",`+
		`"fraudStatus":1,"paymentId":"9","paidPrice":22.0,"price":22.0,"currency":"TRY","basketId":"CC1"}`)
	if o := s.read(k); o.State != gateway.Failed || o.Paid != nil || o.Reason.Code != gateway.InsufficientFunds {
		t.Errorf("a failure that says SUCCESS is %s, %v", o.State, o.Paid)
	}
	s.Answer("POST", pathForm, 200, `{"status":"failure","errorCode":"4711","errorMessage":"new","paymentStatus":"FAILURE"}`)
	if o := s.read(k); o.State != gateway.Failed || o.Reason.Code != gateway.Declined || o.Reason.RawCode != "4711" {
		t.Errorf("a decline of an unlisted code is %s, %+v", o.State, o.Reason)
	}
	s.Answer("POST", pathForm, 200, `{"status":"failure","errorCode":"4711","errorMessage":"new"}`)
	if o := s.read(k); o.State != gateway.Waiting {
		t.Errorf("an unlisted failure that nobody calls a decline is %s", o.State)
	}
}

func TestMoneyIsFoundByOurReferenceAlone(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]gateway.State{
		"SUCCESS/1": gateway.Paid, "SUCCESS/0": gateway.Review, "SUCCESS/-1": gateway.Failed, "FAILURE/": gateway.Waiting,
		"INIT_THREEDS/": gateway.Waiting, "CALLBACK_THREEDS/": gateway.Processing, "HAIL/": gateway.Unknown,
		"SUCCESS/": gateway.Unknown,
	} {
		s := newShop(t)
		k := s.started("CC1", "22")
		status, fraud, _ := strings.Cut(raw, "/")
		s.form("CC1", func(f *form) {
			s.bank.add(f, "FAILURE", "", "10051")
			s.bank.add(f, status, fraud, "").at = conformance.Opening.Add(time.Second)
		})
		k.External = gateway.ExternalRef{}
		o := s.read(k)
		if o.State != want || (o.Paid != nil) != (status == "SUCCESS" && want != gateway.Failed) || !o.At.Equal(conformance.Opening.Add(time.Second)) {
			t.Errorf("%s: %s, %v, at %s, want %s", raw, o.State, o.Paid, o.At, want)
		}
		if o.Paid != nil && *o.Paid != conformance.Lira("22") {
			t.Errorf("%s: Paid is %s", raw, o.Paid)
		}
	}
}

// TestAStartWhoseAnswerWasLost: nobody has the address of its page, so that nobody can have paid it.
func TestAStartWhoseAnswerWasLost(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.Lose("POST", pathStart)
	if _, err := s.StartDeposit(t.Context(), order("CC1", "22")); gateway.HasNoEffect(err) || err == nil {
		t.Fatalf("a lost answer: %v", err)
	}
	k := gateway.DepositKey{Ref: "CC1", Due: conformance.Lira("22")}
	if _, err := s.ReadDeposit(t.Context(), k); !gateway.IsClass(err, gateway.NotFound) {
		t.Errorf("an open form without a payment: %v", err)
	}
	s.bank.pay(s.bank.forms[0].token, goodCard) // who guessed the token
	if o := s.read(k); o.State != gateway.Paid {
		t.Errorf("once it is paid it is found: %s", o.State)
	}
}

func TestATryThatLedNowhereEndsWithItsForm(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k := s.started("CC1", "22")
	s.bank.pay(k.External.Alt["token"], "4111111111111129")
	k.External = gateway.ExternalRef{}
	s.Clock.Advance(4 * time.Hour)
	if o := s.read(k); o.State != gateway.Waiting {
		t.Errorf("after four hours: %s", o.State)
	}
	s.Clock.Advance(time.Second)
	if o := s.read(k); o.State != gateway.Failed || o.CanStillPay || o.Reason == nil {
		t.Errorf("after more than four hours: %s", o.State)
	}
}

func TestATokenThatIyzicoForgotIsLookedForByReference(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k := s.paid("CC1", "22")
	k.External.Alt["token"] = "gone"
	if o := s.read(k); o.State != gateway.Paid {
		t.Errorf("a paid one: %s", o.State)
	}
	s.form("CC1", func(f *form) { f.isGone = true })
	if o := s.read(k); o.State != gateway.Waiting { // no source tells it from one on which no card was tried
		t.Errorf("one that is gone: %s", o.State)
	}
	s.Clock.Advance(30 * time.Minute)
	if o := s.read(k); o.State != gateway.Expired {
		t.Errorf("one that is gone, after its end: %s", o.State)
	}
}

// TestAFormOnWhichNoCardWasTriedWaits, whichever code the failure has: no source names it. An answer that says success
// without a status, as the one before, is taken, too.
func TestAFormOnWhichNoCardWasTriedWaits(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]map[string]any{
		"an unlisted code": failed("5211", "not completed"), "an invalid request": failed("11", "Geçersiz istek"),
		"no record": failed("5087", "no record"), "no code": {"status": "failure", "errorMessage": "not completed"},
		"a success": {"status": "success"},
	} {
		s := newShop(t)
		k := s.started("CC1", "22")
		s.bank.silence = answer
		if o := s.read(k); o.State != gateway.Waiting || o.Paid != nil {
			t.Errorf("%s: %s", name, o.State)
		}
		s.Clock.Advance(30 * time.Minute)
		if o := s.read(k); o.State != gateway.Expired {
			t.Errorf("%s, after the end: %s", name, o.State)
		}
		s.Answer("GET", pathDetails, 200, `{"status":"failure","errorCode":"1"}`)
		if name == "a success" {
			continue
		}
		if _, err := s.ReadDeposit(t.Context(), k); !gateway.IsClass(err, gateway.Retryable) {
			t.Errorf("%s, where the report can't be read: %v", name, err)
		}
	}
}

func TestTheReturnAsksAndDoesNotBelieve(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	mine, other := s.started("CC1", "22"), s.paid("CC2", "22")
	in, _ := s.bank.comeBack("CC2")
	in.Query = "status=success&paymentStatus=SUCCESS"
	visit := gateway.ReturnVisit{DepositKey: mine, Amount: mine.Due, Request: in}
	if o, err := s.FinishReturn(t.Context(), visit); err != nil || o.State != gateway.Waiting {
		t.Errorf("another order's token: %s, %v", o.State, err)
	}
	visit.External = gateway.ExternalRef{} // our start had an unknown outcome
	if o, err := s.FinishReturn(t.Context(), visit); !conformance.IsFailure(err, gateway.NotFound, gateway.EffectNone) {
		t.Errorf("another order's token, where ours is not known: %s, %v", o.State, err)
	}
	visit.DepositKey = gateway.DepositKey{Ref: other.Ref, Due: other.Due}
	if o, err := s.FinishReturn(t.Context(), visit); err != nil || o.State != gateway.Paid || o.External.Alt["token"] == "" {
		t.Errorf("its own token, where ours is not known: %s, %v", o.State, err)
	}
}

func TestAPaymentThatIsNewsDoesNotWaitForTheReport(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k := s.paid("CC1", "22")
	for _, body := range []string{`{"status":"success","payments":[]}`, `<html>`, `{"status":"failure","errorCode":"1"}`} {
		s.Answer("GET", pathDetails, 200, body)
		if o := s.read(k); o.State != gateway.Paid {
			t.Errorf("with the report %s: %s", body, o.State)
		}
	}
	k.External.Alt["payment_id"] = "25149157" // it was seen before: now the report matters
	if _, err := s.ReadDeposit(t.Context(), k); !gateway.IsClass(err, gateway.Retryable) {
		t.Errorf("a known payment without its report: %v", err)
	}
}

func TestWhatWasGivenBackIsTold(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change   func(p *try)
		state    gateway.State
		refunded string
	}{
		"nothing": {func(*try) {}, gateway.Paid, ""},
		"a part":  {func(p *try) { p.refunds = []back{{"R1", money.MustDecimal("5"), "1"}} }, gateway.PartRefunded, "5"},
		"two parts": {func(p *try) {
			p.refunds = []back{{"R1", money.MustDecimal("5"), "1"}, {"R2", money.MustDecimal("7"), "1"}}
		}, gateway.PartRefunded, "12"},
		"all":             {func(p *try) { p.refunds = []back{{"R1", money.MustDecimal("22"), "1"}} }, gateway.Refunded, "22"},
		"all by a cancel": {func(p *try) { p.cancels = []back{{"R1", money.MustDecimal("22"), "1"}} }, gateway.Refunded, "22"},
	} {
		s := newShop(t)
		k := s.paid("CC1", "22")
		s.form("CC1", func(f *form) { tt.change(f.last()) })
		blind := k
		blind.External = gateway.ExternalRef{}
		for _, key := range []gateway.DepositKey{k, blind} {
			o := s.read(key)
			if o.State != tt.state || (o.Refunded == nil) != (tt.refunded == "") || o.Refunded != nil && *o.Refunded != conformance.Lira(tt.refunded) {
				t.Errorf("%s: %s, %v, want %s", name, o.State, o.Refunded, tt.state)
			}
		}
	}
	s := newShop(t)
	k := s.paid("CC1", "22")
	s.Answer("GET", pathDetails, 200, `{"status":"success","payments":[{"paymentId":1,"paymentStatus":1,"fraudStatus":1,"paidPrice":22,`+
		`"currency":"TRY","basketId":"CC1","paymentRefundStatus":"EVAPORATED"}]}`)
	if o := s.read(k); o.State != gateway.Unknown {
		t.Errorf("an unlisted refund status: %s", o.State)
	}
}

func TestAReportAboutAnotherOrderIsNotOurs(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.Answer("GET", pathDetails, 200, `{"status":"success","payments":[{"paymentId":1,"paymentStatus":1,"fraudStatus":1,"paidPrice":22,`+
		`"currency":"TRY","basketId":"CC2","paymentConversationId":"CC2"}]}`)
	k := gateway.DepositKey{Ref: "CC1", Due: conformance.Lira("22")}
	if o, err := s.ReadDeposit(t.Context(), k); !gateway.IsClass(err, gateway.NotFound) {
		t.Errorf("%s, %v", o.State, err)
	}
	if _, err := s.Refund(t.Context(), refundOf(k, "RF1", "22")); !conformance.IsFailure(err, gateway.NotFound, gateway.EffectNone) {
		t.Errorf("Refund: %v", err)
	}
}

// TestTheTablesAreTheDocuments guards the size of the tables, so that no row is added without a test.
func TestTheTablesAreTheDocuments(t *testing.T) {
	t.Parallel()
	for name, sizes := range map[string][2]int{
		"form": {len(iyzico.FormStates), 14}, "reporting": {len(iyzico.ReportedStates), 5},
		"listing": {len(iyzico.ListedStates), 4}, "refund": {len(iyzico.RefundStates), 4},
	} {
		if sizes[0] != sizes[1] {
			t.Errorf("the %s table has %d rows, want %d", name, sizes[0], sizes[1])
		}
	}
}
