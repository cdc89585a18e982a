package operation

import (
	"strings"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
)

// RefundPlan is what staff want to give back.
type RefundPlan struct {
	Amount      gateway.Money // in the asset that arrived; zero: what is left, of a discrepancy only what is too much
	Target      map[string]string
	Discrepancy core.ID // the discrepancy that it settles; empty: the payment itself is given back
}

// RefundTerms are what giving a payment's money back takes.
type RefundTerms struct {
	Left       gateway.Money       // what may still be given back
	TakesParts bool                // whether a part can be given back
	Needs      []gateway.FieldSpec // what is asked of the payee
}

// maxRefunds bounds how often something of one payment is given back, with the times that were called off or failed.
const maxRefunds = 100

// DecideRefund plans a refund of the case's operation: it is due at once. There is no refund of nothing. Faults: NotAllowed
// (nothing arrived there, or what did waits as a discrepancy that the plan does not name, or the discrepancy is of money
// that is gone, or there were too many), NotFound and AlreadyFinal (of the discrepancy), Invalid (more than is left, or than the discrepancy is
// about; also where that is nothing).
func DecideRefund(c Case, plan RefundPlan, d payment.Decision) (core.Changeset, error) {
	const op = "core.DecideRefund"
	paid := c.Operation
	isWaiting := plan.Discrepancy == "" && !c.isCredited(paid) && c.hasOpen()
	if paid.Kind != DepositOperation || paid.Paid.Amount.Sign() <= 0 || isWaiting {
		return core.Changeset{}, fault.New(op, fault.NotAllowed, string(c.Payment.Status))
	}
	most, number := c.Left()
	if number > maxRefunds {
		return core.Changeset{}, fault.New(op, fault.NotAllowed, string(c.Payment.Status))
	}
	if plan.Discrepancy != "" {
		known, err := c.open(op, plan.Discrepancy)
		if err != nil {
			return core.Changeset{}, err
		}
		if known.Kind == discrepancy.ReversedMoney || known.Kind == discrepancy.RefundElsewhere {
			return core.Changeset{}, fault.New(op, fault.NotAllowed, string(known.Kind))
		}
		most = c.leftOf(known, most)
	}
	amount := plan.Amount
	if amount.Amount.Sign() == 0 {
		amount = most
	}
	var form core.Form
	if !amount.IsSameAsset(most) || amount.Amount.Sign() <= 0 || amount.Amount.Cmp(most.Amount) > 0 {
		form.Fail("amount", "field.range", most.Amount.String())
	}
	if err := form.Err(op); err != nil {
		return core.Changeset{}, err
	}
	o := Operation{
		ID: d.IDs.Next(), Version: 1, PaymentID: c.Payment.ID, TrackingCode: c.Payment.TrackingCode, Kind: RefundOperation,
		Number: number, GatewayID: paid.GatewayID, GatewayKind: paid.GatewayKind, Of: paid.ID, Why: d.Reason, By: d.By, Amount: amount,
		Due: amount, Fields: plan.Target, Phase: Planned, CreatedAt: d.At, NextAt: d.At,
		Reference: refOf(c.Payment.TrackingCode, RefundOperation, number),
	}
	o.Key = gateway.Key(strings.ToLower(string(o.ID)))
	// What is left of the deposit's money is also what a dispute takes, and what another decision accepts, either of which may be made now.
	change := c.relying(core.Changeset{o, c.note(payment.GiveBack, amount, d)}, d.At)
	for _, known := range c.Discrepancies {
		if known.ID == plan.Discrepancy {
			known.Version++
			known.Status, known.RefundID, known.UpdatedAt = discrepancy.Refunding, o.ID, d.At
			known.ResolvedBy, known.Reason = d.By, d.Reason
			change = append(change, known)
		}
	}
	return change, nil
}

// open finds an open discrepancy of the case's operation. Faults: NotFound, AlreadyFinal (resolved before), NotAllowed (a
// refund is under way).
func (c Case) open(op string, id core.ID) (discrepancy.Discrepancy, error) {
	for _, known := range c.Discrepancies {
		switch {
		case known.ID != id || known.OperationID != c.Operation.ID:
		case known.Status == discrepancy.Refunding:
			return known, fault.New(op, fault.NotAllowed, string(known.Status))
		case known.Status != discrepancy.Open:
			return known, fault.New(op, fault.AlreadyFinal, string(known.Status))
		default:
			return known, nil
		}
	}
	return discrepancy.Discrepancy{}, fault.New(op, fault.NotFound)
}

// isCredited reports whether the payment was completed with an operation's money.
func (c Case) isCredited(o Operation) bool {
	p := c.Payment
	return p.Gateway.OperationID == o.ID && (p.Status == payment.Completed || p.Status == payment.Success)
}

