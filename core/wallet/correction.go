package wallet

import (
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// CreditCorrection is what is to be right about a payment's credit.
type CreditCorrection struct {
	Amount        money.Amount          // what the payment is credited with from now on; zero: nothing
	Expected      money.Amount          // the payment's amount as whoever corrects saw it
	Credits       []payment.Credit      // the payment's, by number
	Operations    []operation.Operation // the payment's at gateways, where one is behind the credit
	Line          BankLine              // behind the credit, where there is one
	TakenBackBy   []BankLine            // the lines that take that one back
	Discrepancies []discrepancy.Discrepancy
}

// reversal is the line behind the credit of a payment as far as it was taken back.
func (c CreditCorrection) reversal(p payment.Payment) Reversal {
	return Reversal{Line: c.Line, By: c.TakenBackBy, Payment: p, Discrepancies: c.Discrepancies}
}

// ofOperation is the operation behind the credit of a payment, with the payment's others.
func (c CreditCorrection) ofOperation(p payment.Payment) operation.Case {
	return operation.CaseOf(p, c.Operations, nil, nil, c.Credits[0].OperationID)
}

// most is what a payment's credit may be raised to: what the money behind it comes to by now, without what the bank took back or
// the gateway gave back for anything else. ok is false where nothing but a person's word is behind the credit.
func (c CreditCorrection) most(p payment.Payment) (most money.Amount, ok bool) {
	first := c.Credits[0]
	switch first.Source {
	case payment.CreditOfLine:
		return money.New(max(first.Brought.Minor()-c.reversal(p).takenBack().Minor(), 0), first.Brought.Currency()), true
	case payment.CreditOfOperation:
		of := c.ofOperation(p)
		if left, _ := of.Left(); left != of.Operation.Paid {
			worth, _ := of.Operation.Worth(left)
			return money.New(worth.Minor()+p.Gateway.Refunded.Minor(), p.Amount.Currency()), true
		}
		if most = first.Brought; most.Less(of.Operation.Brought) {
			most = of.Operation.Brought // the rest has come since
		}
		return most, true
	default:
		return most, false
	}
}

// settled are the discrepancies of money that was taken back and that the corrected payment is not credited with any more.
// The line is saved with them: of a correction and one more line that takes back a part, at once, one comes after the other.
func (c CreditCorrection) settled(after payment.Payment, k payment.Credit, d payment.Decision) core.Changeset {
	var change core.Changeset
	if c.Line.LineID != "" {
		l := c.Line
		l.Version++
		change = append(change, l)
		change = change.Merge(core.Rows(c.reversal(after).discrepancies(d.By, d.Reason, d)))
	}
	o := c.ofOperation(after).Operation
	for _, known := range c.Discrepancies {
		if known.Kind != discrepancy.ReversedMoney || known.Status != discrepancy.Open || known.OperationID == "" {
			continue
		}
		less := -k.Amount.Minor() // by corrections since
		for _, earlier := range c.Credits[1:] {
			if !earlier.At.Before(known.CreatedAt) {
				less -= earlier.Amount.Minor()
			}
		}
		gone, isKnown := o.Worth(known.Seen)
		isMade := isKnown && known.OperationID == o.ID && less >= gone.Minor()
		if !isMade && !after.Amount.IsZero() {
			continue
		}
		known.Version++
		known.Status, known.UpdatedAt, known.ResolvedBy, known.Reason = discrepancy.Settled, d.At, d.By, d.Reason
		change = append(change, known)
	}
	return change
}

// maxCorrections bounds how often one payment's credit is put right, and with it the callbacks that say so.
const maxCorrections = 100

// DecideCorrection puts a wrong credit right by an entry of its own: it adds to the payment's amount or takes from it, and a
// callback says so. A credit of a bank line or an operation is not raised beyond what that brought and has not given back, and
// what was given back to the customer stays credited. What the bank or the gateway took back is settled as far as the payment is
// not credited with it any more. Faults: NotAllowed (the payment is not credited, or was corrected too often), Changed, MoreThanSeen, Invalid (no reason,
// the amount that it has already, less than was given back).
func DecideCorrection(p payment.Payment, c CreditCorrection, d payment.Decision) (core.Changeset, error) {
	const op = "core.DecideCorrection"
	if !p.IsCredited() || len(c.Credits) == 0 || len(c.Credits) > maxCorrections {
		return core.Changeset{}, fault.New(op, fault.NotAllowed, string(p.Status))
	}
	if !c.Expected.Equal(p.Amount) {
		return core.Changeset{}, fault.New(op, fault.Changed, p.Amount.String())
	}
	var form core.Form
	if d.Reason == "" {
		form.Fail("reason", "field.required")
	}
	switch {
	case c.Amount.Currency() != p.Amount.Currency() || c.Amount.Less(money.New(0, p.Amount.Currency())):
		form.Fail("amount", "field.min", money.New(0, p.Amount.Currency()).String())
	case c.Amount.Equal(p.Amount):
		form.Fail("amount", "field.other", p.Amount.String())
	case c.Amount.Less(p.Gateway.Refunded):
		form.Fail("amount", "field.min", p.Gateway.Refunded.String())
	}
	if err := form.Err(op); err != nil {
		return core.Changeset{}, err
	}
	if most, ok := c.most(p); ok && p.Amount.Less(c.Amount) && most.Less(c.Amount) {
		return core.Changeset{}, fault.New(op, fault.MoreThanSeen, most.String())
	}
	change, err := payment.Advance(p, payment.Correct, c.Amount, d)
	if err != nil {
		return core.Changeset{}, err
	}
	k := payment.Credit{
		Amount: money.New(c.Amount.Minor()-p.Amount.Minor(), p.Amount.Currency()), Source: payment.CreditOfStaff, NeedsSecond: payment.NeedsCorrection,
	}
	change = core.Edit(change, func(after *payment.Payment) {
		after.CorrectedAmount = money.New(p.CorrectedAmount.Minor()+k.Amount.Minor(), p.Amount.Currency())
	})
	change = append(change, k.Of(p, len(c.Credits)+1, d))
	return change.Merge(c.settled(core.RowsOf[payment.Payment](change)[0], k, d)), nil
}
