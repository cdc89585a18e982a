package bunstore

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/ports"
)

var _ ports.Subjects = (*Store)(nil)

// erasurePage is how many payments are cleared at once.
const erasurePage = 200

// subjectPayments are a subject's payments: they are found by the index of the user id.
const subjectPayments = "payments AS p WHERE p.user_id = ?0 AND p.key_id = ?1"

const heldData = `SELECT (SELECT count(*) FROM ` + subjectPayments + `) AS payment_count,
	(SELECT max(p.updated_at) FROM ` + subjectPayments + `) AS last_at,
	(SELECT count(*) FROM ` + subjectPayments + ` AND p.status IN ('showing', 'pending', 'processing')) AS open_count,
	(SELECT count(*) FROM callbacks AS c WHERE c.state = 'waiting'
		AND c.payment_id IN (SELECT p.id FROM ` + subjectPayments + `)) +
	(SELECT count(*) FROM operations AS o WHERE o.phase <> 'closed'
		AND o.payment_id IN (SELECT p.id FROM ` + subjectPayments + `)) +
	(SELECT count(*) FROM discrepancies AS d WHERE d.state IN ('open', 'refunding')
		AND d.payment_id IN (SELECT p.id FROM ` + subjectPayments + `)) AS pending_count`

// erasedKey finds the key of payments that were not cleared yet after it was destroyed.
const erasedKey = `SELECT p.key_id FROM payments AS p JOIN personal_keys AS k ON k.id = p.key_id AND k.sealed_key = ''
	WHERE p.user_id = ?0 AND p.provider_id = ?1 AND (p.provider_id <> 0 OR p.dealer_id = ?2) LIMIT 1`

// HeldData implements ports.Subjects.
func (s *Store) HeldData(ctx context.Context, subject owner.Subject) (owner.HeldData, error) {
	const op = "bunstore.HeldData"
	held := owner.HeldData{Subject: subject}
	b, err := s.blindingOf(ctx)
	if err != nil {
		return held, fail(op, err)
	}
	var key personalKeyRow
	err = s.reads.NewSelect().Model(&key).
		Where("fingerprint = ? AND fingerprint <> ''", b.fingerprint(subjectOwner(subject))).Scan(ctx)
	held.KeyID = key.ID
	if errors.Is(err, sql.ErrNoRows) {
		held.IsErased = true
		err = s.reads.NewRaw(erasedKey, subject.UserID, subject.ProviderID, subject.DealerID).Scan(ctx, &held.KeyID)
	}
	if err != nil {
		return held, fail(op, err)
	}
	var row struct {
		PaymentCount, OpenCount, PendingCount int
		LastAt                                timestamp
	}
	if err := s.reads.NewRaw(heldData, subject.UserID, held.KeyID).Scan(ctx, &row); err != nil {
		return held, fail(op, err)
	}
	held.PaymentCount, held.OpenCount, held.PendingCount = row.PaymentCount, row.OpenCount, row.PendingCount
	held.LastPaymentAt = time.Time(row.LastAt)
	return held, nil
}

// EraseTerms implements ports.Subjects.
func (s *Store) EraseTerms(ctx context.Context, held owner.HeldData) error {
	const op = "bunstore.EraseTerms"
	b, err := s.blindingOf(ctx)
	if err != nil {
		return fail(op, err)
	}
	var words []string
	for after := core.ID(""); ; {
		var rows []paymentRow
		err := s.reads.NewSelect().Model(&rows).Where("user_id = ? AND key_id = ? AND id > ?", held.UserID, held.KeyID, after).
			OrderExpr("id").Limit(erasurePage).Scan(ctx)
		if err != nil {
			return fail(op, err)
		}
		if len(rows) == 0 {
			return s.eraseWords(ctx, b, words)
		}
		payments, err := openAll(ctx, s, op, paymentRow.payment, rows)
		if err != nil {
			return err
		}
		var terms []any
		for _, p := range payments {
			for _, t := range b.termsOf(p.ID, p.Customer.Fullname, p.IBAN) {
				terms = append(terms, bun.Tuple([]any{t.Term, t.ID}))
			}
			for _, w := range report.NameWords(p.Customer.Fullname) {
				if !slices.Contains(words, w) {
					words = append(words, w)
				}
			}
		}
		if len(terms) > 0 {
			marks := strings.TrimSuffix(strings.Repeat("?, ", len(terms)), ", ")
			if _, err := s.writes.NewRaw("DELETE FROM payment_terms WHERE (term, id) IN (VALUES "+marks+")", terms...).Exec(ctx); err != nil {
				return fail(op, err)
			}
		}
		after = rows[len(rows)-1].ID
	}
}

// eraseWords takes words out of the vocabulary that no payment has any more.
func (s *Store) eraseWords(ctx context.Context, b blinding, words []string) error {
	for _, word := range words {
		s.vault.mu.Lock()
		s.vault.words.drop(word)
		s.vault.mu.Unlock()
		_, err := s.writes.NewRaw("DELETE FROM name_words WHERE word = ? AND NOT EXISTS (SELECT 1 FROM payment_terms WHERE term = ?)",
			word, b.name(word)).Exec(ctx)
		if err != nil {
			return fail("bunstore.eraseWords", err)
		}
	}
	return nil
}

