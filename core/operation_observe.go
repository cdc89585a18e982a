package core

import (
	"time"

	"github.com/vezne/vezne/core/gateway"
)

// rank orders a deposit's states: a report of lower rank came out of order and changes nothing. Waiting and processing
// may alternate (a replaced transaction), and a failure may be followed by a success on the same page.
func rank(s gateway.State) int {
	switch s {
	case gateway.Waiting, gateway.Processing, gateway.Authorized:
		return 1
	case gateway.Review, gateway.PartPaid:
		return 2
	case gateway.Failed, gateway.Canceled, gateway.Expired:
		return 3
	case gateway.Paid, gateway.OverPaid:
		return 4
	case gateway.Refunding, gateway.Refunded, gateway.PartRefunded, gateway.Disputed:
		return 5
	default:
		return 0
	}
}

// IsCue tells whether a report is only a reason to ask: it is not trusted enough, or not complete enough, to move money,
// and nothing ends without an answer of the gateway's own.
func IsCue(o gateway.Observation) bool {
	if o.Trust >= gateway.Answered {
		return false
	}
	saysPaid := o.State == gateway.Paid && o.Paid != nil
	return o.Trust < gateway.Signed || !saysPaid
}

// DecideObserved takes a report about a deposit into its payment. The same report again changes nothing. What is only a
// cue has the gateway asked at once.
func DecideObserved(c Case, seen gateway.Observation, d Decision) (Changeset, error) {
	w := &watch{c: c, d: d, o: c.Operation, seen: seen, money: discrepancies{c: c, d: d}}
	if IsCue(seen) {
		return w.ask(), nil
	}
	w.note()
	if rank(seen.State) < rank(gateway.State(c.Operation.State)) {
		w.contradict()
	} else if err := w.apply(); err != nil {
		return Changeset{}, err
	}
	return w.result(), nil
}

// watch is the work on one report.
type watch struct {
	c     Case
	d     Decision
	o     Operation // as it becomes
	seen  gateway.Observation
	money discrepancies
	move  Changeset // of the payment
}

func (w *watch) ask() Changeset {
	o := w.o
	isSoon := !o.NextAt.IsZero() && !o.NextAt.After(w.d.At)
	if isSoon || o.Phase == Planned {
		return Changeset{}
	}
	o.Version++
	o.NextAt = w.d.At
	return Changeset{Operations: []Operation{o}}
}

// note keeps what the report says of the operation itself.
func (w *watch) note() {
	w.o.Version++
	if w.o.Phase == Calling {
		w.o.Phase, w.o.StartedAt, w.o.Checks = Open, w.d.At, 0
	}
	w.o.NotFound = 0
	w.o.Checks++
	if w.seen.State != gateway.Unknown {
		w.o.Raw = w.seen.Raw
	}
	w.o.Confirms = max(w.o.Confirms, w.seen.Confirms)
	if w.seen.Reason != nil {
		w.o.Reason = *w.seen.Reason
	}
	if w.o.External.IsZero() {
		w.o.External = w.seen.External
	}
	if w.seen.Paid != nil && w.seen.Paid.Amount.Cmp(w.o.Paid.Amount) > 0 {
		w.o.Paid = *w.seen.Paid
	}
	w.o.schedule(w.d.At)
}

// contradict is for a gateway that takes back what it had answered before.
func (w *watch) contradict() {
	wasPaid := rank(gateway.State(w.o.State)) == rank(gateway.Paid)
	if wasPaid && rank(w.seen.State) == rank(gateway.Failed) {
		w.money.open(ReversedMoney, w.o.Paid, "the gateway now says "+string(w.seen.State))
	}
}

func (w *watch) apply() error {
	if w.seen.State == gateway.Unknown {
		return nil
	}
	if w.seen.State != gateway.Failed || !w.seen.CanStillPay {
		w.o.State = string(w.seen.State)
	}
	switch w.seen.State {
	case gateway.Paid, gateway.OverPaid, gateway.PartPaid:
		return w.paid()
	case gateway.Review:
		return w.hold(UnderReview, "held by the gateway's fraud check")
	case gateway.Processing, gateway.Authorized:
		return w.seeMoney()
	case gateway.Failed, gateway.Canceled, gateway.Expired:
		return w.ended()
	case gateway.Refunded, gateway.Refunding, gateway.PartRefunded:
		w.refunded()
	case gateway.Disputed:
		w.money.open(Dispute, w.o.Paid, "the payer's bank wants the money back")
	case gateway.Waiting, gateway.Unknown:
	}
	return nil
}

