package provider_test

import (
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/sign"
)

// mistake is one thing wrong with a request or its caller.
type mistake struct {
	status int
	text   string
	world  func(*testing.T, *server)
	header func(*server, request) request
	body   string
}

// mistakes are in the order in which they must be told.
func mistakes(path string) []mistake {
	unknown := mistake{401, "Yetkisiz Credential Key", nil, func(s *server, r request) request {
		return r.SignedWith(s.Provider.APIKey, s.Provider.SecretKey.Reveal(), s.OtherSiteKey, s.Clock.Now().Unix())
	}, ""}
	inactive := mistake{403, "Site is inactive", func(t *testing.T, s *server) {
		s.changeSite(t, func(x *owner.Site) { x.IsActive = false })
	}, nil, ""}
	tooLarge := mistake{413, "Request body too large", nil, nil, strings.Repeat("[", 70_000)}
	broken := mistake{400, "Invalid JSON", nil, nil, `{"amount":1,`}
	wrong := mistake{422, "Validation failed", nil, nil, `{"user_id":"u-1001"}`}
	blocked := mistake{403, "Customer is blocked", func(t *testing.T, s *server) { s.block(t, "u-1001") }, nil, creating[path]}
	if path != card {
		return append(callers(), unknown, inactive, tooLarge, broken, wrong, blocked)
	}
	unknown = mistake{401, "Invalid credential key", nil, nil, `{"user_id":"u-1001"}`} // E7 has it in its body
	inactive.body = `{"credential_key":"{{key}}"}`
	wrong.body = inactive.body
	disabled := mistake{403, "Credit card payment is not enabled for this dealer", func(t *testing.T, s *server) {
		s.changeProvider(t, func(p *owner.Provider) { p.IsCreditCardEnabled = false })
	}, nil, cardBody}
	blocked.text = "This customer is blocked. Payment not allowed."
	return append(callers(), tooLarge, broken, unknown, inactive, wrong, disabled, blocked)
}

// callers are the mistakes that any endpoint can see, in their order.
func callers() []mistake {
	return []mistake{
		{401, "Missing required headers", nil, func(_ *server, r request) request { return r.With("X-Hash", "") }, ""},
		{401, "Invalid API key", nil, func(_ *server, r request) request { return r.With("X-Api-Key", "vzp_nobody") }, ""},
		{401, "Request timestamp expired", nil, func(_ *server, r request) request { return r.With("X-Timestamp", "1") }, ""},
		{401, "Invalid hash", nil, func(_ *server, r request) request { return r.With("X-Hash", strings.Repeat("a", 64)) }, ""},
		{403, "Provider account is inactive", func(t *testing.T, s *server) {
			s.changeProvider(t, func(p *owner.Provider) { p.IsActive = false })
		}, nil, ""},
		{403, "IP address not allowed", func(t *testing.T, s *server) {
			s.changeProvider(t, func(p *owner.Provider) { p.IPWhitelist = []netip.Prefix{netip.MustParsePrefix("203.0.113.9/32")} })
		}, nil, ""},
	}
}

// made is a call with all of some mistakes, the earliest made last, so that it is what is seen.
func (s *server) made(t *testing.T, r request, all []mistake) request {
	t.Helper()
	for n := len(all) - 1; n >= 0; n-- {
		m := all[n]
		if m.world != nil {
			m.world(t, s)
		}
		if m.header != nil {
			r = m.header(s, r)
		}
		if m.body != "" {
			r.Body = strings.ReplaceAll(m.body, "{{key}}", s.CredentialKey)
		}
	}
	return r
}

func TestTheFirstMistakeAnswers(t *testing.T) {
	t.Parallel()
	for path := range creating {
		for i, first := range mistakes(path) {
			t.Run(path[1:]+"/"+first.text, func(t *testing.T) {
				t.Parallel()
				s := newServer(t)
				r := s.made(t, s.call(path, creating[path]), mistakes(path)[i:])
				s.Send(t, r).Want(t, first.status, first.text)
				if made := s.Payments(t); len(made) != 0 {
					t.Errorf("%d payments were created", len(made))
				}
			})
		}
	}
}

// TestTheFirstMistakeOfAQuestionAnswers: E1, E2, E8, E10, E13 and E16.
func TestTheFirstMistakeOfAQuestionAnswers(t *testing.T) {
	t.Parallel()
	for _, path := range append([]string{cardStatus}, asking...) {
		table := callers()
		if path == cardStatus {
			table = append(table, mistake{413, "Request body too large", nil, nil, strings.Repeat("[", 70_000)},
				mistake{400, "Invalid JSON", nil, nil, `[]`}, mistake{422, "Validation failed", nil, nil, `{"tracking_code":7}`},
				mistake{404, "Not found", nil, nil, `{"tracking_code":"CC-0123456789ABCDEF"}`})
		}
		for i, first := range table {
			t.Run(path[1:]+"/"+first.text, func(t *testing.T) {
				t.Parallel()
				s := newServer(t)
				s.Send(t, s.made(t, s.call(path, ""), table[i:])).Want(t, first.status, first.text)
			})
		}
	}
}

