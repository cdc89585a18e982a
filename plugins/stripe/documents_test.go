package stripe_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/facts.json anew")

// The module of Stripe's own stand-in has Stripe's OpenAPI document. It has a go.mod of its own, so that Vezne's stays lean
// and its go.sum holds the bytes.
const mockModule = "github.com/stripe/stripe-mock"

// goIn runs the go command in the module of the stand-in.
func goIn(t *testing.T, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), "go", args...)
	c.Dir = filepath.Join("testdata", "stripemock")
	var problems bytes.Buffer
	c.Stderr = &problems
	out, err := c.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, problems.String())
	}
	return strings.TrimSpace(string(out))
}

// calls are what the plugin uses: of each the names in its query or form that the facts have.
var calls = map[string][]string{
	"GET /v1/checkout/sessions":                   {"limit", "payment_intent", "expand[]"},
	"GET /v1/checkout/sessions/{session}":         {"expand[]"},
	"POST /v1/checkout/sessions/{session}/expire": {"expand[]"},
	"GET /v1/payment_intents":                     {"created[gte]", "created[lt]", "limit", "starting_after", "expand[]"},
	"GET /v1/payment_intents/search":              {"query", "limit"},
	"GET /v1/refunds":                             {"payment_intent", "limit", "starting_after"},
	"POST /v1/refunds":                            {"payment_intent", "amount", "metadata[vezne_ref]", "metadata[vezne_refund]"},
	"GET /v1/disputes":                            {"created[gte]", "created[lt]", "limit", "starting_after"},
	"GET /v1/disputes/{dispute}":                  {},
	"POST /v1/disputes/{dispute}/close":           {},
	"POST /v1/files":                              {"purpose", "file"},
	"POST /v1/disputes/{dispute}": {
		"submit", "metadata[vezne_evidence]", "evidence[uncategorized_text]", "evidence[product_description]", "evidence[receipt]",
		"evidence[customer_communication]", "evidence[service_documentation]", "evidence[uncategorized_file]",
	},
	"POST /v1/checkout/sessions": {
		"mode", "payment_method_types[0]", "client_reference_id", "success_url", "cancel_url", "expires_at", "locale", "customer_email",
		"line_items[0][quantity]", "line_items[0][price_data][currency]", "line_items[0][price_data][unit_amount]",
		"line_items[0][price_data][product_data][name]", "adaptive_pricing[enabled]", "metadata[vezne_ref]",
		"payment_intent_data[metadata][vezne_ref]", "payment_method_options[card][request_three_d_secure]",
	},
}

// shapes are the objects that are held to the document, whole or where they stand in another.
var shapes = []string{"checkout.session", "payment_intent", "charge", "review", "refund", "dispute", "file", "balance_transaction", "error", "api_errors"}

