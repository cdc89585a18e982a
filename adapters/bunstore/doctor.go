package bunstore

import (
	"context"

	"github.com/vezne/vezne/core/approval"
)

// ServerConnections returns how many connections the PostgreSQL server gives to those who are no superusers. SQLite has none: 0.
func (s *Store) ServerConnections(ctx context.Context) (int, error) {
	const find = "SELECT current_setting('max_connections')::bigint - current_setting('superuser_reserved_connections')::bigint"
	if !s.plan.isShared {
		return 0, nil
	}
	var n int
	err := s.reads.NewRaw(find).Scan(ctx, &n)
	return n, fail("bunstore.ServerConnections", err)
}

// Undurable lists the settings of PostgreSQL that are off, and without which what it has committed may be lost, as they are for the
// sessions of this service. SQLite's are set by this service.
func (s *Store) Undurable(ctx context.Context) (settings []string, err error) {
	const find = "SELECT name FROM unnest(ARRAY['fsync', 'synchronous_commit', 'full_page_writes']) AS name WHERE current_setting(name) = 'off'"
	if !s.plan.isShared {
		return nil, nil
	}
	err = s.writes.NewRaw(find).Scan(ctx, &settings)
	return settings, fail("bunstore.Undurable", err)
}

// CheckSecrets opens every secret of the providers, of the dealers and their site tokens, of the gateway accounts, of staff
// and their second factors, and of requests that somebody still waits for, and says how many providers there are; its error
// names the first that does not open with the present master keys. Of every sealed column it looks whether a key is missing, at
// both ends of its table.
func (s *Store) CheckSecrets(ctx context.Context) (int, error) {
	const op = "bunstore.CheckSecrets"
	providers, err := many(ctx, s, op, s.provider, "id", "true")
	if err != nil {
		return 0, err
	}
	if _, err := many(ctx, s, op, s.dealer, "id", "true"); err != nil {
		return 0, err
	}
	if _, err := many(ctx, s, op, s.siteToken, "id", "true"); err != nil {
		return 0, err
	}
	if _, err := many(ctx, s, op, s.staff, "id", "true"); err != nil {
		return 0, err
	}
	if _, err := many(ctx, s, op, s.factors, "staff_id", "true"); err != nil {
		return 0, err
	}
	if _, err := many(ctx, s, op, s.approval, "id", "state = ? OR result <> ''", approval.Waiting); err != nil {
		return 0, err
	}
	_, err = s.GatewayAccounts(ctx)
	if err != nil {
		return 0, fail(op, err)
	}
	return len(providers), fail(op, s.checkKeys(ctx))
}
