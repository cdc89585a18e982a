package operation

import (
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
)

// Beside implements Guarded: the operation as it is, and the payment, which says whose staff see a request about it.
func (o Operation) Beside() []core.Identity {
	return append(core.Replaced(o), core.AnyVersionOf(payment.Payment{ID: o.PaymentID}))
}

// Guards implements Guarded: refunds that begin, money that a gateway holds and is told to take, and payouts that are let go: those that
// waited for staff, and those whose second factor staff are about to give. What was called already has its outcome recorded, and is not held up.
func (o Operation) Guards(in core.Judged) []core.Guard {
	before, isOld := core.Before(in, o)
	guard := core.Guard{Subject: "payment/" + o.TrackingCode, DealerID: dealerOf(o.PaymentID, in), Amount: o.Amount}
	switch {
	case o.Kind == RefundOperation && !isOld:
		guard.Action = core.GuardRefund
	case isOld && isApproving(before, o):
		guard.Action = core.GuardCredit
	case o.Kind != PayoutOperation || !isOld:
	case o.Phase == Planned && before.NextAt.IsZero() && !o.NextAt.IsZero():
		guard.Action = core.GuardWithdrawal
	case IsConfirming(before, o) && !core.Has[GatewayCall](in.Changeset):
		guard.Action = core.GuardWithdrawal
	}
	if guard.Action == "" {
		return nil
	}
	return []core.Guard{guard}
}

// IsConfirming reports whether an operation is saved as a payout whose second factor is about to be given.
func IsConfirming(before, o Operation) bool {
	wanted := string(gateway.PayoutNeedsApproval)
	return before.Status == wanted && o.Status == wanted && o.Phase == before.Phase
}

func dealerOf(id core.ID, in core.Judged) int64 {
	for _, p := range core.RowsOf[payment.Payment](in.Changeset) {
		if p.ID == id {
			return p.DealerID
		}
	}
	p, _ := core.Before(in, payment.Payment{ID: id})
	return p.DealerID
}
