package owner

import (
	"context"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/ports"
)

// Directory keeps who takes part: providers, their sites, dealers, their IBAN accounts and site tokens. Keys are issued
// here and shown once.
type Directory struct {
	UnitOfWork *app.UnitOfWork
	Sequences  ports.Sequences

	// What only staff need.
	Owners  ports.Owners
	Reports ports.Reports
	Sender  ports.CallbackSender // of test callbacks
	Limiter ports.Limiter
	Timeout time.Duration  // of a test callback; 0: 8 s
	Zone    *time.Location // whose days the accounts' daily limits count
}

// Sites lists a provider's sites (E2).
func (s *Directory) Sites(ctx context.Context, providerID int64) ([]owner.Site, error) {
	return s.Owners.Sites(ctx, providerID)
}

// CreateProvider saves a new provider with the keys issued to it; they are readable in the result only.
func (s *Directory) CreateProvider(ctx context.Context, by app.Request, p owner.Provider) (owner.Provider, error) {
	const op = "directory.CreateProvider"
	keys, err := s.issue(core.ProviderAPIKey, core.ProviderSecret, core.VerificationKey)
	if err != nil {
		return p, fault.E(op, fault.Internal, err)
	}
	webhook, err := core.NewWebhookSecret(s.UnitOfWork.Random)
	if err != nil {
		return p, fault.E(op, fault.Internal, err)
	}
	if p.ID, err = s.Sequences.NextID(ctx, "provider"); err != nil {
		return p, fault.E(op, "", err)
	}
	p.Version, p.IsActive = 1, true
	p.APIKey, p.SecretKey, p.VerificationKey = keys[0], core.NewSecret(keys[1]), core.NewSecret(keys[2])
	p.WebhookSecret = core.NewSecret(webhook)
	p.CreatedAt = s.UnitOfWork.Clock.Now()
	p.UpdatedAt = p.CreatedAt
	return p, s.create(ctx, by, "createProvider", p)
}

// CreateSite saves a new site and returns the credential key issued to it, which is not kept.
func (s *Directory) CreateSite(ctx context.Context, by app.Request, site owner.Site) (owner.Site, string, error) {
	const op = "directory.CreateSite"
	keys, err := s.issue(core.CredentialKey)
	if err != nil {
		return site, "", fault.E(op, fault.Internal, err)
	}
	if site.ID, err = s.Sequences.NextID(ctx, "site"); err != nil {
		return site, "", fault.E(op, "", err)
	}
	site.Version, site.IsActive, site.CredentialFingerprint = 1, true, sign.Fingerprint(keys[0])
	site.CreatedAt = s.UnitOfWork.Clock.Now()
	site.UpdatedAt = site.CreatedAt
	return site, keys[0], s.create(ctx, by, "createSite", site)
}

// CreateDealer saves a new dealer with the keys issued to it; they are readable in the result only.
func (s *Directory) CreateDealer(ctx context.Context, by app.Request, d owner.Dealer) (owner.Dealer, error) {
	const op = "directory.CreateDealer"
	keys, err := s.issue(core.DealerAPIKey, core.DealerSecret)
	if err != nil {
		return d, fault.E(op, fault.Internal, err)
	}
	if d.ID, err = s.Sequences.NextID(ctx, "dealer"); err != nil {
		return d, fault.E(op, "", err)
	}
	d.Version, d.IsActive, d.APIKey, d.SecretKey = 1, true, keys[0], core.NewSecret(keys[1])
	d.CreatedAt = s.UnitOfWork.Clock.Now()
	d.UpdatedAt = d.CreatedAt
	return d, s.create(ctx, by, "createDealer", d)
}

// CreateSiteToken saves a new site token of a dealer with its secret, readable in the result only.
func (s *Directory) CreateSiteToken(ctx context.Context, by app.Request, t owner.SiteToken) (owner.SiteToken, error) {
	const op = "directory.CreateSiteToken"
	keys, err := s.issue(core.SiteTokenKey, core.SiteTokenSecret)
	if err != nil {
		return t, fault.E(op, fault.Internal, err)
	}
	if t.ID, err = s.Sequences.NextID(ctx, "site_token"); err != nil {
		return t, fault.E(op, "", err)
	}
	t.Version, t.IsActive, t.Token, t.SecretKey = 1, true, keys[0], core.NewSecret(keys[1])
	t.CreatedAt = s.UnitOfWork.Clock.Now()
	t.UpdatedAt = t.CreatedAt
	return t, s.create(ctx, by, "createSiteToken", t)
}

// CreateAccount saves a new IBAN account of a dealer. Fault Invalid: its IBAN is not valid, or its limits are not in
// order.
func (s *Directory) CreateAccount(ctx context.Context, by app.Request, a owner.Account) (owner.Account, error) {
	const op = "directory.CreateAccount"
	if err := a.Check(); err != nil {
		return a, err
	}
	id, err := s.Sequences.NextID(ctx, "account")
	if err != nil {
		return a, fault.E(op, "", err)
	}
	a.ID, a.Version, a.IsActive, a.CreatedAt = id, 1, true, s.UnitOfWork.Clock.Now()
	a.UpdatedAt = a.CreatedAt
	return a, s.create(ctx, by, "createAccount", a)
}

func (s *Directory) issue(prefixes ...core.KeyPrefix) ([]string, error) {
	keys := make([]string, len(prefixes))
	for i, prefix := range prefixes {
		key, err := core.NewKey(prefix, s.UnitOfWork.Random)
		if err != nil {
			return nil, err
		}
		keys[i] = key
	}
	return keys, nil
}

// audited is an owner as audit rows have it.
type audited interface {
	core.Row
	Ref() string
	AuditState() string
	IsIn(scope core.Scope) bool
}

// save commits a change of the directory with its audit row.
func (s *Directory) save(ctx context.Context, by app.Request, entry core.AuditEntry, change core.Changeset) error {
	return fault.E("directory.save", "", s.UnitOfWork.CommitEntry(ctx, by, entry, change))
}

// create saves a new owner.
func (s *Directory) create(ctx context.Context, by app.Request, action string, made audited) error {
	return s.save(ctx, by, core.AuditEntry{Action: action, Target: made.Ref(), After: made.AuditState()}, core.Changeset{made})
}
