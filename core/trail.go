package core

import (
	"encoding/json"

	"github.com/vezne/vezne/core/gateway"
)

// note is a row of the case's history that leaves its status as it is, with the money that it is about.
func (c Case) note(command Command, m gateway.Money, d Decision) Move {
	return c.Payment.Note(command, m, d.By, d.Reason, MoveID{ID: d.IDs.Next(), At: d.At})
}

// caseState is what an audit row says of a case.
type caseState struct {
	Status        Status             `json:"status"`
	Amount        string             `json:"amount"`
	Refunded      string             `json:"refunded,omitempty"` // in all, with what is under way
	Refund        string             `json:"refund,omitempty"`   // this one
	Payout        string             `json:"payout,omitempty"`
	Discrepancies []discrepancyState `json:"discrepancies,omitempty"`
}

type discrepancyState struct {
	ID    ID               `json:"id"`
	Kind  DiscrepancyKind  `json:"kind"`
	State DiscrepancyState `json:"state"`
	Seen  string           `json:"seen,omitempty"`
}

// AuditStates are what an audit row says of a case before and after a change, as JSON: the payment's status and amount, what
// was given back in all and with this change, and the discrepancies that it settles.
func (c Case) AuditStates(change Changeset) (before, after string) {
	was, is := c.state(), c.after(change).state()
	known := map[ID]Operation{c.Operation.ID: c.Operation}
	for _, o := range c.Others {
		known[o.ID] = o
	}
	for _, o := range RowsOf[Operation](change) {
		switch _, isOld := known[o.ID]; {
		case o.Kind == RefundOperation && !isOld:
			is.Refund = shown(o.Amount)
		case o.Kind == PayoutOperation:
			was.Payout, is.Payout = shown(o.Amount), shown(o.Amount)
		}
	}
	if is.Refunded != "" && was.Refunded == "" {
		was.Refunded = shown(gateway.Money{Asset: c.Operation.Paid.Asset})
	}
	for _, d := range RowsOf[Discrepancy](change) {
		is.Discrepancies = append(is.Discrepancies, discrepancyState{d.ID, d.Kind, d.State, shown(d.Seen)})
		for _, old := range c.Discrepancies {
			if old.ID == d.ID {
				was.Discrepancies = append(was.Discrepancies, discrepancyState{old.ID, old.Kind, old.State, shown(old.Seen)})
			}
		}
	}
	return asJSON(was), asJSON(is)
}

// after is the case with what a change makes of its payment and operations.
func (c Case) after(change Changeset) Case {
	for _, p := range RowsOf[Payment](change) {
		if p.ID == c.Payment.ID {
			c.Payment = p
		}
	}
	all := []Operation{c.Operation}
	all = append(all, c.Others...)
	for _, o := range RowsOf[Operation](change) {
		isKnown := false
		for i := range all {
			if all[i].ID == o.ID {
				all[i], isKnown = o, true
			}
		}
		if !isKnown {
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
		isCounted := o.Kind == RefundOperation && gateway.RefundState(o.State) != gateway.RefundFailed
		if isCounted && (sum.Amount.Sign() == 0 || sum.IsSameAsset(o.Amount)) {
			sum = gateway.Money{Amount: sum.Amount.Add(o.Amount.Amount), Asset: o.Amount.Asset}
		}
	}
	if sum.Amount.Sign() > 0 {
		s.Refunded = shown(sum)
	}
	return s
}

// shown is money as audit rows have it: of the contract's currency the amount alone.
func shown(m gateway.Money) string {
	switch {
	case m.IsSameAsset(gateway.Money{Asset: gateway.TRY}):
		return m.Amount.Fixed(2)
	case m.Amount.Sign() == 0:
		return ""
	default:
		return m.String()
	}
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // cannot happen: a struct of texts
	}
	return string(text)
}
