// Package backoffice answers what staff ask: payments within their scope, with history and callbacks.
package backoffice

import (
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

// DefaultPage is how many rows a page has when the question does not say.
const DefaultPage = 50

// Service answers staff.
type Service struct {
	Payments ports.Payments
	Lists    Lists
}

// Lists is what pages are read from.
type Lists interface {
	ports.PaymentSearch
	ports.PaymentPages
	ports.Owners // cached
	CreditsOfAll(ctx context.Context, payments []core.ID) ([]core.Credit, error)
	GatewayCalls(ctx context.Context, query core.GatewayCallQuery) ([]core.GatewayCall, error)
}

// Transaction finds a payment by its tracking code; outside the staff member's scope it is not found.
func (s *Service) Transaction(ctx context.Context, staff core.Staff, code string) (core.Payment, error) {
	const op = "backoffice.Transaction"
	if err := staff.Require(core.ReadTransactions); err != nil {
		return core.Payment{}, err
	}
	p, err := s.Payments.PaymentByTrackingCode(ctx, code)
	if err == nil && !p.IsIn(staff.Scope()) {
		return core.Payment{}, fault.New(op, fault.NotFound)
	}
	return p, err
}
