package owner_test

import (
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
)

func rotation(kind owner.KeyKind, key string, grace time.Duration) owner.Rotation {
	return owner.Rotation{Kind: kind, New: core.NewSecret(key), Grace: grace, At: coretest.Evening}
}

// TestRotation: the new key is there, the old one is kept for the grace and no longer, and other keys stay.
func TestRotation(t *testing.T) {
	t.Parallel()
	before := coretest.Provider()
	after, err := before.Rotate(rotation(owner.SecretKeyKind, "vzs_new", time.Hour))
	if err != nil || after.SecretKey.Reveal() != "vzs_new" || after.Version != before.Version+1 || after.UpdatedAt != coretest.Evening {
		t.Fatalf("%+v %v", after, err)
	}
	old := after.PreviousSecret
	if !old.Takes(before.SecretKey.Reveal(), coretest.Evening) || !old.IsLive(coretest.Evening.Add(time.Hour-1)) || old.IsLive(coretest.Evening.Add(time.Hour)) ||
		old.Takes("vzs_new", coretest.Evening) || old.Takes("", coretest.Evening) {
		t.Errorf("%+v", old)
	}
	if after.APIKey != before.APIKey || after.WebhookSecret != before.WebhookSecret || after.PreviousWebhook != (owner.PreviousKey{}) {
		t.Errorf("another key changed: %+v", after)
	}
	if none, err := before.Rotate(rotation(owner.APIKeyKind, "vzp_new", 0)); err != nil || none.PreviousAPIKey != (owner.PreviousKey{}) || none.APIKey != "vzp_new" {
		t.Errorf("without grace: %+v %v", none, err)
	}
	fresh := before
	fresh.VerificationKey = core.Secret{}
	if first, err := fresh.Rotate(rotation(owner.VerificationKind, "vzv_new", time.Hour)); err != nil || first.PreviousVerification.IsLive(coretest.Evening) {
		t.Errorf("of no key: %+v %v", first.PreviousVerification, err)
	}
}

// TestRotationDuringAGrace: it says that it ends it, or it is refused and changes nothing.
func TestRotationDuringAGrace(t *testing.T) {
	t.Parallel()
	d, err := owner.Dealer{SecretKey: core.NewSecret("a")}.Rotate(rotation(owner.SecretKeyKind, "b", time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Rotate(rotation(owner.SecretKeyKind, "c", time.Hour)); !fault.Is(err, fault.Invalid) {
		t.Errorf("a second one: %v", err)
	}
	ends := rotation(owner.SecretKeyKind, "c", time.Hour)
	ends.EndsGrace = true
	if last, err := d.Rotate(ends); err != nil || last.PreviousSecret.Key.Reveal() != "b" {
		t.Errorf("%+v %v", last.PreviousSecret, err)
	}
	later := rotation(owner.SecretKeyKind, "c", time.Hour)
	later.At = coretest.Evening.Add(time.Hour)
	if last, err := d.Rotate(later); err != nil || last.PreviousSecret.Key.Reveal() != "b" {
		t.Errorf("when it is over: %+v %v", last.PreviousSecret, err)
	}
}

// TestEveryKindOfKeyRotatesWhereItIs: and nowhere else.
func TestEveryKindOfKeyRotatesWhereItIs(t *testing.T) {
	t.Parallel()
	for kind, of := range map[owner.KeyKind]string{
		owner.APIKeyKind: "provider dealer", owner.SecretKeyKind: "provider dealer site_token", owner.VerificationKind: "provider",
		owner.WebhookKind: "provider", owner.CredentialKind: "site", owner.TokenKind: "site_token", "": "", "nothing": "",
	} {
		r := rotation(kind, "new", time.Hour)
		check := func(owner string, key core.Secret, old []owner.OldKey, err error) {
			t.Helper()
			if !strings.Contains(" "+of+" ", " "+owner+" ") {
				if !fault.Is(err, fault.Invalid) {
					t.Errorf("%s of a %s: %v", kind, owner, err)
				}
				return
			}
			if err != nil || key.Reveal() != "new" || len(old) != 1 || old[0].Credential != kind || old[0].ValidUntil != coretest.Evening.Add(time.Hour) {
				t.Errorf("%s of a %s: %+v %v", kind, owner, old, err)
			}
		}
		secret := core.NewSecret("old")
		p, err := owner.Provider{APIKey: "old", SecretKey: secret, VerificationKey: secret, WebhookSecret: secret}.Rotate(r)
		check("provider", p.Key(kind), p.OldKeys(coretest.Evening), err)
		d, err := owner.Dealer{APIKey: "old", SecretKey: secret}.Rotate(r)
		check("dealer", d.Key(kind), d.OldKeys(coretest.Evening), err)
		s, err := owner.Site{CredentialFingerprint: "old"}.Rotate(r)
		check("site", s.Key(kind), s.OldKeys(coretest.Evening), err)
		token, err := owner.SiteToken{Token: "old", SecretKey: secret}.Rotate(r)
		check("site_token", token.Key(kind), token.OldKeys(coretest.Evening), err)
	}
}

func TestFirstUseOfAnOldKeyIsNotedOnce(t *testing.T) {
	t.Parallel()
	p, err := coretest.Provider().Rotate(rotation(owner.SecretKeyKind, "new", time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	noted, ok := p.NoteUse(owner.SecretKeyKind, coretest.Evening.Add(time.Minute))
	if !ok || noted.PreviousSecret.UsedAt != coretest.Evening.Add(time.Minute) || noted.Version != p.Version+1 || !p.PreviousSecret.UsedAt.IsZero() {
		t.Errorf("%+v, %v", noted.PreviousSecret, ok)
	}
	if _, ok := noted.NoteUse(owner.SecretKeyKind, coretest.Evening.Add(2*time.Minute)); ok {
		t.Error("noted twice")
	}
	if _, ok := p.NoteUse(owner.APIKeyKind, coretest.Evening); ok {
		t.Error("a key that was not rotated is noted")
	}
	if _, ok := p.NoteUse(owner.SecretKeyKind, coretest.Evening.Add(time.Hour)); ok {
		t.Error("noted after the grace")
	}
}

func TestRotationsAuditStateIsWithoutKeys(t *testing.T) {
	t.Parallel()
	if got := rotation(owner.SecretKeyKind, "vzs_new", time.Hour).AuditState(); strings.Contains(got, "vzs_new") || !strings.Contains(got, `"key":"secret_key"`) {
		t.Error(got)
	}
}
