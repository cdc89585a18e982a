package paytr_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/paytr"
)

// shop is a gateway on a house of its own.
type shop struct {
	*conformance.Shop
	*paytr.Gateway
	t     *testing.T
	house *house
}

func newShop(t *testing.T, environment string) *shop {
	t.Helper()
	s := subject(t)
	s.Environment = environment
	var h *house
	s.NewFake = func(_ testing.TB, c gateway.Config, now func() time.Time) conformance.Fake {
		h = newHouse(c.Text, now)
		return h.fake()
	}
	opened := conformance.Open(t, s)
	g, ok := opened.Gateway.(*paytr.Gateway)
	if !ok {
		t.Fatalf("Open gave a %T", opened.Gateway)
	}
	return &shop{opened, g, t, h}
}

func (s *shop) started(ref, amount string) gateway.DepositKey {
	s.t.Helper()
	got, err := s.StartDeposit(s.t.Context(), gateway.DepositOrder{
		Ref: gateway.Ref(ref), Key: gateway.Key(ref), Amount: conformance.Lira(amount), Kind: gateway.Card, Locale: "tr",
		Customer: gateway.Customer{FullName: "Ayşe Nur Yılmaz", Phone: "+905321112233"}, ExpiresAt: s.Clock.Now().Add(15 * time.Minute),
		ReturnURL: &url.URL{Scheme: "https", Host: "pay.example.com", Path: "/return/9f8c2d7be1a04c55"},
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return gateway.DepositKey{Ref: gateway.Ref(ref), External: got.External, Due: conformance.Lira(amount)}
}

func (s *shop) paid(ref, amount string) gateway.DepositKey {
	k := s.started(ref, amount)
	s.house.set(k.Ref, conformance.IsPaid)
	return k
}

func (s *shop) read(k gateway.DepositKey) gateway.Observation {
	s.t.Helper()
	o, err := s.ReadDeposit(s.t.Context(), k)
	if err != nil {
		s.t.Fatal(err)
	}
	return o
}

func refundOf(k gateway.DepositKey, ref, amount string) gateway.RefundOrder {
	return gateway.RefundOrder{DepositKey: k, RefundRef: gateway.Ref(ref), Key: gateway.Key(ref), Amount: conformance.Lira(amount)}
}

// TestATryIsNoPaymentInProduction: the mode is in no hash.
func TestATryIsNoPaymentInProduction(t *testing.T) {
	t.Parallel()
	for environment, want := range map[string]gateway.State{gateway.Production: gateway.Unknown, gateway.Sandbox: gateway.Paid} {
		s := newShop(t, environment)
		k := s.paid("R1", "125.50")
		s.house.byOID("R1").test = "1"
		if o := s.read(k); o.State != want || (o.Paid != nil) != (want == gateway.Paid) {
			t.Errorf("%s: %+v", environment, o)
		}
	}
}

// TestAmountsAreReadInEveryFormThatPayTRWrites, and in no other.
func TestAmountsAreReadInEveryFormThatPayTRWrites(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		`"10,8"`: "10.80", `"10.80"`: "10.80", `10.8`: "10.80", `1`: "1.00", `"1"`: "1.00", `"1.234,56"`: "", `"1,234.56"`: "", `"1,2345"`: "",
		`""`: "", `"0"`: "", `"-1"`: "", `null`: "", `true`: "", `"1e2"`: "",
	} {
		s := newShop(t, gateway.Production)
		k := s.started("R1", "10.80")
		s.Answer("POST", "/odeme/durum-sorgu", 200, `{"status":"success","payment_total":`+written+`,"currency":"TL","test_mode":"0","returns":[]}`)
		o, err := s.ReadDeposit(t.Context(), k)
		if isRead := err == nil && o.Paid != nil; isRead != (want != "") || isRead && *o.Paid != conformance.Lira(want) {
			t.Errorf("%s was read as %v (%v), and is %q", written, o.Paid, err, want)
		}
	}
}

// TestForgedNotificationsAreRefused, and nothing is reported that the hash leaves out.
func TestForgedNotificationsAreRefused(t *testing.T) {
	t.Parallel()
	s := newShop(t, gateway.Production)
	s.paid("R1", "125.50")
	right := s.house.result(s.house.byOID("R1"))
	for what, change := range map[string]func(f url.Values){
		"another order": func(f url.Values) { f.Set("merchant_oid", "R2") }, "another amount": func(f url.Values) { f.Set("total_amount", "1") },
		"another status": func(f url.Values) { f.Set("status", "failed") }, "another hash": func(f url.Values) { f.Set("hash", f.Get("hash")+"=") },
	} {
		f, _ := url.ParseQuery(right.Encode())
		change(f)
		if _, err := s.ReadNotification(t.Context(), s.house.inbound(f)); !conformance.IsFailure(err, gateway.Unauthenticated, gateway.EffectNone) {
			t.Errorf("%s: %v", what, err)
		}
	}
	twice := s.house.inbound(right)
	twice.Body = append(twice.Body, "&merchant_oid=R2"...)
	if _, err := s.ReadNotification(t.Context(), twice); !conformance.IsFailure(err, gateway.Invalid, gateway.EffectNone) {
		t.Errorf("an order twice: %v", err)
	}
	f, _ := url.ParseQuery(right.Encode())
	f.Set("currency", "USD")
	f.Set("test_mode", "1")
	n, err := s.ReadNotification(t.Context(), s.house.inbound(f))
	if err != nil || !n.Events[0].IsCue() || n.Events[0].Paid != nil || n.Events[0].State != gateway.Processing {
		t.Errorf("a success with another currency: %+v %v", n, err)
	}
}

// TestARefundWhoseAnswerWasLostIsFoundAndNotMadeAgain.
func TestARefundWhoseAnswerWasLostIsFoundAndNotMadeAgain(t *testing.T) {
	t.Parallel()
	s := newShop(t, gateway.Production)
	k := s.paid("R1", "125.50")
	s.Lose("POST", "/odeme/iade")
	if _, err := s.Refund(t.Context(), refundOf(k, "B1", "25.5")); !conformance.IsFailure(err, gateway.Retryable, gateway.EffectUnknown) {
		t.Fatal(err)
	}
	s.Between(nil)
	r, err := s.Refund(t.Context(), refundOf(k, "B1", "25.5"))
	if err != nil || r.State != gateway.RefundDone || len(s.house.byOID("R1").returns) != 1 {
		t.Errorf("%+v %v", r, err)
	}
	if o := s.read(k); o.State != gateway.PartRefunded || *o.Refunded != conformance.Lira("25.50") {
		t.Errorf("%+v", o)
	}
	if _, err := s.Refund(t.Context(), refundOf(k, "B2", "100.01")); !conformance.IsFailure(err, gateway.Invalid, gateway.EffectNone) {
		t.Errorf("more than is left: %v", err)
	}
}

// TestWhatIsUnderWayIsNotLeft: a refund that is not completed yet can't be made again as another one.
func TestWhatIsUnderWayIsNotLeft(t *testing.T) {
	t.Parallel()
	s := newShop(t, gateway.Production)
	k := s.paid("R1", "125.50")
	s.house.byOID("R1").isPending = true
	if _, err := s.Refund(t.Context(), refundOf(k, "B1", "125.50")); err != nil {
		t.Fatal(err)
	}
	if o := s.read(k); o.State != gateway.Refunding || o.Refunded != nil {
		t.Errorf("%+v", o)
	}
	if _, err := s.Refund(t.Context(), refundOf(k, "B2", "1")); !conformance.IsFailure(err, gateway.Invalid, gateway.EffectNone) {
		t.Errorf("%v", err)
	}
}

// TestRefundsWaitForWhatPayTRWaitsFor, and every other code is what the table says.
func TestRefundsWaitForWhatPayTRWaitsFor(t *testing.T) {
	t.Parallel()
	for code, f := range paytr.RefundFailures {
		s := newShop(t, gateway.Production)
		k := s.paid("R1", "1")
		s.Answer("POST", "/odeme/iade", 200, `{"status":"error","err_no":"`+code+`","err_msg":"why"}`)
		_, err := s.Refund(t.Context(), refundOf(k, "B1", "1"))
		if !conformance.IsFailure(err, f.Class, f.Effect) || gateway.ErrorOf(err).RawText != "why" {
			t.Errorf("%s: %v", code, err)
		}
	}
	s := newShop(t, gateway.Production)
	k := s.paid("R1", "1")
	for what, answer := range map[string]string{
		"an unlisted code":  `{"status":"error","err_no":"099","err_msg":"why"}`,
		"another order":     `{"status":"success","merchant_oid":"R2","return_amount":"1.00"}`,
		"another amount":    `{"status":"success","merchant_oid":"R1","return_amount":"0.10"}`,
		"another reference": `{"status":"success","merchant_oid":"R1","return_amount":"1.00","reference_no":"B2"}`,
	} {
		s.Answer("POST", "/odeme/iade", 200, answer)
		if _, err := s.Refund(t.Context(), refundOf(k, "B1", "1")); !conformance.IsFailure(err, gateway.Retryable, gateway.EffectUnknown) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestAnAnswerThatNamesAnotherOrderIsNotTaken: the field is not documented, and held to where it is.
func TestAnAnswerThatNamesAnotherOrderIsNotTaken(t *testing.T) {
	t.Parallel()
	s := newShop(t, gateway.Production)
	k := s.started("R1", "1")
	s.Answer("POST", "/odeme/durum-sorgu", 200, `{"status":"success","merchant_oid":"R2","payment_total":"1","currency":"TL","test_mode":"0"}`)
	if o, err := s.ReadDeposit(t.Context(), k); err == nil {
		t.Errorf("%+v", o)
	}
}

// TestTheStartSaysHowLong: in whole minutes, and what it sends fits PayTR's fields.
func TestTheStartSaysHowLong(t *testing.T) {
	t.Parallel()
	s := newShop(t, gateway.Production)
	k := s.started("R1", "125.50")
	if s.house.lastMinutes != "15" {
		t.Errorf("timeout_limit is %s", s.house.lastMinutes)
	}
	sent := s.SentTo("POST", "/get-token")
	form, err := url.ParseQuery(string(sent[0].Body))
	if err != nil || form.Get("payment_amount") != "12550" || form.Get("test_mode") != "0" || form.Get("no_installment") != "1" {
		t.Errorf("%v %v", form, err)
	}
	if strings.Contains(string(sent[0].Body), "merchant_key") || strings.Contains(string(sent[0].Body), "merchant_salt") {
		t.Error("a secret is sent")
	}
	if o := s.read(k); o.State != gateway.Waiting {
		t.Errorf("%+v", o)
	}
}
