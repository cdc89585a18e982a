package iyzico_test

import (
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/vezne/vezne/core/money"
)

// decimalText is how amounts are sent: at least one decimal.
var decimalText = regexp.MustCompile(`^[0-9]+\.[0-9]{1,2}$`)

// start opens a form.
func (b *bank) start(in map[string]any) (answer, problem map[string]any) {
	amount, _ := in["price"].(string)
	if !decimalText.MatchString(amount) || in["paidPrice"] != amount || in["currency"] != "TRY" {
		return nil, failed("11", "Invalid request")
	}
	if in["callbackUrl"] == nil {
		return nil, failed("23", "Callback URL is mandatory")
	}
	if problem := checkBuyer(in); problem != nil {
		return nil, problem
	}
	items, _ := in["basketItems"].([]any)
	sum := money.Decimal{}
	for _, item := range items {
		fields, _ := item.(map[string]any)
		text, _ := fields["price"].(string)
		price, err := money.ParseDecimal(text)
		if err != nil || fields["id"] == nil || fields["name"] == nil || fields["category1"] == nil || fields["itemType"] == nil {
			return nil, failed("11", "Invalid request")
		}
		sum = sum.Add(price)
	}
	if ref, _ := in["conversationId"].(string); b.refuses[ref] {
		return nil, failed("5009", "The merchant may not take this payment") // no code of the plugin's tables
	}
	price := money.MustDecimal(amount)
	if sum != price {
		return nil, failed("5062", "Total item price must be equal to price")
	}
	b.writes++
	b.startBody = in
	ref, _ := in["conversationId"].(string)
	f := &form{
		token: fmt.Sprintf("077aff05-1e9b-44aa-aa11-%012d", len(b.forms)+1), ref: ref, price: price, currency: "TRY",
		ends: b.now().Add(1800 * time.Second),
	}
	f.back, _ = in["callbackUrl"].(string)
	b.forms = append(b.forms, f)
	return b.signed(map[string]any{
		"status": "success", "conversationId": ref, "token": f.token, "tokenExpireTime": 1800,
		"checkoutFormContent": "<script></script>", "paymentPageUrl": "https://sandbox-cpp.example.com?token=" + f.token,
	}, ref, f.token), nil
}

func checkBuyer(in map[string]any) map[string]any {
	buyer, _ := in["buyer"].(map[string]any)
	for _, name := range []string{
		"id", "name", "surname", "identityNumber", "email", "gsmNumber", "registrationAddress", "city", "country", "ip",
	} {
		if text, _ := buyer[name].(string); text == "" {
			return failed("11", name+" is mandatory")
		}
	}
	for _, which := range []string{"billingAddress", "shippingAddress"} {
		home, _ := in[which].(map[string]any)
		for _, name := range []string{"contactName", "city", "country", "address"} {
			if text, _ := home[name].(string); text == "" {
				return failed("11", which+"."+name+" is mandatory")
			}
		}
	}
	return nil
}

// detail tells what became of a form.
func (b *bank) detail(in map[string]any) (answer, problem map[string]any) {
	token, _ := in["token"].(string)
	f := b.byToken(token)
	if f == nil {
		return nil, failed("11", "Invalid request")
	}
	t := f.last()
	if t == nil && b.silence != nil {
		return b.silence, nil
	}
	if t == nil {
		return nil, untried()
	}
	if t.status == "FAILURE" && !f.failsPlain {
		answer := failed(t.code, t.text)
		if group := groups[t.code]; group != "" {
			answer["errorGroup"] = group
		}
		answer["token"], answer["paymentStatus"] = token, "FAILURE"
		return answer, nil
	}
	conversation, _ := in["conversationId"].(string)
	answer = map[string]any{
		"status": "success", "conversationId": conversation, "token": token, "paymentStatus": t.status, "paymentId": t.id,
		"basketId": f.ref, "price": number(f.price), "paidPrice": number(t.paid), "currency": t.currency, "installment": 1,
	}
	if t.fraud != "" {
		fraud, _ := strconv.Atoi(t.fraud)
		answer["fraudStatus"] = fraud
	}
	if t.code != "" {
		answer["errorCode"], answer["errorMessage"] = t.code, t.text
	}
	return b.signed(answer, t.status, t.id, t.currency, f.ref, conversation, t.paid.String(), f.price.String(), token), nil
}

// add puts a card on a form.
func (b *bank) add(f *form, status, fraud, code string) *try {
	b.serial++
	t := &try{
		id: strconv.Itoa(b.serial), status: status, fraud: fraud, code: code, paid: f.price, currency: f.currency, at: b.now(),
	}
	if code != "" {
		t.text = "refused with " + code
	}
	f.tries = append(f.tries, t)
	return t
}

// cards are iyzico's test cards: the error code that they bring, or nothing.
var cards = map[string]struct {
	code     string
	isFinal  bool // success, but can't be canceled or refunded
	mdStatus string
}{
	"5528790000000008": {},
	"5890040000000016": {},
	"9792030000000000": {},
	"5406670000000009": {isFinal: true},
	"4111111111111129": {code: "10051"},
	"4129111111111111": {code: "10005"},
	"4128111111111112": {code: "10012"},
	"4127111111111113": {code: "10041"},
	"4126111111111114": {code: "10043"},
	"4125111111111115": {code: "10054"},
	"4124111111111116": {code: "10084"},
	"4123111111111117": {code: "10057"},
	"4122111111111118": {code: "10058"},
	"4121111111111119": {code: "10034"},
	"4120111111111110": {code: "10041"},
	"4130111111111118": {code: "10204"}, // a general error
	"4131111111111117": {mdStatus: "0"},
	"4141111111111115": {mdStatus: "4"},
	"4151111111111112": {code: "10204"},
}

// groups are the errorGroup of some codes (docs.iyzico.com, Error Codes).
var groups = map[string]string{
	"10005": "DO_NOT_HONOUR", "10012": "INVALID_TRANSACTION", "10034": "FRAUD_SUSPECT", "10041": "PICKUP_CARD",
	"10051": "NOT_SUFFICIENT_FUNDS", "10204": "UNKNOWN",
}

// pay is what the customer does on the form. Where 3-D Secure is forced, only a full authentication pays.
func (b *bank) pay(token, card string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := b.byToken(token)
	c, isKnown := cards[card]
	if f == nil || !isKnown || !b.now().Before(f.ends) || f.last() != nil && f.last().status == "SUCCESS" {
		return
	}
	if c.code != "" {
		b.add(f, "FAILURE", "", c.code)
		return
	}
	b.add(f, "SUCCESS", "1", "").isFinal = c.isFinal
}
