package stripe_test

import (
	"encoding/json"
	"net/url"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/stripe"
)

// shop is a gateway in the sandbox, on a house of its own.
type shop struct {
	*conformance.Shop
	*stripe.Gateway
	t     *testing.T
	house *house
}

func sandboxSettings() map[string]string {
	return map[string]string{"secret_key": "sk_test_51Vezne", "webhook_secret": "whsec_shop"}
}

func newShop(t *testing.T, changes ...string) *shop {
	t.Helper()
	s := conformance.Open(t, conformance.Subject{
		Plugin: stripe.Plugin(), Environment: gateway.Sandbox, Config: sandboxSettings(), NewFake: newFake,
	}, changes...)
	return &shop{Shop: s, Gateway: s.Gateway.(*stripe.Gateway), t: t, house: s.Fake.Handler.(*house)}
}

func (s *shop) order(ref, amount string) gateway.DepositOrder {
	return gateway.DepositOrder{
		Ref: gateway.Ref(ref), Key: gateway.Key("key-" + ref), Amount: conformance.Lira(amount), Kind: gateway.Card, Locale: "tr",
		Customer:  gateway.Customer{ID: "77", FullName: "Ayşe Nur Yılmaz", Email: "ayse@example.org"},
		ReturnURL: &url.URL{Scheme: "https", Host: "pay.example.com", Path: "/return/9f8c2d7be1a04c55"},
		ExpiresAt: s.Clock.Now().Add(15 * time.Minute),
	}
}

// started starts a deposit and gives its key.
func (s *shop) started(ref, amount string) gateway.DepositKey {
	s.t.Helper()
	got, err := s.StartDeposit(s.t.Context(), s.order(ref, amount))
	if err != nil {
		s.t.Fatalf("StartDeposit: %v", err)
	}
	return gateway.DepositKey{Ref: gateway.Ref(ref), External: got.External, Due: conformance.Lira(amount)}
}

func (s *shop) paid(ref, amount string) gateway.DepositKey {
	s.t.Helper()
	k := s.started(ref, amount)
	s.house.set(k.Ref, conformance.IsPaid)
	return k
}

func (s *shop) read(k gateway.DepositKey) gateway.Observation {
	s.t.Helper()
	o, err := s.ReadDeposit(s.t.Context(), k)
	if err != nil {
		s.t.Fatalf("ReadDeposit: %v", err)
	}
	return o
}

// change changes the house's session of a reference.
func (s *shop) change(ref gateway.Ref, f func(c *checkout)) {
	s.house.mu.Lock()
	defer s.house.mu.Unlock()
	f(s.house.byRef(string(ref)))
}

func refundOf(k gateway.DepositKey, ref, amount string) gateway.RefundOrder {
	return gateway.RefundOrder{DepositKey: k, RefundRef: gateway.Ref(ref), Key: gateway.Key("key-" + ref), Amount: conformance.Lira(amount)}
}

// answerOf is a deposit's session as the house would answer it.
func (h *house) answerOf(k gateway.DepositKey) (string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	text, err := json.Marshal(h.session(h.byRef(string(k.Ref)), nil))
	return string(text), err
}
