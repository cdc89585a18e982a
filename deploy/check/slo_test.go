package check_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	strict "sigs.k8s.io/yaml"
)

var update = flag.Bool("update", false, "write slo_rules.yaml anew")

const (
	sloFile      = "../prometheus/slo.yaml"
	sloRulesFile = "../prometheus/slo_rules.yaml"
)

// objective is one of slo.yaml's.
type objective struct {
	Name      string  `json:"name"`
	Objective float64 `json:"objective"`
	Least     int     `json:"least"`
	Summary   string  `json:"summary"`
	Runbook   string  `json:"runbook"`
	Bad       string  `json:"bad"`
	Total     string  `json:"total"`
}

// within is a promise's expression for a window.
func within(expr, window string) string { return strings.ReplaceAll(expr, "$window", window) }

// burn is a rule that fires while the budget of errors is spent so many times as fast as it may be, in a long window and, so that it ends
// soon, in a short one. Each is half of a burn-rate alert (Google, The Site Reliability Workbook, chapter 5, "Multiwindow, Multi-Burn-Rate
// Alerts"); the factors are those of its example for 30 days, with one more for a day.
type burn struct {
	short, long string
	hours       int // of the long one
	factor      string
}

// severities are the two rules of each promise. The first wakes somebody: it spends a twentieth of a month's budget in six hours or less.
var severities = []struct {
	name, severity, say string
	burns               [2]burn
}{
	{"BurnsFast", "critical", "fast", [2]burn{{"5m", "1h", 1, "14.4"}, {"30m", "6h", 6, "6"}}},
	{"BurnsSlowly", "warning", "slowly", [2]burn{{"2h", "1d", 24, "3"}, {"6h", "3d", 72, "1"}}},
}

var windows = []string{"5m", "30m", "1h", "2h", "6h", "1d", "3d"}

// rulesOf writes the rules of all promises.
func rulesOf(list []objective) []byte {
	var b bytes.Buffer
	b.WriteString("# Made of slo.yaml: `go test ./deploy/check -run SLO -update`. Change that file, not this one.\ngroups:\n  - name: vezne-slo-figures\n    rules:\n")
	for _, o := range list {
		for _, w := range windows {
			fmt.Fprintf(&b, "      - record: vezne:slo_error_ratio:rate%s\n        expr: (%s) / (%s)\n        labels: {slo: %s}\n", w, within(o.Bad, w), within(o.Total, w), o.Name)
		}
	}
	b.WriteString("\n  - name: vezne-slo\n    rules:\n")
	for _, o := range list {
		budget := strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.6f", (100-o.Objective)/100), "0"), ".")
		for _, s := range severities {
			fmt.Fprintf(&b, "      - alert: VezneSLO%s%s\n        expr: |\n", o.Name, s.name)
			for i, u := range s.burns {
				or := ""
				if i > 0 {
					or = "or "
				}
				fmt.Fprintf(&b, "          %s(vezne:slo_error_ratio:rate%s{slo=%q} > %s * %s and vezne:slo_error_ratio:rate%s{slo=%q} > %s * %s\n"+
					"            and on () (%s) * %d > %d)\n", or, u.short, o.Name, u.factor, budget, u.long, o.Name, u.factor, budget, within(o.Bad, u.long), u.hours*3600, o.Least)
			}
			fmt.Fprintf(&b, "        labels: {severity: %s}\n        annotations:\n          summary: 'the month''s budget is spent too %s: %s'\n          runbook: %s\n          query: vezne:slo_error_ratio:rate1h{slo=%q}\n",
				s.severity, s.say, o.Summary, o.Runbook, o.Name)
		}
	}
	return b.Bytes()
}

// TestSLORulesAreThoseOfTheirFile: and each promise is one that can be kept and broken.
func TestSLORulesAreThoseOfTheirFile(t *testing.T) {
	raw, err := os.ReadFile(sloFile)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		SLOs []objective `json:"slos"`
	}
	if err := strict.UnmarshalStrict(raw, &file); err != nil {
		t.Fatal(err)
	}
	for _, o := range file.SLOs {
		if o.Objective < 50 || o.Objective >= 100 || o.Least < 1 || !strings.Contains(o.Bad, "$window") || !strings.Contains(o.Total, "$window") {
			t.Errorf("%s is no promise: %+v", o.Name, o)
		}
	}
	want := rulesOf(file.SLOs)
	if *update {
		if err := os.WriteFile(sloRulesFile, want, 0o644); err != nil { //nolint:gosec // everybody may read it
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(sloRulesFile); err != nil || !bytes.Equal(got, want) {
		t.Errorf("slo_rules.yaml is not what slo.yaml makes (%v): run this test with -update", err)
	}
}
