package operation

import (
	"slices"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
)

// Review is what staff decide about money that a gateway holds.
type Review string

// Decisions about held money.
const (
	ApproveHeld Review = "approve" // the gateway is to take it
	DeclineHeld Review = "decline" // the gateway is to let it go, or to give it back
)

// Held is the newest of a payment's operations whose money its gateway holds, or whose card is authorized only.
func Held(operations []Operation) (Operation, bool) {
	for _, o := range slices.Backward(operations) {
		if o.isHeldThere() {
			return o, true
		}
	}
	return Operation{}, false
}

func (o Operation) isHeldThere() bool {
	return o.Kind == DepositOperation && (o.Phase == Open || o.Phase == Late) && gateway.State(o.Status).IsHeld()
}

// DecideReview keeps what staff are about to tell the gateway of money that it holds. What becomes of it the gateway answers: until then
// nothing is credited, and nothing ends. Fault: NotAllowed where the gateway holds nothing.
func DecideReview(c Case, r Review, d payment.Decision) (core.Changeset, error) {
	o := c.Operation
	if !o.isHeldThere() {
		return core.Changeset{}, fault.New("core.DecideReview", fault.NotAllowed, string(c.Payment.Status))
	}
	o.Version++
	o.Review = r
	command := payment.ApproveHeld
	if r == DeclineHeld {
		command = payment.DeclineHeld
	}
	return core.Changeset{o, c.note(command, o.Due, d)}, nil
}

// isApproving reports whether an operation is saved because staff have its gateway take the money that it holds. What was approved once
// may be told again: the gateway may not have heard it.
func isApproving(before, o Operation) bool {
	return o.isHeldThere() && o.Review == ApproveHeld && before.Review != ApproveHeld
}
