package dispute

import (
	"context"
	"slices"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/dispute"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

// Accept concedes a dispute, by two people; its gateway is told soon after. Faults: Forbidden, NotFound, NotAllowed (its gateway takes no
// such call), those of dispute.DecideAccept.
func (s *Service) Accept(ctx context.Context, by app.Request, id core.ID) (accepted dispute.Dispute, err error) {
	takes := func(_ dispute.Dispute, g *app.Gateway) bool { return g.Has(gateway.CanAcceptDispute) }
	return s.decide(ctx, "dispute.Accept", "acceptDispute", by, id, takes,
		func(d dispute.Dispute, _ payment.Payment, _ core.Scope, decision payment.Decision) (core.Changeset, error) {
			accepted, err := dispute.DecideAccept(d, decision)
			return core.Changeset{accepted}, err
		})
}

// decide commits what somebody decides about a dispute of which its gateway is told soon after, where that takes it.
func (s *Service) decide(
	ctx context.Context, op, action string, by app.Request, id core.ID, takes func(dispute.Dispute, *app.Gateway) bool,
	decide func(d dispute.Dispute, p payment.Payment, by core.Scope, decision payment.Decision) (core.Changeset, error),
) (kept dispute.Dispute, err error) {
	if err := by.Require(staff.ResolveDiscrepancies); err != nil {
		return kept, fault.E(op, "", err)
	}
	if by, err = by.Checked(); err != nil {
		return kept, fault.E(op, "", err)
	}
	err = s.UnitOfWork.Again(ctx, func() error {
		d, err := s.Disputes.Dispute(ctx, id)
		if err != nil {
			return err
		}
		if !by.Scope().Has(d.DealerID, d.ProviderID) {
			return fault.New(op, fault.NotFound)
		}
		if g, err := s.Gateways.Gateway(ctx, d.GatewayID); err != nil || !takes(d, g) {
			return fault.New(op, fault.NotAllowed, "the gateway takes no such call")
		}
		of, err := s.UnitOfWork.Payments.PaymentsByID(ctx, core.Scope{DealerID: d.DealerID}, []core.ID{d.PaymentID})
		if err != nil {
			return err
		}
		if len(of) == 0 {
			return fault.New(op, fault.NotFound)
		}
		p := of[0]
		decision, err := s.UnitOfWork.Decision(ctx, p, by)
		if err != nil {
			return err
		}
		change, err := decide(d, p, by.Scope(), decision)
		if err != nil {
			return err
		}
		kept, _ = core.First[dispute.Dispute](change)
		entry := core.AuditEntry{
			At: decision.At, Action: action, Target: "payment/" + p.TrackingCode, Reason: by.Reason,
			Before: d.AuditState(), After: kept.AuditState(),
		}
		return s.UnitOfWork.CommitEntry(ctx, by, entry, change)
	})
	return kept, fault.E(op, "", err)
}

// Record keeps what staff know of a dispute from a letter, under the bank's reference: a new dispute, or news of one that they have kept
// before. Where it moves the payment's credit two people have to say so. Faults: Forbidden, NotFound, NotAllowed (the payment was not paid at
// a gateway, or the gateway tells its disputes itself), those of dispute.DecideTold.
func (s *Service) Record(ctx context.Context, m app.StaffMove, reference string, told dispute.Told) (kept dispute.Dispute, err error) {
	const op = "dispute.Record"
	m.Permission = staff.ResolveDiscrepancies
	if m.Request, err = m.Checked(); err != nil {
		return kept, fault.E(op, "", err)
	}
	var form core.Form
	if reference == "" || reference != app.OneLine(reference, gateway.MaxDisputeIDBytes) {
		form.Fail("reference", "field.length", 1, gateway.MaxDisputeIDBytes)
	}
	if err := form.Err(op); err != nil {
		return kept, err
	}
	err = s.UnitOfWork.Again(ctx, func() error {
		p, err := s.UnitOfWork.Find(ctx, m)
		if err != nil {
			return err
		}
		o, err := s.Operations.OperationBy(ctx, operation.Key{ID: p.Gateway.OperationID})
		if fault.Is(err, fault.NotFound) || err == nil && (p.Gateway.OperationID == "" || o.Kind != operation.DepositOperation) {
			return fault.New(op, fault.NotAllowed, string(p.Status))
		}
		if err != nil {
			return err
		}
		if g, err := s.Gateways.Gateway(ctx, o.GatewayID); err == nil && g.Has(gateway.CanReadDispute) {
			return fault.New(op, fault.NotAllowed, "the gateway tells its disputes")
		}
		known, err := s.Disputes.DisputeNamed(ctx, o.GatewayID, reference)
		isNew := fault.Is(err, fault.NotFound)
		if err != nil && !isNew {
			return err
		}
		if !isNew && known.PaymentID != p.ID {
			form.Fail("reference", "field.other", reference)
			return form.Err(op)
		}
		c, d, err := s.caseOf(ctx, m.Request, known, o)
		if err != nil {
			return err
		}
		before := known.AuditState()
		if isNew {
			before = ""
			c.Dispute = dispute.Named(o.GatewayID, reference, d.IDs.Next(), d.At)
			c.Dispute.Version = 0
		}
		change, err := dispute.DecideTold(c, told, d)
		if err != nil {
			return err
		}
		kept, _ = core.First[dispute.Dispute](change)
		entry := core.AuditEntry{
			At: d.At, Action: "recordDispute", Target: "payment/" + p.TrackingCode, Reason: m.Reason, Before: before, After: kept.AuditState(),
		}
		return s.UnitOfWork.CommitEntry(ctx, m.Request, entry, change)
	})
	return kept, fault.E(op, "", err)
}

// Recorded finds a dispute that staff have kept of a payment. Faults: Forbidden, NotFound.
func (s *Service) Recorded(ctx context.Context, by app.Request, trackingCode, reference string) (dispute.Dispute, error) {
	const op = "dispute.Recorded"
	p, err := s.UnitOfWork.Find(ctx, app.StaffMove{Request: by, Permission: staff.ReadTransactions, TrackingCode: trackingCode})
	if err != nil {
		return dispute.Dispute{}, fault.E(op, "", err)
	}
	all, err := s.Disputes.DisputesOf(ctx, p.Key())
	if err != nil {
		return dispute.Dispute{}, fault.E(op, "", err)
	}
	i := slices.IndexFunc(all, func(d dispute.Dispute) bool { return d.ExternalID == reference })
	if i < 0 {
		return dispute.Dispute{}, fault.New(op, fault.NotFound)
	}
	return all[i], nil
}
