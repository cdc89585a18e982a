package owner

import (
	"context"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/core/staff"
)

// KeyRotation replaces one key of the provider, site, dealer or site token that the method is about.
type KeyRotation struct {
	ID         int64
	Credential owner.KeyKind
	GraceHours *int // how long the old key is taken beside the new one; nil: 24
	EndsGrace  bool // rotate although the old key of the last rotation is still taken: it no longer is
}

// RotateProviderKey issues a provider another API key, secret key, verification key or webhook secret. Callbacks are
// signed with it at once; the old one is taken for the time of the grace. Faults: Forbidden, NotFound, Invalid, Conflict.
func (s *Directory) RotateProviderKey(ctx context.Context, by app.Request, k KeyRotation) (owner.Provider, IssuedKey, error) {
	return rotate(ctx, s, by, k, rotating[owner.Provider]{
		action: "rotateProviderCredential", key: owner.Provider.Key, find: s.UnitOfWork.Directory.Provider, rotate: owner.Provider.Rotate,
		prefixes: map[owner.KeyKind]core.KeyPrefix{
			owner.APIKeyKind: core.ProviderAPIKey, owner.SecretKeyKind: core.ProviderSecret, owner.VerificationKind: core.VerificationKey,
		},
		change: func(p owner.Provider) (string, core.Changeset) {
			return p.Ref(), core.Changeset{p}
		},
	})
}

// RotateSiteKey issues a site another credential key. Faults: Forbidden, NotFound, Invalid, Conflict.
func (s *Directory) RotateSiteKey(ctx context.Context, by app.Request, k KeyRotation) (owner.Site, IssuedKey, error) {
	return rotate(ctx, s, by, k, rotating[owner.Site]{
		action: "rotateSiteCredential", key: owner.Site.Key, find: s.UnitOfWork.Directory.Site, rotate: owner.Site.Rotate,
		prefixes: map[owner.KeyKind]core.KeyPrefix{owner.CredentialKind: core.CredentialKey},
		change: func(x owner.Site) (string, core.Changeset) {
			return x.Ref(), core.Changeset{x}
		},
	})
}

// RotateDealerKey issues a dealer another API key or secret key. Faults: Forbidden, NotFound, Invalid, Conflict.
func (s *Directory) RotateDealerKey(ctx context.Context, by app.Request, k KeyRotation) (owner.Dealer, IssuedKey, error) {
	return rotate(ctx, s, by, k, rotating[owner.Dealer]{
		action: "rotateDealerCredential", key: owner.Dealer.Key, find: s.UnitOfWork.Directory.Dealer, rotate: owner.Dealer.Rotate,
		prefixes: map[owner.KeyKind]core.KeyPrefix{owner.APIKeyKind: core.DealerAPIKey, owner.SecretKeyKind: core.DealerSecret},
		change: func(d owner.Dealer) (string, core.Changeset) {
			return d.Ref(), core.Changeset{d}
		},
	})
}

// RotateSiteTokenKey issues a site token another token or secret key. Faults: Forbidden, NotFound, Invalid, Conflict.
func (s *Directory) RotateSiteTokenKey(ctx context.Context, by app.Request, k KeyRotation) (owner.SiteToken, IssuedKey, error) {
	return rotate(ctx, s, by, k, rotating[owner.SiteToken]{
		action: "rotateSiteTokenCredential", key: owner.SiteToken.Key, find: s.Owners.SiteToken, rotate: owner.SiteToken.Rotate,
		prefixes: map[owner.KeyKind]core.KeyPrefix{owner.TokenKind: core.SiteTokenKey, owner.SecretKeyKind: core.SiteTokenSecret},
		change: func(t owner.SiteToken) (string, core.Changeset) {
			return t.Ref(), core.Changeset{t}
		},
	})
}

// rotating is how an owner's key is rotated. A kind without a prefix is a webhook secret.
type rotating[T any] struct {
	action   string
	find     func(context.Context, int64) (T, error)
	key      func(T, owner.KeyKind) core.Secret
	rotate   func(T, owner.Rotation) (T, error)
	prefixes map[owner.KeyKind]core.KeyPrefix
	change   func(T) (target string, change core.Changeset)
}

// rotate replaces the key that was found first. Of two rotations made at once the second would push out the key that
// everybody still uses: it is a Conflict.
func rotate[T any](ctx context.Context, s *Directory, by app.Request, k KeyRotation, how rotating[T]) (rotated T, issued IssuedKey, err error) {
	const op = "directory.rotate"
	if err := by.Require(staff.RotateKeys); err != nil {
		return rotated, issued, err
	}
	r, key, err := s.rotation(k, how.prefixes)
	if err != nil {
		return rotated, issued, fault.E(op, "", err)
	}
	var first core.Secret
	isFirst, isLost := true, false
	err = s.UnitOfWork.Again(ctx, func() error {
		before, err := how.find(ctx, k.ID)
		if err != nil {
			return err
		}
		present := how.key(before, k.Credential)
		if !isFirst && present != first {
			isLost = true
			return nil
		}
		first, isFirst = present, false
		if rotated, err = how.rotate(before, r); err != nil {
			return err
		}
		target, change := how.change(rotated)
		return s.save(ctx, by, core.AuditEntry{Action: how.action, Target: target, After: r.AuditState()}, change)
	})
	if isLost {
		err = fault.New(op, fault.Conflict)
	}
	rotated, err = orNone(op, rotated, err)
	if err != nil {
		return rotated, issued, err
	}
	return rotated, IssuedKey{k.Credential, core.NewSecret(key)}, nil
}

// rotation issues the new key. Fault: Invalid.
func (s *Directory) rotation(k KeyRotation, prefixes map[owner.KeyKind]core.KeyPrefix) (r owner.Rotation, key string, err error) {
	const op = "directory.rotation"
	r = owner.Rotation{Kind: k.Credential, Grace: owner.DefaultGrace, EndsGrace: k.EndsGrace, At: s.UnitOfWork.Clock.Now()}
	if k.GraceHours != nil {
		var form core.Form
		if hours := *k.GraceHours; hours < 0 || time.Duration(hours) > owner.MaxGrace/time.Hour {
			form.Fail("graceHours", "field.between", 0, int(owner.MaxGrace/time.Hour))
		}
		if err := form.Err(op); err != nil {
			return r, "", err
		}
		r.Grace = time.Duration(*k.GraceHours) * time.Hour
	}
	if prefix, ok := prefixes[k.Credential]; ok {
		key, err = core.NewKey(prefix, s.UnitOfWork.Random)
	} else {
		key, err = core.NewWebhookSecret(s.UnitOfWork.Random)
	}
	if err != nil {
		return r, "", fault.E(op, fault.Internal, err)
	}
	if r.New = core.NewSecret(key); k.Credential == owner.CredentialKind {
		r.New = core.NewSecret(sign.Fingerprint(key)) // the key itself is not kept
	}
	return r, key, nil
}
