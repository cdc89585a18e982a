package graph_test

import (
	"testing"

	"github.com/vezne/vezne/core/lang"
)

// TestEveryActionHasALabel: the audit log names what was done as the mutation is named. Some mutations leave no entry of their name.
func TestEveryActionHasALabel(t *testing.T) {
	t.Parallel()
	unwritten := map[string]bool{
		"loginWithCode": true, "beginPasskeyLogin": true, "loginWithPasskey": true, // are all login
		"beginPasskey": true, "beginPasskeyStepUp": true, // a finished one is written
		"decideMany": true, // each decision has an entry of its own
	}
	taken := map[string]string{}
	for _, f := range schema().Mutation.Fields {
		if unwritten[f.Name] {
			continue
		}
		for _, tag := range lang.Tags() {
			label := lang.Action(tag, f.Name)
			if label == f.Name {
				t.Errorf("%s has no label in %s", f.Name, tag)
			}
			if other, isTaken := taken[label]; isTaken {
				t.Errorf("%s and %s are both called %q", f.Name, other, label)
			}
			taken[label] = f.Name
		}
	}
	if got := lang.Action(lang.TR, "notAnAction"); got != "notAnAction" {
		t.Errorf("what has no label is called %q", got)
	}
}
