package conformance

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/vezne/vezne/core/gateway"
)

// leakDetector checks everything that a plugin reports and requests, in every test case: it must hold no secrets and no
// personal data, errors must be of the one type, and reports must be complete.
type leakDetector struct {
	secrets map[string][]string // by field, the forms in which its value would show

	mu    sync.Mutex
	found map[string]string // by topic, the first finding
}

// minSecret is the length from which on a secret is looked for: a shorter one may be a word.
const minSecret = 8

func newLeakDetector(d gateway.Descriptor, c gateway.Config) *leakDetector {
	l := &leakDetector{secrets: map[string][]string{}, found: map[string]string{}}
	for _, f := range d.Config {
		value := c.Text(f.Name)
		if f.Type != gateway.SecretField || len(value) < minSecret {
			continue
		}
		quoted := strconv.Quote(value)
		l.secrets[f.Name] = []string{
			value, quoted[1 : len(quoted)-1], url.QueryEscape(value), url.PathEscape(value),
			base64.StdEncoding.EncodeToString([]byte(value)), base64.RawURLEncoding.EncodeToString([]byte(value)),
			fmt.Sprintf("%x", value),
		}
	}
	return l
}

// blot takes the secrets out of an answer, as they are.
func (l *leakDetector) blot(body []byte) []byte {
	for _, forms := range l.secrets {
		body = bytes.ReplaceAll(body, []byte(forms[0]), []byte("…"))
	}
	return body
}

// add keeps the first finding on each topic.
func (l *leakDetector) add(topic, format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, isFound := l.found[topic]; !isFound {
		l.found[topic] = fmt.Sprintf(format, args...)
	}
}

func (l *leakDetector) findings() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Sorted(maps.Values(l.found))
}

// checkText looks for secrets in a text.
func (l *leakDetector) checkText(where, text string) {
	for field, forms := range l.secrets {
		if slices.ContainsFunc(forms, func(form string) bool { return strings.Contains(text, form) }) {
			l.add(where+field, "the secret %q shows in %s: it may only be in headers and bodies that the gateway gets. Keep it "+
				"behind a pointer or in a type of its own with a String method, and out of every text", field, where)
		}
	}
}

// checkValue looks for secrets in a value, however it is printed.
func (l *leakDetector) checkValue(where string, value any) {
	for _, form := range []string{"%v", "%+v", "%#v", "%q"} {
		l.checkText(where, fmt.Sprintf(form, value))
	}
}

// checkURL looks for secrets and personal data in a URL. URLs are logged on the way.
func (l *leakDetector) checkURL(text string) {
	l.checkText("a URL", text)
	decoded, err := url.QueryUnescape(text)
	if err != nil {
		decoded = text
	}
	for what, mark := range personalMarks {
		if strings.Contains(strings.ToLower(decoded), mark) {
			l.add("URL"+what, "the customer's %s is in the URL %q: send it in the body", what, text)
		}
	}
}

// checkError holds an error to the rules.
func (l *leakDetector) checkError(from string, err error) {
	l.checkValue("an error of "+from, err)
	var failure *gateway.Error
	if !errors.As(err, &failure) {
		l.add("type"+from, "%s gave the error %q, which is no *gateway.Error: say its class and effect", from, err)
		return
	}
	l.checkValue("an error of "+from, failure.Err)
	if failure.Reason != nil {
		l.checkValue("an error of "+from, *failure.Reason)
	}
	if hasCardNumber(failure.RawText) || failure.Reason != nil && hasCardNumber(failure.Reason.RawText) {
		l.add("card"+from, "an error of %s has a card number in RawText, which is kept and shown to staff: cut it out", from)
	}
	if !slices.Contains(classes, failure.Class) {
		l.add("class"+from, "%s gave an error of class %q: take one of %v", from, failure.Class, classes)
	}
	if failure.RetryAfter < 0 {
		l.add("retry"+from, "%s wants to be asked again after %s", from, failure.RetryAfter)
	}
}

// checkReport holds the report of a call to the rules.
func (l *leakDetector) checkReport(from string, report any) {
	text, err := json.Marshal(report)
	if err != nil {
		l.add("json"+from, "what %s reports can't be written as JSON: %v", from, err)
	}
	l.checkText("what "+from+" reports", string(text))
	l.checkText("what "+from+" reports", fmt.Sprintf("%+v", report))
	for _, problem := range problemsOf(report) {
		l.add(from+problem, "%s: %s", from, problem)
	}
}

var classes = []gateway.Class{
	gateway.Retryable, gateway.RateLimited, gateway.Maintenance, gateway.Refused, gateway.OutOfFunds, gateway.Invalid,
	gateway.Misconfigured, gateway.Unauthenticated, gateway.Unsupported, gateway.NotFound, gateway.Conflicting,
}
