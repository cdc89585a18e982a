package ccpayment_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/ccpayment"
	"github.com/vezne/vezne/plugins/conformance"
)

// shop is a gateway on a brand of its own.
type shop struct {
	*conformance.Shop
	*ccpayment.Gateway
	t     *testing.T
	brand *brand
}

func newShop(t *testing.T, changes ...string) *shop {
	t.Helper()
	return openShop(t, subject(t), changes...)
}

func openShop(t *testing.T, s conformance.Subject, changes ...string) *shop {
	t.Helper()
	opened := conformance.Open(t, s, changes...)
	g, isOurs := opened.Gateway.(*ccpayment.Gateway)
	b, isFake := opened.Fake.Handler.(*brand)
	if !isOurs || !isFake {
		t.Fatalf("%T on %T", opened.Gateway, opened.Fake.Handler)
	}
	return &shop{opened, g, t, b}
}

func (s *shop) order(ref, amount string) gateway.DepositOrder {
	return gateway.DepositOrder{
		Ref: gateway.Ref(ref), Key: gateway.Key("key-" + ref), Amount: conformance.Lira(amount), Kind: gateway.Card, Locale: "tr",
		Customer: gateway.Customer{FullName: "Ayşe Nur Yılmaz", Email: "ayse@example.org"}, ExpiresAt: s.Clock.Now().Add(15 * time.Minute),
		ReturnURL: &url.URL{Scheme: "https", Host: "pay.example.com", Path: "/return/9f8c2d7be1a04c55"},
	}
}

func (s *shop) started(ref, amount string) (gateway.DepositKey, *order) {
	s.t.Helper()
	got, err := s.StartDeposit(s.t.Context(), s.order(ref, amount))
	if err != nil {
		s.t.Fatal(err)
	}
	return gateway.DepositKey{Ref: gateway.Ref(ref), External: got.External, Due: conformance.Lira(amount)}, s.brand.byInvoice(ref)
}

func (s *shop) paid(ref, amount string) (gateway.DepositKey, *order) {
	s.t.Helper()
	k, o := s.started(ref, amount)
	o.try("Completed", 100)
	return k, o
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
	m := conformance.Lira(amount)
	return gateway.RefundOrder{
		DepositKey: k, RefundRef: gateway.Ref(ref), Key: gateway.Key("key-" + ref), Amount: m, IsWhole: m == k.Due,
	}
}

func refundKeyOf(o gateway.RefundOrder, r gateway.RefundReport) gateway.RefundKey {
	return gateway.RefundKey{DepositKey: o.DepositKey, RefundRef: o.RefundRef, Refund: r.External, Amount: o.Amount}
}
