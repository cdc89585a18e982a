package provider_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/sign"
)

// TestCardRefusalsAreWordForWordTheContracts: E7's own errors, whatever the language.
func TestCardRefusalsAreWordForWordTheContracts(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		world  func(*testing.T, *server)
		body   func(*server) string
		status int
		want   string
	}{
		"another provider's key": {
			body: func(s *server) string { return strings.Replace(cardBody, "{{key}}", s.OtherSiteKey, 1) }, status: 401, want: "Invalid credential key",
		},
		"no key": {
			body: func(*server) string { return strings.Replace(cardBody, `"credential_key"`, `"x"`, 1) }, status: 401, want: "Invalid credential key",
		},
		"an empty key": {body: func(*server) string { return strings.Replace(cardBody, "{{key}}", " ", 1) }, status: 401, want: "Invalid credential key"},
		"a key that is a number": {
			body: func(*server) string { return strings.Replace(cardBody, `"{{key}}"`, "7", 1) }, status: 401, want: "Invalid credential key",
		},
		"a key that is a list": {
			body: func(*server) string { return strings.Replace(cardBody, `"{{key}}"`, `["{{key}}"]`, 1) }, status: 401, want: "Invalid credential key",
		},
		"a huge key": {
			body: func(*server) string { return strings.Replace(cardBody, "{{key}}", strings.Repeat("k", 60_000), 1) }, status: 401, want: "Invalid credential key",
		},
		"the provider's switch is off": {
			world: func(t *testing.T, s *server) {
				s.changeProvider(t, func(p *owner.Provider) { p.IsCreditCardEnabled = false })
			}, status: 403, want: "Credit card payment is not enabled for this dealer",
		},
		"the dealer's switch is off": {
			world: func(t *testing.T, s *server) {
				s.changeSite(t, func(x *owner.Site) { x.DealerID = s.OtherDealer.ID })
			}, status: 403, want: "Credit card payment is not enabled for this dealer",
		},
		"the customer is blocked": {
			world: func(t *testing.T, s *server) { s.block(t, "u-1001") }, status: 403, want: "This customer is blocked. Payment not allowed.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			if tt.world != nil {
				tt.world(t, s)
			}
			body := cardBody
			if tt.body != nil {
				body = tt.body(s)
			}
			for _, language := range []string{"tr", "en"} {
				got := s.Send(t, s.call(card, body).With("Accept-Language", language))
				if want := `{"success":false,"message":"` + tt.want + `"}`; got.Status != tt.status || got.Body != want {
					t.Errorf("want %d %s, got %d %s", tt.status, want, got.Status, got.Body)
				}
			}
			if made := s.Payments(t); len(made) != 0 {
				t.Errorf("%d payments were created", len(made))
			}
		})
	}
}

// TestBlockedCustomersAreTheProvidersOwn: blocking is per provider and user_id.
func TestBlockedCustomersAreTheProvidersOwn(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.block(t, "u-1001")
	s.Send(t, s.call(card, strings.Replace(cardBody, "u-1001", "u-1002", 1))).Want(t, 200, "")
	others := s.call(bank, bankBody).
		SignedWith(s.OtherProvider.APIKey, s.OtherProvider.SecretKey.Reveal(), s.OtherSiteKey, s.Clock.Now().Unix())
	s.Send(t, others).Want(t, 200, "")
}

func TestWrongCredentialKeysOfCardsAreLimitedByAddress(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.Gate.FailRate = core.Rate{Events: 2, Per: time.Minute}
	wrong := s.call(card, strings.Replace(cardBody, "{{key}}", "vzc_guessed", 1))
	for left := 1; left >= 0; left-- {
		got := s.Send(t, wrong)
		got.Want(t, 401, "Invalid credential key")
		if got.Header.Get("RateLimit-Remaining") != strconv.Itoa(left) {
			t.Errorf("want %d left, got %v", left, got.Header)
		}
	}
	refused := s.Send(t, wrong)
	if refused.Want(t, 429, "Too many requests"); refused.Header.Get("Retry-After") != "60" {
		t.Errorf("Retry-After %q", refused.Header.Get("Retry-After"))
	}
	s.Send(t, s.call("/welcome", "")).Want(t, 429, "Too many requests")
}

func TestCardFields(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ş", 191)
	for _, tt := range []struct{ old, sent, want string }{
		{`"firstname":"Ayşe"`, `"firstname":" ` + long + ` "`, ""},
		{`"firstname":"Ayşe"`, `"firstname":"` + long + `ş"`, "The firstname field may have at most 191 characters."},
		{`"lastname":"Yılmaz"`, `"lastname":7`, "The lastname field must be a string."},
		{`"lastname":"Yılmaz"`, `"lastname":"a\u0000"`, "The lastname field contains invalid characters."},
		{`"ayse@example.com"`, `" ayse+1@example.com.tr "`, ""},
		{`"ayse@example.com"`, `"ayse"`, "The email field must be an email address."},
		{`"ayse@example.com"`, `"a@b@example.com"`, "The email field must be an email address."},
		{`"+90 555 111 22 33"`, "5551112233", ""},
		{`"+90 555 111 22 33"`, `"(0555) 111-22-33"`, ""},
		{`"+90 555 111 22 33"`, `"555-CALL-ME"`, "The phone field must be a phone number."},
		{`"+90 555 111 22 33"`, "true", "The phone field must be a string."},
		{`"Sipariş 42"`, "null", ""}, {`"Sipariş 42"`, `""`, ""}, {`,"description":"Sipariş 42"`, "", ""},
		{`"Sipariş 42"`, `"` + strings.Repeat("ş", 500) + `"`, ""},
		{`"Sipariş 42"`, `"` + strings.Repeat("ş", 501) + `"`, "The description field may have at most 500 characters."},
		{`"Sipariş 42"`, "42", "The description field must be a string."},
		{`"u-1001"`, "1001", ""},
		{`"{{key}}"`, `" {{key}} "`, ""},
	} {
		s := newServer(t)
		got := s.Send(t, s.call(card, strings.Replace(cardBody, tt.old, tt.sent, 1)))
		if tt.want != "" {
			got.WantMessages(t, tt.want)
		} else if got.Status != 200 {
			t.Errorf("%.60s: %d %s", tt.sent, got.Status, got.Body)
		}
	}
}

