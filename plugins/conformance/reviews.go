package conformance

import (
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/ports"
)

func reviewCases() []testCase {
	approving := func(w *world) mutation {
		d, _ := w.startIn(IsInReview)
		before := w.fake.Mutations()
		return mutation{
			do:    func(w *world) error { return errorOf(w.reviewed(d, true)) },
			count: func() int { return w.fake.Mutations() - before },
			find:  func() error { return errorOf(w.readDeposit(d.key())) },
		}
	}
	return append([]testCase{
		{"a held deposit that is approved is paid, and one that is declined is not", reviewDecides},
		{"deciding about what is not held reports what it is and changes nothing", reviewComesLate},
	}, mutationCases("approving a held deposit", approving)...)
}

func (w *world) reviewed(d deposit, approves bool) (gateway.Observation, error) {
	o := gateway.ReviewOrder{DepositKey: d.key(), Key: keyOf(d.order.Ref + "V"), Approves: approves, Why: "looked at"}
	return call(w, "ReviewDeposit", ports.DepositReviewer.ReviewDeposit, o)
}

func reviewDecides(w *world) {
	for approves, never := range map[bool][]gateway.State{
		true:  {gateway.Failed, gateway.Canceled, gateway.Expired, gateway.Refunded},
		false: {gateway.Paid, gateway.OverPaid, gateway.PartPaid},
	} {
		d, ok := w.startIn(IsInReview)
		if !ok {
			return
		}
		o, err := w.reviewed(d, approves)
		w.ok("ReviewDeposit", err)
		read, err := w.readDeposit(d.key())
		w.ok("ReadDeposit after ReviewDeposit", err)
		for _, seen := range []gateway.Observation{o, read} {
			w.check(seen.Trust == gateway.Answered, "ReviewDeposit was answered by the gateway, and Trust is %q", seen.Trust)
			w.check(!isOneOf(seen.State, never...) && !seen.State.IsHeld(), "a held deposit that was decided about (approved: %t) reads as %s", approves,
				seen.State)
			w.check(!isPaid(seen.State) || seen.Paid != nil && isSame(*seen.Paid, d.due()), "a held deposit that was approved reports %v as paid, and %s is",
				seen.Paid, d.due())
		}
	}
}

func reviewComesLate(w *world) {
	for _, approves := range []bool{true, false} {
		d := w.paid()
		before := w.fake.Mutations()
		o, err := w.reviewed(d, approves)
		w.ok("ReviewDeposit of a deposit that is paid", err)
		w.check(o.State == gateway.Paid, "ReviewDeposit of a deposit that is paid reports %s: report what it is, and change nothing", o.State)
		w.unchanged(before, "ReviewDeposit of a deposit that is paid changed something at the gateway")
	}
}
