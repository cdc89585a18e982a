package ccpayment_test

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/ccpayment"
	"github.com/vezne/vezne/plugins/conformance"
)

// TestWhatABrowserBringsIsNotRead: every return is a reason to ask, and nothing else.
func TestWhatABrowserBringsIsNotRead(t *testing.T) {
	t.Parallel()
	if ccpayment.Plugin().Has(gateway.CanFinishReturn) {
		t.Error("what a browser brings is looked at: a hash key in it proves nothing")
	}
}

// TestAHashKeyCanBeChangedByWhoHasOne, which is why no message is more than a reason to ask. A customer whose card was refused has
// the hash key of that: with another initialization vector it says that the card was charged.
func TestAHashKeyCanBeChangedByWhoHasOne(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k, o := s.started("R1", "125.50")
	o.try("Failed", 41)
	form := s.brand.sale(o)
	key := []byte(form.Get("hash_key"))
	key[0] ^= '0' ^ '1'
	forged, _ := url.ParseQuery(form.Encode())
	forged.Set("hash_key", string(key))
	forged.Set("payment_status", "1")
	forged.Set("status_code", "100")
	if parts := ccpayment.Unseal([]string{s.brand.appSecret}, string(key)); parts == nil || parts[0] != "1" {
		t.Fatalf("the changed key says %q: messages could be trusted as signed after all", parts)
	}
	n, err := s.ReadNotification(t.Context(), s.brand.posted(forged))
	if err != nil || len(n.Events) != 1 || !n.Events[0].IsCue() || n.Events[0].Paid != nil {
		t.Errorf("%+v %v", n, err)
	}
	if trust := ccpayment.Plugin().Describe().Notify.Trust; trust != gateway.Hint {
		t.Errorf("notifications are trusted as %s", trust)
	}
	if got := s.read(k); got.State != gateway.Failed || !got.CanStillPay || got.Paid != nil || got.Reason == nil || got.Reason.RawCode != "51" {
		t.Errorf("after a forged success the deposit is %+v", got)
	}
}

// TestForgedNotificationsAreRefused, and one of another order is none of this one.
func TestForgedNotificationsAreRefused(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	_, mine := s.paid("R1", "125.50")
	_, other := s.paid("R2", "1.00")
	right := s.brand.sale(mine)
	with := func(name, value string) url.Values {
		f := maps.Clone(right)
		f.Set(name, value)
		return f
	}
	stranger := newBrand(func(string) string { return "another secret" }, s.Clock.Now)
	for what, f := range map[string]url.Values{
		"no hash key":            with("hash_key", ""),
		"another order's":        with("hash_key", s.brand.sale(other).Get("hash_key")),
		"another order":          with("invoice_id", "R2"),
		"another secret's":       with("hash_key", stranger.sealed("1", "125.50", "R1", mine.order, "TRY")),
		"a request's own":        with("hash_key", s.brand.sealed("R1", s.brand.merchant)),
		"cut":                    with("hash_key", right.Get("hash_key")[:40]),
		"longer than any":        with("hash_key", right.Get("hash_key")+strings.Repeat("A", 4096)),
		"without a vector":       with("hash_key", ":"+strings.SplitN(right.Get("hash_key"), ":", 2)[1]),
		"with nothing in it":     with("hash_key", "0123456789abcdef:f20f:"),
		"no text of whole parts": with("hash_key", "0123456789abcdef:f20f:AAAA"),
		"no text":                with("hash_key", s.brand.sealed("1", "\xff", "R1", mine.order, "TRY")),
		"an order without end":   with("hash_key", s.brand.sealed("1", "125.50", "R1", strings.Repeat("9", 2048), "TRY")),
	} {
		if n, err := s.ReadNotification(t.Context(), s.brand.posted(f)); !conformance.IsFailure(err, gateway.Unauthenticated, gateway.EffectNone) {
			t.Errorf("%s: %+v %v", what, n, err)
		}
	}
	odd := with("invoice_id", "../R1")
	odd.Set("hash_key", s.brand.sealed("1", "1", "../R1", "1", "TRY"))
	twice := s.brand.posted(right)
	twice.Body = append(twice.Body, "&invoice_id=R2"...)
	asked := s.brand.posted(right)
	asked.Method = "GET"
	for what, in := range map[string]gateway.Inbound{"a reference that is none": s.brand.posted(odd), "a field twice": twice, "a GET": asked} {
		if _, err := s.ReadNotification(t.Context(), in); !conformance.IsFailure(err, gateway.Invalid, gateway.EffectNone) {
			t.Errorf("%s: %v", what, err)
		}
	}
	first, err := s.ReadNotification(t.Context(), s.brand.posted(right))
	again, errAgain := s.ReadNotification(t.Context(), s.brand.posted(right))
	if err != nil || errAgain != nil || first.ID != again.ID || first.Events[0].Ref != "R1" || first.Events[0].State != gateway.Processing {
		t.Errorf("%+v %v, and once more %+v %v", first, err, again, errAgain)
	}
}

