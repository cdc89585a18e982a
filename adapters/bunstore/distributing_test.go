package bunstore_test

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestDistributingNamesEveryTable compares the table by table part of docs/distributing.md with the schema.
func TestDistributingNamesEveryTable(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/distributing.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(page), "\n## Table by table\n")
	part, _, _ = strings.Cut(part, "\n## ")
	var named []string
	for line := range strings.Lines(part) {
		if cells := strings.Split(line, "|"); len(cells) > 1 && strings.Contains(cells[1], "`") {
			for name := range strings.FieldsSeq(cells[1]) {
				named = append(named, strings.Trim(name, "`"))
			}
		}
	}
	slices.Sort(named)
	cfg := postgresConfig(t)
	rows, err := rawDatabase(t, cfg).QueryContext(t.Context(),
		"SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var there []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		there = append(there, name)
	}
	slices.Sort(there)
	if err := rows.Err(); err != nil || !slices.Equal(named, there) {
		t.Errorf("docs/distributing.md names\n%v\nthere are (%v)\n%v", named, err, there)
	}
}
