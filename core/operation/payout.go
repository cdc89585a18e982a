package operation

import (
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// DecideApprovePayout lets a payout leave that waits for staff: because of its amount, or because it was tried in vain for a
// day. Fault: NotAllowed where it does not wait.
func DecideApprovePayout(c Case, d payment.Decision) (core.Changeset, error) {
	o := c.Operation
	isTried := o.Phase == Planned && c.Payment.Gateway.OperationID == o.ID && !c.Payment.Status.IsFinal()
	if _, err := payment.PathOf(c.Payment, payment.Send); err != nil && !isTried {
		return core.Changeset{}, err
	}
	if o.Phase != Planned || !o.NextAt.IsZero() {
		return core.Changeset{}, nil // approved before
	}
	w := discrepancies{c: c, d: d}
	w.settle("it may leave again", discrepancy.StuckOperation)
	o.Version++
	o.NextAt, o.ReleasedAt = d.At, d.At
	return c.relying(core.Changeset{o, c.note(payment.LetGo, o.Amount, d)}, d.At).Merge(core.Rows(w.list)), nil
}

// DecideConfirm keeps that staff are about to give the second factor of a payout: from then on it may leave. Fault:
// NotAllowed where the gateway does not ask for one.
func DecideConfirm(c Case, d payment.Decision) (core.Changeset, error) {
	o := c.Operation
	if gateway.PayoutState(o.Status) != gateway.PayoutNeedsApproval {
		return core.Changeset{}, fault.New("core.DecideConfirm", fault.NotAllowed, string(c.Payment.Status))
	}
	o.Version++
	return core.Changeset{o, c.note(payment.LetGo, o.Amount, d)}, nil
}

// DecideSend commits to sending: from here on the outcome is unknown until the gateway answers. A payment that was
// called off meanwhile is not sent, nor is one of which there is news, or that should have left a day ago; ok is false
// then. The payment is saved along at every try, so that whoever ends it at the same moment loses the race.
func DecideSend(c Case, d payment.Decision, lease time.Duration) (change core.Changeset, ok bool, err error) {
	o := c.Operation
	switch {
	case !o.MaySend() || o.NextAt.IsZero():
		return core.Changeset{}, false, nil
	case o.Kind == PayoutOperation && c.Payment.Status.IsFinal():
		return c.notWanted(o, d), false, nil
	case o.isTooLate(d.At):
		change, err := DecideStuck(c, "it was not tried in time", d)
		return change, false, err
	}
	o.Version++
	o.Phase, o.Checks, o.NotFound = Calling, 0, 0
	o.Tries++
	o.StartedAt = d.At
	o.NextAt, o.LeaseUntil = d.At.Add(lease), d.At.Add(lease)
	change = append(change, o)
	switch {
	case o.Kind != PayoutOperation:
	case c.Payment.Gateway.OperationID == o.ID: // sent before, without an effect
		change = c.relying(change, d.At)
	default:
		d.Reason = o.Why
		move, err := payment.Decide(c.Payment, payment.Send, d)
		if err != nil {
			return core.Changeset{}, false, err
		}
		change = change.Merge(core.Edit(move, func(p *payment.Payment) {
			p.Reason = c.Payment.Reason
			p.Gateway.OperationID = o.ID
		}))
	}
	return change, true, nil
}

// DecideNotSent takes a call that is known to have had no effect. A refusal fails the payment; anything else waits and
// is sent again with the same key, for a day. What a report has shown to be at the gateway meanwhile is never sent again.
//
// Too little at the gateway has a payout wait for its operator to top it up. A transfer fails of it: the account is the
// dealer's own, who would not expect it to leave hours later.
func DecideNotSent(c Case, e *gateway.Error, d payment.Decision) (core.Changeset, error) {
	o := c.Operation
	if o.Phase != Calling {
		return core.Changeset{}, nil
	}
	o.Version++
	o.RawState = e.RawCode
	if e.Reason != nil {
		o.Reason = *e.Reason
	}
	isTransfer := c.Payment.Method.Kind() == payment.Transfer
	if slices.Contains([]gateway.Class{gateway.Refused, gateway.Invalid, gateway.Unsupported}, e.Class) ||
		e.Class == gateway.OutOfFunds && isTransfer {
		return c.refused(o, d)
	}
	o.Phase = Planned
	wait := max(waitAt(payoutSchedule(), o.Tries+1), min(e.RetryAfter, time.Hour))
	o.NextAt, o.LeaseUntil = d.At.Add(wait), time.Time{}
	o.askAboutCue(d.At)
	return c.stuck(o, strings.TrimSpace(string(e.Class)+" "+e.RawCode), d)
}

// refused ends a payout or refund that its gateway does not take.
func (c Case) refused(o Operation, d payment.Decision) (core.Changeset, error) {
	w := discrepancies{c: c, d: d}
	w.settle("the gateway refuses it", discrepancy.StuckOperation, discrepancy.UnknownOutcome)
	settled := core.Rows(w.list)
	if o.Kind == RefundOperation {
		o.Status = string(gateway.RefundFailed)
		ended, err := c.refundEnded(o, d)
		return ended.Merge(settled), err
	}
	o.Status = string(gateway.PayoutFailed)
	o.close(d.At)
	ended, err := settleTransfer(c, o, payment.Fail, d)
	return ended.Merge(settled), err
}

// DecidePayoutReported takes a report about a payout into its payment. The same report again changes nothing; what is
// not trusted has the gateway asked at once.
func DecidePayoutReported(c Case, r gateway.PayoutReport, d payment.Decision) (core.Changeset, error) {
	o := c.Operation
	switch {
	case o.Kind != PayoutOperation:
		return core.Changeset{}, nil
	case r.Trust < gateway.Answered: // a notification is a cue: nothing ends without an answer to our own question
		return DecideAsk(o, d.At), nil
	case isOlder(o, d):
		return decideOlder(o, string(r.State), d), nil
	}
	before := gateway.PayoutState(o.Status)
	w := &discrepancies{c: c, d: d}
	o.Version++
	o.Checks++
	o.NotFound = 0
	if o.Phase == Calling || o.Phase == Planned {
		o.Phase, o.StartedAt, o.Checks = Open, d.At, 0
	}
	o.External = o.External.Learn(r.External)
	if r.Proof != "" {
		o.Proof = r.Proof
	}
	if r.Reason != nil {
		o.Reason = *r.Reason
	}
	if r.State == gateway.PayoutUnknown {
		w.notAnswered(&o)
	} else {
		w.answered(&o)
	}
	if r.State == gateway.PayoutUnknown || r.State.Rank() < before.Rank() {
		o.schedule(d.At)
		w.underWay(o)
		w.contradictPayout(o, r)
		return core.Changeset{o}.Merge(core.Rows(w.list)), nil
	}
	o.Status, o.RawState = string(r.State), r.Raw
	return w.applyPayout(o, r)
}

func (w *discrepancies) applyPayout(o Operation, r gateway.PayoutReport) (core.Changeset, error) {
	c, d := w.c, w.d
	switch r.State {
	case gateway.PayoutDone:
		w.settle("done", discrepancy.MissingPayout, discrepancy.UnknownOutcome, discrepancy.CodeWanted, discrepancy.ReturnedPayout, discrepancy.StuckOperation)
		o.close(d.At)
		if c.isUnpaid() {
			w.open(discrepancy.LatePayout, o.Amount, "paid out after it counted as "+string(c.Payment.Status))
		}
		change, err := settleTransfer(c, o, payment.Complete, d)
		change = change.Merge(core.Rows(w.list))
		return change, err
	case gateway.PayoutRejected, gateway.PayoutFailed, gateway.PayoutCanceled, gateway.PayoutReturned:
		w.settle(string(r.State), discrepancy.MissingPayout, discrepancy.UnknownOutcome, discrepancy.CodeWanted, discrepancy.LatePayout, discrepancy.StuckOperation)
		o.close(d.At)
		if c.Payment.Status == payment.Completed {
			w.open(discrepancy.ReturnedPayout, o.Amount, "it counted as paid out, and the gateway says "+string(r.State))
		}
		command := payment.Fail
		if r.State == gateway.PayoutCanceled && c.Payment.Method.Kind() == payment.Transfer {
			command = payment.Cancel // decisions: only a transfer has a status for it once it was sent
		}
		change, err := settleTransfer(c, o, command, d)
		change = change.Merge(core.Rows(w.list))
		return change, err
	case gateway.PayoutQueued, gateway.PayoutSent, gateway.PayoutNeedsApproval, gateway.PayoutUnknown:
		w.settle(string(r.State), discrepancy.MissingPayout, discrepancy.UnknownOutcome)
		w.underWay(o)
		o.schedule(d.At)
		switch isWanted := r.State == gateway.PayoutNeedsApproval; {
		case c.isUnpaid():
			w.open(discrepancy.LatePayout, gateway.Money{}, "under way, and it counted as "+string(c.Payment.Status))
		case isWanted:
			w.open(discrepancy.CodeWanted, gateway.Money{}, "the gateway waits for an approval")
		default:
			w.settle(string(r.State), discrepancy.CodeWanted)
		}
	}
	_, sent, err := c.sent(o, d)
	return core.Changeset{o}.Merge(sent).Merge(core.Rows(w.list)), err
}

// isUnpaid reports whether a payout's payment has ended, and not by being paid.
func (c Case) isUnpaid() bool {
	return c.Payment.Status.IsFinal() && c.Payment.Status != payment.Completed
}

// contradictPayout is for a gateway that takes back what it had answered.
func (w *discrepancies) contradictPayout(o Operation, r gateway.PayoutReport) {
	if gateway.PayoutState(o.Status) == gateway.PayoutDone && r.State.Rank() == gateway.PayoutFailed.Rank() {
		w.open(discrepancy.ReturnedPayout, o.Amount, "the gateway now says "+string(r.State))
	}
}

// settleTransfer ends the payment of a payout, where it has not ended yet.
func settleTransfer(c Case, o Operation, command payment.Command, d payment.Decision) (core.Changeset, error) {
	change := core.Changeset{o}
	if o.Kind != PayoutOperation || c.Payment.Status.IsFinal() {
		return change, nil
	}
	if command != payment.Complete && d.Reason == "" {
		d.Reason = o.reasonText()
	}
	p, sent, err := c.sent(o, d)
	if err != nil {
		return core.Changeset{}, err
	}
	if len(sent) > 0 {
		sent = core.Without[payment.Payment](sent)
		p.Version-- // both moves are saved as one
	}
	move, err := payment.Decide(p, command, d)
	return change.Merge(sent).Merge(move), err
}

// sent is the payment of a payout that its gateway has, whatever was kept here of sending it, and what changes by that.
func (c Case) sent(o Operation, d payment.Decision) (payment.Payment, core.Changeset, error) {
	if o.Kind != PayoutOperation || c.Payment.Status != payment.Showing {
		return c.Payment, nil, nil
	}
	sent, err := payment.Decide(c.Payment, payment.Send, d)
	sent = core.Edit(sent, func(p *payment.Payment) { p.Gateway.OperationID = o.ID })
	p, _ := core.First[payment.Payment](sent)
	return p, sent, err
}

// DecidePayoutNoAnswer takes a failed question about a payout. Whatever the gateway does not say, a payout is never
// sent again and never called failed: after two looks that found nothing, or a day without answers, staff decide with
// the gateway's panel in hand, and the questions go on.
func DecidePayoutNoAnswer(c Case, a Asked, d payment.Decision) core.Changeset {
	w := discrepancies{c: c, d: d}
	o := w.noAnswer(a)
	switch {
	case c.Payment.Status.IsFinal(), o.Phase == Planned: // of one that is here again, only the news is asked about
	case o.NotFound >= 2 && d.At.Sub(o.StartedAt) >= a.Keys.Settle:
		w.open(discrepancy.MissingPayout, gateway.Money{}, "the gateway does not know "+string(o.Reference))
	default:
		w.openUnknown(o, a)
	}
	return core.Changeset{o}.Merge(core.Rows(w.list))
}

// close ends an operation in the state that it has; one that has ended stays so since then, and news of it is asked about.
func (o *Operation) close(at time.Time) {
	if o.Phase != Closed {
		o.Phase, o.EndedAt = Closed, at
	}
	o.NextAt, o.LeaseUntil = time.Time{}, time.Time{}
	o.askAboutCue(at)
}

// PayoutPlan is how a payout will be made.
type PayoutPlan struct {
	Gateway owner.GatewayAccount
	Asset   gateway.Asset     // crypto: what is sent
	Fields  map[string]string // the gateway's required fields, checked
}

// DecidePayout creates a payment with its payout: due at once, or when staff approve.
func DecidePayout(s payment.Request, plan PayoutPlan, b payment.CreateParams) core.Changeset {
	change := payment.DecideCreate(s, b)
	p, _ := core.First[payment.Payment](change)
	o := Operation{
		ID: b.IDs.Next(), Version: 1, PaymentID: p.ID, TrackingCode: p.TrackingCode, Kind: PayoutOperation, Number: 1,
		GatewayID: plan.Gateway.ID, GatewayKind: s.Method.Gateway(), Amount: gateway.Lira(s.Amount),
		Due: gateway.Lira(s.Amount), Asset: gateway.TRY, Fields: plan.Fields, Phase: Planned, CreatedAt: b.At,
		Why: "chosen by the provider",
	}
	o.Reference = refOf(p.TrackingCode, PayoutOperation, 1)
	o.Key = gateway.Key(strings.ToLower(string(o.ID)))
	if plan.Asset.Code != "" {
		o.Asset = plan.Asset
	}
	if !plan.Gateway.NeedsApproval(s.Amount) {
		o.NextAt = b.At
	}
	change = core.Edit(change, func(p *payment.Payment) { p.Gateway = payment.GatewayState{GatewayID: plan.Gateway.ID} })
	return append(change, o)
}
