package akbank_test

import (
	"context"
	"maps"
	"net/url"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/akbank"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/ports"
)

// TestASignedReturnIsNoPayment: neither one that the bank knows nothing of, nor one that names another amount.
func TestASignedReturnIsNoPayment(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k, o := s.started("R1", "125.50")
	success := s.bank.signed([2]string{"txnCode", "1000"}, [2]string{"responseCode", "VPS-0000"}, [2]string{"orderId", "R1"}, [2]string{"amount", "125.50"})
	if got := s.returned(k, s.bank.inbound(success)); got.State != gateway.Waiting || got.Paid != nil {
		t.Errorf("a signed success of which the bank knows nothing is %+v", got)
	}
	s.bank.charge(o, "N", "VPS-0000").kurus = 1
	if got := s.returned(k, s.bank.inbound(success)); got.Paid == nil || *got.Paid != conformance.Lira("0.01") {
		t.Errorf("a lower amount shows as %+v", got)
	}
	_, other := s.paid("R2", "125.50")
	mine, _ := s.started("R3", "125.50")
	if got := s.returned(mine, s.bank.inbound(s.bank.result(other))); got.State != gateway.Waiting {
		t.Errorf("another order's success is %+v", got)
	}
}

// TestASignedFailureCanBeCutAnew: the hash covers values with nothing between them, under a list that it does not cover. So a form proves
// no more than that somebody's card failed, and the bank is asked first.
func TestASignedFailureCanBeCutAnew(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k, o := s.started("R1", "125.50")
	s.bank.charge(o, "N", "VPS-0000")
	failed := s.bank.signed([2]string{"responseCode", "VPS-1279"}, [2]string{"orderId", "R1"})
	text := "VPS-1279" + "R1"
	anew := url.Values{"hash": failed["hash"], "hashParams": {"responseCode+orderId+x"}, "responseCode": {text[:3]}, "orderId": {text[3:8]}, "x": {text[8:]}}
	for what, form := range map[string]url.Values{"as it came": failed, "cut anew": anew} {
		if got := s.returned(k, s.bank.inbound(form)); got.State != gateway.Paid || *got.Paid != conformance.Lira("125.50") {
			t.Errorf("a failure %s undid a payment: %+v", what, got)
		}
	}
}

// TestOnlyASignedReturnTellsOfAFailure: whatever else a browser brings, an order waits.
func TestOnlyASignedReturnTellsOfAFailure(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k, o := s.started("R1", "125.50")
	_, other := s.started("R2", "1.00")
	right := s.bank.result(o)
	with := func(name, value string) url.Values {
		f := maps.Clone(right)
		f[name] = []string{value}
		return f
	}
	signed := func(fields ...[2]string) url.Values { return s.bank.signed(fields...) }
	code, id := [2]string{"responseCode", "VPS-1279"}, [2]string{"orderId", "R1"}
	list := func(names string, text string) url.Values {
		return url.Values{"hashParams": {names}, "hash": {s.bank.mac(text)}, "responseCode": {"VPS-1279"}, "orderId": {"R1"}}
	}
	stranger := newBank(func(string) string { return "another" }, s.Clock.Now)
	many, manyText := "responseCode+orderId", "VPS-1279R1"
	for i := range 70 {
		many += "+n" + strings.Repeat("x", i)
	}
	long := list(many, manyText)
	for i := range 70 {
		long.Set("n"+strings.Repeat("x", i), "")
	}
	for what, form := range map[string]url.Values{
		"without a hash":           with("hash", ""),
		"with a changed result":    with("responseCode", "VPS-1280"),
		"of another key":           stranger.signed(code, id),
		"of another order":         s.bank.result(other),
		"of another terminal":      signed(code, id, [2]string{"terminalSafeId", "2023"}),
		"of another merchant":      signed(code, id, [2]string{"merchantSafeId", "2023"}),
		"of a success":             signed([2]string{"responseCode", "VPS-0000"}, id),
		"of an order posted twice": signed([2]string{"responseCode", "VPS-1013"}, id),
		"of a decline":             signed([2]string{"responseCode", "VPS-1005"}, id),
		"of no result":             signed([2]string{"responseCode", "R1"}, id),
		"whose result is unsigned": list("orderId", "R1"),
		"whose order is unsigned":  list("responseCode", "VPS-1279"),
		"that signs nothing":       list("", ""),
		"that signs a name twice":  list("responseCode+orderId+orderId", "VPS-1279R1R1"),
		"that signs what it lacks": list("responseCode+orderId+rrn", "VPS-1279R1"),
		"that signs its own hash":  list("responseCode+orderId+hashParams", "VPS-1279R1responseCode+orderId+hashParams"),
		"that signs without end":   long,
	} {
		if got := s.returned(k, s.bank.inbound(form)); got.State != gateway.Waiting {
			t.Errorf("a return %s: %+v", what, got)
		}
	}
}

