package operation

import (
	"context"
	"strings"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
)

// Resolve settles an open discrepancy: the money is accepted for its payment, or it is left as it is, with a reason.
// Faults: NotFound, AlreadyFinal (resolved before), Invalid (no reason to write off).
func (s *Service) Resolve(ctx context.Context, m app.StaffMove, id core.ID, r core.Resolution, amount money.Amount) (core.Discrepancy, error) {
	const op = "operation.Resolve"
	m.Action = "resolveDiscrepancy"
	o, err := s.disputed(ctx, &m, id)
	if err != nil {
		return core.Discrepancy{}, fault.E(op, "", err)
	}
	var form core.Form
	if r != core.AcceptMoney && r != core.WriteOff {
		form.Fail("resolution", "field.choice", string(core.AcceptMoney)+", "+string(core.WriteOff))
	}
	if r == core.WriteOff && strings.TrimSpace(m.Reason) == "" {
		form.Fail("reason", "field.required")
	}
	if err := form.Err(op); err != nil {
		return core.Discrepancy{}, err
	}
	_, err = s.audited(ctx, m, o, func(c core.Case, d core.Decision) (core.Changeset, error) {
		return core.DecideResolution(c, id, r, amount, d)
	})
	if err != nil {
		return core.Discrepancy{}, fault.E(op, "", err)
	}
	return s.discrepancy(ctx, id)
}

// RefundDiscrepancy gives the money of an open discrepancy back.
func (s *Service) RefundDiscrepancy(ctx context.Context, m app.StaffMove, id core.ID, target map[string]string) (core.Discrepancy, error) {
	const op = "operation.RefundDiscrepancy"
	m.Action = "refundDiscrepancy"
	o, err := s.disputed(ctx, &m, id)
	if err != nil {
		return core.Discrepancy{}, fault.E(op, "", err)
	}
	known, err := s.discrepancy(ctx, id)
	if err != nil {
		return known, fault.E(op, "", err)
	}
	if known.State != core.DiscrepancyOpen {
		return known, fault.New(op, fault.AlreadyFinal, string(known.State))
	}
	plan := core.RefundPlan{Target: target, Discrepancy: id}
	if _, err := s.refund(ctx, m, o, plan); err != nil {
		return known, fault.E(op, "", err)
	}
	return s.discrepancy(ctx, id)
}

// disputed finds the operation of a discrepancy within the staff member's scope, and names its payment in the move.
func (s *Service) disputed(ctx context.Context, m *app.StaffMove, id core.ID) (core.Operation, error) {
	m.Permission = core.ResolveDiscrepancies
	if err := m.Staff.Require(m.Permission); err != nil {
		return core.Operation{}, err
	}
	d, err := s.discrepancy(ctx, id)
	if err != nil {
		return core.Operation{}, err
	}
	if !m.Staff.Scope().Has(d.DealerID, d.ProviderID) {
		return core.Operation{}, fault.New("operation.disputed", fault.NotFound)
	}
	m.TrackingCode = d.TrackingCode
	return s.Store.OperationBy(ctx, core.OperationKey{ID: d.OperationID})
}

func (s *Service) discrepancy(ctx context.Context, id core.ID) (core.Discrepancy, error) {
	found, err := s.Store.Discrepancies(ctx, core.DiscrepancyQuery{ID: id, Limit: 1})
	if err != nil {
		return core.Discrepancy{}, err
	}
	if len(found) == 0 {
		return core.Discrepancy{}, fault.New("operation.discrepancy", fault.NotFound)
	}
	return found[0], nil
}