// Left is what may still be given back of the case's operation, and the number of the payment's next refund.
func (c Case) Left() (gateway.Money, int) {
	left := c.Operation.Paid
	given := c.refunds(c.Operation, func(s gateway.RefundState) bool { return s != gateway.RefundFailed })
	left.Amount = left.Amount.Sub(given).Sub(c.disputed(c.Operation))
	return left, CountOf(c.Others, RefundOperation) + 1
}

// leftOf is what may be given back of a discrepancy, of what is left in all: no more than it is about, and nothing that is
// the payment's own.
func (c Case) leftOf(known discrepancy.Discrepancy, left gateway.Money) gateway.Money {
	if c.isCredited(c.Operation) {
		left.Amount = left.Amount.Sub(c.Operation.Due.Amount).Add(c.disputed(c.Operation))
	}
	switch isSeen := known.Seen.IsSameAsset(left); {
	case !isSeen || left.Amount.Sign() < 0:
		left.Amount = money.Decimal{}
	case known.Seen.Amount.Cmp(left.Amount) < 0:
		left.Amount = known.Seen.Amount
	}
	return left
}

// refunds sums the refunds of a deposit's money, of the states that count.
func (c Case) refunds(of Operation, counts func(gateway.RefundState) bool) money.Decimal {
	var sum money.Decimal
	for _, o := range append([]Operation{c.Operation}, c.Others...) {
		isOf := o.Kind == RefundOperation && o.Of == of.ID && o.Amount.IsSameAsset(of.Paid)
		if isOf && counts(gateway.RefundState(o.Status)) {
			sum = sum.Add(o.Amount.Amount)
		}
	}
	return sum
}

// DecideRefundReported takes a report about a refund. The same report again changes nothing. Only a whole refund that is
// done changes a card payment's status.
func DecideRefundReported(c Case, r gateway.RefundReport, d payment.Decision) (core.Changeset, error) {
	o := c.Operation
	before := gateway.RefundState(o.Status)
	isOver := before == gateway.RefundDone || before == gateway.RefundFailed && r.State != gateway.RefundDone
	switch {
	case o.Kind != RefundOperation:
		return core.Changeset{}, nil
	case r.Trust < gateway.Answered: // a notification is a cue: nothing ends without an answer to our own question
		return DecideAsk(o, d.At), nil
	case isOver && !o.IsCued():
		return core.Changeset{}, nil
	case !isOver && isOlder(o, d):
		return decideOlder(o, string(r.State), d), nil
	}
	w := discrepancies{c: c, d: d}
	if r.State == gateway.RefundUnknown {
		w.notAnswered(&o)
	} else {
		w.answered(&o)
	}
	if isOver { // only news of it was asked about
		o.Version++
		o.close(d.At)
		return core.Changeset{o}.Merge(core.Rows(w.list)), nil
	}
	w.settle("the gateway has it", discrepancy.UnknownOutcome)
	o.Version++
	o.Checks++
	o.NotFound = 0
	if o.Phase == Calling || o.Phase == Planned {
		o.Phase, o.StartedAt, o.Checks = Open, d.At, 0
	}
	o.External = o.External.Learn(r.External)
	if r.State != gateway.RefundUnknown {
		o.Status, o.RawState = string(r.State), r.Raw
	}
	if r.Reason != nil {
		o.Reason = *r.Reason
	}
	if isLess(r.Amount, o.Amount) && r.State == gateway.RefundDone {
		o.Amount = *r.Amount // what was really given back counts; Due keeps what was asked for
	}
	if r.State == gateway.RefundDone && before == gateway.RefundFailed {
		w.open(discrepancy.RefundElsewhere, o.Amount, "given back after it counted as failed")
	}
	w.underWay(o)
	o.schedule(d.At)
	change := core.Rows(w.list)
	ended, err := c.refundEnded(o, d)
	return change.Merge(ended), err
}

// isLess reports whether a refund gave back less than was asked for.
func isLess(given *gateway.Money, asked gateway.Money) bool {
	return given != nil && given.Amount.Sign() > 0 && given.IsSameAsset(asked) && given.Amount.Cmp(asked.Amount) < 0
}

// refundEnded takes a refund that is done or failed to what it was for; one under way only changes itself. Its deposit is saved in any case:
// whatever else is decided about that at this moment has to count the refund as it is now.
func (c Case) refundEnded(o Operation, d payment.Decision) (core.Changeset, error) {
	switch gateway.RefundState(o.Status) {
	case gateway.RefundDone:
		o.close(d.At)
		return c.refundDone(o, d)
	case gateway.RefundFailed:
		o.close(d.At)
		paid, _ := c.kept(o)
		paid.Version++
		return core.Changeset{o, paid}.Merge(core.Rows(c.ofRefund(o.ID, discrepancy.Open, d))), nil
	default:
		return core.Changeset{o}, nil
	}
}

