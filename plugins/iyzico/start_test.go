package iyzico_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
)

func TestAStartSendsTheWholeOrder(t *testing.T) {
	t.Parallel()
	s := newShop(t, "installments", "1, 3")
	started, err := s.StartDeposit(t.Context(), order("CC1", "22"))
	if err != nil {
		t.Fatal(err)
	}
	token := s.bank.forms[0].token
	if started.Next.Redirect == nil || started.Next.Redirect.URL != "https://sandbox-cpp.example.com?token="+token {
		t.Errorf("the next step is %+v", started.Next)
	}
	if want := conformance.Opening.Add(30 * time.Minute); !started.ExpiresAt.Equal(want) {
		t.Errorf("it ends at %s, want %s", started.ExpiresAt, want)
	}
	if started.External.ID != token || started.External.Alt["token"] != token {
		t.Errorf("it is called %+v", started.External)
	}
	const want = `{"basketId":"CC1","basketItems":[{"category1":"Payment","id":"CC1","itemType":"VIRTUAL","name":"Payment",` +
		`"price":"22.0"}],"billingAddress":{"address":"Merdivenköy Mah. Bora Sok. No:1","city":"Istanbul",` +
		`"contactName":"Ayşe Nur Yılmaz","country":"Turkey"},"buyer":{"city":"Istanbul","country":"Turkey",` +
		`"email":"payments@example.com","gsmNumber":"+905350000000","id":"77","identityNumber":"11111111111",` +
		`"ip":"203.0.113.7","name":"Ayşe Nur","registrationAddress":"Merdivenköy Mah. Bora Sok. No:1","surname":"Yılmaz"},` +
		`"callbackUrl":"https://pay.example.com/return/9f8c2d7be1a04c55","conversationId":"CC1","currency":"TRY",` +
		`"enabledInstallments":[1,3],"forceThreeDS":1,"locale":"tr","paidPrice":"22.0","paymentGroup":"PRODUCT",` +
		`"price":"22.0","shippingAddress":{"address":"Merdivenköy Mah. Bora Sok. No:1","city":"Istanbul",` +
		`"contactName":"Ayşe Nur Yılmaz","country":"Turkey"}}`
	if got, _ := json.Marshal(s.bank.startBody); string(got) != want {
		t.Errorf("sent %s,\nwant %s", got, want)
	}
}

