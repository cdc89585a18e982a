// Package plugkit helps to write a gateway: calls over JSON with failures already classified, signatures, and tables
// for a gateway's status and error words.
package plugkit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/ports"
)

// Client calls a gateway's JSON API.
type Client struct {
	HTTP    ports.Doer
	BaseURL string // without a slash at its end
	// Session gives the token that each request carries as Authorization: Bearer (RFC 6750); nil: none does.
	Session *Session
	// Sign adds what authenticates a request, over its exact body; nil: nothing.
	Sign func(r *gateway.Request) error
	// Explain turns an answer into the gateway's own failure; nil, or a nil error, leaves it to Classify. It is asked for
	// every answer, since some gateways report a failure with status 200.
	Explain func(r gateway.Response) error
}

// Call sends in as JSON (nil: no body) and decodes the answer into out (nil: it is not looked at). Every error is a
// *gateway.Error.
func (c *Client) Call(ctx context.Context, method, path string, in, out any) error {
	request := gateway.Request{Method: method, URL: c.BaseURL + path, Header: gateway.Header{{Name: "Accept", Value: "application/json"}}}
	if in != nil {
		body, err := encode(in)
		if err != nil {
			return &gateway.Error{Class: gateway.Invalid, Effect: gateway.EffectNone, Err: err}
		}
		request.Body = body
		request.Header = append(request.Header, gateway.Field{Name: "Content-Type", Value: "application/json"})
	}
	return c.Send(ctx, request, out)
}

// Send signs and sends a request that is ready, and decodes the answer into out.
func (c *Client) Send(ctx context.Context, request gateway.Request, out any) error {
	if c.Session == nil {
		return c.send(ctx, request, out)
	}
	return c.Session.do(ctx, func(token string) error {
		authorized := request
		authorized.Header = append(slices.Clone(request.Header), gateway.Field{Name: "Authorization", Value: "Bearer " + token})
		return c.send(ctx, authorized, out)
	})
}

func (c *Client) send(ctx context.Context, request gateway.Request, out any) error {
	if c.Sign != nil {
		if err := c.Sign(&request); err != nil {
			return &gateway.Error{Class: gateway.Misconfigured, Effect: gateway.EffectNone, Err: err}
		}
	}
	response, err := c.HTTP.Do(ctx, request)
	if err != nil {
		return err
	}
	if c.Explain != nil {
		if err := c.Explain(response); err != nil {
			return err
		}
	}
	if err := Classify(response); err != nil {
		return err
	}
	if out == nil {
		return nil
	}
	if err := Decode(response.Body, out); err != nil {
		return err
	}
	return whole(out, response.Body)
}

// Checker is an answer that says what it lacks. An empty object is JSON, too, and would read as no orders, no balance or a rate
// of nothing.
type Checker interface {
	// Lacks names the field that is missing; empty: none is.
	Lacks() string
}

// IsAbout holds an answer to the order that it was asked for: the answer about another one must never be believed. What
// became of ours is not known then.
func IsAbout(got string, want gateway.Ref) error {
	if got == string(want) {
		return nil
	}
	return &gateway.Error{
		Class: gateway.Retryable, Effect: gateway.EffectUnknown, RawCode: "other_reference", RawText: Excerpt([]byte(got)),
		Err: errors.New("the answer is about another order"),
	}
}

// IsFor holds the amount that an answer names to the one that was ordered: a customer must not be shown another.
func IsFor(got, want gateway.Money) error {
	if got.IsSameAsset(want) && got.Amount == want.Amount {
		return nil
	}
	return &gateway.Error{
		Class: gateway.Retryable, Effect: gateway.EffectUnknown, RawCode: "other_amount", RawText: got.String(),
		Err: errors.New("the answer is of another amount"),
	}
}

