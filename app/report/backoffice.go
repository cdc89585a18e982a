package report

import (
	"context"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/ports"
)

// Backoffice answers what staff ask: payments within their scope, with history and callbacks.
type Backoffice struct {
	Payments   ports.Payments
	Callbacks  ports.Callbacks
	Operations ports.Operations
	Disputes   ports.Disputes
	Statements ports.Statements
	Directory  ports.Directory
	Owners     ports.Owners
	Reports    ports.Reports
	Clock      ports.Clock
}

// Transaction finds a payment by its tracking code; outside the staff member's scope it is not found.
func (s *Backoffice) Transaction(ctx context.Context, member staff.Staff, code string) (payment.Payment, error) {
	const op = "backoffice.Transaction"
	if err := member.Require(staff.ReadTransactions); err != nil {
		return payment.Payment{}, err
	}
	p, err := s.Payments.PaymentByTrackingCode(ctx, code)
	if err == nil && !p.IsIn(member.Scope()) {
		return payment.Payment{}, fault.New(op, fault.NotFound)
	}
	return p, err
}
