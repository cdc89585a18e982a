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
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/ports"
)

var _ ports.Subjects = (*Store)(nil)

// erasurePage is how many payments are cleared at once.
const erasurePage = 200

// What is held is found by the index of the user id, or, without one, is the payment that the key is named after. ?0 is the
// user id, ?1 the key, ?2 the pseudonym, which payments that were cleared have.
const (
	customersPayments = "payments AS p WHERE p.user_id = ?0 AND p.key_id = ?1 AND p.user_id <> ?2"
	onePayment        = "payments AS p WHERE p.id = ?1 AND p.key_id = ?1 AND p.user_id <> ?2"
)

// paymentsOf are the payments that something is held of.
func paymentsOf(held owner.HeldData) string {
	if held.UserID == "" {
		return onePayment
	}
	return customersPayments
}

// heldQuery asks about held payments.
func (s *Store) heldQuery(query string, held owner.HeldData, more ...any) *bun.RawQuery {
	query = strings.ReplaceAll(query, "held_payments", paymentsOf(held))
	return s.reads.NewRaw(query, append([]any{held.UserID, held.KeyID, owner.Pseudonym(held.KeyID)}, more...)...)
}

const heldData = `SELECT (SELECT count(*) FROM held_payments) AS payment_count,
	(SELECT max(p.updated_at) FROM held_payments) AS last_at,
	(SELECT count(*) FROM held_payments AND p.status IN ('showing', 'pending', 'processing')) AS open_count,
	(SELECT count(*) FROM callbacks AS c WHERE c.state = 'waiting' AND c.payment_id IN (SELECT p.id FROM held_payments)) +
	(SELECT count(*) FROM operations AS o WHERE o.phase <> 'closed' AND o.payment_id IN (SELECT p.id FROM held_payments)) +
	(SELECT count(*) FROM discrepancies AS d WHERE d.state IN ('open', 'refunding')
		AND d.payment_id IN (SELECT p.id FROM held_payments)) AS pending_count`

