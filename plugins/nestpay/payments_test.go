package nestpay_test

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/nestpay"
	"github.com/vezne/vezne/ports"
)

// shop is a gateway on a bank of its own.
type shop struct {
	*conformance.Shop
	*nestpay.Gateway
	t    *testing.T
	bank *bank
}

func newShop(t *testing.T, changes ...string) *shop {
	t.Helper()
	s := conformance.Open(t, conformance.Subject{
		Plugin: nestpay.Plugin(), Environment: gateway.Production, Config: settings(), NewFake: newFake,
	}, changes...)
	return &shop{Shop: s, Gateway: s.Gateway.(*nestpay.Gateway), t: t, bank: s.Fake.Handler.(*bank)}
}

func orderOf(ref, amount string) gateway.DepositOrder {
	return gateway.DepositOrder{
		Ref: gateway.Ref(ref), Key: gateway.Key("key-" + ref), Amount: conformance.Lira(amount), Kind: gateway.Card, Locale: "tr",
		ReturnURL: &url.URL{Scheme: "https", Host: "pay.example.com", Path: "/return/9f8c2d7be1a04c55"},
		NotifyURL: &url.URL{Scheme: "https", Host: "pay.example.com", Path: "/hook/3ad1c0ffee"},
	}
}

// started starts a deposit and has the customer post its form.
func (s *shop) started(ref, amount string) (gateway.DepositKey, *order) {
	s.t.Helper()
	got, err := s.StartDeposit(s.t.Context(), orderOf(ref, amount))
	if err != nil {
		s.t.Fatal(err)
	}
	if problem := s.bank.post(string(encode(fieldsOf(got.Next.Form)))); problem != "" {
		s.t.Fatal(problem)
	}
	return gateway.DepositKey{Ref: gateway.Ref(ref), External: got.External, Due: conformance.Lira(amount)}, s.bank.byOID(ref)
}

func fieldsOf(f *gateway.FormPost) map[string]string {
	fields := map[string]string{}
	for _, field := range f.Fields {
		fields[field[0]] = field[1]
	}
	return fields
}

func (s *shop) read(k gateway.DepositKey) gateway.Observation {
	s.t.Helper()
	o, err := s.ReadDeposit(s.t.Context(), k)
	if err != nil {
		s.t.Fatal(err)
	}
	return o
}

func (s *shop) returned(k gateway.DepositKey, fields map[string]string) gateway.Observation {
	s.t.Helper()
	o, err := s.FinishReturn(s.t.Context(), gateway.ReturnVisit{DepositKey: k, Amount: k.Due, Request: s.bank.inbound(fields)})
	if err != nil {
		s.t.Fatal(err)
	}
	return o
}

func refundOf(k gateway.DepositKey, ref, amount string, isWhole bool) gateway.RefundOrder {
	return gateway.RefundOrder{
		DepositKey: k, RefundRef: gateway.Ref(ref), Key: gateway.Key("key-" + ref), Amount: conformance.Lira(amount), IsWhole: isWhole,
	}
}

// TestACustomerCannotChangeTheForm: its hash covers every field that says how much, of what, for whom.
func TestACustomerCannotChangeTheForm(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	got, err := s.StartDeposit(t.Context(), orderOf("R1", "125.50"))
	if err != nil {
		t.Fatal(err)
	}
	right := fieldsOf(got.Next.Form)
	for name := range right {
		if name == "encoding" {
			continue
		}
		wrong := maps.Clone(right)
		wrong[name] += "1"
		if s.bank.post(string(encode(wrong))) == "" {
			t.Errorf("the bank takes a form whose %s was changed", name)
		}
	}
	for _, name := range []string{"pan", "cv2", "Ecom_Payment_Card_ExpDate_Year"} {
		if _, isThere := right[name]; isThere {
			t.Errorf("the form has %s: cards are entered at the bank", name)
		}
	}
	again, err := s.StartDeposit(t.Context(), orderOf("R1", "125.50"))
	if err != nil || fieldsOf(again.Next.Form)["rnd"] == right["rnd"] {
		t.Errorf("two forms have one rnd (%v)", err)
	}
}

// TestTheSwitchOfNotifications: some banks post each payment twice where both fields are there.
func TestTheSwitchOfNotifications(t *testing.T) {
	t.Parallel()
	for choice, want := range map[string][2]string{
		"on": {"https://pay.example.com/hook/3ad1c0ffee", ""}, "fast": {"https://pay.example.com/hook/3ad1c0ffee", "10"}, "off": {"", ""},
	} {
		got, err := newShop(t, "callback", choice).StartDeposit(t.Context(), orderOf("R1", "1"))
		if err != nil {
			t.Fatal(err)
		}
		if f := fieldsOf(got.Next.Form); f["callbackUrl"] != want[0] || f["refreshtime"] != want[1] {
			t.Errorf("%s: %v", choice, f)
		}
	}
}

