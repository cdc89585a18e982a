package core

import (
	"slices"
	"time"

	"github.com/vezne/vezne/core/fault"
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
	return Changeset{Operations: []Operation{o}, Payments: []Payment{p}, Moves: []Move{c.note(LetGo, o.Amount, d)}}, nil
}

// DecideConfirm keeps that staff are about to give the second factor of a payout: from then on it may leave. Fault:
// NotAllowed where the gateway does not ask for one.
func DecideConfirm(c Case, d Decision) (Changeset, error) {
	o := c.Operation
	if gateway.PayoutState(o.State) != gateway.PayoutNeedsApproval {
		return Changeset{}, fault.New("core.DecideConfirm", fault.NotAllowed, string(c.Payment.Status))
	}
	o.Version++
	return Changeset{Operations: []Operation{o}, Moves: []Move{c.note(LetGo, o.Amount, d)}}, nil
}

// DecideCallOff rejects or cancels a payout that has not left. Faults: NotAllowed (it has, or may have), those of Decide.
func DecideCallOff(c Case, command Command, d Decision) (Changeset, error) {
	if _, err := pathOf(c.Payment, command); err != nil {
		return Changeset{}, err
	}
	if c.Operation.Phase != Planned { // the status of a transfer does not tell
		return Changeset{}, fault.New("core.DecideCallOff", fault.NotAllowed, string(c.Payment.Status))
	}
	return Decide(c.Payment, command, d)
}

// DecideSend commits to sending: from here on the outcome is unknown until the gateway answers. A payment that was
// called off meanwhile is not sent; ok is false then. The payment is saved along at every try, so that whoever ends it
// at the same moment loses the race.
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
	o.StartedAt = d.At
	o.NextAt, o.LeaseUntil = d.At.Add(lease), d.At.Add(lease)
	change.Operations = []Operation{o}
	switch p := c.Payment; {
	case o.Kind != PayoutOperation:
	case p.AtGate.OperationID == o.ID: // sent before, without an effect
		p.Version++
		p.UpdatedAt = d.At
		change.Payments = []Payment{p}
	default:
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
// is sent again with the same key. What a report has shown to be at the gateway meanwhile is never sent again.
//
// Too little at the gateway has a payout wait for its operator to top it up. A transfer fails of it: the account is the
// dealer's own, who would not expect it to leave hours later.
func DecideNotSent(c Case, e *gateway.Error, d Decision) (Changeset, error) {
	o := c.Operation
	if o.Phase != Calling {
		return Changeset{}, nil
	}
	o.Version++
	o.Raw = e.RawCode
	if e.Reason != nil {
		o.Reason = *e.Reason
	}
	isTransfer := c.Payment.Method.Kind() == Transfer
	switch {
	case slices.Contains([]gateway.Class{gateway.Refused, gateway.Invalid, gateway.Unsupported}, e.Class),
		e.Class == gateway.OutOfFunds && isTransfer:
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
	switch {
	case o.Kind != PayoutOperation:
		return Changeset{}, nil
	case r.Trust < gateway.Answered: // a notification is a cue: nothing ends without an answer to our own question
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
		w.settle("done", MissingPayout, UnknownOutcome, CodeWanted, ReturnedPayout)
		o.close(d.At)
		if c.isUnpaid() {
			w.open(LatePayout, o.Amount, "paid out after it counted as "+string(c.Payment.Status))
		}
		change, err := settleTransfer(c, o, Complete, d)
		change.Discrepancies = append(change.Discrepancies, w.list...)
		return change, err
	case gateway.PayoutRejected, gateway.PayoutFailed, gateway.PayoutCanceled, gateway.PayoutReturned:
		w.settle(string(r.State), MissingPayout, UnknownOutcome, CodeWanted, LatePayout)
		o.close(d.At)
		if c.Payment.Status == Completed {
			w.open(ReturnedPayout, o.Amount, "it counted as paid out, and the gateway says "+string(r.State))
		}
		command := Fail
		if r.State == gateway.PayoutCanceled && c.Payment.Method.Kind() == Transfer {
			command = Cancel // decisions: only a transfer has a status for it once it was sent
		}
		change, err := settleTransfer(c, o, command, d)
		change.Discrepancies = append(change.Discrepancies, w.list...)
		return change, err
	case gateway.PayoutQueued, gateway.PayoutSent, gateway.PayoutNeedsApproval, gateway.PayoutUnknown:
		w.settle(string(r.State), MissingPayout, UnknownOutcome)
		o.schedule(d.At)
		switch isWanted := r.State == gateway.PayoutNeedsApproval; {
		case c.isUnpaid():
			w.open(LatePayout, gateway.Money{}, "under way, and it counted as "+string(c.Payment.Status))
		case isWanted:
			w.open(CodeWanted, gateway.Money{}, "the gateway waits for an approval")
		default:
			w.settle(string(r.State), CodeWanted)
		}
	}
	return Changeset{Operations: []Operation{o}, Discrepancies: w.list}, nil
}

// isUnpaid tells whether a payout's payment has ended, and not by being paid.
func (c Case) isUnpaid() bool { return c.Payment.Status.IsFinal() && c.Payment.Status != Completed }

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
	if command != Complete && d.Reason == "" {
		d.Reason = o.reasonText()
	}
	p := c.Payment
	var sent Changeset
	if p.Status == Showing { // the gateway has it, whatever was kept here of sending it
		var err error
		if sent, err = decide(p, Send, p.Amount, d); err != nil {
			return Changeset{}, err
		}
		p, sent.Payments = sent.Payments[0], nil
		p.Version-- // both moves are saved as one
		p.AtGate.OperationID = o.ID
	}
	move, err := decide(p, command, p.Amount, d)
	return change.Merge(sent).Merge(move), err
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
	o.waitFor(a.Err.RetryAfter, d.At)
	w := discrepancies{c: c, d: d}
	isSettled := d.At.Sub(o.StartedAt) >= a.Keys.Settle
	switch {
	case c.Payment.Status.IsFinal():
	case o.NotFound >= 2 && isSettled:
		w.open(MissingPayout, gateway.Money{}, "the gateway does not know "+string(o.Ref))
	case o.Phase == Calling && o.Checks >= len(unknownLadder()):
		w.open(UnknownOutcome, gateway.Money{}, "the gateway could not be asked: "+string(a.Err.Class))
	}
	return Changeset{Operations: []Operation{o}, Discrepancies: w.list}
}

// close ends an operation in the state that it has; one that has ended stays so since then.
func (o *Operation) close(at time.Time) {
	if o.Phase != Closed {
		o.Phase, o.EndedAt = Closed, at
	}
	o.NextAt, o.LeaseUntil = time.Time{}, time.Time{}
}