func TestAStartFollowsTheConfigurationAndTheOrder(t *testing.T) {
	t.Parallel()
	s := newShop(t, "force_3ds", "false")
	o := order("CC1", "99999.99")
	o.Locale, o.Text = "en", "Order 5"
	if _, err := s.StartDeposit(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	item, _ := s.bank.startBody["basketItems"].([]any)[0].(map[string]any)
	if s.bank.startBody["forceThreeDS"] != 0.0 || s.bank.startBody["locale"] != "en" || item["name"] != "Order 5" ||
		s.bank.startBody["price"] != "99999.99" {
		t.Errorf("sent %v", s.bank.startBody)
	}
}

func TestTheBuyerIsWhoIsKnown(t *testing.T) {
	t.Parallel()
	type who struct{ id, name, surname, email, phone, ip string }
	tests := map[string]struct {
		customer gateway.Customer
		want     who
	}{
		"everything": {
			gateway.Customer{
				ID: "7", FullName: "X", FirstName: "Ali", LastName: "Can", Email: "ali@example.com", Phone: "+905321234567",
				IP: "203.0.113.9",
			},
			who{"7", "Ali", "Can", "ali@example.com", "+905321234567", "203.0.113.9"},
		},
		"a full name":          {gateway.Customer{ID: "7", FullName: " Ali  Veli Can "}, who{id: "7", name: "Ali Veli", surname: "Can"}},
		"one word":             {gateway.Customer{ID: "7", FullName: "Ali"}, who{id: "7", name: "Ali", surname: "Ali"}},
		"a user name":          {gateway.Customer{Username: "ali77"}, who{id: "ali77", name: "ali77", surname: "ali77"}},
		"nothing":              {gateway.Customer{}, who{id: "CC1", name: "CC1", surname: "CC1"}},
		"no address for email": {gateway.Customer{ID: "7", FullName: "Ali Can", Email: "ali"}, who{id: "7", name: "Ali", surname: "Can"}},
	}
	for name, tt := range tests {
		s := newShop(t)
		o := order("CC1", "22")
		o.Customer = tt.customer
		if _, err := s.StartDeposit(t.Context(), o); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		b, _ := s.bank.startBody["buyer"].(map[string]any)
		told := func(name string) string { text, _ := b[name].(string); return text }
		got := who{told("id"), told("name"), told("surname"), told("email"), told("gsmNumber"), told("ip")}
		want := tt.want
		if want.email == "" {
			want.email, want.phone, want.ip = "payments@example.com", "+905350000000", "198.51.100.9"
		}
		if got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

func TestWhatCanNotBeTakenIsRefusedBeforeTheCall(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(o *gateway.DepositOrder)
		class  gateway.Class
	}{
		"another currency": {func(o *gateway.DepositOrder) { o.Amount.Asset.Code = "USD" }, gateway.Unsupported},
		"a wallet":         {func(o *gateway.DepositOrder) { o.Kind = gateway.Wallet }, gateway.Unsupported},
		"nothing":          {func(o *gateway.DepositOrder) { o.Amount = conformance.Lira("0") }, gateway.Invalid},
		"less":             {func(o *gateway.DepositOrder) { o.Amount = conformance.Lira("-1") }, gateway.Invalid},
		"half a kuruş":     {func(o *gateway.DepositOrder) { o.Amount = conformance.Lira("0.005") }, gateway.Invalid},
		"no return":        {func(o *gateway.DepositOrder) { o.ReturnURL = nil }, gateway.Invalid},
		"no reference":     {func(o *gateway.DepositOrder) { o.Ref = "" }, gateway.Invalid},
	} {
		s := newShop(t)
		o := order("CC1", "22")
		tt.change(&o)
		_, err := s.StartDeposit(t.Context(), o)
		if !conformance.IsFailure(err, tt.class, gateway.EffectNone) || len(s.Sent()) != 0 {
			t.Errorf("%s: %v after %d calls", name, err, len(s.Sent()))
		}
	}
}

func TestAStartWhoseAnswerIsNotToBeBelievedHasAnUnknownEffect(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.bank.misSigns = true
	if _, err := s.StartDeposit(t.Context(), order("CC1", "22")); !conformance.IsFailure(err, gateway.Misconfigured, gateway.EffectUnknown) {
		t.Errorf("a wrong signature: %v", err)
	}
	s.bank.misSigns = false
	for name, body := range map[string]string{
		"no signature": `{"status":"success","conversationId":"CC1","token":"t","paymentPageUrl":"https://a.example"}`,
		"another order": s.signedBody(`"conversationId":"CC2","token":"t","paymentPageUrl":"https://a.example"`,
			"CC2", "t"),
		"no page":      s.signedBody(`"conversationId":"CC1","token":"t"`, "CC1", "t"),
		"an http page": s.signedBody(`"conversationId":"CC1","token":"t","paymentPageUrl":"http://a.example"`, "CC1", "t"),
		"no token":     s.signedBody(`"conversationId":"CC1","paymentPageUrl":"https://a.example"`, "CC1", ""),
	} {
		s.Answer("POST", pathStart, 200, body)
		if _, err := s.StartDeposit(t.Context(), order("CC1", "22")); !conformance.IsFailure(err, gateway.Misconfigured, gateway.EffectUnknown) {
			t.Errorf("%s: %v", name, err)
		}
	}
	s.Answer("POST", pathStart, 200, `{"conversationId":"CC1","token":"t"}`)
	if _, err := s.StartDeposit(t.Context(), order("CC1", "22")); !conformance.IsFailure(err, gateway.Retryable, gateway.EffectUnknown) {
		t.Errorf("an answer without a status: %v", err)
	}
}

// signedBody is a successful answer that is signed over the values.
func (s *shop) signedBody(fields string, values ...string) string {
	signature, _ := s.bank.signed(map[string]any{}, values...)["signature"].(string)
	return `{"status":"success",` + fields + `,"signature":"` + signature + `"}`
}

func TestAFormLivesAsLongAsIyzicoSays(t *testing.T) {
	t.Parallel()
	for seconds, want := range map[string]time.Duration{
		`600`: 10 * time.Minute, `"1800"`: 30 * time.Minute, `0`: 30 * time.Minute, `-5`: 30 * time.Minute,
		`null`: 30 * time.Minute, `99999999`: 30 * time.Minute, `"soon"`: 30 * time.Minute,
	} {
		s := newShop(t)
		s.Answer("POST", pathStart, 200, s.signedBody(
			`"conversationId":"CC1","token":"t","paymentPageUrl":"https://a.example","tokenExpireTime":`+seconds, "CC1", "t"))
		got, err := s.StartDeposit(t.Context(), order("CC1", "22"))
		if err != nil || got.ExpiresAt.Sub(conformance.Opening) != want {
			t.Errorf("tokenExpireTime %s: %s, %v, want %s", seconds, got.ExpiresAt.Sub(conformance.Opening), err, want)
		}
	}
}
