package plugkit_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// wire keeps what was sent, and answers.
type wire struct {
	sent   []gateway.Request
	answer gateway.Response
	err    error
}

func (w *wire) Do(_ context.Context, r gateway.Request) (gateway.Response, error) {
	w.sent = append(w.sent, r)
	return w.answer, w.err
}

func answer(status int, body string, header ...gateway.Field) gateway.Response {
	return gateway.Response{Status: status, Body: []byte(body), Header: header}
}

// check compares an error with what it must be; its cause must say because.
func check(t *testing.T, err error, want gateway.Error, because string) {
	t.Helper()
	var got *gateway.Error
	if !errors.As(err, &got) {
		t.Errorf("%v is no *gateway.Error", err)
		return
	}
	cause := ""
	if got.Err != nil {
		cause = got.Err.Error()
	}
	if got.Class != want.Class || got.Effect != want.Effect || got.RawCode != want.RawCode || got.RawText != want.RawText ||
		got.RetryAfter != want.RetryAfter || !strings.Contains(cause, because) || (because == "") != (cause == "") {
		t.Errorf("got %v (after %v), want %v: %s", err, got.RetryAfter, &want, because)
	}
}

type order struct {
	Text string `json:"text"`
}

func TestACallIsSignedOverItsExactBody(t *testing.T) {
	t.Parallel()
	w := &wire{answer: answer(200, `{"text":"thanks"}`)}
	c := plugkit.Client{HTTP: w, BaseURL: "https://api.example.com", Sign: func(r *gateway.Request) error {
		r.Header = append(r.Header, gateway.Field{Name: "X-Sign", Value: r.Method + string(r.Body)})
		return nil
	}}
	var out order
	if err := c.Call(t.Context(), http.MethodPost, "/v1/orders", order{"a<b>&c ş"}, &out); err != nil {
		t.Fatal(err)
	}
	got := w.sent[0]
	header := gateway.Header{
		{Name: "Accept", Value: "application/json"}, {Name: "Content-Type", Value: "application/json"},
		{Name: "X-Sign", Value: `POST{"text":"a<b>&c ş"}`},
	}
	if got.Method+" "+got.URL+" "+string(got.Body) != `POST https://api.example.com/v1/orders {"text":"a<b>&c ş"}` ||
		!slices.Equal(got.Header, header) || out.Text != "thanks" {
		t.Errorf("sent %+v, read %+v", got, out)
	}
}

func TestACallMayHaveNoBodyAndNoAnswer(t *testing.T) {
	t.Parallel()
	w := &wire{answer: answer(204, "")}
	c := plugkit.Client{HTTP: w, BaseURL: "https://api.example.com"}
	if err := c.Call(t.Context(), http.MethodGet, "/v1/ping", nil, nil); err != nil {
		t.Fatal(err)
	}
	if got := w.sent[0]; got.Body != nil || got.Header.Get("Content-Type") != "" {
		t.Errorf("sent %+v", got)
	}
}

func TestWhatCannotBeSentHasNoEffect(t *testing.T) {
	t.Parallel()
	w := &wire{}
	c := plugkit.Client{HTTP: w, Sign: func(*gateway.Request) error { return errors.New("no key") }}
	check(t, c.Call(t.Context(), http.MethodPost, "/", make(chan int), nil),
		gateway.Error{Class: gateway.Invalid, Effect: gateway.EffectNone}, "unsupported type")
	check(t, c.Call(t.Context(), http.MethodPost, "/", nil, nil),
		gateway.Error{Class: gateway.Misconfigured, Effect: gateway.EffectNone}, "no key")
	if len(w.sent) != 0 {
		t.Errorf("sent %+v", w.sent)
	}
}

func TestTheWiresErrorIsKept(t *testing.T) {
	t.Parallel()
	w := &wire{err: &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone, Err: errors.New("refused")}}
	c := plugkit.Client{HTTP: w, Explain: func(gateway.Response) error { return errors.New("asked of no answer") }}
	if err := c.Call(t.Context(), http.MethodGet, "/", nil, nil); !errors.Is(err, w.err) {
		t.Errorf("got %v", err)
	}
}

func TestTheGatewaysOwnExplanationComesFirst(t *testing.T) {
	t.Parallel()
	own := &gateway.Error{Class: gateway.Refused, Effect: gateway.EffectNone}
	explain := func(r gateway.Response) error {
		if strings.Contains(string(r.Body), "failure") {
			return own
		}
		return nil
	}
	for body, want := range map[string]error{`{"status":"failure"}`: own, `{"status":"success"}`: nil} {
		c := plugkit.Client{HTTP: &wire{answer: answer(200, body)}, Explain: explain}
		if err := c.Call(t.Context(), http.MethodGet, "/", nil, nil); !errors.Is(err, want) {
			t.Errorf("%s gave %v", body, err)
		}
	}
	c := plugkit.Client{HTTP: &wire{answer: answer(500, "oops")}, Explain: explain}
	check(t, c.Call(t.Context(), http.MethodGet, "/", nil, nil),
		gateway.Error{Class: gateway.Retryable, RawCode: "500", RawText: "oops"}, "")
}

