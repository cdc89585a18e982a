package bunstore

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/ports"
)

type approvalRow struct {
	bun.BaseModel `bun:"table:approvals"`

	ID          core.ID         `bun:"id,pk"`
	Version     int             `bun:"version"`
	State       approval.Status `bun:"state"`
	Subject     string          `bun:"subject"`
	PaymentID   core.ID         `bun:"payment_id"`
	DealerID    int64           `bun:"dealer_id,pk"`
	ProviderID  int64           `bun:"provider_id"`
	RequesterID int64           `bun:"requester_id"`
	DecidedBy   int64           `bun:"decided_by"`
	CreatedAt   timestamp       `bun:"created_at,type:timestamptz"`
	ExpiresAt   timestamp       `bun:"expires_at,type:timestamptz"`
	DecidedAt   timestamp       `bun:"decided_at,type:timestamptz"`
	Input       sealedText      `bun:"input"`
	Result      sealedText      `bun:"result"`
	Body        sealedText      `bun:"body"`
}

// approvalJSON is what the body holds: nothing asks for it.
type approvalJSON struct {
	Action         string           `json:"action,omitempty"`
	Permission     staff.Permission `json:"permission,omitempty"`
	Guards         []core.Guard     `json:"guards,omitempty"`
	Before         string           `json:"before,omitempty"`
	After          string           `json:"after,omitempty"`
	RequesterName  string           `json:"requester_name,omitempty"`
	RequesterAddr  string           `json:"requester_addr,omitempty"`
	Reason         string           `json:"reason,omitempty"`
	DecidedByName  string           `json:"decided_by_name,omitempty"`
	DecisionReason string           `json:"decision_reason,omitempty"`
}

func approvalRowOf(a approval.Approval, sealer ports.Sealer) (approvalRow, error) {
	body := approvalJSON{
		Action: a.Action, Permission: a.Permission, Guards: a.Guards, Before: a.Before, After: a.After, RequesterName: a.RequesterName, RequesterAddr: a.RequesterAddr,
		Reason: a.Reason, DecidedByName: a.DecidedByName, DecisionReason: a.DecisionReason,
	}
	v := newRowSealer(sealer, "approvals", string(a.ID))
	r := approvalRow{
		ID: a.ID, Version: a.Version, State: a.Status, Subject: a.Subject(), DealerID: a.DealerID(), ProviderID: a.ProviderID(), PaymentID: a.PaymentID,
		RequesterID: a.RequesterID, DecidedBy: a.DecidedBy, CreatedAt: timestamp(a.CreatedAt), ExpiresAt: timestamp(a.ExpiresAt),
		DecidedAt: timestamp(a.DecidedAt), Input: v.seal(a.Input, "input"), Result: v.seal(a.Result, "result"),
		Body: sealBody(v, body),
	}
	return r, v.err
}

func (s *Store) approval(r approvalRow) (approval.Approval, error) {
	v := newRowSealer(s.sealer, "approvals", string(r.ID))
	b := openBody[approvalJSON](v, r.Body)
	a := approval.Approval{
		ID: r.ID, Version: r.Version, Status: r.State, PaymentID: r.PaymentID, Action: b.Action, Permission: b.Permission, Guards: b.Guards,
		Input: v.open(r.Input, "input"), Before: b.Before, After: b.After, RequesterID: r.RequesterID,
		RequesterName: b.RequesterName, RequesterAddr: b.RequesterAddr, Reason: b.Reason, CreatedAt: time.Time(r.CreatedAt),
		ExpiresAt: time.Time(r.ExpiresAt), DecidedBy: r.DecidedBy, DecidedByName: b.DecidedByName,
		DecidedAt: time.Time(r.DecidedAt), DecisionReason: b.DecisionReason, Result: v.open(r.Result, "result"),
	}
	return a, v.err
}

type approvalRuleRow struct {
	bun.BaseModel `bun:"table:approval_rules"`

	Action     core.GuardedAction `bun:"action,pk"`
	Version    int                `bun:"version"`
	IsOn       bool               `bun:"is_on"`
	Currency   string             `bun:"currency"`
	AboveMinor *int64             `bun:"above_minor"`
	DayMinor   *int64             `bun:"per_day_minor"`
	DiffMinor  *int64             `bun:"differs_by_minor"`
	LapseAfter time.Duration      `bun:"lapse_after_ns"`
	UpdatedAt  timestamp          `bun:"updated_at,type:timestamptz"`
}

func approvalRuleRowOf(r approval.Rule) (approvalRuleRow, error) {
	code, err := codeOf(r.Above, r.PerDay, r.DiffersBy)
	return approvalRuleRow{
		Action: r.Action, Version: r.Version, IsOn: r.IsOn, Currency: code, AboveMinor: minorOf(r.Above),
		DayMinor: minorOf(r.PerDay), DiffMinor: minorOf(r.DiffersBy), LapseAfter: r.LapseAfter, UpdatedAt: timestamp(r.UpdatedAt),
	}, err
}

