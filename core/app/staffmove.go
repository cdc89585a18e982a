package app

import (
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

// MaxReasonChars bounds the reason of a decision.
const MaxReasonChars = 500

// StaffMove is a decision of a staff member about the payment with a tracking code.
type StaffMove struct {
	Staff        core.Staff
	Addr         string
	Permission   core.Permission
	Kind         core.Kind // of payments that the decision is for
	TrackingCode string
	Action       string // for the audit row
	Reason       string
}

// MoveByStaff checks that the staff member may decide about this payment, moves it, and keeps an audit row in the
// same commit. A payment outside the staff member's scope is not found; one of another kind is WrongMethod, also for
// the commands that both kinds know.
func (d *Desk) MoveByStaff(ctx context.Context, payments ports.Payments, m StaffMove, decide Decide) (core.Payment, error) {
	const op = "app.Desk.MoveByStaff"
	if err := m.Staff.Require(m.Permission); err != nil {
		return core.Payment{}, err
	}
	reason, err := core.CheckReason(m.Reason, MaxReasonChars)
	if err != nil {
		return core.Payment{}, err
	}
	load := func(ctx context.Context) (core.Payment, error) {
		p, err := payments.PaymentByTrackingCode(ctx, m.TrackingCode)
		if err != nil {
			return core.Payment{}, err
		}
		if !m.Staff.Scope().Includes(p) {
			return core.Payment{}, fault.New(op, fault.NotFound)
		}
		if p.Method.Kind() != m.Kind {
			return core.Payment{}, fault.New(op, fault.WrongMethod, string(p.Method))
		}
		return p, nil
	}
	by := m.Staff.Actor(m.Addr)
	return d.Move(ctx, load, by, reason, func(p core.Payment, decision core.Decision) (core.Changeset, error) {
		change, err := decide(p, decision)
		if err != nil || len(change.Payments) == 0 {
			return change, err
		}
		change.Audit = append(change.Audit, core.AuditEntry{
			ID: decision.IDs.Next(), At: decision.At, By: by, Action: m.Action, Target: "payment/" + p.TrackingCode,
			Reason: reason, Before: p.AuditState(), After: change.Payments[0].AuditState(),
		})
		return change, nil
	})
}
