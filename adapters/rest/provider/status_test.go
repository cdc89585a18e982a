package provider_test

import (
	"strings"
	"testing"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

const transactionStatus = "/transaction-status"

// owned is a body with what is Vezne's own.
func owned(body, extra string) string { return strings.Replace(body, "{", "{"+extra+",", 1) }

// TestAnyPaymentIsFoundByCodeAndReference, of every method; and another provider finds nothing, whatever it knows.
func TestAnyPaymentIsFoundByCodeAndReference(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for path, body := range creating {
		reference := "order" + strings.ReplaceAll(path, "-", "_")
		s.Send(t, s.call(path, owned(body, `"reference":"`+reference+`"`))).Want(t, 200, "")
	}
	made := s.Payments(t)
	if len(made) != len(creating) {
		t.Fatalf("%d payments", len(made))
	}
	for _, p := range made {
		byCode := s.Send(t, s.call(transactionStatus, `{"tracking_code":"`+p.TrackingCode+`"}`))
		byReference := s.Send(t, s.call(transactionStatus, `{"reference":"`+p.Reference+`"}`))
		if byCode.Want(t, 200, ""); byCode.Body != byReference.Body || !strings.Contains(byCode.Body, `"reference":"`+p.Reference+`"`) || p.Reference == "" {
			t.Errorf("by code %s\nby reference %s", byCode.Body, byReference.Body)
		}
	}
	stranger := s.addProvider(t)
	for _, body := range []string{`{"tracking_code":"` + made[0].TrackingCode + `"}`, `{"reference":"` + made[0].Reference + `"}`} {
		r := s.call(transactionStatus, body).Signed(stranger.APIKey, stranger.SecretKey.Reveal(), s.Clock.Now().Unix())
		s.Send(t, r).Want(t, 404, "Not found")
	}
}

// addProvider makes another provider.
func (s *server) addProvider(t *testing.T) owner.Provider {
	t.Helper()
	p, err := s.Directory.CreateProvider(t.Context(), app.BySystem, owner.Provider{Name: "Other", Language: "en"})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestOfTheSameReferenceTheNewestIsFound(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for range 2 {
		s.Send(t, s.call("/start-manual-deposit", owned(depositBody, `"reference":42`))).Want(t, 200, "")
		s.Clock.Advance(1e9)
	}
	newest := s.Payments(t)[0]
	for _, p := range s.Payments(t) {
		if p.CreatedAt.After(newest.CreatedAt) {
			newest = p
		}
	}
	if got := s.Send(t, s.call(transactionStatus, `{"reference":"42"}`)); !strings.Contains(got.Body, newest.TrackingCode) {
		t.Errorf("want %s, got %s", newest.TrackingCode, got.Body)
	}
}

// TestAReferenceIsANameAndNothingElse: no markup, no sentence, no bounds to try.
func TestAReferenceIsANameAndNothingElse(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for _, reference := range []string{
		`"<script>alert(1)</script>"`, `"a b"`, `"ayse@example.com"`, `"=1+1"`, `"Ayşe"`, `"a\u0000"`, `"` + strings.Repeat("x", 65) + `"`,
		`true`, `1.5`, `-1`, `1e9`, `["a"]`, `{}`,
	} {
		got := s.Send(t, s.call("/start-manual-deposit", owned(depositBody, `"reference":`+reference)).With("Accept-Language", "en"))
		if got.Want(t, 422, "Validation failed"); !strings.Contains(got.Body, `{"field":"reference","code":"reference"}`) {
			t.Errorf("%s: %s", reference, got.Body)
		}
	}
	for _, body := range []string{`{}`, `{"tracking_code":"MAN-1","reference":"a"}`, `{"tracking_code":"","reference":""}`} {
		got := s.Send(t, s.call(transactionStatus, body))
		if got.Want(t, 422, "Validation failed"); !strings.Contains(got.Body, `"code":"which"`) {
			t.Errorf("%s: %s", body, got.Body)
		}
	}
}

// TestAReturnURLIsOneThatTheSiteHasAllowed, and the page of a card or a deposit leads there; a withdrawal has none.
func TestAReturnURLIsOneThatTheSiteHasAllowed(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	back := owned(depositBody, `"return_url":"https://shop.example/back?o=1"`)
	got := s.Send(t, s.call("/start-manual-deposit", back))
	if got.Want(t, 422, "Validation failed"); !strings.Contains(got.Body, `{"field":"return_url","code":"return_url"}`) {
		t.Error(got.Body)
	}
	s.changeSite(t, func(site *owner.Site) {
		site.ReturnOrigins, site.HomeURL = []string{"https://shop.example"}, "https://shop.example/home"
	})
	for body, want := range map[string]string{back: "https://shop.example/back?o=1", depositBody: "https://shop.example/home"} {
		before := map[string]bool{}
		for _, p := range s.Payments(t) {
			before[p.TrackingCode] = true
		}
		s.Send(t, s.call("/start-manual-deposit", body)).Want(t, 200, "")
		for _, p := range s.Payments(t) {
			if !before[p.TrackingCode] && p.ReturnURL != want {
				t.Errorf("it leads to %q, want %q", p.ReturnURL, want)
			}
		}
	}
	s.Send(t, s.call("/start-manual-withdraw", owned(withdrawalBody, `"return_url":"https://evil.example"`))).Want(t, 200, "") // not looked at
	for _, p := range s.Payments(t) {
		if p.Method == payment.ManualWithdrawal && p.ReturnURL != "" {
			t.Errorf("a withdrawal leads to %q", p.ReturnURL)
		}
	}
}
