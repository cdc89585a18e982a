package dealer_test

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/e2e/resttest"
)

// golden is one request and its whole answer, kept in testdata under its name.
type golden struct {
	name string
	make func(*testing.T, *server) request
}

// plain is a signed call without anything special.
func plain(path, body string) func(*testing.T, *server) request {
	return func(_ *testing.T, s *server) request { return s.call(path, body) }
}

// turkish is the same without an Accept-Language: dealers are answered in Turkish.
func turkish(path, body string) func(*testing.T, *server) request {
	return func(_ *testing.T, s *server) request { return s.call(path, body).With("Accept-Language", "") }
}

// after is a signed call once the World has been changed.
func after(change func(*testing.T, *server), path, body string) func(*testing.T, *server) request {
	return func(t *testing.T, s *server) request {
		t.Helper()
		change(t, s)
		return s.call(path, body)
	}
}

// again is a call with a key that was sent before with another body, or the same.
func again(path, first, second string) func(*testing.T, *server) request {
	return func(t *testing.T, s *server) request {
		t.Helper()
		s.Send(t, s.call(path, first).With(idempotency, "order-4711"))
		s.Clock.Advance(time.Minute)
		return s.call(path, second).With(idempotency, "order-4711")
	}
}

func switchOff(change func(*owner.Dealer)) func(*testing.T, *server) {
	return func(t *testing.T, s *server) { t.Helper(); s.changeDealer(t, change) }
}

func noManual(d *owner.Dealer) { d.IsManualIBANEnabled = false }
func noEIBAN(d *owner.Dealer)  { d.IsEIBANEnabled = false }
func noCards(d *owner.Dealer)  { d.IsCreditCardEnabled = false }

