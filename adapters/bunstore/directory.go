package bunstore

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/routing"
	"github.com/vezne/vezne/core/staff"
)

// ProviderByAPIKey implements ports.Callers.
func (s *Store) ProviderByAPIKey(ctx context.Context, apiKey string) (owner.Provider, error) {
	return byKey(ctx, s, "bunstore.ProviderByAPIKey", s.provider, "api_key", "previous_api_key", apiKey)
}

// Provider implements ports.Directory.
func (s *Store) Provider(ctx context.Context, id int64) (owner.Provider, error) {
	return one(ctx, s, "bunstore.Provider", s.provider, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("id = ?", id)
	})
}

func (s *Store) provider(r providerRow) (owner.Provider, error) { return r.provider(s.sealer) }

// SiteByCredential implements ports.Callers.
func (s *Store) SiteByCredential(ctx context.Context, fingerprint string) (owner.Site, error) {
	return byKey(ctx, s, "bunstore.SiteByCredential", siteRow.site, "credential_fingerprint", "previous_credential_key", fingerprint)
}

// Site implements ports.Directory.
func (s *Store) Site(ctx context.Context, id int64) (owner.Site, error) {
	return one(ctx, s, "bunstore.Site", siteRow.site, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("id = ?", id)
	})
}

// Dealer implements ports.Directory.
func (s *Store) Dealer(ctx context.Context, id int64) (owner.Dealer, error) {
	return one(ctx, s, "bunstore.Dealer", s.dealer, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("id = ?", id)
	})
}

// DealerByAPIKey implements ports.Callers.
func (s *Store) DealerByAPIKey(ctx context.Context, apiKey string) (owner.Dealer, error) {
	return byKey(ctx, s, "bunstore.DealerByAPIKey", s.dealer, "api_key", "previous_api_key", apiKey)
}

func (s *Store) dealer(r dealerRow) (owner.Dealer, error) { return r.dealer(s.sealer) }

// SiteTokenByToken implements ports.Callers.
func (s *Store) SiteTokenByToken(ctx context.Context, token string) (owner.SiteToken, error) {
	return byKey(ctx, s, "bunstore.SiteTokenByToken", s.siteToken, "token", "previous_token_key", token)
}

func (s *Store) siteToken(r siteTokenRow) (owner.SiteToken, error) { return r.siteToken(s.sealer) }

// GatewayAccounts implements ports.GatewayDirectory.
func (s *Store) GatewayAccounts(ctx context.Context) ([]owner.GatewayAccount, error) {
	return many(ctx, s, "bunstore.GatewayAccounts", s.gatewayAccount, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.OrderExpr("id")
	})
}

func (s *Store) gatewayAccount(r gatewayAccountRow) (owner.GatewayAccount, error) {
	return r.account(s.sealer)
}

// RouteRules implements ports.GatewayDirectory.
func (s *Store) RouteRules(ctx context.Context) ([]routing.RouteRule, error) {
	return many(ctx, s, "bunstore.RouteRules", routeRuleRow.rule, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.OrderExpr("id")
	})
}

// Sites implements ports.Directory.
func (s *Store) Sites(ctx context.Context, providerID int64) ([]owner.Site, error) {
	return many(ctx, s, "bunstore.Sites", siteRow.site, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("provider_id = ?", providerID).OrderExpr("id")
	})
}

// AccountLoads implements ports.Accounts.
func (s *Store) AccountLoads(
	ctx context.Context, dealerID int64, kind owner.AccountKind, day core.Day,
) ([]owner.AccountLoad, error) {
	const op = "bunstore.AccountLoads"
	var rows []accountLoadRow
	err := s.reads.NewRaw(`SELECT accounts.*, COALESCE(l.used_minor, 0) AS used_minor,
		COALESCE(l.offer_count, 0) AS offer_count, COALESCE(l.version, 0) AS load_version, l.last_offered_at
		FROM accounts LEFT JOIN account_loads AS l ON l.account_id = accounts.id AND l."day" = ?
		WHERE accounts.dealer_id = ? AND accounts.kind = ? ORDER BY accounts.id`, day, dealerID, kind).Scan(ctx, &rows)
	if err != nil {
		return nil, fail(op, err)
	}
	return all(op, func(r accountLoadRow) (owner.AccountLoad, error) { return r.load(day) }, rows)
}

// StaffByEmail implements ports.StaffDirectory.
func (s *Store) StaffByEmail(ctx context.Context, email string) (staff.Staff, error) {
	return one(ctx, s, "bunstore.StaffByEmail", s.staff, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("email = ? AND email <> ''", email)
	})
}

func (s *Store) staff(r staffRow) (staff.Staff, error) { return r.staff(s.sealer) }

// SessionByFingerprint implements ports.StaffDirectory.
func (s *Store) SessionByFingerprint(ctx context.Context, fingerprint string) (staff.Session, staff.Staff, error) {
	const op = "bunstore.SessionByFingerprint"
	session, err := one(ctx, s, op, sessionRow.session, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("fingerprint = ? AND fingerprint <> ''", fingerprint)
	})
	if err != nil {
		return staff.Session{}, staff.Staff{}, err
	}
	member, err := one(ctx, s, op, s.staff, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("id = ?", session.StaffID)
	})
	if err != nil {
		return staff.Session{}, staff.Staff{}, err
	}
	return session, member, nil
}
