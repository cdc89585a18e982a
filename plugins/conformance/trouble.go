package conformance

import (
	"bytes"
	"errors"
	"time"

	"github.com/vezne/vezne/core/gateway"
)

// trouble is something that goes wrong between the plugin and its gateway.
type trouble struct {
	says    string
	acts    bool // the gateway gets the request, and does as it is told, before this happens
	answer  func(real gateway.Response) (gateway.Response, error)
	classes []gateway.Class // what the plugin may call it
	effect  gateway.Effect  // what it must say of the effect of a call that changes something
}

// retryAfter is what a gateway that is asked too often says.
const retryAfter = 7 * time.Second

func troubles() []trouble {
	isDown := []gateway.Class{gateway.Retryable, gateway.Maintenance}
	isWrong := []gateway.Class{gateway.Misconfigured, gateway.Unauthenticated}
	list := []trouble{
		{"a connection that can't be made", false, fails(gateway.EffectNone, "connection refused"), isDown, gateway.EffectNone},
		{"status 429", false, answers(429, "application/json", `{"error":"too many requests"}`),
			[]gateway.Class{gateway.RateLimited}, gateway.EffectNone},
		{"status 401", false, answers(401, "application/json", `{"error":"unauthorized"}`), isWrong, gateway.EffectNone},
	}
	for _, unclear := range []trouble{
		{says: "no answer in time", answer: fails(gateway.EffectUnknown, "no answer in time")},
		{says: "a connection that is cut within the answer", answer: fails(gateway.EffectUnknown, "unexpected EOF")},
		{says: "status 500 without a body", answer: answers(500, "", "")},
		{says: "status 500 with JSON", answer: answers(500, "application/json",
			`{"status":"failed","state":"failed","code":"internal","error":"internal","message":"something went wrong"}`)},
		{says: "a proxy's page with status 502", answer: answers(502, "text/html", page)},
		{says: "a proxy's page with status 200", answer: answers(200, "text/html", page)},
		{says: "half an answer", answer: half},
	} {
		unclear.acts, unclear.classes, unclear.effect = true, isDown, gateway.EffectUnknown
		list = append(list, unclear)
	}
	return list
}

// page is what proxies and firewalls answer in the gateway's place.
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

// half cuts the true answer in two. Where there is nothing to cut, nothing came.
func half(real gateway.Response) (gateway.Response, error) {
	if len(real.Body) < 2 {
		return fails(gateway.EffectUnknown, "unexpected EOF")(real)
	}
	real.Body = bytes.Clone(real.Body[:len(real.Body)/2])
	return real, nil
}
