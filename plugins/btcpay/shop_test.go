package btcpay_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/btcpay"
	"github.com/vezne/vezne/plugins/conformance"
)

// shop is an opened gateway and its server.
type shop struct {
	*conformance.Shop
	*btcpay.Gateway
	server *server
}

// opened opens the plugin with changed settings.
func opened(t *testing.T, changes ...string) *shop {
	t.Helper()
	s := conformance.Open(t, conformance.Subject{
		Plugin: btcpay.Plugin(), Environment: gateway.Sandbox, Config: config(), NewFake: fakeOf(newest),
	}, changes...)
	return &shop{s, s.Gateway.(*btcpay.Gateway), s.Fake.Handler.(*server)}
}

// bodyOf is the body of the last request of a method whose path ends in a certain way.
func (s *shop) bodyOf(t *testing.T, method, suffix string) map[string]any {
	t.Helper()
	sent := s.SentTo(method, suffix)
	if len(sent) == 0 {
		t.Fatalf("no %s …%s was sent", method, suffix)
	}
	var body map[string]any
	d := json.NewDecoder(bytes.NewReader(sent[len(sent)-1].Body))
	d.UseNumber()
	if err := d.Decode(&body); err != nil {
		t.Fatal(err)
	}
	return body
}

func order(ref, amount string) gateway.DepositOrder {
	return gateway.DepositOrder{
		Ref: gateway.Ref(ref), Amount: conformance.Lira(amount), Kind: gateway.Crypto, ExpiresAt: conformance.Opening.Add(15 * time.Minute),
		ReturnURL: &url.URL{Scheme: "https", Host: "pay.example.com", Path: "/return/9f8c"},
	}
}

func payoutOrder(ref, amount string) gateway.PayoutOrder {
	return gateway.PayoutOrder{
		Ref: gateway.Ref(ref), Amount: conformance.Lira(amount), Kind: gateway.Crypto,
		Asset:  gateway.Asset{Code: "BTC", Network: "Bitcoin", Decimals: 8},
		Fields: map[string]string{"wallet_address": destination},
	}
}

// started starts a deposit and gives its key.
func (s *shop) started(t *testing.T, ref, amount string) gateway.DepositKey {
	t.Helper()
	d, err := s.StartDeposit(t.Context(), order(ref, amount))
	if err != nil {
		t.Fatal(err)
	}
	return gateway.DepositKey{Ref: gateway.Ref(ref), External: d.External, Due: conformance.Lira(amount)}
}

// bring brings an invoice into a status, with payments.
func (s *shop) bring(ref, status, additional string, payments ...paid) {
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	for _, b := range s.server.invoices {
		if b.orderID == ref {
			b.status, b.additional, b.payments = status, additional, payments
		}
	}
}

func came(value, status string) paid {
	return paid{"BTC-CHAIN", status, money.MustDecimal(value), conformance.Opening.Add(time.Minute)}
}

func checkError(t *testing.T, err error, class gateway.Class, effect gateway.Effect) {
	t.Helper()
	if !conformance.IsFailure(err, class, effect) {
		t.Errorf("got %v, want %s with effect %s", err, class, effect)
	}
}
