package paypage_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
)

// back is the address to which a payment's customer comes back.
func (s *stage) back(p payment.Payment) string { return operation.ReturnPath + s.last(p).ReturnToken }

// fromBank is a return as banks make it: a form of another site.
func (s *stage) fromBank(at, body string) *http.Request {
	s.t.Helper()
	r := s.request(http.MethodPost, at, nil)
	r.Body, r.ContentLength = io.NopCloser(strings.NewReader(body)), -1
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	r.Header.Set("Origin", "https://bank.test")
	r.Header.Set("Cookie", "session=stolen")
	r.Header.Set("Authorization", "Bearer stolen")
	return r
}

// TestReturn: by GET or by another site's POST, the customer is led to the payment's page, and the gateway is asked.
func TestReturn(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for name, come := range map[string]func(at string) answer{
		"GET":  func(at string) answer { return s.get(at + "?status=success&x=%20") },
		"POST": func(at string) answer { return s.send(s.fromBank(at+"?status=success&x=%20", "mdStatus=1&b=%zz")) },
	} {
		s.booth.visits = nil
		p := s.begun(payment.CreditCard, nil)
		s.Sandbox.PayInFull(s.last(p).Reference)
		got := come(s.back(p))
		if got.status != http.StatusSeeOther || got.header.Get("Location") != path(p)+"?step=back" || got.body != "" {
			t.Fatalf("%s: %d to %s", name, got.status, got.header.Get("Location"))
		}
		if now := s.Reload(t, p); now.Status != payment.Success {
			t.Errorf("%s: %s now", name, now.Status)
		}
		if got := s.get(got.header.Get("Location")).text(); !strings.Contains(got, "Your payment is complete") {
			t.Errorf("%s shows\n%s", name, got)
		}
		in := s.booth.visits[0]
		if in.Method != name || in.Path != s.back(p) || in.Query != "status=success&x=%20" || in.Peer.String() != "127.0.0.1" ||
			!in.Arrived.Equal(s.Clock.Now()) || name == "POST" && string(in.Body) != "mdStatus=1&b=%zz" {
			t.Errorf("%s: the plugin sees %+v", name, in)
		}
		if in.Header.Get("Cookie") != "" || in.Header.Get("Authorization") != "" || in.Header.Get("User-Agent") == "" {
			t.Errorf("%s: the plugin sees %v", name, in.Header)
		}
	}
}

// TestReturnProvesNothing: whatever a browser brings, the page shows what the gateway itself says.
func TestReturnProvesNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.begun(payment.CreditCard, nil)
	for range 3 {
		got := s.send(s.fromBank(s.back(p), "status=success&paid=250.00&mdStatus=1"))
		if got.status != http.StatusSeeOther {
			t.Fatalf("%d", got.status)
		}
		page := s.get(got.header.Get("Location"))
		if !strings.Contains(page.text(), "Waiting for the outcome of your payment") || s.Reload(t, p).Status != payment.Pending {
			t.Errorf("shows\n%s", page.text())
		}
		if !strings.Contains(page.body, path(p)+"/go") || !strings.Contains(page.body, path(p)+"/cancel") {
			t.Errorf("no way to go on, or to cancel:\n%s", page.body)
		}
	}
	if n := len(s.booth.visits); n != 1 {
		t.Errorf("finished %d times", n)
	}
	s.happens(p, refused(gateway.WrongCVC, true))
	if got := s.get(path(p) + "?step=back").text(); !strings.Contains(got, "The last try was refused") {
		t.Errorf("a refusal shows\n%s", got)
	}
}

