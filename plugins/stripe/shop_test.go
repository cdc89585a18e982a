package stripe_test

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/stripe"
	"github.com/vezne/vezne/ports"
)

// shop is a gateway in the sandbox, on a house of its own.
type shop struct {
	*stripe.Gateway
	t     *testing.T
	house *house
	clock *conformance.Clock
	line  *line
}

// line takes requests to the house without a network.
type line struct {
	house *house
	mu    sync.Mutex
	sent  []gateway.Request
	lose  string // the method and path whose answers are lost
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
	l.house.ServeHTTP(recorder, request)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent = append(l.sent, r)
	if l.lose == r.Method+" "+request.URL.Path {
		return gateway.Response{}, &gateway.Error{Class: gateway.Retryable, Err: context.DeadlineExceeded}
	}
	return gateway.Response{Status: recorder.Code, Body: recorder.Body.Bytes()}, nil
}

func sandboxSettings() map[string]string {
	return map[string]string{"secret_key": "sk_test_51Vezne", "webhook_secret": "whsec_shop"}
}

func newShop(t *testing.T, changes map[string]string) *shop {
	t.Helper()
	values := sandboxSettings()
	maps.Copy(values, changes)
	c := conformance.NewClock(time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC))
	h := newHouse(values["secret_key"], values["webhook_secret"], c.Now)
	l := &line{house: h}
	g, err := open(gateway.Sandbox, values, l, c)
	if err != nil {
		t.Fatal(err)
	}
	return &shop{Gateway: g.(*stripe.Gateway), t: t, house: h, clock: c, line: l}
}

func open(environment string, values map[string]string, out ports.Doer, c ports.Clock) (ports.Gateway, error) {
	fields := stripe.Plugin().Describe().Config
	if err := gateway.CheckConfig(fields, values); err != nil {
		return nil, err
	}
	return stripe.Plugin().Open(ports.GatewayEnv{
		Environment: environment, Config: gateway.NewConfig(fields, values, nil), HTTP: out, Clock: c,
	})
}

func lira(text string) gateway.Money {
	return gateway.Money{Amount: money.MustDecimal(text), Asset: gateway.TRY}
}

func (s *shop) order(ref, amount string) gateway.DepositOrder {
	return gateway.DepositOrder{
		Ref: gateway.Ref(ref), Key: gateway.Key("key-" + ref), Amount: lira(amount), Kind: gateway.Card, Locale: "tr",
		Customer:  gateway.Customer{ID: "77", FullName: "Ayşe Nur Yılmaz", Email: "ayse@example.org"},
		ReturnURL: &url.URL{Scheme: "https", Host: "pay.example.com", Path: "/return/9f8c2d7be1a04c55"},
		ExpiresAt: s.clock.Now().Add(15 * time.Minute),
	}
}

// started starts a deposit and gives its key.
func (s *shop) started(ref, amount string) gateway.DepositKey {
	s.t.Helper()
	got, err := s.StartDeposit(s.t.Context(), s.order(ref, amount))
	if err != nil {
		s.t.Fatalf("StartDeposit: %v", err)
	}
	return gateway.DepositKey{Ref: gateway.Ref(ref), External: got.External, Due: lira(amount)}
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
	return gateway.RefundOrder{DepositKey: k, RefundRef: gateway.Ref(ref), Key: gateway.Key("key-" + ref), Amount: lira(amount)}
}

func isFailure(err error, class gateway.Class, effect gateway.Effect) bool {
	e := gateway.ErrorOf(err)
	return err != nil && e.Class == class && e.Effect == effect
}

// answerOf is a deposit's session as the house would answer it.
func (h *house) answerOf(k gateway.DepositKey) (string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	text, err := json.Marshal(h.session(h.byRef(string(k.Ref)), nil))
	return string(text), err
}
