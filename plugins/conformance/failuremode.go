package conformance

import (
	"bytes"
	"errors"
	"time"

	"github.com/vezne/vezne/core/gateway"
)

// failureMode is one way in which a call between a plugin and its gateway fails.
type failureMode struct {
	name        string
	isDelivered bool            // the gateway gets the request and carries it out before the failure
	classes     []gateway.Class // what the plugin may report
	// answer is what the plugin gets. Nil: the fake refuses the plugin's keys.
	answer func(real gateway.Response) (gateway.Response, error)
}

// effect is what a plugin must report of a call that changes something.
func (m failureMode) effect() gateway.Effect {
	if m.isDelivered {
		return gateway.EffectUnknown
	}
	return gateway.EffectNone
}

// refusedKeys names the failure mode in which the gateway itself answers that the keys are wrong.
const refusedKeys = "refused keys"

// emptyObject names the failure mode in which an answer says nothing.
const emptyObject = "status 200 with an empty object"

// retryAfter is the Retry-After of status 429.
const retryAfter = 7 * time.Second

func failureModes() []failureMode {
	isDown := []gateway.Class{gateway.Retryable, gateway.Maintenance}
	isLimited := []gateway.Class{gateway.RateLimited}
	isWrong := []gateway.Class{gateway.Misconfigured, gateway.Unauthenticated}
	const internal = `{"status":"failed","state":"failed","code":"internal","error":"internal","message":"it went wrong"}`
	return []failureMode{
		{"a connection that can't be made", false, isDown, fails(gateway.EffectNone, "connection refused")},
		{"status 429", false, isLimited, answers(429, "application/json", `{"error":"too many requests"}`)},
		{"status 401", false, isWrong, answers(401, "application/json", `{"error":"unauthorized"}`)},
		{"status 302 to another host", false, isWrong, redirects},
		{"no answer in time", true, isDown, fails(gateway.EffectUnknown, "no answer in time")},
		{"a connection that is cut within the answer", true, isDown, fails(gateway.EffectUnknown, "unexpected EOF")},
		{"status 500 without a body", true, isDown, answers(500, "", "")},
		{"status 500 with JSON", true, isDown, answers(500, "application/json", internal)},
		{"a proxy's page with status 502", true, isDown, answers(502, "text/html", page)},
		{"a proxy's page with status 404", true, isDown, answers(404, "text/html", page)},
		{"a proxy's page with status 200", true, isDown, answers(200, "text/html", page)},
		{"half an answer", true, isDown, half},
		{emptyObject, true, append(isDown, gateway.Misconfigured), emptied},
		{refusedKeys, false, isWrong, nil}, // the last, as the fake never takes them again
	}
}

// page is what proxies and firewalls answer instead of the gateway.
const page = "<!DOCTYPE html><html><head><title>Paid attention?</title></head><body><h1>Bad gateway</h1>\n" +
	"<p>The success of your request is unknown: status=failed</p></body></html>"

func fails(effect gateway.Effect, why string) func(gateway.Response) (gateway.Response, error) {
	return func(gateway.Response) (gateway.Response, error) {
		return gateway.Response{}, &gateway.Error{Class: gateway.Retryable, Effect: effect, Err: errors.New(why)}
	}
}

func answers(status int, contentType, body string) func(gateway.Response) (gateway.Response, error) {
	r := gateway.Response{Status: status, Body: []byte(body)}
	if contentType != "" {
		r.Header = append(r.Header, gateway.Field{Name: "Content-Type", Value: contentType})
	}
	if status == 429 {
		r.Header = append(r.Header, gateway.Field{Name: "Retry-After", Value: "7"})
	}
	return func(gateway.Response) (gateway.Response, error) { return r, nil }
}

// redirects answers as what stands before a gateway does, or who took its name. The Doer follows nothing, and neither may a plugin.
func redirects(gateway.Response) (gateway.Response, error) {
	return gateway.Response{Status: 302, Header: gateway.Header{
		{Name: "Content-Type", Value: "text/html"}, {Name: "Location", Value: "https://elsewhere.example.com/v1/orders?status=paid"},
	}, Body: []byte("<a href=\"https://elsewhere.example.com/v1/orders\">Found</a>")}, nil
}

// half cuts the true answer in two. An answer that is too short for that is lost.
func half(real gateway.Response) (gateway.Response, error) {
	if len(real.Body) < 2 {
		return fails(gateway.EffectUnknown, "unexpected EOF")(real)
	}
	real.Body = bytes.Clone(real.Body[:len(real.Body)/2])
	return real, nil
}

// emptied is an answer that says nothing. Where the true one says nothing either, it is lost.
func emptied(real gateway.Response) (gateway.Response, error) {
	if len(bytes.Trim(real.Body, " {}[]\n")) == 0 {
		return fails(gateway.EffectUnknown, "unexpected EOF")(real)
	}
	real.Body = []byte("{}")
	return real, nil
}

// checkFailure checks the error of a call that failed in a mode.
func (w *world) checkFailure(what string, err error, m failureMode) {
	if err == nil {
		w.t.Errorf("%s succeeded though it met %s: check status, content and envelope of every answer before it is believed",
			what, m.name)
		return
	}
	failure := gateway.ErrorOf(err)
	w.check(isOneOf(failure.Class, m.classes...), "%s that meets %s is of class %q, and must be one of %q (%v). Wrong keys are "+
		"for staff; the customer must not be told of a decline", what, m.name, failure.Class, m.classes, err)
	w.check(failure.Class != gateway.RateLimited || failure.RetryAfter == retryAfter,
		"%s that meets %s must give the Retry-After of the answer, %s, in RetryAfter and not %s", what, m.name, retryAfter,
		failure.RetryAfter)
}

// meet makes calls fail in a mode from now on, as transport.fail.
func (w *world) meet(m failureMode, acted func() bool) {
	switch {
	case m.answer != nil:
		w.transport.fail(m, acted)
	case w.fake.RefuseCredentials == nil:
		w.t.Fatal("Fake.RefuseCredentials is missing: every gateway refuses wrong keys")
	default:
		w.fake.RefuseCredentials()
	}
}