// refundDone counts what is left of the deposit. A discrepancy of which a part is still there stays for staff; a payment
// that was held open for money which is all given back has ended.
func (c Case) refundDone(o Operation, d payment.Decision) (core.Changeset, error) {
	paid, kept := c.kept(o)
	p := c.Payment
	if o.By.Kind != "" {
		d.By = o.By // the gateway only reports what somebody decided
	}
	isCredited := c.isCredited(paid)
	state := discrepancy.Refunded
	if isTooMuch := !isCredited || kept.Cmp(paid.Due.Amount) > 0; kept.Sign() > 0 && isTooMuch {
		state = discrepancy.Open
	}
	isOver := !isCredited && !p.Status.IsFinal() && p.Gateway.OperationID == paid.ID && kept.Sign() <= 0
	if isOver {
		paid = paid.letGo(d.At)
	} else {
		paid.Version++
	}
	change := core.Changeset{o, paid}.Merge(core.Rows(c.ofRefund(o.ID, state, d)))
	var move core.Changeset
	var err error
	switch {
	case isCredited:
		move, err = giveBackOwn(p, paid, kept, d)
	case isOver:
		p.Failure = c.failure(gateway.Declined)
		move, err = payment.Decide(p, payment.Reject, d)
	}
	return change.Merge(move), err
}

// kept is the deposit that a refund gives back, and what is left of its money once that is done.
func (c Case) kept(refund Operation) (Operation, money.Decimal) {
	var paid Operation
	for _, o := range c.Others {
		if o.ID == refund.Of {
			paid = o
		}
	}
	c.Operation = refund
	given := c.refunds(paid, func(s gateway.RefundState) bool { return s == gateway.RefundDone })
	return paid, paid.Paid.Amount.Sub(given).Sub(c.disputed(paid))
}

// disputed is what disputes have taken of a deposit's money: nobody can be given it back.
func (c Case) disputed(of Operation) money.Decimal {
	if c.Payment.Gateway.OperationID != of.ID || of.Paid.Asset.Code != c.Payment.Amount.Currency().Code {
		return money.Decimal{}
	}
	return c.Payment.Gateway.Disputed.Decimal()
}

// giveBackOwn counts what a payment itself gave back: what came beyond its credit does not. A card payment of which nothing is
// left is refunded.
func giveBackOwn(p payment.Payment, paid Operation, kept money.Decimal, d payment.Decision) (core.Changeset, error) {
	own := p.Amount.Decimal()
	if paid.Paid.Amount.Cmp(own) < 0 {
		own = paid.Paid.Amount
	}
	back, err := own.Sub(kept).Amount(p.Amount.Currency())
	if err != nil || paid.Paid.Asset.Code != p.Amount.Currency().Code || back.Minor() < 0 {
		back = p.Gateway.Refunded // in a coin the operations say how much; and of a surplus nothing is the payment's
	}
	isNew := back.Minor() != p.Gateway.Refunded.Minor()
	p.Gateway.Refunded = back
	if p.Method.Kind() == payment.Card && p.Status == payment.Success && kept.Sign() <= 0 {
		return payment.Advance(p, payment.Refund, p.Amount, d)
	}
	var change core.Changeset
	if kept.Sign() <= 0 {
		change = core.Rows(payment.Supersede(nil, d.Callbacks, d.At))
	}
	if !isNew {
		return change, nil
	}
	p.Version++
	p.UpdatedAt = d.At
	change = append(change, p)
	return change, nil
}

// ofRefund brings the discrepancies that a refund was to settle into a state.
func (c Case) ofRefund(id core.ID, state discrepancy.Status, d payment.Decision) []discrepancy.Discrepancy {
	var changed []discrepancy.Discrepancy
	for _, known := range c.Discrepancies {
		if known.RefundID == id && known.Status == discrepancy.Refunding {
			known.Version++
			known.Status, known.UpdatedAt = state, d.At
			changed = append(changed, known)
		}
	}
	return changed
}

// DecideRefundNoAnswer takes a failed question about a refund.
func DecideRefundNoAnswer(c Case, a Asked, d payment.Decision) core.Changeset {
	w := discrepancies{c: c, d: d}
	o := w.noAnswer(a)
	if o.Phase == Calling && o.NotFound >= 2 && d.At.Sub(o.StartedAt) >= a.Keys.Settle || o.isUnknown(d.At) {
		w.open(discrepancy.UnknownOutcome, o.Amount, "a refund's outcome is not known: "+string(a.Err.Class))
	} else {
		w.openUnknown(o, a)
	}
	return core.Changeset{o}.Merge(core.Rows(w.list))
}
