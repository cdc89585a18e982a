package owner

import (
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/staff"
)

// Discrepancies returns a page of discrepancies within the staff member's scope, newest first.
func (s *Gateways) Discrepancies(ctx context.Context, by staff.Staff, q discrepancy.DiscrepancyQuery) (rows []discrepancy.Discrepancy, hasNext bool, err error) {
	const op = "gatewayadmin.Discrepancies"
	if err := by.Require(staff.ReadTransactions); err != nil {
		return nil, false, err
	}
	if err := checkLimit(q.Limit); err != nil {
		return nil, false, fault.E(op, "", err)
	}
	if mine := by.Scope(); mine != (core.Scope{}) {
		q.Scope = mine
	}
	limit := q.Limit
	q.Limit++
	if rows, err = s.Operations.Discrepancies(ctx, q); err != nil {
		return nil, false, fault.E(op, "", err)
	}
	return rows[:min(limit, len(rows))], len(rows) > limit, nil
}

func checkLimit(limit int) error {
	var form core.Form
	if limit < 1 || limit > core.MaxPage {
		form.Fail("first", "field.between", 1, core.MaxPage)
	}
	return form.Err("gatewayadmin.checkLimit")
}

// Notifications returns a page of stored notifications, newest first. Their content stays hidden.
func (s *Gateways) Notifications(ctx context.Context, by staff.Staff, q operation.NotificationQuery) (rows []operation.Notification, hasNext bool, err error) {
	const op = "gatewayadmin.Notifications"
	if err := by.Require(staff.ReadGateways); err != nil {
		return nil, false, err
	}
	if err := checkLimit(q.Limit); err != nil {
		return nil, false, fault.E(op, "", err)
	}
	limit := q.Limit
	q.Limit++
	if rows, err = s.Operations.Notifications(ctx, q); err != nil {
		return nil, false, fault.E(op, "", err)
	}
	return rows[:min(limit, len(rows))], len(rows) > limit, nil
}
