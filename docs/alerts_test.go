package docs_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestAlertsSayWhatToDo: each rule has a severity, a summary, a query, and a heading of docs/operators.md, and asks only for figures that
// there are, as dashboards do. That it fires when it should is said in the rules' own tests, which have every rule, too.
func TestAlertsSayWhatToDo(t *testing.T) {
	t.Parallel()
	rules := read(t, "deploy/prometheus/alerts.yaml") + read(t, "deploy/prometheus/slo_rules.yaml")
	manual, tests := read(t, "docs/operators.md"), read(t, "deploy/prometheus/alerts_test.yaml")+read(t, "deploy/prometheus/slo_rules_test.yaml")
	known := regexp.MustCompile("(?m)^\\| `(vezne_[a-z_]+)` \\|").FindAllStringSubmatch(manual, -1)
	isKnown := func(metric string) bool {
		metric = strings.TrimSuffix(strings.TrimSuffix(metric, "_count"), "_bucket")
		return slices.ContainsFunc(known, func(row []string) bool { return row[1] == metric })
	}
	for _, metric := range regexp.MustCompile(`\bvezne_[a-z_]+\b`).FindAllString(rules+read(t, "deploy/grafana/money.json")+read(t, "deploy/grafana/machine.json"), -1) {
		if !isKnown(metric) {
			t.Errorf("a rule or a dashboard asks for %s, which there is not", metric)
		}
	}
	all := strings.Split(rules, "      - alert: ")[1:]
	if len(all) == 0 {
		t.Fatal("there are no rules")
	}
	for _, rule := range all {
		name, body, _ := strings.Cut(rule, "\n")
		for what, pattern := range map[string]string{
			"severity": `labels: \{severity: (critical|warning)\}`, "summary": `summary: \S`, "query": `query: \S`,
		} {
			if !regexp.MustCompile(pattern).MatchString(body) {
				t.Errorf("%s has no %s", name, what)
			}
		}
		runbook := regexp.MustCompile(`runbook: docs/operators\.md#([a-z-]+)\n`).FindStringSubmatch(body)
		if runbook == nil || !slices.Contains(anchors(manual), runbook[1]) {
			t.Errorf("%s leads to %q, which is no heading", name, runbook)
		}
		if !strings.Contains(tests, name) {
			t.Errorf("no test of the rules has %s", name)
		}
	}
}
