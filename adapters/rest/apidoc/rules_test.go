package apidoc_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/adapters/rest/apidoc"
	"github.com/vezne/vezne/core/lang"
)

// The description is held to what the recommended rules of the two linters in common use (Redocly's and Spectral's) ask for, so that
// whoever lints it or makes a client of it finds nothing to complain of, and to a few of Vezne's own. A rule that breaks says where.

// object is an object of the description.
type object = map[string]any

func TestTheDescriptionKeepsTheRules(t *testing.T) {
	t.Parallel()
	for _, tag := range lang.Tags() {
		for _, broken := range rulesBrokenBy(described(t, tag)) {
			t.Errorf("%s: %s", tag, broken)
		}
	}
}

// TestEachRuleFindsWhatItIsFor breaks one rule at a time.
func TestEachRuleFindsWhatItIsFor(t *testing.T) {
	t.Parallel()
	deposit := func(doc object) object { return at(doc, "paths", "/api/provider/start-manual-deposit", "post") }
	for name, tt := range map[string]struct {
		damage func(doc object)
		says   string
	}{
		"no license":           {func(doc object) { delete(at(doc, "info"), "license") }, "info.license"},
		"no contact":           {func(doc object) { delete(at(doc, "info"), "contact") }, "info.contact"},
		"no servers":           {func(doc object) { doc["servers"] = []any{} }, "no servers"},
		"a server of nobody":   {func(doc object) { doc["servers"] = []any{object{"url": "/"}} }, "a server's url"},
		"a server of example":  {func(doc object) { doc["servers"] = []any{object{"url": "https://a.example.com"}} }, "a server's url"},
		"no summary":           {func(doc object) { delete(deposit(doc), "summary") }, "no summary"},
		"no description":       {func(doc object) { delete(deposit(doc), "description") }, "no description"},
		"no operationId":       {func(doc object) { delete(deposit(doc), "operationId") }, "operationId"},
		"an id that is there":  {func(doc object) { deposit(doc)["operationId"] = "welcome" }, "operationId"},
		"an id with a space":   {func(doc object) { deposit(doc)["operationId"] = "start deposit" }, "operationId"},
		"no tag":               {func(doc object) { delete(deposit(doc), "tags") }, "tag"},
		"an unknown tag":       {func(doc object) { deposit(doc)["tags"] = []any{"Money"} }, "tag"},
		"a tag that is silent": {func(doc object) { delete(doc["tags"].([]any)[0].(object), "description") }, "tag"},
		"no success":           {func(doc object) { delete(at(deposit(doc), "responses"), "200") }, "2xx"},
		"no refusal": {func(doc object) {
			for status := range at(deposit(doc), "responses") {
				if status[0] == '4' {
					delete(at(deposit(doc), "responses"), status)
				}
			}
		}, "4xx"},
		"no security":        {func(doc object) { delete(deposit(doc), "security") }, "security"},
		"a scheme of nobody": {func(doc object) { deposit(doc)["security"] = []any{object{"password": []any{}}} }, "security"},
		"a signature that is a parameter": {func(doc object) {
			deposit(doc)["parameters"] = []any{object{"name": "X-Hash", "in": "header", "schema": object{}}}
		}, "X-Hash"},
		"what nobody uses":     {func(doc object) { at(doc, "components", "schemas")["Forgotten"] = object{} }, "Forgotten"},
		"a name that shadows":  {func(doc object) { at(doc, "components", "schemas")["Error"] = object{} }, "shadows"},
		"a closed answer":      {func(doc object) { at(doc, "components", "schemas", "Site")["additionalProperties"] = false }, "closed"},
		"required and unknown": {func(doc object) { at(doc, "components", "schemas", "Site")["required"] = []any{"colour"} }, "colour"},
		"alternatives of which both may be": {func(doc object) {
			at(doc, "components", "schemas")["Switch"] = object{"oneOf": []any{
				object{"$ref": "#/components/schemas/ApiError"}, object{"$ref": "#/components/schemas/CardError"},
			}}
		}, "alternatives"},
		"an enum of others": {func(doc object) { at(doc, "components", "schemas", "Switch")["enum"] = []any{1} }, "enum"},
	} {
		doc := described(t, lang.EN)
		if tt.damage(doc); !strings.Contains(strings.Join(rulesBrokenBy(doc), "\n"), tt.says) {
			t.Errorf("%s is not noticed: %v", name, rulesBrokenBy(doc))
		}
	}
}

