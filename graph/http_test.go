package graph_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/graph"
)

// raw sends a body as it is.
func (a *api) raw(t *testing.T, body string, set func(*http.Request)) reply {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json; charset=utf-8")
	r.Header.Set("Accept-Language", "en")
	if set != nil {
		set(r)
	}
	return a.send(t, r)
}

func TestWhatIsNotAnOperation(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	const ok = `{"query":"{ __typename }"}`
	for name, c := range map[string]struct {
		body   string
		set    func(*http.Request)
		status int
		code   string
	}{
		"an operation":    {ok, nil, 200, ""},
		"GET":             {"", func(r *http.Request) { r.Method = http.MethodGet; r.URL.RawQuery = "query={me{id}}" }, 405, "METHOD_NOT_ALLOWED"},
		"PUT":             {ok, func(r *http.Request) { r.Method = http.MethodPut }, 405, "METHOD_NOT_ALLOWED"},
		"a form":          {"query={me{id}}", header("Content-Type", "application/x-www-form-urlencoded"), 400, "INVALID_JSON"},
		"plain text":      {ok, header("Content-Type", "text/plain"), 400, "INVALID_JSON"},
		"multipart":       {ok, header("Content-Type", "multipart/form-data; boundary=x"), 400, "INVALID_JSON"},
		"another site":    {ok, header("Sec-Fetch-Site", "cross-site"), 403, "CROSS_SITE_REQUEST"},
		"another origin":  {ok, header("Origin", "https://evil.test"), 403, "CROSS_SITE_REQUEST"},
		"the same site":   {ok, header("Sec-Fetch-Site", "same-origin"), 200, ""},
		"64 KiB":          {`{"query":"{ __typename }", "x":"` + strings.Repeat("x", 64<<10-34) + `"}`, nil, 200, ""},
		"a byte more":     {`{"query":"{ __typename }", "x":"` + strings.Repeat("x", 64<<10-33) + `"}`, nil, 413, "BODY_TOO_LARGE"},
		"nothing":         {"", nil, 400, "INVALID_JSON"},
		"not JSON":        {"{", nil, 400, "INVALID_JSON"},
		"a list":          {"[" + ok + "]", nil, 400, "INVALID_JSON"},
		"two":             {ok + ok, nil, 400, "INVALID_JSON"},
		"a wrong type":    {`{"query": 5}`, nil, 400, "INVALID_JSON"},
		"wrong variables": {`{"query":"{ __typename }", "variables": "x"}`, nil, 400, "INVALID_JSON"},
		"null":            {`null`, nil, 400, "GRAPHQL_VALIDATION_FAILED"},
		"no query":        {`{}`, nil, 400, "GRAPHQL_VALIDATION_FAILED"},
		"a syntax error":  {`{"query":"{ me { }"}`, nil, 400, "GRAPHQL_PARSE_FAILED"},
		"no such field":   {`{"query":"{ you }"}`, nil, 400, "GRAPHQL_VALIDATION_FAILED"},
		"no such name":    {`{"query":"query A { __typename }", "operationName":"B"}`, nil, 400, "GRAPHQL_VALIDATION_FAILED"},
		"no variable":     {`{"query":"query($c: String!) { transaction(trackingCode: $c) { status } }"}`, nil, 400, "GRAPHQL_VALIDATION_FAILED"},
		"a wrong variable": {
			`{"query":"query($c: String!) { transaction(trackingCode: $c) { status } }", "variables":{"c":["x"]}}`, nil, 400,
			"GRAPHQL_VALIDATION_FAILED",
		},
		"an endless number": {`{"query":"{ transactions(first: 99999999999999999999) { nodes { status } } }"}`, nil, 400, "GRAPHQL_VALIDATION_FAILED"},
		"an endless amount": {
			`{"query":"{ transactions(filter: {minAmount: 99999999999999999999}) { nodes { status } } }"}`, nil, 400,
			"GRAPHQL_VALIDATION_FAILED",
		},
		"a subscription": {`{"query":"subscription { me { id } }"}`, nil, 400, "GRAPHQL_VALIDATION_FAILED"},
	} {
		answer := a.raw(t, c.body, c.set)
		if answer.Status != c.status || answer.code() != c.code {
			t.Errorf("%s: got %d %q, want %d %q: %s", name, answer.Status, answer.code(), c.status, c.code, answer.Raw)
		}
		if got := answer.Header.Get("Content-Type"); got != "application/json" {
			t.Errorf("%s: Content-Type is %q", name, got)
		}
	}
	if allow := a.raw(t, ok, func(r *http.Request) { r.Method = http.MethodGet }).Header.Get("Allow"); allow != "POST" {
		t.Errorf("Allow is %q", allow)
	}
}

