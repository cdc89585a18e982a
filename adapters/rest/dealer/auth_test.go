package dealer_test

import (
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/vezne/vezne/adapters/rest/provider"
	"github.com/vezne/vezne/app/access"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/sign"
)

// mistake is one thing wrong with a request or its caller.
type mistake struct {
	status int
	text   string
	world  func(*testing.T, *server)
	header func(*server, request) request
	body   string
	path   string
}

// callers are the mistakes that any endpoint can see, in the order in which they must be told.
func callers() []mistake {
	header := func(name, value string) func(*server, request) request {
		return func(_ *server, r request) request { return r.With(name, value) }
	}
	return []mistake{
		{401, "Missing required headers", nil, header("X-Hash", ""), "", ""},
		{401, "Invalid API key", nil, func(_ *server, r request) request {
			if r.Header.Get("X-Site-Token") != "" {
				return r.With("X-Site-Token", "vzt_nobody")
			}
			return r.With("X-Api-Key", "vzd_nobody")
		}, "", ""},
		{401, "Request timestamp expired", nil, header("X-Timestamp", "1"), "", ""},
		{401, "Invalid hash", nil, header("X-Hash", strings.Repeat("a", 64)), "", ""},
		{403, "Dealer account is inactive", switchOff(func(d *owner.Dealer) { d.IsActive = false }), nil, "", ""},
		{403, "IP address not allowed", switchOff(func(d *owner.Dealer) {
			d.IPWhitelist = []netip.Prefix{netip.MustParsePrefix("203.0.113.9/32")}
		}), nil, "", ""},
	}
}

// mistakes are all that an endpoint can see, in their order.
func mistakes(path string) []mistake {
	tooLarge := mistake{413, "Request body too large", nil, nil, strings.Repeat("[", 70_000), ""}
	broken := mistake{400, "Invalid JSON", nil, nil, `{"amount":1,`, ""}
	wrong := mistake{422, "Validation failed", nil, nil, `{"username":"a"}`, ""}
	off := mistake{403, "Payment method is disabled", switchOff(func(d *owner.Dealer) { noManual(d); noEIBAN(d) }), nil, creating[path], ""}
	sending := func(status int, text, from, to string) mistake {
		return mistake{status, text, nil, nil, strings.Replace(sendBody, from, to, 1), ""}
	}
	asking := func(status int, text, path string) mistake { return mistake{status, text, nil, nil, "", path} }
	switch path {
	case settings:
		return callers()
	case deposit:
		none := mistake{422, "No account available", nil, nil, strings.Replace(depositBody, "250.00", "900000", 1), ""}
		return append(callers(), tooLarge, broken, wrong, off, none)
	case withdraw:
		return append(callers(), tooLarge, broken, wrong, off)
	case card:
		off = mistake{403, "Credit card payment is not enabled for this dealer", switchOff(noCards), nil, cardBody, ""}
		return append(callers(), tooLarge, broken, wrong, off)
	case eibans:
		return append(callers(), off)
	case transactions:
		other := strings.Replace(transactions, "{{wallet}}", "W-1", 1)
		return append(callers(), asking(422, "Validation failed", "/transactions?page=x"), off,
			asking(403, "Wallet is not assigned to this dealer", strings.Replace(other, "2026-03-01", "2026-03-03", 1)),
			asking(422, "Invalid date range", dates("2026-03-03", "2026-03-02")),
			asking(422, "Date range exceeded", dates("2026-03-03", "2026-03-07")))
	case status:
		return append(callers(), asking(422, "Validation failed", "/transfer-status"), off,
			asking(404, "Transfer not found", "/transfer-status?transfer_id=TRF-1"))
	default: // send
		return append(callers(), tooLarge, broken, wrong, off,
			sending(403, "Wallet is not assigned to this dealer", "{{wallet}}", "W-1"),
			sending(422, "Invalid IBAN", "TR33", "TR34"), sending(422, "Amount below the minimum", "250.00", "9.99"),
			sending(422, "Insufficient balance", "250.00", "10000.01"))
	}
}

