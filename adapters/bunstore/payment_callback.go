package bunstore

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/payment"
)

// savedCallbackRow is all that ever changes of a callback, and what it is found by. The rest is written once, with the callback.
type savedCallbackRow struct {
	bun.BaseModel `bun:"table:callbacks"`

	ID            core.ID                `bun:"id,pk"`
	Version       int                    `bun:"version"`
	State         payment.CallbackStatus `bun:"state"`
	Attempts      int                    `bun:"attempts"`
	NextAttemptAt timestamp              `bun:"next_attempt_at,type:timestamptz"`
	LeaseUntil    timestamp              `bun:"lease_until,type:timestamptz"`
	FinishedAt    timestamp              `bun:"finished_at,type:timestamptz"`
	SupersededAt  timestamp              `bun:"superseded_at,type:timestamptz"`
}

type callbackRow struct {
	bun.BaseModel `bun:"table:callbacks"`

	savedCallbackRow
	PaymentID  core.ID              `bun:"payment_id"`
	Sequence   int                  `bun:"sequence"`
	ProviderID int64                `bun:"provider_id"`
	SiteID     int64                `bun:"site_id"`
	DealerID   int64                `bun:"dealer_id"`
	Kind       payment.CallbackKind `bun:"kind"`
	Receiver   string               `bun:"receiver"`
	Payload    string               `bun:"payload"`
	CreatedAt  timestamp            `bun:"created_at,type:timestamptz"`
	KeyID      string               `bun:"key_id"`
	Personal   string               `bun:"personal"` // sealed; empty: the customer was forgotten
}

// payloadJSON is what the payload column holds: what it says of the customer is sealed.
type payloadJSON struct {
	TrackingCode string         `json:"tracking_code"`
	Status       payment.Status `json:"status"`
	Currency     string         `json:"currency,omitempty"`
	AmountMinor  *int64         `json:"amount_minor,omitempty"`
	SiteID       int64          `json:"site_id,omitempty"`
	Card         cardJSON       `json:"card,omitzero"`

	// Of a correction, in the same currency as the amount.
	IsCorrection  bool            `json:"is_correction,omitempty"`
	EndedBy       payment.EndedBy `json:"ended_by,omitempty"`
	PaidBy        gateway.Kind    `json:"paid_by,omitempty"`
	PreviousMinor *int64          `json:"previous_minor,omitempty"`

	Dispute payloadDisputeJSON `json:"dispute,omitzero"`

	Trace core.Trace `json:"trace,omitempty"` // is told to nobody
}

// payloadDisputeJSON is of a dispute, in the same currency as the amount.
type payloadDisputeJSON struct {
	ID              core.ID               `json:"id,omitempty"`
	State           gateway.DisputeState  `json:"state,omitempty"`
	Reason          gateway.DisputeReason `json:"reason,omitempty"`
	AmountMinor     *int64                `json:"amount_minor,omitempty"`
	WithdrawnMinor  *int64                `json:"withdrawn_minor,omitempty"`
	ReinstatedMinor *int64                `json:"reinstated_minor,omitempty"`
	EvidenceDue     time.Time             `json:"evidence_due,omitzero"`
}

type cardJSON struct {
	OrderID      string    `json:"order_id,omitempty"`
	FinishedAt   time.Time `json:"finished_at,omitzero"`
	Language     lang.Tag  `json:"language,omitempty"`
	ErrorCode    string    `json:"error_code,omitempty"`
	ErrorMessage string    `json:"error_message,omitempty"`
}

// payloadPersonalJSON is what is sealed of a payload.
type payloadPersonalJSON struct {
	Username      string `json:"username,omitempty"`
	Fullname      string `json:"fullname,omitempty"`
	UserID        string `json:"user_id,omitempty"`
	IBAN          string `json:"iban,omitempty"`
	CustomerName  string `json:"customer_name,omitempty"`
	CustomerEmail string `json:"customer_email,omitempty"`
	CustomerPhone string `json:"customer_phone,omitempty"`
	Reference     string `json:"reference,omitempty"`
}

