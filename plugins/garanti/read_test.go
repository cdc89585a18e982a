package garanti_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
)

// sum is what lines come to.
type sum struct {
	lines          []*line
	state          gateway.State
	paid, refunded string
}

// sums are orders and what they come to, each by its name.
func sums() map[string]sum {
	of := func(kind, status, code string, kurus int64) *line {
		return &line{kind: kind, status: status, code: code, kurus: kurus, currency: "949", number: "1"}
	}
	sale, declined := of("sales", "00", "00", 100), of("sales", "01", "51", 100)
	voided, dollar, refundVoided := of("sales", "00", "00", 100), of("sales", "00", "00", 100), of("refund", "00", "00", 40)
	voided.void, dollar.currency, refundVoided.void = "20260302", "840", "20260302"
	back := func(kurus int64) *line { return of("refund", "00", "00", kurus) }
	return map[string]sum{
		"one card":                    {[]*line{sale}, gateway.Paid, "1", ""},
		"two windows":                 {[]*line{sale, sale}, gateway.Paid, "2", ""},
		"one of two voided":           {[]*line{voided, sale}, gateway.PartRefunded, "2", "1"},
		"voided":                      {[]*line{voided}, gateway.Refunded, "1", "1"},
		"voided by a line":            {[]*line{sale, of("void", "00", "00", 100)}, gateway.Refunded, "1", "1"},
		"voided, by both":             {[]*line{voided, of("void", "00", "00", 100)}, gateway.Refunded, "1", "1"},
		"voided by another amount":    {[]*line{sale, of("void", "00", "00", 1)}, gateway.Unknown, "1", ""},
		"one of two voided by a line": {[]*line{sale, sale, of("void", "00", "00", 100)}, gateway.Unknown, "2", ""},
		"given back in two":           {[]*line{sale, back(40), back(60)}, gateway.Refunded, "1", "1"},
		"given back in part":          {[]*line{sale, back(40)}, gateway.PartRefunded, "1", "0.4"},
		"a refund that failed":        {[]*line{sale, of("refund", "01", "92", 40)}, gateway.Paid, "1", ""},
		"a refund that was voided":    {[]*line{sale, refundVoided}, gateway.Unknown, "1", ""},
		"a void beside a refund":      {[]*line{sale, back(40), of("void", "00", "00", 100)}, gateway.Unknown, "1", ""},
		"a mark beside a refund":      {[]*line{voided, back(40)}, gateway.Unknown, "1", ""},
		"a void that failed":          {[]*line{sale, of("void", "01", "05", 100)}, gateway.Paid, "1", ""},
		"one voided, one in part":     {[]*line{voided, sale, back(40)}, gateway.PartRefunded, "2", "1.4"},
		"two voided by lines":         {[]*line{sale, sale, of("void", "00", "00", 100), of("void", "00", "00", 100)}, gateway.Refunded, "2", "2"},
		"a part voided":               {[]*line{sale, of("partialvoid", "00", "00", 40)}, gateway.Unknown, "1", ""},
		"declined":                    {[]*line{declined}, gateway.Failed, "", ""},
		"paid, then declined":         {[]*line{sale, declined}, gateway.Paid, "1", ""},
		"declined, then paid":         {[]*line{declined, sale}, gateway.Paid, "1", ""},
		"more back than came":         {[]*line{sale, back(101)}, gateway.Unknown, "1", ""},
		"a refund of nothing":         {[]*line{back(100)}, gateway.Unknown, "", ""},
		"a refund that failed alone":  {[]*line{of("refund", "01", "92", 40)}, gateway.Unknown, "", ""},
		"declined, and a refund":      {[]*line{declined, back(100)}, gateway.Unknown, "", ""},
		"an unheard of status":        {[]*line{of("sales", "77", "00", 100)}, gateway.Unknown, "", ""},
		"a code against its status":   {[]*line{of("sales", "00", "51", 100)}, gateway.Unknown, "", ""},
		"a status against its code":   {[]*line{of("sales", "01", "00", 100)}, gateway.Unknown, "", ""},
		"no code":                     {[]*line{of("sales", "01", "", 100)}, gateway.Unknown, "", ""},
		"a pre-authorization":         {[]*line{of("preauth", "00", "00", 100)}, gateway.Unknown, "", ""},
		"unknown, then paid":          {[]*line{of("sales", "77", "", 100), sale}, gateway.Unknown, "1", ""},
		"two currencies":              {[]*line{sale, dollar}, gateway.Unknown, "2", ""},
	}
}

// TestMoneyOfAnOrderIsAddedUp: a second card shows as too much, a void as given back, and what nobody can add up as unknown.
func TestMoneyOfAnOrderIsAddedUp(t *testing.T) {
	t.Parallel()
	for what, c := range sums() {
		s := newShop(t)
		k, o := s.started("R1", "1.00")
		o.lines = c.lines
		got := s.read(k)
		is := func(m *gateway.Money, want string) bool {
			return m == nil && want == "" || m != nil && want != "" && *m == conformance.Lira(want)
		}
		if got.State != c.state || !is(got.Paid, c.paid) || !is(got.Refunded, c.refunded) {
			t.Errorf("%s: %s %v %v", what, got.State, got.Paid, got.Refunded)
		}
		isFailed := got.State == gateway.Failed
		if isFailed != (got.Reason != nil) || isFailed != got.CanStillPay {
			t.Errorf("%s: %+v for the reason %v", what, got, got.Reason)
		}
	}
}

