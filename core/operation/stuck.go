package operation

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
)

// A payout or a refund that is planned and does not leave (its gateway is under maintenance or out of funds, its account is
// switched off) is tried for a day, and nobody forgets it: staff are told after an hour, or after five tries. After a day
// nothing leaves by itself any more, for by then people have settled it otherwise: a payout waits until staff approve it
// anew or fail it, a transfer fails and its dealer gets back what was reserved, a refund fails and may be made again.
const (
	stuckTries = 5
	stuckAfter = time.Hour
	stuckRest  = 5 * time.Minute // between looks at one that can't be tried
)

// How long a gateway may have a payout or a refund under way before staff are told; it is asked about all the same.
const (
	payoutTakes = 3 * 24 * time.Hour
	refundTakes = 14 * 24 * time.Hour
)

// MaySend reports whether a payout or refund is here and not at its gateway, as far as anybody knows: news of one that was
// tried before is asked about first.
func (o Operation) MaySend() bool { return o.Phase == Planned && !o.IsCued() }

// releasedAt is since when it may leave.
func (o Operation) releasedAt() time.Time { return later(o.CreatedAt, o.ReleasedAt) }

// IsStuck reports whether a payout or refund should have left, and somebody is to be told that it has not.
func (o Operation) IsStuck(now time.Time) bool {
	return o.MaySend() && !o.NextAt.IsZero() && now.Sub(o.releasedAt()) >= stuckAfter
}

// isTooLate reports whether it does not leave any more by itself.
func (o Operation) isTooLate(now time.Time) bool { return now.Sub(o.releasedAt()) >= patience }

// isStopped reports whether it is a payout that has not left, and leaves only when staff approve it.
func (o Operation) isStopped() bool {
	return o.Kind == PayoutOperation && o.Phase == Planned && o.NextAt.IsZero()
}

// DecideStuck looks at a payout or refund that can't be tried now, and why. What is not stuck yet is left as it is.
func DecideStuck(c Case, why string, d payment.Decision) (core.Changeset, error) {
	o := c.Operation
	if !o.IsStuck(d.At) {
		return core.Changeset{}, nil
	}
	if o.Kind == PayoutOperation && c.Payment.Status.IsFinal() {
		return c.notWanted(o, d), nil
	}
	o.Version++
	o.NextAt, o.LeaseUntil = d.At.Add(stuckRest), time.Time{}
	return c.stuck(o, why, d)
}

// notWanted ends a payout whose payment has ended.
func (c Case) notWanted(o Operation, d payment.Decision) core.Changeset {
	w := discrepancies{c: c, d: d}
	w.settle("called off", discrepancy.StuckOperation)
	o.end(gateway.Canceled, d.At)
	return core.Changeset{o}.Merge(core.Rows(w.list))
}

// stuck is for an operation that did not leave; its next try is set.
func (c Case) stuck(o Operation, why string, d payment.Decision) (core.Changeset, error) {
	w := discrepancies{c: c, d: d}
	p := c.Payment
	switch isExpiring := p.Status == payment.Showing && !p.ExpiresAt.IsZero() && !d.At.Before(p.ExpiresAt); {
	case o.IsCued(): // asked about first
	case !o.isTooLate(d.At), o.Kind == PayoutOperation && isExpiring: // the sweeper calls it off
		if o.Tries >= stuckTries || d.At.Sub(o.releasedAt()) >= stuckAfter {
			w.openSince(o.releasedAt(), discrepancy.StuckOperation, gateway.Money{}, "it has not left: "+why)
		}
	case o.Kind == RefundOperation:
		w.openSince(d.At, discrepancy.StuckOperation, gateway.Money{}, "given up after a day: "+why)
		o.Status = string(gateway.RefundFailed)
		ended, err := c.refundEnded(o, d)
		return ended.Merge(core.Rows(w.list)), err
	case p.Method.Kind() == payment.Transfer:
		w.settle("failed after a day", discrepancy.StuckOperation)
		o.Status = string(gateway.PayoutFailed)
		o.close(d.At)
		ended, err := settleTransfer(c, o, payment.Fail, d)
		return ended.Merge(core.Rows(w.list)), err
	default:
		o.NextAt = time.Time{}
		w.openSince(d.At, discrepancy.StuckOperation, gateway.Money{}, "it leaves no more by itself: "+why)
	}
	return core.Changeset{o}.Merge(core.Rows(w.list)), nil
}

// underWay reports what a gateway has had for too long, or settles that once it is over.
func (w *discrepancies) underWay(o Operation) {
	takes := payoutTakes
	if o.Kind == RefundOperation {
		takes = refundTakes
	}
	isOver := o.Status == string(gateway.RefundDone) || o.Status == string(gateway.RefundFailed)
	if o.Phase == Open && !isOver && w.d.At.Sub(o.StartedAt) >= takes {
		w.open(discrepancy.StuckOperation, gateway.Money{}, "the gateway has not finished it for days")
		return
	}
	w.settle("the gateway has it", discrepancy.StuckOperation)
}

// DecideCallOff ends a payout that has not left: reject and cancel one that was never sent, fail one whose every try is
// known to have had no effect. Faults: NotAllowed (it has left, or may have; otherwise the fault names what is allowed),
// those of Decide.
func DecideCallOff(c Case, command payment.Command, d payment.Decision) (core.Changeset, error) {
	const op = "core.DecideCallOff"
	_, err := payment.PathOf(c.Payment, command)
	switch {
	case fault.Is(err, fault.NotAllowed) && c.Operation.MaySend():
		return core.Changeset{}, fault.New(op, fault.NotAllowed, c.Payment.MayInstead())
	case err != nil:
		return core.Changeset{}, err
	case !c.Operation.MaySend(): // the status of a transfer does not tell
		return core.Changeset{}, fault.New(op, fault.NotAllowed, string(c.Payment.Status))
	}
	change, err := payment.Decide(c.Payment, command, d)
	if err != nil {
		return core.Changeset{}, err
	}
	return change.Merge(c.notWanted(c.Operation, d)), nil
}

// DecideCancelRefund calls off a refund that has not left: the discrepancy that it was to settle is open again. Faults:
// WrongMethod (it is no refund), NotAllowed (it has left, or may have), AlreadyFinal.
func DecideCancelRefund(c Case, d payment.Decision) (core.Changeset, error) {
	const op = "core.DecideCancelRefund"
	o := c.Operation
	switch {
	case o.Kind != RefundOperation:
		return core.Changeset{}, fault.New(op, fault.WrongMethod, string(c.Payment.Method))
	case o.Phase == Closed:
		return core.Changeset{}, fault.New(op, fault.AlreadyFinal, o.Status)
	case !o.MaySend():
		return core.Changeset{}, fault.New(op, fault.NotAllowed, string(o.Phase))
	}
	w := discrepancies{c: c, d: d}
	w.settle("called off", discrepancy.StuckOperation)
	o.Version++
	o.Status, o.RawState = string(gateway.RefundFailed), "called off"
	ended, err := c.refundEnded(o, d)
	return ended.Merge(core.Rows(w.list)), err
}