// EraseData implements ports.Subjects. It clears page by page, each in a transaction of its own: the user id goes last, by
// which the next page is found.
func (s *Store) EraseData(ctx context.Context, held owner.HeldData) error {
	const op = "bunstore.EraseData"
	for {
		var ids []core.ID
		err := s.reads.NewSelect().Table("payments").Column("id").Where("user_id = ? AND key_id = ?", held.UserID, held.KeyID).
			OrderExpr("id").Limit(erasurePage).Scan(ctx, &ids)
		if err != nil || len(ids) == 0 {
			return fail(op, err)
		}
		err = s.writes.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error { return s.erasePage(ctx, tx, held, ids) })
		if err != nil {
			return fail(op, err)
		}
	}
}

// erasing are the statements that clear payments: ?0 is their ids.
var erasing = []string{
	"UPDATE attempts SET answer = '' WHERE callback_id IN (SELECT id FROM callbacks WHERE payment_id IN (?0))",
	"UPDATE callbacks SET personal = '' WHERE payment_id IN (?0)",
	"UPDATE gateway_calls SET detail = '' WHERE payment_id IN (?0)",
	"UPDATE bank_lines SET party_iban = '', body = '' WHERE payment_id IN (?0) AND payment_id <> ''",
}

func (s *Store) erasePage(ctx context.Context, tx bun.Tx, held owner.HeldData, ids []core.ID) error {
	for _, statement := range erasing {
		if _, err := tx.NewRaw(statement, bun.List(ids)).Exec(ctx); err != nil {
			return err
		}
	}
	if err := s.eraseOperations(ctx, tx, ids); err != nil {
		return err
	}
	_, err := tx.NewRaw("UPDATE payments SET user_id = ?0, personal = '' WHERE id IN (?1)",
		owner.Pseudonym(held.KeyID), bun.List(ids)).Exec(ctx)
	return err
}

// eraseOperations takes what the customer filled in, and what the gateway said of them, out of operations.
func (s *Store) eraseOperations(ctx context.Context, tx bun.Tx, ids []core.ID) error {
	var rows []operationRow
	if err := tx.NewSelect().Model(&rows).Where("payment_id IN (?)", bun.List(ids)).Scan(ctx); err != nil {
		return err
	}
	for _, r := range rows {
		o, err := s.operation(r)
		if err != nil {
			return fault.E("bunstore.eraseOperations", fault.Internal, err)
		}
		version := o.Version
		o.Version++
		o.EraseCustomer()
		row, err := operationRowOf(o, s.sealer)
		if err != nil {
			return err
		}
		if _, err := tx.NewUpdate().Model(&row).Where("id = ? AND version = ?", o.ID, version).Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// erasureRow is a key that is destroyed.
type erasureRow struct {
	ID     string    `bun:"id"`
	UserID string    `bun:"user_id"`
	At     timestamp `bun:"destroyed_at,type:timestamptz"`
}

// erasures destroy keys. They come last: what the same batch writes is seen.
func erasures() table {
	return table{
		rows: kinds[owner.Erasure](),
		templates: func(w templateWriter) []template {
			fields := w.table(rowType[erasureRow]()).Fields
			return []template{
				{fields: fields, head: "SELECT pg_advisory_xact_lock(" + keysLock + ") FROM (VALUES ", tail: ") AS d LIMIT 1"},
				{
					fields: fields, head: w.data(fields), isCounted: true, isNone: true, lost: fault.Conflict,
					tail: ") SELECT 1 FROM d JOIN payments AS p ON p.user_id = d.user_id AND p.key_id = d.id" +
						" WHERE p.status IN ('showing', 'pending', 'processing')",
				},
				{
					fields: fields, head: w.data(fields), isCounted: true, lost: fault.Conflict,
					tail: ") UPDATE personal_keys SET sealed_key = '', fingerprint = '', destroyed_at = d.destroyed_at FROM d" +
						" WHERE personal_keys.id = d.id AND personal_keys.sealed_key <> '' RETURNING 1",
				},
			}
		},
		put: func(e *encoder, at int, rows []core.Row) {
			for _, r := range core.RowsOf[owner.Erasure](rows) {
				row := erasureRow{ID: r.KeyID, UserID: r.UserID, At: timestamp(r.At)}
				if e.plan.isShared {
					put(e, at, row, nil)
				}
				put(e, at+1, row, nil)
				put(e, at+2, row, nil)
			}
		},
	}
}

// subjectOwner names a subject as keyOwner names whose a payment is.
func subjectOwner(s owner.Subject) string {
	if s.ProviderID != 0 {
		return "provider/" + number(s.ProviderID) + "/" + s.UserID
	}
	return "dealer/" + number(s.DealerID) + "/" + s.UserID
}
