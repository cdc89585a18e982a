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
	// And in bank_line_terms.
	wordTerm      = "w:"
	tailTerm      = "t:"
	referenceTerm = "r:"
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
	ctx context.Context, q report.PaymentQuery, filters map[filter][]condition, lookups [][]lookup,
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
	ctx context.Context, q report.PaymentQuery, filters map[filter][]condition, lookups [][]lookup,
	vocabulary map[string]nameTerms, most int,
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
			list.where([]condition{vocabulary[l.Text].words(len(lookups[0]) > 1)})
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

func sourcesOfAny(lookups []lookup, vocabulary map[string]nameTerms) (sources []source) {
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

func sourcesOf(l lookup, name nameTerms) []source {
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
		return []source{ofTerms(l.term), {
			"SELECT b.payment_id AS id, '' AS words FROM bank_lines AS b WHERE b.party_iban = ? AND b.party_iban <> ''" +
				" AND b.payment_id <> '' AND b.direction = 'incoming'", []any{l.term}, "b.payment_id",
		}}
	case report.ByName:
		var all []source
		for _, term := range name.terms {
			all = append(all, ofTerms(term))
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

// nameTerms are the hashes of a name that is looked for.
type nameTerms struct {
	terms  []string   // of the words that its longest word may stand for
	others [][]string // the codes of those that each of its other words may stand for
}

// words is the condition that a name's term is of a name with the other words, too; where it is one of several ways to find a
// payment, rows of the others have no words.
func (n nameTerms) words(isOneOfSeveral bool) condition {
	all, args := []string{"p.words IS NOT NULL"}, []any(nil)
	for _, codes := range n.others {
		any := make([]string, len(codes))
		for i, code := range codes {
			any[i] = "p.words LIKE ?"
			args = append(args, "% "+code+"%")
		}
		all = append(all, "("+strings.Join(any, " OR ")+")")
	}
	sql := strings.Join(all, " AND ")
	if isOneOfSeveral {
		sql = "(p.words = '' OR " + sql + ")"
	}
	return is(sql, args...)
}

// anyOf is the condition that a payment is found in one of the ways. What is in other tables is asked for payment by
// payment: an EXISTS could be planned as a join with everything that the look-up finds.
func anyOf(ways []lookup, vocabulary map[string]nameTerms) condition {
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
			all = append(all, "(SELECT 1 FROM payment_terms AS t WHERE t.term = ? AND t.id = p.id LIMIT 1) = 1 OR (SELECT 1 FROM bank_lines AS b WHERE b.payment_id = p.id"+
				" AND b.payment_id <> '' AND b.party_iban = ? AND b.direction = 'incoming' LIMIT 1) = 1")
			args = append(args, l.term, l.term)
		case report.ByName:
			name := vocabulary[l.Text]
			words := name.words(false)
			all = append(all, "(SELECT 1 FROM payment_terms AS t WHERE t.term IN (?) AND t.id = p.id AND "+
				strings.ReplaceAll(words.sql, "p.words", "t.words")+" LIMIT 1) = 1")
			args = append(append(args, bun.List(name.terms)), words.args...)
		default:
			all = append(all, "(SELECT 1 FROM operations AS o WHERE o.payment_id = p.id AND (o.ref = ? OR o.external_id = ?) LIMIT 1) = 1")
			args = append(args, l.Text, l.Text)
		}
	}
	return is("("+strings.Join(all, " OR ")+")", args...)
}

// lookup is a look-up with the hash that it is found by.
type lookup struct {
	report.Lookup
	term string // of an IBAN
}

// blinded hashes what look-ups ask for.
func (s *Store) blinded(ctx context.Context, lookups [][]report.Lookup) ([][]lookup, error) {
	all := make([][]lookup, len(lookups))
	for i, ways := range lookups {
		for _, l := range ways {
			blind := lookup{Lookup: l}
			if l.By == report.ByIBAN || l.By == report.ByName { // outside of any snapshot
				b, err := s.blindingOf(ctx)
				if err != nil {
					return nil, err
				}
				blind.term = b.iban(l.Text)
			}
			all[i] = append(all[i], blind)
		}
	}
	return all, nil
}

// vocabulary finds, for each name that is looked for, the words that its words may stand for: for all names in one
// statement. The hashes of them are made here: nothing in the database leads from a word to a payment. Fault Invalid: a
// word is the beginning of too many.
func (s *Store) vocabulary(ctx context.Context, lookups [][]lookup) (map[string]nameTerms, error) {
	found, names := map[string]nameTerms{}, namesOf(lookups)
	if len(names) == 0 {
		return found, nil
	}
	b, err := s.blindingOf(ctx)
	if err != nil {
		return nil, err
	}
	begun, err := s.wordsFrom(ctx, names)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		longest := report.LongestWord(name)
		terms := nameTerms{}
		for _, word := range begun[longest] {
			terms.terms = append(terms.terms, b.name(word))
		}
		for _, word := range strings.Fields(name) {
			if word == longest {
				continue
			}
			var codes []string
			for _, w := range begun[word] {
				codes = append(codes, b.code(w))
			}
			terms.others = append(terms.others, codes)
		}
		found[name] = terms
	}
	return found, nil
}

// wordsFrom returns the words of names that begin as each word of what is looked for; among them is the word itself, which another
// process may just be adding. Fault Invalid: they are too many.
func (s *Store) wordsFrom(ctx context.Context, names []string) (map[string][]string, error) {
	begun := map[string][]string{}
	var asked []string
	for _, word := range strings.Fields(strings.Join(names, " ")) {
		if !slices.Contains(asked, word) {
			asked = append(asked, word)
		}
	}
	var statement query
	for i, word := range asked {
		statement.union(i == 0)
		statement.add("SELECT * FROM (SELECT ? AS way, v.word AS word FROM name_words AS v WHERE v.word >= ? AND v.word < ?"+
			" ORDER BY v.word LIMIT ?) AS part", i, word, word+"\U0010FFFF", maxVocabulary+1)
	}
	var rows []struct {
		Way  int
		Word string
	}
	if err := statement.scan(ctx, s, &rows); err != nil {
		return nil, err
	}
	for _, r := range rows {
		begun[asked[r.Way]] = append(begun[asked[r.Way]], r.Word)
	}
	var form core.Form
	for _, word := range asked {
		switch {
		case len(begun[word]) > maxVocabulary:
			form.Fail("name", "field.vague")
			return nil, form.Err("bunstore.wordsFrom")
		case !slices.Contains(begun[word], word):
			begun[word] = append(begun[word], word)
		}
	}
	return begun, nil
}

func namesOf(lookups [][]lookup) (names []string) {
	for _, l := range slices.Concat(lookups...) {
		if l.By == report.ByName && !slices.Contains(names, l.Text) {
			names = append(names, l.Text)
		}
	}
	return names
}

// among checks the few payments that the query names by their IDs, one by one.
func (s *Store) among(
	ctx context.Context, q report.PaymentQuery, filters map[filter][]condition, lookups [][]lookup,
) (report.Page, error) {
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
