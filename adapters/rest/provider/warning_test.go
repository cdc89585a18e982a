package provider_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// warned are the fields that an answer warns of, each with its code and the last word of its sentence.
func warned(t *testing.T, got answer) (list []string) {
	t.Helper()
	var body struct {
		Warnings []struct{ Field, Code, Message string } `json:"warnings"`
	}
	if err := json.Unmarshal([]byte(got.Body), &body); err != nil {
		t.Fatal(err)
	}
	for _, w := range body.Warnings {
		words := strings.Fields(w.Message)
		list = append(list, w.Field+" "+w.Code+" "+words[len(words)-1])
	}
	return list
}

// with is a body with more fields at its end.
func with(body, fields string) string { return strings.TrimSuffix(body, "}") + "," + fields + "}" }

// TestNoFieldIsIgnoredUnnoticed: the payment is created, of its amount in lira, and the answer says what to send in place of a field that
// the call does not have.
func TestNoFieldIsIgnoredUnnoticed(t *testing.T) {
	t.Parallel()
	const ignored, lira = " ignored ignored.", " currency lira."
	for fields, want := range map[string][]string{
		`"currency":"USD"`:                          {"currency" + lira},
		`"Currency":" usd "`:                        {"Currency" + lira},
		`"amount_currency":840`:                     {"amount_currency" + lira},
		`"currency":""`:                             {"currency" + lira},
		`"currency":"TRY"`:                          nil,
		`"currency":"try","currency_code":949`:      nil,
		`"currency":null,"callback_url":null`:       nil,
		`"extra":[1],"meta":{"currency":"USD"}`:     nil,
		`"test-clock":true`:                         nil,
		`"callback_url":"https://x.example"`:        {"callback_url ignored account."},
		`"notifyUrl":"https://x.example"`:           {"notifyUrl ignored account."},
		`"Idempotency-Key":"k"`:                     {"Idempotency-Key ignored Idempotency-Key."},
		`"order_id":4711`:                           {"order_id ignored reference."},
		`"order_id":4711,"reference":"4711"`:        {"order_id" + ignored},
		`"Reference":"4711"`:                        {"Reference ignored reference."},
		`"userid":"u-1"`:                            {"userid" + ignored}, // user_id was sent
		`"own":"4711"`:                              {"own" + ignored},
		`"a":1,"b":"2","c":3`:                       {"a" + ignored, "b" + ignored, "c" + ignored},
		`"\u202ea":1,"":1,"\u0000":1," ":1`:         nil,
		`"` + strings.Repeat("x", 64) + `":1`:       {strings.Repeat("x", 64) + ignored},
		`"` + strings.Repeat("x", 65) + `":1`:       nil,
		`"<b>\"":"</script>"`:                       {`<b>"` + ignored},
		`"api_key":"vzp_x","secret_key":"vzs_leak"`: {"api_key" + ignored, "secret_key" + ignored},
	} {
		t.Run(fmt.Sprintf("%.20s", fields), func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			got := s.Send(t, s.call("/start-manual-deposit", with(depositBody, fields)))
			if got.Want(t, 200, ""); !slices.Equal(warned(t, got), want) || strings.Contains(got.Body, "leak") {
				t.Errorf("want %q, got %s", want, got.Body)
			}
			if p := s.Payments(t)[0]; p.Amount.String() != "250.00" || p.Amount.Currency().Code != "TRY" {
				t.Errorf("stored %s %s", p.Amount, p.Amount.Currency().Code)
			}
		})
	}
	s := newServer(t)
	for path, body := range creating {
		got := s.Send(t, s.call(path, with(body, `"currency":"USD","order_id":"4711"`)))
		if w := warned(t, got); !slices.Equal(w, []string{"currency" + lira, "order_id ignored reference."}) {
			t.Errorf("%s: %s", path, got.Body)
		}
	}
}

// TestWhatOnlyOtherCallsHaveIsIgnoredAloud: an address to come back to where no page is, an account where nothing is paid out, what only
// some gateways want.
func TestWhatOnlyOtherCallsHaveIsIgnoredAloud(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for path, fields := range map[string]string{
		"/start-manual-withdraw": `"return_url":"https://shop.example","phone":"+905551112233"`, "/start-manual-deposit": `"iban":"TR330006100519786457841326","gateway_id":1`,
		card: `"fullname":"Ayşe Yılmaz","gateway_id":1`, crypto: `"language":"tr","iban":"TR330006100519786457841326"`,
	} {
		if got := s.Send(t, s.call(path, with(creating[path], fields))); len(warned(t, got)) != 2 {
			t.Errorf("%s: %s", path, got.Body)
		}
	}
	// redirect_url stands for return_url, and is not looked at instead of it.
	got := s.Send(t, s.call("/start-manual-deposit", with(depositBody, `"redirect_url":"https://thief.example","lang":"en"`)))
	if w := warned(t, got); !slices.Equal(w, []string{"redirect_url ignored return_url.", "lang ignored language."}) || s.Payments(t)[0].ReturnURL != "" {
		t.Errorf("%s", got.Body)
	}
}

// TestWarningsAreBounded, and are those of the first answer when a call is repeated.
func TestWarningsAreBounded(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	var fields []string
	for i := range 5000 {
		fields = append(fields, fmt.Sprintf(`"f%d":1`, i))
	}
	body := with(depositBody, strings.Join(fields, ","))
	first := s.Send(t, s.call("/start-manual-deposit", body).With(idempotency, "k"))
	again := s.Send(t, s.call("/start-manual-deposit", body).With(idempotency, "k").With("Accept-Language", "tr"))
	if w := warned(t, first); len(w) != 10 || first.Body != again.Body || w[0] != "f0 ignored ignored." {
		t.Errorf("%d warnings: %.300s", len(w), first.Body)
	}
	s.Send(t, s.call("/start-manual-deposit", `{"currency":"USD"}`)).Want(t, 422, "Validation failed") // and no warning of what was not created
}
