package dealer_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/resttest"
)

// TestARequestSignatureIsOneRequests: nothing of a signed request can be changed, left out or sent twice.
func TestARequestSignatureIsOneRequests(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.transfer(t)
	signed := s.whole(s.call(send, sendBody).With("Idempotency-Key", "payout-1"), nonce)
	header := func(name, value string) func(request) request {
		return func(r request) request { return r.With(name, value) }
	}
	twice := func(name, value string) func(request) request {
		return func(r request) request {
			r = r.With(name, r.Header.Get(name))
			r.Header[name] = append(r.Header[name], value)
			return r
		}
	}
	again := func(name string) func(request) request { return twice(name, signed.Header.Get(name)) }
	body := func(change func(string) string) func(request) request {
		return func(r request) request {
			r.Body = change(r.Body)
			return r
		}
	}
	to := func(method, path string) func(request) request {
		return func(r request) request {
			r.Method, r.Path = method, path
			return r
		}
	}
	right := signed.Header.Get("X-Signature")
	later := strconv.FormatInt(s.Clock.Now().Unix()+1, 10)
	for name, tamper := range map[string]func(request) request{
		"another IBAN":            body(func(b string) string { return strings.Replace(b, "TR33", "TR32", 1) }),
		"another amount":          body(func(b string) string { return strings.Replace(b, "250.00", "251.00", 1) }),
		"the amount as text":      body(func(b string) string { return strings.Replace(b, "250.00", `"250.00"`, 1) }),
		"trailing data":           body(func(b string) string { return b + "{}" }),
		"a trailing line break":   body(func(b string) string { return b + "\n" }),
		"white space":             body(func(b string) string { return " " + b }),
		"no body":                 body(func(string) string { return "" }),
		"another path":            to(http.MethodPost, withdraw),
		"a query":                 to(http.MethodPost, send+"?a=1"),
		"an empty query":          to(http.MethodPost, send+"?"),
		"another time":            header("X-Timestamp", later),
		"another nonce":           header("X-Nonce", nonce+"2"),
		"another key":             header("X-Api-Key", s.OtherDealer.APIKey),
		"a site token too":        header("X-Site-Token", s.SiteToken.Token),
		"a credential key":        header("X-Credential-Key", s.CredentialKey),
		"a verification key":      header("X-Key", "vzv_1"),
		"another idempotency key": header("Idempotency-Key", "payout-2"),
		"no idempotency key":      header("Idempotency-Key", ""),
		"the signature twice":     again("X-Signature"),
		"two signatures":          twice("X-Signature", "v2="+strings.Repeat("0", 64)),
		"two in one":              header("X-Signature", right+", "+right),
		"nonces":                  twice("X-Nonce", nonce+"2"),
		"the nonce twice":         again("X-Nonce"),
		"times":                   twice("X-Timestamp", later),
		"keys":                    twice("X-Api-Key", s.OtherDealer.APIKey),
		"two idempotency keys":    twice("Idempotency-Key", "payout-2"),
		"no version":              header("X-Signature", right[3:]),
		"another version":         header("X-Signature", "v1="+right[3:]),
		"half a signature":        header("X-Signature", right[:40]),
		"a long signature":        header("X-Signature", right+strings.Repeat("0", 10_000)),
		"an empty signature": func(r request) request {
			r = r.With("X-Signature", "x")
			r.Header["X-Signature"] = []string{""}
			return r
		},
	} {
		got := s.Send(t, tamper(signed))
		got.Want(t, 401, "Invalid signature")
		if got.Status == http.StatusOK {
			t.Error(name)
		}
		// The hash of the contract, which would be right, rescues none of them.
		if s.Send(t, tamper(signed.With("X-Hash", s.call(send, "").Header.Get("X-Hash")))).Status == http.StatusOK {
			t.Errorf("%s: the hash counts", name)
		}
	}
	for _, wrong := range []string{"", "short", strings.Repeat("a", 65), nonce + "/", nonce + " a"} {
		s.Send(t, s.whole(s.call(send, sendBody), wrong)).Want(t, 401, "Invalid nonce")
	}
	get := s.whole(s.call(status, ""), nonce+"3")
	for _, path := range []string{get.Path + "&a=1", strings.Replace(get.Path, "TRF-", "TRF%2D", 1), strings.Replace(get.Path, "?", "?&", 1)} {
		s.Send(t, to(http.MethodGet, path)(get)).Want(t, 401, "Invalid signature")
	}
	s.Send(t, get).Want(t, 200, "") // what was tampered with has used up no nonce
	s.Send(t, signed).Want(t, 200, "")
	if made := s.Payments(t); len(made) != 2 {
		t.Errorf("%d payments were created", len(made)-1)
	}
}

// TestAnAbsoluteAddressIsAnotherOne than its path alone.
func TestAnAbsoluteAddressIsAnotherOne(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	r := s.whole(s.call(send, sendBody), nonce)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://pay.vezne.test"+s.PathOf(r), strings.NewReader(r.Body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header, req.RemoteAddr, req.RequestURI = r.Header, r.Peer, "http://pay.vezne.test"+s.PathOf(r)
	recorder := httptest.NewRecorder()
	s.Handler.ServeHTTP(recorder, req)
	if recorder.Code != http.StatusUnauthorized {
		t.Errorf("answered with %d", recorder.Code)
	}
}

// TestABodyWithoutALengthIsSignedAsItArrives, in however many pieces, and one that is too large or breaks off is none.
func TestABodyWithoutALengthIsSignedAsItArrives(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	r := s.whole(s.call(deposit, depositBody), nonce)
	endless := &resttest.Endless{}
	for _, bad := range []struct {
		body   io.Reader
		status int
		text   string
	}{{endless, 413, "Request body too large"}, {&resttest.Broken{}, 400, "Invalid JSON"}} {
		other := r
		other.Reader = bad.body
		s.Send(t, other).Want(t, bad.status, bad.text)
	}
	if endless.Count > 200_000 {
		t.Errorf("%d bytes of an endless body were read", endless.Count)
	}
	r.Reader = io.MultiReader(strings.NewReader(r.Body[:10]), strings.NewReader(r.Body[10:]))
	s.Send(t, r).Want(t, 200, "")
}

// TestNobodyUnknownHasABodyRead: it takes a known key, a fresh time and a nonce.
func TestNobodyUnknownHasABodyRead(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for name, value := range map[string]string{"X-Api-Key": "vzd_nobody", "X-Timestamp": "1", "X-Nonce": "?"} {
		r, body := s.whole(s.call(send, sendBody), nonce).With(name, value), &resttest.Endless{}
		r.Reader = body
		if got := s.Send(t, r); got.Status != http.StatusUnauthorized || body.Count > 0 {
			t.Errorf("%s: %d, and %d bytes were read", name, got.Status, body.Count)
		}
	}
}
