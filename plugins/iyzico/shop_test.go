package iyzico_test

import (
	"maps"
	"net/url"
	"slices"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/iyzico"
)

// shop is a gateway in the sandbox, on a bank of its own.
type shop struct {
	*conformance.Shop
	*iyzico.Gateway
	t    *testing.T
	bank *bank
}

func newShop(t *testing.T, changes ...string) *shop {
	t.Helper()
	return shopOf(t, conformance.Subject{
		Plugin: iyzico.Plugin(), Environment: gateway.Sandbox, Config: sandboxSettings(), NewFake: newFake,
	}, changes...)
}

func shopOf(t *testing.T, subject conformance.Subject, changes ...string) *shop {
	t.Helper()
	s := conformance.Open(t, subject, changes...)
	return &shop{Shop: s, Gateway: s.Gateway.(*iyzico.Gateway), t: t, bank: s.Fake.Handler.(*bank)}
}

func order(ref, amount string) gateway.DepositOrder {
	return gateway.DepositOrder{
		Ref: gateway.Ref(ref), Key: gateway.Key("key-" + ref), Amount: conformance.Lira(amount), Kind: gateway.Card, Locale: "tr",
		Customer:  gateway.Customer{ID: "77", FullName: "Ayşe Nur Yılmaz", IP: "203.0.113.7"},
		ReturnURL: &url.URL{Scheme: "https", Host: "pay.example.com", Path: "/return/9f8c2d7be1a04c55"},
	}
}

// started starts a deposit and gives its key.
func (s *shop) started(ref, amount string) gateway.DepositKey {
	s.t.Helper()
	got, err := s.StartDeposit(s.t.Context(), order(ref, amount))
	if err != nil {
		s.t.Fatalf("StartDeposit: %v", err)
	}
	return gateway.DepositKey{Ref: gateway.Ref(ref), External: got.External, Due: conformance.Lira(amount)}
}

// goodCard pays.
const goodCard = "5528790000000008"

// paid starts a deposit and pays it.
func (s *shop) paid(ref, amount string) gateway.DepositKey {
	s.t.Helper()
	k := s.started(ref, amount)
	s.bank.pay(k.External.Alt["token"], goodCard)
	return k
}

// form changes the form of a reference at the bank.
func (s *shop) form(ref string, change func(f *form)) {
	s.t.Helper()
	s.bank.mu.Lock()
	defer s.bank.mu.Unlock()
	f := s.bank.byRef(ref)
	if f == nil {
		s.t.Fatalf("the bank has no form of %s", ref)
	}
	change(f)
}

func (s *shop) read(k gateway.DepositKey) gateway.Observation {
	s.t.Helper()
	o, err := s.ReadDeposit(s.t.Context(), k)
	if err != nil {
		s.t.Fatalf("ReadDeposit: %v", err)
	}
	if o.Ref != k.Ref || o.Trust != gateway.Answered {
		s.t.Errorf("ReadDeposit reports %s with trust %s", o.Ref, o.Trust)
	}
	return o
}

// Paths of iyzico's calls.
const (
	pathStart   = "/payment/iyzipos/checkoutform/initialize/auth/ecom"
	pathForm    = "/payment/iyzipos/checkoutform/auth/ecom/detail"
	pathRefund  = "/v2/payment/refund"
	pathCancel  = "/payment/cancel"
	pathDetails = "/v2/reporting/payment/details"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
