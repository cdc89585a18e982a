package stripe

import (
	"context"
	"encoding/json"
	"net/url"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// Paths of Stripe's collections.
const (
	pathSessions = "/v1/checkout/sessions"
	pathIntents  = "/v1/payment_intents"
	pathRefunds  = "/v1/refunds"
)

// Names of our references in Stripe's metadata.
const (
	metaRef    = "vezne_ref"
	metaRefund = "vezne_refund"

	metaEvidence = "vezne_evidence" // the key of evidence
)

func (g *Gateway) get(ctx context.Context, path string, query url.Values, out any) error {
	return get(ctx, g.client, path, query, out)
}

func get(ctx context.Context, client plugkit.Client, path string, query url.Values, out any) error {
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return client.Call(ctx, "GET", path, nil, out)
}

// post sends a form. The same key with the same form is carried out once.
func (g *Gateway) post(ctx context.Context, path string, key gateway.Key, form url.Values, out any) error {
	return post(ctx, g.client, path, key, form, out)
}

func post(ctx context.Context, client plugkit.Client, path string, key gateway.Key, form url.Values, out any) error {
	r := gateway.Request{Method: "POST", URL: client.BaseURL + path, Body: []byte(form.Encode()), Header: gateway.Header{
		{Name: "Accept", Value: "application/json"}, {Name: "Content-Type", Value: "application/x-www-form-urlencoded"},
	}}
	if key != "" {
		r.Header = append(r.Header, gateway.Field{Name: "Idempotency-Key", Value: string(key)})
	}
	return client.Send(ctx, r, out)
}

// failure is Stripe's error: of a request, or of the card that was tried last.
type failure struct {
	Type        string `json:"type"`
	Code        string `json:"code"`
	DeclineCode string `json:"decline_code"`
	Message     string `json:"message"`
}

// raw is the more exact of the two codes.
func (f failure) raw() string {
	if f.DeclineCode != "" {
		return f.DeclineCode
	}
	return f.Code
}

// explain finds Stripe's own error. Its code says what the status does not, but a fault of Stripe's stays one.
func explain(r gateway.Response) error {
	var a struct{ Error failure }
	byStatus := plugkit.Classify(r)
	if byStatus == nil || json.Unmarshal(r.Body, &a) != nil || a.Error.Type == "" {
		return byStatus
	}
	e, code := gateway.ErrorOf(byStatus), a.Error.raw()
	meaning, isListed := failures[code]
	switch {
	case r.Status >= 500 || e.Class == gateway.RateLimited || e.Class == gateway.Misconfigured:
	case isListed:
		e = failures.Error(code, a.Error.Message, false)
	case a.Error.Type == "card_error":
		e = failures.Error(code, a.Error.Message, true)
	case a.Error.Type == "idempotency_error":
		e.Class, e.Effect = gateway.Conflicting, gateway.EffectUnknown
	case a.Error.Type != "invalid_request_error" || r.Status == 424:
		e.Class, e.Effect = gateway.Retryable, gateway.EffectUnknown
	}
	if isListed && meaning.Class == gateway.RateLimited {
		e.RetryAfter = plugkit.RetryAfter(r)
	}
	if code != "" {
		e.RawCode = code
	}
	e.RawText = plugkit.Excerpt([]byte(a.Error.Message))
	return e
}

// expandable is an object that Stripe gives whole where it was asked to, and else by its id.
type expandable[T any] struct {
	id     string
	object *T
}

// UnmarshalJSON implements json.Unmarshaler.
func (x *expandable[T]) UnmarshalJSON(raw []byte) error {
	if len(raw) > 0 && raw[0] == '"' {
		return json.Unmarshal(raw, &x.id)
	}
	var named struct{ ID string }
	if err := json.Unmarshal(raw, &named); err != nil {
		return err
	}
	x.id = named.ID
	return json.Unmarshal(raw, &x.object)
}

// list is a page of a collection or of a search.
type list[T any] struct {
	Data    []T   `json:"data"`
	HasMore *bool `json:"has_more"`
}

// Lacks implements plugkit.Checker.
func (l *list[T]) Lacks() string {
	if l.HasMore == nil {
		return "has_more"
	}
	return ""
}

// page is how many objects are asked for at a time: the most that Stripe gives.
const page = "100"
