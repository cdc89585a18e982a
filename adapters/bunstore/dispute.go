package bunstore

import (
	"cmp"
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/dispute"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
)

// disputeRow has columns for what disputes are found, claimed, listed and checked by. Everything else is in the body.
type disputeRow struct {
	bun.BaseModel `bun:"table:disputes"`

	ID            core.ID               `bun:"id,pk"`
	Version       int                   `bun:"version"`
	GatewayID     int64                 `bun:"gateway_id"`
	ExternalID    string                `bun:"external_id"`
	PaymentID     core.ID               `bun:"payment_id"`
	TrackingCode  string                `bun:"tracking_code"`
	OperationID   core.ID               `bun:"operation_id"`
	DealerID      int64                 `bun:"dealer_id"`
	ProviderID    int64                 `bun:"provider_id"`
	State         gateway.DisputeState  `bun:"state"`
	Reason        gateway.DisputeReason `bun:"reason"`
	Currency      string                `bun:"currency"`
	TakenMinor    *int64                `bun:"taken_minor"`
	ReturnedMinor *int64                `bun:"returned_minor"`
	EvidenceDue   timestamp             `bun:"evidence_due_at,type:timestamptz"`
	CreatedAt     timestamp             `bun:"created_at,type:timestamptz"`
	NextAt        timestamp             `bun:"next_at,type:timestamptz"`
	LeaseUntil    timestamp             `bun:"lease_until,type:timestamptz"`
	Body          string                `bun:"body"`
}

type disputeJSON struct {
	RawState        string           `json:"raw_state,omitempty"`
	RawReason       string           `json:"raw_reason,omitempty"`
	Amount          gateway.Money    `json:"amount,omitzero"`
	Withdrawn       gateway.Money    `json:"withdrawn,omitzero"`
	Reinstated      gateway.Money    `json:"reinstated,omitzero"`
	Fee             gateway.Money    `json:"fee,omitzero"`
	CoveredMinor    *int64           `json:"covered_minor,omitempty"`
	UncoveredMinor  *int64           `json:"uncovered_minor,omitempty"`
	AcceptedBy      actorJSON        `json:"accepted_by,omitzero"`
	AcceptedAt      time.Time        `json:"accepted_at,omitzero"`
	AcceptedReason  string           `json:"accepted_reason,omitempty"`
	Submissions     []submissionJSON `json:"submissions,omitempty"`
	OpenedAt        time.Time        `json:"opened_at,omitzero"`
	EndedAt         time.Time        `json:"ended_at,omitzero"`
	UpdatedAt       time.Time        `json:"updated_at,omitzero"`
	AnsweredVersion int              `json:"answered_version,omitempty"`
	Failures        int              `json:"failures,omitempty"`
	Trouble         string           `json:"trouble,omitempty"`
}

// submissionJSON is evidence without what it says, which is in notes.
type submissionJSON struct {
	ID        core.ID                   `json:"id"`
	By        actorJSON                 `json:"by"`
	At        time.Time                 `json:"at"`
	Pieces    []pieceJSON               `json:"pieces"`
	Outcome   dispute.SubmissionOutcome `json:"outcome"`
	SettledAt time.Time                 `json:"settled_at,omitzero"`
}

type pieceJSON struct {
	Kind   gateway.EvidenceKind `json:"kind"`
	NoteID core.ID              `json:"note_id"`
}

func submissionJSONOf(s dispute.Submission) submissionJSON {
	return submissionJSON{
		ID: s.ID, By: actorJSON(s.By), At: s.At, Outcome: s.Outcome, SettledAt: s.SettledAt,
		Pieces: mapped(s.Pieces, func(p dispute.Piece) pieceJSON { return pieceJSON(p) }),
	}
}

func (s submissionJSON) submission() dispute.Submission {
	return dispute.Submission{
		ID: s.ID, By: core.Actor(s.By), At: s.At.UTC(), Outcome: s.Outcome, SettledAt: s.SettledAt.UTC(),
		Pieces: mapped(s.Pieces, func(p pieceJSON) dispute.Piece { return dispute.Piece(p) }),
	}
}

func mapped[A, B any](list []A, of func(A) B) (made []B) {
	for _, one := range list {
		made = append(made, of(one))
	}
	return made
}

