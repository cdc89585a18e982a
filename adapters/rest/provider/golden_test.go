package provider_test

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/vezne/vezne/core"
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

var goldens = slices.Concat(gatewayGoldens, []golden{
	{"e1-welcome", plain("/welcome", "")},
	{"e1-welcome-tr", func(_ *testing.T, s *server) request { return s.call("/welcome", "").With("Accept-Language", "tr") }},
	{"e2-sites", func(t *testing.T, s *server) request {
		second := owner.Site{
			ID: 77, Version: 1, ProviderID: s.Provider.ID, DealerID: s.Dealer.ID, Name: "Kapalı \"Site\"",
			CreatedAt: s.Clock.Now().Add(-15 * time.Hour), UpdatedAt: s.Clock.Now(),
		}
		s.Commit(t, core.Changeset{second})
		return s.call("/sites", "")
	}},
	{"e2-no-sites", func(t *testing.T, s *server) request {
		p := s.Provider
		p.ID, p.Version, p.APIKey, p.Name = 99, 1, "vzp_golden_without_sites", "Yeni Ödeme"
		s.Commit(t, core.Changeset{p})
		return s.call("/sites", "").SignedWith(p.APIKey, p.SecretKey.Reveal(), p.VerificationKey.Reveal(), s.Clock.Now().Unix())
	}},
	{"e3-deposit", plain("/start-manual-deposit", depositBody)},
	{"e3-deposit-tr", func(_ *testing.T, s *server) request {
		return s.call("/start-manual-deposit", depositBody).With("Accept-Language", "tr-TR,tr;q=0.9,en;q=0.5")
	}},
	{"e3-deposit-escapes", plain("/start-manual-deposit",
		`{"fullname":" \"Ayşe\" \\ <b>&amp; \u0130 😀 ","username":"a/b","user_id":12345678901234567890,"amount":"999999999.99","extra":[{}]}`)},
	{"e3-deposit-ignored", plain("/start-manual-deposit", with(depositBody, `"currency":"USD","order_id":"4711","callback_url":"https://x.example"`))},
	{"e3-deposit-ignored-tr", func(_ *testing.T, s *server) request {
		return s.call("/start-manual-deposit", with(depositBody, `"currency":"USD","order_id":"4711","callback_url":"https://x.example","iban":"-"`)).With("Accept-Language", "tr")
	}},
	{"e3-replayed", func(t *testing.T, s *server) request {
		r := s.call("/start-manual-deposit", depositBody).With("Idempotency-Key", "order-4711")
		s.Send(t, r)
		s.Clock.Advance(time.Minute)
		return s.call("/start-manual-deposit", depositBody).With("Idempotency-Key", "order-4711")
	}},
	{"e3-rate-limit-set", func(_ *testing.T, s *server) request {
		s.Gate.Rate = core.Rate{Events: 100, Per: time.Minute}
		return s.call("/start-manual-deposit", depositBody)
	}},
	{"e4-withdrawal", plain("/start-manual-withdraw", withdrawalBody)},
	{"e5-deposit", plain("/start-eiban-deposit", depositBody)},
	{"e6-withdrawal", plain("/start-eiban-withdraw", withdrawalBody)},

	{"error-400-invalid-json", plain("/start-manual-deposit", `{"amount":}`)},
	{"error-401-missing-headers", func(_ *testing.T, s *server) request { return s.call("/welcome", "").With("X-Hash", "") }},
	{"error-401-invalid-api-key", func(_ *testing.T, s *server) request { return s.call("/welcome", "").With("X-Api-Key", "vzp_unknown") }},
	{"error-401-timestamp", func(_ *testing.T, s *server) request { return s.call("/welcome", "").With("X-Timestamp", "1772441699") }},
	{"error-401-invalid-hash", func(_ *testing.T, s *server) request {
		return s.call("/welcome", "").With("X-Hash", strings.Repeat("0", 64))
	}},
	{"error-401-credential-key", func(_ *testing.T, s *server) request {
		return s.call("/start-manual-withdraw", withdrawalBody).
			SignedWith(s.Provider.APIKey, s.Provider.SecretKey.Reveal(), s.OtherSiteKey, s.Clock.Now().Unix())
	}},
	{"error-401-credential-key-tr", func(t *testing.T, s *server) request {
		s.changeProvider(t, func(p *owner.Provider) { p.Language = lang.TR })
		return s.call("/start-manual-withdraw", withdrawalBody).
			SignedWith(s.Provider.APIKey, s.Provider.SecretKey.Reveal(), s.OtherSiteKey, s.Clock.Now().Unix())
	}},
	{"error-403-provider-inactive", func(t *testing.T, s *server) request {
		s.changeProvider(t, func(p *owner.Provider) { p.IsActive = false })
		return s.call("/welcome", "")
	}},
	{"error-403-address", func(t *testing.T, s *server) request {
		s.changeProvider(t, func(p *owner.Provider) { p.IPWhitelist = []netip.Prefix{netip.MustParsePrefix("198.51.100.0/24")} })
		return s.call("/welcome", "")
	}},
	{"error-403-site-inactive", func(t *testing.T, s *server) request {
		s.changeSite(t, func(x *owner.Site) { x.IsActive = false })
		return s.call("/start-manual-deposit", depositBody)
	}},
	{"error-403-blocked", func(t *testing.T, s *server) request {
		s.block(t, "u-1001")
		return s.call("/start-manual-deposit", depositBody)
	}},
	{"error-404", plain("/start-nothing", "")},
	{"error-404-root", plain("//elsewhere", "")},
	{"error-405", func(_ *testing.T, s *server) request {
		r := s.call("/welcome", "")
		r.Method = http.MethodGet
		return r.With("Accept-Language", "en")
	}},
	{"error-409-key-reused", func(t *testing.T, s *server) request {
		s.Send(t, s.call("/start-manual-deposit", depositBody).With("Idempotency-Key", "order-4711"))
		return s.call("/start-manual-deposit", strings.Replace(depositBody, "250", "251", 1)).With("Idempotency-Key", "order-4711")
	}},
	{"error-413", func(_ *testing.T, s *server) request {
		r := s.call("/start-manual-deposit", "")
		r.Reader = strings.NewReader(strings.Repeat(" ", 64<<10+1))
		return r
	}},
	{"error-422-all-fields", plain("/start-manual-withdraw", `{}`)},
	{"error-422-all-fields-tr", func(_ *testing.T, s *server) request {
		return s.call("/start-eiban-withdraw", `{"amount":0.5,"iban":"TR1","user_id":true,"username":"a\u0000b"}`).
			With("Accept-Language", "tr").With("Idempotency-Key", "with space")
	}},
	{"error-422-test-where-money-moves", plain("/start-manual-deposit", owned(depositBody, `"test":{"outcome":"completed"}`))},
	{"error-422-test-where-money-moves-tr", func(_ *testing.T, s *server) request {
		return s.call(card, owned(cardBody, `"test":{}`)).With("Accept-Language", "tr")
	}},
	{"error-422-test", func(_ *testing.T, s *server) request {
		s.noMoneyMoves()
		return s.call("/start-manual-withdraw", owned(withdrawalBody, `"test":{"outcome":"expired","amount":0,"error_code":"NO","after":86401,`+
			`"callbacks":["twice"],"callback_delay":"5"}`))
	}},
	{"test-clock", func(t *testing.T, s *server) request {
		s.noMoneyMoves()
		s.Send(t, s.call("/start-manual-deposit", owned(depositBody, `"reference":"order-1","test":{}`)))
		return s.call(testClock, `{"reference":"order-1","seconds":900}`)
	}},
	{"error-404-test-clock", func(t *testing.T, s *server) request {
		s.noMoneyMoves()
		s.Send(t, s.call("/start-manual-deposit", owned(depositBody, `"reference":"order-1"`)))
		return s.call(testClock, `{"reference":"order-1","seconds":900}`)
	}},
	{"error-429-rate", func(t *testing.T, s *server) request {
		s.Gate.Rate = core.Rate{Events: 1, Per: time.Minute}
		s.Send(t, s.call("/welcome", ""))
		return s.call("/welcome", "")
	}},
	{"error-500", func(_ *testing.T, s *server) request {
		s.UnitOfWork.Random = iotest.ErrReader(errors.New("the entropy of /dev/urandom is gone"))
		return s.call("/start-manual-deposit", depositBody)
	}},
	{"error-503", func(t *testing.T, s *server) request {
		r := s.call("/welcome", "") // the memory store refuses a context that is over, as a database out of reach does
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
			s.Compare(t, g.name, r, s.Send(t, r), s.Provider.APIKey, "<api key>", s.CredentialKey, "<credential key>",
				s.OtherSiteKey, "<another provider's credential key>", s.Provider.VerificationKey.Reveal(), "<verification key>")
		})
	}
	resttest.AllUsed(t, names)
}

// block puts a customer of the World's provider on the block list.
func (s *server) block(t *testing.T, userID string) {
	t.Helper()
	s.Commit(t, core.Changeset{owner.Block{
		CustomerKey: owner.CustomerKey{ProviderID: s.Provider.ID, UserID: userID}, BlockedBy: core.System, BlockedAt: s.Clock.Now(),
	}})
}
