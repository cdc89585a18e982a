package operation

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
)

// Resolution is what staff do about a discrepancy.
type Resolution string

// Resolutions.
const (
	AcceptMoney Resolution = "accept"    // the payment is completed with it
	WriteOff    Resolution = "write_off" // it stays as it is; a payment held open because of it ends unpaid
)

// DecideResolution resolves one open discrepancy of a case's operation. Amount is what the payment is credited with when it
// is accepted: at most what was seen and has not been given back, in what it was seen; zero is the payment's own amount, or
// what was seen where that is less. Faults: NotFound, AlreadyFinal (resolved before), NotAllowed (a refund is under way;
// a payout leaves no more by itself: without its discrepancy nobody would know that it waits, until it is approved anew or failed),
// Invalid (a negative amount), MoreThanSeen.
func DecideResolution(c Case, id core.ID, r Resolution, amount money.Amount, d payment.Decision) (core.Changeset, error) {
	const op = "core.DecideResolution"
	known, err := c.open(op, id)
	if err != nil {
		return core.Changeset{}, err
	}
	if known.Kind == discrepancy.StuckOperation && c.Operation.isStopped() && !c.Payment.Status.IsFinal() {
		return core.Changeset{}, fault.New(op, fault.NotAllowed, string(c.Payment.Status))
	}
	var form core.Form
	switch { // what is paid out is exactly what was asked for
	case amount.Minor() < 0:
		form.Fail("amount", "field.min", money.New(1, c.Payment.Amount.Currency()).String())
	case !c.Payment.IsCreditable() && !amount.IsZero() && !amount.Equal(c.Payment.Amount):
		form.Fail("amount", "field.choice", c.Payment.Amount.String())
	}
	if err := form.Err(op); err != nil {
		return core.Changeset{}, err
	}
	known.Version++
	known.UpdatedAt, known.ResolvedBy, known.Reason = d.At, d.By, d.Reason
	known.Status = discrepancy.WrittenOff
	if r == AcceptMoney {
		known.Status = discrepancy.Accepted
	}
	change, err := c.resolve(known, r, amount, d)
	if err != nil {
		return core.Changeset{}, err
	}
	change = append(change, known)
	if !core.Has[payment.Transition](change) { // the payment stays as it is: who settled what shows all the same
		command := payment.WriteOffMoney
		if r == AcceptMoney {
			command = payment.Accept
		}
		change = append(change, c.note(command, known.Seen, d))
	}
	return c.relying(change, d.At), nil
}

func (c Case) resolve(known discrepancy.Discrepancy, r Resolution, amount money.Amount, d payment.Decision) (core.Changeset, error) {
	if c.Operation.Kind == RefundOperation {
		return c.resolveRefund(known, r, d)
	}
	command := c.commandFor(known.Kind, r)
	if command == "" {
		return c.letGo(known, r, d), nil
	}
	o, wasLive := c.Operation, c.Operation.IsHeld || c.Operation.IsLive()
	isCredit := command == payment.Accept && c.Payment.IsCreditable()
	var change core.Changeset
	var err error
	if isCredit {
		change, err = c.accept(&o, known.Seen, amount, d)
	} else {
		p := c.Payment
		if command == payment.Fail || command == payment.Reject {
			p.Failure = c.failure(gateway.Declined)
		}
		change, err = payment.Decide(p, command, d)
	}
	if err != nil {
		return core.Changeset{}, err
	}
	switch {
	case wasLive:
		change = append(change, o.letGo(d.At))
	case isCredit:
		o.Version++
		change = append(change, o)
	}
	if r == AcceptMoney {
		change = core.Edit(change, func(p *payment.Payment) { p.Gateway.OperationID = c.Operation.ID })
	}
	change = change.Merge(core.Rows(c.calledOff(d.At)))
	return change, nil
}

// accept credits the payment with what was seen of the operation's money, less what was given back of it.
func (c Case) accept(o *Operation, seen gateway.Money, amount money.Amount, d payment.Decision) (core.Changeset, error) {
	const op = "core.Case.accept"
	o.bring(seen)
	back := c.refunds(*o, func(s gateway.RefundState) bool { return s != gateway.RefundFailed })
	seen.Amount = seen.Amount.Sub(back)
	left, ok := o.Worth(seen)
	if amount.IsZero() {
		if amount = c.Payment.Amount; left.Less(amount) {
			amount = left
		}
	}
	if !ok || amount.IsZero() || left.Less(amount) {
		return core.Changeset{}, fault.New(op, fault.MoreThanSeen, seen.String())
	}
	k := payment.Credit{Amount: amount, Source: payment.CreditOfOperation, OperationID: o.ID, Brought: o.Brought}
	p := c.Payment
	p.PaidBy = o.GatewayKind
	return payment.CompleteWith(p, payment.Accept, k, d)
}

