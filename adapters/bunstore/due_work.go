package bunstore

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core/report"
)

// dueWork is one statement, so that it costs one round trip. Every part of it reads the end of an index, whose words are
// repeated as they are there, up to a bound; feeds are few and read whole. ?0 is from where
// receivers begin, ?1 now, ?2 the bound, ?3 since when what is due is stuck, and ?4 counts what is.
const dueWork = receivers + `, callbacks_due AS MATERIALIZED (
	SELECT next_attempt_at AS due_at, lease_until FROM receivers
	JOIN callbacks ON receiver = name AND state = 'waiting' AND next_attempt_at <= ?1 WHERE name IS NOT NULL LIMIT ?2
), gateways (gateway) AS (
	SELECT (SELECT min(gateway_id) FROM operations WHERE next_at IS NOT NULL)
	UNION ALL
	SELECT (SELECT min(gateway_id) FROM operations WHERE next_at IS NOT NULL AND gateway_id > gateways.gateway)
	FROM gateways WHERE gateways.gateway IS NOT NULL
), operations_due AS MATERIALIZED (
	SELECT next_at AS due_at, lease_until FROM gateways
	JOIN operations ON gateway_id = gateway AND next_at <= ?1 WHERE gateway IS NOT NULL LIMIT ?2
), payments_overdue AS MATERIALIZED (
	SELECT expires_at AS due_at FROM payments
	WHERE status IN ('showing', 'pending') AND operation_id = '' AND expires_at IS NOT NULL AND expires_at <= ?1
	ORDER BY expires_at LIMIT ?2
), notifications_waiting AS MATERIALIZED (
	SELECT received_at AS due_at, lease_until FROM notifications WHERE state = 'waiting' AND received_at <= ?1
	ORDER BY id LIMIT ?2
), feeds_due AS MATERIALIZED (
	SELECT next_at AS due_at, lease_until, failures FROM feeds WHERE next_at <= ?1
), ended AS (
	SELECT (SELECT count(*) FROM (
			SELECT 1 FROM callbacks WHERE state IN ('failed', 'skipped') AND superseded_at IS NULL AND state = 'failed' LIMIT ?2) AS failed) AS failed,
		(SELECT count(*) FROM (
			SELECT 1 FROM callbacks WHERE state IN ('failed', 'skipped') AND superseded_at IS NULL AND state = 'skipped' LIMIT ?2) AS skipped) AS skipped,
		(SELECT count(*) FROM (SELECT 1 FROM notifications WHERE state = 'unknown' LIMIT ?2) AS strange) AS strange,
		(SELECT count(*) FROM feeds WHERE failures > 0) AS troubled
)
SELECT 'callbacks' AS kind, count(*) AS due, min(due_at) AS oldest_at, ?4 AS stuck,
	(SELECT failed FROM ended) AS failed, (SELECT skipped FROM ended) AS skipped FROM callbacks_due
UNION ALL SELECT 'expiry', count(*), min(due_at), count(CASE WHEN due_at <= ?3 THEN 1 END), 0, 0 FROM payments_overdue
UNION ALL SELECT 'operations', count(*), min(due_at), ?4, 0, 0 FROM operations_due
UNION ALL SELECT 'notifications', count(*), min(due_at), ?4, (SELECT strange FROM ended), 0 FROM notifications_waiting
UNION ALL SELECT 'statements', count(*), min(due_at), ?4, (SELECT troubled FROM ended), 0 FROM feeds_due`

const stuckCount = "count(CASE WHEN due_at <= ? AND (lease_until IS NULL OR lease_until <= ?) THEN 1 END)"

// maxBacklog is where counting stops.
const maxBacklog = 10_000

// DueWork implements ports.Reports.
func (s *Store) DueWork(ctx context.Context, now time.Time) ([]report.DueWork, error) {
	var rows []struct {
		Kind     report.WorkKind `bun:"kind"`
		Due      int             `bun:"due"`
		OldestAt timestamp       `bun:"oldest_at"`
		Stuck    int             `bun:"stuck"`
		Failed   int             `bun:"failed"`
		Skipped  int             `bun:"skipped"`
	}
	since := timestamp(now.Add(-report.StuckAfter))
	stuck := bun.SafeQuery(stuckCount, since, timestamp(now))
	if err := s.reads.NewRaw(dueWork, "", timestamp(now), maxBacklog, since, stuck).Scan(ctx, &rows); err != nil {
		return nil, fail("bunstore.DueWork", err)
	}
	byKind := map[report.WorkKind]report.DueWork{}
	for _, r := range rows {
		byKind[r.Kind] = report.DueWork{
			Kind: r.Kind, DueCount: r.Due, OldestDueAt: time.Time(r.OldestAt), StuckCount: r.Stuck, FailedCount: r.Failed, SkippedCount: r.Skipped,
		}
	}
	list := make([]report.DueWork, 0, len(byKind))
	for _, kind := range report.WorkKinds() {
		list = append(list, byKind[kind])
	}
	return list, nil
}
