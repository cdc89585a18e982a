package machines

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/vezne/vezne/e2e/harness"
)

// Memory is what each process of Vezne has in memory now, in MB.
func (m *Machines) Memory() string {
	m.T.Helper()
	var each []string
	for _, p := range m.All() {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.PID()))
		if err != nil {
			m.T.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(status), "VmRSS:")
		var kilobytes int
		if _, err := fmt.Sscan(rest, &kilobytes); err != nil {
			m.T.Fatalf("%s has no size: %v", p, err)
		}
		each = append(each, fmt.Sprintf("%d", kilobytes>>10))
	}
	return strings.Join(each, ", ") + " MB"
}

// Lateness says how long after the end of a payment its callback was sent first, of those that ended between two moments.
func (l *Load) Lateness(from, to time.Time) string {
	l.t.Helper()
	var count int
	var median, p99, latest float64
	harness.Eventually(l.t, func() error {
		return l.in.OpenDatabase().QueryRowContext(l.t.Context(), `SELECT count(*), COALESCE(percentile_disc(0.5) WITHIN GROUP (ORDER BY late), 0),
			COALESCE(percentile_disc(0.99) WITHIN GROUP (ORDER BY late), 0), COALESCE(max(late), 0)
			FROM (SELECT extract(epoch FROM min(a.at) - c.created_at)::float8 AS late FROM callbacks AS c JOIN attempts AS a ON a.callback_id = c.id
			WHERE c.created_at BETWEEN $1 AND $2 GROUP BY c.id) AS each`, from, to).Scan(&count, &median, &p99, &latest)
	})
	return fmt.Sprintf("%d callbacks, median %.2f s, p99 %.2f s, latest %.2f s", count, median, p99, latest)
}
