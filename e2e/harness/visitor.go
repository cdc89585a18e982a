package harness

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// Visitor is a customer's browser without JavaScript, on any site: it follows redirects, and sends the forms of pages.
type Visitor struct {
	URL    string
	Page   string
	status int
}

// maxRedirects is how many redirects in a row a browser follows.
const maxRedirects = 10

// Open goes to an address.
func (v *Visitor) Open(address string) error {
	for range maxRedirects {
		r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, address, nil)
		if err != nil {
			return err
		}
		a, err := Send(r)
		if err != nil {
			return err
		}
		v.URL, v.Page, v.status = address, string(a.Body), a.Status
		if a.Status < 300 || a.Status > 399 {
			return v.isFine()
		}
		if address, err = v.resolve(a.Header.Get("Location")); err != nil {
			return err
		}
	}
	return fmt.Errorf("%d redirects in a row lead to %s", maxRedirects, v.URL)
}

// Press fills in the page's form that goes to an action, sends it, and follows where it leads.
func (v *Visitor) Press(action string, fields url.Values) error {
	target, inputs, ok := FindForm(v.Page, action)
	if !ok {
		return fmt.Errorf("%s has no form for %s:\n%s", v.URL, action, v.Body())
	}
	for name, values := range fields {
		inputs[name] = values
	}
	where, err := v.resolve(target)
	if err != nil {
		return err
	}
	a, err := PostForm(where, inputs)
	if err != nil {
		return err
	}
	v.URL, v.Page, v.status = where, string(a.Body), a.Status
	if a.Status == http.StatusSeeOther {
		if where, err = v.resolve(a.Header.Get("Location")); err != nil {
			return err
		}
		return v.Open(where)
	}
	return v.isFine()
}

func (v *Visitor) resolve(link string) (string, error) {
	here, err := url.Parse(v.URL)
	if err != nil {
		return "", err
	}
	there, err := here.Parse(link)
	if err != nil {
		return "", err
	}
	return there.String(), nil
}

func (v *Visitor) isFine() error {
	if v.status == http.StatusOK || v.status == http.StatusUnprocessableEntity { // the form once more
		return nil
	}
	return fmt.Errorf("%s answers %d:\n%s", v.URL, v.status, v.Body())
}

// Body is what the page itself says.
func (v *Visitor) Body() string {
	_, body, ok := strings.Cut(v.Page, "<main")
	if !ok {
		return v.Page
	}
	body, _, _ = strings.Cut(body, "</main>")
	return "<main" + body
}

// Shows reports whether Vezne's page is that of a phase.
func (v *Visitor) Shows(phase string) error {
	if strings.Contains(v.Page, `<main class="card `+phase+`"`) {
		return nil
	}
	return fmt.Errorf("%s does not show %s:\n%s", v.URL, phase, v.Body())
}

// Sees opens the page of a payment until it shows a phase.
func (p Payment) Sees(t testing.TB, phase string) *Visitor {
	t.Helper()
	v := &Visitor{}
	Eventually(t, func() error { return errors.Join(v.Open(p.PaymentURL), v.Shows(phase)) })
	return v
}

// Step is something that a visitor does.
type Step func(*Visitor) error

// Walk opens the page of a payment and goes on from there.
func (p Payment) Walk(steps ...Step) (*Visitor, error) {
	v := &Visitor{}
	err := v.Open(p.PaymentURL)
	for _, s := range steps {
		if err == nil {
			err = s(v)
		}
	}
	return v, err
}

// Must is walk for tests.
func (p Payment) Must(t testing.TB, steps ...Step) *Visitor {
	t.Helper()
	v, err := p.Walk(steps...)
	if err != nil {
		t.Fatalf("%s: %v", p.TrackingCode, err)
	}
	return v
}

// Press is a step that sends a form with some of its fields filled in.
func Press(action string, fields ...string) Step {
	values := url.Values{}
	for i := 0; i+1 < len(fields); i += 2 {
		values.Set(fields[i], fields[i+1])
	}
	return func(v *Visitor) error { return v.Press(action, values) }
}

// WithCard is a step that enters a card on the gateway's page.
func WithCard(number string) Step {
	return Press("card", "holder", "AYŞE YILMAZ", "number", number, "expiry", "12/40", "cvc", "123")
}
