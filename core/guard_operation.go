package core

import "github.com/vezne/vezne/core/gateway"

// Beside implements Guarded: the operation as it is, and the payment, which says whose staff see a request about it.
func (o Operation) Beside() []Identity {
	return append(Replaced(o), AnyVersionOf(Payment{ID: o.PaymentID}))
}

// Guards implements Guarded: refunds that begin, and payouts that are let go: those that waited for staff, and those whose
// second factor staff are about to give. What was called already has its outcome recorded, and is not held up.
func (o Operation) Guards(in Judged) []Guard {
	before, isOld := Before(in, o)
	guard := Guard{Subject: "payment/" + o.TrackingCode, DealerID: dealerOf(o.PaymentID, in), Amount: o.Amount}
	switch {
	case o.Kind == RefundOperation && !isOld:
		guard.Action = GuardRefund
	case o.Kind != PayoutOperation || !isOld:
	case o.Phase == Planned && before.NextAt.IsZero() && !o.NextAt.IsZero():
		guard.Action = GuardWithdrawal
	case IsConfirming(before, o) && !Has[GatewayCall](in.Changeset):
		guard.Action = GuardWithdrawal
	}
	if guard.Action == "" {
		return nil
	}
	return []Guard{guard}
}

// IsConfirming reports whether an operation is saved as a payout whose second factor is about to be given.
func IsConfirming(before, o Operation) bool {
	wanted := string(gateway.PayoutNeedsApproval)
	return before.State == wanted && o.State == wanted && o.Phase == before.Phase
}

func dealerOf(id ID, in Judged) int64 {
	for _, p := range RowsOf[Payment](in.Changeset) {
		if p.ID == id {
			return p.DealerID
		}
	}
	p, _ := Before(in, Payment{ID: id})
	return p.DealerID
}

// Beside implements Guarded.
func (Discrepancy) Beside() []Identity { return nil }

// Guards implements Guarded: money that does not fit and is taken for the payment. By staff only is any accepted.
func (d Discrepancy) Guards(in Judged) []Guard {
	if d.State != DiscrepancyAccepted {
		return nil
	}
	amount := d.Seen
	for _, p := range RowsOf[Payment](in.Changeset) {
		if p.ID == d.PaymentID {
			amount = gateway.Lira(p.Amount)
		}
	}
	return []Guard{{Action: GuardCompletion, Subject: "payment/" + d.TrackingCode, DealerID: d.DealerID, Amount: amount}}
}

// Beside implements Guarded.
func (RouteRule) Beside() []Identity { return nil }

// Guards implements Guarded: who gets which payments is held up with everything of a rule.
func (r RouteRule) Guards(Judged) []Guard {
	return guardIf(true, GuardRouting, named("route_rule", r.ID, r.Version > 1, r.Name), 0)
}

// Beside implements Guarded.
func (a GatewayAccount) Beside() []Identity { return Replaced(a) }

// Guards implements Guarded: keys and settings, limits, and which gateway payments go to.
func (a GatewayAccount) Guards(in Judged) []Guard {
	before, isOld := Before(in, a)
	subject := named("gateway", a.ID, isOld, a.Code)
	isKeyed := before.Config != a.Config || before.Plugin != a.Plugin || before.Environment != a.Environment ||
		isOld && before.HookToken != a.HookToken
	isChosenOtherwise := isOld && a.IsEnabled && (before.Priority != a.Priority || before.Weight != a.Weight)
	isLimited := !before.Min.Equal(a.Min) || !before.Max.Equal(a.Max) || !before.ApprovalFrom.Equal(a.ApprovalFrom)
	guards := guardIf(isKeyed, GuardKeys, subject, 0)
	guards = append(guards, guardIf(a.IsEnabled && !before.IsEnabled || isChosenOtherwise, GuardRouting, subject, 0)...)
	return append(guards, guardIf(isOld && isLimited, GuardLimits, subject, 0)...)
}