// TestFactsAreStripesOwn distils the facts from Stripe's document anew.
func TestFactsAreStripesOwn(t *testing.T) {
	t.Parallel()
	goIn(t, "mod", "download", mockModule)
	place := strings.Fields(goIn(t, "list", "-m", "-f", "{{.Dir}} {{.Version}}", mockModule))
	raw, err := os.ReadFile(filepath.Join(place[0], "embedded", "openapi", "spec3.json"))
	if err != nil {
		t.Fatal(err)
	}
	var d document
	if err := json.Unmarshal(raw, &d); err != nil {
		t.Fatal(err)
	}
	source := mockModule + " " + place[1] + " embedded/openapi/spec3.json"
	facts, err := json.MarshalIndent(d.facts(t, source), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	facts = append(facts, '\n')
	if *update {
		if err := os.WriteFile("testdata/facts.json", facts, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile("testdata/facts.json")
	if err != nil || !bytes.Equal(kept, facts) {
		t.Errorf("testdata/facts.json is not what Stripe's document says (%v): run this test with -update, and read the difference", err)
	}
}

// document is what is read of an OpenAPI document.
type document struct {
	Info  struct{ Version string }
	Paths map[string]map[string]struct {
		Parameters  []struct{ Name string }
		RequestBody struct{ Content content }
		Responses   map[string]struct{ Content content }
	}
	Components struct{ Schemas map[string]schema }
}

type content map[string]struct{ Schema schema }

type schema struct {
	Ref        string `json:"$ref"`
	Type       string
	Nullable   bool
	Enum       []any
	IsOpen     bool `json:"x-stripeBypassValidation"` // other values may come
	Required   []string
	Properties map[string]schema
	Items      *schema
	AnyOf      []schema
	Additional any `json:"additionalProperties"`
}

type shape map[string]any

func (d document) facts(t *testing.T, source string) any {
	t.Helper()
	operations, named := map[string]any{}, map[string]any{}
	for _, name := range shapes {
		s, isThere := d.Components.Schemas[name]
		if !isThere {
			t.Fatalf("the document has no %s", name)
		}
		fields := map[string]any{}
		for field, of := range s.Properties {
			fields[field] = of.shape()
		}
		named[name] = shape{"required": s.Required, "fields": fields} // of no type: an id may stand in its place
	}
	for call, used := range calls {
		verb, path, _ := strings.Cut(call, " ")
		op, isThere := d.Paths[path][strings.ToLower(verb)]
		if !isThere {
			t.Fatalf("the document has no %s", call)
		}
		answers := map[string]any{}
		for status, r := range op.Responses {
			answers[status] = r.Content["application/json"].Schema.shape()
		}
		fact := map[string]any{"source": path, "answers": answers}
		if verb == "GET" {
			for _, name := range used {
				plain, _, _ := strings.Cut(name, "[")
				if !slices.ContainsFunc(op.Parameters, func(p struct{ Name string }) bool { return p.Name == plain }) {
					t.Errorf("%s has no parameter %s", call, plain)
				}
			}
			fact["query"] = used
		} else {
			fields := map[string]any{}
			body := op.RequestBody.Content["application/x-www-form-urlencoded"]
			if file, isUpload := op.RequestBody.Content["multipart/form-data"]; isUpload {
				body = file
			}
			for _, name := range used {
				fields[name] = field(t, body.Schema, name)
			}
			fact["request"] = shape{"type": "object", "fields": fields}
		}
		operations[call] = fact
	}
	return map[string]any{"of": "Stripe", "versions": []any{map[string]any{
		"version": d.Info.Version, "source": source, "operations": operations, "shapes": named,
	}}}
}

// shape is a schema as the kit takes it.
func (s schema) shape() shape {
	made := shape{}
	if s.Nullable {
		made["null"] = true
	}
	if name := s.refersTo(); name != "" {
		made["ref"] = name
		return made
	}
	if s.Type == "" || len(s.AnyOf) > 0 {
		return shape{}
	}
	made["type"] = s.Type
	if len(s.Enum) > 0 && !s.IsOpen {
		made["enum"] = s.Enum
	}
	if s.Items != nil {
		made["items"] = s.Items.shape()
	}
	if len(s.Properties) > 0 {
		fields := map[string]any{}
		for name, of := range s.Properties {
			fields[name] = of.shape()
		}
		made["fields"], made["required"] = fields, s.Required
	}
	return made
}

// refersTo is the shape that a schema is, or may be in place of an id.
func (s schema) refersTo() string {
	for _, one := range append(slices.Clone(s.AnyOf), s) {
		if name := strings.TrimPrefix(one.Ref, "#/components/schemas/"); slices.Contains(shapes, name) {
			return name
		}
	}
	return ""
}

var part = regexp.MustCompile(`[^\[\]]+`)

// field finds what a form field like line_items[0][quantity] may be: a text, since a form has nothing else.
func field(t *testing.T, s schema, name string) shape {
	t.Helper()
	for _, step := range part.FindAllString(name, -1) {
		inner, isThere := s.Properties[step]
		for _, one := range s.AnyOf { // an object, or a blank in its place
			if of, ok := one.Properties[step]; ok {
				inner, isThere = of, true
			}
		}
		switch {
		case isThere:
			s = inner
		case s.Items != nil:
			s = *s.Items
		case s.Additional != nil || len(s.AnyOf) > 0 && slices.ContainsFunc(s.AnyOf, func(o schema) bool { return o.Additional != nil }):
			s = schema{Type: "string"}
		default:
			t.Fatalf("the document has no field %s: %s is not among %v", name, step, slices.Sorted(maps.Keys(s.Properties)))
		}
	}
	if len(s.Enum) > 0 && !s.IsOpen {
		return shape{"type": "string", "enum": s.Enum}
	}
	return shape{"type": "string"}
}
