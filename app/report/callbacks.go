package report

import (
	"cmp"
	"context"
	"slices"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

// GivenUpCallbacks returns a page of callbacks that were given up, with their attempts, newest first. Faults: Forbidden; Invalid: a
// status is not of those that were given up.
func (s *Backoffice) GivenUpCallbacks(ctx context.Context, by staff.Staff, q payment.GivenUpQuery) ([]payment.CallbackLog, error) {
	const op = "backoffice.GivenUpCallbacks"
	if err := by.Require(staff.ReadTransactions); err != nil {
		return nil, err
	}
	var form core.Form
	q.Check(&form)
	if err := form.Err(op); err != nil {
		return nil, err
	}
	q.Scope = cmp.Or(by.Scope(), q.Scope)
	rows, err := s.Callbacks.GivenUpCallbacks(ctx, q)
	if err != nil || len(rows) == 0 {
		return nil, fault.E(op, "", err)
	}
	var payments []core.ID
	for _, c := range rows {
		if !slices.Contains(payments, c.PaymentID) {
			payments = append(payments, c.PaymentID)
		}
	}
	logs, err := s.Callbacks.CallbackLogs(ctx, payments...)
	if err != nil {
		return nil, fault.E(op, "", err)
	}
	attempts := map[core.ID][]payment.Attempt{}
	for _, l := range logs {
		attempts[l.ID] = l.Attempts
	}
	list := make([]payment.CallbackLog, len(rows))
	for i, c := range rows {
		list[i] = payment.CallbackLog{Callback: c, Attempts: attempts[c.ID]}
	}
	return list, nil
}