func disputeRowOf(d dispute.Dispute) (disputeRow, error) {
	code, err := codeOf(d.Taken, d.Returned, d.Covered, d.Uncovered)
	if err != nil {
		return disputeRow{}, err
	}
	body, err := bodyText(disputeJSON{
		RawState: d.RawState, RawReason: d.RawReason, Amount: d.Amount, Withdrawn: d.Withdrawn, Reinstated: d.Reinstated, Fee: d.Fee,
		CoveredMinor: minorOf(d.Covered), UncoveredMinor: minorOf(d.Uncovered), OpenedAt: d.OpenedAt, EndedAt: d.EndedAt,
		AcceptedBy: actorJSON(d.Accepted.By), AcceptedAt: d.Accepted.At, AcceptedReason: d.Accepted.Reason,
		Submissions: mapped(d.Submissions, submissionJSONOf),
		UpdatedAt:   d.UpdatedAt, AnsweredVersion: d.AnsweredVersion, Failures: d.Failures, Trouble: d.Trouble,
	})
	return disputeRow{
		ID: d.ID, Version: d.Version, GatewayID: d.GatewayID, ExternalID: d.ExternalID, PaymentID: d.PaymentID,
		TrackingCode: d.TrackingCode, OperationID: d.OperationID, DealerID: d.DealerID, ProviderID: d.ProviderID, State: d.State,
		Reason: d.Reason, Currency: code, TakenMinor: minorOf(d.Taken), ReturnedMinor: minorOf(d.Returned),
		EvidenceDue: timestamp(d.EvidenceDue), CreatedAt: timestamp(d.CreatedAt), NextAt: timestamp(d.NextAt),
		LeaseUntil: timestamp(d.LeaseUntil), Body: body,
	}, err
}

func (r disputeRow) dispute() (dispute.Dispute, error) {
	b, err := bodyOf[disputeJSON](r.Body)
	money := amountsIn(r.Currency)
	return dispute.Dispute{
		ID: r.ID, Version: r.Version, GatewayID: r.GatewayID, ExternalID: r.ExternalID, PaymentID: r.PaymentID,
		TrackingCode: r.TrackingCode, OperationID: r.OperationID, DealerID: r.DealerID, ProviderID: r.ProviderID,
		State: r.State, RawState: b.RawState, Reason: r.Reason, RawReason: b.RawReason, Amount: b.Amount, Withdrawn: b.Withdrawn,
		Reinstated: b.Reinstated, Fee: b.Fee, EvidenceDue: time.Time(r.EvidenceDue), OpenedAt: b.OpenedAt.UTC(), EndedAt: b.EndedAt.UTC(),
		Taken: money.of(r.TakenMinor), Returned: money.of(r.ReturnedMinor), Covered: money.of(b.CoveredMinor),
		Uncovered: money.of(b.UncoveredMinor), CreatedAt: time.Time(r.CreatedAt), UpdatedAt: b.UpdatedAt.UTC(),
		NextAt: time.Time(r.NextAt), LeaseUntil: time.Time(r.LeaseUntil), AnsweredVersion: b.AnsweredVersion, Failures: b.Failures,
		Trouble: b.Trouble, Accepted: dispute.Acceptance{By: core.Actor(b.AcceptedBy), At: b.AcceptedAt.UTC(), Reason: b.AcceptedReason},
		Submissions: mapped(b.Submissions, submissionJSON.submission),
	}, cmp.Or(err, money.err)
}

type disputeListingRow struct {
	bun.BaseModel `bun:"table:dispute_listings"`

	GatewayID   int64     `bun:"gateway_id,pk"`
	Version     int       `bun:"version"`
	ListedUntil timestamp `bun:"listed_until,type:timestamptz"`
	NextAt      timestamp `bun:"next_at,type:timestamptz"`
	LeaseUntil  timestamp `bun:"lease_until,type:timestamptz"`
	Failures    int       `bun:"failures"`
	Trouble     string    `bun:"trouble"`
}

func disputeListingRowOf(l dispute.Listing) disputeListingRow {
	return disputeListingRow{
		GatewayID: l.GatewayID, Version: l.Version, ListedUntil: timestamp(l.ListedUntil), NextAt: timestamp(l.NextAt),
		LeaseUntil: timestamp(l.LeaseUntil), Failures: l.Failures, Trouble: l.Trouble,
	}
}

func (r disputeListingRow) listing() (dispute.Listing, error) {
	return dispute.Listing{
		GatewayID: r.GatewayID, Version: r.Version, ListedUntil: time.Time(r.ListedUntil), NextAt: time.Time(r.NextAt),
		LeaseUntil: time.Time(r.LeaseUntil), Failures: r.Failures, Trouble: r.Trouble,
	}, nil
}

// Dispute implements ports.Disputes.
func (s *Store) Dispute(ctx context.Context, id core.ID) (dispute.Dispute, error) {
	return one(ctx, s, "bunstore.Dispute", disputeRow.dispute, "id = ?", id)
}

// DisputeNamed implements ports.Disputes.
func (s *Store) DisputeNamed(ctx context.Context, gatewayID int64, externalID string) (dispute.Dispute, error) {
	return one(ctx, s, "bunstore.DisputeNamed", disputeRow.dispute, "gateway_id = ? AND external_id = ?", gatewayID, externalID)
}

