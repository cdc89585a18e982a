package bunstore

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/testplan"
	"github.com/vezne/vezne/ports"
)

var _ ports.TestPlans = (*Store)(nil)

type testPlanRow struct {
	bun.BaseModel `bun:"table:test_plans"`

	PaymentID   core.ID            `bun:"payment_id,pk"`
	Version     int                `bun:"version"`
	Outcome     testplan.Outcome   `bun:"outcome"`
	Currency    string             `bun:"currency"`
	AmountMinor *int64             `bun:"amount_minor"`
	ErrorCode   gateway.ReasonCode `bun:"error_code"`
	Delivery    testplan.Delivery  `bun:"delivery"`
	Delay       int64              `bun:"delay"` // milliseconds
	Step        int                `bun:"step"`
	DueAt       timestamp          `bun:"due_at,type:timestamptz"`
}

func testPlanRowOf(p testplan.Plan) (testPlanRow, error) {
	code, err := codeOf(p.Amount)
	return testPlanRow{
		PaymentID: p.PaymentID, Version: p.Version, Outcome: p.Outcome, Currency: code, AmountMinor: minorOf(p.Amount), ErrorCode: p.ErrorCode,
		Delivery: p.Delivery, Delay: p.Delay.Milliseconds(), Step: p.Step, DueAt: timestamp(p.DueAt),
	}, err
}

func (r testPlanRow) plan() (testplan.Plan, error) {
	money := amountsIn(r.Currency)
	return testplan.Plan{
		PaymentID: r.PaymentID, Version: r.Version, Outcome: r.Outcome, Amount: money.of(r.AmountMinor), ErrorCode: r.ErrorCode,
		Delivery: r.Delivery, Delay: time.Duration(r.Delay) * time.Millisecond, Step: r.Step, DueAt: time.Time(r.DueAt),
	}, money.err
}

// TestPlan implements ports.TestPlans.
func (s *Store) TestPlan(ctx context.Context, paymentID core.ID) (testplan.Plan, error) {
	return one(ctx, s, "bunstore.TestPlan", testPlanRow.plan, "payment_id = ?", paymentID)
}

// DueTestPlans implements ports.TestPlans.
func (s *Store) DueTestPlans(ctx context.Context, now time.Time, limit int) ([]testplan.Plan, error) {
	q := s.reads.NewSelect().Where("due_at <= ?", timestamp(now)).OrderExpr("due_at, payment_id").Limit(int64(limit))
	return queried(ctx, "bunstore.DueTestPlans", testPlanRow.plan, q)
}