// TestARightReturnTellsOfAFailure, once, in one form, and never after the payment.
func TestARightReturnTellsOfAFailure(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k, o := s.started("R1", "125.50")
	right := s.bank.result(o)
	twice, asked, inJSON := s.bank.inbound(right), s.bank.inbound(right), s.bank.inbound(right)
	twice.Body = append(twice.Body, "&orderId=R1"...)
	asked.Method = "GET"
	inJSON.Header = gateway.Header{{Name: "Content-Type", Value: "application/json"}}
	for what, in := range map[string]gateway.Inbound{"with a field twice": twice, "by GET": asked, "of another type": inJSON} {
		if got := s.returned(k, in); got.State != gateway.Waiting {
			t.Errorf("a return %s: %+v", what, got)
		}
	}
	if got := s.returned(k, s.bank.inbound(right)); got.State != gateway.Failed || !got.CanStillPay || got.Trust != gateway.Answered || got.Reason.Code != gateway.AuthFailed {
		t.Errorf("the right one: %+v", got)
	}
	spaced := s.bank.inbound(right) // a bank that does not escape the plus
	spaced.Body = []byte(strings.ReplaceAll(string(spaced.Body), "%2B", "+"))
	if got := s.returned(k, spaced); got.State != gateway.Failed {
		t.Errorf("with plain pluses: %+v", got)
	}
	s.bank.charge(o, "N", "VPS-0000")
	if got := s.returned(k, s.bank.inbound(right)); got.State != gateway.Paid || *got.Paid != conformance.Lira("125.50") {
		t.Errorf("a failure of before, brought once more after the payment, gave %+v", got)
	}
}

// nobody answers that an order is not known.
type nobody struct{}

// Do implements ports.Doer.
func (nobody) Do(context.Context, gateway.Request) (gateway.Response, error) {
	return gateway.Response{Status: 200, Body: []byte(`{"responseCode":"VPS-1123","responseMessage":"İşlem bulunamadı"}`)}, nil
}

// TestTheKeyBeforeAChangeStillCounts, for forms that were given out under it.
func TestTheKeyBeforeAChangeStillCounts(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k, o := s.started("R1", "125.50")
	values := settings()
	values["secret_key"] = "a new one"
	for previous, want := range map[string]gateway.State{s.bank.secret: gateway.Failed, "": gateway.Waiting} {
		c := gateway.NewConfig(akbank.Plugin().Describe().Config, values, map[string]string{"secret_key": previous})
		g, err := akbank.Plugin().Open(ports.GatewayEnv{Environment: gateway.Production, Config: c, Clock: s.Clock, HTTP: nobody{}})
		if err != nil {
			t.Fatal(err)
		}
		renewed := &shop{s.Shop, g.(*akbank.Gateway), t, s.bank}
		if got := renewed.returned(k, s.bank.inbound(s.bank.result(o))); got.State != want {
			t.Errorf("under the key before: %+v", got)
		}
	}
}

