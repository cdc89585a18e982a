package owner

import (
	"cmp"
	"context"

	"github.com/vezne/vezne/core"
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

// Discrepancy returns one within the staff member's scope. Fault: NotFound.
func (s *Gateways) Discrepancy(ctx context.Context, by staff.Staff, id core.ID) (discrepancy.Discrepancy, error) {
	found, err := s.Discrepancies(ctx, by, discrepancy.Query{ID: id, Paging: core.Paging[core.ID]{Limit: 1}})
	if err == nil && len(found) == 0 {
		err = fault.New("gatewayadmin.Discrepancy", fault.NotFound)
	}
	if err != nil {
		return discrepancy.Discrepancy{}, err
	}
	return found[0], nil
}

// Notifications returns a page of stored notifications, newest first. Their content stays hidden.
func (s *Gateways) Notifications(ctx context.Context, by staff.Staff, q notification.Query) ([]notification.Notification, error) {
	if err := by.Require(staff.ReadGateways); err != nil {
		return nil, err
	}
	rows, err := s.Operations.Notifications(ctx, q)
	return rows, fault.E("gatewayadmin.Notifications", "", err)
}