// TestAReturnThatSaysSuccessIsNoPayment: a 3-D Secure page that was closed came back so at one bank.
func TestAReturnThatSaysSuccessIsNoPayment(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k, o := s.started("R1", "125.50")
	success := s.bank.result(o)
	maps.Copy(success, map[string]string{"ProcReturnCode": "00", "Response": "Approved", "mdStatus": "1", "amount": "0"})
	success["HASH"] = s.bank.sign(success)
	if got := s.returned(k, success); got.State != gateway.Waiting || got.Paid != nil {
		t.Errorf("a signed success of which the bank knows nothing is %+v", got)
	}
	in := s.bank.inbound(success)
	n, err := s.ReadNotification(t.Context(), in)
	if err != nil || len(n.Events) != 1 || !n.Events[0].IsCue() || n.Events[0].Paid != nil {
		t.Errorf("%+v %v", n, err)
	}
}

// TestAFailureIn3DSecureIsToldByItsSignedReturnAlone: no card was charged, so that the bank's history has nothing.
func TestAFailureIn3DSecureIsToldByItsSignedReturnAlone(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k, o := s.started("R1", "125.50")
	_, other := s.started("R2", "1")
	forged := s.bank.result(o)
	forged["mdErrorMsg"] = "something else"
	for what, fields := range map[string]map[string]string{"a forged one": forged, "another order's": s.bank.result(other)} {
		if got := s.returned(k, fields); got.State != gateway.Waiting {
			t.Errorf("%s: %+v", what, got)
		}
	}
	failed := s.bank.result(o)
	if got := s.returned(k, failed); got.State != gateway.Failed || got.Trust != gateway.Answered || got.Reason.Code != gateway.AuthFailed {
		t.Errorf("%+v", got)
	}
	s.bank.charge(o, "C", "00")
	if got := s.returned(k, failed); got.State != gateway.Paid || *got.Paid != conformance.Lira("125.50") {
		t.Errorf("a failure of before, brought once more after the payment, gave %+v", got)
	}
}

// TestForgedNotificationsAreRefused, and those of the two hash versions that are closed.
func TestForgedNotificationsAreRefused(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	_, o := s.started("R1", "125.50")
	s.bank.charge(o, "C", "00")
	right := s.bank.result(o)
	if n, err := s.ReadNotification(t.Context(), s.bank.inbound(right)); err != nil || n.Events[0].Ref != "R1" || n.Events[0].State != gateway.Processing {
		t.Fatalf("%+v %v", n, err)
	}
	resigned := func(name, value string) map[string]string {
		f := maps.Clone(right)
		f[name] = value
		f["HASH"] = s.bank.sign(f)
		return f
	}
	without := func(name string) map[string]string {
		f := maps.Clone(right)
		delete(f, name)
		return f
	}
	changed := maps.Clone(right)
	changed["amount"] = "1.00"
	for what, fields := range map[string]map[string]string{
		"no hash": without("HASH"), "an old version": resigned("hashAlgorithm", "ver2"), "no version": without("hashAlgorithm"),
		"another store": resigned("clientid", "190100001"), "another amount": changed,
		"a list of what is signed": maps.Collect(maps.All(map[string]string{"HASHPARAMS": "clientid:oid:", "HASHPARAMSVAL": "190100000R1", "oid": "R1", "HASH": "x"})),
	} {
		if _, err := s.ReadNotification(t.Context(), s.bank.inbound(fields)); !conformance.IsFailure(err, gateway.Unauthenticated, gateway.EffectNone) {
			t.Errorf("%s: %v", what, err)
		}
	}
	twice := s.bank.inbound(right)
	twice.Body = append(twice.Body, "&OID=R2"...)
	if _, err := s.ReadNotification(t.Context(), twice); !conformance.IsFailure(err, gateway.Invalid, gateway.EffectNone) {
		t.Errorf("a field twice: %v", err)
	}
}

// TestAHashDoesNotCoverNames: which is why no form of the bank's is more than a reason to ask.
func TestAHashDoesNotCoverNames(t *testing.T) {
	t.Parallel()
	a := [][2]string{{"amount", "1"}, {"oid", "R1"}, {"Response", "Approved"}}
	b := [][2]string{{"amount", "1"}, {"oie", "R1"}, {"Response", "Approved"}}
	if nestpay.Hash("k", a) != nestpay.Hash("k", b) {
		t.Error("names are covered after all: notifications could be trusted as signed")
	}
	if trust := nestpay.Plugin().Describe().Notify.Trust; trust != gateway.Hint {
		t.Errorf("notifications are trusted as %s", trust)
	}
}

