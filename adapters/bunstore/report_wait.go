package bunstore

import (
	"context"
	"time"

	"github.com/vezne/vezne/core/report"
)

// Of a site's deposits and of a dealer's own the last ones are read from the end of an index, and from the history of each when it was
// first said to be paid.
const (
	waitsOf     = `SELECT p.finished_at AS ended_at, min(m.at) AS said_at FROM (SELECT id, method, provider_id, finished_at FROM payments WHERE `
	lastWaits   = ` = ?0 AND status = 'completed' ORDER BY id DESC LIMIT ?1) AS p JOIN moves AS m ON m.payment_id = p.id AND m.command IN ('claim_paid', 'see_money') WHERE p.method = ?2 AND p.finished_at >= ?3`
	groupWaits  = ` GROUP BY p.id, p.finished_at`
	siteWaits   = waitsOf + `site_id` + lastWaits + groupWaits
	dealerWaits = waitsOf + `dealer_id` + lastWaits + ` AND p.provider_id = 0` + groupWaits
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
	waits := make([]time.Duration, len(rows))
	for i, r := range rows {
		waits[i] = time.Time(r.EndedAt).Sub(time.Time(r.SaidAt))
	}
	return waits, nil
}