// sum is what lines come to.
type sum struct {
	lines          []*line
	state          gateway.State
	paid, refunded string
}

// sums are orders and what they come to, each by its name.
func sums() map[string]sum {
	const done, declined = "VPS-0000", "VPS-1005"
	sale := func(status, code string) *line { return &line{txn: "1000", status: status, code: code, kurus: 100} }
	back := func(status, code string, kurus int64) *line {
		return &line{txn: "1002", status: status, code: code, kurus: kurus}
	}
	dollar := sale("N", done)
	dollar.currency = 840
	return map[string]sum{
		"one card":                  {[]*line{sale("N", done)}, gateway.Paid, "1", ""},
		"by another code":           {[]*line{{txn: "3000", status: "N", code: done, kurus: 100}}, gateway.Paid, "1", ""},
		"two windows":               {[]*line{sale("N", done), sale("N", done)}, gateway.Paid, "2", ""},
		"one of two voided":         {[]*line{sale("V", done), sale("N", done)}, gateway.PartRefunded, "2", "1"},
		"voided":                    {[]*line{sale("V", done)}, gateway.Refunded, "1", "1"},
		"reversed":                  {[]*line{sale("R", done)}, gateway.Refunded, "1", "1"},
		"given back in two":         {[]*line{sale("N", done), back("N", done, 40), back("N", done, 60)}, gateway.Refunded, "1", "1"},
		"marked, with its refund":   {[]*line{sale("R", done), back("N", done, 100)}, gateway.Refunded, "1", "1"},
		"marked, with a part":       {[]*line{sale("R", done), back("N", done, 40)}, gateway.PartRefunded, "1", "0.4"},
		"a refund that failed":      {[]*line{sale("N", done), back("N", declined, 40)}, gateway.Paid, "1", ""},
		"a refund taken back":       {[]*line{sale("N", done), back("V", done, 40)}, gateway.Paid, "1", ""},
		"declined":                  {[]*line{sale("N", declined)}, gateway.Failed, "", ""},
		"paid, then declined":       {[]*line{sale("N", done), sale("N", declined)}, gateway.Paid, "1", ""},
		"undecided, then declined":  {[]*line{sale("N", ""), sale("N", declined)}, gateway.Processing, "", ""},
		"declined, then paid":       {[]*line{sale("N", declined), sale("N", done)}, gateway.Paid, "1", ""},
		"not decided":               {[]*line{sale("N", declined), sale("N", "")}, gateway.Processing, "", ""},
		"reversed by itself":        {[]*line{sale("R", "")}, gateway.Canceled, "", ""},
		"voided, and a refund":      {[]*line{sale("V", done), back("N", done, 100)}, gateway.Unknown, "1", ""},
		"two, marked and refunded":  {[]*line{sale("R", done), sale("N", done), back("N", done, 100)}, gateway.Unknown, "2", ""},
		"more back than came":       {[]*line{sale("N", done), back("N", done, 101)}, gateway.Unknown, "1", ""},
		"a refund of nothing":       {[]*line{back("N", done, 100)}, gateway.Unknown, "", ""},
		"suspicious":                {[]*line{sale("S", done)}, gateway.Unknown, "", ""},
		"suspicious, with a code":   {[]*line{sale("S", declined)}, gateway.Unknown, "", ""},
		"paid, and one suspicious":  {[]*line{sale("N", done), sale("S", "")}, gateway.Unknown, "1", ""},
		"suspicious, then paid":     {[]*line{sale("S", ""), sale("N", done)}, gateway.Unknown, "1", ""},
		"declined, and a refund":    {[]*line{sale("N", declined), back("N", done, 100)}, gateway.Unknown, "", ""},
		"an unheard of mark":        {[]*line{sale("Q", done)}, gateway.Unknown, "", ""},
		"a pre-authorization":       {[]*line{{txn: "1004", status: "N", code: done, kurus: 100}}, gateway.Unknown, "", ""},
		"its capture":               {[]*line{{txn: "1005", status: "N", code: done, kurus: 100}}, gateway.Unknown, "", ""},
		"a void's own line":         {[]*line{sale("N", done), {txn: "1003", status: "N", code: done, kurus: 100}}, gateway.Unknown, "1", ""},
		"a void that failed":        {[]*line{sale("N", done), {txn: "1003", status: "N", code: "VPS-1007", kurus: 100}}, gateway.Paid, "1", ""},
		"two currencies":            {[]*line{sale("N", done), dollar}, gateway.Unknown, "2", ""},
		"a refund in another money": {[]*line{sale("N", done), {txn: "1002", status: "N", code: done, kurus: 40, currency: 978}}, gateway.Unknown, "1", "0.4"},
	}
}

