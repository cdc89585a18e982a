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
		action: "rotateProviderCredential", permission: staff.RotateKeys, find: s.UnitOfWork.Directory.Provider,
		prefixes: map[owner.KeyKind]core.KeyPrefix{
			owner.APIKeyKind: core.ProviderAPIKey, owner.SecretKeyKind: core.ProviderSecret, owner.VerificationKind: core.VerificationKey,
		},
	})
}

// RotateSiteKey issues a site another credential key. Faults: Forbidden, NotFound, Invalid, Conflict.
func (s *Directory) RotateSiteKey(ctx context.Context, by app.Request, k KeyRotation) (owner.Site, IssuedKey, error) {
	return rotate(ctx, s, by, k, rotating[owner.Site]{
		action: "rotateSiteCredential", permission: staff.RotateKeys, find: s.UnitOfWork.Directory.Site,
		prefixes: map[owner.KeyKind]core.KeyPrefix{owner.CredentialKind: core.CredentialKey},
	})
}

// RotateDealerKey issues a dealer another API key or secret key. Faults: Forbidden, NotFound, Invalid, Conflict.
func (s *Directory) RotateDealerKey(ctx context.Context, by app.Request, k KeyRotation) (owner.Dealer, IssuedKey, error) {
	return rotate(ctx, s, by, k, rotating[owner.Dealer]{
		action: "rotateDealerCredential", permission: staff.EditDealers, find: s.UnitOfWork.Directory.Dealer,
		prefixes: map[owner.KeyKind]core.KeyPrefix{owner.APIKeyKind: core.DealerAPIKey, owner.SecretKeyKind: core.DealerSecret},
	})
}

// RotateSiteTokenKey issues a site token another token or secret key. Faults: Forbidden, NotFound, Invalid, Conflict.
func (s *Directory) RotateSiteTokenKey(ctx context.Context, by app.Request, k KeyRotation) (owner.SiteToken, IssuedKey, error) {
	return rotate(ctx, s, by, k, rotating[owner.SiteToken]{
		action: "rotateSiteTokenCredential", permission: staff.EditDealers, find: s.Owners.SiteToken,
		prefixes: map[owner.KeyKind]core.KeyPrefix{owner.TokenKind: core.SiteTokenKey, owner.SecretKeyKind: core.SiteTokenSecret},
	})
}

// rotating is how an owner's key is rotated. A kind without a prefix is a webhook secret.
type rotating[T rotatable[T]] struct {
	action     string
	permission staff.Permission
	find       func(context.Context, int64) (T, error)
	prefixes   map[owner.KeyKind]core.KeyPrefix
}

// rotatable is an owner with keys.
type rotatable[T any] interface {
	audited
	Key(owner.KeyKind) core.Secret
	Rotate(owner.Rotation) (T, error)
	NoteUse(owner.KeyKind, time.Time) (T, bool)
}

// rotate replaces the key that was found first. Of two rotations made at once the second would push out the key that
// everybody still uses: it is a Conflict.
func rotate[T rotatable[T]](ctx context.Context, s *Directory, by app.Request, k KeyRotation, how rotating[T]) (rotated T, issued IssuedKey, err error) {
	const op = "directory.rotate"
	if err := by.Require(how.permission); err != nil {
		return rotated, issued, err
	}
	r, key, err := s.rotation(k, how.prefixes)
	if err != nil {
		return rotated, issued, fault.E(op, "", err)
	}
	var first core.Secret
	isFirst, isLost := true, false
	err = s.UnitOfWork.Again(ctx, func() error {
		before, err := within(ctx, by.Staff, k.ID, how.find)
		if err != nil {
			return err
		}
		present := before.Key(k.Credential)
		if !isFirst && present != first {
			isLost = true
			return nil
		}
		first, isFirst = present, false
		if rotated, err = before.Rotate(r); err != nil {
			return err
		}
		entry := core.AuditEntry{Action: how.action, Target: rotated.Ref(), After: r.AuditState()}
		return s.save(ctx, by, entry, core.Changeset{rotated})
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
