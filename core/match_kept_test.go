package core_test

import (
	"testing"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// TestALineThatNamesAWordIsKeptForIt: whatever it brought, and whoever sent it, staff credit nobody else with it alone.
func TestALineThatNamesAWordIsKeptForIt(t *testing.T) {
	t.Parallel()
	first, twin := twins(t)
	awaited := word(t, first)
	named := saying("havale " + first.TrackingCode)
	for name, c := range map[string]struct {
		line   wallet.BankLine
		isKept bool
	}{
		"just what was awaited":            {bankLine(), true},
		"less, and it names the deposit":   {bankLine(named, bringing(24_000)), true},
		"without a sender, and it does so": {bankLine(named, sentBy("")), true},
		"less, and it names the other":     {bankLine(saying(twin.TrackingCode), bringing(24_000)), false},
	} {
		ranked := wallet.Sightings{Line: c.line, Deposits: deposits(twin), Awaiting: []wallet.Awaited{awaited}}.Match()
		if _, err := wallet.DecideCredit(aWallet(), ranked, twin, nil, decision(t)); fault.Is(err, fault.LineAwaited) != c.isKept {
			t.Errorf("%s: crediting the other one with it gives %v", name, err)
		}
		if _, err := wallet.DecideCredit(aWallet(), ranked, awaited.Payment, []payment.Credit{awaited.Credit}, decision(t)); err != nil {
			t.Errorf("%s: the word itself does not get it: %v", name, err)
		}
	}
}