func TestPathAndVerbComeBeforeAuthentication(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for _, path := range []string{"/nothing", "/welcome/", "/", "", "/start-manual-deposit/x", "//api", "//api/provider/../x"} {
		r := request{Method: http.MethodPost, Path: path, Peer: "192.0.2.10:1"}
		s.Send(t, r).Want(t, 404, "Not found")
	}
	for _, method := range []string{"GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"} {
		for _, path := range []string{"/welcome", "/sites", "/start-manual-deposit", "/start-eiban-withdraw", card, cardStatus, bank} {
			got := s.Send(t, request{Method: method, Path: path, Peer: "192.0.2.10:1"})
			got.Want(t, 405, "Method not allowed")
			if got.Header.Get("Allow") != "POST" {
				t.Errorf("%s %s: Allow %q", method, path, got.Header.Get("Allow"))
			}
		}
	}
	for _, method := range []string{"POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"} {
		got := s.Send(t, request{Method: method, Path: "/third-party/bank/gateways", Peer: "192.0.2.10:1"})
		if got.Want(t, 405, "Method not allowed"); got.Header.Get("Allow") != "GET" {
			t.Errorf("%s: Allow %q", method, got.Header.Get("Allow"))
		}
	}
	s.Send(t, request{Method: "BREW", Path: "/nothing", Peer: "192.0.2.10:1"}).Want(t, 404, "Not found")
}

func TestHeadersThatAreMissing(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	paths := append([]string{cardStatus}, asking...)
	for path := range creating {
		paths = append(paths, path)
	}
	for _, path := range paths {
		headers := []string{"X-Api-Key", "X-Hash", "X-Timestamp"}
		if path == "/sites" {
			headers = append(headers, "X-Key")
		}
		for _, name := range headers {
			s.Send(t, s.call(path, creating[path]).With(name, "")).Want(t, 401, "Missing required headers")
		}
		if keyHeaderOf(path) == "X-Credential-Key" {
			r := s.call(path, creating[path]).SignedWith(s.Provider.APIKey, s.Provider.SecretKey.Reveal(), "", s.Clock.Now().Unix())
			s.Send(t, r).Want(t, 401, "Yetkisiz Credential Key")
		}
	}
}

func TestTimestamps(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	now := s.Clock.Now().Unix()
	at := func(unix int64) string { return strconv.FormatInt(unix, 10) }
	for _, tt := range []struct {
		stamp  string
		status int
	}{
		{at(now), 200}, {at(now - 300), 200}, {at(now + 300), 200}, {at(now - 301), 401}, {at(now + 301), 401},
		{"0", 401}, {"-" + at(now), 401}, {"+" + at(now), 401}, {at(now) + ".0", 401}, {" " + at(now) + " x", 401},
		{at(now) + "000", 401}, {"0x69a5", 401}, {"99999999999999999999", 401}, {"yesterday", 401}, {"١٧٧٢٤٤٢٠٠٠", 401},
		{strings.Repeat("0", 5000) + at(now), 401},
	} {
		a, secret := s.Provider.APIKey, s.Provider.SecretKey.Reveal()
		r := s.call("/welcome", "").With("X-Timestamp", tt.stamp).With("X-Hash", sign.Hash(a, secret, tt.stamp))
		got := s.Send(t, r)
		if got.Status != tt.status {
			t.Errorf("%.30q: want %d, got %d %s", tt.stamp, tt.status, got.Status, got.Body)
		}
		if tt.status == 401 {
			got.Want(t, 401, "Request timestamp expired")
		}
	}
}

func TestHashes(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	good := s.call("/start-manual-deposit", depositBody)
	hash := good.Header.Get("X-Hash")
	s.Send(t, good.With("X-Hash", strings.ToUpper(hash))).Want(t, 200, "")
	for _, wrong := range []string{
		hash[:63], hash + "0", strings.Repeat("g", 64), "x", strings.Repeat("a", 5000),
		sign.Hash(s.Provider.APIKey, s.Provider.SecretKey.Reveal(), good.Header.Get("X-Timestamp")), // without the credential key
		sign.Hash(s.Provider.SecretKey.Reveal(), s.Provider.APIKey, s.CredentialKey, good.Header.Get("X-Timestamp")),
	} {
		s.Send(t, good.With("X-Hash", wrong)).Want(t, 401, "Invalid hash")
	}
}

