package bunstore

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

// oldestOpen reads one row from the end of an index.
const oldestOpen = `SELECT * FROM (SELECT method, status, created_at FROM payments WHERE status = ? AND method = ? ORDER BY id LIMIT 1) AS oldest`

// OldestOpen implements ports.Reports.
func (s *Store) OldestOpen(ctx context.Context) ([]report.OldestOpen, error) {
	var parts []string
	var values []any
	for _, method := range payment.Methods() {
		for _, status := range payment.Statuses() {
			if !status.IsFinal() {
				parts, values = append(parts, oldestOpen), append(values, status, method)
			}
		}
	}
	var rows []struct {
		Method    payment.Method
		Status    payment.Status
		CreatedAt timestamp
	}
	if err := s.reads.NewRaw(strings.Join(parts, " UNION ALL "), values...).Scan(ctx, &rows); err != nil {
		return nil, fail("bunstore.OldestOpen", err)
	}
	methods, statuses := payment.Methods(), payment.Statuses()
	list := make([]report.OldestOpen, len(rows))
	for i, r := range rows {
		list[i] = report.OldestOpen{Method: r.Method, Status: r.Status, CreatedAt: time.Time(r.CreatedAt)}
	}
	slices.SortFunc(list, func(a, b report.OldestOpen) int { // UNION ALL promises no order
		if a.Method != b.Method {
			return slices.Index(methods, a.Method) - slices.Index(methods, b.Method)
		}
		return slices.Index(statuses, a.Status) - slices.Index(statuses, b.Status)
	})
	return list, nil
}