// erasedKey finds the key of payments that were not cleared yet after it was taken.
const erasedKey = `SELECT p.key_id FROM payments AS p JOIN personal_keys AS k ON k.id = p.key_id AND k.fingerprint = ''
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
	return held, fail(op, s.countHeld(ctx, &held))
}

// countHeld counts the payments that something is held of.
func (s *Store) countHeld(ctx context.Context, held *owner.HeldData) error {
	var row struct {
		PaymentCount, OpenCount, PendingCount int
		LastAt                                timestamp
	}
	err := s.heldQuery(heldData, *held).Scan(ctx, &row)
	held.PaymentCount, held.OpenCount, held.PendingCount = row.PaymentCount, row.OpenCount, row.PendingCount
	held.LastPaymentAt = time.Time(row.LastAt)
	return err
}

// oldestKeys are keys with the payment that each is named after: the customer's first. It is the last to be cleared.
const oldestKeys = `SELECT k.id AS key_id, k.fingerprint = '' AS is_erased, p.user_id, p.provider_id, p.dealer_id, p.method
	FROM personal_keys AS k JOIN payments AS p ON p.id = k.id
	WHERE k.id > ?0 AND k.id < ?1 ORDER BY k.id LIMIT ?2`

// OldestData implements ports.Subjects.
func (s *Store) OldestData(
	ctx context.Context, madeBefore time.Time, after string, limit int,
) (held []owner.HeldData, next string, err error) {
	const op = "bunstore.OldestData"
	var rows []struct {
		KeyID, UserID        string
		IsErased             bool
		ProviderID, DealerID int64
		Method               payment.Method
	}
	if err := s.reads.NewRaw(oldestKeys, after, core.FirstID(madeBefore), limit).Scan(ctx, &rows); err != nil {
		return nil, "", fail(op, err)
	}
	for _, r := range rows {
		if r.UserID == owner.Pseudonym(r.KeyID) {
			continue
		}
		p := payment.Payment{
			ID: core.ID(r.KeyID), Method: r.Method, ProviderID: r.ProviderID, DealerID: r.DealerID,
			Customer: owner.Customer{UserID: r.UserID},
		}
		h := owner.HeldData{KeyID: r.KeyID, IsErased: r.IsErased}
		if keyOwner(p) != ownKey(p.ID) {
			h.UserID, h.ProviderID = r.UserID, r.ProviderID
			if p.IsDealers() {
				h.ProviderID, h.DealerID = 0, r.DealerID
			}
		}
		if err := s.countHeld(ctx, &h); err != nil {
			return nil, "", fail(op, err)
		}
		held = append(held, h)
	}
	if len(rows) == limit {
		next = rows[len(rows)-1].KeyID
	}
	return held, next, nil
}

// eraseTerms deletes what payments are found by. It reads their names, which is why the key is destroyed afterwards.
func (s *Store) eraseTerms(ctx context.Context, held owner.HeldData) error {
	const op = "bunstore.eraseTerms"
	b, err := s.blindingOf(ctx)
	if err != nil {
		return fail(op, err)
	}
	var words []string
	for after := core.ID(""); ; {
		var rows []paymentRow
		err := s.heldQuery("SELECT p.* FROM held_payments AND p.id > ?3 ORDER BY p.id LIMIT ?4", held, after, erasurePage).Scan(ctx, &rows)
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
			for _, t := range b.termsOf(p) {
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
			if _, err := s.background.NewRaw("DELETE FROM payment_terms WHERE (term, id) IN (VALUES "+marks+")", terms...).Exec(ctx); err != nil {
				return fail(op, err)
			}
		}
		after = rows[len(rows)-1].ID
	}
}

// eraseWords takes words out of the vocabulary that no payment has any more.
func (s *Store) eraseWords(ctx context.Context, b blinding, words []string) error {
	for _, word := range words {
		s.keyCache.mu.Lock()
		s.keyCache.words.drop(word)
		s.keyCache.mu.Unlock()
		_, err := s.background.NewRaw("DELETE FROM name_words WHERE word = ? AND NOT EXISTS (SELECT 1 FROM payment_terms WHERE term = ?)",
			word, b.name(word)).Exec(ctx)
		if err != nil {
			return fail("bunstore.eraseWords", err)
		}
	}
	return nil
}

// EraseData implements ports.Subjects. It clears page by page, each in a transaction of its own: the user id goes last, by
// which the next page is found, and the first payment in the last page, by which OldestData finds what was broken off.
func (s *Store) EraseData(ctx context.Context, held owner.HeldData) error {
	const op = "bunstore.EraseData"
	if err := s.eraseTerms(ctx, held); err != nil {
		return err
	}
	_, err := s.background.NewRaw("UPDATE personal_keys SET sealed_key = '' WHERE id = ? AND fingerprint = ''", held.KeyID).Exec(ctx)
	if err != nil {
		return fail(op, err)
	}
	for {
		var ids []core.ID
		err := s.heldQuery("SELECT p.id FROM held_payments ORDER BY p.id DESC LIMIT ?3", held, erasurePage).Scan(ctx, &ids)
		if err != nil || len(ids) == 0 {
			return fail(op, err)
		}
		err = s.background.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error { return s.erasePage(ctx, tx, held, ids) })
		if err != nil {
			return fail(op, err)
		}
	}
}

// erasing are the statements that clear payments: ?0 is their ids.
var erasing = []string{
	"UPDATE attempts SET answer = '' WHERE callback_id IN (SELECT id FROM callbacks WHERE payment_id IN (?0))",
	"UPDATE callbacks SET personal = '' WHERE payment_id IN (?0)",
	"UPDATE payment_notes SET personal = '' WHERE payment_id IN (?0)",
	"DELETE FROM payment_note_files WHERE note_id IN (SELECT id FROM payment_notes WHERE payment_id IN (?0))",
	"UPDATE gateway_calls SET detail = '' WHERE payment_id IN (?0)",
	"DELETE FROM bank_line_terms WHERE id IN (SELECT id FROM bank_lines WHERE payment_id IN (?0) AND payment_id <> '')",
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

// erasureRow is a key that is taken from its customer.
type erasureRow struct {
	ID     string    `bun:"id"`
	UserID string    `bun:"user_id"`
	At     timestamp `bun:"destroyed_at,type:timestamptz"`
}

// erasures take keys. They come last: what the same batch writes is seen.
func erasures() table {
	return table{
		rows: kinds[owner.Erasure](), columns: rowType[personalKeyRow](),
		templates: func(w templateWriter) []template {
			fields := w.table(rowType[erasureRow]()).Fields
			return []template{
				w.data(fields, "SELECT pg_advisory_xact_lock("+keysLock+") FROM d LIMIT 1"),
				w.data(fields, "SELECT 1 FROM d JOIN payments AS p ON p.user_id = d.user_id AND p.key_id = d.id"+
					" WHERE d.user_id <> '' AND p.status IN ('showing', 'pending', 'processing')").none(fault.Conflict),
				w.data(fields, "SELECT 1 FROM d JOIN payments AS p ON p.id = d.id"+
					" WHERE p.status IN ('showing', 'pending', 'processing')").none(fault.Conflict),
				w.data(fields, "UPDATE personal_keys SET fingerprint = '', destroyed_at = d.destroyed_at FROM d"+
					" WHERE personal_keys.id = d.id AND personal_keys.fingerprint <> '' RETURNING 1").all(fault.Conflict),
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
				put(e, at+3, row, nil)
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
