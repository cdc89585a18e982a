package btcpay_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/conformance"
)

// server plays a BTCPay Server: one store, Bitcoin on chain and Lightning, one rate. It is written from the Greenfield
// API's documentation, and keeps to what the server's own source does where that says nothing.
type server struct {
	mu       sync.Mutex
	now      func() time.Time
	key      string
	store    string
	version  string // of those whose documents are in testdata
	secret   string // of the webhook
	rate     money.Decimal
	refuses  bool
	forbids  string // a permission that the key lacks
	writes   int
	serial   int
	invoices []*bill
	pulls    []*pull
	payouts  []*payout
	// isStrict refuses a second open payout to an address, as the real server does. The kit pays everybody at one address,
	// and so this is off for it.
	isStrict bool
	// before is called with every request, while nothing is locked.
	before func(r *http.Request)
}

// bill is an invoice at the server.
type bill struct {
	id, status, additional, currency, orderID string
	amount                                    money.Decimal
	asked                                     map[string]any // the body that made it
	created, expires                          time.Time
	methods                                   []string
	tolerance                                 json.Number
	payments                                  []paid
	isArchived                                bool
}

type paid struct {
	method, status string
	value          money.Decimal
	at             time.Time
}

// rate is of one BTC in TRY, such that every amount of kuruş is a whole number of satoshi, and half of it, too.
const rate = "100000"

func newServer(config gateway.Config, now func() time.Time) *server {
	return &server{
		now: now, key: config.Text("api_key"), store: config.Text("store_id"), secret: config.Text("webhook_secret"),
		rate: money.MustDecimal(rate), version: newest,
	}
}

// Versions differ in what they answer of things that do not exist, and after an invoice was marked.
const (
	oldest = "2.0.0"
	middle = "2.3.9"
	newest = "2.4.1"
)

// fakeOf makes fakes of a version.
func fakeOf(version string) func(testing.TB, gateway.Config, func() time.Time) conformance.Fake {
	return func(_ testing.TB, config gateway.Config, now func() time.Time) conformance.Fake {
		s := newServer(config, now)
		s.version = version
		return s.fake()
	}
}

func (s *server) fake() conformance.Fake {
	return conformance.Fake{
		Handler: s, Addresses: s.addresses, Deposits: s.collects, Payouts: s.sends, Set: s.set, Notification: s.tells,
		Mutations: func() int {
			s.mu.Lock()
			defer s.mu.Unlock()
			return s.writes
		},
		RefuseCredentials: func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.refuses = true
		},
	}
}

// problem is an answer that is a failure.
type problem struct {
	status int
	body   any
}

func (p problem) Error() string { return fmt.Sprint(p.status, p.body) }

func failure(status int, code, message string) problem {
	return problem{status, map[string]any{"code": code, "message": message}}
}

func wrong(path, message string) problem {
	return problem{422, []any{map[string]any{"path": path, "message": message}}}
}

// call answers a request; what it gives is written as JSON, nil as nothing.
type call func(r *http.Request, in map[string]any) (any, error)

// ServeHTTP implements http.Handler.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.before != nil {
		s.before(r)
	}
	mux := http.NewServeMux()
	for pattern, do := range map[string]call{
		"GET /api/v1/stores/{store}/invoices":                      s.listInvoices,
		"POST /api/v1/stores/{store}/invoices":                     s.createInvoice,
		"GET /api/v1/stores/{store}/invoices/{id}":                 s.getInvoice,
		"POST /api/v1/stores/{store}/invoices/{id}/status":         s.markInvoice,
		"GET /api/v1/stores/{store}/invoices/{id}/payment-methods": s.invoiceMethods,
		"POST /api/v1/stores/{store}/invoices/{id}/refund":         s.refundInvoice,
		"GET /api/v1/stores/{store}/payment-methods":               s.storeMethods,
		"GET /api/v1/stores/{store}/pull-payments":                 s.listPulls,
		"POST /api/v1/stores/{store}/pull-payments":                s.createPull,
		"GET /api/v1/pull-payments/{id}":                           s.getPull,
		"GET /api/v1/pull-payments/{id}/payouts":                   s.pullPayouts,
		"GET /api/v1/stores/{store}/payouts":                       s.listPayouts,
		"POST /api/v1/stores/{store}/payouts":                      s.createPayout,
		"GET /api/v1/stores/{store}/payouts/{id}":                  s.getPayout,
		"DELETE /api/v1/stores/{store}/payouts/{id}":               s.cancelPayout,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			out, err := s.serve(r, do)
			answer(w, out, err)
		})
	}
	mux.ServeHTTP(w, r)
}