// TestMoneyOfAnOrderIsAddedUp: a second card shows as too much, a void as given back, and what nobody can add up as unknown.
func TestMoneyOfAnOrderIsAddedUp(t *testing.T) {
	t.Parallel()
	for what, c := range sums() {
		s := newShop(t)
		k, o := s.started("R1", "1.00")
		for _, l := range c.lines {
			if l.id = "d2f58999"; l.currency == 0 {
				l.currency = 949
			}
		}
		o.lines = c.lines
		got := s.read(k)
		is := func(m *gateway.Money, want string) bool {
			return m == nil && want == "" || m != nil && want != "" && *m == conformance.Lira(want)
		}
		if got.State != c.state || !is(got.Paid, c.paid) || !is(got.Refunded, c.refunded) {
			t.Errorf("%s: %s %v %v", what, got.State, got.Paid, got.Refunded)
		}
		if strings.HasPrefix(what, "suspicious") && got.Raw != "1000/S" {
			t.Errorf("%s: people are shown %s", what, got.Raw)
		}
		if (got.State == gateway.Failed) != (got.Reason != nil) {
			t.Errorf("%s: %s for the reason %v", what, got.State, got.Reason)
		}
	}
}

// TestADeclineSaysWhy, in the host's own words where there are any.
func TestADeclineSaysWhy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		host string
		want gateway.Reason
	}{
		{"51", gateway.Reason{Code: gateway.InsufficientFunds, RawCode: "51", RawText: "051 RED-YETERSIZ BAKIYE"}},
		{"", gateway.Reason{Code: gateway.Declined, RawCode: "VPS-1005", RawText: "Provizyon Hatası"}},
	} {
		s := newShop(t)
		k, o := s.started("R1", "1.00")
		s.bank.charge(o, "N", "VPS-1005").host = c.host
		if got := s.read(k); got.State != gateway.Failed || got.CanStillPay || got.Reason == nil || *got.Reason != c.want {
			t.Errorf("%+v, %v", got, got.Reason)
		}
	}
	s := newShop(t)
	k, _ := s.started("R1", "1.00")
	s.Answer("POST", "/process", 200, `{"responseCode":"VPS-9999","responseMessage":"Sistem hatası : tekrar deneyiniz"}`)
	if _, err := s.ReadDeposit(t.Context(), k); gateway.ErrorOf(err).RawCode != "VPS-9999" {
		t.Errorf("an unheard of failure: %v", err)
	}
}

// TestNoKeyIsNoKey: what anybody can sign is not signed.
func TestNoKeyIsNoKey(t *testing.T) {
	t.Parallel()
	if akbank.IsSigned([]string{""}, "VPS-1279R1", akbank.Sign("", "VPS-1279R1")) || akbank.IsSigned(nil, "", "") {
		t.Error("a signature without a key is taken")
	}
}

