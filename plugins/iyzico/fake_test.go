package iyzico_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// bank plays iyzico's side of the API, as its documentation tells it. It shares no code with the plugin.
type bank struct {
	mu      sync.Mutex
	api     string
	secret  string
	now     func() time.Time
	forms   []*form
	randoms map[string]bool
	writes  int
	serial  int

	refuses   map[string]bool // starts, by reference
	isShut    bool            // refuses the keys
	misSigns  bool            // signs its answers wrongly
	silence   map[string]any  // the answer of a form on which no card was tried; nil: see untried
	startBody map[string]any  // of the last start
}

// form is one hosted form.
type form struct {
	token, ref string
	back       string // the callback address
	price      money.Decimal
	currency   string
	ends       time.Time
	tries      []*try
	isGone     bool // iyzico knows nothing of it any more
	failsPlain bool // a refused card is told with status success and paymentStatus FAILURE
}

// try is one card on a form.
type try struct {
	id            string
	status, fraud string
	code, text    string
	paid          money.Decimal
	currency      string
	at            time.Time
	cancels       []back
	refunds       []back
	isFinal       bool // can neither be canceled nor refunded
	isGivingBack  bool // an earlier cancel or refund is still under way
	bankClosed    bool // can't be canceled any more
}

type back struct {
	ref    string
	amount money.Decimal
	status string
}

func newBank(api, secret string, now func() time.Time) *bank {
	return &bank{api: api, secret: secret, now: now, randoms: map[string]bool{}, refuses: map[string]bool{}, serial: 25149156}
}

func (b *bank) mac(parts ...string) string {
	m := hmac.New(sha256.New, []byte(b.secret))
	m.Write([]byte(strings.Join(parts, "")))
	return hex.EncodeToString(m.Sum(nil))
}

// signed adds the signature over the values, joined with colons.
func (b *bank) signed(fields map[string]any, values ...string) map[string]any {
	fields["signature"] = b.mac(strings.Join(values, ":"))
	if b.misSigns {
		fields["signature"] = b.mac("something else")
	}
	return fields
}

// ServeHTTP implements http.Handler.
func (b *bank) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	answer, problem := b.answer(r, body)
	if problem != nil {
		answer = problem
	}
	answer["locale"], answer["systemTime"] = "en", b.now().UnixMilli()
	text, err := json.Marshal(answer)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json;charset=UTF-8")
	w.Write(text)
}

func failed(code, text string) map[string]any {
	return map[string]any{"status": "failure", "errorCode": code, "errorMessage": text}
}

// untried is the answer of a form on which no card was tried: a failure with a message (iyzipay-java and iyzipay-dotnet,
// CheckoutFormTest). Of which code no source says; this one is in no list.
func untried() map[string]any { return failed("5211", "Checkout form is not completed") }

func (b *bank) answer(r *http.Request, body []byte) (answer, problem map[string]any) {
	if r.Method+" "+r.URL.Path == "GET /payment/test" { // no key is asked for
		return map[string]any{"status": "success"}, nil
	}
	if problem := b.authenticate(r, body); problem != nil {
		return nil, problem
	}
	var in map[string]any
	if r.Method == http.MethodPost && json.Unmarshal(body, &in) != nil {
		return nil, failed("11", "Invalid request")
	}
	switch r.Method + " " + r.URL.Path {
	case "POST /payment/iyzipos/checkoutform/initialize/auth/ecom":
		return b.start(in)
	case "POST /payment/iyzipos/checkoutform/auth/ecom/detail":
		return b.detail(in)
	case "POST /payment/cancel":
		return b.cancel(in)
	case "POST /v2/payment/refund":
		return b.refund(in)
	case "GET /v2/reporting/payment/details":
		return b.details(r.URL.Query().Get("paymentConversationId"), r.URL.Query().Get("paymentId")), nil
	case "GET /v2/reporting/payment/transactions":
		return b.listing(r.URL.Query().Get("transactionDate"), r.URL.Query().Get("page"))
	}
	return nil, failed("11", "Invalid request")
}

// authenticate checks the scheme IYZWSv2: over the random text, the path without its query, and the exact body.
func (b *bank) authenticate(r *http.Request, body []byte) map[string]any {
	scheme, encoded, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	raw, err := base64.StdEncoding.DecodeString(encoded)
	random := r.Header.Get("x-iyzi-rnd")
	want := "apiKey:" + b.api + "&randomKey:" + random + "&signature:" + b.mac(random, r.URL.Path, string(body))
	switch {
	case b.isShut, !strings.HasPrefix(string(raw), "apiKey:"+b.api+"&"):
		return failed("1001", "api credentials not found")
	case scheme != "IYZWSv2", err != nil, string(raw) != want, random == "", b.randoms[random]:
		return failed("1000", "Invalid signature")
	}
	b.randoms[random] = true
	return nil
}

// byRef finds the latest form of a reference.
func (b *bank) byRef(ref string) *form {
	for i := len(b.forms) - 1; i >= 0; i-- {
		if b.forms[i].ref == ref && !b.forms[i].isGone {
			return b.forms[i]
		}
	}
	return nil
}

func (b *bank) byToken(token string) *form {
	for _, f := range b.forms {
		if f.token == token && !f.isGone {
			return f
		}
	}
	return nil
}

func (b *bank) byPayment(id string) (*form, *try) {
	for _, f := range b.forms {
		for _, t := range f.tries {
			if t.id == id && !f.isGone {
				return f, t
			}
		}
	}
	return nil, nil
}

// last is the try that counts: one that succeeded, otherwise the last.
func (f *form) last() *try {
	for _, t := range f.tries {
		if t.status == "SUCCESS" {
			return t
		}
	}
	if len(f.tries) == 0 {
		return nil
	}
	return f.tries[len(f.tries)-1]
}

// number is an amount as iyzico's JSON has it: with zeros that JavaScript would not print.
func number(d money.Decimal) json.Number { return json.Number(d.Fixed(2)) }

// kit is what the conformance kit turns and asks.
func (b *bank) deposits(ref gateway.Ref) []gateway.Money {
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []gateway.Money
	for _, f := range b.forms {
		if f.ref == string(ref) {
			all = append(all, gateway.Money{Amount: f.price, Asset: gateway.TRY})
		}
	}
	return all
}

func (b *bank) mutationsSoFar() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.writes
}
