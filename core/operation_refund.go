package core

import (
	"strings"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// RefundPlan is what staff want to give back.
type RefundPlan struct {
	Amount      gateway.Money // in the asset that arrived; zero: everything that is left
	Target      map[string]string
	Discrepancy ID // the discrepancy that it settles; empty: the payment itself is given back
}

// DecideRefund plans a refund of the case's operation: it is due at once. Faults: NotAllowed (nothing arrived there),
// Invalid (more than is left).
func DecideRefund(c Case, plan RefundPlan, d Decision) (Changeset, error) {
	const op = "core.DecideRefund"
	paid := c.Operation
	if paid.Kind != DepositOperation || paid.Paid.Amount.Sign() <= 0 {
		return Changeset{}, fault.New(op, fault.NotAllowed, string(c.Payment.Status))
	}
	left, number := c.left()
	amount := plan.Amount
	if amount.Amount.Sign() == 0 {
		amount = left
	}
	var form Form
	if !amount.IsSameAsset(left) || amount.Amount.Sign() < 0 || amount.Amount.Cmp(left.Amount) > 0 || left.Amount.Sign() == 0 {
		form.Fail("amount", "field.range", left.Amount.String())
	}
	if err := form.Err(op); err != nil {
		return Changeset{}, err
	}
	o := Operation{
		ID: d.IDs.Next(), Version: 1, PaymentID: c.Payment.ID, TrackingCode: c.Payment.TrackingCode, Kind: RefundOperation,
		Number: number, GatewayID: paid.GatewayID, GatewayKind: paid.GatewayKind, Of: paid.ID, Why: d.Reason, Amount: amount,
		Due: amount, Fields: plan.Target, Phase: Planned, CreatedAt: d.At, NextAt: d.At,
		Ref: refOf(c.Payment.TrackingCode, RefundOperation, number),
	}
	o.Key = gateway.Key(strings.ToLower(string(o.ID)))
	change := Changeset{Operations: []Operation{o}}
	for _, known := range c.Discrepancies {
		if known.ID == plan.Discrepancy {
			known.Version++
			known.State, known.RefundID, known.UpdatedAt = DiscrepancyRefunding, o.ID, d.At
			known.ResolvedBy, known.Reason = d.By, d.Reason
			change.Discrepancies = append(change.Discrepancies, known)
		}
	}
	return change, nil
}

// left is what may still be given back of the case's operation, and the number of the payment's next refund.
func (c Case) left() (gateway.Money, int) {
	left, number := c.Operation.Paid, 1
	for _, o := range c.Others {
		if o.Kind != RefundOperation {
			continue
		}
		number++
		if o.Of == c.Operation.ID && gateway.RefundState(o.State) != gateway.RefundFailed {
			left.Amount = left.Amount.Sub(o.Amount.Amount)
		}
	}
	return left, number
}

// DecideRefundReported takes a report about a refund. Only a whole refund that is done changes a card payment's status.
func DecideRefundReported(c Case, r gateway.RefundReport, d Decision) (Changeset, error) {
	o := c.Operation
	if r.Trust < gateway.Signed {
		return (&watch{c: c, d: d, o: o}).ask(), nil
	}
	if gateway.RefundState(o.State) == gateway.RefundDone {
		return Changeset{}, nil
	}
	o.Version++
	o.Checks++
	o.NotFound = 0
	if o.Phase == Calling {
		o.Phase, o.StartedAt, o.Checks = Open, d.At, 0
	}
	if o.External.IsZero() {
		o.External = r.External
	}
	if r.State != gateway.RefundUnknown {
		o.State, o.Raw = string(r.State), r.Raw
	}
	if r.Reason != nil {
		o.Reason = *r.Reason
	}
	switch r.State {
	case gateway.RefundDone:
		o.close(d.At)
		return c.refundDone(o, d)
	case gateway.RefundFailed:
		o.close(d.At)
		return c.refundFailed(o, d), nil
	case gateway.RefundPending, gateway.RefundUnknown:
		o.schedule(d.At)
	}
	return Changeset{Operations: []Operation{o}}, nil
}

func (c Case) refundDone(o Operation, d Decision) (Changeset, error) {
	change := Changeset{Operations: []Operation{o}, Discrepancies: c.ofRefund(o.ID, DiscrepancyRefunded, d)}
	p := c.Payment
	if len(change.Discrepancies) > 0 || p.AtGate.OperationID != o.Of {
		return change, nil // money that was never the payment's own
	}
	back, err := o.Amount.Amount.Amount(money.TRY)
	if err != nil {
		return change, nil //nolint:nilerr // given back in a coin: the operation says how much
	}
	p.AtGate.Refunded = money.New(p.AtGate.Refunded.Minor()+back.Minor(), p.Amount.Currency())
	if p.Method.Kind() == Card && p.Status == Success && !p.AtGate.Refunded.Less(p.Amount) {
		move, err := decide(p, Refund, p.Amount, d)
		return change.Merge(move), err
	}
	p.Version++
	p.UpdatedAt = d.At
	change.Payments = []Payment{p}
	return change, nil
}

func (c Case) refundFailed(o Operation, d Decision) Changeset {
	return Changeset{Operations: []Operation{o}, Discrepancies: c.ofRefund(o.ID, DiscrepancyOpen, d)}
}

// ofRefund brings the discrepancies that a refund was to settle into a state.
func (c Case) ofRefund(id ID, state DiscrepancyState, d Decision) []Discrepancy {
	var changed []Discrepancy
	for _, known := range c.Discrepancies {
		if known.RefundID == id && known.State == DiscrepancyRefunding {
			known.Version++
			known.State, known.UpdatedAt = state, d.At
			changed = append(changed, known)
		}
	}
	return changed
}

// DecideRefundNotMade takes a refund that is known not to have been made: a refusal ends it, anything else waits and is
// tried again with the same key.
func DecideRefundNotMade(c Case, e *gateway.Error, d Decision) (Changeset, error) {
	change, err := DecideNotSent(c, e, d)
	if err != nil || change.Operations[0].Phase != Closed {
		return change, err
	}
	o := change.Operations[0]
	o.State = string(gateway.RefundFailed)
	return c.refundFailed(o, d), nil
}

// DecideRefundNoAnswer takes a failed question about a refund.
func DecideRefundNoAnswer(c Case, a Asked, d Decision) Changeset {
	o := c.Operation
	o.Version++
	o.Checks++
	o.schedule(d.At)
	w := discrepancies{c: c, d: d}
	if o.Phase == Calling && o.Checks >= len(unknownLadder()) {
		w.open(UnknownOutcome, o.Amount, "a refund's outcome is not known: "+string(a.Err.Class))
	}
	return Changeset{Operations: []Operation{o}, Discrepancies: w.list}
}

// Resolution is what staff do about a discrepancy.
type Resolution string

// Resolutions.
const (
	AcceptMoney Resolution = "accept"    // the payment is completed with it
	WriteOff    Resolution = "write_off" // it stays as it is; a payment held open because of it ends unpaid
)

// DecideResolution resolves one open discrepancy of a case. Amount is what the payment counts for when it is accepted;
// zero keeps the payment's own. Faults: NotFound, AlreadyFinal (resolved before), NotAllowed (a refund is under way).
func DecideResolution(c Case, id ID, r Resolution, amount money.Amount, d Decision) (Changeset, error) {
	const op = "core.DecideResolution"
	for _, known := range c.Discrepancies {
		if known.ID != id {
			continue
		}
		if known.State != DiscrepancyOpen {
			return Changeset{}, fault.New(op, fault.AlreadyFinal, string(known.State))
		}
		known.Version++
		known.UpdatedAt, known.ResolvedBy, known.Reason = d.At, d.By, d.Reason
		known.State = DiscrepancyWrittenOff
		if r == AcceptMoney {
			known.State = DiscrepancyAccepted
		}
		change, err := c.resolve(known.Kind, r, amount, d)
		change.Discrepancies = append(change.Discrepancies, known)
		return change, err
	}
	return Changeset{}, fault.New(op, fault.NotFound)
}

func (c Case) resolve(kind DiscrepancyKind, r Resolution, amount money.Amount, d Decision) (Changeset, error) {
	p := c.Payment
	if amount.IsZero() {
		amount = p.Amount
	}
	command := c.commandFor(kind, r)
	if command == "" {
		return Changeset{}, nil
	}
	if command == Fail || command == Reject {
		p.Failure = failureOf(gateway.Declined, p.Language)
	}
	change, err := decide(p, command, amount, d)
	if err != nil {
		return Changeset{}, err
	}
	o := c.Operation
	if o.IsHeld || o.IsLive() {
		o.Version++
		o.IsHeld = false
		o.Phase, o.Checks, o.EndedAt = Late, 0, d.At
		o.schedule(d.At)
		change.Operations = append(change.Operations, o)
	}
	if r == AcceptMoney {
		change.Payments[0].AtGate.OperationID = o.ID
	}
	return change, nil
}

// commandFor is what a resolution does to the payment; empty: nothing.
func (c Case) commandFor(kind DiscrepancyKind, r Resolution) Command {
	isOpen := !c.Payment.Status.IsFinal()
	switch kind {
	case MissingPayout, UnknownOutcome, CodeWanted:
		if c.Operation.Kind != PayoutOperation || !isOpen {
			return ""
		}
		if r == AcceptMoney {
			return Complete
		}
		return Fail
	case SurplusMoney, ReversedMoney, RefundElsewhere, Dispute, ReturnedPayout:
		return ""
	case LateMoney, ShortMoney, OverMoney, OtherMoney, UnderReview, LatePayout:
	}
	if r == AcceptMoney && (isOpen || c.Payment.Status != Completed && c.Payment.Status != Success) {
		return Accept
	}
	if r == WriteOff && isOpen && c.Payment.AtGate.OperationID == c.Operation.ID {
		return Reject
	}
	return ""
}