func TestKeysOfOthers(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	now := s.Clock.Now().Unix()
	mine, other := s.Provider, s.OtherProvider
	good := s.call("/start-manual-withdraw", withdrawalBody)
	for _, tt := range []struct {
		name                string
		apiKey, secret, key string
		status              int
		text                string
	}{
		{"the other provider's site", mine.APIKey, mine.SecretKey.Reveal(), s.OtherSiteKey, 401, "Yetkisiz Credential Key"},
		{"my site, called by the other", other.APIKey, other.SecretKey.Reveal(), s.CredentialKey, 401, "Yetkisiz Credential Key"},
		{"the other's own", other.APIKey, other.SecretKey.Reveal(), s.OtherSiteKey, 200, ""},
		{"the other's secret", mine.APIKey, other.SecretKey.Reveal(), s.CredentialKey, 401, "Invalid hash"},
		{"unknown site", mine.APIKey, mine.SecretKey.Reveal(), "vzc_unknown", 401, "Yetkisiz Credential Key"},
		{"fingerprint in place of the key", mine.APIKey, mine.SecretKey.Reveal(), s.Site.CredentialFingerprint, 401, "Yetkisiz Credential Key"},
		{"huge credential key", mine.APIKey, mine.SecretKey.Reveal(), strings.Repeat("k", 10_000), 401, "Invalid hash"},
		{"huge API key", strings.Repeat("k", 10_000), mine.SecretKey.Reveal(), s.CredentialKey, 401, "Invalid API key"},
		{"API key with a control character", mine.APIKey + "\x7f", mine.SecretKey.Reveal(), s.CredentialKey, 401, "Invalid API key"},
		{"API key in another case", strings.ToUpper(mine.APIKey), mine.SecretKey.Reveal(), s.CredentialKey, 401, "Invalid API key"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s.Send(t, good.SignedWith(tt.apiKey, tt.secret, tt.key, now)).Want(t, tt.status, tt.text)
		})
	}
}

func TestVerificationKey(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	with := func(key string) request {
		return s.call("/sites", "").SignedWith(s.Provider.APIKey, s.Provider.SecretKey.Reveal(), key, s.Clock.Now().Unix())
	}
	s.Send(t, with(s.Provider.VerificationKey.Reveal())).Want(t, 200, "")
	s.Send(t, with("another")).Want(t, 401, "Invalid hash")
	s.Send(t, with("")).Want(t, 401, "Missing required headers")
	s.changeProvider(t, func(p *owner.Provider) { p.VerificationKey = core.Secret{} })
	s.Send(t, with("anything")).Want(t, 200, "")
	s.Send(t, with("")).Want(t, 401, "Missing required headers")
}

func TestFormerSecretWithinItsGrace(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	former := s.Provider.SecretKey.Reveal()
	s.changeProvider(t, func(p *owner.Provider) {
		p.PreviousSecret = owner.PreviousKey{Key: p.SecretKey, Until: s.Clock.Now().Add(24 * time.Hour)}
		p.SecretKey = core.NewSecret("vzs_the_new_one")
	})
	old := func() request {
		return s.call("/welcome", "").SignedWith(s.Provider.APIKey, former, "", s.Clock.Now().Unix())
	}
	s.Send(t, old()).Want(t, 200, "")
	s.Send(t, s.call("/welcome", "")).Want(t, 200, "")
	s.Clock.Advance(24*time.Hour - time.Second)
	s.Send(t, old()).Want(t, 200, "")
	s.Clock.Advance(time.Second)
	s.Send(t, old()).Want(t, 401, "Invalid hash")
	s.Send(t, s.call("/welcome", "")).Want(t, 200, "")
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	list := []netip.Prefix{
		netip.MustParsePrefix("198.51.100.7/32"), netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("2001:db8:1::/48"),
		netip.MustParsePrefix("2001:db8:2::1/128"),
	}
	s := newServer(t)
	s.changeProvider(t, func(p *owner.Provider) { p.IPWhitelist = list })
	for _, tt := range []struct {
		peer, forwarded string
		isAllowed       bool
	}{
		{"198.51.100.7:1", "", true},
		{"198.51.100.8:1", "", false},
		{"203.0.113.255:1", "", true},
		{"203.0.114.0:1", "", false},
		{"[::ffff:198.51.100.7]:1", "", true},
		{"[2001:db8:1:ffff::9]:1", "", true},
		{"[2001:db8:2::1]:1", "", true},
		{"[2001:db8:2::2]:1", "", false},
		{"[2001:db8:1::1%eth0]:1", "", true},
		{"198.51.100.8:1", "198.51.100.7", false}, // the peer is no trusted proxy
		{"10.0.0.1:1", "198.51.100.7", true},
		{"10.0.0.1:1", "198.51.100.7, 192.0.2.1", false}, // the client's own claim stands on the left
		{"10.0.0.1:1", "192.0.2.1, 198.51.100.7, 10.9.9.9", true},
		{"10.0.0.1:1", "", false},
		{"@", "", false}, // a Unix socket has no address
	} {
		r := s.call("/welcome", "").With("X-Forwarded-For", tt.forwarded)
		r.Peer = tt.peer
		got := s.Send(t, r)
		if tt.isAllowed {
			got.Want(t, 200, "")
		} else {
			got.Want(t, 403, "IP address not allowed")
		}
	}
}

