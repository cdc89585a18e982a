package conformance_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
)

func TestAnExchangeIsHeldAgainstTheDocuments(t *testing.T) {
	t.Parallel()
	d, err := conformance.ReadDocuments("testdata/documents.json")
	if err != nil {
		t.Fatal(err)
	}
	asJSON := gateway.Header{{Name: "Content-Type", Value: "application/json"}}
	asForm := gateway.Header{{Name: "Content-Type", Value: "application/x-www-form-urlencoded"}}
	asXML := gateway.Header{{Name: "Content-Type", Value: "text/xml; charset=ISO-8859-9"}}
	for name, tt := range map[string]struct {
		method, url, body string
		header            gateway.Header
		status            int
		answer            string
		want              []string
	}{
		"right":                  {"POST", "/v1/orders", `{"amount":"1.00"}`, asJSON, 200, `{"id":"a","state":"open","parts":[{"n":1}]}`, nil},
		"right, with null":       {"POST", "/v1/orders", `{"amount":"1.00","note":null}`, asJSON, 200, `{"id":"a"}`, nil},
		"right, as a form":       {"POST", "/v1/forms", "amount=1", asForm, 200, `{}`, nil},
		"wrong keys":             {"POST", "/v1/orders", `{"amount":"1.00"}`, asJSON, 401, `{"code":"no"}`, nil},
		"another call":           {"GET", "/v1/order", "", nil, 200, `{}`, []string{"GET /v1/order is called"}},
		"another method":         {"PUT", "/v1/orders", "", nil, 200, `{}`, []string{"PUT /v1/orders is called"}},
		"another query":          {"GET", "/v1/orders/x?all=1&deep=1", "", nil, 200, `{"id":"x"}`, []string{"GET /v1/orders/{id} query deep is sent"}},
		"a missing field":        {"POST", "/v1/orders", `{}`, asJSON, 200, `{"id":"a"}`, []string{"request POST /v1/orders.amount is missing"}},
		"an unknown field":       {"POST", "/v1/orders", `{"amount":"1","Amount":"1"}`, asJSON, 200, `{"id":"a"}`, []string{"request POST /v1/orders.Amount is there"}},
		"a number for a text":    {"POST", "/v1/orders", `{"amount":1}`, asJSON, 200, `{"id":"a"}`, []string{"request POST /v1/orders.amount is of type integer"}},
		"null for a text":        {"POST", "/v1/orders", `{"amount":null}`, asJSON, 200, `{"id":"a"}`, []string{"request POST /v1/orders.amount is of type null"}},
		"a status in capitals":   {"GET", "/v1/orders/x", "", nil, 200, `{"id":"x","state":"OPEN"}`, []string{`answer GET /v1/orders/{id} 200.state is "OPEN"`}},
		"a fraction for a count": {"GET", "/v1/orders/x", "", nil, 200, `{"id":"x","parts":[{"n":1.5}]}`, []string{"answer GET /v1/orders/{id} 200.parts[].n is of type number"}},
		"another HTTP status":    {"GET", "/v1/orders/x", "", nil, 418, `{}`, []string{"answer GET /v1/orders/{id} 418 is the status"}},
		"no JSON":                {"GET", "/v1/orders/x", "", nil, 200, `<html>`, []string{"answer GET /v1/orders/{id} 200 can't be read"}},
		"a body where none is":   {"GET", "/v1/orders/x", `{"a":1}`, asJSON, 200, `{"id":"x"}`, []string{"request GET /v1/orders/{id} has a body"}},
		"right, as XML":          {"POST", "/v1/xml", "<order><amount>1</amount></order>", asXML, 200, `{}`, nil},
		"a missing element":      {"POST", "/v1/xml", "<order><note>\xdd</note></order>", asXML, 200, `{}`, []string{"request POST /v1/xml.order.amount is missing", "request POST /v1/xml.order.note is there"}},
		"half a document":        {"POST", "/v1/xml", "<order><amount>", asXML, 200, `{}`, []string{"request POST /v1/xml can't be read"}},
		"excused":                {"GET", "/v1/orders/x", "", nil, 200, `{"id":"x","extra":1}`, nil},
	} {
		got := d.Problems(gateway.Request{Method: tt.method, URL: "https://api.example.com" + tt.url, Header: tt.header, Body: []byte(tt.body)},
			gateway.Response{Status: tt.status, Body: []byte(tt.answer)})
		if len(got) != len(tt.want) || !slices.EqualFunc(got, tt.want, strings.HasPrefix) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	if left := d.Only("9"); len(left.Versions) != 0 || len(d.Only("1").Versions) != 1 {
		t.Error("Only does not choose a version")
	}
}
