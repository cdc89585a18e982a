package payment_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
)

// TestNoMoveCreditsWithoutACredit: every way to complete what credits somebody names the money, or is refused.
func TestNoMoveCreditsWithoutACredit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		p := coretest.Started(rt, rapid.SampledFrom(payment.Methods()).Draw(rt, "method"))
		p.Status = rapid.SampledFrom(payment.Statuses()).Draw(rt, "status")
		change, err := payment.Decide(p, rapid.SampledFrom(p.Method.Kind().Commands()).Draw(rt, "command"), coretest.Decision(rt))
		if err != nil || p.IsCredited() {
			return
		}
		if after := core.RowsOf[payment.Payment](change)[0]; after.IsCredited() {
			rt.Fatalf("%s of %s is credited without a credit", after.Status, after.Method)
		}
	})
	k := payment.Credit{Amount: coretest.Lira(25_001), Source: payment.CreditOfLine, LineID: "x", Brought: coretest.Lira(25_000)}
	if _, err := payment.CompleteWith(coretest.Started(t, payment.EIBANDeposit), payment.Succeed, k, coretest.Decision(t)); !fault.Is(err, fault.Uncredited) {
		t.Errorf("more than the line brought: %v", err)
	}
}
