package dealer_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core/owner"
)

// TestRotatedKeysAreTakenBesideTheNewOnes: a dealer's, and those of its site tokens.
func TestRotatedKeysAreTakenBesideTheNewOnes(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]struct {
		kind    owner.KeyKind
		isSite  bool
		refusal string // when its grace is over
	}{
		"API key":             {owner.APIKeyKind, false, "Invalid API key"},
		"secret key":          {owner.SecretKeyKind, false, "Invalid hash"},
		"site token":          {owner.TokenKind, true, "Invalid API key"},
		"site token's secret": {owner.SecretKeyKind, true, "Invalid hash"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			old := [2]string{s.Dealer.APIKey, s.Dealer.SecretKey.Reveal()}
			if r.isSite {
				old = [2]string{s.SiteToken.Token, s.SiteToken.SecretKey.Reveal()}
			}
			ask := func(pair [2]string) answer {
				call := s.call(settings, "")
				if r.isSite {
					return s.Send(t, call.BySite(pair[0], pair[1], s.Clock.Now().Unix()))
				}
				return s.Send(t, call.Signed(pair[0], pair[1], s.Clock.Now().Unix()))
			}
			fresh := old
			if issued := s.rotate(t, r.kind, r.isSite, 2); r.kind == owner.SecretKeyKind {
				fresh[1] = issued
			} else {
				fresh[0] = issued
			}
			for range 2 { // the first use is noted, the second is not
				ask(old).Want(t, 200, "")
				ask(fresh).Want(t, 200, "")
			}
			if noted := s.noted(t, r.kind, r.isSite); !noted.Equal(s.Clock.Now()) {
				t.Errorf("the use of the old key is noted at %s", noted)
			}
			s.Clock.Advance(2*time.Hour - time.Second)
			ask(old).Want(t, 200, "")
			s.Clock.Advance(time.Second)
			ask(old).Want(t, 401, r.refusal)
			ask(fresh).Want(t, 200, "")
			s.rotate(t, r.kind, r.isSite, 0)
			ask(fresh).Want(t, 401, r.refusal)
		})
	}
}

func (s *server) rotate(t *testing.T, kind owner.KeyKind, isSite bool, hours int) string {
	t.Helper()
	by := app.Request{Staff: s.Admin, Addr: "192.0.2.7"}
	k := directory.KeyRotation{ID: s.Dealer.ID, Credential: kind, GraceHours: &hours}
	if isSite {
		k.ID = s.SiteToken.ID
		_, issued, err := s.Directory.RotateSiteTokenKey(t.Context(), by, k)
		if err != nil {
			t.Fatal(err)
		}
		return issued.Key.Reveal()
	}
	_, issued, err := s.Directory.RotateDealerKey(t.Context(), by, k)
	if err != nil {
		t.Fatal(err)
	}
	return issued.Key.Reveal()
}

// noted is when the old key was first used.
func (s *server) noted(t *testing.T, kind owner.KeyKind, isSite bool) time.Time {
	t.Helper()
	d, err := s.Store.Dealer(t.Context(), s.Dealer.ID)
	old := d.OldKeys(s.Clock.Now())
	if isSite {
		var token owner.SiteToken
		token, err = s.Store.SiteToken(t.Context(), s.SiteToken.ID)
		old = token.OldKeys(s.Clock.Now())
	}
	if err != nil || len(old) != 1 || old[0].Credential != kind {
		t.Fatalf("%+v %v", old, err)
	}
	return old[0].FirstUsedAt
}