// paid compares what arrived with what was due, exactly.
func (w *watch) paid() error {
	if w.seen.Paid == nil || w.seen.Paid.Amount.Sign() <= 0 {
		w.o.State = w.c.Operation.State // says paid and not how much: nothing to go by
		return nil
	}
	got, due := *w.seen.Paid, w.o.Due
	switch order := got.Amount.Cmp(due.Amount); {
	case !got.IsSameAsset(due):
		return w.hold(OtherMoney, got.String()+" instead of "+due.String())
	case order < 0:
		return w.hold(ShortMoney, got.String()+" of "+due.String())
	case order > 0:
		return w.hold(OverMoney, got.String()+" instead of "+due.String())
	case w.seen.State == gateway.PartPaid:
		return nil // all of it, and the gateway does not call it paid yet
	}
	w.money.settle("paid in full", ShortMoney, UnderReview)
	return w.credit()
}

// credit completes the payment, once; money for one that has ended is a discrepancy.
func (w *watch) credit() error {
	w.o.Phase, w.o.NextAt, w.o.EndedAt, w.o.IsHeld = Closed, time.Time{}, w.d.At, false
	p := w.c.Payment
	if !p.Status.IsFinal() {
		return w.decide(Succeed)
	}
	switch {
	case gateway.State(w.c.Operation.State) == gateway.Paid:
	case p.Status == Completed || p.Status == Success || p.Status == Refunded:
		w.money.open(SurplusMoney, w.o.Paid, "the payment was paid already")
	default:
		w.money.open(LateMoney, w.o.Paid, "the payment is "+string(p.Status))
	}
	return nil
}

// hold keeps a payment open for staff, or for later news, because of money that does not fit.
func (w *watch) hold(kind DiscrepancyKind, why string) error {
	w.money.open(kind, w.o.Paid, why)
	if w.c.Payment.Status.IsFinal() {
		return nil
	}
	w.o.IsHeld = true
	return w.seeMoney()
}

// seeMoney moves a deposit that still shows; a card has no such status.
func (w *watch) seeMoney() error {
	if p := w.c.Payment; p.Method.Kind() == Deposit && p.Status == Showing {
		return w.decide(SeeMoney)
	}
	return nil
}

// ended is for a deposit that the gateway calls off. A failure on a page where the customer may try again is only noted;
// money that is there keeps the payment open.
func (w *watch) ended() error {
	if w.seen.State == gateway.Failed && w.seen.CanStillPay {
		return nil
	}
	if w.o.Paid.Amount.Sign() > 0 {
		w.o.IsHeld = !w.c.Payment.Status.IsFinal()
		w.watchLate()
		return nil
	}
	w.money.settle("the gateway says "+string(w.seen.State), UnderReview)
	w.o.IsHeld = false
	w.watchLate()
	p := w.c.Payment
	if p.Status.IsFinal() || p.AtGate.OperationID != w.o.ID {
		return nil
	}
	return w.decide(w.commandOfEnd())
}

func (w *watch) commandOfEnd() Command {
	switch {
	case w.seen.State == gateway.Canceled && !w.c.Operation.IsOverdue(w.d.At):
		return Cancel
	case w.seen.State == gateway.Failed || w.c.Payment.Status == Processing:
		return Fail
	default:
		return Expire
	}
}

// watchLate ends the operation for us; money may still come.
func (w *watch) watchLate() {
	w.o.EndedAt = w.d.At
	if w.o.Phase == Open {
		w.o.Phase, w.o.Checks = Late, 0
	}
	w.o.schedule(w.d.At)
}

// refunded is money given back at the gateway. What Vezne's own refunds gave back is no news.
func (w *watch) refunded() {
	for _, other := range w.c.Others {
		if other.Kind == RefundOperation && other.Of == w.o.ID {
			return
		}
	}
	back := w.o.Paid
	if w.seen.Refunded != nil {
		back = *w.seen.Refunded
	}
	w.money.open(RefundElsewhere, back, "given back at the gateway")
}

// decide moves the payment along its table.
func (w *watch) decide(command Command) error {
	p := w.c.Payment
	if p.Method.Kind() == Card && (command == Fail || command == Expire) {
		code := w.o.Reason.Code
		if command == Expire {
			code = gateway.TimedOut
		}
		p.Failure = failureOf(code, p.Language)
	}
	d := w.d
	d.Reason = w.o.reasonText()
	move, err := decide(p, command, p.Amount, d)
	if err != nil {
		return err
	}
	w.move = move
	if ended := &w.move.Payments[0]; ended.Status.IsFinal() {
		ended.AtGate.OperationID = w.o.ID
		w.callOffOthers()
	}
	return nil
}

// reasonText is why a gateway refused, for the payment's history; empty: it did not.
func (o Operation) reasonText() string {
	if o.Reason.Code == "" {
		return ""
	}
	return string(o.Reason.Code) + " " + o.Reason.RawCode
}

// callOffOthers makes the payment's other open deposits unwanted once it has ended.
func (w *watch) callOffOthers() {
	for _, other := range w.c.Others {
		if other.Kind == DepositOperation && other.IsLive() && !other.IsUnwanted {
			w.move.Operations = append(w.move.Operations, other.unwanted(w.d.At))
		}
	}
}

func (w *watch) result() Changeset {
	change := Changeset{Operations: []Operation{w.o}, Discrepancies: w.money.list}
	return change.Merge(w.move)
}
