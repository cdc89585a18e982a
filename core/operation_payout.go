package core

import (
	"time"

	"github.com/vezne/vezne/core/gateway"
)

// payoutRank orders a payout's states as rank orders a deposit's.
func payoutRank(s gateway.PayoutState) int {
	switch s {
	case gateway.PayoutQueued, gateway.PayoutNeedsApproval, gateway.PayoutSent:
		return 1
	case gateway.PayoutRejected, gateway.PayoutFailed, gateway.PayoutCanceled:
		return 2
	case gateway.PayoutDone:
		return 3
	case gateway.PayoutReturned:
		return 4
	default:
		return 0
	}
}

// DecideApprovePayout lets a payout leave that waits for staff. Fault: NotAllowed where it does not wait.
func DecideApprovePayout(c Case, d Decision) (Changeset, error) {
	o := c.Operation
	if _, err := pathOf(c.Payment, Send); err != nil {
		return Changeset{}, err
	}
	if o.Phase != Planned || !o.NextAt.IsZero() {
		return Changeset{}, nil // approved before
	}
	o.Version++
	o.NextAt = d.At
	p := c.Payment
	p.Version++
	p.UpdatedAt = d.At
	return Changeset{Operations: []Operation{o}, Payments: []Payment{p}}, nil
}

// DecideSend commits to sending: from here on the outcome is unknown until the gateway answers. A payment that was
// called off meanwhile is not sent; ok is false then.
func DecideSend(c Case, d Decision, lease time.Duration) (change Changeset, ok bool, err error) {
	o := c.Operation
	if o.Phase != Planned {
		return Changeset{}, false, nil
	}
	if o.Kind == PayoutOperation && c.Payment.Status.IsFinal() {
		o.end(gateway.Canceled, d.At)
		return Changeset{Operations: []Operation{o}}, false, nil
	}
	o.Version++
	o.Phase, o.Checks, o.NotFound = Calling, 0, 0
	o.Tries++
	o.NextAt, o.LeaseUntil = d.At.Add(lease), d.At.Add(lease)
	change.Operations = []Operation{o}
	if o.Kind == PayoutOperation && c.Payment.Status == Showing {
		d.Reason = o.Why
		move, err := decide(c.Payment, Send, c.Payment.Amount, d)
		if err != nil {
			return Changeset{}, false, err
		}
		move.Payments[0].Reason = c.Payment.Reason
		move.Payments[0].AtGate.OperationID = o.ID
		change = change.Merge(move)
	}
	return change, true, nil
}

// DecideNotSent takes a call that is known to have had no effect. A refusal fails the payment; anything else waits and
// is sent again with the same key.
func DecideNotSent(c Case, e *gateway.Error, d Decision) (Changeset, error) {
	o := c.Operation
	o.Version++
	o.Raw = e.RawCode
	if e.Reason != nil {
		o.Reason = *e.Reason
	}
	switch e.Class {
	case gateway.Refused, gateway.Invalid, gateway.Unsupported:
		o.Version--
		o.end(gateway.Failed, d.At)
		return settleTransfer(c, o, Fail, d)
	default:
		o.Phase = Planned
		wait := max(rung(payoutLadder(), o.Tries+1), min(e.RetryAfter, time.Hour))
		o.NextAt, o.LeaseUntil = d.At.Add(wait), time.Time{}
		return Changeset{Operations: []Operation{o}}, nil
	}
}

// DecidePayoutReported takes a report about a payout into its payment. The same report again changes nothing; what is
// not trusted has the gateway asked at once.
func DecidePayoutReported(c Case, r gateway.PayoutReport, d Decision) (Changeset, error) {
	o := c.Operation
	if r.Trust < gateway.Signed {
		return (&watch{c: c, d: d, o: o}).ask(), nil
	}
	before := gateway.PayoutState(o.State)
	o.Version++
	o.Checks++
	o.NotFound = 0
	if o.Phase == Calling || o.Phase == Planned {
		o.Phase, o.StartedAt, o.Checks = Open, d.At, 0
	}
	if o.External.IsZero() {
		o.External = r.External
	}
	if r.Proof != "" {
		o.Proof = r.Proof
	}
	if r.Reason != nil {
		o.Reason = *r.Reason
	}
	if r.State == gateway.PayoutUnknown || payoutRank(r.State) < payoutRank(before) {
		o.schedule(d.At)
		return contradictPayout(c, o, r, d), nil
	}
	o.State, o.Raw = string(r.State), r.Raw
	return applyPayout(c, o, r, d)
}

