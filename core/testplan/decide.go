package testplan

import (
	"bytes"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

const (
	// lateAfter is how long after its end the money of PaidLate comes, so that the first callback is there before the second.
	lateAfter = 2 * time.Second
	// heldBack is for how long the first callback of Reordered is not sent. The second one supersedes it before that.
	heldBack = time.Hour
)

// Decide gives the next command of a plan to its payment. A payment that has gone another way meanwhile stays as it is, and the plan
// ends.
func Decide(plan Plan, p payment.Payment, d payment.Decision) (core.Changeset, error) {
	steps := commands[p.Method.Kind()][plan.Outcome]
	if plan.Step >= len(steps) {
		return core.Changeset{plan.Ended()}, nil
	}
	command := steps[plan.Step]
	if _, err := payment.PathOf(p, command); err != nil {
		return core.Changeset{plan.Ended()}, nil //nolint:nilerr // it is how a payment that somebody else has moved looks
	}
	change, err := plan.give(command, p, d)
	if err != nil {
		return nil, fault.E("testplan.Decide", "", err)
	}
	next := plan
	next.Version++
	next.Step++
	next.DueAt = d.At
	isOver := next.Step == len(steps)
	switch {
	case isOver:
		next.DueAt = time.Time{}
	case steps[next.Step] == payment.Accept && plan.Delivery != Reordered:
		next.DueAt = d.At.Add(lateAfter)
	}
	change = core.Edit(change, func(c *payment.Callback) {
		if c.Version != 1 || c.Status != payment.Waiting {
			return
		}
		c.NextAttemptAt = c.NextAttemptAt.Add(plan.Delay)
		if !isOver && plan.Delivery == Reordered {
			c.NextAttemptAt = c.NextAttemptAt.Add(heldBack)
		}
	})
	return append(change, next), nil
}

// give makes one move in the name of whoever created the payment. A credit rests on their word: no money is behind it, which is why no
// installation where money moves takes plans.
func (p Plan) give(command payment.Command, to payment.Payment, d payment.Decision) (core.Changeset, error) {
	d.Reason = Reason
	d.By = owner.Provider{ID: to.ProviderID, Name: to.SiteName}.Actor("")
	if to.IsDealers() {
		d.By = owner.Dealer{ID: to.DealerID, Name: to.SiteName}.Actor("")
	}
	switch command {
	case payment.Cancel:
		to.EndedBy = payment.EndedByCustomer
	case payment.Reject:
		to.EndedBy = payment.EndedByStaff
	case payment.Fail:
		to.EndedBy = payment.EndedByGateway
		if to.Method.Kind() == payment.Card {
			to.Failure = payment.FailureOf(p.ErrorCode, to.Language)
		}
	default:
		to.EndedBy = ""
	}
	if !to.IsCreditable() || !slices.Contains([]payment.Command{payment.Approve, payment.Succeed, payment.Accept}, command) {
		return payment.Decide(to, command, d)
	}
	to.PaidBy = to.Method.Gateway()
	amount := to.Amount
	if !p.Amount.IsZero() {
		amount = p.Amount
	}
	return payment.CompleteWith(to, command, payment.Credit{Amount: amount, Source: payment.CreditOfStaff}, d)
}

// Ended is the plan with nothing left to do.
func (p Plan) Ended() Plan {
	p.Version++
	p.DueAt = time.Time{}
	return p
}

// Advance moves the clock of a payment: its expiry, the outcome of its plan and the next attempts of its callbacks come earlier by a
// duration, and none of them before now. The callbacks are all that it has.
func Advance(plan Plan, p payment.Payment, callbacks []payment.Callback, by time.Duration, now time.Time) core.Changeset {
	earlier := func(at *time.Time) bool {
		if !at.After(now) {
			return false
		}
		if *at = at.Add(-by); at.Before(now) {
			*at = now
		}
		return true
	}
	var change core.Changeset
	if !p.Status.IsFinal() && earlier(&p.ExpiresAt) {
		p.Version++
		p.UpdatedAt = now
		change = append(change, p)
	}
	if earlier(&plan.DueAt) {
		plan.Version++
		change = append(change, plan)
	}
	for _, c := range callbacks {
		if c.Status == payment.Waiting && earlier(&c.NextAttemptAt) {
			c.Version++
			change = append(change, c)
		}
	}
	return change
}

// Forged is a callback's message with a hash that is wrong, in the header and in the body, whose Standard Webhooks signature is wrong with it.
func Forged(m payment.CallbackMessage) payment.CallbackMessage {
	forged := m
	forged.Headers = slices.Clone(m.Headers)
	for i, h := range forged.Headers {
		if h.Name == "X-Hash" && h.Value != "" {
			wrong := []byte(h.Value)
			slices.Reverse(wrong)
			forged.Headers[i].Value = string(wrong)
			forged.Body = bytes.ReplaceAll(m.Body, []byte(h.Value), wrong)
		}
	}
	return forged
}
