package operation

import (
	"cmp"
	"strings"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
)

// forever is how long money is waited for where it can come for ever.
const forever = 90 * 24 * time.Hour

// DepositPlan is a deposit that is about to be started at a gateway.
type DepositPlan struct {
	GatewayID   int64
	Option      string
	Fields      map[string]string
	Quote       *gateway.Quote
	Why         string // the route
	ReturnToken string
	PageToken   string // of the payment
	Kind        gateway.Kind
	Late        time.Duration // the plugin's ExpiryTraits.LateUntil
	Lease       time.Duration // how long the start may take
}

// DecideBegin starts a payment at a gateway: the operation is there, as called, before the call is made. Other deposits
// of the payment that are still open become unwanted. Faults: Expired, AlreadyFinal, NotAllowed (also while money of an
// earlier one waits for a decision: nobody is asked to pay twice).
func DecideBegin(p payment.Payment, operations []Operation, plan DepositPlan, d payment.Decision) (core.Changeset, error) {
	if !p.ExpiresAt.IsZero() && !d.At.Before(p.ExpiresAt) {
		return core.Changeset{}, fault.New("core.DecideBegin", fault.Expired)
	}
	d.Reason = plan.Why
	change, err := payment.Decide(p, payment.Begin, d)
	if err != nil {
		return core.Changeset{}, err
	}
	for _, o := range operations {
		if o.IsHeld {
			return core.Changeset{}, fault.New("core.DecideBegin", fault.NotAllowed, string(p.Status))
		}
		if o.Kind == DepositOperation && o.IsLive() && !o.IsUnwanted {
			change = append(change, o.unwanted(d.At))
		}
	}
	o := newDeposit(p, plan, CountOf(operations, DepositOperation)+1, d)
	change = core.Edit(change, func(begun *payment.Payment) {
		begun.Reason = p.Reason
		begun.Gateway.GatewayID, begun.Gateway.OperationID = plan.GatewayID, o.ID
	})
	return append(change, o), nil
}

func newDeposit(p payment.Payment, plan DepositPlan, number int, d payment.Decision) Operation {
	o := Operation{
		ID: d.IDs.Next(), Version: 1, PaymentID: p.ID, TrackingCode: p.TrackingCode, Kind: DepositOperation,
		Number: number, GatewayID: plan.GatewayID, GatewayKind: plan.Kind, ReturnToken: plan.ReturnToken, PageToken: plan.PageToken, Why: plan.Why,
		Reference: refOf(p.TrackingCode, DepositOperation, number), Amount: gateway.Lira(p.Amount), Due: gateway.Lira(p.Amount),
		Quote: plan.Quote, Option: plan.Option, Fields: plan.Fields, Phase: Calling, DeadlineAt: p.ExpiresAt,
		CreatedAt: d.At, NextAt: d.At.Add(plan.Lease), LeaseUntil: d.At.Add(plan.Lease),
	}
	o.Key = gateway.Key(strings.ToLower(string(o.ID)))
	if plan.Quote != nil {
		o.Due = plan.Quote.To
	}
	late := plan.Late
	if late < 0 {
		late = forever
	}
	o.LateUntil = p.ExpiresAt.Add(late)
	return o
}

// unwanted asks the worker to cancel the operation at its gateway.
func (o Operation) unwanted(at time.Time) Operation {
	o.Version++
	o.IsUnwanted, o.NextAt = true, at
	return o
}

// DecideStarted keeps what the gateway said when it took a deposit. Where a question or a notification was quicker, what
// that brought is newer, and only what the start alone says is kept: how the customer goes on, and what is due.
func DecideStarted(c Case, s gateway.DepositStarted, d payment.Decision) core.Changeset {
	o := c.Operation
	isQuickest := o.Phase == Calling
	if !isQuickest && (o.Phase != Open || o.Next.Kind() != "") {
		return core.Changeset{}
	}
	o.Version++
	o.Next = s.Next
	o.Next.Done = nil
	if s.Due != nil {
		o.Due = *s.Due
	}
	id := cmp.Or(o.External.ID, s.External.ID)
	o.External = s.External.Learn(o.External) // what was seen meanwhile is newer
	o.External.ID = id
	if !isQuickest {
		return core.Changeset{o}
	}
	o.Phase, o.StartedAt = Open, d.At
	o.Checks, o.NotFound = 0, 0
	o.schedule(d.At)
	if w := s.Next.Wait; w != nil && w.PollAfter > 0 && !o.IsCued() {
		o.NextAt = d.At.Add(min(w.PollAfter, time.Minute))
	}
	return core.Changeset{o}
}

// DecideNotTaken ends a deposit that the gateway is known not to have taken. The payment is free for another gateway,
// unless the bank itself refused the card. What a report has shown to be there meanwhile was taken after all.
func DecideNotTaken(c Case, e *gateway.Error, d payment.Decision) (core.Changeset, error) {
	o := c.Operation
	if o.Phase != Calling {
		return core.Changeset{}, nil
	}
	o.end(gateway.Failed, d.At)
	o.RawState = e.RawCode
	if e.Reason != nil {
		o.Reason = *e.Reason
	}
	w := discrepancies{c: c, d: d}
	w.settle("the gateway did not take it", discrepancy.UnknownOutcome)
	change := core.Changeset{o}.Merge(core.Rows(w.list))
	p := c.Payment
	if p.Status.IsFinal() || p.Gateway.OperationID != o.ID {
		return change, nil
	}
	d.Reason = string(e.Class) + " " + e.RawCode
	command := payment.GiveUp
	if e.Class == gateway.Refused && p.Method.Kind() == payment.Card {
		command = payment.Fail
		p.Failure = payment.FailureOf(o.Reason.Code, p.Language)
	}
	move, err := released(p, command, d)
	return change.Merge(move), err
}

// released moves a payment whose operation is over, and which has none from then on.
func released(p payment.Payment, command payment.Command, d payment.Decision) (core.Changeset, error) {
	move, err := payment.Decide(p, command, d)
	return core.Edit(move, func(p *payment.Payment) { p.Gateway.OperationID = "" }), err
}

// end closes an operation; news of it is asked about all the same.
func (o *Operation) end(state gateway.State, at time.Time) {
	o.Version++
	o.Phase, o.Status, o.EndedAt = Closed, string(state), at
	o.NextAt, o.LeaseUntil = time.Time{}, time.Time{}
	o.askAboutCue(at)
}