func payloadText(p payment.Payload, trace core.Trace) (string, error) {
	d := p.Dispute
	code, err := codeOf(p.Amount, p.Correction.PreviousAmount, d.Amount, d.Withdrawn, d.Reinstated)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(payloadJSON{
		TrackingCode: p.TrackingCode, Status: p.Status, Currency: code, AmountMinor: minorOf(p.Amount), SiteID: p.SiteID,
		Card: cardJSON{
			OrderID: p.Card.OrderID, FinishedAt: p.Card.FinishedAt, Language: p.Card.Language,
			ErrorCode: p.Card.ErrorCode, ErrorMessage: p.Card.ErrorMessage,
		},
		IsCorrection: p.Correction.IsSet, PreviousMinor: minorOf(p.Correction.PreviousAmount), EndedBy: p.EndedBy, PaidBy: p.PaidBy,
		Dispute: payloadDisputeJSON{
			ID: d.ID, State: d.State, Reason: d.Reason, AmountMinor: minorOf(d.Amount), WithdrawnMinor: minorOf(d.Withdrawn),
			ReinstatedMinor: minorOf(d.Reinstated), EvidenceDue: d.EvidenceDue,
		},
		Trace: trace,
	})
	return string(text), err
}

func payloadOf(text string, who payloadPersonalJSON) (payment.Payload, core.Trace, error) {
	var p payloadJSON
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		return payment.Payload{}, "", err
	}
	money := amountsIn(p.Currency)
	return payment.Payload{
		TrackingCode: p.TrackingCode, Status: p.Status, Amount: money.of(p.AmountMinor), Username: who.Username,
		Fullname: who.Fullname, UserID: who.UserID, SiteID: p.SiteID, IBAN: who.IBAN,
		Card: payment.CardPayload{
			OrderID: p.Card.OrderID, CustomerName: who.CustomerName, CustomerEmail: who.CustomerEmail,
			CustomerPhone: who.CustomerPhone, FinishedAt: p.Card.FinishedAt.UTC(), Language: p.Card.Language,
			ErrorCode: p.Card.ErrorCode, ErrorMessage: p.Card.ErrorMessage,
		},
		Dispute: payment.DisputeNote{
			ID: p.Dispute.ID, State: p.Dispute.State, Reason: p.Dispute.Reason, Amount: money.of(p.Dispute.AmountMinor),
			Withdrawn: money.of(p.Dispute.WithdrawnMinor), Reinstated: money.of(p.Dispute.ReinstatedMinor),
			EvidenceDue: p.Dispute.EvidenceDue.UTC(),
		},
		Correction: payment.Correction{IsSet: p.IsCorrection, PreviousAmount: money.of(p.PreviousMinor)},
		Reference:  who.Reference, EndedBy: p.EndedBy, PaidBy: p.PaidBy,
	}, p.Trace, money.err
}

func savedCallbackRowOf(c payment.Callback) savedCallbackRow {
	return savedCallbackRow{
		ID: c.ID, Version: c.Version, State: c.Status, Attempts: c.AttemptCount, NextAttemptAt: timestamp(c.NextAttemptAt),
		LeaseUntil: timestamp(c.LeaseUntil), FinishedAt: timestamp(c.FinishedAt), SupersededAt: timestamp(c.SupersededAt),
	}
}

func callbackRowOf(c payment.Callback, k dataKey) (callbackRow, error) {
	payload, err := payloadText(c.Payload, c.Trace)
	if err != nil {
		return callbackRow{}, err
	}
	p := c.Payload
	sealed, err := sealPersonal(k, payloadPersonalJSON{
		Username: p.Username, Fullname: p.Fullname, UserID: p.UserID, IBAN: p.IBAN, CustomerName: p.Card.CustomerName,
		CustomerEmail: p.Card.CustomerEmail, CustomerPhone: p.Card.CustomerPhone, Reference: p.Reference,
	}, "callbacks.personal", c.ID)
	return callbackRow{
		savedCallbackRow: savedCallbackRowOf(c), PaymentID: c.PaymentID, Sequence: c.Sequence, ProviderID: c.ProviderID,
		SiteID: c.SiteID, DealerID: c.DealerID, Kind: c.Kind, Receiver: c.Receiver, Payload: payload, CreatedAt: timestamp(c.CreatedAt),
		KeyID: k.id, Personal: sealed,
	}, err
}