// TestEachKindOfMessageIsAReasonToAsk.
func TestEachKindOfMessageIsAReasonToAsk(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	for situation, want := range map[conformance.Situation]struct {
		kind  string
		state gateway.State
	}{
		conformance.IsPaid: {"sale", gateway.Processing}, conformance.IsFailed: {"sale", gateway.Failed},
		conformance.IsUnlisted: {"sale", gateway.Unknown}, conformance.IsPartRefunded: {"refund", gateway.Unknown},
		conformance.IsDisputed: {"chargeback", gateway.Disputed},
	} {
		ref := fmt.Sprintf("R%d", len(s.brand.orders))
		_, o := s.started(ref, "10.00")
		s.brand.set(gateway.Ref(ref), situation)
		in, _ := s.brand.notification(gateway.Ref(ref))
		n, err := s.ReadNotification(t.Context(), in)
		if err != nil || n.Type != want.kind || len(n.Events) != 1 {
			t.Fatalf("%s: %+v %v", situation, n, err)
		}
		e := n.Events[0]
		if e.State != want.state || !e.IsCue() || e.Paid != nil || e.Refunded != nil || e.External.Alt[gateway.AltPayment] != o.order {
			t.Errorf("%s: %+v", situation, e)
		}
	}
}

// TestAnswersThatCannotBeRightAreNotBelieved: of a brand that errs, or of one that cheats.
func TestAnswersThatCannotBeRightAreNotBelieved(t *testing.T) {
	t.Parallel()
	const right = `{"status_code":100,"transaction_status":"Completed","order_id":"VP1","invoice_id":"R1","product_price":"20.00",` +
		`"transaction_amount":20,"total_refunded_amount":0,"transaction_type":"Auth"}`
	changed := func(old, new string) string { return strings.Replace(right, old, new, 1) }
	for what, answer := range map[string]string{
		"another order":               changed(`"R1"`, `"R2"`),
		"no order":                    changed(`"R1"`, `""`),
		"no code":                     changed(`"status_code":100,`, ``),
		"declined and completed":      changed(`100`, `41`),
		"not yet and completed":       changed(`100`, `69`),
		"a code that nobody knows":    changed(`100`, `12345`),
		"declined, of no order":       `{"status_code":41,"transaction_status":"Failed","invoice_id":""}`,
		"not yet, of no order":        `{"status_code":69,"transaction_status":""}`,
		"another that is not known":   `{"status_code":32,"transaction_status":"Failed","invoice_id":"R2"}`,
		"no amount":                   changed(`"transaction_amount":20,`, ``),
		"nothing":                     changed(`"transaction_amount":20`, `"transaction_amount":0`),
		"less than nothing":           changed(`"transaction_amount":20`, `"transaction_amount":-20`),
		"an amount with an exponent":  changed(`"transaction_amount":20`, `"transaction_amount":2e1`),
		"a float's remains":           changed(`"transaction_amount":20`, `"transaction_amount":19.999999999999996`),
		"a comma":                     changed(`"transaction_amount":20`, `"transaction_amount":"20,00"`),
		"more back than came":         changed(`"total_refunded_amount":0`, `"total_refunded_amount":20.01`),
		"less than nothing back":      changed(`"total_refunded_amount":0`, `"total_refunded_amount":-1`),
		"only authorized":             changed(`"Auth"`, `"Pre-Authorization"`),
		"given back, and nothing was": changed(`"Completed"`, `"Refunded"`),
		"another status":              changed(`"Completed"`, `"Almost Completed"`),
		"two answers":                 right + right,
		"a list":                      `[` + right + `]`,
	} {
		s := newShop(t)
		k, _ := s.started("R1", "20.00")
		s.Answer("POST", "/checkstatus", 200, answer)
		if o, err := s.ReadDeposit(t.Context(), k); err == nil && o.State != gateway.Unknown {
			t.Errorf("%s: %+v", what, o)
		}
	}
	s := newShop(t)
	k, _ := s.started("R1", "20.00")
	s.Answer("POST", "/checkstatus", 200, right)
	if o := s.read(k); o.State != gateway.Paid || *o.Paid != conformance.Lira("20") || o.External.Alt[gateway.AltPayment] != "VP1" {
		t.Errorf("the right answer: %+v", o)
	}
	s.Answer("POST", "/checkstatus", 200, changed(`"transaction_amount":20`, `"transaction_amount":0.01`))
	if o := s.read(k); o.Paid == nil || *o.Paid != conformance.Lira("0.01") {
		t.Errorf("a lower amount shows as %+v", o)
	}
}

