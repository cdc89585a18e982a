package main_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// visitor is a customer's browser without JavaScript, on any site: it follows redirects, and sends the forms of pages.
type visitor struct {
	url    string
	page   string
	status int
}

// maxRedirects is how many redirects in a row a browser follows.
const maxRedirects = 10

// open goes to an address.
func (v *visitor) open(address string) error {
	for range maxRedirects {
		r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, address, nil)
		if err != nil {
			return err
		}
		a, err := send(r)
		if err != nil {
			return err
		}
		v.url, v.page, v.status = address, string(a.body), a.status
		if a.status < 300 || a.status > 399 {
			return v.isFine()
		}
		if address, err = v.resolve(a.header.Get("Location")); err != nil {
			return err
		}
	}
	return fmt.Errorf("%d redirects in a row lead to %s", maxRedirects, v.url)
}

// press fills in the page's form that goes to an action, sends it, and follows where it leads.
func (v *visitor) press(action string, fields url.Values) error {
	target, inputs, ok := findForm(v.page, action)
	if !ok {
		return fmt.Errorf("%s has no form for %s:\n%s", v.url, action, v.body())
	}
	for name, values := range fields {
		inputs[name] = values
	}
	where, err := v.resolve(target)
	if err != nil {
		return err
	}
	a, err := postForm(where, inputs)
	if err != nil {
		return err
	}
	v.url, v.page, v.status = where, string(a.body), a.status
	if a.status == http.StatusSeeOther {
		if where, err = v.resolve(a.header.Get("Location")); err != nil {
			return err
		}
		return v.open(where)
	}
	return v.isFine()
}

func (v *visitor) resolve(link string) (string, error) {
	here, err := url.Parse(v.url)
	if err != nil {
		return "", err
	}
	there, err := here.Parse(link)
	if err != nil {
		return "", err
	}
	return there.String(), nil
}

func (v *visitor) isFine() error {
	if v.status == http.StatusOK || v.status == http.StatusUnprocessableEntity { // the form once more
		return nil
	}
	return fmt.Errorf("%s answers %d:\n%s", v.url, v.status, v.body())
}

// body is what the page itself says.
func (v *visitor) body() string {
	_, body, ok := strings.Cut(v.page, "<main")
	if !ok {
		return v.page
	}
	body, _, _ = strings.Cut(body, "</main>")
	return "<main" + body
}

// shows tells whether Vezne's page is that of a phase.
func (v *visitor) shows(phase string) error {
	if strings.Contains(v.page, `<main class="card `+phase+`"`) {
		return nil
	}
	return fmt.Errorf("%s does not show %s:\n%s", v.url, phase, v.body())
}

// sees opens the page of a payment until it shows a phase.
func (p payment) sees(t testing.TB, phase string) *visitor {
	t.Helper()
	v := &visitor{}
	eventually(t, func() error { return errors.Join(v.open(p.PaymentURL), v.shows(phase)) })
	return v
}

// step is something that a visitor does.
type step func(*visitor) error

// walk opens the page of a payment and goes on from there.
func (p payment) walk(steps ...step) (*visitor, error) {
	v := &visitor{}
	err := v.open(p.PaymentURL)
	for _, s := range steps {
		if err == nil {
			err = s(v)
		}
	}
	return v, err
}

// must is walk for tests.
func (p payment) must(t testing.TB, steps ...step) *visitor {
	t.Helper()
	v, err := p.walk(steps...)
	if err != nil {
		t.Fatalf("%s: %v", p.TrackingCode, err)
	}
	return v
}

// press is a step that sends a form with some of its fields filled in.
func press(action string, fields ...string) step {
	values := url.Values{}
	for i := 0; i+1 < len(fields); i += 2 {
		values.Set(fields[i], fields[i+1])
	}
	return func(v *visitor) error { return v.press(action, values) }
}

// withCard is a step that gives a card on the gateway's page.
func withCard(number string) step {
	return press("card", "holder", "AYŞE YILMAZ", "number", number, "expiry", "12/40", "cvc", "123")
}
