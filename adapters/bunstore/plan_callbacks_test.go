package bunstore_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
)

// read is how a plan says what each run of a scan returned, or threw away, and how often it ran.
var (
	read   = regexp.MustCompile(`(?:Scan .*\(actual rows=|Rows Removed by .*: )(\d+)`)
	looped = regexp.MustCompile(`loops=(\d+)`)
)

// rowsRead adds up what the scans of a plan read.
func rowsRead(plan string) (rows int) {
	loops := 0
	for line := range strings.Lines(plan) {
		if m := looped.FindStringSubmatch(line); m != nil {
			loops, _ = strconv.Atoi(m[1])
		}
		if m := read.FindStringSubmatch(line); m != nil {
			n, _ := strconv.Atoi(m[1])
			rows += n * loops
		}
	}
	return rows
}

// TestCrowdIsReadOnce: a receiver stops to answer, and a crowd of callbacks waits of which PostgreSQL's statistics know
// nothing yet. What is read to find the next ones grows with the crowd, not with its square.
func TestCrowdIsReadOnce(t *testing.T) {
	t.Parallel()
	cfg := postgresConfig(t)
	s, db, now := openStore(t, cfg), rawDatabase(t, cfg), time.Unix(1_800_000_000, 0)
	execute(t, db, "ALTER TABLE callbacks SET (autovacuum_enabled = false)")
	one := payment.Callback{
		ID: "C", Version: 1, PaymentID: "P", Receiver: "site/1/deposit", Kind: payment.DepositCallback, Status: payment.Delivered,
		Sequence: 1, CreatedAt: now, FinishedAt: now,
	}
	if err := s.Commit(t.Context(), core.Changeset{one}); err != nil {
		t.Fatal(err)
	}
	const crowd = 3000
	many := func(prefix, changes string) {
		execute(t, db, fmt.Sprintf("INSERT INTO callbacks SELECT made.* FROM callbacks AS x, generate_series(1, %d) AS n,"+
			" LATERAL jsonb_populate_record(x, jsonb_build_object('id', '%s' || n, 'payment_id', '%[2]s' || n, %s)) AS made"+
			" WHERE x.id = 'C'", crowd, prefix, changes))
	}
	many("A", "'sequence', 1")
	execute(t, db, "ANALYZE callbacks")
	many("B", "'sequence', 2, 'state', 'waiting', 'finished_at', NULL, 'next_attempt_at', x.created_at")

	seen := &spy{}
	watched := s.WithHook(seen)
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range []string{"random_page_cost = 1.1", "jit = off"} {
		if _, err := conn.ExecContext(t.Context(), "SET "+set); err != nil {
			t.Fatal(err)
		}
	}
	for what, ask := range map[string]func() error{
		"DueReceivers": func() error { _, err := watched.DueReceivers(t.Context(), now, "", 10); return err },
		"DueWork":      func() error { _, err := watched.DueWork(t.Context(), now); return err },
		"ClaimCallbacks": func() error {
			_, err := watched.ClaimCallbacks(t.Context(), one.Receiver, now, now.Add(time.Minute), 100)
			return err
		},
	} {
		seen.queries = nil
		if err := ask(); err != nil {
			t.Fatal(err)
		}
		for _, query := range seen.queries {
			plan := planOf(t, conn, "EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF) "+query)
			if rows := rowsRead(plan); rows == 0 || rows > 3*crowd {
				t.Errorf("%s reads %d rows:\n%s", what, rows, plan)
			}
		}
		if len(seen.queries) == 0 {
			t.Errorf("%s makes no queries", what)
		}
	}
}