// TestACustomerIsSentToAPageAndNowhereElse.
func TestACustomerIsSentToAPageAndNowhereElse(t *testing.T) {
	t.Parallel()
	for _, link := range []string{
		"http://app.sipay.com.tr/x", "javascript:alert(1)", "//app.sipay.com.tr/x", "/x", "https:x", "https://", "https://a:b@app.sipay.com.tr/x", "%", " ",
	} {
		s := newShop(t)
		s.Answer("POST", "/purchase/link", 200, `{"status":true,"status_code":100,"link":"`+link+`","order_id":"1"}`)
		if got, err := s.StartDeposit(t.Context(), s.order("R1", "1")); !conformance.IsFailure(err, gateway.Retryable, gateway.EffectUnknown) {
			t.Errorf("%q: %+v %v", link, got, err)
		}
	}
}

// TestTwoWindowsPayOnce: a page that is opened again leads to the same order, which is paid once. Afterwards there is none.
func TestTwoWindowsPayOnce(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k, _ := s.started("R1", "20.00")
	s.started("R1", "20.00")
	s.brand.set("R1", conformance.IsPaid)
	if o := s.read(k); o.State != gateway.Paid || *o.Paid != conformance.Lira("20") {
		t.Errorf("%+v", o)
	}
	if _, err := s.StartDeposit(t.Context(), s.order("R1", "20.00")); !conformance.IsFailure(err, gateway.Conflicting, gateway.EffectUnknown) {
		t.Errorf("a page for what is paid: %v", err)
	}
}

// TestAnOrderThatIsNotDecidedWaits, also where the gateway calls it pending: a page that nobody uses must come to its end.
func TestAnOrderThatIsNotDecidedWaits(t *testing.T) {
	t.Parallel()
	for what, answer := range map[string]string{
		"pending":        `{"status_code":100,"transaction_status":"Pending","invoice_id":"R1"}`,
		"not yet":        `{"status_code":69,"transaction_status":"","invoice_id":"R1"}`,
		"not yet, said":  `{"status_code":"69","transaction_status":"Pending","invoice_id":"R1"}`,
		"not found":      `{"status_code":31,"transaction_status":"","invoice_id":"R1"}`,
		"never heard of": `{"status_code":32,"transaction_status":"Failed","invoice_id":"R1"}`,
	} {
		s := newShop(t)
		k, _ := s.started("R1", "20.00")
		s.Answer("POST", "/checkstatus", 200, answer)
		if o := s.read(k); o.State != gateway.Waiting || o.Paid != nil {
			t.Errorf("%s: %+v", what, o)
		}
	}
}

// TestADeclineIsTold with each code that means one, and no other code is taken for it.
func TestADeclineIsTold(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k, _ := s.started("R1", "20.00")
	for _, code := range slices.Sorted(maps.Keys(ccpayment.Failures)) {
		meaning := ccpayment.Failures[code]
		s.Answer("POST", "/checkstatus", 200, `{"status_code":`+code+`,"status_description":"why","transaction_status":"Failed","invoice_id":"R1"}`)
		o, err := s.ReadDeposit(t.Context(), k)
		switch {
		case meaning.Class == gateway.Refused:
			if err != nil || o.State != gateway.Failed || o.Reason.Code != meaning.Reason || o.Reason.RawText != "why" {
				t.Errorf("%s: %+v %v", code, o, err)
			}
		case code == "31", code == "32", code == "69":
			if err != nil || o.State != gateway.Waiting {
				t.Errorf("%s: %+v %v", code, o, err)
			}
		default:
			if !conformance.IsFailure(err, meaning.Class, meaning.Effect) {
				t.Errorf("%s: %+v %v", code, o, err)
			}
		}
	}
}
