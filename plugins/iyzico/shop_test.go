package iyzico_test

import (
	"bytes"
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/iyzico"
	"github.com/vezne/vezne/ports"
)

// noon is when every shop opens: 12:00 in Istanbul.
var noon = time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC)

// shop is a gateway in the sandbox, on a bank of its own.
type shop struct {
	*iyzico.Gateway
	t     *testing.T
	bank  *bank
	clock *conformance.Clock
	line  *line
}

// line takes requests to the bank without a network.
type line struct {
	bank *bank
	mu   sync.Mutex
	sent []gateway.Request
	lose string // the path whose answers are lost
}

// Do implements ports.Doer.
func (l *line) Do(ctx context.Context, r gateway.Request) (gateway.Response, error) {
	request, err := http.NewRequestWithContext(ctx, r.Method, r.URL, bytes.NewReader(r.Body))
	if err != nil {
		return gateway.Response{}, &gateway.Error{Class: gateway.Invalid, Effect: gateway.EffectNone, Err: err}
	}
	for _, f := range r.Header {
		request.Header.Add(f.Name, f.Value)
	}
	recorder := httptest.NewRecorder()
	l.bank.ServeHTTP(recorder, request)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent = append(l.sent, r)
	if l.lose != "" && request.URL.Path == l.lose {
		return gateway.Response{}, &gateway.Error{Class: gateway.Retryable, Err: context.DeadlineExceeded}
	}
	return gateway.Response{Status: recorder.Code, Body: recorder.Body.Bytes()}, nil
}

func newShop(t *testing.T, changes ...string) *shop {
	t.Helper()
	values := sandboxSettings()
	for i := 0; i+1 < len(changes); i += 2 {
		values[changes[i]] = changes[i+1]
	}
	c := conformance.NewClock(noon)
	b := newBank(values["api_key"], values["secret_key"], c.Now)
	l := &line{bank: b}
	return &shop{Gateway: openOn(t, gateway.Sandbox, values, nil, l, c), t: t, bank: b, clock: c, line: l}
}

func openOn(t *testing.T, environment string, values, previous map[string]string, out ports.Doer, c ports.Clock) *iyzico.Gateway {
	t.Helper()
	fields := iyzico.Plugin().Describe().Config
	if err := gateway.CheckConfig(fields, values); err != nil {
		t.Fatalf("the configuration is not valid: %v", err)
	}
	g, err := iyzico.Plugin().Open(ports.GatewayEnv{
		Environment: environment, Config: gateway.NewConfig(fields, values, maps.Clone(previous)), HTTP: out, Clock: c,
	})
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	opened, ok := g.(*iyzico.Gateway)
	if !ok {
		t.Fatalf("Open gave a %T", g)
	}
	return opened
}

func lira(text string) gateway.Money {
	return gateway.Money{Amount: money.MustDecimal(text), Asset: gateway.TRY}
}

func order(ref, amount string) gateway.DepositOrder {
	return gateway.DepositOrder{
		Ref: gateway.Ref(ref), Key: gateway.Key("key-" + ref), Amount: lira(amount), Kind: gateway.Card, Locale: "tr",
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
	return gateway.DepositKey{Ref: gateway.Ref(ref), External: got.External, Due: lira(amount)}
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

// answersWith has the bank answer a path with a body of the test's own.
func (s *shop) answersWith(path, body string) {
	s.bank.mu.Lock()
	defer s.bank.mu.Unlock()
	s.bank.instead = func(asked string) string {
		if asked == path {
			return body
		}
		return ""
	}
}

// asked tells how often a path was called.
func (s *shop) asked(path string) int {
	n := 0
	for _, r := range s.bank.requests() {
		if r == path {
			n++
		}
	}
	return n
}

func isFailure(err error, class gateway.Class, effect gateway.Effect) bool {
	e := gateway.ErrorOf(err)
	return err != nil && e.Class == class && e.Effect == effect
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
