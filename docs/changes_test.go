package docs_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// listed is a file in the first column of a table; one that is new has its name in angle brackets.
var listed = regexp.MustCompile("(?m)^\\| `([^`]+)` \\|")

// changes are the sections of CONTRIBUTING.md's five commonest changes, with the files that each lists.
func changes(t *testing.T) map[string][]string {
	t.Helper()
	_, text, _ := strings.Cut(read(t, "CONTRIBUTING.md"), "\n## The five commonest changes\n")
	text, _, _ = strings.Cut(text, "\n## ")
	sections := make(map[string][]string)
	for _, section := range strings.Split(text, "\n### ")[1:] {
		name, body, _ := strings.Cut(section, "\n")
		for _, found := range listed.FindAllStringSubmatch(body, -1) {
			sections[name] = append(sections[name], found[1])
		}
	}
	return sections
}

func TestTheFiveCommonestChangesListFilesThatThereAre(t *testing.T) {
	t.Parallel()
	all := changes(t)
	if len(all) != 5 {
		t.Errorf("CONTRIBUTING.md has %d changes", len(all))
	}
	for name, files := range all {
		if len(files) < 3 {
			t.Errorf("%s: only %q are listed", name, files)
		}
		for _, file := range files {
			before, _, isNew := strings.Cut(file, "<")
			if isNew {
				file = path.Dir(before + "x")
			}
			if _, err := os.Stat(filepath.Join(root, file)); err != nil {
				t.Errorf("%s: %s does not exist", name, file)
			}
		}
	}
}

// rowEdits are the lines that the example of a kind of row adds to files that there are: what each comes after, and what it is.
var rowEdits = map[string][2]string{
	"adapters/bunstore/tables.go": {
		"\t\tversioned(unsealed(reconciliationRowOf)),\n", "\t\tversioned(plain(holidayRowOf)),\n",
	},
	"ports/wallet.go": {
		"type Wallets interface {\n",
		"\t// Holiday finds a day on which banks book nothing; NotFound otherwise.\n" +
			"\tHoliday(ctx context.Context, day core.Day) (wallet.Holiday, error)\n",
	},
}

// TestAKindOfRowIsAddedAsDescribed lays an example over the tree, as the go command can: it touches the files that
// CONTRIBUTING.md lists and no others, it builds, and its rows come back from a database as they were saved.
func TestAKindOfRowIsAddedAsDescribed(t *testing.T) {
	t.Parallel()
	example, err := filepath.Abs("testdata/row")
	if err != nil {
		t.Fatal(err)
	}
	top, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	var touched []string
	replace := make(map[string]string)
	err = fs.WalkDir(os.DirFS(example), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			replace[filepath.Join(top, name)] = filepath.Join(example, name)
			touched = append(touched, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, edit := range rowEdits {
		before := read(t, name)
		if strings.Count(before, edit[0]) != 1 {
			t.Fatalf("%s has no line %q any more: the example has to follow", name, edit[0])
		}
		edited := filepath.Join(t.TempDir(), path.Base(name))
		if err := os.WriteFile(edited, []byte(strings.Replace(before, edit[0], edit[0]+edit[1], 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(top, name)] = edited
		touched = append(touched, name)
	}
	isListed(t, touched)

	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	run := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-ldflags=-s -w", "-run=Holiday", "-v", "-overlay="+file, "./adapters/bunstore/sqlitetest")
	run.Dir, run.Env = top, append(os.Environ(), "GOPROXY=off")
	if output, err := run.CombinedOutput(); err != nil || !strings.Contains(string(output), "--- PASS: TestAHoliday") {
		t.Errorf("the example does not build, or its rows do not come back: %v\n%s", err, output)
	}
}

// isListed holds the files that an example touches against those that CONTRIBUTING.md lists. A migration is one, with its way
// back.
func isListed(t *testing.T, touched []string) {
	t.Helper()
	touched = slices.DeleteFunc(touched, func(name string) bool {
		return strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, ".down.sql")
	})
	files := changes(t)["A kind of row"]
	if len(touched) > 6 {
		t.Errorf("a kind of row touches %d files: %q", len(touched), touched)
	}
	for _, file := range files {
		pattern := regexp.MustCompile("^" + regexp.MustCompile(`<[a-z]+>`).ReplaceAllString(regexp.QuoteMeta(file), `\w+?`) + "$")
		i := slices.IndexFunc(touched, pattern.MatchString)
		if i < 0 {
			t.Errorf("CONTRIBUTING.md lists %s, which the example does without: %q", file, touched)
			continue
		}
		touched = slices.Delete(touched, i, i+1)
	}
	if len(touched) > 0 {
		t.Errorf("CONTRIBUTING.md does not list %q", touched)
	}
}
