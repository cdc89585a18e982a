package bunstore

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// paidFrom are the latest lines from a sender, for the place of the sender among those that are asked for.
const paidFrom = `SELECT {place} AS place, l.id, p.provider_id, p.user_id
	FROM bank_lines AS l JOIN payments AS p ON p.id = l.payment_id
	WHERE l.party_iban = {sender} AND l.party_iban <> '' AND l.payment_id <> '' AND l.direction = 'incoming'
		AND l.reversed_by = '' AND p.method = 'eiban_deposit'
	ORDER BY l.id DESC LIMIT {most}`

// PaidFrom implements ports.Statements.
func (s *Store) PaidFrom(ctx context.Context, ibans []string, limit int) ([][]owner.CustomerKey, error) {
	all := make([][]owner.CustomerKey, len(ibans))
	b, err := s.blindingOf(ctx)
	if err != nil {
		return nil, err
	}
	var asked [][]any
	for i, sender := range ibans {
		if sender = b.party(sender); sender != "" && limit > 0 {
			asked = append(asked, []any{i, sender, limit})
		}
	}
	if len(asked) == 0 {
		return all, nil
	}
	var list query
	list.add("SELECT place, provider_id, user_id FROM (")
	s.dialect.ofEach(&list, paidFrom, []string{"place", "sender", "most"}, asked)
	list.add(") AS latest GROUP BY place, provider_id, user_id ORDER BY place, max(id) DESC")
	var rows []struct {
		Place       int
		customerRow `bun:",extend"`
	}
	if err := list.scan(ctx, s, &rows); err != nil {
		return nil, fail("bunstore.PaidFrom", err)
	}
	for _, r := range rows {
		all[r.Place] = append(all[r.Place], owner.CustomerKey(r.customerRow))
	}
	return all, nil
}

// Candidates implements ports.Statements. Lines of a wallet have their deposits in common: each is read once.
func (s *Store) Candidates(ctx context.Context, queries ...wallet.CandidateQuery) ([][]payment.Payment, error) {
	const op = "bunstore.Candidates"
	all := make([][]payment.Payment, len(queries))
	var ids query
	for _, q := range queries {
		if q.Limit > 0 && q.Account.ID != 0 {
			ids.unionOf(len(ids.args) == 0, "UNION")
			s.candidateIDs(&ids, q)
		}
	}
	if len(ids.args) == 0 {
		return all, nil
	}
	var list query
	list.add("SELECT " + s.paymentColumns() + " FROM (")
	list.add(ids.text.String(), ids.args...)
	list.add(") AS f JOIN " + s.dialect.paymentOf("f.id"))
	found, err := s.payments(ctx, list)
	if err != nil {
		return nil, fail(op, err)
	}
	slices.SortFunc(found.Payments, func(a, b payment.Payment) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
	})
	for i, q := range queries {
		all[i] = candidatesOf(q, found.Payments)
	}
	return all, nil
}

// candidateIDs writes what finds a query's deposits. The words of its index are repeated as they are there.
func (s *Store) candidateIDs(ids *query, q wallet.CandidateQuery) {
	ids.add("SELECT * FROM (SELECT id FROM payments"+s.dialect.byIndex("payments_account")+
		" WHERE method = 'eiban_deposit' AND status <> 'completed' AND account_id = ? AND dealer_id = ?", q.Account.ID, q.Account.DealerID)
	if !q.From.IsZero() {
		ids.add(" AND created_at >= ?", timestamp(q.From))
	}
	ids.add(" AND created_at < ? ORDER BY created_at DESC, id DESC LIMIT ?) AS part", timestamp(q.Until), q.Limit)
}

// candidatesOf takes a query's deposits out of those of all queries. What other queries have brought is older than the
// query's own where it has as many as it may have. Moments are compared as they are stored.
func candidatesOf(q wallet.CandidateQuery, newestFirst []payment.Payment) []payment.Payment {
	from, until := q.From.Truncate(time.Microsecond), q.Until.Truncate(time.Microsecond)
	var list []payment.Payment
	for _, p := range newestFirst {
		isIn := !p.CreatedAt.Before(from) && p.CreatedAt.Before(until)
		if isIn && q.Account.ID != 0 && (owner.AccountKey{ID: p.Account.AccountID, DealerID: p.DealerID}) == q.Account && len(list) < q.Limit {
			list = append(list, p)
		}
	}
	return list
}