// DisputesOf implements ports.Disputes. The words of the index are repeated as they are there.
func (s *Store) DisputesOf(ctx context.Context, payments ...payment.Key) ([]dispute.Dispute, error) {
	return ofPayments(ctx, s, "bunstore.DisputesOf", disputeRow.dispute, payments, "payment_id, id", "payment_id <> ''")
}

// ListDisputes implements ports.Disputes: it is put together from parts that are each the end of one index.
func (s *Store) ListDisputes(ctx context.Context, query dispute.Query) ([]dispute.Dispute, error) {
	return listByState(ctx, s, stateList[disputeRow, dispute.Dispute, gateway.DisputeState]{
		op: "bunstore.ListDisputes", turn: disputeRow.dispute, page: query.Paging, asked: query.States, all: gateway.DisputeStates(),
		isIndexed: query.DealerID != 0 || query.ProviderID != 0,
		where:     func(q *bun.SelectQuery) *bun.SelectQuery { return whereDisputed(q, query) },
	})
}

// whereDisputed narrows to a query's disputes, but for their states.
func whereDisputed(q *bun.SelectQuery, query dispute.Query) *bun.SelectQuery {
	q = whereSet(whereSet(q, "dealer_id = ?", query.DealerID), "provider_id = ?", query.ProviderID)
	q = whereSet(whereSet(q, "id = ?", query.ID), "gateway_id = ?", query.GatewayID)
	return whereAmong(q, "reason", query.Reasons)
}

// byDeadline is the order of disputes that have a deadline.
var byDeadline = listOrder[core.DueCursor]{
	columns: []string{"evidence_due_at", "id"}, values: func(c core.DueCursor) []any { return []any{timestamp(c.At), c.ID} },
}

// DisputesByDeadline implements ports.Disputes. The index has open disputes alone: one that is over has no deadline. The words of the index
// are repeated as they are there.
func (s *Store) DisputesByDeadline(ctx context.Context, query dispute.Query, page core.Paging[core.DueCursor]) ([]dispute.Dispute, error) {
	q := whereDisputed(s.reads.NewSelect().Model((*disputeRow)(nil)).Where("evidence_due_at IS NOT NULL"), query)
	return pageOf(ctx, "bunstore.DisputesByDeadline", disputeRow.dispute, byDeadline, page, whereAmong(q, "state", query.States))
}

// ClaimDisputes implements ports.Disputes.
func (s *Store) ClaimDisputes(ctx context.Context, gatewayID int64, now, leaseUntil time.Time, limit int) ([]dispute.Dispute, error) {
	c := claim[disputeRow, dispute.Dispute]{
		opener: opener[disputeRow, dispute.Dispute]{table: "disputes", turn: disputeRow.dispute, name: func(r disputeRow) string { return string(r.ID) }},
		op:     "bunstore.ClaimDisputes", key: "id", order: "next_at, id",
		compare: func(a, b disputeRow) int { return cmp.Or(a.NextAt.compare(b.NextAt), cmp.Compare(a.ID, b.ID)) },
	}
	return c.due(ctx, s, leaseUntil, limit, "gateway_id = ?1 AND next_at <= ?0 AND "+isFree, timestamp(now), gatewayID)
}

// ClaimDisputeListings implements ports.Disputes.
func (s *Store) ClaimDisputeListings(ctx context.Context, gatewayID int64, now, leaseUntil time.Time, limit int) ([]dispute.Listing, error) {
	c := claim[disputeListingRow, dispute.Listing]{
		opener: opener[disputeListingRow, dispute.Listing]{
			table: "dispute_listings", turn: disputeListingRow.listing, name: func(r disputeListingRow) string { return number(r.GatewayID) },
		},
		op: "bunstore.ClaimDisputeListings", key: "gateway_id", order: "next_at, gateway_id",
		compare: func(a, b disputeListingRow) int {
			return cmp.Or(a.NextAt.compare(b.NextAt), cmp.Compare(a.GatewayID, b.GatewayID))
		},
	}
	return c.due(ctx, s, leaseUntil, limit, "gateway_id = ?1 AND next_at <= ?0 AND "+isFree, timestamp(now), gatewayID)
}

// DisputeListings implements ports.Disputes.
func (s *Store) DisputeListings(ctx context.Context) ([]dispute.Listing, error) {
	return many(ctx, s, "bunstore.DisputeListings", disputeListingRow.listing, "gateway_id", "1 = 1")
}

// DueDisputeGateways implements ports.Disputes.
func (s *Store) DueDisputeGateways(ctx context.Context, now time.Time) ([]int64, error) {
	var ids []int64
	err := s.reads.NewRaw(dueGateways("disputes")+" UNION SELECT gateway_id FROM dispute_listings"+
		" WHERE next_at <= ?0 AND (lease_until IS NULL OR lease_until <= ?0) ORDER BY id", timestamp(now)).Scan(ctx, &ids)
	return ids, fail("bunstore.DueDisputeGateways", err)
}
