package nestpay_test

import (
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/nestpay"
)

// TestTheReadmeHasTheTables: what people read is what the code does.
func TestTheReadmeHasTheTables(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	tables, heading := map[string]map[string]string{}, ""
	for row := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(row), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(strings.ReplaceAll(cells[i], "`", ""))
		}
		switch {
		case !strings.HasPrefix(row, "|"):
			heading = ""
		case heading == "":
			heading = cells[len(cells)-1]
			tables[heading] = map[string]string{}
		case !strings.HasPrefix(row, "|---"):
			tables[heading][cells[0]] = strings.Join(cells[1:], " ")
		}
	}
	states, failures := map[string]string{}, map[string]string{}
	for raw, state := range nestpay.Lines {
		states[raw] = string(state)
	}
	for code, f := range nestpay.Failures {
		failures[code] = string(f.Class) + " " + f.Effect.String() + " " + string(f.Reason)
	}
	if !maps.Equal(tables["State"], states) {
		t.Errorf("README.md has the states %v,\nthe plugin %v", tables["State"], states)
	}
	if !maps.Equal(tables["Reason"], failures) {
		t.Errorf("README.md has the errors %v,\nthe plugin %v", tables["Reason"], failures)
	}
	for _, f := range nestpay.Plugin().Describe().Config {
		if !strings.Contains(string(text), "`"+f.Name+"`") {
			t.Errorf("README.md says nothing of %s", f.Name)
		}
	}
	if nestpay.Plugin().Describe().Maturity != gateway.Draft || !strings.Contains(string(text), "Maturity: draft") {
		t.Error("README.md does not say the maturity")
	}
}