// TestMoneyOfAnOrderIsAddedUp: a second payment shows as too much, and a void as given back.
func TestMoneyOfAnOrderIsAddedUp(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		lines    []line
		state    gateway.State
		paid     string
		refunded string
	}{
		"settled":                {[]line{{"S", "S", "00", "1", 100}}, gateway.Paid, "1", ""},
		"authorized":             {[]line{{"S", "A", "00", "1", 100}}, gateway.Paid, "1", ""},
		"two cards":              {[]line{{"S", "C", "00", "1", 100}, {"S", "C", "00", "2", 100}}, gateway.Paid, "2", ""},
		"one voided":             {[]line{{"S", "V", "00", "1", 100}, {"S", "C", "00", "2", 100}}, gateway.PartRefunded, "2", "1"},
		"voided":                 {[]line{{"S", "V", "00", "1", 100}}, gateway.Refunded, "1", "1"},
		"given back in two":      {[]line{{"S", "C", "00", "1", 100}, {"C", "C", "00", "2", 40}, {"C", "S", "00", "3", 60}}, gateway.Refunded, "1", "1"},
		"a refund that failed":   {[]line{{"S", "C", "00", "1", 100}, {"C", "D", "99", "2", 40}}, gateway.Paid, "1", ""},
		"success by status only": {[]line{{"S", "C", "51", "1", 100}}, gateway.Failed, "", ""},
		"to be reversed":         {[]line{{"S", "C", "00", "1", 100}, {"S", "R", "00", "2", 100}}, gateway.Unknown, "1", ""},
		"an unheard of kind":     {[]line{{"S", "C", "00", "1", 100}, {"X", "C", "00", "2", 100}}, gateway.Unknown, "1", ""},
		"pending":                {[]line{{"S", "D", "51", "1", 100}, {"S", "PN", "", "2", 100}}, gateway.Processing, "", ""},
	} {
		s := newShop(t)
		k, o := s.started("R1", "1.00")
		for _, l := range c.lines {
			o.lines = append(o.lines, &l)
		}
		got := s.read(k)
		is := func(m *gateway.Money, want string) bool {
			return m == nil && want == "" || m != nil && want != "" && *m == conformance.Lira(want)
		}
		if got.State != c.state || !is(got.Paid, c.paid) || !is(got.Refunded, c.refunded) {
			t.Errorf("%s: %s %v %v", what, got.State, got.Paid, got.Refunded)
		}
	}
}

// TestAWholeIsVoidedUntilTheBankHasClosedItsDay, and a part has to wait for that.
func TestAWholeIsVoidedUntilTheBankHasClosedItsDay(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k, o := s.started("R1", "125.50")
	s.bank.charge(o, "A", "00")
	o.isOpenDay = true
	if _, err := s.Refund(t.Context(), refundOf(k, "B1", "25", false)); !conformance.IsFailure(err, gateway.Retryable, gateway.EffectNone) {
		t.Errorf("a part before the day's end gave %v", err)
	}
	r, err := s.Refund(t.Context(), refundOf(k, "B2", "125.50", true))
	if err != nil || r.State != gateway.RefundDone || o.lines[0].status != "V" || len(o.lines) != 1 {
		t.Fatalf("%+v %v", r, err)
	}
	read, err := s.ReadRefund(t.Context(), gateway.RefundKey{DepositKey: k, RefundRef: "B2", Refund: r.External})
	if err != nil || read.State != gateway.RefundDone || *read.Amount != conformance.Lira("125.50") {
		t.Errorf("%+v %v", read, err)
	}
	if _, err := s.Refund(t.Context(), refundOf(k, "B3", "125.50", true)); !conformance.IsFailure(err, gateway.Invalid, gateway.EffectNone) {
		t.Errorf("a second refund of the whole gave %v", err)
	}
}

// TestAVoidOfUnknownOutcomeIsNotFollowedByARefund: the money would move twice.
func TestAVoidOfUnknownOutcomeIsNotFollowedByARefund(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k, o := s.started("R1", "125.50")
	s.bank.charge(o, "C", "00")
	o.isOpenDay = true
	s.Between(func(r gateway.Request, send func() (gateway.Response, error)) (gateway.Response, error) {
		answer, err := send()
		if strings.Contains(string(r.Body), "<Type>Void</Type>") {
			err = &gateway.Error{Class: gateway.Retryable, Err: context.DeadlineExceeded}
		}
		return answer, err
	})
	_, err := s.Refund(t.Context(), refundOf(k, "B1", "125.50", true))
	if !conformance.IsFailure(err, gateway.Retryable, gateway.EffectUnknown) || len(o.lines) != 1 {
		t.Errorf("%v, lines %d", err, len(o.lines))
	}
	unlisted := newShop(t)
	k, o = unlisted.started("R1", "125.50")
	unlisted.bank.charge(o, "C", "00")
	unlisted.bank.instead = func(request string) (string, bool) {
		return refused("R1", "CORE-2700", "System Error. Acquirer transmit."), strings.Contains(request, "<Type>Void</Type>")
	}
	_, err = unlisted.Refund(t.Context(), refundOf(k, "B1", "125.50", true))
	isCredited := slices.ContainsFunc(unlisted.bank.asked, func(r string) bool { return strings.Contains(r, "Credit") })
	if !conformance.IsFailure(err, gateway.Retryable, gateway.EffectUnknown) || isCredited {
		t.Errorf("%v, refunded %v", err, isCredited)
	}
}

