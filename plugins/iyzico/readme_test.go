package iyzico_test

import (
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/iyzico"
	"github.com/vezne/vezne/plugins/plugkit"
)

// table finds the table of README.md whose last column has a heading, as rows of cells.
func table(t *testing.T, heading string) [][]string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	isInside := false
	for row := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(row), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch isRow := strings.HasPrefix(row, "|"); {
		case isRow && cells[len(cells)-1] == heading:
			isInside = true
		case !isRow:
			isInside = false
		case isInside && !strings.HasPrefix(row, "|---"):
			rows = append(rows, cells)
		}
	}
	if len(rows) == 0 {
		t.Fatalf("README.md has no table %q", heading)
	}
	return rows
}

// TestTheReadmeHasTheTablesOfStatuses: what people read is what the code does.
func TestTheReadmeHasTheTablesOfStatuses(t *testing.T) {
	t.Parallel()
	for heading, states := range map[string]plugkit.States{
		"State": iyzico.FormStates, "Reported state": iyzico.ReportedStates, "Listed state": iyzico.ListedStates,
		"Refund state": iyzico.RefundStates,
	} {
		written, real := map[string]string{}, map[string]string{}
		for _, cells := range table(t, heading) {
			written[strings.Trim(strings.Replace(cells[0], "(none)", "", 1), "`")] = cells[1]
		}
		for raw, state := range states {
			real[raw] = string(state)
		}
		if !maps.Equal(written, real) {
			t.Errorf("%s: README.md has %v,\nthe plugin %v", heading, written, real)
		}
	}
}

func TestTheReadmeHasTheTableOfErrors(t *testing.T) {
	t.Parallel()
	written := map[string]string{}
	for _, cells := range table(t, "Reason") {
		code := strings.TrimSpace(strings.TrimSuffix(cells[0], "†"))
		written[code] = strings.Join(cells[2:], " ")
	}
	for code, f := range iyzico.FailureCodes() {
		row := string(f.Class) + " " + f.Effect.String() + " " + string(f.Reason)
		if f.Soft {
			row += ", soft"
		}
		if written[code] != row {
			t.Errorf("%s: README.md has %q, the plugin %q", code, written[code], row)
		}
		delete(written, code)
	}
	if len(written) > 0 {
		t.Errorf("README.md has codes that the plugin lacks: %v", sortedKeys(written))
	}
}

func TestTheReadmeHasTheTableOfGroups(t *testing.T) {
	t.Parallel()
	written := map[string]string{}
	for _, cells := range table(t, "Meaning of the group") {
		for _, group := range strings.Fields(strings.ReplaceAll(cells[0], "`", "")) {
			written[group] = cells[1]
		}
	}
	real := map[string]string{}
	for group, f := range iyzico.Groups {
		real[group] = string(f.Reason)
		if f.Soft {
			real[group] += ", soft"
		}
		if f.Class != gateway.Refused {
			real[group] = string(f.Class) + ", effect " + f.Effect.String()
		}
	}
	if !maps.Equal(written, real) {
		t.Errorf("README.md has %v,\nthe plugin %v", written, real)
	}
}

// TestTheReadmeNamesEveryFieldOfTheConfiguration, and says that nobody has run it.
func TestTheReadmeNamesEveryFieldOfTheConfiguration(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range iyzico.Plugin().Describe().Config {
		if !strings.Contains(string(text), "`"+f.Name+"`") {
			t.Errorf("README.md says nothing of %s", f.Name)
		}
	}
	if !strings.Contains(string(text), "never run against iyzico") {
		t.Error("README.md does not say that the plugin was never run against iyzico")
	}
}