func TestLanguages(t *testing.T) {
	t.Parallel()
	const tr, en = "Hoş geldiniz, Acme Pay.", "Welcome, Acme Pay."
	for _, tt := range []struct {
		header string
		own    lang.Tag
		want   string
	}{
		{"", lang.EN, en}, {"", lang.TR, tr}, {"", "", tr},
		{"tr", lang.EN, tr}, {"en", lang.TR, en}, {"en-GB,en;q=0.9", lang.TR, en}, {"tr-TR", lang.EN, tr},
		{"de", lang.EN, en}, {"de", lang.TR, tr}, {"de, tr;q=0.5", lang.EN, tr},
		{";;;=,,q=q", lang.EN, en}, {"*", lang.EN, en}, {strings.Repeat("tr,", 5000), lang.EN, en}, {"\x00", lang.EN, en},
	} {
		s := newServer(t)
		s.changeProvider(t, func(p *owner.Provider) { p.Language = tt.own })
		got := s.Send(t, s.call("/welcome", "").With("Accept-Language", tt.header))
		if !strings.Contains(got.Body, tt.want) {
			t.Errorf("Accept-Language %.20q, provider %q: got %s", tt.header, tt.own, got.Body)
		}
	}
}

// TestEveryEndpointSpeaksTheCallersLanguage, in success and in refusal.
func TestEveryEndpointSpeaksTheCallersLanguage(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	key := func(path string) string {
		switch {
		case strings.HasSuffix(path, "/gateways"):
			return "gateways.listed"
		case path == card:
			return "card.started"
		case strings.Contains(path, "withdraw"):
			return "withdrawal.started"
		default:
			return "deposit.started"
		}
	}
	for path, body := range creating {
		for _, tag := range lang.Tags() {
			got := s.Send(t, s.call(path, body).With("Accept-Language", string(tag)))
			if got.Want(t, 200, ""); !strings.Contains(got.Body, `"message":"`+lang.Say(tag, key(path))+`"`) {
				t.Errorf("%s in %s: %s", path, tag, got.Body)
			}
			got = s.Send(t, s.call(path, `{"credential_key":"{{key}}"}`).With("Accept-Language", string(tag)))
			if got.Want(t, 422, "Validation failed"); !strings.Contains(got.Body, lang.Say(tag, "field.required", "amount")) {
				t.Errorf("%s in %s: %s", path, tag, got.Body)
			}
		}
	}
	for _, path := range asking[2:] {
		for _, tag := range lang.Tags() {
			got := s.Send(t, s.call(path, "").With("Accept-Language", string(tag)))
			if got.Want(t, 200, ""); !strings.Contains(got.Body, `"message":"`+lang.Say(tag, key(path))+`"`) {
				t.Errorf("%s in %s: %s", path, tag, got.Body)
			}
		}
	}
}

func TestRefusalsAreInTheProvidersLanguage(t *testing.T) {
	t.Parallel()
	codes := []fault.Code{
		fault.TimestampExpired, fault.InvalidHash, fault.ProviderInactive, fault.AddressNotAllowed, fault.InvalidCredential, fault.SiteInactive,
	}
	for i, m := range mistakes("/start-manual-deposit")[2:8] {
		s := newServer(t) // whose provider's language is English
		r := s.call("/start-manual-deposit", depositBody)
		if m.world != nil {
			m.world(t, s)
		}
		if m.header != nil {
			r = m.header(s, r)
		}
		got := s.Send(t, r)
		got.Want(t, m.status, m.text)
		if !strings.Contains(got.Body, lang.Say(lang.EN, string(codes[i]))) {
			t.Errorf("%s is not in English: %s", m.text, got.Body)
		}
	}
	s := newServer(t)
	unknown := s.Send(t, s.call("/welcome", "").With("X-Api-Key", "vzp_nobody"))
	if !strings.Contains(unknown.Body, lang.Say(lang.TR, string(fault.InvalidAPIKey))) {
		t.Errorf("of somebody unknown the language is Turkish: %s", unknown.Body)
	}
}
