package payment_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
)

// TestWhatIsWrongWithCreditsIsFound: each thing that must never be, and none where nothing is wrong.
func TestWhatIsWrongWithCreditsIsFound(t *testing.T) {
	t.Parallel()
	row := func(number int, minor int64, source payment.CreditSource) payment.Credit {
		return payment.Credit{Number: number, Amount: coretest.Lira(minor), Source: source}
	}
	ofLine, ofOperation, word := row(1, 25_000, payment.CreditOfLine), row(1, 25_000, payment.CreditOfOperation), row(1, 25_000, payment.CreditOfStaff)
	less := row(2, -10, payment.CreditOfStaff)
	for name, c := range map[string]struct {
		amount, corrected, brought int64
		credits                    []payment.Credit
		want                       []payment.CreditBreachKind
	}{
		"a line's":                       {25_000, 0, 25_000, []payment.Credit{ofLine}, nil},
		"a word's, corrected":            {24_990, -10, 0, []payment.Credit{word, less}, nil},
		"none":                           {25_000, 0, 0, nil, []payment.CreditBreachKind{payment.CompletedWithoutCredit}},
		"another amount":                 {25_001, 0, 25_000, []payment.Credit{ofLine}, []payment.CreditBreachKind{payment.CreditedOtherwise}},
		"a correction that is not said":  {24_990, 0, 25_000, []payment.Credit{ofLine, less}, []payment.CreditBreachKind{payment.CorrectedOtherwise}},
		"a correction that is not there": {25_000, -10, 25_000, []payment.Credit{ofLine}, []payment.CreditBreachKind{payment.CorrectedOtherwise}},
		"more than the line":             {25_000, 0, 24_999, []payment.Credit{ofLine}, []payment.CreditBreachKind{payment.CreditedBeyondLine}},
		"more than the operation":        {25_000, 0, 24_999, []payment.Credit{ofOperation}, []payment.CreditBreachKind{payment.CreditedBeyondOperation}},
		"no more than it, corrected":     {24_990, -10, 24_990, []payment.Credit{ofLine, less}, nil},
	} {
		p := coretest.Started(t, payment.EIBANDeposit)
		p.Status, p.Amount, p.CorrectedAmount = payment.Completed, coretest.Lira(c.amount), coretest.Lira(c.corrected)
		if got := payment.CreditBreaches(p, c.credits, coretest.Lira(c.brought)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	p := coretest.Started(t, payment.EIBANDeposit)
	if got := payment.CreditBreaches(p, nil, coretest.Lira(0)); len(got) > 0 {
		t.Errorf("one that is not completed: %q", got)
	}
}

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