// resolveRefund is for a refund whose outcome the gateway does not tell: staff say what its panel shows.
func (c Case) resolveRefund(known discrepancy.Discrepancy, r Resolution, d payment.Decision) (core.Changeset, error) {
	o := c.Operation
	if known.Kind != discrepancy.UnknownOutcome || o.Phase == Closed {
		return core.Changeset{}, nil
	}
	o.Version++
	o.Status = string(gateway.RefundFailed)
	if r == AcceptMoney {
		o.Status = string(gateway.RefundDone)
	}
	return c.refundEnded(o, d)
}

// letGo ends the watch on an operation whose payment has ended, once nothing of it waits for a decision any more.
func (c Case) letGo(resolved discrepancy.Discrepancy, r Resolution, d payment.Decision) core.Changeset {
	o := c.Operation
	var change core.Changeset
	if r == AcceptMoney {
		change, _ = c.bindWord(o, d)
	}
	for _, other := range c.Discrepancies {
		if other.ID != resolved.ID && other.OperationID == o.ID && other.IsOpen() {
			return change
		}
	}
	if c.Payment.Status.IsFinal() && (o.IsHeld || o.IsLive()) {
		change = append(change, o.letGo(d.At))
	}
	return change
}

// letGo ends an operation for us; more news of money may still come.
func (o Operation) letGo(at time.Time) Operation {
	o.Version++
	o.IsHeld = false
	o.Phase, o.Checks, o.EndedAt = Late, 0, at
	if o.Kind == PayoutOperation {
		o.LateUntil = at.Add(forever)
	}
	o.schedule(at)
	return o
}

// DecideApproval credits a deposit by hand, as payment.DecideHandCredit does, and has its open operations canceled.
func DecideApproval(p payment.Payment, h payment.HandCredit, operations []Operation, d payment.Decision) (core.Changeset, error) {
	change, err := payment.DecideHandCredit(p, h, d)
	if err != nil {
		return core.Changeset{}, err
	}
	return change.Merge(core.Rows(Case{Others: operations}.calledOff(d.At))), nil
}

// calledOff makes the payment's other open deposits unwanted.
func (c Case) calledOff(at time.Time) []Operation {
	var all []Operation
	for _, o := range c.Others {
		if o.Kind == DepositOperation && o.IsLive() && !o.IsUnwanted {
			all = append(all, o.unwanted(at))
		}
	}
	return all
}

// failure is why a card payment fails; other payments have none.
func (c Case) failure(code gateway.ReasonCode) payment.Failure {
	if c.Payment.Method.Kind() != payment.Card {
		return payment.Failure{}
	}
	return payment.FailureOf(code, c.Payment.Language)
}

// commandFor is what a resolution does to the payment; empty: nothing.
func (c Case) commandFor(kind discrepancy.Kind, r Resolution) payment.Command {
	isOpen := !c.Payment.Status.IsFinal()
	switch kind {
	case discrepancy.MissingPayout, discrepancy.UnknownOutcome, discrepancy.CodeWanted:
		if c.Operation.Kind != PayoutOperation || !isOpen {
			return ""
		}
		if r == AcceptMoney {
			return payment.Complete
		}
		return payment.Fail
	case discrepancy.SurplusMoney, discrepancy.ReturnedPayout, discrepancy.StuckOperation, discrepancy.UnconfirmedNews:
		return ""
	case discrepancy.ReversedMoney, discrepancy.RefundElsewhere, discrepancy.Dispute:
		if r == AcceptMoney {
			return "" // there is none to complete a payment with
		}
	case discrepancy.CreditDiffers:
		return ""
	case discrepancy.LateMoney, discrepancy.ShortMoney, discrepancy.OverMoney, discrepancy.OtherMoney, discrepancy.UnderReview, discrepancy.LatePayout:
	}
	if r == AcceptMoney && (isOpen || c.Payment.Status != payment.Completed && c.Payment.Status != payment.Success) {
		return payment.Accept
	}
	if r == WriteOff && isOpen && c.Payment.Gateway.OperationID == c.Operation.ID {
		return payment.Reject
	}
	return ""
}
