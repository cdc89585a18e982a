package report

import (
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

// Links are the payments that the rows of a page name: all of them are read when the first is asked for.
type Links struct {
	service  *Backoffice
	ids      []core.ID
	payments once[map[core.ID]payment.Payment]
	batch    *Batch
}

// Links takes the payments' IDs; empty ones are none.
func (s *Backoffice) Links(ids ...core.ID) *Links { return &Links{service: s, ids: ids} }

// Payment returns one of them, and the batch of those that are within the staff member's scope. Fault: NotFound.
func (l *Links) Payment(ctx context.Context, by staff.Staff, id core.ID) (payment.Payment, *Batch, error) {
	if err := by.Require(staff.ReadTransactions); err != nil {
		return payment.Payment{}, nil, err
	}
	all, err := l.payments.get(func() (map[core.ID]payment.Payment, error) {
		seen, err := l.service.Payments.PaymentsByID(ctx, by.Scope(), l.ids)
		found := map[core.ID]payment.Payment{}
		for _, p := range seen {
			found[p.ID] = p
		}
		l.batch = l.service.Batch(seen...)
		return found, err
	})
	p, ok := all[id]
	if err == nil && !ok {
		err = fault.New("backoffice.Payment", fault.NotFound)
	}
	return p, l.batch, err
}

// CallbackLog returns a callback with every attempt. Its payment was found within the scope.
func (s *Backoffice) CallbackLog(ctx context.Context, c payment.Callback) (*payment.CallbackLog, error) {
	logs, err := s.Callbacks.CallbackLogs(ctx, c.PaymentID)
	for i := range logs {
		if logs[i].ID == c.ID {
			return &logs[i], err
		}
	}
	return &payment.CallbackLog{Callback: c}, err
}
