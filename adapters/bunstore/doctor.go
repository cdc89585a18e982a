package bunstore

import (
	"context"

	"github.com/vezne/vezne/core/approval"
)

// Server is how a PostgreSQL server is set, for the sessions of this service.
type Server struct {
	Connections   int    // that it gives to those who are no superusers
	DatabaseBytes int64  // the size of this database
	BufferBytes   int64  // of the memory in which it keeps pages
	Off           string // those of fsync, synchronous_commit and full_page_writes that are off, with commas: what it has committed may be lost
}

// Server asks PostgreSQL how it is set. SQLite's settings are this service's own: all is 0.
func (s *Store) Server(ctx context.Context) (is Server, err error) {
	const find = `SELECT current_setting('max_connections')::bigint - current_setting('superuser_reserved_connections')::bigint,
		pg_database_size(current_database()), pg_size_bytes(current_setting('shared_buffers')),
		(SELECT COALESCE(string_agg(name, ', '), '') FROM unnest(ARRAY['fsync', 'synchronous_commit', 'full_page_writes']) AS name
			WHERE current_setting(name) = 'off')`
	if s.plan.isShared {
		err = s.writes.NewRaw(find).Scan(ctx, &is.Connections, &is.DatabaseBytes, &is.BufferBytes, &is.Off)
	}
	return is, fail("bunstore.Server", err)
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
