package payment

import (
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// isPaid reports whether a payment counts as paid.
func (p Payment) isPaid() bool { return p.Status == Completed || p.Status == Success }

// paysOut reports whether the payment's money leaves.
func (p Payment) paysOut() bool {
	switch p.Method.Kind() {
	case Withdrawal, Payout, Transfer:
		return true
	default:
		return false
	}
}

// Beside implements Guarded.
func (p Payment) Beside() []core.Identity { return core.Replaced(p) }

// Guards implements Guarded: payments that a staff member completes, and withdrawals that one is given to pay. What the
// gateway reported about a payment is a fact, whoever asked.
func (p Payment) Guards(in core.Judged) []core.Guard {
	before, _ := core.Before(in, p)
	return append(p.guardsOfCompletion(before, in), p.guardsOfClaim(before)...)
}

func (p Payment) guardsOfCompletion(before Payment, in core.Judged) []core.Guard {
	if p.Version == 1 || !p.isPaid() || before.isPaid() || !isMovedByStaff(p.ID, in) {
		return nil
	}
	guard := core.Guard{Subject: "payment/" + p.TrackingCode, DealerID: p.DealerID, Amount: gateway.Lira(p.Amount)}
	var guards []core.Guard
	isOver := !before.ExpiresAt.IsZero() && before.Status != Processing && !p.UpdatedAt.Before(before.ExpiresAt)
	if before.Status.IsFinal() || isOver {
		guard.Action = core.GuardCompletion
		guards = append(guards, guard)
	}
	if p.paysOut() && !before.isCleared() {
		guard.Action, guard.IsCounted = core.GuardWithdrawal, p.Method.Kind() == Withdrawal // when it was claimed
		guards = append(guards, guard)
	}
	return guards
}

// guardsOfClaim are of withdrawals: whoever has claimed one may send the money. What a request holds is nobody's to pay, and a
// claim that such a request gives back was judged when it was made.
func (p Payment) guardsOfClaim(before Payment) []core.Guard {
	was := before.Claim
	if was.IsAwaiting() {
		was = was.Prior()
	}
	isNew := p.Claim.StaffID != 0 && p.Claim != before.Claim && p.Claim != was && !p.Claim.IsAwaiting()
	if p.Method.Kind() != Withdrawal || p.Status.IsFinal() || !isNew || before.isCleared() {
		return nil
	}
	return []core.Guard{{
		Action: core.GuardWithdrawal, Subject: "payment/" + p.TrackingCode, DealerID: p.DealerID, Amount: gateway.Lira(p.Amount),
		IsCounted: was.StaffID == p.Claim.StaffID,
	}}
}

// isMovedByStaff reports whether a staff member made the payment's moves; of a payment without any the changeset's maker is.
func isMovedByStaff(id core.ID, in core.Judged) bool {
	isMoved := false
	for _, m := range core.RowsOf[Transition](in.Changeset) {
		if m.PaymentID == id {
			isMoved = true
			if m.Actor.Kind == core.ByStaff {
				return true
			}
		}
	}
	return !isMoved
}

// Beside implements Guarded: the payment, from whose amount a credit may differ.
func (c Credit) Beside() []core.Identity {
	return []core.Identity{core.AnyVersionOf(Payment{ID: c.PaymentID})}
}

// Guards implements Guarded: what a staff member credits by their word, with a bank line that they chose, and by a
// correction.
func (c Credit) Guards(in core.Judged) []core.Guard {
	isChosen := c.Source == CreditOfLine && c.Actor.Kind == core.ByStaff
	isWord := c.Source == CreditOfStaff || c.Number > 1 || c.NeedsSecond != ""
	isGateways := c.Source == CreditOfDispute && c.Actor.Kind == core.ByGateway // a fact, whoever asked
	if c.Version != 1 || !isWord && !isChosen || isGateways {
		return nil
	}
	guard := core.Guard{
		Action: core.GuardCredit, Subject: "payment/" + c.TrackingCode, DealerID: c.DealerID, Amount: gateway.Lira(c.Amount),
		Why: c.NeedsSecond, IsAlways: c.NeedsSecond != "" || c.AwaitsMoney || c.Number > 1,
	}
	if c.Number > 1 {
		guard.Action = core.GuardCorrection
	} else if before, isOld := core.Before(in, Payment{ID: c.PaymentID}); isOld && !before.Amount.Equal(c.Amount) {
		guard.DiffersBy = gateway.Lira(difference(before.Amount, c.Amount))
	}
	return []core.Guard{guard}
}

// difference is by how much two amounts differ, whichever is more.
func difference(a, b money.Amount) money.Amount {
	return money.New(max(a.Minor(), b.Minor())-min(a.Minor(), b.Minor()), b.Currency())
}
