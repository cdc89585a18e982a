package stripe_test

import (
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/vezne/vezne/plugins/stripe"
)

// rows are the rows of README.md's table whose last column has a heading: the first cell, and the others joined.
func rows(t *testing.T, heading string) map[string]string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	found, isInside := map[string]string{}, false
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
			for name := range strings.FieldsSeq(strings.ReplaceAll(cells[0], "`", "")) {
				found[name] = strings.Join(cells[1:], " ")
			}
		}
	}
	return found
}

// TestTheReadmeHasTheTables: what people read is what the code does.
func TestTheReadmeHasTheTables(t *testing.T) {
	t.Parallel()
	sessions, intents, refunds, failures := map[string]string{}, map[string]string{}, map[string]string{}, map[string]string{}
	for raw, state := range stripe.SessionStates {
		sessions[raw] = string(state)
	}
	for raw, state := range stripe.IntentStates {
		intents[raw] = string(state)
	}
	for raw, state := range stripe.RefundStates {
		refunds[raw] = string(state)
	}
	for code, f := range stripe.Failures {
		failures[code] = string(f.Class) + " " + f.Effect.String() + " " + string(f.Reason)
		if f.Soft {
			failures[code] += ", soft"
		}
	}
	for heading, real := range map[string]map[string]string{
		"State": sessions, "State of the payment": intents, "State of the refund": refunds, "Reason": failures,
	} {
		if written := rows(t, heading); !maps.Equal(written, real) {
			t.Errorf("%s: README.md has %v,\nthe plugin %v", heading, written, real)
		}
	}
	written := rows(t, "Default")
	for _, f := range stripe.Plugin().Describe().Config {
		if written[f.Name] == "" {
			t.Errorf("README.md says nothing of %s", f.Name)
		}
	}
}
