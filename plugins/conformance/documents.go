package conformance

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/vezne/vezne/core/gateway"
)

// Documents are facts about a gateway's calls from sources that the plugin's author did not write: its makers' own
// OpenAPI document, their clients, recorded answers. The kit holds every request of the plugin and every answer of the fake
// against each version. A fake that only its author believes in proves nothing.
type Documents struct {
	Of         string      `json:"of"`
	Versions   []Version   `json:"versions"`
	Deviations []Deviation `json:"deviations"`

	used sync.Map // the deviations that excused something
}

// Version is what is documented of one version of the gateway.
type Version struct {
	Version    string               `json:"version"`
	Source     string               `json:"source"`     // repository, version and path
	Operations map[string]Operation `json:"operations"` // "POST /v1/orders/{id}"
	Shapes     map[string]*Shape    `json:"shapes"`
	// Everywhere are the answers that any call may get, by status: of wrong keys, say.
	Everywhere Operation `json:"everywhere"`
}

// Operation is one call.
type Operation struct {
	Source  string            `json:"source"`
	Query   []string          `json:"query"`
	Request *Shape            `json:"request"`
	Answers map[string]*Shape `json:"answers"` // by status, or "default"
}

// Shape is what a JSON value, or a form, must look like. A zero Shape takes anything.
type Shape struct {
	Ref      string            `json:"ref"` // of Version.Shapes
	Type     string            `json:"type"`
	Null     bool              `json:"null"`
	Enum     []string          `json:"enum"`
	Required []string          `json:"required"`
	Fields   map[string]*Shape `json:"fields"`
	Items    *Shape            `json:"items"`
}

// Deviation is a difference between the documents and the gateway that a source proves.
type Deviation struct {
	Where    string   `json:"where"`    // begins what the kit says of it
	Versions []string `json:"versions"` // empty: all
	Why      string   `json:"why"`
	Source   string   `json:"source"` // the line that proves it
}

// ReadDocuments reads a file of facts.
func ReadDocuments(name string) (*Documents, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	d := &Documents{}
	reader := json.NewDecoder(bytes.NewReader(raw))
	reader.DisallowUnknownFields()
	return d, reader.Decode(d)
}

// Only is the documents of one version.
func (d *Documents) Only(version string) *Documents {
	one := &Documents{Of: d.Of}
	for _, v := range d.Versions {
		if v.Version == version {
			one.Versions = append(one.Versions, v)
		}
	}
	for _, x := range d.Deviations {
		if len(x.Versions) == 0 || slices.Contains(x.Versions, version) {
			one.Deviations = append(one.Deviations, x)
		}
	}
	return one
}

// Problems returns how an exchange differs from what is documented.
func (d *Documents) Problems(r gateway.Request, a gateway.Response) []string {
	var all []string
	for _, v := range d.Versions {
		for _, p := range v.problems(r, a) {
			if !d.isExcused(v.Version, p.where+" "+p.what) {
				all = append(all, fmt.Sprintf("%s %s, and %s %s has it otherwise (%s): mend the fake first, then the plugin. Where a "+
					"source proves the documents wrong, add a deviation that names it", p.where, p.what, d.Of, v.Version, p.source))
			}
		}
	}
	return all
}

func (d *Documents) isExcused(version, difference string) bool {
	for i, x := range d.Deviations {
		if strings.HasPrefix(difference, x.Where) && (len(x.Versions) == 0 || slices.Contains(x.Versions, version)) {
			d.used.Store(i, true)
			return true
		}
	}
	return false
}

// unused are the deviations that excused nothing.
func (d *Documents) unused() (all []string) {
	for i, x := range d.Deviations {
		if _, isUsed := d.used.Load(i); !isUsed {
			all = append(all, x.Where)
		}
	}
	return all
}

// difference is one way in which an exchange is not as documented.
type difference struct{ where, what, source string }

// comparison collects differences.
type comparison struct {
	shapes map[string]*Shape
	source string
	all    []difference
}

func (c *comparison) add(where, format string, args ...any) {
	c.all = append(c.all, difference{where, fmt.Sprintf(format, args...), c.source})
}

