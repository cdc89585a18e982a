package bunstore

import (
	"context"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/report"
)

// What a term in payment_terms is.
const (
	nameTerm = "n:"
	ibanTerm = "i:"
)

const (
	maxFound      = 1_200 // rows that a look-up may come to
	maxVocabulary = 100   // words that a word's beginning may stand for
)

// source finds the IDs of payments by something that they carry; behind says what the ID has to be.
type source struct {
	sql  string // up to the conditions of the ID
	args []any
	id   string // the column of the ID
}

// lookUp finds payments by the first of the look-ups, newest or oldest first, and checks the others payment by payment.
func (s *Store) lookUp(
	ctx context.Context, q report.PaymentQuery, filters map[filter][]condition, lookups [][]report.Lookup,
) (report.Page, error) {
	vocabulary, err := s.vocabulary(ctx, lookups)
	if err != nil {
		return report.Page{}, err
	}
	most := bounded(q, maxFound)
	found, err := s.found(ctx, q, filters, lookups, vocabulary, most)
	if err != nil || len(found.Payments) == q.Limit {
		return found, err
	}
	sources := sourcesOfAny(lookups[0], vocabulary)
	if len(sources) == 0 {
		return found, nil
	}
	var last query
	last.add("SELECT p.id, NULL AS at_key FROM (")
	last.sources(q, sources, most)
	last.add(") AS p ORDER BY "+orderOf(q.Sort).sql()+" LIMIT 1 OFFSET ?", most-1)
	found.Stop, err = s.place(ctx, last, q)
	return found, err
}

// found reads a page of what the first of the look-ups finds, looking at most at so much of each kind.
func (s *Store) found(
	ctx context.Context, q report.PaymentQuery, filters map[filter][]condition, lookups [][]report.Lookup,
	vocabulary map[string][]string, most int,
) (report.Page, error) {
	wanted, sources := orderOf(q.Sort), sourcesOfAny(lookups[0], vocabulary)
	if len(sources) == 0 {
		return report.Page{}, nil
	}
	rest := path{}.rest(filters)
	for _, others := range lookups[1:] {
		rest = append(rest, anyOf(others, vocabulary))
	}
	distinct := ""
	if len(sources) > 1 {
		distinct = " DISTINCT"
	}
	var list query
	list.add("SELECT " + s.paymentColumns() + " FROM (SELECT" + distinct + " p.id FROM (")
	list.sources(q, sources, most)
	list.add(") AS p")
	for _, l := range lookups[0] {
		if l.By == report.ByName {
			list.where(wordsOf(l.Text, len(lookups[0]) > 1))
		}
	}
	if wanted.isByID() {
		list.add(" ORDER BY " + wanted.sql())
	}
	list.add(") AS f JOIN " + s.dialect.paymentOf("f.id"))
	list.where(rest, wanted.between(q))
	list.add(" ORDER BY "+strings.ReplaceAll(wanted.sql(), "p.id", "f.id")+" LIMIT ?", q.Limit)
	return s.payments(ctx, list)
}

func sourcesOfAny(lookups []report.Lookup, vocabulary map[string][]string) (sources []source) {
	for _, l := range lookups {
		sources = append(sources, sourcesOf(l, vocabulary[l.Text])...)
	}
	return sources
}

// sources writes the IDs that the sources find, at most so many of each and of all together, as rows called p.
func (t *query) sources(q report.PaymentQuery, sources []source, most int) {
	way, within := order{}, idRange(q, "p.id") // whatever they are sorted by: newest first
	if wanted := orderOf(q.Sort); wanted.isByID() {
		way, within = wanted, append(wanted.between(q), within...)
	}
	t.add("SELECT p.* FROM (")
	for i, from := range sources {
		t.union(i == 0)
		t.add("SELECT * FROM (")
		t.source(from, within)
		t.add(" ORDER BY "+strings.ReplaceAll(way.sql(), "p.id", from.id)+" LIMIT ?) AS part", most)
	}
	t.add(") AS p ORDER BY "+way.sql()+" LIMIT ?", most)
}

