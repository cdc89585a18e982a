package owner

import (
	"cmp"
	"context"

	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/staff"
)

// Discrepancies returns a page of discrepancies within the staff member's scope, newest first.
func (s *Gateways) Discrepancies(ctx context.Context, by staff.Staff, q discrepancy.Query) ([]discrepancy.Discrepancy, error) {
	if err := by.Require(staff.ReadTransactions); err != nil {
		return nil, err
	}
	q.Scope = cmp.Or(by.Scope(), q.Scope)
	rows, err := s.Operations.Discrepancies(ctx, q)
	return rows, fault.E("gatewayadmin.Discrepancies", "", err)
}

// Notifications returns a page of stored notifications, newest first. Their content stays hidden.
func (s *Gateways) Notifications(ctx context.Context, by staff.Staff, q notification.Query) ([]notification.Notification, error) {
	if err := by.Require(staff.ReadGateways); err != nil {
		return nil, err
	}
	rows, err := s.Operations.Notifications(ctx, q)
	return rows, fault.E("gatewayadmin.Notifications", "", err)
}
