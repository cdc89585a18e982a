package paytr

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strings"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/plugkit"
)

// Paths of PayTR's services.
const (
	pathToken  = "/odeme/api/get-token"
	pathStatus = "/odeme/durum-sorgu"
	pathRefund = "/odeme/iade"
)

// post sends a form and reads the answer of a service, whose own table says what a failure means.
func (g *Gateway) post(ctx context.Context, path string, table plugkit.Failures, form url.Values, out any) error {
	form.Set("merchant_id", g.merchant)
	client := g.client
	client.Explain = func(r gateway.Response) error { return explain(r, table) }
	return client.Send(ctx, gateway.Request{
		Method: "POST", URL: client.BaseURL + path, Body: []byte(form.Encode()), Header: gateway.Header{
			{Name: "Accept", Value: "application/json"}, {Name: "Content-Type", Value: "application/x-www-form-urlencoded"},
		},
	}, out)
}

// envelope is what every answer has.
type envelope struct {
	Status string `json:"status"`
	Code   text   `json:"err_no"`
	Text   string `json:"err_msg"`
	Reason string `json:"reason"` // of a token
}

// explain finds a failure in an answer of any HTTP status. One that the table lacks is unknown.
func explain(r gateway.Response, table plugkit.Failures) error {
	var a envelope
	if plugkit.Decode(r.Body, &a) != nil || a.Status != "error" && a.Status != "failed" {
		return nil
	}
	code, message := string(a.Code), a.Text
	if code == "" {
		code, message = codeOf(a.Reason), a.Reason
	}
	if meaning, isListed := table[code]; isListed {
		return plugkit.Failures{code: meaning}.Error(code, message, false)
	}
	if err := plugkit.Classify(r); err != nil {
		return err
	}
	return plugkit.Failures{}.Error(code, message, false)
}

// codeOf is the beginning of the reason for which a token is refused, which has no number.
func codeOf(reason string) string {
	for text := range tokens {
		if strings.HasPrefix(strings.TrimPrefix(reason, "PAYTR IFRAME failed. reason:"), text) {
			return text
		}
	}
	return plugkit.Excerpt([]byte(reason))
}

// text is a JSON string or number: PayTR writes amounts as either.
type text string

// UnmarshalJSON implements json.Unmarshaler.
func (t *text) UnmarshalJSON(raw []byte) error {
	raw = bytes.TrimSpace(raw)
	switch {
	case bytes.Equal(raw, []byte("null")):
	case len(raw) > 0 && raw[0] == '"':
		return json.Unmarshal(raw, (*string)(t))
	case len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9'):
		*t = text(raw)
	default:
		return errors.New("neither a text nor a number")
	}
	return nil
}

// amount reads lira: PayTR writes "10,8", 1 and "149.90". With both marks nobody knows which one is of the thousands.
func (t text) amount() (money.Decimal, error) {
	s := string(t)
	if strings.Count(s, ",")+strings.Count(s, ".") > 1 {
		return money.Decimal{}, plugkit.Distrust(gateway.Retryable, "an amount can't be read")
	}
	d, err := money.ParseDecimal(strings.Replace(s, ",", ".", 1))
	if err != nil || d.Sign() < 0 || d.Places() > gateway.TRY.Decimals {
		return money.Decimal{}, plugkit.Distrust(gateway.Retryable, "an amount can't be read")
	}
	return d, nil
}
