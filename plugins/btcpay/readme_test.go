package btcpay_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/btcpay"
)

// table returns the rows of the table below a heading of README.md, without the marks of code.
func table(t *testing.T, heading string) [][]string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(text), "\n## "+heading+"\n")
	if !ok {
		t.Fatalf("README.md has no %q", heading)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	var rows [][]string
	for line := range strings.Lines(section) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "|---") {
			var cells []string
			for cell := range strings.SplitSeq(strings.Trim(line, "|"), "|") {
				cells = append(cells, strings.TrimSpace(strings.ReplaceAll(cell, "`", "")))
			}
			rows = append(rows, cells)
		}
	}
	if len(rows) < 2 {
		t.Fatalf("README.md has no table below %q", heading)
	}
	return rows[1:]
}

// checkTable compares the first columns of a table with what they must be, whatever the order.
func checkTable(t *testing.T, heading string, columns int, want [][]string) {
	t.Helper()
	flat := func(rows [][]string) []string {
		var all []string
		for _, row := range rows {
			all = append(all, strings.Join(row[:min(columns, len(row))], " | "))
		}
		slices.Sort(all)
		return all
	}
	got, wanted := flat(table(t, heading)), flat(want)
	for _, row := range got {
		if !slices.Contains(wanted, row) {
			t.Errorf("%s: README.md has %q, and the code has not", heading, row)
		}
	}
	for _, row := range wanted {
		if !slices.Contains(got, row) {
			t.Errorf("%s: the code has %q, and README.md has not", heading, row)
		}
	}
	if len(got) != len(wanted) {
		t.Errorf("%s: README.md has %d rows, and the code has %d", heading, len(got), len(wanted))
	}
}

func TestREADMEHasTheTablesOfTheCode(t *testing.T) {
	t.Parallel()
	var states, payouts, failures, events, vectors [][]string
	for raw, state := range btcpay.States() {
		states = append(states, []string{raw, string(state)})
	}
	for raw, state := range btcpay.PayoutStates() {
		payouts = append(payouts, []string{raw, string(state)})
	}
	for code, f := range btcpay.Failures() {
		failures = append(failures, []string{code, string(f.Class), f.Effect.String()})
	}
	for name, e := range btcpay.Events() {
		events = append(events, []string{name, string(e.State), e.Trust.String()})
		if e.Flag != "" {
			events = append(events, []string{name + " with " + e.Flag, string(e.Flagged), gateway.Hint.String()})
		}
	}
	for _, name := range btcpay.PayoutEvents() {
		events = append(events, []string{name, "by its payoutState", gateway.Hint.String()})
	}
	const body = `{"type":"InvoiceSettled","invoiceId":"HMprBnL9BTXWuPvpoKBS6e"}`
	vectors = append(vectors, []string{"s3cr3t", body, btcpay.Signature("s3cr3t", []byte(body))})
	checkTable(t, "Deposits", 2, states)
	checkTable(t, "Payouts", 2, payouts)
	checkTable(t, "Errors", 3, failures)
	checkTable(t, "Notifications", 3, events)
	checkTable(t, "Vectors", 3, vectors)
}

func TestREADMEHasTheConfiguration(t *testing.T) {
	t.Parallel()
	var fields [][]string
	for _, f := range btcpay.Plugin().Describe().Config {
		needed := ""
		if f.IsRequired {
			needed = "yes"
		}
		fields = append(fields, []string{f.Name, needed, f.Default})
	}
	checkTable(t, "Configuration", 3, fields)
	for _, row := range table(t, "Configuration") {
		if row[0] != "speed_policy" {
			continue
		}
		for policy, n := range btcpay.Confirmations() {
			if !strings.Contains(row[3], policy+" "+string(rune('0'+n))) {
				t.Errorf("%q does not say that %s waits for %d", row[3], policy, n)
			}
		}
	}
}

// TestREADMEHasThePermissions: the setup steps of the back office and those of README.md ask for the same.
func TestREADMEHasThePermissions(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, step := range btcpay.Plugin().Describe().Setup {
		for word := range strings.FieldsSeq(step.Text) {
			if name := strings.Trim(word, ".,;"); strings.HasPrefix(name, "btcpay.store.") {
				count++
				if !strings.Contains(string(text), "`"+name+"`") {
					t.Errorf("README.md lacks the permission %s", name)
				}
			}
		}
	}
	if count < 7 {
		t.Errorf("the setup steps name %d permissions", count)
	}
}
