package dispute

import (
	"fmt"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
)

// Acceptance is that staff concede a dispute: the payer keeps the money.
type Acceptance struct {
	By     core.Actor
	At     time.Time
	Reason string
}

// IsToAccept reports whether the gateway is still to be told that the dispute is conceded.
func (d Dispute) IsToAccept() bool { return !d.Accepted.At.IsZero() && !d.State.IsOver() }

// DecideAccept commits to conceding a dispute; its gateway is told at once. Faults: NotAllowed (nobody knows what it is, or whose; or
// evidence is on its way), AlreadyFinal (it has ended, or was conceded before), Invalid (no reason).
func DecideAccept(n Dispute, d payment.Decision) (Dispute, error) {
	const op = "dispute.DecideAccept"
	var form core.Form
	if d.Reason == "" {
		form.Fail("reason", "field.required")
	}
	switch err := form.Err(op); {
	case err != nil:
		return n, err
	case n.State.IsOver() || n.IsToAccept():
		return n, fault.New(op, fault.AlreadyFinal, string(n.State))
	case n.State == gateway.DisputeUnknown || n.PaymentID == "":
		return n, fault.New(op, fault.NotAllowed, string(n.State))
	case n.IsToAnswer():
		return n, fault.New(op, fault.NotAllowed, "evidence is on its way")
	}
	n = n.Cued(d.At)
	n.Accepted, n.UpdatedAt = Acceptance{By: d.By, At: d.At, Reason: d.Reason}, d.At
	return n, nil
}

// AuditState is what an audit row says of the dispute before and after a decision, as JSON.
func (d Dispute) AuditState() string {
	accepted := ""
	if !d.Accepted.At.IsZero() {
		accepted = `,"accepted":true`
	}
	submitted := ""
	if count := len(d.Submissions); count > 0 {
		submitted = fmt.Sprintf(`,"evidence":%q`, d.Submissions[count-1].ID)
	}
	return fmt.Sprintf(`{"dispute":%q,"state":%q,"amount":%q,"withdrawn":%q,"reinstated":%q%s%s}`, d.ExternalID, d.State, core.AuditMoney(d.Amount),
		core.AuditMoney(d.Withdrawn), core.AuditMoney(d.Reinstated), accepted, submitted)
}

// Key is the idempotency key with which the gateway is told that a dispute is conceded.
func (d Dispute) Key() gateway.Key { return gateway.Key("accept-" + string(d.ID)) }

// Beside implements Guarded.
func (d Dispute) Beside() []core.Identity { return core.Replaced(d) }

// Guards implements Guarded: to concede a dispute is to give its money back, and takes two people always.
func (d Dispute) Guards(in core.Judged) []core.Guard {
	before, _ := core.Before(in, d)
	if d.Accepted == before.Accepted {
		return nil
	}
	return []core.Guard{{
		Action: core.GuardRefund, Subject: "payment/" + d.TrackingCode, DealerID: d.DealerID, ProviderID: d.ProviderID, Amount: d.Amount, IsAlways: true,
		Why: payment.NeedsDispute,
	}}
}

// Told is what staff know of a dispute from a letter of the bank, at a gateway that tells none.
type Told struct {
	State       gateway.DisputeState
	Reason      gateway.DisputeReason
	Amount      money.Amount // what the payer disputes
	Withdrawn   money.Amount // in all so far
	Reinstated  money.Amount // in all so far, of what was withdrawn
	EvidenceDue time.Time    // zero: none is taken
}

// DecideTold takes in what staff know of a dispute, as DecideReport does what a gateway answers; but a row of the credit takes a second
// person, as every correction does. Faults: NotAllowed (the state contradicts what was said before), Invalid (no reason, amounts that
// do not fit, or totals that are less than was said before).
func DecideTold(c Case, t Told, d payment.Decision) (core.Changeset, error) {
	const op = "dispute.DecideTold"
	before := c.Dispute
	zero := money.New(0, c.Deposit.Payment.Amount.Currency())
	var form core.Form
	switch {
	case d.Reason == "":
		form.Fail("reason", "field.required")
	case t.Amount.Minor() <= 0:
		form.Fail("amount", "field.min", money.New(1, zero.Currency()).String())
	case t.Withdrawn.Less(zero), gateway.Lira(t.Withdrawn).Amount.Cmp(before.Withdrawn.Amount) < 0:
		form.Fail("withdrawn", "field.min", before.Withdrawn.Amount.Fixed(2))
	case t.Reinstated.Less(zero), gateway.Lira(t.Reinstated).Amount.Cmp(before.Reinstated.Amount) < 0:
		form.Fail("reinstated", "field.min", before.Reinstated.Amount.Fixed(2))
	case t.Withdrawn.Less(t.Reinstated):
		form.Fail("reinstated", "field.max", t.Withdrawn.String())
	}
	if err := form.Err(op); err != nil {
		return nil, err
	}
	if !CanBecome(before.State, t.State) {
		return nil, fault.New(op, fault.NotAllowed, string(before.State))
	}
	withdrawn, reinstated := gateway.Lira(t.Withdrawn), gateway.Lira(t.Reinstated)
	d.AskedVersion = before.Version
	change, err := DecideReport(c, gateway.DisputeReport{
		State: t.State, Reason: t.Reason, Amount: gateway.Lira(t.Amount), Withdrawn: &withdrawn, Reinstated: &reinstated,
		EvidenceDue: t.EvidenceDue, At: before.OpenedAt,
	}, d)
	change = core.Edit(change, func(n *Dispute) { n.NextAt = time.Time{} }) // there is nobody to ask
	return core.Edit(change, func(k *payment.Credit) { k.NeedsSecond = payment.NeedsDispute }), err
}