// described is the description as it is embedded.
func described(t *testing.T, tag lang.Tag) object {
	t.Helper()
	var doc object
	if err := json.Unmarshal(apidoc.OpenAPI(tag), &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

func at(node object, keys ...string) object {
	for _, key := range keys {
		node, _ = node[key].(object)
	}
	return node
}

// text is a text of an object, empty where there is none.
func text(node object, key string) string {
	s, _ := node[key].(string)
	return s
}

func list(node object, key string) []any {
	l, _ := node[key].([]any)
	return l
}

// findings collects what breaks a rule.
type findings struct{ broken []string }

func (f *findings) add(format string, args ...any) {
	f.broken = append(f.broken, fmt.Sprintf(format, args...))
}

func rulesBrokenBy(doc object) []string {
	f := &findings{}
	f.aboutInfo(doc)
	f.aboutOperations(doc)
	f.aboutComponents(doc)
	f.aboutSchemas(doc, "", doc)
	return f.broken
}

// aServer is an address that could be one's own: of no page that is an example of all, and without a slash at its end.
var aServer = regexp.MustCompile(`^https://[a-z0-9.-]+(:[0-9]+)?$`)

func (f *findings) aboutInfo(doc object) {
	info := at(doc, "info")
	if license := at(info, "license"); text(license, "name") == "" || text(license, "identifier") == "" && text(license, "url") == "" {
		f.add("info.license lacks a name, or an identifier or url")
	}
	if len(at(info, "contact")) == 0 {
		f.add("info.contact is missing")
	}
	if text(info, "description") == "" || text(info, "summary") == "" {
		f.add("info lacks a description or a summary")
	}
	if len(list(doc, "servers")) == 0 {
		f.add("there are no servers")
	}
	for _, s := range list(doc, "servers") {
		if url := text(s.(object), "url"); !aServer.MatchString(url) || strings.HasSuffix(url, "example.com") || strings.Contains(url, "localhost") {
			f.add("a server's url is %q", url)
		}
	}
	for _, t := range list(doc, "tags") {
		if text(t.(object), "description") == "" {
			f.add("the tag %s has no description", t.(object)["name"])
		}
	}
}

// anID is an operationId that is a name in most languages and needs no escaping in an address.
var anID = regexp.MustCompile(`^[a-z][A-Za-z0-9]*$`)

// signing are the headers with which a request is signed, and those that say who signs.
var signing = []string{
	"X-Api-Key", "X-Site-Token", "X-Timestamp", "X-Hash", "X-Nonce", "X-Signature", "X-Credential-Key", "X-Key", "Authorization",
}

func (f *findings) aboutOperations(doc object) {
	tags, ids := map[string]bool{}, map[string]bool{}
	for _, t := range list(doc, "tags") {
		tags[text(t.(object), "name")] = true
	}
	for _, part := range []string{"paths", "webhooks"} {
		for path, item := range at(doc, part) {
			if strings.HasSuffix(path, "/") || strings.Contains(path, "?") {
				f.add("the path %s ends with a slash or has a query", path)
			}
			for method, o := range item.(object) {
				operation, where := o.(object), method+" "+path
				f.aboutOperation(doc, operation, where, part == "webhooks")
				for _, tag := range list(operation, "tags") {
					if !tags[tag.(string)] {
						f.add("%s: the tag %s is not described", where, tag)
					}
				}
				if id := text(operation, "operationId"); !anID.MatchString(id) || ids[id] {
					f.add("%s: the operationId %q is none, or another operation's", where, id)
				}
				ids[text(operation, "operationId")] = true
			}
		}
	}
}

func (f *findings) aboutOperation(doc, operation object, where string, isSent bool) {
	for _, field := range []string{"summary", "description"} {
		if text(operation, field) == "" {
			f.add("%s: no %s", where, field)
		}
	}
	if len(list(operation, "tags")) != 1 {
		f.add("%s: not one tag", where)
	}
	statuses := slices.Collect(maps.Keys(at(operation, "responses")))
	for _, class := range []string{"2", "4"} {
		if !slices.ContainsFunc(statuses, func(status string) bool { return strings.HasPrefix(status, class) }) {
			f.add("%s: no answer of %sxx", where, class)
		}
	}
	schemes := at(doc, "components", "securitySchemes")
	if _, has := operation["security"]; !has {
		f.add("%s: no security", where)
	}
	for _, alternative := range list(operation, "security") {
		for name := range alternative.(object) {
			if schemes[name] == nil {
				f.add("%s: the scheme %s of its security is not described", where, name)
			}
		}
	}
	for _, p := range list(operation, "parameters") {
		p := resolved(doc, p.(object))
		if !isSent && slices.Contains(signing, text(p, "name")) { // what Vezne sends is a receiver's to read
			f.add("%s: %s is a parameter and no security scheme", where, text(p, "name"))
		}
		if text(p, "description") == "" {
			f.add("%s: the parameter %s has no description", where, text(p, "name"))
		}
	}
}

// resolved follows a reference within the description.
func resolved(doc, node object) object {
	if ref := text(node, "$ref"); ref != "" {
		return at(doc, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
	}
	return node
}

// globals are types that programs in JavaScript and TypeScript have anyway: a client's type of the same name hides them.
var globals = []string{
	"Array", "Blob", "Boolean", "Cache", "Date", "Document", "Element", "Error", "Event", "EvalError", "File", "Function", "Headers", "Iterator",
	"JSON", "Location", "Lock", "Map", "Math", "Node", "Notification", "Number", "Object", "Option", "Partial", "Pick", "Promise", "Proxy", "Range", "RangeError",
	"Readonly", "Record", "ReferenceError", "RegExp", "Report", "Request", "Required", "Response", "Selection", "Set", "String", "Symbol", "SyntaxError", "Text", "TypeError",
	"URIError", "URL", "Worker",
}

func (f *findings) aboutComponents(doc object) {
	everything, err := json.Marshal(doc)
	if err != nil {
		f.add("the description is no JSON: %v", err)
	}
	for kind, named := range at(doc, "components") {
		for name := range named.(object) {
			isUsed := strings.Contains(string(everything), `"#/components/`+kind+`/`+name+`"`)
			if kind == "securitySchemes" {
				isUsed = strings.Contains(string(everything), `"`+name+`":[]`)
			}
			if !isUsed {
				f.add("nobody uses %s of components.%s", name, kind)
			}
			if kind == "schemas" && slices.Contains(globals, name) {
				f.add("the schema %s shadows a global of TypeScript", name)
			}
		}
	}
}

// aboutSchemas walks through all that there is: a schema may stand anywhere.
func (f *findings) aboutSchemas(doc object, where string, node any) {
	switch node := node.(type) {
	case object:
		if node["additionalProperties"] == false || node["unevaluatedProperties"] == false {
			f.add("%s is closed: a field that comes later would break its readers", where)
		}
		if properties := at(node, "properties"); properties != nil && text(node, "type") == "object" {
			for _, name := range list(node, "required") {
				if properties[name.(string)] == nil {
					f.add("%s requires %s and does not describe it", where, name)
				}
			}
		}
		f.aboutEnum(where, node)
		f.aboutAlternatives(doc, where, list(node, "oneOf"))
		for key, inner := range node {
			if key != "example" && key != "examples" {
				f.aboutSchemas(doc, where+"/"+key, inner)
			}
		}
	case []any:
		for i, inner := range node {
			f.aboutSchemas(doc, fmt.Sprintf("%s/%d", where, i), inner)
		}
	}
}

// aboutEnum: the values of an enum are of its type, and none comes twice.
func (f *findings) aboutEnum(where string, node object) {
	var seen []any
	for _, value := range list(node, "enum") {
		if _, isText := value.(string); text(node, "type") == "string" && !isText || slices.Contains(seen, value) {
			f.add("%s: %v of the enum is of another type, or comes twice", where, value)
		}
		seen = append(seen, value)
	}
}

// aboutAlternatives: of those of oneOf no value is more than one. They have different types, or a field has values in one that it has not
// in the other.
func (f *findings) aboutAlternatives(doc object, where string, alternatives []any) {
	for i := range alternatives {
		for j := range i {
			a, b := whole(doc, alternatives[i].(object)), whole(doc, alternatives[j].(object))
			isTold := a.kind != b.kind
			for name, values := range a.values {
				others := b.values[name]
				isTold = isTold || len(values) > 0 && len(others) > 0 &&
					!slices.ContainsFunc(values, func(v any) bool { return slices.Contains(others, v) })
			}
			if !isTold {
				f.add("%s: something may be both of the alternatives %d and %d", where, j, i)
			}
		}
	}
}

// shape is what tells a schema from others.
type shape struct {
	kind   string
	values map[string][]any // of the fields that have few
}

// whole is a schema with what it refers to and what all it consists of.
func whole(doc, schema object) shape {
	schema = resolved(doc, schema)
	s := shape{kind: text(schema, "type"), values: map[string][]any{}}
	for name, property := range at(schema, "properties") {
		p := resolved(doc, property.(object))
		if s.values[name] = list(p, "enum"); p["const"] != nil {
			s.values[name] = []any{p["const"]}
		}
	}
	for _, part := range list(schema, "allOf") {
		inner := whole(doc, part.(object))
		s.kind = cmp.Or(s.kind, inner.kind)
		for name, values := range inner.values {
			if len(values) > 0 { // what comes later narrows what came before
				s.values[name] = values
			}
		}
	}
	return s
}
