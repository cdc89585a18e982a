// Package apidoctest holds real requests, answers and callbacks against the OpenAPI description: what it does not
// describe, be it a path, a status, a header or a field, fails the test.
package apidoctest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"github.com/vezne/vezne/adapters/rest/apidoc"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/payment"
)

// common are the headers of every answer, which need no description of their own.
var common = []string{
	"Content-Type", "Content-Length", "Date", "Cache-Control", "Vary",
	"X-Content-Type-Options", "Referrer-Policy", "X-Frame-Options", "Content-Security-Policy",
}

// Document is the description, loaded and valid. It is safe for concurrent use.
type Document struct{ doc *openapi3.T }

// Load reads the embedded description and holds it against OpenAPI 3.1, its examples against their schemas too.
func Load(t testing.TB) *Document {
	t.Helper()
	doc, err := load()
	if err != nil {
		t.Fatalf("the description is not valid: %v", err)
	}
	return &Document{doc: doc}
}

// load loads once: every test asks for it.
var load = sync.OnceValues(func() (*openapi3.T, error) {
	closed, err := closed(apidoc.OpenAPI(lang.EN))
	if err != nil {
		return nil, err
	}
	doc, err := openapi3.NewLoader().LoadFromData(closed)
	if err != nil {
		return nil, err
	}
	if !doc.IsOpenAPI31OrLater() {
		return nil, fmt.Errorf("it is OpenAPI %s", doc.OpenAPI)
	}
	return doc, doc.Validate(context.Background())
})

// closed is the description with every object of an answer or a callback closed. Integrators are told that fields may come; a field
// that nobody has described is a mistake of ours all the same.
func closed(description []byte) ([]byte, error) {
	var doc map[string]any
	if err := json.Unmarshal(description, &doc); err != nil {
		return nil, err
	}
	components, _ := doc["components"].(map[string]any)
	schemas, _ := components["schemas"].(map[string]any)
	for name, schema := range schemas {
		if !strings.HasSuffix(name, "Request") {
			closeObjects(schema)
		}
	}
	return json.Marshal(doc)
}

func closeObjects(node any) {
	switch node := node.(type) {
	case map[string]any:
		if node["type"] == "object" && node["properties"] != nil {
			node["additionalProperties"] = false
		}
		for _, inner := range node {
			closeObjects(inner)
		}
	case []any:
		for _, inner := range node {
			closeObjects(inner)
		}
	}
}

// Operations lists what is described, as "POST /api/provider/welcome", in order.
func (d *Document) Operations() []string {
	var found []string
	for path, item := range d.doc.Paths.Map() {
		for method := range item.Operations() {
			found = append(found, method+" "+path)
		}
	}
	slices.Sort(found)
	return found
}

// Check holds an answer against the description, and the request too when it was taken.
func (d *Document) Check(t testing.TB, r *http.Request, sent []byte, answer *http.Response, got []byte) {
	t.Helper()
	route := d.route(t, r, answer.StatusCode)
	request := &openapi3filter.RequestValidationInput{
		Request: withBody(r, sent), Route: route, Options: &openapi3filter.Options{AuthenticationFunc: hasKey},
	}
	if answer.StatusCode == http.StatusOK {
		if err := openapi3filter.ValidateRequest(r.Context(), request); err != nil {
			t.Errorf("%s %s was taken, but its request is not as described: %v", r.Method, r.URL.Path, err)
		}
	}
	response := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: request, Status: answer.StatusCode, Header: answer.Header,
		Body: io.NopCloser(bytes.NewReader(got)), Options: &openapi3filter.Options{IncludeResponseStatus: true},
	}
	if err := openapi3filter.ValidateResponse(r.Context(), response); err != nil {
		t.Errorf("the %d of %s %s is not as described: %v\n%s", answer.StatusCode, r.Method, r.URL.Path, err, got)
	}
	checkHeaders(t, route.Operation, r, answer)
}

// CheckCallback holds a callback against the description of its kind: "deposit", "withdrawal" or "creditCard".
func (d *Document) CheckCallback(t testing.TB, kind string, message payment.CallbackMessage) {
	t.Helper()
	item := d.doc.Webhooks[kind]
	if item == nil {
		t.Fatalf("the callback %q is not described", kind)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://receiver.test/", bytes.NewReader(message.Body))
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range message.Headers {
		r.Header.Set(h.Name, h.Value)
		isDescribed := h.Name == "Content-Type" || slices.ContainsFunc(item.Post.Parameters, func(p *openapi3.ParameterRef) bool {
			return p.Value.Name == h.Name
		})
		if !isDescribed {
			t.Errorf("the header %s of the %s callback is not described", h.Name, kind)
		}
	}
	err = openapi3filter.ValidateRequest(t.Context(), &openapi3filter.RequestValidationInput{
		Request: r, Route: &routers.Route{Spec: d.doc, PathItem: item, Operation: item.Post, Method: http.MethodPost},
	})
	if err != nil {
		t.Errorf("the %s callback is not as described: %v\n%s", kind, err, message.Body)
	}
}

// route finds the operation that a request is for. What is at no path, and what a path does not take, is described once
// for all.
func (d *Document) route(t testing.TB, r *http.Request, status int) *routers.Route {
	t.Helper()
	route := &routers.Route{Spec: d.doc, Path: r.URL.Path, Method: r.Method, PathItem: d.doc.Paths.Value(r.URL.Path)}
	switch {
	case route.PathItem == nil && status == http.StatusNotFound:
		route.PathItem, route.Operation = &openapi3.PathItem{}, d.only(status, "NotFound")
	case route.PathItem == nil:
		t.Fatalf("%s is not described and answers %d", r.URL.Path, status)
	default:
		route.Operation = route.PathItem.GetOperation(r.Method)
	}
	switch {
	case route.Operation == nil && status == http.StatusMethodNotAllowed:
		route.Operation = d.only(status, "MethodNotAllowed")
	case route.Operation == nil:
		t.Fatalf("%s %s is not described and answers %d", r.Method, r.URL.Path, status)
	}
	return route
}

// only is an operation with one answer.
func (d *Document) only(status int, component string) *openapi3.Operation {
	return &openapi3.Operation{
		Security:  openapi3.NewSecurityRequirements(),
		Responses: openapi3.NewResponses(openapi3.WithStatus(status, d.doc.Components.Responses[component])),
	}
}

func checkHeaders(t testing.TB, operation *openapi3.Operation, r *http.Request, answer *http.Response) {
	t.Helper()
	described := operation.Responses.Status(answer.StatusCode)
	if described == nil {
		return // told already
	}
	names := slices.Clone(common)
	for name := range described.Value.Headers {
		names = append(names, http.CanonicalHeaderKey(name))
	}
	for name := range answer.Header {
		if !slices.Contains(names, name) {
			t.Errorf("the header %s on the %d of %s %s is not described", name, answer.StatusCode, r.Method, r.URL.Path)
		}
	}
}

var errNoKey = errors.New("the header of the security scheme is missing")

func hasKey(_ context.Context, in *openapi3filter.AuthenticationInput) error {
	if in.RequestValidationInput.Request.Header.Get(in.SecurityScheme.Name) == "" {
		return errNoKey
	}
	return nil
}

func withBody(r *http.Request, sent []byte) *http.Request {
	again := r.Clone(r.Context())
	again.Body, again.ContentLength = io.NopCloser(bytes.NewReader(sent)), int64(len(sent))
	return again
}
