package akbank_test

import (
	"net/url"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/akbank"
	"github.com/vezne/vezne/plugins/conformance"
)

// shop is a gateway on a bank of its own.
type shop struct {
	*conformance.Shop
	*akbank.Gateway
	t    *testing.T
	bank *bank
}

func newShop(t *testing.T) *shop {
	t.Helper()
	return openShop(t, gateway.Production)
}

func openShop(t *testing.T, environment string) *shop {
	t.Helper()
	of := subject(t)
	of.Environment = environment
	opened := conformance.Open(t, of)
	g, isOurs := opened.Gateway.(*akbank.Gateway)
	b, isFake := opened.Fake.Handler.(*bank)
	if !isOurs || !isFake {
		t.Fatalf("%T on %T", opened.Gateway, opened.Fake.Handler)
	}
	return &shop{opened, g, t, b}
}

func orderOf(ref, amount string) gateway.DepositOrder {
	return gateway.DepositOrder{
		Ref: gateway.Ref(ref), Key: gateway.Key("key-" + ref), Amount: conformance.Lira(amount), Kind: gateway.Card, Locale: "tr",
		Customer:  gateway.Customer{FullName: "Ayşe Nur Yılmaz", Email: "ayse@example.org"},
		ReturnURL: &url.URL{Scheme: "https", Host: "pay.example.com", Path: "/return/9f8c2d7be1a04c55"},
	}
}

func formOf(f *gateway.FormPost) url.Values {
	form := url.Values{}
	for _, field := range f.Fields {
		form.Add(field[0], field[1])
	}
	return form
}

// started starts a deposit and has the customer post its form.
func (s *shop) started(ref, amount string) (gateway.DepositKey, *order) {
	s.t.Helper()
	got, err := s.StartDeposit(s.t.Context(), orderOf(ref, amount))
	if err != nil {
		s.t.Fatal(err)
	}
	if problem := s.bank.post(formOf(got.Next.Form).Encode()); problem != "" {
		s.t.Fatal(problem)
	}
	return gateway.DepositKey{Ref: gateway.Ref(ref), External: got.External, Due: conformance.Lira(amount)}, s.bank.byID(ref)
}

func (s *shop) paid(ref, amount string) (gateway.DepositKey, *order) {
	s.t.Helper()
	k, o := s.started(ref, amount)
	s.bank.charge(o, "N", "VPS-0000")
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

func (s *shop) returned(k gateway.DepositKey, in gateway.Inbound) gateway.Observation {
	s.t.Helper()
	o, err := s.FinishReturn(s.t.Context(), gateway.ReturnVisit{DepositKey: k, Amount: k.Due, Request: in})
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

// done reports which calls were made, by txnCode.
func (s *shop) done(code string) (n int) {
	for _, r := range s.SentTo("POST", "/transaction/process") {
		if txnOf(r) == code {
			n++
		}
	}
	return n
}
