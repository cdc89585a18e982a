package btcpay_test

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
	"github.com/vezne/vezne/plugins/btcpay"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/ports"
)

// noon is when every test begins.
var noon = time.Date(2026, time.March, 2, 12, 0, 0, 0, time.UTC)

// shop is an opened gateway, its server, and the wire between them.
type shop struct {
	*btcpay.Gateway
	server *server
	wire   *wire
	clock  *conformance.Clock
}

// wire is a Doer that hands requests to the server, unless a test answers them itself.
type wire struct {
	handler http.Handler
	mu      sync.Mutex
	sent    []gateway.Request
	// answers returns an answer in the server's place; false: the server answers.
	answers func(r gateway.Request) (gateway.Response, error, bool)
}

var _ ports.Doer = (*wire)(nil)

// Do implements ports.Doer.
func (x *wire) Do(ctx context.Context, r gateway.Request) (gateway.Response, error) {
	x.mu.Lock()
	x.sent = append(x.sent, r)
	answers := x.answers
	x.mu.Unlock()
	if answers != nil {
		if response, err, ok := answers(r); ok {
			return response, err
		}
	}
	request, err := http.NewRequestWithContext(ctx, r.Method, r.URL, bytes.NewReader(r.Body))
	if err != nil {
		return gateway.Response{}, &gateway.Error{Class: gateway.Invalid, Effect: gateway.EffectNone, Err: err}
	}
	for _, f := range r.Header {
		request.Header.Add(f.Name, f.Value)
	}
	recorder := httptest.NewRecorder()
	x.handler.ServeHTTP(recorder, request)
	var header gateway.Header
	for name, values := range recorder.Header() {
		header = append(header, gateway.Field{Name: name, Value: values[0]})
	}
	return gateway.Response{Status: recorder.Code, Header: header, Body: recorder.Body.Bytes()}, nil
}

// says makes the wire answer requests of a method whose path ends in a certain way.
func (x *wire) says(method, suffix string, status int, body string) {
	x.fails(method, suffix, func() (gateway.Response, error) {
		return gateway.Response{Status: status, Body: []byte(body)}, nil
	})
}

func (x *wire) fails(method, suffix string, answer func() (gateway.Response, error)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.answers = func(r gateway.Request) (gateway.Response, error, bool) {
		u, err := url.Parse(r.URL)
		if err != nil || r.Method != method || !bytes.HasSuffix([]byte(u.Path), []byte(suffix)) {
			return gateway.Response{}, nil, false
		}
		response, err := answer()
		return response, err, true
	}
}

func (x *wire) heals() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.answers = nil
}

// bodyOf is the body of the last request of a method whose path ends in a certain way.
func (x *wire) bodyOf(t *testing.T, method, suffix string) map[string]any {
	t.Helper()
	x.mu.Lock()
	defer x.mu.Unlock()
	for i := len(x.sent) - 1; i >= 0; i-- {
		u, err := url.Parse(x.sent[i].URL)
		if err == nil && x.sent[i].Method == method && bytes.HasSuffix([]byte(u.Path), []byte(suffix)) {
			var body map[string]any
			d := json.NewDecoder(bytes.NewReader(x.sent[i].Body))
			d.UseNumber()
			if err := d.Decode(&body); err != nil {
				t.Fatal(err)
			}
			return body
		}
	}
	t.Fatalf("no %s …%s was sent", method, suffix)
	return nil
}

// opened opens the plugin with changed settings.
func opened(t *testing.T, changes map[string]string) *shop {
	t.Helper()
	values := config()
	maps.Copy(values, changes)
	c := gateway.NewConfig(btcpay.Plugin().Describe().Config, values, nil)
	k := conformance.NewClock(noon)
	s := newServer(c, k.Now)
	x := &wire{handler: s}
	g, err := btcpay.Plugin().Open(ports.GatewayEnv{Environment: gateway.Sandbox, Config: c, HTTP: x, Clock: k})
	if err != nil {
		t.Fatal(err)
	}
	return &shop{g.(*btcpay.Gateway), s, x, k}
}

func lira(text string) gateway.Money {
	return gateway.Money{Amount: money.MustDecimal(text), Asset: gateway.TRY}
}

func order(ref, amount string) gateway.DepositOrder {
	return gateway.DepositOrder{
		Ref: gateway.Ref(ref), Amount: lira(amount), Kind: gateway.Crypto, ExpiresAt: noon.Add(15 * time.Minute),
		ReturnURL: &url.URL{Scheme: "https", Host: "pay.example.com", Path: "/return/9f8c"},
	}
}

func payoutOrder(ref, amount string) gateway.PayoutOrder {
	return gateway.PayoutOrder{
		Ref: gateway.Ref(ref), Amount: lira(amount), Kind: gateway.Crypto,
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
	return gateway.DepositKey{Ref: gateway.Ref(ref), External: d.External, Due: lira(amount)}
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
	return paid{"BTC-CHAIN", status, money.MustDecimal(value), noon.Add(time.Minute)}
}

func checkError(t *testing.T, err error, class gateway.Class, effect gateway.Effect) {
	t.Helper()
	e := gateway.ErrorOf(err)
	if err == nil || e.Class != class || e.Effect != effect {
		t.Errorf("got %v, want %s with effect %s", err, class, effect)
	}
}
