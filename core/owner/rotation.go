package owner

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
)

// PreviousKey is a key from before its last rotation: taken beside the present one until its grace ends.
type PreviousKey struct {
	Key    core.Secret
	Until  time.Time // zero: no rotation under way
	UsedAt time.Time // when it was first used since; zero: not yet
}

// IsLive reports whether the key is still taken.
func (k PreviousKey) IsLive(at time.Time) bool { return !k.Key.IsZero() && at.Before(k.Until) }

// Takes compares a key with it in constant time, while it is still taken.
func (k PreviousKey) Takes(key string, at time.Time) bool { return k.IsLive(at) && k.Key.Equal(key) }

// KeyKind says which of an owner's keys is meant.
type KeyKind string

// Kinds of keys.
const (
	APIKeyKind       KeyKind = "api_key"          // of a provider, of a dealer
	SecretKeyKind    KeyKind = "secret_key"       // of a provider, of a dealer, of a site token
	VerificationKind KeyKind = "verification_key" // of a provider: the X-Key of E2
	WebhookKind      KeyKind = "webhook_secret"   // of a provider: signs its callbacks
	CredentialKind   KeyKind = "credential_key"   // of a site
	TokenKind        KeyKind = "site_token"       // of a dealer

	// InvitationLink is no key: what an approved invitation gives whoever asked for it.
	InvitationLink KeyKind = "invitation_link"
)

// KeyKinds lists all kinds of keys.
func KeyKinds() []KeyKind {
	return []KeyKind{APIKeyKind, SecretKeyKind, VerificationKind, WebhookKind, CredentialKind, TokenKind}
}

// Bounds of a rotation's grace (decisions: Keys).
const (
	DefaultGrace = 24 * time.Hour
	MaxGrace     = 720 * time.Hour
)

// Rotation replaces one key of an owner by a new one.
type Rotation struct {
	Kind      KeyKind
	New       core.Secret   // as issued; of a site, its fingerprint
	Grace     time.Duration // how long the old one is taken beside it; 0: not at all
	EndsGrace bool          // rotate although the old key of the last rotation is still taken: it no longer is
	At        time.Time
}

// Rotate replaces a key of the provider. Fault: Invalid.
func (p Provider) Rotate(r Rotation) (Provider, error) {
	p.Version++
	p.UpdatedAt = r.At
	err := r.replace(p.keys())
	return p, err
}

// Rotate replaces a key of the dealer. Fault: Invalid.
func (d Dealer) Rotate(r Rotation) (Dealer, error) {
	d.Version++
	d.UpdatedAt = r.At
	err := r.replace(d.keys())
	return d, err
}

// Rotate replaces a key of the site token: the token itself, or its secret. Fault: Invalid.
func (t SiteToken) Rotate(r Rotation) (SiteToken, error) {
	t.Version++
	t.UpdatedAt = r.At
	err := r.replace(t.keys())
	return t, err
}

// Rotate replaces the credential key of the site. Fault: Invalid.
func (s Site) Rotate(r Rotation) (Site, error) {
	s.Version++
	s.UpdatedAt = r.At
	err := r.replace(s.keys())
	return s, err
}

// replace retires the present key. One whose own grace lasts is not pushed out unseen: whoever still signs with it would be
// refused at once.
func (r Rotation) replace(keys []namedKey) error {
	const op = "core.Rotation.replace"
	var form core.Form
	i := slices.IndexFunc(keys, func(k namedKey) bool { return k.kind == r.Kind })
	if i < 0 {
		kinds := make([]KeyKind, len(keys))
		for i, k := range keys {
			kinds[i] = k.kind
		}
		form.Fail("credential", "field.choice", fmt.Sprint(kinds))
		return form.Err(op)
	}
	k := keys[i]
	if k.previous.IsLive(r.At) && !r.EndsGrace {
		form.Fail("endsGrace", "field.grace")
		return form.Err(op)
	}
	old := PreviousKey{Key: k.present(), Until: r.At.Add(r.Grace)}
	if !old.IsLive(r.At) {
		old = PreviousKey{}
	}
	*k.previous = old
	if k.secret != nil {
		*k.secret = r.New
	} else {
		*k.text = r.New.Reveal()
	}
	return nil
}

// AuditState is what an audit row says of a rotation, without keys, as JSON.
func (r Rotation) AuditState() string {
	return auditJSON(map[string]any{"key": r.Kind, "previousUntil": r.At.Add(r.Grace), "endsGrace": r.EndsGrace})
}

// auditJSON is the form of what audit rows say: plain texts, numbers and booleans.
func auditJSON(state map[string]any) string {
	text, err := json.Marshal(state)
	if err != nil {
		return "{}" // cannot happen with such values
	}
	return string(text)
}

// CredentialEnding is the end of the API key, by which people tell keys apart.
func (p Provider) CredentialEnding() string { return ending(p.APIKey) }

// CredentialEnding is the end of the API key, by which people tell keys apart.
func (d Dealer) CredentialEnding() string { return ending(d.APIKey) }

// CredentialEnding is the end of the token, by which people tell tokens apart.
func (t SiteToken) CredentialEnding() string { return ending(t.Token) }

// ending is 4 characters of a key: 20 of its 160 random bits.
func ending(key string) string { return key[max(len(key)-4, 0):] }

