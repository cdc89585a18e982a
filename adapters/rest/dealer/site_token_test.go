package dealer_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/sign"
)

func TestSiteTokensReachTheirEndpointsOnly(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.transfer(t)
	for _, path := range every() {
		got := s.Send(t, s.siteCall(path, creating[path]))
		if slices.Contains(forSites, path) {
			got.Want(t, 200, "")
		} else {
			got.Want(t, 403, "Not allowed for site tokens")
		}
	}
	if made := len(s.Payments(t)); made != 4 { // the transfer, D2, D3, D8
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
		"the dealer's secret":              {good.BySite(s.SiteToken.Token, s.Dealer.SecretKey.Reveal(), now), 401, "Invalid hash"},
		"the token's secret with the key":  {s.call(settings, "").Signed(s.Dealer.APIKey, secret, now), 401, "Invalid hash"},
		"the token as an API key":          {s.call(settings, "").Signed(s.SiteToken.Token, secret, now), 401, "Invalid API key"},
		"the API key as a token":           {good.BySite(s.Dealer.APIKey, s.Dealer.SecretKey.Reveal(), now), 401, "Invalid API key"},
		"a control character":              {good.BySite(s.SiteToken.Token+"\x7f", secret, now), 401, "Invalid API key"},
		"a huge token":                     {good.BySite(strings.Repeat("t", 10_000), secret, now), 401, "Invalid API key"},
		"both, signed with the key":        {s.call(eibans, "").With("X-Site-Token", s.SiteToken.Token), 200, ""},
		"both, signed with the token":      {good.With("X-Api-Key", s.Dealer.APIKey), 401, "Invalid hash"},
		"upper-case hash":                  {good.With("X-Hash", strings.ToUpper(good.Header.Get("X-Hash"))), 200, ""},
		"five minutes old":                 {good.BySite(s.SiteToken.Token, secret, now-300), 200, ""},
		"five minutes and one second old":  {good.BySite(s.SiteToken.Token, secret, now-301), 401, "Request timestamp expired"},
		"of the future":                    {good.BySite(s.SiteToken.Token, secret, now+301), 401, "Request timestamp expired"},
		"a provider's credential key":      {good.BySite(s.CredentialKey, secret, now), 401, "Invalid API key"},
		"a provider's API key as a token":  {good.BySite(s.Provider.APIKey, s.Provider.SecretKey.Reveal(), now), 401, "Invalid API key"},
		"another dealer's key beside it":   {good.With("X-Api-Key", s.OtherDealer.APIKey), 401, "Invalid hash"},
		"hashed without the token":         {good.With("X-Hash", sign.Hash(secret, strconv.FormatInt(now, 10))), 401, "Invalid hash"},
		"the right hash for another token": {good.With("X-Site-Token", "vzt_other"), 401, "Invalid API key"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s.Send(t, tt.r).Want(t, tt.status, tt.text)
		})
	}
}

func TestASiteTokenThatIsSwitchedOff(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.changeToken(t, func(x *owner.SiteToken) { x.IsActive = false })
	s.Send(t, s.siteCall(settings, "")).Want(t, 401, "Invalid API key")
	s.Send(t, s.siteCall(eibans, "")).Want(t, 401, "Invalid API key")
	s.Send(t, s.call(settings, "")).Want(t, 200, "")
	s.changeToken(t, func(x *owner.SiteToken) { x.IsActive = true })
	s.changeDealer(t, func(d *owner.Dealer) { d.IsActive = false })
	s.Send(t, s.siteCall(settings, "")).Want(t, 403, "Dealer account is inactive")
}
