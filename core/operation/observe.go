package operation

import (
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
)

// DecideObserved takes a report about a deposit into its payment. The same report again changes nothing. What is only a
// cue has the gateway asked at once, and so has an answer that is older than one that was taken. A report that came out of order changes nothing either, unless it tells of more
// money than was known: money is never passed over.
func DecideObserved(c Case, seen gateway.Observation, d payment.Decision) (core.Changeset, error) {
	w := &watch{c: c, d: d, o: c.Operation, seen: seen, money: discrepancies{c: c, d: d}}
	switch {
	case c.Operation.Kind != DepositOperation:
		return core.Changeset{}, nil // a notification that names something else: what it says is not about that
	case seen.IsCue():
		return DecideAsk(c.Operation, d.At), nil
	case isOlder(c.Operation, d):
		return decideOlder(c.Operation, string(seen.State), d), nil
	}
	w.note()
	if err := w.takeIn(); err != nil {
		return core.Changeset{}, err
	}
	return w.result(), nil
}

func (w *watch) takeIn() error {
	if w.seen.State.Rank() >= gateway.State(w.c.Operation.Status).Rank() {
		return w.apply()
	}
	w.contradict()
	return w.more()
}

// watch is the work on one report.
type watch struct {
	c     Case
	d     payment.Decision
	o     Operation // as it becomes
	seen  gateway.Observation
	money discrepancies
	move  core.Changeset // of the payment
}

// note keeps what the report says of the operation itself.
func (w *watch) note() {
	w.o.Version++
	if w.o.Phase == Calling {
		w.o.Phase, w.o.StartedAt, w.o.Checks = Open, w.d.At, 0
		w.money.settle("the gateway has it", discrepancy.UnknownOutcome)
	}
	w.o.NotFound = 0
	w.o.Checks++
	w.o.Confirmations = max(w.o.Confirmations, w.seen.Confirms)
	w.o.External = w.o.External.Learn(w.seen.External)
	if got, ok := arrived(w.seen); ok && isMore(got, w.o) {
		w.o.Paid = got
		w.o.bring(got)
	}
	if w.seen.State == gateway.Unknown {
		w.money.notAnswered(&w.o)
	} else {
		w.money.answered(&w.o)
	}
	w.o.schedule(w.d.At)
}

// isTry reports whether only one try of the customer failed: on the same page another may succeed.
func isTry(seen gateway.Observation) bool { return seen.State == gateway.Failed && seen.CanStillPay }

// contradict is for a gateway that takes back what it had answered before. That the time is over takes no money back
// which the same report says is there.
func (w *watch) contradict() {
	wasPaid := gateway.State(w.o.Status).Rank() == gateway.Paid.Rank()
	_, isThere := arrived(w.seen)
	isOnlyOver := isThere && w.seen.State == gateway.Expired
	if wasPaid && w.seen.State.Rank() == gateway.Failed.Rank() && !isTry(w.seen) && !isOnlyOver {
		w.money.open(discrepancy.ReversedMoney, w.o.Paid, "the gateway now says "+string(w.seen.State))
	}
}

func (w *watch) apply() error {
	if w.seen.State == gateway.Unknown {
		return nil
	}
	if w.seen.Reason != nil {
		w.o.Reason = *w.seen.Reason
	}
	if !isTry(w.seen) {
		w.o.Status, w.o.RawState = string(w.seen.State), w.seen.Raw
	}
	switch w.seen.State {
	case gateway.Paid, gateway.OverPaid, gateway.PartPaid:
		return w.paid()
	case gateway.Review:
		return w.hold(discrepancy.UnderReview, w.said(), "held by the gateway's fraud check")
	case gateway.Processing, gateway.Authorized:
		return w.seeMoney()
	case gateway.Failed, gateway.Canceled, gateway.Expired:
		return w.ended()
	case gateway.Refunded, gateway.Refunding, gateway.PartRefunded:
		w.refunded()
		return w.more()
	case gateway.Disputed:
		if w.c.Payment.Gateway.Disputes == 0 { // one that is kept says itself what there is to do
			w.money.open(discrepancy.Dispute, w.o.Paid, "the payer's bank wants the money back")
		}
		return w.more()
	case gateway.Waiting, gateway.Unknown:
	}
	return nil
}

// seeMoney moves a deposit that still shows; a card has no such status. The operation where the money was seen is the one
// that counts from then on, even if it had been ended for us.
func (w *watch) seeMoney() error {
	if p := w.c.Payment; p.Method.Kind() != payment.Deposit || p.Status != payment.Showing {
		return nil
	}
	if err := w.decide(payment.SeeMoney); err != nil {
		return err
	}
	w.move = core.Edit(w.move, w.settles)
	if !w.o.IsLive() {
		w.o.Phase, w.o.Checks, w.o.EndedAt = Open, 0, time.Time{}
		w.o.schedule(w.d.At)
	}
	return nil
}

// ended is for a deposit that the gateway calls off. A failure on a page where the customer may try again is only noted;
// money that is there keeps the payment open.
func (w *watch) ended() error {
	if isTry(w.seen) {
		return nil
	}
	if w.o.Paid.Amount.Sign() > 0 {
		return w.endedWithMoney()
	}
	if w.isAccepted() {
		w.money.open(discrepancy.ReversedMoney, w.o.Due, "accepted before the gateway confirmed it; now it says "+string(w.seen.State))
	}
	w.money.settle("the gateway says "+string(w.seen.State), discrepancy.UnderReview)
	w.o.IsHeld = false
	w.watchLate()
	p := w.c.Payment
	if p.Status.IsFinal() || p.Gateway.OperationID != w.o.ID {
		return nil
	}
	if w.mayTryAgain() {
		d := w.d
		d.Reason = w.o.reasonText()
		var err error
		w.move, err = released(p, payment.GiveUp, d)
		return err
	}
	return w.decide(w.commandOfEnd())
}