// callback opens a row with its key.
func (r callbackRow) callback(k dataKey) (payment.Callback, error) {
	who, unopened := openPersonal[payloadPersonalJSON](k, r.Personal, "callbacks.personal", r.ID)
	payload, trace, err := payloadOf(r.Payload, who)
	return payment.Callback{
		ID: r.ID, Version: r.Version, PaymentID: r.PaymentID, Sequence: r.Sequence, ProviderID: r.ProviderID,
		SiteID: r.SiteID, DealerID: r.DealerID, Kind: r.Kind, Receiver: r.Receiver, Status: r.State, Payload: payload, AttemptCount: r.Attempts,
		NextAttemptAt: time.Time(r.NextAttemptAt), LeaseUntil: time.Time(r.LeaseUntil),
		CreatedAt: time.Time(r.CreatedAt), FinishedAt: time.Time(r.FinishedAt),
		SupersededAt: time.Time(r.SupersededAt), Trace: trace,
	}, errors.Join(err, unopened)
}

func (r callbackRow) keyID() string {
	if r.Personal == "" {
		return ""
	}
	return r.KeyID
}

func (r callbackRow) name() string { return string(r.ID) }

type attemptRow struct {
	bun.BaseModel `bun:"table:attempts"`

	CallbackID core.ID       `bun:"callback_id,pk"`
	ID         core.ID       `bun:"id,pk"`
	Number     int           `bun:"number"`
	At         timestamp     `bun:"at,type:timestamptz"`
	Duration   time.Duration `bun:"duration_ns"`
	URL        string        `bun:"url"`
	HTTPStatus int           `bun:"http_status"`
	Error      string        `bun:"error"`
	Answer     string        `bun:"answer"`
}

func attemptRowOf(a payment.Attempt) attemptRow {
	return attemptRow{
		CallbackID: a.CallbackID, ID: a.ID, Number: a.Number, At: timestamp(a.At), Duration: a.Duration, URL: a.URL,
		HTTPStatus: a.HTTPStatus, Error: a.Error, Answer: a.Answer,
	}
}

func (r attemptRow) attempt() (payment.Attempt, error) {
	return payment.Attempt{
		CallbackID: r.CallbackID, ID: r.ID, Number: r.Number, At: time.Time(r.At), Duration: r.Duration, URL: r.URL,
		HTTPStatus: r.HTTPStatus, Error: r.Error, Answer: r.Answer,
	}, nil
}

// isNext holds for a callback before which none of its payment waits. Nearly all are the first ones of theirs, of which
// nothing is read. The state is written so that no plan takes the index of what waits: its statistics are from before a
// receiver went away, and by it each of a crowd would be looked up by reading the crowd.
const isNext = `(sequence = 1 OR sequence = (
	SELECT min(o.sequence) FROM callbacks AS o WHERE o.payment_id = callbacks.payment_id AND o.state || '' = 'waiting'
))`

// ClaimCallbacks implements ports.Callbacks.
func (s *Store) ClaimCallbacks(
	ctx context.Context, receiver string, now, leaseUntil time.Time, limit int,
) ([]payment.Callback, error) {
	c := claim[callbackRow, payment.Callback]{
		opener: opener[callbackRow, payment.Callback]{table: "callbacks"},
		unseal: personalOpener[callbackRow, payment.Callback]{
			table: "callbacks", turn: callbackRow.callback, name: callbackRow.name,
		}.open,
		op: "bunstore.ClaimCallbacks", key: "id", order: "next_attempt_at, id",
		compare: func(a, b callbackRow) int {
			return cmp.Or(a.NextAttemptAt.compare(b.NextAttemptAt), cmp.Compare(a.ID, b.ID))
		},
	}
	return c.due(ctx, s, leaseUntil, limit, "receiver = ?0 AND state = 'waiting' AND next_attempt_at <= ?1"+
		" AND (lease_until IS NULL OR lease_until < ?1) AND "+isNext, receiver, timestamp(now))
}

// CallbacksAfter implements ports.Callbacks. It reads what everybody's callbacks since are, by the primary key: an index for whom only
// sandboxes ask would cost every installation.
func (s *Store) CallbacksAfter(ctx context.Context, o payment.ReferenceOwner, after core.ID, limit int) ([]payment.Callback, error) {
	if limit < 1 {
		return nil, nil
	}
	q := s.reads.NewSelect().Where("id > ? AND provider_id = ? AND dealer_id = ?", after, o.ProviderID, o.DealerID).OrderExpr("id LIMIT ?", limit)
	return queriedPersonal(ctx, s, "bunstore.CallbacksAfter", callbackRow.callback, q)
}

// receivers steps through the index from one receiver to the next: a receiver costs the same however many callbacks
// wait for it.
const receivers = `WITH RECURSIVE receivers (name) AS (
	SELECT (SELECT receiver FROM callbacks WHERE state = 'waiting' AND receiver > ?0 ORDER BY receiver LIMIT 1)
	UNION ALL
	SELECT (SELECT receiver FROM callbacks WHERE state = 'waiting' AND receiver > name ORDER BY receiver LIMIT 1)
	FROM receivers WHERE receivers.name IS NOT NULL
) `

