package bunstore

import (
	"context"
	"time"

	"github.com/vezne/vezne/core/report"
)

// Of a site's deposits and of a dealer's own the last ones are read from the end of an index, and of those that are asked for when each was
// first said to be paid.
const (
	ofMethod    = `SELECT p.finished_at AS ended_at, CASE WHEN p.method = ?2 AND p.finished_at >= ?3`
	sinceSaid   = ` THEN (SELECT min(m.at) FROM moves AS m WHERE m.payment_id = p.id AND m.command IN ('claim_paid', 'see_money')) END AS said_at FROM payments AS p WHERE p.`
	ofTheLast   = ` = ?0 AND p.status = 'completed' ORDER BY p.id DESC LIMIT ?1`
	siteWaits   = ofMethod + sinceSaid + `site_id` + ofTheLast
	dealerWaits = ofMethod + ` AND p.provider_id = 0` + sinceSaid + `dealer_id` + ofTheLast
)

// LastWaits implements ports.Reports.
func (s *Store) LastWaits(ctx context.Context, q report.WaitQuery) ([]time.Duration, error) {
	statement, owner := siteWaits, q.SiteID
	if owner == 0 {
		statement, owner = dealerWaits, q.DealerID
	}
	var rows []struct{ EndedAt, SaidAt timestamp }
	if err := s.reads.NewRaw(statement, owner, q.Limit, q.Method, timestamp(q.Since)).Scan(ctx, &rows); err != nil {
		return nil, fail("bunstore.LastWaits", err)
	}
	var waits []time.Duration
	for _, r := range rows {
		if said := time.Time(r.SaidAt); !said.IsZero() {
			waits = append(waits, time.Time(r.EndedAt).Sub(said))
		}
	}
	return waits, nil
}
