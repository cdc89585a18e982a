package sandbox_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/sandbox"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// tables are those of README.md.
func tables() map[string]any {
	all := map[string]any{
		"Statuses of deposits": sandbox.StatesTable(), "Statuses of payouts and transfers": sandbox.PayoutsTable(),
		"Statuses of refunds": sandbox.RefundsTable(), "Failures": sandbox.FailuresTable(),
		"Statuses of disputes": sandbox.DisputesTable(), "Reasons of disputes": sandbox.DisputeReasonsTable(),
	}
	headings := map[string]string{
		"card": "Cards", "wallet": "Wallets", "bank": "Deposits by bank", "crypto": "Deposits in a coin", "deposit": "Every deposit",
		"order": "Every order", "payout": "Payouts and transfers",
	}
	for _, s := range bank.Scenarios() {
		heading := headings[s.Kind]
		if all[heading] == nil {
			all[heading] = conformance.Rows{}
		}
		all[heading].(conformance.Rows)[s.Code] = map[string]string{"What happens": s.Title}
	}
	return all
}

func TestREADMEHasTheVectorsAndTestNumbers(t *testing.T) {
	t.Parallel()
	text := readme(t)
	for _, want := range []string{
		requestVector, questionVector, bank.TestCard("10"), bank.TestWallet("10"), bank.TestIBAN("10"),
		bank.TestAddress("TRC20", "10"), bank.TestAddress("BTC", "10"), bank.Code,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the README lacks %s", want)
		}
	}
}

func TestEveryCodeOfTheBankIsInAFailureTable(t *testing.T) {
	t.Parallel()
	known := slices.Sorted(maps.Keys(sandbox.FailuresTable()))
	for _, code := range bank.Codes() {
		isNoRefusal := slices.Contains([]string{ // reasons of what is no failure of the payer: told as DECLINED
			"canceled_by_merchant", "chargeback", "reversed_by_bank", "third_party_payer", "wrong_asset", "wrong_network",
			"memo_missing", "refund_rejected",
		}, code)
		if !isNoRefusal && !slices.Contains(known, code) {
			t.Errorf("the bank says %s, and the plugin does not know it", code)
		}
	}
}

func TestNeedsAreOfEachKind(t *testing.T) {
	t.Parallel()
	d := sandbox.Plugin().Describe()
	for kind, want := range map[gateway.Kind]string{
		gateway.Bank: "[iban]", gateway.Crypto: "[crypto_type wallet_address]", gateway.Wallet: "[wallet_number]", gateway.Card: "[]",
	} {
		names := []string{}
		for _, f := range gateway.NeedsOf(d.Payout.Needs, kind) {
			names = append(names, f.Name)
		}
		if fmt.Sprint(names) != want {
			t.Errorf("a payout of kind %s needs %v, want %s", kind, names, want)
		}
	}
}