// TestADeclineSaysWhy, by the host's code.
func TestADeclineSaysWhy(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]gateway.ReasonCode{"51": gateway.InsufficientFunds, "14": gateway.InvalidCard, "92": gateway.Declined} {
		s := newShop(t)
		k, o := s.started("R1", "1.00")
		s.bank.charge(o, "01").code = code
		if got := s.read(k); got.Reason == nil || got.Reason.Code != want || got.Reason.RawCode != code {
			t.Errorf("%s: %+v", code, got.Reason)
		}
	}
}

// TestAnswersThatCannotBeRightAreNotBelieved: of a bank that errs, or of one that cheats.
func TestAnswersThatCannotBeRightAreNotBelieved(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k, o := s.paid("R1", "20.00")
	signed := func(user, terminal, merchant, id, code, reason, inOrder string) string {
		return s.bank.signed(user, terminal, merchant, id, "GVPS", code, reason, "x", "", inOrder)
	}
	const who, terminal, merchant = "PROVAUT", "30691299", "7000679"
	right := signed(who, terminal, merchant, "R1", "00", "", o.history())
	changed := func(old, new string) string {
		if !strings.Contains(right, old) {
			t.Fatalf("no %s in %s", old, right)
		}
		return strings.Replace(right, old, new, 1)
	}
	none := "<OrderHistInqResult><OrderTxnList/></OrderHistInqResult>"
	unsigned := strings.Index(right, "<HashData>")
	for what, answer := range map[string]string{
		"another order":            signed(who, terminal, merchant, "R2", "00", "", o.history()),
		"another order's hash":     changed("<OrderID>R1", "<OrderID>R2"),
		"no order":                 signed(who, terminal, merchant, "", "00", "", o.history()),
		"another terminal":         signed(who, "30691298", merchant, "R1", "00", "", o.history()),
		"another merchant":         signed(who, terminal, "7000678", "R1", "00", "", o.history()),
		"another user's password":  signed("PROVRFN", terminal, merchant, "R1", "00", "", o.history()),
		"no hash":                  right[:unsigned] + "<HashData></HashData></Transaction></GVPSResponse>",
		"a hash of another code":   strings.Replace(signed(who, terminal, merchant, "R1", "92", "0108", o.history()), "<Code>92", "<Code>00", 1),
		"another mode":             changed("<Mode></Mode>", "<Mode>TEST</Mode>"),
		"no history":               signed(who, terminal, merchant, "R1", "00", "", ""),
		"no lines":                 signed(who, terminal, merchant, "R1", "00", "", none),
		"a million lines":          changed("<OrderTxnList>", "<OrderTxnList>"+strings.Repeat("<OrderTxn/>", 1000)),
		"no amount":                changed("<AuthAmount>2000", "<AuthAmount>"),
		"nothing":                  changed("<AuthAmount>2000", "<AuthAmount>0"),
		"less than nothing":        changed("<AuthAmount>2000", "<AuthAmount>-2000"),
		"a point":                  changed("<AuthAmount>2000", "<AuthAmount>20.00"),
		"an exponent":              changed("<AuthAmount>2000", "<AuthAmount>2e3"),
		"too much":                 changed("<AuthAmount>2000", "<AuthAmount>2000000000000000"),
		"no currency":              changed("<CurrencyCode>949", "<CurrencyCode>"),
		"not found, another one":   signed(who, terminal, merchant, "R2", "92", "0108", none),
		"not found, unsigned":      strings.Replace(signed(who, terminal, merchant, "R1", "92", "0108", none), "<HashData>", "<HashData>0", 1),
		"not found, of a sale":     signed(who, terminal, merchant, "R1", "92", "0110", none),
		"two answers":              right + right,
		"a request":                strings.ReplaceAll(right, "GVPSResponse", "GVPSRequest"),
		"a code that nobody knows": signed(who, terminal, merchant, "R1", "92", "7777", ""),
		"no code":                  signed(who, terminal, merchant, "R1", "", "", o.history()),
		"a server that broke down": signed(who, terminal, merchant, "R1", "92", "9999", ""),
		"a success, misconfigured": strings.Replace(signed(who, terminal, merchant, "R1", "00", "0651", ""), "<HashData>", "<HashData>0", 1),
		"half an answer":           right[:len(right)-9],
		"a page":                   "<html><body>no</body></html>",
		"something else than XML":  `{"Code":"00"}`,
	} {
		s.Answer("POST", "/VPServlet", 200, answer)
		if got, err := s.ReadDeposit(t.Context(), k); !conformance.IsFailure(err, gateway.Retryable, gateway.EffectUnknown) {
			t.Errorf("%s: %+v %v", what, got, err)
		}
	}
	for answer, want := range map[string]gateway.State{
		right: gateway.Paid, changed("<Mode></Mode>", "<Mode>PROD</Mode>"): gateway.Paid,
		signed(who, terminal, merchant, "R1", "92", "0108", none): gateway.Waiting,
	} {
		s.Answer("POST", "/VPServlet", 200, answer)
		if got := s.read(k); got.State != want {
			t.Errorf("%s: %+v", answer, got)
		}
	}
}

// TestAWrongPasswordIsSaidByNobody: the bank signs with one that we do not have.
func TestAWrongPasswordIsSaidByNobody(t *testing.T) {
	t.Parallel()
	for _, reason := range strings.Fields("0651 0652 0653 0654 0752 0753 0769") {
		s := newShop(t)
		k, _ := s.paid("R1", "20.00")
		s.Answer("POST", "/VPServlet", 200, fmt.Sprintf("<GVPSResponse><Transaction><Response><Code>92</Code><ReasonCode>%s</ReasonCode></Response>"+
			"<HashData>0</HashData></Transaction></GVPSResponse>", reason))
		if got, err := s.ReadDeposit(t.Context(), k); !conformance.IsFailure(err, gateway.Misconfigured, gateway.EffectNone) {
			t.Errorf("%s: %+v %v", reason, got, err)
		}
	}
}
