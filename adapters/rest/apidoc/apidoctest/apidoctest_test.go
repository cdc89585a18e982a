package apidoctest_test

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/vezne/vezne/adapters/rest/apidoc/apidoctest"
	"github.com/vezne/vezne/core/payment"
)

// spy is a test that notes that it failed.
type spy struct {
	testing.TB
	failed bool
}

func (s *spy) Helper()                   {}
func (s *spy) Errorf(string, ...any)     { s.failed = true }
func (s *spy) Fatalf(f string, a ...any) { s.failed = true; panic(s) }

// fails reports whether a check finds fault.
func fails(t *testing.T, check func(testing.TB)) bool {
	t.Helper()
	s := &spy{TB: t}
	func() {
		defer func() {
			if cause := recover(); cause != nil && cause != any(s) {
				panic(cause)
			}
		}()
		check(s)
	}()
	return s.failed
}

const (
	sent = `{"user_id":"u-1","username":"a","fullname":"A","iban":"TR330006100519786457841326","amount":1}`
	good = `{"success":true,"message":"m","data":{"tracking_code":"EIBAN-WIT-0123456789ABCDEF","site":{"id":1,"name":"s"},` +
		`"customer":{"fullname":"A","username":"a","user_id":"u-1"},"iban":"TR330006100519786457841326","amount":1.00,"status":"pending"}}`
)

func TestWhatIsNotDescribedFails(t *testing.T) {
	t.Parallel()
	document := apidoctest.Load(t)
	for name, tt := range map[string]struct {
		path, method, sent, got string
		status                  int
		header, request         http.Header
		fails                   bool
	}{
		"as described":          {},
		"path":                  {path: "/api/provider/start-nothing", fails: true},
		"verb":                  {method: http.MethodGet, fails: true},
		"status":                {status: 201, fails: true},
		"field":                 {got: strings.Replace(good, `"iban"`, `"x":1,"iban"`, 1), fails: true},
		"field at the top":      {got: strings.Replace(good, `"message"`, `"timestamp":"2026-03-02 12:00:00","message"`, 1), fails: true},
		"field missing":         {got: strings.Replace(good, `,"status":"pending"`, ``, 1), fails: true},
		"type":                  {got: strings.Replace(good, "1.00", `"1.00"`, 1), fails: true},
		"value":                 {got: strings.Replace(good, "pending", "showing", 1), fails: true},
		"header":                {header: http.Header{"X-Extra": {"1"}}, fails: true},
		"header missing":        {header: http.Header{"X-Request-Id": nil}, fails: true},
		"header's value":        {header: http.Header{"Ratelimit-Limit": {"many"}}, fails: true},
		"content type":          {header: http.Header{"Content-Type": {"text/html"}}, fails: true},
		"request without a key": {request: http.Header{"X-Api-Key": nil}, fails: true},
		"request's field":       {sent: strings.Replace(sent, `"iban"`, `"x"`, 1), fails: true},
		"unknown path":          {path: "/x", status: 404, got: `{"success":false,"error":"Not found","message":"m"}`},
		"verb without Allow":    {method: http.MethodGet, status: 405, got: `{"success":false,"error":"Method not allowed","message":"m"}`, fails: true},
	} {
		r := httptest.NewRequest(cmp.Or(tt.method, http.MethodPost), cmp.Or(tt.path, "/api/provider/start-eiban-withdraw"), nil)
		r.Header = merged(http.Header{
			"Content-Type": {"application/json"}, "X-Api-Key": {"k"}, "X-Timestamp": {"1"}, "X-Hash": {strings.Repeat("0", 64)}, "X-Credential-Key": {"c"},
		}, tt.request)
		answer := &http.Response{StatusCode: cmp.Or(tt.status, http.StatusOK), Header: merged(http.Header{
			"Content-Type": {"application/json; charset=utf-8"}, "X-Request-Id": {"x"},
		}, tt.header)}
		got := fails(t, func(tb testing.TB) {
			document.Check(tb, r, []byte(cmp.Or(tt.sent, sent)), answer, []byte(cmp.Or(tt.got, good)))
		})
		if got != tt.fails {
			t.Errorf("%s: fails %t", name, got)
		}
	}
}

func TestACallbackThatIsNotDescribedFails(t *testing.T) {
	t.Parallel()
	document := apidoctest.Load(t)
	for name, message := range map[string]payment.CallbackMessage{
		"no headers":        {Body: []byte(`{}`)},
		"an unknown header": {Body: []byte(`{}`), Headers: []payment.CallbackHeader{{Name: "X-Extra", Value: "1"}}},
	} {
		if !fails(t, func(tb testing.TB) { document.CheckCallback(tb, "withdrawal", message) }) {
			t.Errorf("%s: found no fault", name)
		}
	}
	if !fails(t, func(tb testing.TB) { document.CheckCallback(tb, "transfer", payment.CallbackMessage{}) }) {
		t.Error("an unknown kind: found no fault")
	}
}

func merged(h, changes http.Header) http.Header {
	for name, values := range changes {
		h[name] = values
		if values == nil {
			delete(h, name)
		}
	}
	return h
}
