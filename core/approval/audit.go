package approval

import (
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
)

// requestState is what an audit row of a payment says of a request about it.
type requestState struct {
	Request     core.ID `json:"request"`
	State       Status  `json:"state"`
	Action      string  `json:"action"`
	Amount      string  `json:"amount,omitempty"`
	RequestedBy string  `json:"requestedBy"`
	DecidedBy   string  `json:"decidedBy,omitempty"`
}

// OnPayment is what a payment that a request is about is told of its decision: an audit row that names who asked and who decided,
// and a row of its history. The entry is the decision's own.
func (a Approval) OnPayment(entry core.AuditEntry, p payment.Payment, ids *core.IDs) (core.AuditEntry, payment.Transition) {
	command, amount := payment.ApproveRequest, gateway.Money{}
	if a.Status == Refused {
		command = payment.RefuseRequest
	}
	for _, g := range a.Guards {
		if g.Subject == "payment/"+p.TrackingCode && g.Amount.Amount.Sign() > 0 {
			amount = g.Amount
		}
	}
	says := requestState{
		Request: a.ID, State: Waiting, Action: a.Action, Amount: core.AuditMoney(amount), RequestedBy: a.RequesterName,
	}
	entry.ID, entry.Target, entry.Before = ids.Next(), "payment/"+p.TrackingCode, core.AuditJSON(says)
	says.State, says.DecidedBy = a.Status, a.DecidedByName
	entry.After = core.AuditJSON(says)
	reason := payment.Joined(a.Action+", asked for by "+a.RequesterName, entry.Reason)
	return entry, p.Note(command, amount, entry.Actor, reason, payment.TransitionID{ID: ids.Next(), At: entry.At})
}
