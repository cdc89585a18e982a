package operation

import (
	"slices"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
)

// note is a row of the case's history that leaves its status as it is, with the money that it is about.
func (c Case) note(command payment.Command, m gateway.Money, d payment.Decision) payment.Transition {
	return c.Payment.Note(command, m, d.By, d.Reason, payment.TransitionID{ID: d.IDs.Next(), At: d.At})
}

// caseState is what an audit row says of a case.
type caseState struct {
	Status        payment.Status     `json:"status"`
	Amount        string             `json:"amount"`
	Refunded      string             `json:"refunded,omitempty"` // in all, with what is under way
	Refund        string             `json:"refund,omitempty"`   // this one
	Payout        string             `json:"payout,omitempty"`
	Discrepancies []discrepancyState `json:"discrepancies,omitempty"`
}

type discrepancyState struct {
	ID    core.ID            `json:"id"`
	Kind  discrepancy.Kind   `json:"kind"`
	State discrepancy.Status `json:"state"`
	Seen  string             `json:"seen,omitempty"`
}

// AuditStates are what an audit row says of a case before and after a change, as JSON: the payment's status and amount, what
// was given back in all and with this change, and the discrepancies that it settles.
func (c Case) AuditStates(change core.Changeset) (before, after string) {
	was, is := c.state(), c.after(change).state()
	for _, o := range core.RowsOf[Operation](change) {
		switch {
		case o.Kind == RefundOperation && o.Version == 1:
			is.Refund = core.AuditMoney(o.Amount)
		case o.Kind == PayoutOperation:
			was.Payout, is.Payout = core.AuditMoney(o.Amount), core.AuditMoney(o.Amount)
		}
	}
	if is.Refunded != "" && was.Refunded == "" {
		was.Refunded = core.AuditMoney(gateway.Money{Asset: c.Operation.Paid.Asset})
	}
	for _, d := range core.RowsOf[discrepancy.Discrepancy](change) {
		is.Discrepancies = append(is.Discrepancies, discrepancyState{d.ID, d.Kind, d.Status, core.AuditMoney(d.Seen)})
		for _, old := range c.Discrepancies {
			if old.ID == d.ID {
				was.Discrepancies = append(was.Discrepancies, discrepancyState{old.ID, old.Kind, old.Status, core.AuditMoney(old.Seen)})
			}
		}
	}
	return core.AuditJSON(was), core.AuditJSON(is)
}

// after is the case with what a change makes of its payment and operations.
func (c Case) after(change core.Changeset) Case {
	for _, p := range core.RowsOf[payment.Payment](change) {
		if p.ID == c.Payment.ID {
			c.Payment = p
		}
	}
	all := append([]Operation{c.Operation}, c.Others...)
	for _, o := range core.RowsOf[Operation](change) {
		if i := slices.IndexFunc(all, func(known Operation) bool { return known.ID == o.ID }); i >= 0 {
			all[i] = o
		} else {
			all = append(all, o)
		}
	}
	c.Operation, c.Others = all[0], all[1:]
	return c
}

func (c Case) state() caseState {
	s := caseState{Status: c.Payment.Status, Amount: c.Payment.Amount.String()}
	var sum gateway.Money
	for _, o := range append([]Operation{c.Operation}, c.Others...) {
		isCounted := o.Kind == RefundOperation && gateway.RefundState(o.Status) != gateway.RefundFailed
		if isCounted && (sum.Amount.Sign() == 0 || sum.IsSameAsset(o.Amount)) {
			sum = gateway.Money{Amount: sum.Amount.Add(o.Amount.Amount), Asset: o.Amount.Asset}
		}
	}
	if sum.Amount.Sign() > 0 {
		s.Refunded = core.AuditMoney(sum)
	}
	return s
}