// TestAWrongVariableIsNamed: the part of it that is wrong, however deep it is.
func TestAWrongVariableIsNamed(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for variables, want := range map[string]string{
		`{}`: "f", `{"f":{"status":["NONE"]}}`: "f.status[0]", `{"f":{"providerId":true}}`: "f.providerId", `{"f":{"x":1}}`: "f.x", `{"f":7}`: "f",
	} {
		answer := a.raw(t, `{"query":"query($f: TransactionFilter!) { transactions(filter: $f) { nodes { status } } }", "variables":`+variables+`}`, nil)
		name, sentence := answer.field()
		if answer.Status != 400 || answer.code() != "GRAPHQL_VALIDATION_FAILED" || name != want || sentence == "" ||
			!strings.HasPrefix(answer.Errors[0].Message, "$"+want+": ") {
			t.Errorf("%s: got %s, want %s", variables, answer.Raw, want)
		}
	}
}

func TestAnswersAreNotKept(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	answer := a.raw(t, `{"query":"{ __typename }"}`, func(r *http.Request) {
		r.Header.Set("Accept", "application/graphql-response+json, application/json;q=0.9")
	})
	want := map[string]string{
		"Content-Type": "application/graphql-response+json", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
	}
	for name, value := range want {
		if got := answer.Header.Get(name); got != value {
			t.Errorf("%s is %q, want %q", name, got, value)
		}
	}
}

func TestSentencesAreInTheCallersLanguage(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for header, want := range map[string]string{
		"": "Kayıt bulunamadı.", "tr-TR,tr;q=0.9": "Kayıt bulunamadı.", "en-GB": "No such record.", "de": "Kayıt bulunamadı.",
	} {
		r := request(t, a.tokens[staff.Admin], `{ transaction(trackingCode: "MAN-1") { status } }`, nil)
		r.Header.Set("Accept-Language", header)
		answer := a.send(t, r)
		if answer.code() != "NOT_FOUND" || answer.Errors[0].Message != want {
			t.Errorf("%q: got %s", header, answer.Raw)
		}
	}
}

func TestAnInternalFaultIsLoggedAndNotShown(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(c *graph.Config) { c.Backoffice = nil }) // its use is a panic
	r := request(t, a.tokens[staff.Admin], `{ me { email } transaction(trackingCode: "MAN-1") { status } }`, nil)
	r.Header.Set("X-Request-Id", "req-4711")
	answer := a.send(t, r)
	if answer.code() != "INTERNAL" || answer.Errors[0].Extensions.RequestID != "req-4711" || answer.Status != 200 {
		t.Errorf("got %s", answer.Raw)
	}
	if strings.Contains(answer.Raw, "nil pointer") || string(answer.Data["me"]) != `{"email":"admin@vezne.test"}` {
		t.Errorf("got %s", answer.Raw)
	}
	if logs := a.Logs.String(); !strings.Contains(logs, "nil pointer") || !strings.Contains(logs, "req-4711") {
		t.Errorf("logged is %s", logs)
	}
}

func TestAnOperationEndsInTime(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(c *graph.Config) { c.Timeout = -time.Nanosecond }) // it is over at once
	p := a.StartDeposit(t, payment.ManualDeposit, lira(25000))
	answer := a.as(t, staff.Admin, approve, vars{"code": p.TrackingCode})
	if answer.code() != "UNAVAILABLE" || a.Reload(t, p).Version != p.Version {
		t.Errorf("got %s", answer.Raw)
	}
}
