package app

import (
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

// MaxReasonChars bounds the reason of a decision.
const MaxReasonChars = 500

// StaffMove is a decision of a staff member about the payment with a tracking code.
type StaffMove struct {
	Request
	Permission   staff.Permission
	Kind         payment.Kind // of payments that the decision is for; empty: any
	TrackingCode string
	Action       string // for the audit row
}

// Find returns the payment that the move is about, if this person may decide about it: one outside the staff member's scope
// is not found.
func (u *UnitOfWork) Find(ctx context.Context, m StaffMove) (payment.Payment, error) {
	if err := m.Require(m.Permission); err != nil {
		return payment.Payment{}, err
	}
	p, err := u.Payments.PaymentByTrackingCode(ctx, m.TrackingCode)
	if err != nil {
		return payment.Payment{}, err
	}
	if !p.IsIn(m.Scope()) {
		return payment.Payment{}, fault.New("app.StaffMove.Find", fault.NotFound)
	}
	return p, m.CheckSeen(p)
}

// Entry is the audit row of the move, which changes p as told.
func (m StaffMove) Entry(p payment.Payment, change core.Changeset, d payment.Decision) core.AuditEntry {
	after := p
	if core.Has[payment.Payment](change) {
		after = core.RowsOf[payment.Payment](change)[0]
	}
	return core.AuditEntry{
		ID: d.IDs.Next(), At: d.At, Actor: m.Actor(), Action: m.Action, Target: "payment/" + p.TrackingCode,
		Reason: m.Reason, Before: p.AuditState(), After: after.AuditState(),
	}
}

// MoveByStaff checks that the staff member may decide about this payment, moves it, and keeps an audit row in the
// same commit. A payment outside the staff member's scope is not found; one of another kind is WrongMethod, also for
// the commands that both kinds know.
func (u *UnitOfWork) MoveByStaff(ctx context.Context, m StaffMove, decide Decide) (payment.Payment, error) {
	const op = "app.UnitOfWork.MoveByStaff"
	var err error
	if m.Request, err = m.Checked(); err != nil {
		return payment.Payment{}, err
	}
	load := func(ctx context.Context) (payment.Payment, error) {
		p, err := u.Find(ctx, m)
		if err == nil && m.Kind != "" && p.Method.Kind() != m.Kind {
			err = fault.New(op, fault.WrongMethod, string(p.Method))
		}
		return p, err
	}
	return u.Move(ctx, load, m.Request, func(p payment.Payment, decision payment.Decision) (core.Changeset, error) {
		change, err := decide(p, decision)
		if err != nil || !core.Has[payment.Payment](change) {
			return change, err
		}
		change = append(change, m.Entry(p, change, decision))
		return change, nil
	})
}
