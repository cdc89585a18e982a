package core_test

import (
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

func rotation(kind owner.KeyKind, key string, grace time.Duration) owner.Rotation {
	return owner.Rotation{Kind: kind, New: core.NewSecret(key), Grace: grace, At: evening}
}

// TestRotation: the new key is there, the old one is kept for the grace and no longer, and other keys stay.
func TestRotation(t *testing.T) {
	t.Parallel()
	before := receiver()
	after, err := before.Rotate(rotation(owner.SecretKeyKind, "vzs_new", time.Hour))
	if err != nil || after.SecretKey.Reveal() != "vzs_new" || after.Version != before.Version+1 || after.UpdatedAt != evening {
		t.Fatalf("%+v %v", after, err)
	}
	old := after.PreviousSecret
	if !old.Takes(before.SecretKey.Reveal(), evening) || !old.IsLive(evening.Add(time.Hour-1)) || old.IsLive(evening.Add(time.Hour)) ||
		old.Takes("vzs_new", evening) || old.Takes("", evening) {
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
	if first, err := fresh.Rotate(rotation(owner.VerificationKind, "vzv_new", time.Hour)); err != nil || first.PreviousVerification.IsLive(evening) {
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
	later.At = evening.Add(time.Hour)
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
			if err != nil || key.Reveal() != "new" || len(old) != 1 || old[0].Kind != kind || old[0].Until != evening.Add(time.Hour) {
				t.Errorf("%s of a %s: %+v %v", kind, owner, old, err)
			}
		}
		secret := core.NewSecret("old")
		p, err := owner.Provider{APIKey: "old", SecretKey: secret, VerificationKey: secret, WebhookSecret: secret}.Rotate(r)
		check("provider", p.Key(kind), p.OldKeys(evening), err)
		d, err := owner.Dealer{APIKey: "old", SecretKey: secret}.Rotate(r)
		check("dealer", d.Key(kind), d.OldKeys(evening), err)
		s, err := owner.Site{CredentialFingerprint: "old"}.Rotate(r)
		check("site", s.Key(kind), s.OldKeys(evening), err)
		token, err := owner.SiteToken{Token: "old", SecretKey: secret}.Rotate(r)
		check("site_token", token.Key(kind), token.OldKeys(evening), err)
	}
}

func TestFirstUseOfAnOldKeyIsNotedOnce(t *testing.T) {
	t.Parallel()
	p, err := receiver().Rotate(rotation(owner.SecretKeyKind, "new", time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	noted, ok := p.NoteUse(owner.SecretKeyKind, evening.Add(time.Minute))
	if !ok || noted.PreviousSecret.UsedAt != evening.Add(time.Minute) || noted.Version != p.Version+1 || !p.PreviousSecret.UsedAt.IsZero() {
		t.Errorf("%+v, %v", noted.PreviousSecret, ok)
	}
	if _, ok := noted.NoteUse(owner.SecretKeyKind, evening.Add(2*time.Minute)); ok {
		t.Error("noted twice")
	}
	if _, ok := p.NoteUse(owner.APIKeyKind, evening); ok {
		t.Error("a key that was not rotated is noted")
	}
	if _, ok := p.NoteUse(owner.SecretKeyKind, evening.Add(time.Hour)); ok {
		t.Error("noted after the grace")
	}
}

// TestBothWebhookSecretsSignDuringTheGrace: the new one's signature first, and the old one's until its grace ends.
func TestBothWebhookSecretsSignDuringTheGrace(t *testing.T) {
	t.Parallel()
	const fresh = "whsec_bmV3LXNlY3JldC1uZXctc2VjcmV0"
	r := rotation(owner.WebhookKind, fresh, time.Hour)
	r.At = sentAt
	p, err := receiver().Rotate(r)
	if err != nil {
		t.Fatal(err)
	}
	cb := outcome(t, payment.ManualDeposit, payment.Approve)
	for at, want := range map[time.Time]int{sentAt: 2, sentAt.Add(time.Hour - time.Second): 2, sentAt.Add(time.Hour): 1} {
		message, err := cb.Message(payment.SignerOf(p), at, time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		headers := headersOf(message)
		if got := strings.Fields(headers.Get("Webhook-Signature")); len(got) != want {
			t.Errorf("%s: signed by %d", at, len(got))
		}
		for secret, isTaken := range map[string]bool{fresh: true, receiver().WebhookSecret.Reveal(): want == 2} {
			oracle, err := standardwebhooks.NewWebhook(secret)
			if err != nil {
				t.Fatal(err)
			}
			if err := oracle.VerifyIgnoringTimestamp(message.Body, headers); (err == nil) != isTaken {
				t.Errorf("%s: %v", at, err)
			}
		}
	}
}

func TestRotationsAuditStateIsWithoutKeys(t *testing.T) {
	t.Parallel()
	if got := rotation(owner.SecretKeyKind, "vzs_new", time.Hour).AuditState(); strings.Contains(got, "vzs_new") || !strings.Contains(got, `"key":"secret_key"`) {
		t.Error(got)
	}
}

// TestATestCallbackIsNobodys: no real code has its letters, and its kind's payload is whole.
func TestATestCallbackIsNobodys(t *testing.T) {
	t.Parallel()
	for _, kind := range append(payment.TestCallbackKinds(), payment.DealerCardCallback) {
		cb, err := payment.NewTestCallback(kind, 7, evening, strings.NewReader(strings.Repeat("\xff", 40)))
		if err != nil {
			t.Fatal(err)
		}
		_, mark, _ := strings.Cut(cb.Payload.TrackingCode, "-")
		if !strings.HasPrefix(strings.TrimPrefix(mark, "WIT-"), "TESTONLY") || cb.ID == "" || cb.Payload.SiteID != 7 || cb.Payload.Amount.IsZero() {
			t.Errorf("%s: %+v", kind, cb)
		}
		if _, err := cb.Message(payment.SignerOf(receiver()), evening, time.UTC); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		if _, err := payment.NewTestCallback(kind, 7, evening, strings.NewReader("short")); err == nil {
			t.Errorf("%s: made without randomness", kind)
		}
	}
}
