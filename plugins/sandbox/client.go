package sandbox

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"net/url"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// sign authenticates a request: X-Sandbox-Key says who asks, X-Sandbox-Signature covers method, path and body.
func (g *Gateway) sign(r *gateway.Request) error {
	u, err := url.Parse(r.URL)
	if err != nil {
		return err
	}
	signature := requestSignature(g.config.Text(apiSecret), r.Method, u.RequestURI(), r.Body)
	r.Header = append(r.Header,
		gateway.Field{Name: "X-Sandbox-Key", Value: g.config.Text(apiKey)},
		gateway.Field{Name: "X-Sandbox-Signature", Value: signature})
	return nil
}

// requestSignature is the hex HMAC-SHA256 of method, path and body, with line feeds between them.
func requestSignature(secret, method, path string, body []byte) string {
	return hex.EncodeToString(plugkit.HMAC256(secret, method, "\n", path, "\n", string(body)))
}

// get asks; it changes nothing.
func (g *Gateway) get(ctx context.Context, path string, out any) error {
	return g.api.Call(ctx, "GET", path, nil, out)
}

// post orders something, under a key that makes it safe to send again.
func (g *Gateway) post(ctx context.Context, path string, key gateway.Key, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return &gateway.Error{Class: gateway.Invalid, Effect: gateway.EffectNone, Err: err}
	}
	return g.api.Send(ctx, gateway.Request{
		Method: "POST", URL: g.api.BaseURL + path, Body: body,
		Header: gateway.Header{
			{Name: "Accept", Value: "application/json"},
			{Name: "Content-Type", Value: "application/json"},
			{Name: "Idempotency-Key", Value: string(key)},
		},
	}, out)
}

// explain finds the sandbox's own failure in an answer of any status: {"error": {"code", "message", "declined"}}.
// An answer without one is left to its status.
func explain(r gateway.Response) error {
	var answer struct {
		Error *struct {
			Code     string `json:"code"`
			Message  string `json:"message"`
			Declined bool   `json:"declined"`
		} `json:"error"`
	}
	if json.Unmarshal(r.Body, &answer) != nil || answer.Error == nil {
		return nil
	}
	e := failures.Error(answer.Error.Code, answer.Error.Message, answer.Error.Declined)
	e.RetryAfter = plugkit.RetryAfter(r)
	return e
}
