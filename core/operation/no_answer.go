package operation

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
)

// deadlineGrace is how long after a payment's end an unreachable gateway is asked before the payment expires all the
// same. Money that comes later is a discrepancy, never lost.
const deadlineGrace = time.Minute

// Asked is what is known of a question that the gateway did not answer with a report.
type Asked struct {
	Err  *gateway.Error
	Keys gateway.KeyTraits // of the plugin, for the kind of operation
}

// DecideNoAnswer takes a failed question about a deposit. Nothing is concluded from it, with two exceptions: a start
// that the gateway, after its settling time and on a second look, does not know did not happen; and a payment whose time
// is over for a minute expires.
func DecideNoAnswer(c Case, a Asked, d payment.Decision) (core.Changeset, error) {
	w := discrepancies{c: c, d: d}
	o := w.noAnswer(a)
	isSettled := a.Keys.Find && d.At.Sub(o.CreatedAt) >= a.Keys.Settle
	if o.Phase == Calling && o.NotFound >= 2 && isSettled && o.External.IsZero() && !c.Operation.IsCued() {
		c.Operation.NotFound = o.NotFound
		return DecideNotTaken(c, &gateway.Error{Class: gateway.NotFound, Effect: gateway.EffectNone, RawCode: "not found twice"}, d)
	}
	w.openUnknown(o, a)
	change := core.Changeset{o}.Merge(core.Rows(w.list))
	if c.Operation.IsOverdue(d.At.Add(-deadlineGrace)) {
		return decideDeadline(c, change, d)
	}
	return change, nil
}

// noAnswer is the case's operation after a question that brought no report.
func (w *discrepancies) noAnswer(a Asked) Operation {
	o := w.c.Operation
	o.Version++
	o.Checks++
	o.NotFound++
	if a.Err.Class != gateway.NotFound {
		o.NotFound = 0
	}
	wasDoubted := o.settleDoubt(a, w.d.At)
	w.notAnswered(&o)
	o.schedule(w.d.At)
	o.waitFor(a.Err.RetryAfter, w.d.At)
	if wasDoubted && o.Kind == PayoutOperation {
		o.NextAt = time.Time{}
	}
	return o
}

// openUnknown has staff look at an operation whose outcome could not be learned, or whose gateway is silent. A deposit that is silent
// ends by its time.
func (w *discrepancies) openUnknown(o Operation, a Asked) {
	switch {
	case o.isUnknown(w.d.At):
		w.open(discrepancy.UnknownOutcome, gateway.Money{}, "the gateway could not be asked: "+string(a.Err.Class))
	case o.isSilent(w.d.At) && o.Kind != DepositOperation:
		w.open(discrepancy.StuckOperation, gateway.Money{}, "the gateway has not answered for a day: "+string(a.Err.Class))
	}
}

// isUnknown reports whether a call's outcome could not be learned for a day.
func (o Operation) isUnknown(now time.Time) bool {
	return o.Phase == Calling && (o.Checks >= len(unknownSchedule()) || o.isSilent(now))
}

// DecideDeadline ends a payment whose time is over, after the gateway was told to cancel and was asked once more. What
// the gateway saw meanwhile wins, and of news that came while it was asked it is asked first, for the time of grace.
func DecideDeadline(c Case, d payment.Decision) (core.Changeset, error) {
	return decideDeadline(c, core.Changeset{}, d)
}

func decideDeadline(c Case, change core.Changeset, d payment.Decision) (core.Changeset, error) {
	o, ok := core.First[Operation](change)
	if !ok {
		o = c.Operation
		o.Version++
	}
	isAsked := o.IsCued() && !o.IsOverdue(d.At.Add(-deadlineGrace))
	if !o.IsOverdue(d.At) || !o.IsLive() || isAsked {
		return change, nil
	}
	w := &watch{c: c, d: d, o: o}
	if w.o.Phase == Open {
		w.watchLate()
	}
	p := c.Payment
	isOurs := !p.Status.IsFinal() && p.Gateway.OperationID == o.ID
	if p.Status == payment.Processing {
		isOurs = false // the gateway saw money: it waits, and shows as overdue
		w.o = o
		w.o.schedule(d.At)
	}
	if isOurs {
		if err := w.decide(payment.Expire); err != nil {
			return core.Changeset{}, err
		}
	}
	return append(core.Without[Operation](change), w.o).Merge(w.move), nil
}

// DecideFinishing claims the one call that settles a customer's return. ok is false when it was made before.
func DecideFinishing(o Operation, at time.Time, lease time.Duration) (change core.Changeset, ok bool) {
	if o.IsFinished || o.Kind != DepositOperation || o.Phase == Planned || o.Phase == Closed {
		return core.Changeset{}, false
	}
	o.Version++
	o.IsFinished = true
	o.NextAt, o.LeaseUntil = at.Add(lease), at.Add(lease)
	return core.Changeset{o}, true
}

// DecideUnwanted asks the worker to cancel a deposit at its gateway: the customer called it off.
func DecideUnwanted(o Operation, at time.Time) core.Changeset {
	return core.Changeset{o.unwanted(at)}
}
