package decision

import (
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// NeedsProof reports whether a staff member moves more than an amount with the changeset: a payment that they complete, with
// what it is completed with, one under way that they say has failed, held money that they have a gateway take, or a payout that they let
// go. What a gateway has moved already is a fact, and needs none.
func NeedsProof(c core.Changeset, above money.Amount) bool {
	bound := gateway.Lira(above)
	isAbove := func(m gateway.Money) bool { // in another currency or in a coin it is above any bound
		return !m.IsSameAsset(bound) || m.Amount.Cmp(bound.Amount) > 0
	}
	for _, m := range core.RowsOf[payment.Transition](c) {
		isPaid := m.To == payment.Completed || m.To == payment.Success
		isGivenUp := m.To == payment.Failed && m.From == payment.Processing // it may be paid, and its provider pays it back
		if (isPaid || isGivenUp) && m.From != m.To && m.Actor.Kind == core.ByStaff && isAbove(gateway.Lira(m.Amount)) {
			return true
		}
	}
	for _, o := range core.RowsOf[operation.Operation](c) {
		isLetGo := o.Phase == operation.Planned && o.Version > 1 && !o.NextAt.IsZero()
		isConfirmed := o.Status == string(gateway.PayoutNeedsApproval) && o.Phase != operation.Closed && o.Phase != operation.Late
		if o.Kind == operation.PayoutOperation && !core.Has[operation.GatewayCall](c) && (isLetGo || isConfirmed) && isAbove(o.Amount) {
			return true
		}
		_, isHeld := operation.Held([]operation.Operation{o})
		if isHeld && o.Review == operation.ApproveHeld && !core.Has[operation.GatewayCall](c) && core.Has[payment.Transition](c) && isAbove(o.Due) {
			return true
		}
	}
	return false
}