func TestCardIsKeptAsItWasSent(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.Send(t, s.call(card, cardBody).With("Accept-Language", "tr")).Want(t, 200, "")
	p := s.Payments(t)[0]
	want := payment.CardPayer{
		OrderID: strings.ReplaceAll(p.TrackingCode, "-", ""), FirstName: "Ayşe", LastName: "Yılmaz", Email: "ayse@example.com",
		Phone: "+90 555 111 22 33", Description: "Sipariş 42",
	}
	if p.Payer != want || p.Customer.Fullname != "Ayşe Yılmaz" || p.Language != "tr" || p.SiteID != s.Site.ID || !p.ExpiresAt.Equal(p.CreatedAt.Add(15*time.Minute)) {
		t.Errorf("kept %+v of %+v", p.Payer, p)
	}
}

// TestStatusHashes: the hash of E8 may hold the tracking code, or not.
func TestStatusHashes(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	p := s.StartDeposit(t, payment.CreditCard, money.New(25000, money.TRY))
	other := s.StartDeposit(t, payment.CreditCard, money.New(25000, money.TRY))
	r := s.call(cardStatus, `{"tracking_code":"`+p.TrackingCode+`"}`)
	a, secret, stamp := s.Provider.APIKey, s.Provider.SecretKey.Reveal(), r.Header.Get("X-Timestamp")
	s.Send(t, r).Want(t, 200, "")
	s.Send(t, r.With("X-Hash", sign.Hash(a, secret, p.TrackingCode, stamp))).Want(t, 200, "")
	s.Send(t, r.With("X-Hash", strings.ToUpper(sign.Hash(a, secret, p.TrackingCode, stamp)))).Want(t, 200, "")
	for _, wrong := range []string{
		sign.Hash(a, secret, other.TrackingCode, stamp), sign.Hash(a, secret, s.CredentialKey, stamp), sign.Hash(a, secret, stamp, p.TrackingCode),
	} {
		s.Send(t, r.With("X-Hash", wrong)).Want(t, 401, "Invalid hash")
	}
	r.Body = `{"tracking_code":"` + strings.Repeat("C", 60_000) + `"}`
	s.Send(t, r).WantMessages(t, "The tracking_code field may have at most 191 characters.")
}

func TestStatusOfWhatIsNotTheProvidersCard(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	card := s.StartDeposit(t, payment.CreditCard, money.New(25000, money.TRY))
	deposit := s.StartDeposit(t, payment.ManualDeposit, money.New(25000, money.TRY))
	ask := func(code string) request { return s.call(cardStatus, `{"tracking_code":"`+code+`"}`) }
	s.Send(t, ask(" "+card.TrackingCode+" ")).Want(t, 200, "")
	for _, code := range []string{deposit.TrackingCode, "CC-0000000000000000", "x", strings.ToLower(card.TrackingCode), "' OR 1=1 --"} {
		s.Send(t, ask(code)).Want(t, 404, "Not found")
	}
	others := ask(card.TrackingCode).SignedWith(s.OtherProvider.APIKey, s.OtherProvider.SecretKey.Reveal(), "", s.Clock.Now().Unix())
	s.Send(t, others).Want(t, 404, "Not found")
}

// TestStatusFollowsTheCard through all that it can become.
func TestStatusFollowsTheCard(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	is := func(p payment.Payment, want string) {
		t.Helper()
		got := s.Send(t, s.call(cardStatus, `{"tracking_code":"`+p.TrackingCode+`"}`))
		if got.Want(t, 200, ""); !strings.Contains(got.Body, `"status":"`+want+`"`) {
			t.Errorf("want %s, got %s", want, got.Body)
		}
	}
	paid, late := s.StartDeposit(t, payment.CreditCard, money.New(25000, money.TRY)), s.StartDeposit(t, payment.CreditCard, money.New(100, money.TRY))
	is(paid, "pending")
	_, o, err := s.Operations.Begin(t.Context(), operation.Begin{Token: paid.Token})
	if err != nil {
		t.Fatal(err)
	}
	is(paid, "pending")
	s.Sandbox.PayInFull(o.Reference)
	s.Clock.Advance(time.Minute)
	s.Work(t)
	is(paid, "success")
	s.Clock.Advance(15 * time.Minute)
	s.Work(t)
	is(late, "failed")
	is(paid, "success")
}
