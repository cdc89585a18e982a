package bunstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/ports"
)

// operationRow has columns for what operations are found, claimed and listed by. Everything else is in the body, which
// is sealed: it holds what the customer filled in and the gateway's own state.
type operationRow struct {
	bun.BaseModel `bun:"table:operations"`

	ID         core.ID         `bun:"id,pk"`
	Version    int             `bun:"version"`
	PaymentID  core.ID         `bun:"payment_id"`
	Kind       operation.Kind  `bun:"kind"`
	GatewayID  int64           `bun:"gateway_id"`
	Ref        gateway.Ref     `bun:"ref"`
	Return     string          `bun:"return_fingerprint"`
	ExternalID string          `bun:"external_id"`
	Payment    string          `bun:"external_payment"`
	Phase      operation.Phase `bun:"phase"`
	State      string          `bun:"state"`
	Brought    *int64          `bun:"brought_minor"`
	NextAt     timestamp       `bun:"next_at,type:timestamptz"`
	LeaseUntil timestamp       `bun:"lease_until,type:timestamptz"`
	CreatedAt  timestamp       `bun:"created_at,type:timestamptz"`
	Body       sealedText      `bun:"body"`
}

type operationJSON struct {
	TrackingCode string              `json:"tracking_code,omitempty"`
	Number       int                 `json:"number,omitempty"`
	GatewayKind  gateway.Kind        `json:"gateway_kind,omitempty"`
	Key          gateway.Key         `json:"key,omitempty"`
	Of           core.ID             `json:"of,omitempty"`
	Why          string              `json:"why,omitempty"`
	By           core.Actor          `json:"by,omitzero"`
	Amount       gateway.Money       `json:"amount,omitzero"`
	Due          gateway.Money       `json:"due,omitzero"`
	Quote        *gateway.Quote      `json:"quote,omitempty"`
	Option       string              `json:"option,omitempty"`
	Asset        gateway.Asset       `json:"asset,omitzero"`
	Fields       map[string]string   `json:"fields,omitempty"`
	Raw          string              `json:"raw,omitempty"`
	Paid         gateway.Money       `json:"paid,omitzero"`
	Reason       gateway.Reason      `json:"reason,omitzero"`
	ReturnToken  string              `json:"return_token,omitempty"`
	PageToken    string              `json:"page_token,omitempty"`
	External     gateway.ExternalRef `json:"external,omitzero"` // without the ID, which is a column
	Next         gateway.NextStep    `json:"next,omitzero"`
	Confirms     int                 `json:"confirms,omitempty"`
	Proof        string              `json:"proof,omitempty"`
	IsHeld       bool                `json:"is_held,omitempty"`
	IsFinished   bool                `json:"is_finished,omitempty"`
	IsUnwanted   bool                `json:"is_unwanted,omitempty"`
	IsCanceled   bool                `json:"is_canceled,omitempty"`
	Review       operation.Review    `json:"review,omitempty"`
	Tries        int                 `json:"tries,omitempty"`
	Checks       int                 `json:"checks,omitempty"`
	NotFound     int                 `json:"not_found,omitempty"`
	DeadlineAt   time.Time           `json:"deadline_at,omitzero"`
	LateUntil    time.Time           `json:"late_until,omitzero"`
	StartedAt    time.Time           `json:"started_at,omitzero"`
	EndedAt      time.Time           `json:"ended_at,omitzero"`

	CuedAt          time.Time `json:"cued_at,omitzero"`
	CueVersion      int       `json:"cue_version,omitempty"`
	CueTries        int       `json:"cue_tries,omitempty"`
	AnsweredVersion int       `json:"answered_version,omitempty"`
	AnsweredAt      time.Time `json:"answered_at,omitzero"`
	ReleasedAt      time.Time `json:"released_at,omitzero"`

	Trace core.Trace `json:"trace,omitempty"`
}

