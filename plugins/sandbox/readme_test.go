package sandbox_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/sandbox"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// section is what stands in the README below a heading, to the next one.
func section(t *testing.T, heading string) string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, ok := strings.Cut(string(text), "\n"+heading+"\n")
	if !ok {
		t.Fatalf("the README has no heading %q", heading)
	}
	below, _, _ := strings.Cut(after, "\n#")
	return below
}

// rows are the lines of the tables in a section, without their heads.
func rows(text string) []string {
	var list []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "|---") && len(list) > 0:
			list = list[:len(list)-1]
		case strings.HasPrefix(line, "| "):
			list = append(list, line)
		}
	}
	return list
}

// hasRows compares the tables of a section with what the code says.
func hasRows(t *testing.T, heading string, want []string) {
	t.Helper()
	got := rows(section(t, heading))
	for _, row := range want {
		if !slices.Contains(got, row) {
			t.Errorf("%s: the README lacks %s", heading, row)
		}
	}
	for _, row := range got {
		if !slices.Contains(want, row) {
			t.Errorf("%s: the README has %s, and the code does not", heading, row)
		}
	}
}

func TestREADMEHasEveryScenario(t *testing.T) {
	t.Parallel()
	headings := map[string]string{
		"card": "### Cards", "wallet": "### Wallets", "bank": "### Deposits by bank", "crypto": "### Deposits in a coin",
		"deposit": "### Every deposit", "order": "### Every order", "payout": "### Payouts and transfers",
	}
	want := map[string][]string{}
	for _, s := range bank.Scenarios() {
		want[s.Kind] = append(want[s.Kind], fmt.Sprintf("| %s | %s |", s.Code, s.Title))
	}
	for kind, list := range want {
		hasRows(t, headings[kind], list)
	}
	if len(want) != len(headings) {
		t.Errorf("%d kinds, %d headings", len(want), len(headings))
	}
}

func TestREADMEHasEveryStatusAndFailure(t *testing.T) {
	t.Parallel()
	var statuses []string
	row := func(word string, meaning any) {
		statuses = append(statuses, fmt.Sprintf("| `%s` | %s |", word, meaning))
	}
	for word, state := range sandbox.StatesTable() {
		row(word, state)
	}
	for word, state := range sandbox.PayoutsTable() {
		row(word, state)
	}
	for word, state := range sandbox.RefundsTable() {
		row(word, state)
	}
	hasRows(t, "### Statuses", statuses)

	var failures []string
	for code, f := range sandbox.FailuresTable() {
		reason := string(f.Reason)
		if f.Soft {
			reason += " (soft)"
		}
		failures = append(failures, fmt.Sprintf("| `%s` | %s | %s | %s |", code, f.Class, f.Effect, reason))
	}
	hasRows(t, "### Failures", failures)
}

func TestREADMEHasTheConfiguration(t *testing.T) {
	t.Parallel()
	text := section(t, "## Start one")
	for _, f := range sandbox.Plugin().Describe().Config {
		if !strings.Contains(text, "| `"+f.Name+"` |") {
			t.Errorf("the README lacks the configuration field %s", f.Name)
		}
	}
}

func TestREADMEHasTheVectorsAndTestNumbers(t *testing.T) {
	t.Parallel()
	text := section(t, "## Wire format") + section(t, "## What happens to an order")
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