// TestForgedReturn: an address that was never given is not found, and nothing of another payment's works there.
func TestForgedReturn(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.begun(payment.CreditCard, nil)
	missing := s.get("/pay/nothing").text()
	for _, at := range []string{
		"/pay/return/x", "/pay/return/" + p.Token, "/pay/return/" + strings.Repeat("0", 5000), "/pay/return/", "/pay/return",
		"/pay/return/state", "/pay/return/" + string(s.last(p).Reference), s.back(p) + "/more", "/pay/return/%00",
	} {
		for name, got := range map[string]answer{"GET": s.get(at), "POST": s.send(s.fromBank(at, "status=success"))} {
			isKnownPath := at == "/pay/return" && name == "POST" // a token, to which no form goes
			if got.status != http.StatusNotFound && !isKnownPath || !isKnownPath && got.text() != missing {
				t.Errorf("%s %.60s: %d\n%s", name, at, got.status, got.text())
			}
		}
	}
	if got := s.get("/pay/" + s.last(p).ReturnToken); got.status != http.StatusNotFound {
		t.Errorf("the return token opens a page: %d", got.status)
	}
	if len(s.booth.visits) != 0 || s.Reload(t, p).Status != payment.Pending {
		t.Error("something happened")
	}
}

// TestHugeReturn: what is too much is refused before anything is done with it.
func TestHugeReturn(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.begun(payment.CreditCard, nil)
	for name, r := range map[string]*http.Request{
		"body":  s.fromBank(s.back(p), strings.Repeat("x", gateway.MaxNotificationBytes+1)),
		"query": s.fromBank(s.back(p)+"?"+strings.Repeat("x", 17<<10), ""),
	} {
		got := s.send(r)
		if got.status != http.StatusRequestEntityTooLarge || strings.Contains(got.body, "href=\"/pay/\"") {
			t.Errorf("%s: %d\n%s", name, got.status, got.body)
		}
	}
	if len(s.booth.visits) != 0 {
		t.Error("the plugin saw it")
	}
	whole := strings.Repeat("x", gateway.MaxNotificationBytes)
	r := s.fromBank(s.back(p), whole)
	r.Header.Set("User-Agent", strings.Repeat("u", 600))
	if got := s.send(r); got.status != http.StatusSeeOther || len(s.booth.visits[0].Body) != len(whole) || s.booth.visits[0].Header.Get("User-Agent") != "" {
		t.Errorf("as much as is allowed: %d", got.status)
	}
}

// TestReturnMethods: no other method comes back; a HEAD must not use up the one finishing call.
func TestReturnMethods(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.begun(payment.CreditCard, nil)
	for _, method := range []string{http.MethodHead, http.MethodPut, http.MethodDelete, http.MethodOptions} {
		got := s.send(s.request(method, s.back(p), nil))
		if got.status != http.StatusMethodNotAllowed || got.header.Get("Allow") != "GET, POST" {
			t.Errorf("%s: %d, Allow %q", method, got.status, got.header.Get("Allow"))
		}
	}
	if len(s.booth.visits) != 0 {
		t.Error("the gateway was asked")
	}
}

// TestReturnDuringAnOutage: the customer is asked to reload, which brings everything once more; no token is logged.
func TestReturnDuringAnOutage(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.begun(payment.CreditCard, nil)
	at := s.back(p)
	s.fails(errOutage)
	got := s.send(s.fromBank(at+"?lang=en", "status=success"))
	if got.status != http.StatusServiceUnavailable || !strings.Contains(got.text(), "Please reload this page") ||
		strings.Contains(got.body, "data-state") || strings.Contains(got.body, "refresh") || strings.Contains(got.body, "<a class=\"button") {
		t.Errorf("%d\n%s", got.status, got.body)
	}
	for _, below := range []string{"", "/state", "/go"} {
		if got := s.get(path(p) + below); got.status != http.StatusServiceUnavailable {
			t.Errorf("%s: %d", below, got.status)
		}
	}
	if got := s.post(path(p)+"/begin", url.Values{}); got.status != http.StatusServiceUnavailable {
		t.Errorf("begin: %d", got.status)
	}
	s.fails(nil)
	token := strings.TrimPrefix(at, operation.ReturnPath)
	if logs := s.Logs.String(); strings.Contains(logs, token) || strings.Contains(logs, p.Token) || !strings.Contains(logs, "/pay/return/{return}") {
		t.Errorf("the logs are\n%s", logs)
	}
}