// source writes the IDs of one source for which conditions hold that name it p.id.
func (t *query) source(from source, within []condition) {
	t.add(from.sql, from.args...)
	for _, c := range within {
		t.add(" AND "+strings.ReplaceAll(c.sql, "p.id", from.id), c.args...)
	}
}

func sourcesOf(l report.Lookup, words []string) []source {
	ofPayments := func(sql string, arg any) source {
		return source{"SELECT p.id, '' AS words FROM payments AS p WHERE " + sql, []any{arg}, "p.id"}
	}
	ofTerms := func(term string) source {
		return source{"SELECT t.id, t.words FROM payment_terms AS t WHERE t.term = ?", []any{term}, "t.id"}
	}
	ofOperations := func(sql string) source {
		return source{"SELECT o.payment_id AS id, '' AS words FROM operations AS o WHERE " + sql, []any{l.Text}, "o.payment_id"}
	}
	switch l.By {
	case report.ByTrackingCode:
		return []source{ofPayments("p.tracking_code = ? AND p.tracking_code <> ''", l.Text)}
	case report.ByOrderID:
		return []source{ofPayments("p.tracking_code IN (?) AND p.tracking_code <> ''", codesOfOrder(l.Text))}
	case report.ByUserID:
		return []source{ofPayments("p.user_id = ?", l.Text)}
	case report.ByIBAN:
		return []source{ofTerms(ibanTerm + l.Text), {
			"SELECT b.payment_id AS id, '' AS words FROM bank_lines AS b WHERE b.party_iban = ? AND b.party_iban <> ''" +
				" AND b.payment_id <> '' AND b.direction = 'incoming'", []any{l.Text}, "b.payment_id",
		}}
	case report.ByName:
		var all []source
		for _, w := range words {
			all = append(all, ofTerms(w))
		}
		return all
	default:
		return []source{
			ofOperations("o.ref = ? AND o.ref <> ''"), ofOperations("o.external_id = ? AND o.external_id <> ''"),
		}
	}
}

// codesOfOrder is never empty, which an IN list must not be.
func codesOfOrder(order string) any { return bun.List(append(report.CodesOfOrder(order), "")) }

// wordsOf are the conditions of a name's term; where it is one of several ways to find a payment, rows of the others have
// no words.
func wordsOf(name string, isOneOfSeveral bool) []condition {
	var all []string
	var args []any
	for _, w := range strings.Fields(name) {
		all = append(all, "p.words LIKE ?")
		args = append(args, "% "+w+"%")
	}
	sql := strings.Join(all, " AND ")
	if isOneOfSeveral {
		sql = "(p.words = '' OR " + sql + ")"
	}
	return []condition{is(sql, args...)}
}

// anyOf is the condition that a payment is found in one of the ways. What is in other tables is asked for payment by
// payment: an EXISTS could be planned as a join with everything that the look-up finds.
func anyOf(ways []report.Lookup, vocabulary map[string][]string) condition {
	var all []string
	var args []any
	for _, l := range ways {
		switch l.By {
		case report.ByTrackingCode:
			all, args = append(all, "p.tracking_code = ?"), append(args, l.Text)
		case report.ByOrderID:
			all, args = append(all, "p.tracking_code IN (?)"), append(args, codesOfOrder(l.Text))
		case report.ByUserID:
			all, args = append(all, "p.user_id = ?"), append(args, l.Text)
		case report.ByIBAN:
			all = append(all, "p.iban = ? OR (SELECT 1 FROM bank_lines AS b WHERE b.payment_id = p.id"+
				" AND b.payment_id <> '' AND b.party_iban = ? AND b.direction = 'incoming' LIMIT 1) = 1")
			args = append(args, l.Text, l.Text)
		case report.ByName:
			words := wordsOf(l.Text, false)[0]
			all = append(all, "(SELECT 1 FROM payment_terms AS t WHERE t.term IN (?) AND t.id = p.id AND "+
				strings.ReplaceAll(words.sql, "p.words", "t.words")+" LIMIT 1) = 1")
			terms := vocabulary[l.Text]
			if len(terms) == 0 {
				terms = []string{""} // a list of nothing is no SQL
			}
			args = append(append(args, bun.List(terms)), words.args...)
		default:
			all = append(all, "(SELECT 1 FROM operations AS o WHERE o.payment_id = p.id AND (o.ref = ? OR o.external_id = ?) LIMIT 1) = 1")
			args = append(args, l.Text, l.Text)
		}
	}
	return is("("+strings.Join(all, " OR ")+")", args...)
}

