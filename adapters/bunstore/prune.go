package bunstore

import (
	"context"
	"fmt"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

var _ ports.Retention = (*Store)(nil)

// prunings are statements that delete at most so many of the oldest rows of a table. Each reads the end of an index that it
// shortens, so that looking again costs nothing; tables of few rows are read whole.
// ?0 is a moment, ?1 the first ID of that moment, ?2 how many.
var prunings = map[core.Prunable][]string{
	core.IdempotencyRecords: {`DELETE FROM idempotency_records WHERE (caller, endpoint, idempotency_key) IN (
		SELECT caller, endpoint, idempotency_key FROM idempotency_records WHERE created_at < ?0 ORDER BY created_at LIMIT ?2)`},
	core.RequestNonces: {`DELETE FROM request_nonces WHERE (caller, nonce) IN (
		SELECT caller, nonce FROM request_nonces WHERE used_at < ?0 ORDER BY used_at LIMIT ?2)`},
	core.ExportFiles: {`DELETE FROM job_chunks WHERE (job_id, number) IN ( -- there are only those of the last day's exports
		SELECT c.job_id, c.number FROM job_chunks AS c JOIN jobs AS j ON j.id = c.job_id WHERE j.finished_at < ?0 LIMIT ?2)`},
	core.SignIns: {
		`DELETE FROM sign_in_challenges WHERE fingerprint IN (
			SELECT fingerprint FROM sign_in_challenges WHERE expires_at < ?0 ORDER BY expires_at LIMIT ?2)`,
		`DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE expires_at < ?0 ORDER BY expires_at LIMIT ?2)`,
	},
	core.Invitations: {`DELETE FROM invitations WHERE id IN (
		SELECT id FROM invitations WHERE expires_at < ?0 ORDER BY id LIMIT ?2)`},
	core.SavedViews: {`DELETE FROM saved_views WHERE id IN (
		SELECT id FROM saved_views WHERE removed_at < ?0 ORDER BY removed_at LIMIT ?2)`},
	core.Jobs: {`DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE finished_at < ?0 ORDER BY id LIMIT ?2)`},
	core.GatewayCalls: {`DELETE FROM gateway_calls WHERE id IN (
		SELECT id FROM gateway_calls WHERE id < ?1 ORDER BY id LIMIT ?2)`},
	// Attempts lie in the order in which their callbacks were made. Those that stay there are of callbacks that wait, or
	// were sent again lately: few.
	core.CallbackAttempts: {`DELETE FROM attempts WHERE (callback_id, id) IN (
		SELECT a.callback_id, a.id FROM attempts AS a WHERE a.callback_id < ?1 AND a.id < ?1
			AND NOT EXISTS (SELECT 1 FROM callbacks AS c WHERE c.id = a.callback_id AND c.state = 'waiting')
		ORDER BY a.callback_id, a.id LIMIT ?2)`},
	core.AuditEntries: {`DELETE FROM audit_entries WHERE id < ?1 AND id IN (
		SELECT id FROM audit_entries WHERE id < ?1 ORDER BY id LIMIT ?2)`},
	core.Notifications: {`DELETE FROM notifications WHERE id IN (
		SELECT id FROM notifications WHERE state IN ('done', 'unknown', 'rejected') AND id < ?1 LIMIT ?2)`},
}

// Prune implements ports.Retention.
func (s *Store) Prune(ctx context.Context, kind core.Prunable, before time.Time, limit int) (int, error) {
	const op = "bunstore.Prune"
	statements := prunings[kind]
	if len(statements) == 0 && droppedByMonth[kind] == "" {
		return 0, fault.E(op, fault.Internal, fmt.Errorf("%q is no kind of prunable rows", kind))
	}
	if limit < 1 {
		return 0, nil
	}
	from := core.FirstID(before)
	if kind == core.AuditEntries {
		said, err := s.keptEntries(ctx)
		if err != nil {
			return 0, fail(op, err)
		}
		from = min(from, said)
	}
	first, err := s.dropMonths(ctx, kind, from)
	if err != nil {
		return 0, fail(op, err)
	}
	if kind == core.Histories {
		pruned, err := s.pruneHistories(ctx, first, from, limit)
		return pruned, fail(op, err)
	}
	pruned := 0
	for _, statement := range statements {
		result, err := s.background.NewRaw(statement, timestamp(before), first, limit).Exec(ctx)
		if err != nil {
			return pruned, fail(op, err)
		}
		n, err := result.RowsAffected()
		if err != nil {
			return pruned, fail(op, err)
		}
		pruned += int(n)
	}
	return pruned, nil
}