// dueReceivers looks for one callback of each receiver. It is not EXISTS, which PostgreSQL may join with all that is due.
const dueReceivers = receivers + `SELECT name FROM receivers WHERE name IS NOT NULL AND (
	SELECT 1 FROM callbacks
	WHERE receiver = name AND state = 'waiting' AND next_attempt_at <= ?1 AND (lease_until IS NULL OR lease_until < ?1)
	AND ` + isNext + `
	ORDER BY next_attempt_at, id LIMIT 1
) = 1 LIMIT ?2`

// DueReceivers implements ports.Callbacks.
func (s *Store) DueReceivers(ctx context.Context, now time.Time, after string, limit int) ([]string, error) {
	if limit < 1 {
		return nil, nil
	}
	var names []string
	err := s.reads.NewRaw(dueReceivers, after, timestamp(now), limit).Scan(ctx, &names)
	return names, fail("bunstore.DueReceivers", err)
}

// CallbacksOf implements ports.Callbacks.
func (s *Store) CallbacksOf(ctx context.Context, payments ...core.ID) ([]payment.Callback, error) {
	if len(payments) == 0 {
		return nil, nil
	}
	q := s.reads.NewSelect().Where("payment_id IN (?)", bun.List(payments)).OrderExpr("payment_id, sequence")
	return queriedPersonal(ctx, s, "bunstore.CallbacksOf", callbackRow.callback, q)
}

// Callback implements ports.Callbacks.
func (s *Store) Callback(ctx context.Context, id core.ID) (payment.Callback, error) {
	return onePersonal(ctx, s, "bunstore.Callback", callbackRow.callback, "id = ?", id)
}

// loggedRow is a callback beside one of its attempts, or beside nothing.
type loggedRow struct {
	callbackRow `bun:",extend"`

	Attempt attemptRow `bun:"embed:attempt_"`
}

// Where a callback's last attempts begin is found once: of a partitioned table it would be found for each part.
const callbackLogs = `WITH begun AS MATERIALIZED (SELECT c.id, COALESCE(
	(SELECT o.id FROM attempts AS o WHERE o.callback_id = c.id ORDER BY o.id DESC LIMIT 1 OFFSET ?), '') AS first_id
	FROM callbacks AS c WHERE c.payment_id IN (?))
SELECT c.*, a.callback_id AS attempt_callback_id, a.id AS attempt_id, a.number AS attempt_number,
	a.at AS attempt_at, a.duration_ns AS attempt_duration_ns, a.url AS attempt_url, a.http_status AS attempt_http_status,
	a.error AS attempt_error, a.answer AS attempt_answer
FROM begun JOIN callbacks AS c ON c.id = begun.id LEFT JOIN attempts AS a ON a.callback_id = begun.id AND a.id >= begun.first_id
ORDER BY c.payment_id, c.sequence, a.id`

// CallbackLogs implements ports.Callbacks.
func (s *Store) CallbackLogs(ctx context.Context, payments ...core.ID) ([]payment.CallbackLog, error) {
	const op = "bunstore.CallbackLogs"
	if len(payments) == 0 {
		return nil, nil
	}
	var rows []loggedRow
	if err := s.reads.NewRaw(callbackLogs, payment.MaxLoggedAttempts-1, bun.List(payments)).Scan(ctx, &rows); err != nil {
		return nil, fail(op, err)
	}
	keys, err := keysOfRows(ctx, s, rows)
	if err != nil {
		return nil, fail(op, err)
	}
	open := func(r callbackRow) (payment.Callback, error) { return r.callback(keys[r.keyID()]) }
	var logs []payment.CallbackLog
	for _, r := range rows {
		if len(logs) == 0 || logs[len(logs)-1].ID != r.ID {
			c, err := made(op, open, r.callbackRow)
			if err != nil {
				return nil, err
			}
			logs = append(logs, payment.CallbackLog{Callback: c})
		}
		if r.Attempt.ID != "" {
			a, err := made(op, attemptRow.attempt, r.Attempt)
			if err != nil {
				return nil, err
			}
			last := &logs[len(logs)-1]
			last.Attempts = append(last.Attempts, a)
		}
	}
	return logs, nil
}