func (v Version) problems(r gateway.Request, a gateway.Response) []difference {
	c := &comparison{shapes: v.Shapes, source: v.Source}
	u, err := url.Parse(r.URL)
	if err != nil {
		return nil // the transport says so
	}
	name, op, isThere := v.operation(r.Method, u.EscapedPath())
	if !isThere {
		c.add(r.Method+" "+u.Path, "is called")
		return c.all
	}
	c.source = op.Source
	for _, key := range slices.Sorted(maps.Keys(u.Query())) {
		if !slices.Contains(op.Query, key) {
			c.add(name+" query "+key, "is sent")
		}
	}
	if op.Request != nil || len(r.Body) > 0 {
		c.body("request "+name, op.Request, r.Header, r.Body)
	}
	status := strconv.Itoa(a.Status)
	shape, isDocumented := op.Answers[status]
	if !isDocumented {
		shape, isDocumented = v.Everywhere.Answers[status]
	}
	if !isDocumented {
		shape, isDocumented = op.Answers["default"]
	}
	if !isDocumented {
		c.add("answer "+name+" "+status, "is the status")
		return c.all
	}
	if shape != nil && len(a.Body) > 0 {
		c.body("answer "+name+" "+status, shape, a.Header, a.Body)
	}
	return c.all
}

// operation finds the call that a path is of.
func (v Version) operation(method, path string) (string, Operation, bool) {
	parts := strings.Split(path, "/")
	for name, op := range v.Operations {
		verb, template, _ := strings.Cut(name, " ")
		if verb == method && isPathOf(strings.Split(template, "/"), parts) {
			return name, op, true
		}
	}
	return "", Operation{}, false
}

func isPathOf(template, parts []string) bool {
	if len(template) != len(parts) {
		return false
	}
	for i, t := range template {
		if !strings.HasPrefix(t, "{") && t != parts[i] {
			return false
		}
	}
	return true
}

// body compares a body, as JSON or as a form.
func (c *comparison) body(where string, s *Shape, h gateway.Header, raw []byte) {
	value, err := decoded(h, raw)
	switch {
	case err != nil:
		c.add(where, "can't be read (%v)", err)
	case s == nil:
		c.add(where, "has a body")
	default:
		c.value(where, s, value)
	}
}

// decoded reads JSON, or a form, its parts or XML as an object of texts.
func decoded(h gateway.Header, raw []byte) (any, error) {
	media, params, _ := mime.ParseMediaType(h.Get("Content-Type"))
	if strings.HasSuffix(media, "xml") {
		return decodedXML(raw)
	}
	if media == "application/x-www-form-urlencoded" {
		form, err := url.ParseQuery(string(raw))
		object := map[string]any{}
		for name, values := range form {
			object[name] = strings.Join(values, ",")
		}
		return object, err
	}
	if media == "multipart/form-data" {
		return decodedParts(params["boundary"], raw)
	}
	var value any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	err := d.Decode(&value)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return value, err
}

// decodedParts reads a form of several parts as an object of their texts: only names and types are compared.
func decodedParts(boundary string, raw []byte) (any, error) {
	form, object := multipart.NewReader(bytes.NewReader(raw), boundary), map[string]any{}
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return object, nil
		}
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(part)
		if err != nil {
			return nil, err
		}
		object[part.FormName()] = string(text)
	}
}

// decodedXML reads a document: an element is an object of the elements in it, or a text. Letters of another charset than UTF-8 are
// replaced, since only names and types are compared.
func decodedXML(raw []byte) (any, error) {
	d := xml.NewDecoder(strings.NewReader(strings.ToValidUTF8(string(raw), "?")))
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	var open []map[string]any
	var text strings.Builder
	for {
		token, err := d.Token()
		switch t := token.(type) {
		case xml.StartElement:
			open = append(open, map[string]any{})
			text.Reset()
		case xml.CharData:
			text.Write(t)
		case xml.EndElement:
			inner := open[len(open)-1]
			open = open[:len(open)-1]
			var value any = inner
			if len(inner) == 0 {
				value = strings.TrimSpace(text.String())
			}
			text.Reset()
			if len(open) == 0 {
				return map[string]any{t.Name.Local: value}, nil
			}
			open[len(open)-1][t.Name.Local] = value
		}
		if err != nil {
			return nil, err
		}
	}
}