func whole(out any, body []byte) error {
	c, ok := out.(Checker)
	if !ok || c.Lacks() == "" {
		return nil
	}
	return &gateway.Error{
		Class: gateway.Retryable, Effect: gateway.EffectUnknown, RawText: Excerpt(body),
		Err: fmt.Errorf("the answer has no %s", c.Lacks()),
	}
}

// encode writes JSON without escaping <, > and &, which some gateways sign.
func encode(in any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(in)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// Decode reads one JSON value. Numbers that go into an any stay json.Number. What is no JSON (an HTML page, half an
// answer) is retryable with unknown effect: the gateway may have acted.
func Decode(body []byte, out any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	err := d.Decode(out)
	if _, end := d.Token(); err == nil && !errors.Is(end, io.EOF) {
		err = errors.New("something follows the JSON value")
	}
	if err != nil {
		return &gateway.Error{
			Class: gateway.Retryable, Effect: gateway.EffectUnknown, RawText: Excerpt(body),
			Err: fmt.Errorf("the answer is not the JSON that was expected: %w", err),
		}
	}
	return nil
}

// Classify is the meaning of a status for most gateways; nil for 2xx. A redirect is never followed: it is a
// misconfigured host. A web page that was not found says nothing of an order.
func Classify(r gateway.Response) error {
	e := &gateway.Error{Effect: gateway.EffectNone, RawCode: strconv.Itoa(r.Status), RawText: Excerpt(r.Body)}
	switch {
	case r.Status == 404 && isPage(r): // of a proxy that does not reach the gateway: that is no word about an order
		e.Class, e.Effect = gateway.Retryable, gateway.EffectUnknown
	case r.Status >= 200 && r.Status < 300:
		return nil
	case r.Status == 429:
		e.Class, e.RetryAfter = gateway.RateLimited, RetryAfter(r)
	case r.Status == 401 || r.Status == 403 || r.Status >= 300 && r.Status < 400:
		e.Class = gateway.Misconfigured
	case r.Status == 404:
		e.Class = gateway.NotFound
	case r.Status == 409:
		e.Class, e.Effect = gateway.Conflicting, gateway.EffectUnknown
	case r.Status == 503 && r.Header.Get("Retry-After") != "":
		e.Class, e.RetryAfter = gateway.Maintenance, RetryAfter(r)
		e.Effect = gateway.EffectUnknown
	case r.Status >= 400 && r.Status < 500 && r.Status != 408:
		e.Class = gateway.Invalid
	default: // 5xx, 408, and what is no status at all: it may have acted before it failed
		e.Class, e.Effect = gateway.Retryable, gateway.EffectUnknown
	}
	return e
}

// isPage reports whether an answer is a page for people. What it says was not said by the gateway's API.
func isPage(r gateway.Response) bool {
	body := bytes.ToLower(bytes.TrimSpace(r.Body[:min(len(r.Body), maxExcerptBytes)]))
	return bytes.HasPrefix(body, []byte("<!doctype html")) || bytes.HasPrefix(body, []byte("<html"))
}

// maxRetryAfterSeconds keeps a gateway's number within reason.
const maxRetryAfterSeconds = 24 * 60 * 60

// RetryAfter reads the header of that name in seconds; 0 when there is none.
func RetryAfter(r gateway.Response) time.Duration {
	seconds, err := strconv.ParseUint(strings.TrimSpace(r.Header.Get("Retry-After")), 10, 64)
	if err != nil {
		return 0
	}
	return time.Duration(min(seconds, maxRetryAfterSeconds)) * time.Second
}

// maxExcerptBytes is how much of an answer is kept for people.
const maxExcerptBytes = 300

// Excerpt is the beginning of an answer in one line of clean text, for an error's RawText.
func Excerpt(body []byte) string {
	body = body[:min(len(body), maxExcerptBytes)]
	return strings.Join(strings.Fields(lang.Clean(string(body))), " ")
}

// Path escapes the parts of a path: Path("payments", id) is "/payments/…".
func Path(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString("/" + url.PathEscape(p))
	}
	return b.String()
}
