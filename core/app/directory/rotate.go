package directory

import (
	"context"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/sign"
)

// KeyRotation replaces one key of the provider, site, dealer or site token that the method is about.
type KeyRotation struct {
	ID         int64
	Kind       core.KeyKind
	GraceHours *int // how long the old key is taken beside the new one; nil: 24
	EndsGrace  bool // rotate although the old key of the last rotation is still taken: it no longer is
}

// RotateProviderKey issues a provider another API key, secret key, verification key or webhook secret. Callbacks are
// signed with it at once; the old one is taken for the time of the grace. Faults: Forbidden, NotFound, Invalid, Conflict.
func (s *Service) RotateProviderKey(ctx context.Context, by By, k KeyRotation) (core.Provider, IssuedKey, error) {
	return rotate(ctx, s, by, k, rotating[core.Provider]{
		action: "rotateProviderCredential", key: core.Provider.Key, find: s.Directory.Provider, rotate: core.Provider.Rotate,
		prefixes: map[core.KeyKind]core.KeyPrefix{
			core.APIKeyKind: core.ProviderAPIKey, core.SecretKeyKind: core.ProviderSecret, core.VerificationKind: core.VerificationKey,
		},
		change: func(p core.Provider) (string, core.Changeset) {
			return p.Ref(), core.Changeset{p}
		},
	})
}

// RotateSiteKey issues a site another credential key. Faults: Forbidden, NotFound, Invalid, Conflict.
func (s *Service) RotateSiteKey(ctx context.Context, by By, k KeyRotation) (core.Site, IssuedKey, error) {
	return rotate(ctx, s, by, k, rotating[core.Site]{
		action: "rotateSiteCredential", key: core.Site.Key, find: s.Directory.Site, rotate: core.Site.Rotate,
		prefixes: map[core.KeyKind]core.KeyPrefix{core.CredentialKind: core.CredentialKey},
		change: func(x core.Site) (string, core.Changeset) {
			return x.Ref(), core.Changeset{x}
		},
	})
}

// RotateDealerKey issues a dealer another API key or secret key. Faults: Forbidden, NotFound, Invalid, Conflict.
func (s *Service) RotateDealerKey(ctx context.Context, by By, k KeyRotation) (core.Dealer, IssuedKey, error) {
	return rotate(ctx, s, by, k, rotating[core.Dealer]{
		action: "rotateDealerCredential", key: core.Dealer.Key, find: s.Directory.Dealer, rotate: core.Dealer.Rotate,
		prefixes: map[core.KeyKind]core.KeyPrefix{core.APIKeyKind: core.DealerAPIKey, core.SecretKeyKind: core.DealerSecret},
		change: func(d core.Dealer) (string, core.Changeset) {
			return d.Ref(), core.Changeset{d}
		},
	})
}

// RotateSiteTokenKey issues a site token another token or secret key. Faults: Forbidden, NotFound, Invalid, Conflict.
func (s *Service) RotateSiteTokenKey(ctx context.Context, by By, k KeyRotation) (core.SiteToken, IssuedKey, error) {
	return rotate(ctx, s, by, k, rotating[core.SiteToken]{
		action: "rotateSiteTokenCredential", key: core.SiteToken.Key, find: s.Lists.SiteToken, rotate: core.SiteToken.Rotate,
		prefixes: map[core.KeyKind]core.KeyPrefix{core.TokenKind: core.SiteTokenKey, core.SecretKeyKind: core.SiteTokenSecret},
		change: func(t core.SiteToken) (string, core.Changeset) {
			return t.Ref(), core.Changeset{t}
		},
	})
}

// rotating is how an owner's key is rotated. A kind without a prefix is a webhook secret.
type rotating[T any] struct {
	action   string
	find     func(context.Context, int64) (T, error)
	key      func(T, core.KeyKind) core.Secret
	rotate   func(T, core.Rotation) (T, error)
	prefixes map[core.KeyKind]core.KeyPrefix
	change   func(T) (target string, change core.Changeset)
}

// rotate replaces the key that was found first. Of two rotations made at once the second would push out the key that
// everybody still uses: it is a Conflict.
func rotate[T any](ctx context.Context, s *Service, by By, k KeyRotation, how rotating[T]) (rotated T, issued IssuedKey, err error) {
	const op = "directory.rotate"
	if err := by.Staff.Require(core.RotateKeys); err != nil {
		return rotated, issued, err
	}
	r, key, err := s.rotation(k, how.prefixes)
	if err != nil {
		return rotated, issued, fault.E(op, "", err)
	}
	var first core.Secret
	isFirst, isLost := true, false
	err = s.Desk.Again(ctx, func() error {
		before, err := how.find(ctx, k.ID)
		if err != nil {
			return err
		}
		present := how.key(before, k.Kind)
		if !isFirst && present != first {
			isLost = true
			return nil
		}
		first, isFirst = present, false
		if rotated, err = how.rotate(before, r); err != nil {
			return err
		}
		target, change := how.change(rotated)
		return s.save(ctx, by.actor(), core.AuditEntry{Action: how.action, Target: target, After: r.AuditState()}, change)
	})
	if isLost {
		err = fault.New(op, fault.Conflict)
	}
	rotated, err = orNone(op, rotated, err)
	if err != nil {
		return rotated, issued, err
	}
	return rotated, IssuedKey{k.Kind, core.NewSecret(key)}, nil
}

// rotation issues the new key. Fault: Invalid.
func (s *Service) rotation(k KeyRotation, prefixes map[core.KeyKind]core.KeyPrefix) (r core.Rotation, key string, err error) {
	const op = "directory.rotation"
	r = core.Rotation{Kind: k.Kind, Grace: core.DefaultGrace, EndsGrace: k.EndsGrace, At: s.Desk.Clock.Now()}
	if k.GraceHours != nil {
		var form core.Form
		if hours := *k.GraceHours; hours < 0 || time.Duration(hours) > core.MaxGrace/time.Hour {
			form.Fail("graceHours", "field.between", 0, int(core.MaxGrace/time.Hour))
		}
		if err := form.Err(op); err != nil {
			return r, "", err
		}
		r.Grace = time.Duration(*k.GraceHours) * time.Hour
	}
	if prefix, ok := prefixes[k.Kind]; ok {
		key, err = core.NewKey(prefix, s.Desk.Random)
	} else {
		key, err = core.NewWebhookSecret(s.Desk.Random)
	}
	if err != nil {
		return r, "", fault.E(op, fault.Internal, err)
	}
	if r.New = core.NewSecret(key); k.Kind == core.CredentialKind {
		r.New = core.NewSecret(sign.Fingerprint(key)) // the key itself is not kept
	}
	return r, key, nil
}
