package ccpayment

import (
	"context"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// Paths of the API.
const (
	pathToken  = "/api/token"
	pathLink   = "/purchase/link"
	pathStatus = "/api/checkstatus"
	pathRefund = "/api/refund"
)

// post calls the API with the session's token.
func (g *Gateway) post(ctx context.Context, path string, explain func(gateway.Response) error, in map[string]any, out any) error {
	in["merchant_key"] = g.merchant()
	client := plugkit.Client{HTTP: g.http, BaseURL: g.baseURL, Session: g.session, Explain: explain}
	return client.Call(ctx, "POST", path, in, out)
}

// envelope is what every answer has.
type envelope struct {
	Code        plugkit.Text `json:"status_code"`
	Description plugkit.Text `json:"status_description"`
	Message     plugkit.Text `json:"message"`
}

func (e envelope) text() string {
	if e.Description != "" {
		return string(e.Description)
	}
	return string(e.Message)
}

// Codes that are no failures.
const (
	codeDone    = "100"
	codeCreated = "101" // of a refund, which a person carries out
)

// explain finds a failure in an answer, most of which have status 200.
func explain(r gateway.Response) error {
	var e envelope
	if r.Status >= 500 || plugkit.Decode(r.Body, &e) != nil || e.Code == "" || e.Code == codeDone {
		return nil
	}
	return e.failure(r)
}

// failure is what a code means. One that the table lacks is unknown, unless the HTTP status says more.
func (e envelope) failure(r gateway.Response) error {
	code := string(e.Code)
	if _, isListed := failures[code]; !isListed {
		if err := plugkit.Classify(r); err != nil {
			return err
		}
	}
	return failures.Error(code, e.text(), false)
}

// explainRefund is explain of a refund, which may be only created.
func explainRefund(r gateway.Response) error {
	err := explain(r)
	if err != nil && gateway.ErrorOf(err).RawCode == codeCreated {
		return nil
	}
	return err
}