func operationRowOf(o operation.Operation, sealer ports.Sealer) (operationRow, error) {
	v := newRowSealer(sealer, "operations", string(o.ID))
	r := operationRow{
		ID: o.ID, Version: o.Version, PaymentID: o.PaymentID, Kind: o.Kind, GatewayID: o.GatewayID, Ref: o.Reference,
		Return: fingerprintOf(o.ReturnToken), ExternalID: o.External.ID, Payment: o.External.Alt[gateway.AltPayment], Phase: o.Phase, State: o.Status, NextAt: timestamp(o.NextAt),
		Brought: minorOf(o.Brought), LeaseUntil: timestamp(o.LeaseUntil), CreatedAt: timestamp(o.CreatedAt), Body: sealBody(v, operationBodyOf(o)),
	}
	return r, errors.Join(v.err, areLira(o.Brought))
}

func operationBodyOf(o operation.Operation) operationJSON {
	o.External.ID = ""
	o.Next.Done = nil // not kept
	return operationJSON{
		TrackingCode: o.TrackingCode, Number: o.Number, GatewayKind: o.GatewayKind, Key: o.Key, Of: o.Of, Why: o.Why, By: o.By,
		Amount: o.Amount, Due: o.Due, Quote: o.Quote, Option: o.Option, Asset: o.Asset, Fields: o.Fields, Raw: o.RawState,
		Paid: o.Paid, Reason: o.Reason, ReturnToken: o.ReturnToken, PageToken: o.PageToken, External: o.External, Next: o.Next, Confirms: o.Confirmations,
		Proof: o.Proof, IsHeld: o.IsHeld, IsFinished: o.IsFinished, IsUnwanted: o.IsUnwanted, IsCanceled: o.IsCanceled, Review: o.Review,
		Tries: o.Tries, Checks: o.Checks, NotFound: o.NotFound, DeadlineAt: o.DeadlineAt, LateUntil: o.LateUntil,
		StartedAt: o.StartedAt, EndedAt: o.EndedAt, CuedAt: o.CuedAt, CueVersion: o.CueVersion, CueTries: o.CueTries,
		AnsweredVersion: o.AnsweredVersion, AnsweredAt: o.AnsweredAt, ReleasedAt: o.ReleasedAt, Trace: o.Trace,
	}
}

func (s *Store) operation(r operationRow) (operation.Operation, error) {
	v := newRowSealer(s.sealer, "operations", string(r.ID))
	b := openBody[operationJSON](v, r.Body)
	o := operation.Operation{
		ID: r.ID, Version: r.Version, PaymentID: r.PaymentID, TrackingCode: b.TrackingCode, Kind: r.Kind, Number: b.Number,
		GatewayID: r.GatewayID, GatewayKind: b.GatewayKind, Reference: r.Ref, Key: b.Key, ReturnToken: b.ReturnToken, PageToken: b.PageToken, Of: b.Of,
		Why: b.Why, By: b.By, Amount: b.Amount, Due: b.Due, Quote: b.Quote, Option: b.Option, Asset: b.Asset, Fields: b.Fields,
		Phase: r.Phase, Status: r.State, RawState: b.Raw, Paid: b.Paid, Reason: b.Reason, External: b.External,
		Next: b.Next, Confirmations: b.Confirms, Proof: b.Proof, IsHeld: b.IsHeld, IsFinished: b.IsFinished,
		IsUnwanted: b.IsUnwanted, IsCanceled: b.IsCanceled, Review: b.Review, Tries: b.Tries, Checks: b.Checks, NotFound: b.NotFound,
		NextAt: time.Time(r.NextAt), LeaseUntil: time.Time(r.LeaseUntil), DeadlineAt: b.DeadlineAt.UTC(),
		LateUntil: b.LateUntil.UTC(), CreatedAt: time.Time(r.CreatedAt), StartedAt: b.StartedAt.UTC(),
		EndedAt: b.EndedAt.UTC(), CuedAt: b.CuedAt.UTC(), CueVersion: b.CueVersion, CueTries: b.CueTries,
		AnsweredVersion: b.AnsweredVersion, AnsweredAt: b.AnsweredAt.UTC(), ReleasedAt: b.ReleasedAt.UTC(), Trace: b.Trace,
	}
	o.External.ID = r.ExternalID
	o.Brought = kurusOf(r.Brought)
	if q := o.Quote; q != nil {
		q.At, q.Until = q.At.UTC(), q.Until.UTC()
	}
	if p := o.Next.Pay; p != nil {
		p.ExpiresAt = p.ExpiresAt.UTC()
	}
	return o, v.err
}