var goldens = slices.Concat(walletGoldens, []golden{
	{"d1-settings", plain(settings, "")},
	{"d1-settings-tr", turkish(settings, "")},
	{"d1-settings-all-off", after(switchOff(func(d *owner.Dealer) { noManual(d); noEIBAN(d); noCards(d) }), settings, "")},
	{"d1-settings-site", func(_ *testing.T, s *server) request { return s.siteCall(settings, "") }},
	{"d2-offer", plain(deposit, depositBody)},
	{"d2-offer-tr", turkish(deposit, depositBody)},
	{"d2-offer-site", func(_ *testing.T, s *server) request { return s.siteCall(deposit, depositBody) }},
	{"d2-offer-large", plain(deposit, strings.Replace(depositBody, "250.00", `"99999.5"`, 1))},
	{"d2-replayed", again(deposit, depositBody, depositBody)},
	{"d2-error-403-switched-off", after(switchOff(noManual), deposit, depositBody)},
	{"d2-error-409-key-reused", again(deposit, depositBody, strings.Replace(depositBody, "250", "251", 1))},
	{"d2-error-422", plain(deposit, "{}")},
	{"d2-error-422-tr", turkish(deposit, `{"username":7,"userid":true,"fullname":"a\u0000b","amount":0.5}`)},
	{"d2-error-422-no-account", plain(deposit, strings.Replace(depositBody, "250.00", "100000.01", 1))},
	{"d2-error-422-no-account-tr", turkish(deposit, strings.Replace(depositBody, "250.00", "100000.01", 1))},
	{"d3-withdrawal", plain(withdraw, withdrawBody)},
	{"d3-withdrawal-tr", turkish(withdraw, withdrawBody)},
	{"d3-replayed", again(withdraw, withdrawBody, withdrawBody)},
	{"d3-error-403-switched-off", after(switchOff(noManual), withdraw, withdrawBody)},
	{"d3-error-422", plain(withdraw, "{}")},
	{"d3-error-422-iban-tr", turkish(withdraw, strings.Replace(withdrawBody, "TR33", "TR34", 1))},
	{"d8-payment", plain(card, cardBody)},
	{"d8-payment-tr", turkish(card, cardBody)},
	{"d8-payment-site", func(_ *testing.T, s *server) request { return s.siteCall(card, cardBody) }},
	{"d8-replayed", again(card, cardBody, cardBody)},
	{"d8-error-403-switched-off", after(switchOff(noCards), card, cardBody)},
	{"d8-error-403-switched-off-tr", func(t *testing.T, s *server) request {
		s.changeDealer(t, noCards)
		return s.call(card, cardBody).With("Accept-Language", "tr")
	}},
	{"d8-error-422", plain(card, "{}")},
	{"d8-error-422-low-tr", turkish(card, strings.NewReplacer("250.00", "199.99", "ayse@", "ayse").Replace(cardBody))},

	{"error-400-invalid-json", plain(deposit, `{"amount":}`)},
	{"error-401-missing-headers", func(_ *testing.T, s *server) request { return s.call(settings, "").With("X-Hash", "") }},
	{"error-401-invalid-api-key", func(_ *testing.T, s *server) request { return s.call(settings, "").With("X-Api-Key", "vzd_unknown") }},
	{"error-401-invalid-site-token", func(_ *testing.T, s *server) request {
		return s.siteCall(settings, "").With("X-Site-Token", "vzt_unknown")
	}},
	{"error-401-timestamp", func(_ *testing.T, s *server) request { return s.call(settings, "").With("X-Timestamp", "1772441699") }},
	{"error-401-invalid-hash", func(_ *testing.T, s *server) request {
		return s.call(settings, "").With("X-Hash", strings.Repeat("0", 64))
	}},
	{"error-401-invalid-hash-tr", func(_ *testing.T, s *server) request {
		return s.call(settings, "").With("X-Hash", strings.Repeat("0", 64)).With("Accept-Language", "")
	}},
	{"error-403-dealer-inactive", after(switchOff(func(d *owner.Dealer) { d.IsActive = false }), settings, "")},
	{"error-403-address", after(switchOff(func(d *owner.Dealer) {
		d.IPWhitelist = []netip.Prefix{netip.MustParsePrefix("198.51.100.0/24")}
	}), settings, "")},
	{"error-403-site-token", func(_ *testing.T, s *server) request { return s.siteCall(eibans, "") }},
	{"error-403-site-token-tr", func(_ *testing.T, s *server) request { return s.siteCall(send, sendBody).With("Accept-Language", "") }},
	{"error-404", plain("/nothing", "")},
	{"error-405", func(_ *testing.T, s *server) request {
		r := s.call(settings, "")
		r.Method = http.MethodPost
		return r
	}},
	{"error-413", func(_ *testing.T, s *server) request {
		r := s.call(deposit, depositBody)
		r.Reader, r.Body = strings.NewReader(strings.Repeat(" ", 64<<10+1)), ""
		return r
	}},
	{"error-429-rate", func(t *testing.T, s *server) request {
		s.Gate.Rate = core.Rate{Events: 1, Per: time.Minute}
		s.Send(t, s.call(settings, ""))
		return s.call(settings, "")
	}},
	{"error-500", func(_ *testing.T, s *server) request {
		s.UnitOfWork.Random = iotest.ErrReader(errors.New("the entropy of /dev/urandom is gone"))
		return s.call(deposit, depositBody)
	}},
	{"error-503", func(t *testing.T, s *server) request {
		r := s.call(settings, "") // the memory store refuses a context that is over, as a database out of reach does
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		r.Ctx = ctx
		return r
	}},
})

func TestGolden(t *testing.T) {
	t.Parallel()
	names := make([]string, 0, len(goldens))
	for _, g := range goldens {
		names = append(names, g.name)
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			r := g.make(t, s)
			s.Compare(t, g.name, r, s.Send(t, r), s.Dealer.APIKey, "<api key>", s.SiteToken.Token, "<site token>",
				s.Wallet.WalletID, "<wallet id>", s.OtherWallet.WalletID, "<another dealer's wallet id>")
		})
	}
	resttest.AllUsed(t, names)
}

// TestEveryErrorCodeHasItsGoldenFile, in each language.
func TestEveryErrorCodeHasItsGoldenFile(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*-error-*.http")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	for code, args := range map[fault.Code][]any{
		fault.DateRangeExceeded: nil, fault.BadDateRange: nil, fault.NoWallet: nil, fault.Insufficient: nil, fault.BadIBAN: nil,
		fault.BelowMinimum: {"10.00"}, fault.NoAccount: nil, fault.NoTransfer: nil, fault.MethodDisabled: nil, fault.CardsDisabled: nil,
		fault.KeyReused: nil,
	} {
		for _, tag := range lang.Tags() {
			said := string(rest.NewObject().Text("message", lang.Say(tag, string(code), args...)).End())
			if !strings.Contains(all.String(), `"error_code":"`+string(code)+`"`) || !strings.Contains(all.String(), said[1:]) {
				t.Errorf("%s in %s is in no golden file", code, tag)
			}
		}
	}
}
