package bunstore

import (
	"context"
	"slices"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core/report"
)

// maxTerms bounds how many rows of payment_terms are read to see which names have all the words that are looked for: their
// index has everything, so that they cost a tenth of a payment.
const maxTerms = 10_000

// survey is what is known of the ways to a list before one is taken.
type survey struct {
	ways       []path
	met        []int // payments on each way, counted up to one more than the most that may be read
	most       []int // of each way
	mostLooked int
	lookups    [][]lookup
	looked     int // payments that the first look-up finds
	vocabulary map[string]nameTerms
}

// survey counts what is on each way and what the first look-up finds: in one statement, since a page has few. The order of
// what is counted does not matter; asking for it keeps the planner from looking for the first rows in the table itself, where
// they may be far from its beginning.
func (s *Store) survey(
	ctx context.Context, q report.PaymentQuery, ways []path, filters map[filter][]condition, lookups [][]lookup,
	vocabulary map[string]nameTerms,
) (survey, error) {
	seen := survey{
		ways: ways, met: make([]int, len(ways)), mostLooked: bounded(q, maxGathered), lookups: lookups, vocabulary: vocabulary,
	}
	if len(ways)+len(lookups) == 0 {
		return seen, nil
	}
	var counts query
	for i, way := range ways {
		counts.union(i == 0)
		most := way.maxGathered(way.rest(filters), orderOf(q.Sort))
		if len(lookups) > 0 {
			most = maxGathered
		}
		seen.most = append(seen.most, bounded(q, most))
		counts.count(i, way, seen.most[i])
	}
	if len(lookups) > 0 {
		counts.union(len(ways) == 0)
		counts.countFound(q, len(ways), lookups[0], vocabulary, seen.mostLooked)
	}
	var rows []struct{ Way, Met int }
	if err := counts.scan(ctx, s, &rows); err != nil {
		return seen, err
	}
	for _, r := range rows {
		if r.Way < len(ways) {
			seen.met[r.Way] = r.Met
		} else {
			seen.looked += r.Met
		}
	}
	return seen, nil
}

// isLookUp reports whether what is looked for is little, and less than on every other way.
func (s survey) isLookUp() bool {
	return len(s.lookups) > 0 && s.looked <= s.mostLooked && !slices.ContainsFunc(s.met, func(met int) bool { return met < s.looked })
}

// shortest is the way with the least, and how much that may be; nil: all have more.
func (s survey) shortest() (way *path, most int) {
	least := 0
	for i, met := range s.met {
		if met <= s.most[i] && (way == nil || met < least) {
			way, most, least = &s.ways[i], s.most[i], met
		}
	}
	return way, most
}

// terms is how many times as much it costs to look at a payment whose name has to be one of many.
func (s survey) terms() int {
	const alike = 4 // so many are hardly felt
	count := 0
	for _, name := range s.vocabulary {
		count += len(name.terms)
	}
	return 1 + count/alike
}

// union begins one of several parts.
func (t *query) union(isFirst bool) { t.unionOf(isFirst, "UNION ALL") }

func (t *query) unionOf(isFirst bool, how string) {
	if !isFirst {
		t.add(" " + how + " ")
	}
}

// count writes the row that says how much is on a way.
func (t *query) count(i int, way path, most int) {
	t.add("SELECT ? AS way, (SELECT count(*) FROM (SELECT 1 FROM (", i)
	for j, part := range way.parts {
		t.union(j == 0)
		t.add("SELECT 1 FROM (SELECT 1 FROM payments AS p")
		t.where(part)
		t.add(" ORDER BY "+way.order.sql()+" LIMIT ?) AS part", most+1)
	}
	t.add(") AS parts LIMIT ?) AS bounded) AS met", most+1)
}

// countFound writes rows that say how much each way of looking up finds.
func (t *query) countFound(q report.PaymentQuery, way int, lookups []lookup, vocabulary map[string]nameTerms, most int) {
	for i, l := range lookups {
		t.union(i == 0)
		if l.By == report.ByName {
			t.countNames(q, way, vocabulary[l.Text], most)
			continue
		}
		t.add("SELECT ? AS way, (SELECT count(*) FROM (SELECT 1 FROM (", way)
		for j, from := range sourcesOf(l, nameTerms{}) {
			t.union(j == 0)
			t.add("SELECT 1 FROM (")
			t.source(from, idRange(q, "p.id"))
			t.add(" LIMIT ?) AS part", most+1)
		}
		t.add(") AS parts LIMIT ?) AS bounded) AS met", most+1)
	}
}

// countNames counts names with all words among the first that have the longest one; more than most, if there are too many
// of those.
func (t *query) countNames(q report.PaymentQuery, way int, name nameTerms, most int) {
	t.add("SELECT ? AS way, (SELECT CASE WHEN count(*) > ? THEN ? ELSE count(p.words) END FROM (", way, maxTerms, most+1)
	words := name.words(false)
	t.add("SELECT CASE WHEN "+words.sql+" THEN 1 END AS words FROM (", words.args...)
	t.add("SELECT t.words FROM payment_terms AS t WHERE t.term IN (?)", bun.List(name.terms))
	for _, c := range idRange(q, "t.id") {
		t.add(" AND "+c.sql, c.args...)
	}
	t.add(" LIMIT ?) AS p) AS p) AS met", maxTerms+1)
}