func (c *comparison) value(where string, s *Shape, value any) {
	for s != nil && s.Ref != "" {
		named := c.shapes[s.Ref]
		if value == nil && s.Null {
			return
		}
		s = named
	}
	if s == nil || value == nil && (s.Null || s.Type == "") {
		return
	}
	if got := typeOf(value); s.Type != "" && got != s.Type && (s.Type != "number" || got != "integer") {
		c.add(where, "is of type %s", got)
		return
	}
	if text, isText := value.(string); isText && len(s.Enum) > 0 && !slices.Contains(s.Enum, text) {
		c.add(where, "is %q", text)
	}
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			c.value(where+"[]", s.Items, item)
		}
	case map[string]any:
		c.object(where, s, v)
	}
}

func (c *comparison) object(where string, s *Shape, object map[string]any) {
	for _, name := range s.Required {
		if _, isThere := object[name]; !isThere {
			c.add(where+"."+name, "is missing")
		}
	}
	if len(s.Fields) == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		field, isThere := s.Fields[name]
		if !isThere {
			c.add(where+"."+name, "is there")
			continue
		}
		c.value(where+"."+name, field, object[name])
	}
}

func typeOf(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			return "number"
		}
		return "integer"
	case []any:
		return "array"
	default:
		return "object"
	}
}

func documentCases(suite) []testCase {
	return []testCase{
		{"the gateway's calls are held against a source that the plugin's author did not write", hasDocuments},
		{"every fact, vector and deviation names its source", sourcesAreNamed},
		{"every request and every answer is as documented", isAsDocumented},
	}
}

func hasDocuments(w *world) {
	w.check(w.Documents != nil && len(w.Documents.Versions) > 0, "Subject.Documents is empty: distil the gateway's own OpenAPI "+
		"document, or the requests and recorded answers of its official clients, into a file of facts (conformance.ReadDocuments), "+
		"or say Maturity: gateway.Draft, with which no account takes money")
}

func sourcesAreNamed(w *world) {
	for _, v := range w.Vectors {
		w.check(v.Source != "", "the vector %q has no Source: say who published it, with repository, path and version, or \"computed\" "+
			"and from what", v.Name)
	}
	if w.Documents == nil {
		return
	}
	for _, v := range w.Documents.Versions {
		w.check(v.Version != "" && v.Source != "" && len(v.Operations) > 0, "version %q of the documents needs a source and operations",
			v.Version)
		w.check(len(v.Everywhere.Answers) == 0 || v.Everywhere.Source != "", "the answers of every call of version %s have no source", v.Version)
		for name, op := range v.Operations {
			w.check(op.Source != "", "%s of version %s has no source", name, v.Version)
		}
	}
	for _, x := range w.Documents.Deviations {
		w.check(x.Where != "" && x.Why != "" && x.Source != "", "the deviation %q needs a reason, and the source line that proves it",
			x.Where)
	}
}

// isAsDocumented makes every kind of call. What differs is found by the transport, in every other test case, too.
func isAsDocumented(w *world) {
	w.probe()
	for _, t := range w.orderTypes() {
		for _, e := range t.expectations {
			o, r := t.send(w)
			if w.fake.Set(o.ref, e.situation) {
				_, _ = o.read(w, r)
				_, _ = o.read(w, receipt{due: r.due})
			}
			if t.name == depositName && w.has(gateway.CanCancelDeposit) || t.name == payoutName && w.has(gateway.CanCancelPayout) {
				_, _ = o.cancel(w, r)
			}
		}
	}
	w.askAll()
	if w.d.Deposit == nil {
		return
	}
	d := w.paid()
	if w.has(gateway.CanFinishReturn) {
		_, _ = w.comesBack(d)
	}
	if w.has(gateway.CanRefund) {
		o := w.partialRefund(d)
		r, _ := w.refund(o)
		_, _ = w.readRefund(refundKey(o, r))
		_, _ = w.refund(w.wholeRefund(w.paid()))
	}
}