func (r approvalRuleRow) rule() (approval.Rule, error) {
	amount := amountsIn(r.Currency)
	return approval.Rule{
		Action: r.Action, Version: r.Version, IsOn: r.IsOn, Above: amount.of(r.AboveMinor),
		PerDay: amount.of(r.DayMinor), DiffersBy: amount.of(r.DiffMinor), LapseAfter: r.LapseAfter,
		UpdatedAt: time.Time(r.UpdatedAt),
	}, amount.err
}

type runningTotalRow struct {
	bun.BaseModel `bun:"table:running_totals"`

	Key         string    `bun:"key,pk"`
	Version     int       `bun:"version"`
	Currency    string    `bun:"currency"`
	AmountMinor *int64    `bun:"amount_minor"`
	UpdatedAt   timestamp `bun:"updated_at,type:timestamptz"`
}

func runningTotalRowOf(t approval.RunningTotal) runningTotalRow {
	return runningTotalRow{
		Key: t.Key, Version: t.Version, Currency: t.Amount.Currency().Code, AmountMinor: minorOf(t.Amount),
		UpdatedAt: timestamp(t.UpdatedAt),
	}
}

func (r runningTotalRow) total() (approval.RunningTotal, error) {
	amount := amountsIn(r.Currency)
	return approval.RunningTotal{
		Key: r.Key, Version: r.Version, Amount: amount.of(r.AmountMinor), UpdatedAt: time.Time(r.UpdatedAt),
	}, amount.err
}

// fourEyesChecks begins the names of the checks that keep people from deciding about their own requests.
const fourEyesChecks = "four_eyes_"

// paymentIsOver narrows requests to those whose payment has ended since they were made.
const paymentIsOver = "payment_id <> '' AND EXISTS (SELECT 1 FROM payments AS p WHERE p.id = payment_id AND p.status IN (?))"

// Approval implements ports.Approvals.
func (s *Store) Approval(ctx context.Context, id core.ID) (approval.Approval, error) {
	return one(ctx, s, "bunstore.Approval", s.approval, "id = ?", id)
}

// ListApprovals implements ports.Approvals.
func (s *Store) ListApprovals(ctx context.Context, query approval.Query) ([]approval.Approval, error) {
	return listByState(ctx, s, stateList[approvalRow, approval.Approval, approval.Status]{
		op: "bunstore.ListApprovals", turn: s.approval, page: query.Paging, asked: query.Statuses,
		all: approval.Statuses(), isIndexed: query.DealerID != 0 || query.RequesterID != 0 || query.Subject != "",
		where: func(q *bun.SelectQuery) *bun.SelectQuery {
			q = whereSet(q, "dealer_id = ?", query.DealerID)
			q = whereSet(q, s.dialect.unindexed("provider_id")+" = ?", query.ProviderID)
			if query.IsOwn != nil && !*query.IsOwn {
				q = q.Where(s.dialect.unindexed("requester_id")+" <> ?", query.RequesterID)
			} else {
				q = whereSet(q, "requester_id = ?", query.RequesterID)
			}
			q = whereSet(q, "subject = ?", query.Subject)
			if query.IsOver {
				q = q.Where(paymentIsOver, bun.List(payment.FinalStatuses()))
			}
			return q
		},
	})
}

// DueApprovals implements ports.Approvals. The words of its index are repeated as they are there.
func (s *Store) DueApprovals(
	ctx context.Context, now time.Time, after core.DueCursor, limit int,
) (core.DuePage[approval.Approval], error) {
	o := opener[approvalRow, approval.Approval]{
		table: "approvals", turn: s.approval, name: func(r approvalRow) string { return string(r.ID) },
	}
	at := func(r approvalRow) core.DueCursor { return core.DueCursor{At: time.Time(r.ExpiresAt), ID: r.ID} }
	q := s.reads.NewSelect().ModelTableExpr("approvals AS approval_row" + s.dialect.byIndex("approvals_due"))
	q = q.Where("state = 'waiting' AND expires_at <= ?", timestamp(now))
	return duePage(ctx, s, "bunstore.DueApprovals", q, after, limit, o.open, at)
}

// ApprovalRules implements ports.Approvals.
func (s *Store) ApprovalRules(ctx context.Context) (approval.Rules, error) {
	return many(ctx, s, "bunstore.ApprovalRules", approvalRuleRow.rule, "action", "true")
}

// RunningTotals implements ports.Approvals.
func (s *Store) RunningTotals(ctx context.Context, keys []string) ([]approval.RunningTotal, error) {
	return ofAll(ctx, s, "bunstore.RunningTotals", runningTotalRow.total, "key IN (?)", keys, "key")
}
