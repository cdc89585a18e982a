package provider_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core/owner"
)

// keys are what a call of the World's provider is made with.
type keys struct{ api, secret, verification, credential string }

func (s *server) keys() keys {
	return keys{s.Provider.APIKey, s.Provider.SecretKey.Reveal(), s.Provider.VerificationKey.Reveal(), s.CredentialKey}
}

// asks sends a call that needs all of the keys that its path has.
func (s *server) asks(t *testing.T, path string, k keys) answer {
	t.Helper()
	key := k.credential
	if path == "/sites" {
		key = k.verification
	}
	return s.Send(t, s.call(path, creating[path]).SignedWith(k.api, k.secret, key, s.Clock.Now().Unix()))
}

// TestRotatedKeysAreTakenBesideTheNewOnes: each of a provider's and a site's keys, and all of them together.
func TestRotatedKeysAreTakenBesideTheNewOnes(t *testing.T) {
	t.Parallel()
	rotations := map[owner.KeyKind]struct {
		path    string
		set     func(*keys, string)
		refusal string // when its grace is over
	}{
		owner.APIKeyKind:       {"/welcome", func(k *keys, key string) { k.api = key }, "Invalid API key"},
		owner.SecretKeyKind:    {"/start-manual-deposit", func(k *keys, key string) { k.secret = key }, "Invalid hash"},
		owner.VerificationKind: {"/sites", func(k *keys, key string) { k.verification = key }, "Invalid hash"},
		owner.CredentialKind:   {"/start-manual-deposit", func(k *keys, key string) { k.credential = key }, "Yetkisiz Credential Key"},
	}
	for kind, r := range rotations {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			old, fresh := s.keys(), s.keys()
			r.set(&fresh, s.rotate(t, kind, 2))
			for range 2 { // the first use is noted, the second is not
				s.asks(t, r.path, old).Want(t, 200, "")
				s.asks(t, r.path, fresh).Want(t, 200, "")
			}
			s.Clock.Advance(2*time.Hour - time.Second)
			s.asks(t, r.path, old).Want(t, 200, "")
			s.Clock.Advance(time.Second)
			s.asks(t, r.path, old).Want(t, 401, r.refusal)
			s.asks(t, r.path, fresh).Want(t, 200, "")
			s.rotate(t, kind, 0)
			s.asks(t, r.path, fresh).Want(t, 401, r.refusal)
		})
	}
}

func (s *server) rotate(t *testing.T, kind owner.KeyKind, hours int) string {
	t.Helper()
	by := app.Request{Staff: s.Admin, Addr: "192.0.2.7"}
	k := directory.KeyRotation{ID: s.Provider.ID, Credential: kind, GraceHours: &hours}
	if kind == owner.CredentialKind {
		k.ID = s.Site.ID
		_, issued, err := s.Directory.RotateSiteKey(t.Context(), by, k)
		if err != nil {
			t.Fatal(err)
		}
		return issued.Key.Reveal()
	}
	_, issued, err := s.Directory.RotateProviderKey(t.Context(), by, k)
	if err != nil {
		t.Fatal(err)
	}
	return issued.Key.Reveal()
}

// TestOldAndNewKeysMix: during the grace any of the old keys goes with any of the new ones.
func TestOldAndNewKeysMix(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	old := s.keys()
	fresh := keys{
		s.rotate(t, owner.APIKeyKind, 1), s.rotate(t, owner.SecretKeyKind, 1), s.rotate(t, owner.VerificationKind, 1),
		s.rotate(t, owner.CredentialKind, 1),
	}
	for mix := range 1 << 4 {
		k := old
		for i, set := range []func(){
			func() { k.api = fresh.api }, func() { k.secret = fresh.secret }, func() { k.verification = fresh.verification },
			func() { k.credential = fresh.credential },
		} {
			if mix&(1<<i) != 0 {
				set()
			}
		}
		s.asks(t, "/sites", k).Want(t, 200, "")
		s.asks(t, "/start-manual-deposit", k).Want(t, 200, "")
	}
	s.Clock.Advance(time.Hour)
	s.asks(t, "/sites", fresh).Want(t, 200, "")
	s.asks(t, "/start-manual-deposit", fresh).Want(t, 200, "")
}

// TestARepeatAcrossARotationIsTheSameRequest: whoever sends a creating call again with the new credential key is given the
// first answer.
func TestARepeatAcrossARotationIsTheSameRequest(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	ask := func(k keys) answer {
		r := s.call("/start-manual-deposit", depositBody).SignedWith(k.api, k.secret, k.credential, s.Clock.Now().Unix())
		return s.Send(t, r.With("Idempotency-Key", "order-7"))
	}
	k := s.keys()
	first := ask(k)
	first.Want(t, 200, "")
	k.credential = s.rotate(t, owner.CredentialKind, 1)
	again := ask(k)
	again.Want(t, 200, "")
	if again.Body != first.Body || again.Header.Get("Idempotent-Replayed") != "true" || len(s.Payments(t)) != 1 {
		t.Errorf("%d payments; got %s", len(s.Payments(t)), again.Body)
	}
}

// TestACardsCredentialKeyRotatesToo: E7 has its credential key in the body.
func TestACardsCredentialKeyRotatesToo(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	old := s.call(card, cardBody)
	s.CredentialKey = s.rotate(t, owner.CredentialKind, 1)
	s.Send(t, old).Want(t, 200, "")
	s.Send(t, s.call(card, cardBody)).Want(t, 200, "")
	site, err := s.Store.Site(t.Context(), s.Site.ID)
	if err != nil || !site.PreviousCredential.UsedAt.Equal(s.Clock.Now()) {
		t.Errorf("the use of the old one is not noted: %+v %v", site.PreviousCredential, err)
	}
	s.Clock.Advance(time.Hour)
	s.Send(t, old.SignedWith(s.Provider.APIKey, s.Provider.SecretKey.Reveal(), "", s.Clock.Now().Unix())).Want(t, 401, "Invalid credential key")
}
