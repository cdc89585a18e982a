package operation

import (
	"context"
	"strings"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
)

// Resolve settles an open discrepancy: the money is accepted for its payment, or it is left as it is, with a reason.
// Faults: NotFound, AlreadyFinal (resolved before), Invalid (no reason to write off).
func (s *Service) Resolve(ctx context.Context, m app.StaffMove, id core.ID, r operation.Resolution, amount money.Amount) (discrepancy.Discrepancy, error) {
	const op = "operation.Resolve"
	m.Action = "resolveDiscrepancy"
	known, err := s.disputed(ctx, &m, id)
	if err != nil {
		return discrepancy.Discrepancy{}, fault.E(op, "", err)
	}
	var form core.Form
	if r != operation.AcceptMoney && r != operation.WriteOff {
		form.Fail("resolution", "field.choice", string(operation.AcceptMoney)+", "+string(operation.WriteOff))
	}
	if r == operation.WriteOff && strings.TrimSpace(m.Reason) == "" {
		form.Fail("reason", "field.required")
	}
	if err := form.Err(op); err != nil {
		return discrepancy.Discrepancy{}, err
	}
	if known.LineID != "" {
		return s.resolveLine(ctx, m, id, r)
	}
	o, err := s.Operations.OperationBy(ctx, operation.Key{ID: known.OperationID})
	if err == nil {
		_, err = s.audited(ctx, m, o, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
			return operation.DecideResolution(c, id, r, amount, d)
		})
	}
	if err != nil {
		return discrepancy.Discrepancy{}, fault.E(op, "", err)
	}
	return s.discrepancy(ctx, id)
}

// resolveLine settles a discrepancy that is about a bank line: no gateway knows of it.
func (s *Service) resolveLine(ctx context.Context, m app.StaffMove, id core.ID, r operation.Resolution) (discrepancy.Discrepancy, error) {
	const op = "operation.resolveLine"
	var err error
	if m.Request, err = m.Checked(); err != nil {
		return discrepancy.Discrepancy{}, fault.E(op, "", err)
	}
	err = s.UnitOfWork.Again(ctx, func() error {
		known, err := s.discrepancy(ctx, id)
		if err != nil {
			return err
		}
		p, err := s.UnitOfWork.Find(ctx, m)
		if err != nil {
			return err
		}
		d, err := s.UnitOfWork.Decision(ctx, p, m.Request)
		if err != nil {
			return err
		}
		change, err := wallet.DecideLineResolution(known, r, d)
		if err != nil {
			return err
		}
		change = append(change, m.Entry(p, change, d))
		return s.UnitOfWork.CommitFor(ctx, m.Request, change)
	})
	if err != nil {
		return discrepancy.Discrepancy{}, fault.E(op, "", err)
	}
	return s.discrepancy(ctx, id)
}

// RefundDiscrepancy returns the money of an open discrepancy back.
func (s *Service) RefundDiscrepancy(ctx context.Context, m app.StaffMove, id core.ID, target map[string]string) (discrepancy.Discrepancy, error) {
	const op = "operation.RefundDiscrepancy"
	m.Action = "refundDiscrepancy"
	known, err := s.disputed(ctx, &m, id)
	if err != nil {
		return known, fault.E(op, "", err)
	}
	switch {
	case known.Status != discrepancy.Open:
		return known, fault.New(op, fault.AlreadyFinal, string(known.Status))
	case known.LineID != "": // the bank has taken it back: there is nothing to give
		return known, fault.New(op, fault.NotAllowed, string(known.Kind))
	}
	o, err := s.Operations.OperationBy(ctx, operation.Key{ID: known.OperationID})
	if err != nil {
		return known, fault.E(op, "", err)
	}
	plan := operation.RefundPlan{Target: target, Discrepancy: id}
	if _, err := s.refund(ctx, m, o, plan); err != nil {
		return known, fault.E(op, "", err)
	}
	return s.discrepancy(ctx, id)
}

// disputed finds a discrepancy within the staff member's scope, and names its payment in the move.
func (s *Service) disputed(ctx context.Context, m *app.StaffMove, id core.ID) (discrepancy.Discrepancy, error) {
	m.Permission = staff.ResolveDiscrepancies
	if err := m.Require(m.Permission); err != nil {
		return discrepancy.Discrepancy{}, err
	}
	d, err := s.discrepancy(ctx, id)
	if err == nil && !m.Scope().Has(d.DealerID, d.ProviderID) {
		err = fault.New("operation.disputed", fault.NotFound)
	}
	m.TrackingCode = d.TrackingCode
	return d, err
}

func (s *Service) discrepancy(ctx context.Context, id core.ID) (discrepancy.Discrepancy, error) {
	found, err := s.Operations.Discrepancies(ctx, discrepancy.Query{ID: id, Paging: core.Paging[core.ID]{Limit: 1}})
	if err != nil {
		return discrepancy.Discrepancy{}, err
	}
	if len(found) == 0 {
		return discrepancy.Discrepancy{}, fault.New("operation.discrepancy", fault.NotFound)
	}
	return found[0], nil
}
