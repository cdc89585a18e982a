package bunstore_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/vezne/vezne/adapters/bunstore"
)

// reads is how a plan of SQLite says what is read whole; all of a dealer's rows are as many.
var reads = regexp.MustCompile(`(?m)^(?:SCAN (\w+)|SEARCH \w+ USING (?:COVERING )?INDEX \w+ \((dealer_id)=\?\)).*$`)

// ofStatement is what a statement itself brings, and what it makes of that.
var ofStatement = []string{"d", "s", "held", "CONSTANT"}

// TestCommitsOfAnySizeScanNothing: SQLite plans by how many rows a statement brings, and may turn a look-up of each into a look at all.
func TestCommitsOfAnySizeScanNothing(t *testing.T) {
	t.Parallel()
	cfg := sqliteConfig(t)
	s := openStore(t, cfg)
	conn, err := rawDatabase(t, cfg).Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, rows := range []int{1, 20, bunstore.MaxBatch, 10 * bunstore.MaxBatch} {
		for _, text := range s.CommitStatements(rows) {
			if strings.Contains(text, "pg_advisory_xact_lock") {
				continue // PostgreSQL's alone
			}
			plan := planOf(t, conn, "EXPLAIN QUERY PLAN "+text)
			for _, found := range reads.FindAllStringSubmatch(plan, -1) {
				if _, err := strconv.Atoi(found[1]); err != nil && !slices.Contains(ofStatement, found[1]) {
					t.Errorf("%d rows: %s:\n… %s\n%s", rows, found[0], text[max(0, len(text)-500):], plan)
				}
			}
		}
	}
}