// mostRefusals is how often a payment is refused before it ends: nobody tries card after card at all gateways.
const mostRefusals = 5

// mayTryAgain reports whether a payment that is known not to be made at one gateway's own page may be made another way: money was seen
// nowhere, and there is time. What comes there after all is credited, or a discrepancy, as of any try that was left for another.
func (w *watch) mayTryAgain() bool {
	before, p, refusals := w.c.Operation, w.c.Payment, 1
	for _, o := range w.c.Others {
		if o.Kind == DepositOperation && gateway.State(o.Status) == gateway.Failed {
			refusals++
		}
	}
	isFraud := w.o.Reason.Code == gateway.LostOrStolen || w.o.Reason.Code == gateway.FraudSuspected
	isSeen := before.IsHeld || gateway.State(before.Status).IsHeld() || p.Status == payment.Processing
	isAtPage := slices.Contains([]gateway.StepKind{gateway.StepRedirect, gateway.StepForm, gateway.StepHTML}, w.o.Next.Kind())
	hasTime := !w.o.IsOverdue(w.d.At.Add(time.Minute))
	return w.c.HasOtherWay && isAtPage && hasTime && !isSeen && !isFraud && !before.IsUnwanted && refusals < mostRefusals
}

// endedWithMoney is for an end with money there, of which somebody must know.
func (w *watch) endedWithMoney() error {
	w.o.IsHeld = !w.c.Payment.Status.IsFinal()
	got, isNews := w.news()
	if !isNews {
		got = w.o.Paid
	}
	var err error
	if isNews || !w.c.hasOpen(discrepancy.ShortMoney, discrepancy.OverMoney, discrepancy.OtherMoney, discrepancy.UnderReview, discrepancy.LateMoney, discrepancy.SurplusMoney) {
		err = w.misfits(got)
	}
	w.watchLate()
	return err
}

func (w *watch) commandOfEnd() payment.Command {
	switch {
	case w.seen.State == gateway.Canceled && !w.c.Operation.IsOverdue(w.d.At):
		return payment.Cancel
	case w.seen.State == gateway.Failed || w.c.Payment.Status == payment.Processing:
		return payment.Fail
	default:
		return payment.Expire
	}
}

// watchLate ends the operation for us; money may still come.
func (w *watch) watchLate() {
	if w.o.Phase == Open {
		w.o.Phase, w.o.Checks, w.o.EndedAt = Late, 0, w.d.At
	}
	w.o.schedule(w.d.At)
}

// refunded is money given back at the gateway. What Vezne's own refunds gave back is no news.
func (w *watch) refunded() {
	own := w.c.refunds(w.o, func(s gateway.RefundState) bool { return s != gateway.RefundFailed })
	back := w.o.Paid
	if w.seen.Refunded != nil {
		back = *w.seen.Refunded
	}
	isTold := w.seen.Refunded != nil || w.seen.State == gateway.Refunded
	if own.Sign() > 0 && (!isTold || back.Amount.Cmp(own) <= 0) {
		return
	}
	w.money.open(discrepancy.RefundElsewhere, back, "given back at the gateway")
}

// decide moves the payment along its table.
func (w *watch) decide(command payment.Command) error {
	p := w.c.Payment
	if p.Method.Kind() == payment.Card && (command == payment.Fail || command == payment.Expire) {
		code := w.o.Reason.Code
		if command == payment.Expire {
			code = gateway.TimedOut
		}
		p.Failure = payment.FailureOf(code, p.Language)
	}
	d := w.d
	if d.Reason = ""; command != payment.Succeed && command != payment.SeeMoney {
		d.Reason = w.o.reasonText()
	}
	move, err := w.transition(p, command, d)
	if err != nil {
		return err
	}
	w.move = move
	if ended, _ := core.First[payment.Payment](move); ended.Status.IsFinal() {
		w.move = core.Edit(move, w.settles).Merge(core.Rows(w.c.calledOff(w.d.At)))
	}
	return nil
}

// settles makes the operation the one that counts for the payment.
func (w *watch) settles(p *payment.Payment) { p.Gateway.OperationID = w.o.ID }

// transition moves the payment; success credits it with what the operation brought.
func (w *watch) transition(p payment.Payment, command payment.Command, d payment.Decision) (core.Changeset, error) {
	if command != payment.Succeed {
		if command == payment.Cancel && w.o.IsUnwanted { // the gateway confirms what the customer has asked for
			p.EndedBy = payment.EndedByCustomer
		}
		return payment.Decide(p, command, d)
	}
	p.PaidBy = w.o.GatewayKind
	k := payment.Credit{Amount: w.o.Brought, Source: payment.CreditOfOperation, OperationID: w.o.ID, Brought: w.o.Brought}
	return payment.CompleteWith(p, command, k, d)
}

// reasonText is why a gateway refused, for the payment's history; empty: it did not.
func (o Operation) reasonText() string {
	if o.Reason.Code == "" {
		return ""
	}
	return string(o.Reason.Code) + " " + o.Reason.RawCode
}

func (w *watch) result() core.Changeset {
	change := core.Changeset{w.o}.Merge(core.Rows(w.money.list))
	return change.Merge(w.move)
}
