package app_test

import (
	"strings"
	"testing"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core/coretest/texttest"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/operation"
)

// TestWhatGatewaysSayShowsWhatItIs: whatever a customer or staff read of it is a line in which nothing is hidden.
func TestWhatGatewaysSayShowsWhatItIs(t *testing.T) {
	t.Parallel()
	clean := app.Sanitizer{Gateway: &app.Gateway{}}
	said := "Ab" + strings.Join(texttest.Hidden, "") + strings.Join(texttest.Controls, "") + "cd"
	started, err := clean.Started(operation.Operation{}, gateway.DepositStarted{Next: gateway.NextStep{Pay: &gateway.Instructions{
		IBAN: said, Holder: said, Bank: said, Reference: said, Address: said, Memo: said, Lines: [][2]string{{said, said}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	pay := started.Next.Pay
	seen := clean.Observation(gateway.Observation{
		Raw: said, Payer: &gateway.Party{Name: said, IBAN: said, Wallet: said}, Reason: &gateway.Reason{RawCode: said, RawText: said},
	})
	texts := []string{
		pay.IBAN, pay.Holder, pay.Bank, pay.Reference, pay.Address, pay.Memo, pay.Lines[0][0], pay.Lines[0][1],
		seen.Raw, seen.Payer.Name, seen.Payer.IBAN, seen.Payer.Wallet, seen.Reason.RawCode, seen.Reason.RawText,
	}
	for i, text := range texts {
		if !lang.IsClean(text) || strings.Join(strings.Fields(text), " ") != "Ab cd" {
			t.Errorf("%d: %+q", i, text)
		}
	}
}