// made is a call with all of some mistakes, the earliest made last, so that it is what is seen.
func (s *server) made(t *testing.T, r request, all []mistake) request {
	t.Helper()
	names := strings.NewReplacer("{{wallet}}", s.Wallet.WalletID)
	for _, m := range slices.Backward(all) {
		if m.world != nil {
			m.world(t, s)
		}
		if m.header != nil {
			r = m.header(s, r)
		}
		if m.body != "" && r.Method == http.MethodPost {
			r.Body = names.Replace(m.body)
		}
		if m.path != "" {
			r.Path = names.Replace(m.path)
		}
	}
	return r
}

func TestTheFirstMistakeAnswers(t *testing.T) {
	t.Parallel()
	for _, path := range every() {
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

// TestTheFirstMistakeOfAWebsiteAnswers: that a site token may not call comes after all others of authentication.
func TestTheFirstMistakeOfAWebsiteAnswers(t *testing.T) {
	t.Parallel()
	for _, path := range every() {
		table := mistakes(path)
		if !slices.Contains(forSites, path) {
			table = append(callers(), mistake{403, "Not allowed for site tokens", nil, nil, `{`, ""})
		}
		for i, first := range table {
			t.Run(path[1:]+"/"+first.text, func(t *testing.T) {
				t.Parallel()
				s := newServer(t)
				s.Send(t, s.made(t, s.siteCall(path, creating[path]), table[i:])).Want(t, first.status, first.text)
			})
		}
	}
}

// TestAuthenticationErrorsHaveNoErrorCode: they have the shape that they have for providers.
func TestAuthenticationErrorsHaveNoErrorCode(t *testing.T) {
	t.Parallel()
	codes := []fault.Code{
		"", fault.InvalidAPIKey, fault.TimestampExpired, fault.InvalidHash, fault.DealerInactive, fault.AddressNotAllowed,
		fault.SiteTokenRefused,
	}
	table := append(callers(), mistake{403, "Not allowed for site tokens", nil, nil, "", ""})
	for i, m := range table {
		for _, tag := range lang.Tags() {
			s := newServer(t)
			r := s.siteCall(eibans, "").With("Accept-Language", string(tag))
			got := s.Send(t, s.made(t, r, table[i:]))
			sentence := lang.Say(tag, string(codes[i]))
			if i == 0 {
				sentence = lang.Say(tag, "dealer.headers")
			}
			want := `{"success":false,"error":"` + m.text + `","message":"` + sentence
			if got.Status != m.status || !strings.HasPrefix(got.Body, want) || strings.Contains(got.Body, "error_code") {
				t.Errorf("want %d %s\ngot  %d %s", m.status, want, got.Status, got.Body)
			}
		}
	}
}

func TestPathAndVerbComeBeforeAuthentication(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for _, path := range []string{"/nothing", "/settings/", "/", "", "/manual-iban", "/send-money/x"} {
		s.Send(t, request{Method: http.MethodPost, Path: path, Peer: "192.0.2.10:1"}).Want(t, 404, "Not found")
	}
	for _, path := range every() {
		allowed := http.MethodGet
		if creating[path] != "" {
			allowed = http.MethodPost
		}
		for _, method := range []string{"GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW"} {
			if method == allowed {
				continue
			}
			got := s.Send(t, request{Method: method, Path: path, Peer: "192.0.2.10:1"})
			got.Want(t, 405, "Method not allowed")
			if got.Header.Get("Allow") != allowed || strings.Contains(got.Body, "error_code") {
				t.Errorf("%s %s: Allow %q, %s", method, path, got.Header.Get("Allow"), got.Body)
			}
		}
	}
}

func TestHeadersThatAreMissing(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for _, path := range every() {
		for _, name := range []string{"X-Api-Key", "X-Hash", "X-Timestamp"} {
			s.Send(t, s.call(path, creating[path]).With(name, "")).Want(t, 401, "Missing required headers")
		}
		for _, name := range []string{"X-Site-Token", "X-Hash", "X-Timestamp"} {
			s.Send(t, s.siteCall(path, creating[path]).With(name, "")).Want(t, 401, "Missing required headers")
		}
	}
}

// TestKeysOfProvidersAndDealersNeverStandInForEachOther, in either direction.
func TestKeysOfProvidersAndDealersNeverStandInForEachOther(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	now := s.Clock.Now().Unix()
	for _, path := range every() {
		r := s.call(path, creating[path])
		s.Send(t, r.Signed(s.Provider.APIKey, s.Provider.SecretKey.Reveal(), now)).Want(t, 401, "Invalid API key")
		s.Send(t, r.Signed(s.Dealer.APIKey, s.Provider.SecretKey.Reveal(), now)).Want(t, 401, "Invalid hash")
		s.Send(t, r.Signed(s.Dealer.APIKey, s.OtherDealer.SecretKey.Reveal(), now)).Want(t, 401, "Invalid hash")
		s.Send(t, r.With("X-Credential-Key", s.CredentialKey).With("X-Api-Key", "")).Want(t, 401, "Missing required headers")
	}
	for _, key := range []struct{ api, secret string }{
		{s.Dealer.APIKey, s.Dealer.SecretKey.Reveal()}, {s.SiteToken.Token, s.SiteToken.SecretKey.Reveal()},
	} {
		stamp := strconv.FormatInt(now, 10)
		_, _, err := s.Gate.Authenticate(t.Context(), access.Call{
			APIKey: key.api, Hash: sign.Hash(key.api, key.secret, stamp), Timestamp: stamp, Addr: netip.MustParseAddr("192.0.2.10"),
		})
		if !fault.Is(err, fault.InvalidAPIKey) {
			t.Errorf("%s: at the provider's gate: %v", provider.Path, err)
		}
	}
	if made := s.Payments(t); len(made) != 0 {
		t.Errorf("%d payments were created", len(made))
	}
}

// TestAnotherDealersThings: a dealer finds nothing of another's.
func TestAnotherDealersThings(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.transfer(t)
	asOther := func(path, body string) request {
		return s.call(path, body).Signed(s.OtherDealer.APIKey, s.OtherDealer.SecretKey.Reveal(), s.Clock.Now().Unix())
	}
	s.Send(t, asOther(transactions, "")).WantCode(t, 403, "WALLET_NOT_ASSIGNED")
	s.Send(t, asOther(send, sendBody)).WantCode(t, 403, "WALLET_NOT_ASSIGNED")
	s.Send(t, asOther(status, "")).WantCode(t, 404, "TRANSFER_NOT_FOUND")
	if got := s.Send(t, asOther(eibans, "")); !strings.Contains(got.Body, s.OtherWallet.WalletID) || strings.Contains(got.Body, s.Wallet.WalletID) {
		t.Errorf("another's wallets: %s", got.Body)
	}
	s.Send(t, asOther(deposit, depositBody)).WantCode(t, 422, "NO_AVAILABLE_IBAN") // it has no accounts
	s.Send(t, s.call(status, "")).Want(t, 200, "")
}

// TestOnlyTransfersAreFound: other payments of the dealer, and those that it processes for providers, are none.
func TestOnlyTransfersAreFound(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.Send(t, s.call(withdraw, withdrawBody)).Want(t, 200, "")
	s.StartWithdrawal(t, payment.ManualWithdrawal, lira(250))
	for _, p := range s.Payments(t) {
		s.Send(t, s.call("/transfer-status?transfer_id="+p.TrackingCode, "")).WantCode(t, 404, "TRANSFER_NOT_FOUND")
	}
}

func TestTimestamps(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	now := s.Clock.Now().Unix()
	at := func(unix int64) string { return strconv.FormatInt(unix, 10) }
	for stamp, want := range map[string]int{
		at(now): 200, at(now - 300): 200, at(now + 300): 200, at(now - 301): 401, at(now + 301): 401, "0": 401,
		"-" + at(now): 401, "+" + at(now): 401, at(now) + ".0": 401, at(now) + "000": 401, "99999999999999999999": 401, "yesterday": 401,
	} {
		a, secret := s.Dealer.APIKey, s.Dealer.SecretKey.Reveal()
		got := s.Send(t, s.call(settings, "").With("X-Timestamp", stamp).With("X-Hash", sign.Hash(a, secret, stamp)))
		if got.Status != want {
			t.Errorf("%.30q: want %d, got %d %s", stamp, want, got.Status, got.Body)
		}
	}
}

func TestHashes(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	good := s.call(deposit, depositBody)
	hash, stamp := good.Header.Get("X-Hash"), good.Header.Get("X-Timestamp")
	s.Send(t, good.With("X-Hash", strings.ToUpper(hash))).Want(t, 200, "")
	for _, wrong := range []string{
		hash[:63], hash + "0", strings.Repeat("g", 64), "x", strings.Repeat("a", 5000),
		sign.Hash(s.Dealer.SecretKey.Reveal(), s.Dealer.APIKey, stamp), sign.Hash(s.Dealer.APIKey, s.Dealer.SecretKey.Reveal()),
	} {
		s.Send(t, good.With("X-Hash", wrong)).Want(t, 401, "Invalid hash")
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.changeDealer(t, func(d *owner.Dealer) {
		d.IPWhitelist = []netip.Prefix{netip.MustParsePrefix("198.51.100.7/32"), netip.MustParsePrefix("2001:db8:1::/48")}
	})
	for _, tt := range []struct {
		peer, forwarded string
		isAllowed       bool
	}{
		{"198.51.100.7:1", "", true},
		{"198.51.100.8:1", "", false},
		{"[::ffff:198.51.100.7]:1", "", true},
		{"[2001:db8:1:ffff::9]:1", "", true},
		{"[2001:db8:2::2]:1", "", false},
		{"198.51.100.8:1", "198.51.100.7", false}, // the peer is no trusted proxy
		{"10.0.0.1:1", "198.51.100.7", true},
		{"10.0.0.1:1", "198.51.100.7, 192.0.2.1", false}, // the client's own claim stands on the left
		{"@", "", false},                                 // a Unix socket has no address
	} {
		for _, r := range []request{s.call(settings, ""), s.siteCall(settings, "")} {
			r = r.With("X-Forwarded-For", tt.forwarded)
			r.Peer = tt.peer
			if got := s.Send(t, r); tt.isAllowed {
				got.Want(t, 200, "")
			} else {
				got.Want(t, 403, "IP address not allowed")
			}
		}
	}
}

func TestLanguages(t *testing.T) {
	t.Parallel()
	const tr, en = "Hoş geldiniz, Marmara Finans.", "Welcome, Marmara Finans."
	s := newServer(t)
	for header, want := range map[string]string{
		"": tr, "tr": tr, "en": en, "en-GB,en;q=0.9": en, "tr-TR": tr, "de": tr, "de, en;q=0.5": en, ";;;=,,q=q": tr, "*": tr, "\x00": tr,
	} {
		if got := s.Send(t, s.call(settings, "").With("Accept-Language", header)); !strings.Contains(got.Body, want) {
			t.Errorf("Accept-Language %q: got %s", header, got.Body)
		}
	}
}

// TestEveryEndpointSpeaksTheCallersLanguage, in success and in refusal.
func TestEveryEndpointSpeaksTheCallersLanguage(t *testing.T) {
	t.Parallel()
	keys := map[string]string{deposit: "deposit.started", withdraw: "withdrawal.started", send: "transfer.started", card: "card.started"}
	s := newServer(t)
	for path, body := range creating {
		for _, tag := range lang.Tags() {
			got := s.Send(t, s.call(path, body).With("Accept-Language", string(tag)))
			if got.Want(t, 200, ""); !strings.Contains(got.Body, `"message":"`+lang.Say(tag, keys[path])+`"`) {
				t.Errorf("%s in %s: %s", path, tag, got.Body)
			}
			got = s.Send(t, s.call(path, "{}").With("Accept-Language", string(tag)))
			if got.Want(t, 422, "Validation failed"); !strings.Contains(got.Body, lang.Say(tag, "field.required", "amount")) {
				t.Errorf("%s in %s: %s", path, tag, got.Body)
			}
		}
	}
}
