package iyzico_test

import (
	"encoding/json"
	"net/netip"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/conformance"
)

// newFake returns the bank to the conformance kit.
func newFake(_ testing.TB, c gateway.Config, now func() time.Time) conformance.Fake {
	b := newBank(c.Text("api_key"), c.Text("secret_key"), now)
	return conformance.Fake{
		Handler: b, Addresses: b.addresses, Mutations: b.mutationsSoFar, Deposits: b.deposits, Set: b.set, Notification: b.notification, Return: b.comeBack,
		RefuseCredentials: func() {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.isShut = true
		},
	}
}

// set brings a form into a situation. Of the others iyzico has no notion: nobody cancels a form or marks it as paid,
// time alone ends it, and a refund is done or refused at once.
func (b *bank) set(ref gateway.Ref, s conformance.Situation) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := b.byRef(string(ref))
	if f == nil && s == conformance.StartIsRefused {
		b.refuses[string(ref)] = true
		return true
	}
	if f == nil {
		return false
	}
	half := f.price.Mul(money.MustDecimal("0.5")).QuoUp(money.MustDecimal("1"), 2)
	situations := map[conformance.Situation]func(){
		conformance.IsWaiting:             func() { f.tries = nil },
		conformance.IsProcessing:          func() { b.add(f, "CALLBACK_THREEDS", "", "") },
		conformance.IsPaid:                func() { b.add(f, "SUCCESS", "1", "") },
		conformance.IsPaidLess:            func() { b.add(f, "SUCCESS", "1", "").paid = half },
		conformance.IsPaidMore:            func() { b.add(f, "SUCCESS", "1", "").paid = f.price.Add(half) },
		conformance.IsPaidInOtherCurrency: func() { b.add(f, "SUCCESS", "1", "").currency = "USD" },
		conformance.IsInReview:            func() { b.add(f, "SUCCESS", "0", "") },
		conformance.IsFailed:              func() { b.add(f, "FAILURE", "", "10051") },
		conformance.IsUnlisted:            func() { b.add(f, "PARTLY_CLOUDY", "", "") },
		conformance.IsPaidAmongFailures: func() {
			b.add(f, "FAILURE", "", "10051")
			b.add(f, "SUCCESS", "1", "")
			b.add(f, "FAILURE", "", "10005")
		},
		conformance.IsRefunded: func() { t := b.paidTry(f); t.refunds = append(t.refunds, back{"BYHAND", t.left(), "1"}) },
		conformance.IsPartRefunded: func() {
			t := b.paidTry(f)
			t.refunds = append(t.refunds, back{"BYHAND", f.price.QuoUp(money.MustDecimal("5"), 2), "1"})
		},
		conformance.IsPastVoidTime: func() { b.paidTry(f).isFinal = true },
	}
	change, isKnown := situations[s]
	if isKnown {
		change()
	}
	return isKnown
}

// paidTry is the card that paid; one does now if none did.
func (b *bank) paidTry(f *form) *try {
	if t := f.last(); t != nil && t.status == "SUCCESS" {
		return t
	}
	return b.add(f, "SUCCESS", "1", "")
}

// addresses are those of an order. The one of notifications is set in the panel.
func (b *bank) addresses(ref gateway.Ref) (back, notify string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if f := b.byRef(string(ref)); f != nil {
		back = f.back
	}
	return back, ""
}

// notification is what iyzico would post now: nothing before a card was tried.
func (b *bank) notification(ref gateway.Ref) (gateway.Inbound, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := b.byRef(string(ref))
	if f == nil || f.last() == nil {
		return gateway.Inbound{}, false
	}
	t := f.last()
	body, _ := json.Marshal(map[string]any{
		"paymentConversationId": f.ref, "merchantId": 3391, "token": f.token, "status": t.status,
		"iyziReferenceCode": "c7b8a1f0-" + t.id, "iyziEventType": "CHECKOUT_FORM_AUTH", "iyziEventTime": t.at.UnixMilli(),
		"iyziPaymentId": json.Number(t.id),
	})
	return b.inbound(body, b.mac(b.secret, "CHECKOUT_FORM_AUTH", t.id, f.token, f.ref, t.status)), true
}

func (b *bank) inbound(body []byte, signature string) gateway.Inbound {
	in := gateway.Inbound{
		Method: "POST", Path: "/hook/iyzico", Body: body, Peer: netip.MustParseAddr("203.0.113.40"), Arrived: b.now(),
		Header: gateway.Header{{Name: "Content-Type", Value: "application/json"}},
	}
	if signature != "" {
		in.Header = append(in.Header, gateway.Field{Name: "X-IYZ-SIGNATURE-V3", Value: signature})
	}
	return in
}

// comeBack is the browser's post to the callback address: the token and nothing else.
func (b *bank) comeBack(ref gateway.Ref) (gateway.Inbound, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := b.byRef(string(ref))
	if f == nil {
		return gateway.Inbound{}, false
	}
	return gateway.Inbound{
		Method: "POST", Path: "/return/9f8c2d7be1a04c55", Body: []byte("token=" + f.token), Arrived: b.now(),
		Header: gateway.Header{{Name: "Content-Type", Value: "application/x-www-form-urlencoded"}},
	}, true
}