// OperationBy implements ports.Operations. Of several with one id of the gateway's, the newest is given;
// those whose main id it is come before those whose payment it is.
func (s *Store) OperationBy(ctx context.Context, key operation.Key) (operation.Operation, error) {
	q := s.reads.NewSelect()
	switch {
	case key.ID != "":
		q = q.Where("id = ?", key.ID)
	case key.Reference != "":
		q = q.Where("ref = ? AND ref <> ''", key.Reference)
	case key.ReturnToken != "":
		q = q.Where("return_fingerprint = ? AND return_fingerprint <> ''", fingerprintOf(key.ReturnToken))
	default:
		q = q.Where("gateway_id = ? AND external_id = ? AND external_id <> ''", key.GatewayID, key.ExternalID).OrderExpr("id DESC")
		o, err := first(ctx, "bunstore.OperationBy", s.operation, q)
		if !fault.Is(err, fault.NotFound) {
			return o, err
		}
		q = s.reads.NewSelect().Where("gateway_id = ? AND external_payment = ? AND external_payment <> ''", key.GatewayID, key.ExternalID).OrderExpr("id DESC")
	}
	return first(ctx, "bunstore.OperationBy", s.operation, q)
}

// ClaimOperations implements ports.Operations.
func (s *Store) ClaimOperations(
	ctx context.Context, gatewayID int64, now, leaseUntil time.Time, limit int,
) ([]operation.Operation, error) {
	c := claim[operationRow, operation.Operation]{
		opener: opener[operationRow, operation.Operation]{
			table: "operations", turn: s.operation, name: func(r operationRow) string { return string(r.ID) },
		},
		op: "bunstore.ClaimOperations", key: "id", order: "next_at, id",
		compare: func(a, b operationRow) int { return cmp.Or(a.NextAt.compare(b.NextAt), cmp.Compare(a.ID, b.ID)) },
	}
	return c.due(ctx, s, leaseUntil, limit, "gateway_id = ?1 AND next_at <= ?0 AND "+isFree, timestamp(now), gatewayID)
}

// dueGateways finds the gateway accounts that a table has due rows of. It steps through the index from one account to the next, however
// many rows each has.
func dueGateways(table string) string {
	return fmt.Sprintf(`WITH RECURSIVE gateways (id) AS (
	SELECT (SELECT min(gateway_id) FROM %[1]s WHERE next_at IS NOT NULL)
	UNION ALL
	SELECT (SELECT min(gateway_id) FROM %[1]s WHERE next_at IS NOT NULL AND gateway_id > gateways.id)
	FROM gateways WHERE gateways.id IS NOT NULL
) SELECT id FROM gateways WHERE id IS NOT NULL AND EXISTS (
	SELECT 1 FROM %[1]s
	WHERE gateway_id = gateways.id AND next_at <= ?0 AND (lease_until IS NULL OR lease_until <= ?0)
)`, table)
}

// DueGateways implements ports.Operations.
func (s *Store) DueGateways(ctx context.Context, now time.Time) ([]int64, error) {
	var ids []int64
	err := s.reads.NewRaw(dueGateways("operations")+" ORDER BY id", timestamp(now)).Scan(ctx, &ids)
	return ids, fail("bunstore.DueGateways", err)
}

// OperationsOf implements ports.Operations.
func (s *Store) OperationsOf(ctx context.Context, payments ...core.ID) ([]operation.Operation, error) {
	return ofAll(ctx, s, "bunstore.OperationsOf", s.operation, "payment_id IN (?)", payments, "id")
}
