package dealer_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/sign"
)

func TestSiteTokensReachTheirEndpointsOnly(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.transfer(t)
	for _, path := range every() {
		got := s.send(t, s.siteCall(path, creating[path]))
		if slices.Contains(forSites, path) {
			got.want(t, 200, "")
		} else {
			got.want(t, 403, "Not allowed for site tokens")
		}
	}
	if made := len(s.payments(t)); made != 4 { // the transfer, D2, D3, D8
		t.Errorf("%d payments", made)
	}
}

// TestSiteTokens: who may call with one, and with which secret.
func TestSiteTokens(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	now := s.Clock.Now().Unix()
	good := s.siteCall(settings, "")
	secret := s.SiteToken.SecretKey.Reveal()
	for name, tt := range map[string]struct {
		r      request
		status int
		text   string
	}{
		"the dealer's secret":              {good.bySite(s.SiteToken.Token, s.Dealer.SecretKey.Reveal(), now), 401, "Invalid hash"},
		"the token's secret with the key":  {s.call(settings, "").signed(s.Dealer.APIKey, secret, now), 401, "Invalid hash"},
		"the token as an API key":          {s.call(settings, "").signed(s.SiteToken.Token, secret, now), 401, "Invalid API key"},
		"the API key as a token":           {good.bySite(s.Dealer.APIKey, s.Dealer.SecretKey.Reveal(), now), 401, "Invalid API key"},
		"a control character":              {good.bySite(s.SiteToken.Token+"\x7f", secret, now), 401, "Invalid API key"},
		"a huge token":                     {good.bySite(strings.Repeat("t", 10_000), secret, now), 401, "Invalid API key"},
		"both, signed with the key":        {s.call(eibans, "").with("X-Site-Token", s.SiteToken.Token), 200, ""},
		"both, signed with the token":      {good.with("X-Api-Key", s.Dealer.APIKey), 401, "Invalid hash"},
		"upper-case hash":                  {good.with("X-Hash", strings.ToUpper(good.header.Get("X-Hash"))), 200, ""},
		"five minutes old":                 {good.bySite(s.SiteToken.Token, secret, now-300), 200, ""},
		"five minutes and one second old":  {good.bySite(s.SiteToken.Token, secret, now-301), 401, "Request timestamp expired"},
		"of the future":                    {good.bySite(s.SiteToken.Token, secret, now+301), 401, "Request timestamp expired"},
		"a provider's credential key":      {good.bySite(s.CredentialKey, secret, now), 401, "Invalid API key"},
		"a provider's API key as a token":  {good.bySite(s.Provider.APIKey, s.Provider.SecretKey.Reveal(), now), 401, "Invalid API key"},
		"another dealer's key beside it":   {good.with("X-Api-Key", s.OtherDealer.APIKey), 401, "Invalid hash"},
		"hashed without the token":         {good.with("X-Hash", sign.Hash(secret, strconv.FormatInt(now, 10))), 401, "Invalid hash"},
		"the right hash for another token": {good.with("X-Site-Token", "vzt_other"), 401, "Invalid API key"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s.send(t, tt.r).want(t, tt.status, tt.text)
		})
	}
}

func TestASiteTokenThatIsSwitchedOff(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.changeToken(t, func(x *core.SiteToken) { x.IsActive = false })
	s.send(t, s.siteCall(settings, "")).want(t, 401, "Invalid API key")
	s.send(t, s.siteCall(eibans, "")).want(t, 401, "Invalid API key")
	s.send(t, s.call(settings, "")).want(t, 200, "")
	s.changeToken(t, func(x *core.SiteToken) { x.IsActive = true })
	s.changeDealer(t, func(d *core.Dealer) { d.IsActive = false })
	s.send(t, s.siteCall(settings, "")).want(t, 403, "Dealer account is inactive")
}
