package conformance

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// Rows are a table of README.md: by what stands in the first column, what must stand in the columns of some headings.
type Rows map[string]map[string]string

// capabilitiesHeading is above the table of what a gateway can do.
const capabilitiesHeading = "What it does"

func readmeCases(suite) []testCase {
	return []testCase{
		{"README.md says the maturity and names every field of the configuration", readmeHasFields},
		{"README.md has the tables of the code", readmeHasTables},
	}
}

func (w *world) readme() string {
	text, err := os.ReadFile(filepath.Join(w.Source, "README.md"))
	w.ok("reading README.md", err)
	return string(text)
}

func readmeHasFields(w *world) {
	text := w.readme()
	w.check(strings.Contains(text, "Maturity: "+string(w.d.Maturity)), "README.md must say \"Maturity: %s\", as the descriptor does", w.d.Maturity)
	for _, f := range w.d.Config {
		w.check(strings.Contains(text, "`"+f.Name+"`"), "README.md says nothing of the configuration field `%s`", f.Name)
	}
}

func readmeHasTables(w *world) {
	text := w.readme()
	capabilities := Rows{}
	for _, c := range gateway.Capabilities() {
		if w.has(c) {
			capabilities[string(c)] = nil
		}
	}
	w.checkTable(text, capabilitiesHeading, capabilities)
	w.check(len(w.Tables) > 0 || w.d.Maturity == gateway.Draft,
		"Subject.Tables is empty: give the tables of statuses and errors by their headings in README.md, so that people read what the code does")
	for heading, table := range w.Tables {
		rows, err := rowsOf(table)
		w.ok("reading Subject.Tables", err)
		w.checkTable(text, heading, rows)
	}
}

// rowsOf is what README.md must show of a table.
func rowsOf(table any) (Rows, error) {
	rows := Rows{}
	state := func(raw string, state any) { rows[raw] = map[string]string{"State": fmt.Sprint(state)} }
	switch t := table.(type) {
	case Rows:
		return t, nil
	case plugkit.States:
		for raw, s := range t {
			state(raw, s)
		}
	case plugkit.Payouts:
		for raw, s := range t {
			state(raw, s)
		}
	case plugkit.Refunds:
		for raw, s := range t {
			state(raw, s)
		}
	case plugkit.Disputes:
		for raw, s := range t {
			state(raw, s)
		}
	case plugkit.DisputeReasons:
		for raw, reason := range t {
			rows[raw] = map[string]string{"Reason": string(reason)}
		}
	case plugkit.Failures:
		for code, f := range t {
			rows[code] = map[string]string{"Class": string(f.Class), "Effect": f.Effect.String(), "Reason": string(f.Reason)}
			if f.Soft {
				rows[code]["Reason"] += ", soft"
			}
		}
	default:
		return nil, fmt.Errorf("%T is no table: States, Payouts, Refunds, Disputes, DisputeReasons or Failures of plugkit, or Rows", table)
	}
	return rows, nil
}

// checkTable compares the table below a heading with what it must have, in any order. What is missing is said as it must be written.
func (w *world) checkTable(text, heading string, want Rows) {
	columns, got := tableBelow(text, heading)
	if got == nil {
		for _, row := range want {
			columns = append([]string{"Code"}, slices.Sorted(maps.Keys(row))...)
		}
	}
	for _, code := range slices.Sorted(maps.Keys(want)) {
		row := want[code]
		isRight := got[code] != nil
		for column, value := range row {
			has, isThere := got[code][column]
			isRight = isRight && has == value && (isThere || value == "")
		}
		var cells []string
		for i, column := range columns {
			cell := row[column]
			if i == 0 {
				cell = "`" + code + "`"
			}
			cells = append(cells, cell)
		}
		w.check(isRight, "README.md needs below the heading %q, in a table of %q: | %s |", heading, columns, strings.Join(cells, " | "))
	}
	for _, code := range slices.Sorted(maps.Keys(got)) {
		_, isThere := want[code]
		w.check(isThere, "README.md has %q below the heading %q, and the code has not", code, heading)
	}
}

// tableBelow is the first table between a heading and the next: its headings, and its rows by their first cells. Marks of code are
// left out, and so is what stands in brackets or behind a dagger.
func tableBelow(text, heading string) (columns []string, rows map[string]map[string]string) {
	isBelow := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		isRow := strings.HasPrefix(line, "|")
		switch {
		case strings.HasPrefix(line, "#"):
			isBelow = strings.TrimSpace(strings.TrimLeft(line, "#")) == heading
		case !isBelow || strings.HasPrefix(line, "|---"):
		case !isRow && columns != nil:
			return columns, rows
		case isRow && columns == nil:
			columns, rows = cellsOf(line), map[string]map[string]string{}
		case isRow:
			row := map[string]string{}
			for i, cell := range cellsOf(line) {
				if i < len(columns) {
					row[columns[i]] = cell
				}
			}
			code := strings.TrimSpace(strings.TrimSuffix(row[columns[0]], "†"))
			if code == "(none)" {
				code = ""
			}
			rows[code] = row
		}
	}
	return columns, rows
}

// cellsOf splits the row of a table.
func cellsOf(line string) []string {
	cells := strings.Split(strings.Trim(line, "|"), "|")
	for i, c := range cells {
		cells[i] = strings.TrimSpace(strings.ReplaceAll(c, "`", ""))
	}
	return cells
}
