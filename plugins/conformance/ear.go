package conformance

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/vezne/vezne/core/gateway"
)

// ear listens to everything that a plugin says and asks, in every sentence: secrets and personal data must not be in it,
// errors must be of the one type, and reports must be whole.
type ear struct {
	secrets map[string][]string // the name of a field, and the forms in which its value would show

	mu     sync.Mutex
	topics map[string]bool
	said   []string
}

// minSecret is the length from which on a secret that the kit did not plant is looked for: a shorter one may be a word.
const minSecret = 8

func newEar(d gateway.Descriptor, c gateway.Config, kept []string) *ear {
	e := &ear{secrets: map[string][]string{}, topics: map[string]bool{}}
	for _, f := range d.Config {
		value := c.Text(f.Name)
		isShort := slices.Contains(kept, f.Name) && len(value) < minSecret
		if f.Type != gateway.SecretField || value == "" || isShort {
			continue
		}
		quoted := strconv.Quote(value)
		e.secrets[f.Name] = []string{
			value, quoted[1 : len(quoted)-1], url.QueryEscape(value), url.PathEscape(value),
			base64.StdEncoding.EncodeToString([]byte(value)), base64.RawURLEncoding.EncodeToString([]byte(value)),
			fmt.Sprintf("%x", value),
		}
	}
	return e
}

// complain keeps one complaint on each topic.
func (e *ear) complain(topic, text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.topics[topic] {
		e.topics[topic] = true
		e.said = append(e.said, text)
	}
}

func (e *ear) complaints() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.said)
}

// hear looks for secrets in a text.
func (e *ear) hear(where, text string) {
	for field, forms := range e.secrets {
		if slices.ContainsFunc(forms, func(form string) bool { return strings.Contains(text, form) }) {
			e.complain(where+field, fmt.Sprintf("the secret %q shows in %s: it may only be in headers and bodies that the "+
				"gateway gets. Keep it behind a pointer or in a type of its own with a String method, and out of every text", field,
				where))
		}
	}
}

// hearURL looks for secrets and personal data in a URL: they end up in logs on the way.
func (e *ear) hearURL(text string) {
	e.hear("a URL", text)
	decoded, err := url.QueryUnescape(text)
	if err != nil {
		decoded = text
	}
	decoded = strings.ToLower(decoded)
	for what, mark := range personalMarks() {
		if strings.Contains(decoded, mark) {
			e.complain("URL"+what, fmt.Sprintf("the customer's %s is in the URL %q: send it in the body", what, text))
		}
	}
}

// hearError holds an error to the rules.
func (e *ear) hearError(from string, err error) {
	for _, form := range []string{"%v", "%+v", "%#v", "%q"} {
		e.hear("an error of "+from, fmt.Sprintf(form, err))
	}
	var failure *gateway.Error
	if !errors.As(err, &failure) {
		e.complain("type"+from, fmt.Sprintf("%s gave the error %q, which is no *gateway.Error: say its class and effect", from,
			err))
		return
	}
	if failure.Err != nil {
		e.hear("an error of "+from, fmt.Sprintf("%v %#v", failure.Err, failure.Err))
	}
	e.hear("an error of "+from, fmt.Sprintf("%+v", failure.Reason))
	if !slices.Contains(classes(), failure.Class) {
		e.complain("class"+from, fmt.Sprintf("%s gave an error of class %q: take one of %v", from, failure.Class, classes()))
	}
	if failure.RetryAfter < 0 {
		e.complain("retry"+from, fmt.Sprintf("%s wants to be asked again after %s", from, failure.RetryAfter))
	}
}

// hearReport holds what a call reports to the rules.
func (e *ear) hearReport(from string, report any) {
	text, err := json.Marshal(report)
	if err != nil {
		e.complain("json"+from, fmt.Sprintf("what %s reports can't be written as JSON: %v", from, err))
	}
	e.hear("what "+from+" reports", string(text))
	e.hear("what "+from+" reports", fmt.Sprintf("%+v", report))
	for _, problem := range problemsOf(report) {
		e.complain(from+problem, from+": "+problem)
	}
}

func classes() []gateway.Class {
	return []gateway.Class{
		gateway.Retryable, gateway.RateLimited, gateway.Maintenance, gateway.Refused, gateway.OutOfFunds, gateway.Invalid,
		gateway.Misconfigured, gateway.Unauthenticated, gateway.Unsupported, gateway.NotFound, gateway.Conflicting,
	}
}