func TestWhatAStatusMeans(t *testing.T) {
	t.Parallel()
	const none, unknown = gateway.EffectNone, gateway.EffectUnknown
	for _, c := range []struct {
		class    gateway.Class
		effect   gateway.Effect
		statuses []int
	}{
		{gateway.Misconfigured, none, []int{300, 301, 302, 304, 307, 308, 399, 401, 403}},
		{gateway.Invalid, none, []int{400, 402, 405, 406, 410, 413, 415, 422, 451, 499}},
		{gateway.NotFound, none, []int{404}},
		{gateway.RateLimited, none, []int{429}},
		{gateway.Conflicting, unknown, []int{409}},
		{gateway.Retryable, unknown, []int{0, 100, 199, 408, 500, 501, 502, 503, 504, 599, 600, 999}},
	} {
		for _, status := range c.statuses {
			got := gateway.ErrorOf(plugkit.Classify(answer(status, " why\n not ")))
			if got.Class != c.class || got.Effect != c.effect || got.RawText != "why not" || got.RetryAfter != 0 {
				t.Errorf("%d: %v", status, got)
			}
		}
	}
	for _, status := range []int{200, 201, 202, 204, 299} {
		if err := plugkit.Classify(answer(status, "failure")); err != nil {
			t.Errorf("%d: %v", status, err)
		}
	}
}

func TestAGatewayMaySayWhenToComeBack(t *testing.T) {
	t.Parallel()
	later := gateway.Field{Name: "retry-after", Value: " 90 "}
	check(t, plugkit.Classify(answer(429, "", later)),
		gateway.Error{Class: gateway.RateLimited, Effect: gateway.EffectNone, RawCode: "429", RetryAfter: 90 * time.Second}, "")
	check(t, plugkit.Classify(answer(503, "", later)),
		gateway.Error{Class: gateway.Maintenance, Effect: gateway.EffectUnknown, RawCode: "503", RetryAfter: 90 * time.Second}, "")
	check(t, plugkit.Classify(answer(500, "", later)), gateway.Error{Class: gateway.Retryable, RawCode: "500"}, "")
}

func TestRetryAfterIsReadInSecondsWithinReason(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]time.Duration{
		"": 0, "0": 0, "120": 2 * time.Minute, "86400": 24 * time.Hour, "86401": 24 * time.Hour, "4294967296": 24 * time.Hour,
		"18446744073709551615": 24 * time.Hour, "99999999999999999999999": 0, "-5": 0, "+5": 0, "1.5": 0, "1e3": 0, "soon": 0,
		"Fri, 31 Dec 1999 23:59:59 GMT": 0,
	} {
		if got := plugkit.RetryAfter(answer(429, "", gateway.Field{Name: "Retry-After", Value: value})); got != want {
			t.Errorf("%q gave %v, want %v", value, got, want)
		}
	}
}

func TestWhatIsNotTheExpectedJSONHasAnUnknownEffect(t *testing.T) {
	t.Parallel()
	const because = "the answer is not the JSON that was expected: "
	for body, detail := range map[string]string{
		"":                              "EOF",
		" ":                             "EOF",
		"<html><body>502</body></html>": "invalid character '<'",
		`{"text":"a"`:                   "unexpected EOF",
		`{"text":"a"}}`:                 "something follows the JSON value",
		`{"text":"a"}]`:                 "something follows the JSON value",
		`{"text":"a"}{"text":"b"}`:      "something follows the JSON value",
		`{"text":"a"},`:                 "something follows the JSON value",
		`{"text":"a"} <!-- proxy -->`:   "something follows the JSON value",
		`{"text":1}`:                    "json: cannot unmarshal",
		`["text"]`:                      "json: cannot unmarshal",
		strings.Repeat("[", 100_000):    "invalid character '[' exceeded max depth",
		"\xff\xfe{\x00":                 "invalid character",
	} {
		var out order
		err := plugkit.Decode([]byte(body), &out)
		check(t, err, gateway.Error{Class: gateway.Retryable, RawText: plugkit.Excerpt([]byte(body))}, because+detail)
	}
}

func TestNumbersKeepTheirDigits(t *testing.T) {
	t.Parallel()
	var out map[string]any
	if err := plugkit.Decode([]byte("\n {\"amount\": 155.38559757000000000001}\n\t "), &out); err != nil {
		t.Fatal(err)
	}
	if out["amount"] != json.Number("155.38559757000000000001") {
		t.Errorf("got %v", out)
	}
}

func TestAnExcerptIsOneLineOfCleanText(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"":                              "",
		"  a\r\n\tb  c ":                "a b c",
		"a\x00b\x1b[31mc\x7fd":          "a b [31mc d",
		"a\u0085b\u009bc":               "a b c",
		"a\u202eb\u2028c\ufeffd\u200be": "a b cde",
		"ödeme başarısız 💳":             "ödeme başarısız 💳",
		"a\xff\xfeb":                    "ab",
		strings.Repeat("x", 301):        strings.Repeat("x", 300),
		"x" + strings.Repeat("ş", 300):  "x" + strings.Repeat("ş", 149), // no half a letter at the cut
		strings.Repeat("\xff", 5000):    "",
	} {
		if got := plugkit.Excerpt([]byte(body)); got != want {
			t.Errorf("%.20q became %q, want %q", body, got, want)
		}
	}
}

func TestAPathsPartsAreEscaped(t *testing.T) {
	t.Parallel()
	for want, parts := range map[string][]string{
		"":                           nil,
		"/payments/a%2Fb%3Fc%23d%25": {"payments", "a/b?c#d%"},
		"/a%20b/%C5%9F":              {"a b", "ş"},
	} {
		if got := plugkit.Path(parts...); got != want {
			t.Errorf("%q became %s, want %s", parts, got, want)
		}
	}
}