// OldKey is a key from before a rotation that is still taken.
type OldKey struct {
	Credential  KeyKind
	ValidUntil  time.Time
	FirstUsedAt time.Time // used since; zero: not yet
}

// namedKey is one of an owner's keys, with the one from before its rotation.
type namedKey struct {
	kind     KeyKind
	text     *string      // nil: it is kept as a secret
	secret   *core.Secret // nil: it is kept as a text
	previous *PreviousKey
}

func (k namedKey) present() core.Secret {
	if k.secret != nil {
		return *k.secret
	}
	return core.NewSecret(*k.text)
}

func (p *Provider) keys() []namedKey {
	return []namedKey{
		{APIKeyKind, &p.APIKey, nil, &p.PreviousAPIKey}, {SecretKeyKind, nil, &p.SecretKey, &p.PreviousSecret},
		{VerificationKind, nil, &p.VerificationKey, &p.PreviousVerification}, {WebhookKind, nil, &p.WebhookSecret, &p.PreviousWebhook},
	}
}

func (d *Dealer) keys() []namedKey {
	return []namedKey{{APIKeyKind, &d.APIKey, nil, &d.PreviousAPIKey}, {SecretKeyKind, nil, &d.SecretKey, &d.PreviousSecret}}
}

func (t *SiteToken) keys() []namedKey {
	return []namedKey{{TokenKind, &t.Token, nil, &t.PreviousToken}, {SecretKeyKind, nil, &t.SecretKey, &t.PreviousSecret}}
}

func (s *Site) keys() []namedKey {
	return []namedKey{{CredentialKind, &s.CredentialFingerprint, nil, &s.PreviousCredential}}
}

func presentKey(all []namedKey, kind KeyKind) core.Secret {
	for _, k := range all {
		if k.kind == kind {
			return k.present()
		}
	}
	return core.Secret{}
}

// Key is the provider's present key of a kind.
func (p Provider) Key(kind KeyKind) core.Secret { return presentKey(p.keys(), kind) }

// Key is the dealer's present key of a kind.
func (d Dealer) Key(kind KeyKind) core.Secret { return presentKey(d.keys(), kind) }

// Key is the site token's present key of a kind.
func (t SiteToken) Key(kind KeyKind) core.Secret { return presentKey(t.keys(), kind) }

// Key is the fingerprint of the site's present credential key.
func (s Site) Key(kind KeyKind) core.Secret { return presentKey(s.keys(), kind) }

func oldKeys(all []namedKey, at time.Time) []OldKey {
	var live []OldKey
	for _, k := range all {
		if k.previous.IsLive(at) {
			live = append(live, OldKey{Credential: k.kind, ValidUntil: k.previous.Until, FirstUsedAt: k.previous.UsedAt})
		}
	}
	return live
}

// OldKeys lists the provider's keys from before a rotation that are still taken.
func (p Provider) OldKeys(at time.Time) []OldKey { return oldKeys(p.keys(), at) }

// OldKeys lists the dealer's keys from before a rotation that are still taken.
func (d Dealer) OldKeys(at time.Time) []OldKey { return oldKeys(d.keys(), at) }

// OldKeys lists the site token's keys from before a rotation that are still taken.
func (t SiteToken) OldKeys(at time.Time) []OldKey { return oldKeys(t.keys(), at) }

// OldKeys lists the site's keys from before a rotation that are still taken.
func (s Site) OldKeys(at time.Time) []OldKey { return oldKeys(s.keys(), at) }

// noteUse keeps when a previous key was first used. Not ok: it was used before, or its grace is over.
func noteUse(all []namedKey, kind KeyKind, at time.Time) (ok bool) {
	for _, k := range all {
		if k.kind == kind && k.previous.IsLive(at) && k.previous.UsedAt.IsZero() {
			k.previous.UsedAt, ok = at, true
		}
	}
	return ok
}

// NoteUse returns the provider with a previous key's first use, ready to be saved; not ok: there is nothing to note.
func (p Provider) NoteUse(kind KeyKind, at time.Time) (Provider, bool) {
	p.Version++
	ok := noteUse(p.keys(), kind, at)
	return p, ok
}

// NoteUse returns the dealer with a previous key's first use, ready to be saved; not ok: there is nothing to note.
func (d Dealer) NoteUse(kind KeyKind, at time.Time) (Dealer, bool) {
	d.Version++
	ok := noteUse(d.keys(), kind, at)
	return d, ok
}

// NoteUse returns the site token with a previous key's first use, ready to be saved; not ok: there is nothing to note.
func (t SiteToken) NoteUse(kind KeyKind, at time.Time) (SiteToken, bool) {
	t.Version++
	ok := noteUse(t.keys(), kind, at)
	return t, ok
}

// NoteUse returns the site with a previous key's first use, ready to be saved; not ok: there is nothing to note.
func (s Site) NoteUse(kind KeyKind, at time.Time) (Site, bool) {
	s.Version++
	ok := noteUse(s.keys(), kind, at)
	return s, ok
}

// OldKeyUse is the use of a key from before a rotation. Exactly one owner is set.
type OldKeyUse struct {
	ProviderID, DealerID, SiteID, SiteTokenID int64
	Kind                                      KeyKind
}
