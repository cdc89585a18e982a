package bunstore

import (
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
)

// onDesk is the words of the index of withdrawals that wait for a dealer's staff, as they are there.
const onDesk = "method IN ('manual_withdrawal', 'eiban_withdrawal') AND status IN ('pending', 'processing')"

const deskLoads = `SELECT dealer_id, count(CASE WHEN state = 'waiting' THEN 1 END) AS waiting,
	count(CASE WHEN state = 'claimed' THEN 1 END) AS claimed, count(CASE WHEN state = 'lapsed' THEN 1 END) AS lapsed,
	count(CASE WHEN claim_request_id <> '' THEN 1 END) AS awaiting,
	CAST(COALESCE(sum(amount_minor), 0) AS bigint) AS amount_minor, min(created_at) AS oldest_at,
	min(CASE WHEN state <> 'claimed' THEN created_at END) AS oldest_free_at
FROM (SELECT dealer_id, amount_minor, created_at, claim_request_id, CASE WHEN claim_staff_id = 0 THEN 'waiting'
		WHEN claimed_until > ?0 THEN 'claimed' ELSE 'lapsed' END AS state
	FROM payments ?1 WHERE ?2 ?3 ?4) AS desk
GROUP BY dealer_id ORDER BY dealer_id LIMIT ?5`

// DeskLoads implements ports.Payments.
func (s *Store) DeskLoads(ctx context.Context, scope core.Scope, now time.Time) ([]payment.DeskLoad, error) {
	const op = "bunstore.DeskLoads"
	ofDealer, ofProvider := bun.SafeQuery(""), bun.SafeQuery("")
	if scope.DealerID != 0 {
		ofDealer = bun.SafeQuery("AND dealer_id = ?", scope.DealerID)
	}
	if scope.ProviderID != 0 {
		ofProvider = bun.SafeQuery("AND provider_id = ?", scope.ProviderID)
	}
	var rows []struct {
		DealerID     int64     `bun:"dealer_id"`
		Waiting      int       `bun:"waiting"`
		Claimed      int       `bun:"claimed"`
		Lapsed       int       `bun:"lapsed"`
		Awaiting     int       `bun:"awaiting"`
		AmountMinor  int64     `bun:"amount_minor"`
		OldestAt     timestamp `bun:"oldest_at"`
		OldestFreeAt timestamp `bun:"oldest_free_at"`
	}
	byIndex := bun.Safe(s.dialect.byIndex("payments_desk"))
	err := s.reads.NewRaw(deskLoads, timestamp(now), byIndex, bun.Safe(onDesk), ofDealer, ofProvider, payment.MaxDeskLoads).Scan(ctx, &rows)
	if err != nil {
		return nil, fail(op, err)
	}
	var loads []payment.DeskLoad
	for _, r := range rows {
		loads = append(loads, payment.DeskLoad{
			DealerID: r.DealerID, WaitingCount: r.Waiting, ClaimedCount: r.Claimed, LapsedCount: r.Lapsed, AwaitingApprovalCount: r.Awaiting,
			Amount:   kurus(r.AmountMinor),
			OldestAt: time.Time(r.OldestAt), OldestFreeAt: time.Time(r.OldestFreeAt),
		})
	}
	return loads, nil
}

// DeskWithdrawals implements ports.Payments.
func (s *Store) DeskWithdrawals(ctx context.Context, query payment.DeskQuery) ([]payment.Payment, error) {
	const free = "(claim_staff_id = 0 OR claimed_until IS NULL OR claimed_until <= ?)"
	q := s.reads.NewSelect().ModelTableExpr("payments AS payment_row" + s.dialect.byIndex("payments_desk")).Where(onDesk)
	q = whereFlag(whereIn(q, query.Scope), query.IsFree, free, "NOT "+free, timestamp(query.Now))
	q = whereFlag(q, query.IsMine, "claim_staff_id = ?", "claim_staff_id <> ?", query.StaffID)
	q = whereFlag(q, query.AwaitsApproval, "claim_request_id <> ''", "claim_request_id = ''")
	if query.Limit < 1 {
		return nil, nil
	}
	list, err := queriedPersonal(ctx, s, "bunstore.DeskWithdrawals", paymentRow.payment, oldestFirst.page(q, query.Paging))
	if query.IsLast {
		slices.Reverse(list)
	}
	return list, err
}

// waitsForStaff is what a payout waits for: to be let go, or for a second factor.
const waitsForStaff = "EXISTS (SELECT 1 FROM operations AS o WHERE o.payment_id = payment_row.id AND o.kind = 'payout'" +
	" AND (o.phase = 'planned' AND o.next_at IS NULL OR o.phase IN ('calling', 'open') AND o.state = 'needs-approval'))"

// PayoutsToDecide implements ports.Payments.
func (s *Store) PayoutsToDecide(ctx context.Context, query payment.PayoutQuery) ([]payment.Payment, error) {
	if query.Limit < 1 {
		return nil, nil
	}
	methods := slices.DeleteFunc(payment.Methods(), func(m payment.Method) bool { return m.Kind() != payment.Payout })
	q := s.reads.NewSelect().ModelTableExpr("payments AS payment_row").
		Where("status IN (?)", bun.List([]payment.Status{payment.Showing, payment.Pending, payment.Processing})).Where("method IN (?)", bun.List(methods)).
		Where(waitsForStaff)
	list, err := queriedPersonal(ctx, s, "bunstore.PayoutsToDecide", paymentRow.payment, oldestFirst.page(whereIn(q, query.Scope), query.Paging))
	if query.IsLast {
		slices.Reverse(list)
	}
	return list, err
}