func applyPayout(c Case, o Operation, r gateway.PayoutReport, d Decision) (Changeset, error) {
	w := discrepancies{c: c, d: d}
	switch r.State {
	case gateway.PayoutDone:
		w.settle("done", MissingPayout, UnknownOutcome, CodeWanted)
		o.close(d.At)
		if c.Payment.Status == Failed {
			w.open(LatePayout, o.Amount, "paid out after it counted as failed")
		}
		change, err := settleTransfer(c, o, Complete, d)
		change.Discrepancies = append(change.Discrepancies, w.list...)
		return change, err
	case gateway.PayoutRejected, gateway.PayoutFailed, gateway.PayoutCanceled:
		w.settle(string(r.State), MissingPayout, UnknownOutcome, CodeWanted)
		o.close(d.At)
		change, err := settleTransfer(c, o, Fail, d)
		change.Discrepancies = append(change.Discrepancies, w.list...)
		return change, err
	case gateway.PayoutReturned:
		o.close(d.At)
		if !c.Payment.Status.IsFinal() {
			return settleTransfer(c, o, Fail, d)
		}
		w.open(ReturnedPayout, o.Amount, "the money came back")
	case gateway.PayoutNeedsApproval:
		w.open(CodeWanted, gateway.Money{}, "the gateway wants a second factor")
		o.schedule(d.At)
	case gateway.PayoutQueued, gateway.PayoutSent, gateway.PayoutUnknown:
		w.settle(string(r.State), CodeWanted, MissingPayout)
		o.schedule(d.At)
	}
	return Changeset{Operations: []Operation{o}, Discrepancies: w.list}, nil
}

// contradictPayout is for a gateway that takes back what it had answered.
func contradictPayout(c Case, o Operation, r gateway.PayoutReport, d Decision) Changeset {
	w := discrepancies{c: c, d: d}
	if gateway.PayoutState(o.State) == gateway.PayoutDone && payoutRank(r.State) == payoutRank(gateway.PayoutFailed) {
		w.open(ReturnedPayout, o.Amount, "the gateway now says "+string(r.State))
	}
	return Changeset{Operations: []Operation{o}, Discrepancies: w.list}
}

// settleTransfer ends the payment of a payout, where it has not ended yet.
func settleTransfer(c Case, o Operation, command Command, d Decision) (Changeset, error) {
	change := Changeset{Operations: []Operation{o}}
	if o.Kind != PayoutOperation || c.Payment.Status.IsFinal() {
		return change, nil
	}
	if command == Fail && d.Reason == "" {
		d.Reason = o.reasonText()
	}
	move, err := decide(c.Payment, command, c.Payment.Amount, d)
	return change.Merge(move), err
}

// DecidePayoutNoAnswer takes a failed question about a payout. Whatever the gateway does not say, a payout is never
// sent again and never called failed: after two looks that found nothing, or a day without answers, staff decide with
// the gateway's panel in hand, and the questions go on.
func DecidePayoutNoAnswer(c Case, a Asked, d Decision) Changeset {
	o := c.Operation
	o.Version++
	o.Checks++
	if a.Err.Class == gateway.NotFound {
		o.NotFound++
	} else {
		o.NotFound = 0
	}
	o.schedule(d.At)
	w := discrepancies{c: c, d: d}
	isSettled := d.At.Sub(o.CreatedAt) >= a.Keys.Settle
	switch {
	case o.NotFound >= 2 && isSettled:
		w.open(MissingPayout, gateway.Money{}, "the gateway does not know "+string(o.Ref))
	case o.Phase == Calling && o.Checks >= len(unknownLadder()):
		w.open(UnknownOutcome, gateway.Money{}, "the gateway could not be asked: "+string(a.Err.Class))
	}
	return Changeset{Operations: []Operation{o}, Discrepancies: w.list}
}

// close ends an operation in the state that it has.
func (o *Operation) close(at time.Time) {
	o.Phase, o.EndedAt = Closed, at
	o.NextAt, o.LeaseUntil = time.Time{}, time.Time{}
}
