package report

import (
	"cmp"
	"context"
	"slices"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
)

// DeliveryPage is what a search of callbacks came to, with their attempts.
type DeliveryPage struct {
	Logs []payment.CallbackLog
	Stop *core.ID // see report.CallbackPage
}

// Deliveries returns a page of callbacks with their attempts, newest first. Faults: Forbidden; Invalid: a status or an answer is none.
func (s *Backoffice) Deliveries(ctx context.Context, by staff.Staff, q report.CallbackQuery) (DeliveryPage, error) {
	const op = "backoffice.Deliveries"
	if err := by.Require(staff.ReadTransactions); err != nil {
		return DeliveryPage{}, err
	}
	var form core.Form
	q.Check(&form)
	if err := form.Err(op); err != nil {
		return DeliveryPage{}, err
	}
	q.Scope, q.IDs = cmp.Or(by.Scope(), q.Scope), nil
	found, err := s.Callbacks.CallbacksIn(ctx, q)
	if err != nil {
		return DeliveryPage{}, fault.E(op, "", err)
	}
	logs, err := s.logsOf(ctx, found.Callbacks)
	return DeliveryPage{Logs: logs, Stop: found.Stop}, fault.E(op, "", err)
}

// logsOf reads the attempts of callbacks.
func (s *Backoffice) logsOf(ctx context.Context, rows []payment.Callback) ([]payment.CallbackLog, error) {
	var payments []core.ID
	for _, c := range rows {
		if !slices.Contains(payments, c.PaymentID) {
			payments = append(payments, c.PaymentID)
		}
	}
	if len(payments) == 0 {
		return nil, nil
	}
	logs, err := s.Callbacks.CallbackLogs(ctx, payments...)
	if err != nil {
		return nil, err
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