// TestAnAnswerThatIsNotWholeIsNotBelieved.
func TestAnAnswerThatIsNotWholeIsNotBelieved(t *testing.T) {
	t.Parallel()
	right := answerOf("R1", "Approved", "00", "", "", extras{{"TRX1", "S\tC\t100\t100\t\t\t\t\t\t00\t1"}, {"TRXCOUNT", "1"}})
	for what, body := range map[string]string{
		"another order":      strings.Replace(right, "<OrderId>R1<", "<OrderId>R2<", 1),
		"more lines":         strings.Replace(right, "<TRXCOUNT>1<", "<TRXCOUNT>2<", 1),
		"no count":           strings.Replace(right, "TRXCOUNT", "COUNT", 2),
		"endless":            strings.Replace(right, "<TRXCOUNT>1<", "<TRXCOUNT>99999999<", 1),
		"a short line":       strings.Replace(right, "S&#x9;C", "S", 1),
		"no amount":          strings.Replace(right, "100&#x9;100", "1e2&#x9;100", 1),
		"less than nothing":  strings.Replace(right, "100&#x9;100", "-100&#x9;100", 1),
		"a line twice":       strings.Replace(right, "<TRXCOUNT>", "<TRX1>S</TRX1><TRXCOUNT>", 1),
		"two documents":      right + "<CC5Response></CC5Response>",
		"another document":   strings.ReplaceAll(right, "CC5Response", "html"),
		"another charset":    strings.Replace(right, "ISO-8859-9", "UTF-7", 1),
		"declined otherwise": answerOf("R1", "Declined", "05", "", "Something else", extras{{"TRXCOUNT", "1"}}),
	} {
		s := newShop(t)
		k, _ := s.started("R1", "1.00")
		s.bank.instead = func(string) (string, bool) { return body, true }
		if o, err := s.ReadDeposit(t.Context(), k); err == nil {
			t.Errorf("%s: %+v", what, o)
		}
	}
	s := newShop(t)
	k, _ := s.started("R1", "1.00")
	s.bank.instead = func(string) (string, bool) { return right, true }
	if o := s.read(k); o.State != gateway.Paid {
		t.Errorf("the right answer: %+v", o)
	}
}

// TestTextsOfTheBankAreReadInItsCharset, and what goes out needs none.
func TestTextsOfTheBankAreReadInItsCharset(t *testing.T) {
	t.Parallel()
	s := newShop(t, "api_password", `şifre<&>"'`)
	s.bank.password = `şifre<&>"'`
	k, o := s.started("R1", "1.00")
	s.bank.charge(o, "C", "00")
	s.read(k)
	for _, body := range s.bank.asked {
		if strings.ContainsFunc(body, func(r rune) bool { return r > '~' }) {
			t.Errorf("a request is no ASCII: %q", body)
		}
	}
	s.bank.instead = func(string) (string, bool) {
		return refused("R1", "CORE-2008", "İptal edilmeye uygun satış işlemi bulunamadı."), true
	}
	_, err := s.ReadDeposit(t.Context(), k)
	if text := gateway.ErrorOf(err).RawText; text != "İptal edilmeye uygun satış işlemi bulunamadı." {
		t.Errorf("the bank's text was read as %q", text)
	}
}

// TestAddressesMustBeSafe.
func TestAddressesMustBeSafe(t *testing.T) {
	t.Parallel()
	for _, wrong := range []string{"http://bank.example.com/fim/api", "https://bank.example.com/fim/api?x=1", "https://bank.example.com/#a"} {
		for _, name := range []string{"api_url", "form_url"} {
			values := settings()
			values[name] = wrong
			c := gateway.NewConfig(nestpay.Plugin().Describe().Config, values, nil)
			if _, err := nestpay.Plugin().Open(ports.GatewayEnv{Environment: gateway.Production, Config: c}); !conformance.IsFailure(err, gateway.Misconfigured, gateway.EffectNone) {
				t.Errorf("%s %s: %v", name, wrong, err)
			}
		}
	}
}