// vocabulary finds, for each name that is looked for, the terms that its longest word may stand for: for all names in one
// statement. Fault Invalid: a name's beginning is of too many words.
func (s *Store) vocabulary(ctx context.Context, lookups [][]report.Lookup) (map[string][]string, error) {
	found, names := map[string][]string{}, namesOf(lookups)
	if len(names) == 0 {
		return found, nil
	}
	var statement query
	statement.terms(names, func(i int) int { return i })
	var rows []struct {
		Way  int
		Term string
		Met  int
	}
	if err := statement.scan(ctx, s, &rows); err != nil {
		return nil, err
	}
	for _, r := range rows {
		found[names[r.Way]] = append(found[names[r.Way]], r.Term)
	}
	return found, checkVague(found)
}

func namesOf(lookups [][]report.Lookup) (names []string) {
	for _, l := range slices.Concat(lookups...) {
		if l.By == report.ByName && !slices.Contains(names, l.Text) {
			names = append(names, l.Text)
		}
	}
	return names
}

func checkVague(vocabulary map[string][]string) error {
	var form core.Form
	for _, terms := range vocabulary {
		if len(terms) > maxVocabulary {
			form.Fail("name", "field.vague")
		}
	}
	return form.Err("bunstore.vocabulary")
}

// termsFrom steps through the index from one term to the next.
const termsFrom = `WITH RECURSIVE terms (term) AS (
	SELECT (SELECT min(term) FROM payment_terms WHERE term >= ? AND term < ?)
	UNION ALL
	SELECT (SELECT min(t.term) FROM payment_terms AS t WHERE t.term > terms.term AND t.term < ?)
	FROM terms WHERE terms.term IS NOT NULL
) SELECT term FROM terms WHERE term IS NOT NULL LIMIT ?`

// terms writes rows of the terms that begin as the longest word of each name, one more of each than there may be at most.
func (t *query) terms(names []string, number func(int) int) {
	for i, name := range names {
		t.union(i == 0)
		t.add("SELECT ? AS way, v.term AS term, 0 AS met FROM (", number(i))
		t.termsOf(name)
		t.add(") AS v")
	}
}

func (t *query) termsOf(name string) {
	from := nameTerm + report.LongestWord(name)
	until := from + "\U0010FFFF"
	t.add(termsFrom, from, until, until, maxVocabulary+1)
}

// among checks the few payments that the query names by their IDs, one by one.
func (s *Store) among(ctx context.Context, q report.PaymentQuery, filters map[filter][]condition) (report.Page, error) {
	lookups := q.Lookups()
	vocabulary, err := s.vocabulary(ctx, lookups)
	if err != nil {
		return report.Page{}, err
	}
	wanted, rest := orderOf(q.Sort), path{}.rest(filters)
	for _, ways := range lookups {
		rest = append(rest, anyOf(ways, vocabulary))
	}
	var list query
	list.add("SELECT " + s.paymentColumns() + " FROM payments AS p")
	list.where(rest, wanted.between(q))
	list.add(" ORDER BY "+wanted.sql()+" LIMIT ?", q.Limit)
	return s.payments(ctx, list)
}