// TestAnswersThatCannotBeRightAreNotBelieved: of a bank that errs, or of one that cheats.
func TestAnswersThatCannotBeRightAreNotBelieved(t *testing.T) {
	t.Parallel()
	const right = `{"txnCode":"1010","responseCode":"VPS-0000","responseMessage":"BAŞARILI","terminal":{"merchantSafeId":` +
		`"2023090417500272654BD9A49CF07574","terminalSafeId":"2023090417500284633D137A249DBBEB"},"txnDetailList":[{"txnCode":"1000","txnStatus":"N",` +
		`"responseCode":"VPS-0000","orderId":"R1","orgOrderId":"R1","amount":20,"currencyCode":949}]}`
	changed := func(old, new string) string { return strings.Replace(right, old, new, 1) }
	unknown := func(text string) string {
		return `{"txnCode":"1010","responseCode":"VPS-1123","responseMessage":"` + text + `"}`
	}
	for what, answer := range map[string]string{
		"another order":               changed(`"orgOrderId":"R1"`, `"orgOrderId":"R2"`),
		"another order, of old":       changed(`"orderId":"R1","orgOrderId":"R1"`, `"orderId":"R2"`),
		"no order":                    changed(`"orderId":"R1","orgOrderId":"R1",`, ``),
		"another order on top":        changed(`"responseCode"`, `"order":{"orderId":"R2"},"responseCode"`),
		"another terminal":            changed(`84633D137A`, `84633D137B`),
		"another question":            changed(`"1010"`, `"1002"`),
		"no code":                     changed(`"responseCode":"VPS-0000","responseMessage"`, `"responseMessage"`),
		"no lines":                    changed(`"txnDetailList":[{`, `"txnDetailList":[],"other":[{`),
		"a million lines":             `{"responseCode":"VPS-0000","txnDetailList":[` + strings.Repeat(`{"orgOrderId":"R1"},`, 1000) + `{"orgOrderId":"R1"}]}`,
		"no amount":                   changed(`"amount":20,`, ``),
		"nothing":                     changed(`"amount":20`, `"amount":0`),
		"less than nothing":           changed(`"amount":20`, `"amount":-20`),
		"an exponent":                 changed(`"amount":20`, `"amount":2e1`),
		"a float's remains":           changed(`"amount":20`, `"amount":19.999999999999996`),
		"parts of a kuruş":            changed(`"amount":20`, `"amount":20.001`),
		"no currency":                 changed(`,"currencyCode":949`, ``),
		"not found, another one":      unknown("İşlem bulunamadı. Sipariş Numarası : R2"),
		"not found, a longer one":     unknown("İşlem bulunamadı. Sipariş Numarası : R12"),
		"not found, of another":       `{"responseCode":"VPS-1123","order":{"orderId":"R2"},"responseMessage":"İşlem bulunamadı."}`,
		"two answers":                 right + right,
		"a list":                      `[` + right + `]`,
		"a code that nobody knows":    `{"responseCode":"VPS-9999","responseMessage":"Sistem hatası : tekrar deneyiniz"}`,
		"a code of the other kind":    `{"code":"500","message":"oops"}`,
		"a success that has no lines": `{"responseCode":"VPS-0000"}`,
	} {
		s := newShop(t)
		k, _ := s.started("R1", "20.00")
		s.Answer("POST", "/process", 200, answer)
		if o, err := s.ReadDeposit(t.Context(), k); !conformance.IsFailure(err, gateway.Retryable, gateway.EffectUnknown) {
			t.Errorf("%s: %+v %v", what, o, err)
		}
	}
	for answer, want := range map[string]gateway.State{
		right: gateway.Paid, unknown("İşlem bulunamadı. Sipariş Numarası : R1"): gateway.Waiting, unknown("İşlem bulunamadı"): gateway.Waiting,
		changed(`"orderId":"R1"`, `"orderId":"d2f58999-5143-4f5c-b503-deaa789441d5"`): gateway.Paid,
	} {
		s := newShop(t)
		k, _ := s.started("R1", "20.00")
		s.Answer("POST", "/process", 200, answer)
		if o := s.read(k); o.State != want {
			t.Errorf("%s: %+v", answer, o)
		}
	}
}
