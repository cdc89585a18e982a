package iyzico

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// Paths of the reading calls, which iyzico does not sign.
const (
	pathDetails = "/v2/reporting/payment/details"
	pathListing = "/v2/reporting/payment/transactions"
)

// call is one of iyzico's calls.
type call struct {
	path  string
	signs []string // the answer's fields that its signature covers, in order
	// unlessWithout: an answer without this field may come without a signature. Empty: it must have one.
	unlessWithout string
	// isQuestion: what the tables lack is no answer. Otherwise it is a refusal: iyzico did not do what was asked.
	isQuestion bool
}

var (
	startForm = call{path: "/payment/iyzipos/checkoutform/initialize/auth/ecom", signs: []string{"conversationId", "token"}}
	readForm  = call{
		path: "/payment/iyzipos/checkoutform/auth/ecom/detail",
		signs: []string{
			"paymentStatus", "paymentId", "currency", "basketId", "conversationId", "paidPrice", "price", "token",
		},
		unlessWithout: "paymentStatus",
	}
	refundPayment = call{path: "/v2/payment/refund", signs: []string{"paymentId", "price", "currency", "conversationId"}}
	cancelPayment = call{path: "/payment/cancel"}
	readReport    = call{isQuestion: true}
)

// post makes a call and checks the signature of its answer.
func (g *Gateway) post(ctx context.Context, c call, in any) (answer, error) {
	client := g.client
	client.Explain = c.explain
	var a answer
	if err := client.Call(ctx, "POST", c.path, in, &a); err != nil {
		return nil, err
	}
	if err := isAnswer(a.text("status")); err != nil {
		return nil, err
	}
	return a, g.check(c, a)
}

// get asks a reading call. It sends no body, and signs none.
func (g *Gateway) get(ctx context.Context, path string, out *report) error {
	client := g.client
	client.Explain = readReport.explain
	if err := client.Call(ctx, "GET", path, nil, out); err != nil {
		return gateway.ErrorOf(err)
	}
	return isAnswer(string(out.Status))
}

func isAnswer(status string) error {
	if strings.EqualFold(status, "success") {
		return nil
	}
	return plugkit.Distrust(gateway.Retryable, "the answer does not say whether it is a success")
}

// failure is an answer whose status is failure, which often comes with HTTP 200.
type failure struct {
	cause    *gateway.Error
	answer   answer
	isListed bool // its code or group is in the tables
}

func (f *failure) Error() string { return f.cause.Error() }
func (f *failure) Unwrap() error { return f.cause }

// explain finds a failure in an answer of any HTTP status, before anything else is looked at.
func (c call) explain(r gateway.Response) error {
	var a answer
	if plugkit.Decode(r.Body, &a) != nil || !strings.EqualFold(a.text("status"), "failure") {
		return nil
	}
	code, text := a.text("errorCode"), a.text("errorMessage")
	meaning, isListed := meaningOf(code, a.text("errorGroup"))
	if !isListed {
		meaning.Class, meaning.Effect = c.unlisted(r)
	}
	if a.text("retryable") == "true" && meaning.Class != gateway.RateLimited {
		meaning = unknown() // iyzico does not say that nothing was done
	}
	e := plugkit.Failures{code: meaning}.Error(code, text, false)
	if e.Class == gateway.RateLimited {
		e.RetryAfter = max(plugkit.RetryAfter(r), time.Minute) // the limits are per minute
	}
	return &failure{e, a, isListed}
}

// unlisted says what a failure is that the tables lack.
func (c call) unlisted(r gateway.Response) (gateway.Class, gateway.Effect) {
	if err := plugkit.Classify(r); err != nil {
		e := gateway.ErrorOf(err)
		return e.Class, e.Effect
	}
	if c.isQuestion {
		return gateway.Retryable, gateway.EffectUnknown
	}
	return gateway.Invalid, gateway.EffectNone
}

// answer is a JSON object as it came: what is signed is looked up by its name.
type answer map[string]json.RawMessage

// text is a field's text, number or boolean; anything else is nothing.
func (a answer) text(name string) string {
	var t plugkit.Text
	if t.UnmarshalJSON(a[name]) != nil {
		return ""
	}
	return string(t)
}