func (s *server) serve(r *http.Request, do call) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refuses || r.Header.Get("Authorization") != "token "+s.key {
		return nil, failure(401, "unauthenticated", "Authentication is required for accessing this endpoint")
	}
	if id := r.PathValue("store"); id != "" && id != s.store {
		return nil, failure(403, "missing-permission", "Insufficient API Permissions.")
	}
	in := map[string]any{}
	if r.Method == http.MethodPost {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Header.Get("Content-Type") != "application/json" || json.Unmarshal(body, &in) != nil {
			return nil, wrong("", "A JSON body is required")
		}
	}
	return do(r, in)
}

func answer(w http.ResponseWriter, out any, err error) {
	status := 200
	var p problem
	if errors.As(err, &p) {
		status, out = p.status, p.body
	}
	if out == nil {
		w.WriteHeader(status)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(out)
}

// id makes an identifier of the server's kind.
func (s *server) id() string {
	s.serial++
	return fmt.Sprintf("Kx9%05dQz7", s.serial)
}

// only checks that a body has no field that is not documented.
func only(in map[string]any, names ...string) error {
	for name := range in {
		if !slices.Contains(names, name) {
			return wrong(name, "Could not find member "+name)
		}
	}
	return nil
}

func text(in map[string]any, name string) string {
	t, _ := in[name].(string)
	return t
}

func part(in map[string]any, name string) map[string]any {
	m, _ := in[name].(map[string]any)
	return m
}

// amountIn reads an amount, which has to be a text: a number would have gone through a float.
func amountIn(in map[string]any, name string) (money.Decimal, error) {
	d, err := money.ParseDecimal(text(in, name))
	if err != nil || d.Sign() <= 0 {
		return d, wrong(name, "The amount should be more than 0")
	}
	return d, nil
}

func (s *server) createInvoice(_ *http.Request, in map[string]any) (any, error) {
	checkout := part(in, "checkout")
	if err := errors.Join(
		only(in, "amount", "currency", "metadata", "checkout", "receipt", "additionalSearchTerms"),
		only(checkout, "speedPolicy", "paymentMethods", "defaultPaymentMethod", "lazyPaymentMethods", "expirationMinutes",
			"monitoringMinutes", "paymentTolerance", "redirectURL", "redirectAutomatically", "defaultLanguage"),
	); err != nil {
		return nil, err
	}
	amount, err := amountIn(in, "amount")
	if err != nil {
		return nil, err
	}
	minutes, monitoring := 15.0, 1440.0
	if m, ok := checkout["expirationMinutes"].(float64); ok {
		minutes = m
	}
	if m, ok := checkout["monitoringMinutes"].(float64); ok {
		monitoring = m
	}
	tolerance, ok := checkout["paymentTolerance"].(float64)
	if !ok || tolerance < 0 || tolerance > 100 || minutes < 1 || minutes != float64(int(minutes)) || monitoring < 1 {
		return nil, wrong("checkout", "PaymentTolerance can only be between 0 and 100 percent, and times are in minutes")
	}
	speeds := []string{"HighSpeed", "MediumSpeed", "LowSpeed", "LowMediumSpeed"}
	b := &bill{
		id: s.id(), status: "New", additional: "None", currency: text(in, "currency"), orderID: text(part(in, "metadata"), "orderId"),
		amount: amount, asked: in, created: s.now(), expires: s.now().Add(time.Duration(minutes) * time.Minute),
		tolerance: json.Number(strconv.FormatFloat(tolerance, 'f', -1, 64)),
	}
	methods, _ := checkout["paymentMethods"].([]any)
	for _, m := range methods {
		b.methods = append(b.methods, fmt.Sprint(m))
	}
	if !slices.Contains(speeds, text(checkout, "speedPolicy")) || len(b.methods) == 0 || b.currency == "" || !isOffered(b.methods) {
		return nil, wrong("checkout.paymentMethods[0]", "Invalid PaymentMethodId")
	}
	s.invoices = append(s.invoices, b)
	s.writes++
	return s.show(b), nil
}

func isOffered(methods []string) bool {
	return !slices.ContainsFunc(methods, func(m string) bool { return m != "BTC-CHAIN" && m != "BTC-LN" })
}

func (s *server) show(b *bill) any {
	shown := map[string]any{
		"id": b.id, "storeId": s.store, "amount": b.amount.Fixed(2), "currency": b.currency, "type": "Standard",
		"checkoutLink": "https://btcpay.example.com/i/" + b.id, "createdTime": b.created.Unix(),
		"expirationTime": b.expires.Unix(), "monitoringExpiration": b.expires.Add(24 * time.Hour).Unix(),
		"status": b.status, "additionalStatus": b.additional, "archived": b.isArchived,
		"availableStatusesForManualMarking": []string{"Settled", "Invalid"},
		"metadata":                          map[string]any{"orderId": b.orderID},
		"checkout":                          map[string]any{"paymentTolerance": b.tolerance, "paymentMethods": b.methods},
	}
	if s.version != oldest {
		shown["paidAmount"] = "0"
	}
	return shown
}

func (s *server) bill(r *http.Request) (*bill, error) {
	for _, b := range s.invoices {
		if b.id == r.PathValue("id") {
			return b, nil
		}
	}
	return nil, s.missing("invoice", s.version == newest)
}

// missing is what does not exist. From 2.4.0 of an invoice, and 2.4.1 of a payout, the store that it belongs to is looked
// for before anything else, and a key has no permission for nothing (BuiltInPermissionScopeProvider.cs).
func (s *server) missing(what string, isForbidden bool) problem {
	if isForbidden {
		return failure(403, "missing-permission", "Insufficient API Permissions.")
	}
	return failure(404, what+"-not-found", "The "+what+" was not found")
}

func (s *server) getInvoice(r *http.Request, _ map[string]any) (any, error) {
	b, err := s.bill(r)
	if err != nil {
		return nil, err
	}
	return s.show(b), nil
}

// listInvoices returns the newest first.
func (s *server) listInvoices(r *http.Request, _ map[string]any) (any, error) {
	q := r.URL.Query()
	number := func(name string, or int64) int64 {
		n, err := strconv.ParseInt(q.Get(name), 10, 64)
		if err != nil {
			return or
		}
		return n
	}
	from, to := number("startDate", 0), number("endDate", 1<<40)
	if from > to {
		return nil, wrong("startDate", "startDate should not be above endDate")
	}
	skip, take, list := number("skip", 0), number("take", 1<<40), []any{}
	newest := slices.Clone(s.invoices)
	slices.Reverse(newest)
	slices.SortStableFunc(newest, func(a, b *bill) int { return b.created.Compare(a.created) })
	for _, b := range newest {
		isHidden := b.isArchived && q.Get("includeArchived") != "true"
		isOther := q.Has("orderId") && !slices.Contains(q["orderId"], b.orderID)
		if isHidden || isOther || b.created.Unix() < from || b.created.Unix() > to {
			continue
		}
		if skip--; skip < 0 && int64(len(list)) < take {
			list = append(list, s.show(b))
		}
	}
	return list, nil
}

func (s *server) markInvoice(r *http.Request, in map[string]any) (any, error) {
	b, err := s.bill(r)
	if err != nil {
		return nil, err
	}
	if b.status != "New" && b.status != "Processing" && b.status != "Expired" || text(in, "status") != "Invalid" {
		return nil, wrong("status", "Status can only be marked to invalid or settled within certain conditions.")
	}
	before := s.show(b)
	b.status, b.additional = "Invalid", "Marked"
	s.writes++
	if s.version == oldest {
		return s.show(b), nil
	}
	return before, nil // from 2.3.6 what was read for the permission is shown (GreenfieldInvoiceController.cs)
}

// coins is an invoice's amount in BTC: never less than the price.
func (s *server) coins(b *bill) money.Decimal { return b.amount.QuoUp(s.rate, 8) }

func (s *server) invoiceMethods(r *http.Request, _ map[string]any) (any, error) {
	b, err := s.bill(r)
	if err != nil {
		return nil, err
	}
	due, list := s.coins(b), []any{}
	for _, p := range b.payments {
		due = due.Sub(p.value)
	}
	for _, m := range b.methods {
		payments := []any{}
		for i, p := range b.payments {
			if p.method == m {
				payments = append(payments, map[string]any{
					"id": fmt.Sprintf("%s-%d", b.id, i), "receivedDate": p.at.Unix(), "value": p.value.String(), "fee": "0",
					"status": p.status, "destination": destination,
				})
			}
		}
		list = append(list, map[string]any{
			"paymentMethodId": m, "currency": "BTC", "destination": destination, "activated": true, "rate": s.rate.String(),
			"paymentLink": "bitcoin:" + destination + "?amount=" + due.String(), "amount": s.coins(b).String(),
			"due": due.String(), "totalPaid": "0", "paymentMethodPaid": "0", "paymentMethodFee": "0.0", "payments": payments,
			"additionalData": map[string]any{"keyPath": "0/1"},
		})
	}
	return list, nil
}

// destination is an example of BIP 173.
const destination = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"

func (s *server) storeMethods(*http.Request, map[string]any) (any, error) {
	if s.forbids == "btcpay.store.canviewstoresettings" {
		return nil, failure(403, "missing-permission", "Insufficient API Permissions.")
	}
	return []any{
		map[string]any{"enabled": true, "paymentMethodId": "BTC-CHAIN"}, map[string]any{"enabled": false, "paymentMethodId": "BTC-LN"},
	}, nil
}
