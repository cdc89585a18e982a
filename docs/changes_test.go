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

// edit is what an example does to a file that there is: new comes right behind after.
type edit struct{ file, after, new string }

// overlaid writes what the go command needs to see the tree with an example laid over it, and returns the files touched.
func overlaid(t *testing.T, example string, edits ...edit) (overlay string, touched []string) {
	t.Helper()
	replace := make(map[string]string)
	absolute := func(name string) string {
		name, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		return name
	}
	put := func(name, by string) {
		replace[absolute(filepath.Join(root, name))] = absolute(by)
		touched = append(touched, name)
	}
	if example != "" {
		err := fs.WalkDir(os.DirFS(example), ".", func(name string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				put(name, filepath.Join(example, name))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range edits {
		before := read(t, e.file)
		if strings.Count(before, e.after) != 1 {
			t.Fatalf("%s has no %q any more: the example has to follow", e.file, e.after)
		}
		edited := filepath.Join(t.TempDir(), path.Base(e.file))
		write(t, edited, []byte(strings.Replace(before, e.after, e.after+e.new, 1)))
		put(e.file, edited)
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	overlay = filepath.Join(t.TempDir(), "overlay.json")
	write(t, overlay, text)
	return overlay, touched
}

func write(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// command runs a program in a folder, without a network.
func command(t *testing.T, dir, name string, args ...string) (output string, err error) {
	t.Helper()
	c := exec.CommandContext(t.Context(), name, args...)
	c.Dir, c.Env = dir, append(os.Environ(), "GOPROXY=off")
	text, err := c.CombinedOutput()
	return string(text), err
}

// TestAKindOfRowIsAddedAsDescribed lays an example over the tree: it touches the files that CONTRIBUTING.md lists and no others,
// it builds, and its rows come back from a database as they were saved.
func TestAKindOfRowIsAddedAsDescribed(t *testing.T) {
	t.Parallel()
	overlay, touched := overlaid(t, "testdata/row", edit{
		"adapters/bunstore/tables.go", "\t\tversioned(unsealed(reconciliationRowOf)),\n", "\t\tversioned(plain(holidayRowOf)),\n",
	}, edit{
		"ports/wallet.go", "type Wallets interface {\n", "\t// Holiday finds a day on which banks book nothing; NotFound otherwise.\n" +
			"\tHoliday(ctx context.Context, day core.Day) (wallet.Holiday, error)\n",
	})
	touched = slices.DeleteFunc(touched, func(name string) bool { // a migration is one, with its way back
		return strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, ".down.sql")
	})
	if len(touched) > 6 {
		t.Errorf("a kind of row touches %d files: %q", len(touched), touched)
	}
	isListed(t, "A kind of row", touched)
	output, err := command(t, root, "go", "test", "-vet=off", "-ldflags=-s -w", "-run=Holiday", "-v", "-overlay="+overlay, "./adapters/bunstore/sqlitetest")
	if err != nil || !strings.Contains(output, "--- PASS: TestAHoliday") {
		t.Errorf("the example does not build, or its rows do not come back: %v\n%s", err, output)
	}
}

// TestAMoveIsAddedAsDescribed lays another move over the table: the golden file shows it, and the edges that the decisions have
// are written by hand.
func TestAMoveIsAddedAsDescribed(t *testing.T) {
	t.Parallel()
	overlay, touched := overlaid(t, "", edit{
		"core/payment/status.go", "\t\t\tTake:   {Processing},\n", "\t\t\tFail:   {Failed},\n",
	}, edit{
		"core/payment/status_test.go", `"withdrawal": {"pending canceled", `, `"pending failed", `,
	})
	isListed(t, "A status or a move", append(touched, "core/payment/testdata/moves.golden", "docs/decisions.md"))
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "testdata"), os.DirFS(filepath.Join(root, "core/payment/testdata"))); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "payment.test")
	if output, err := command(t, root, "go", "test", "-c", "-o", binary, "-vet=off", "-ldflags=-s -w", "-overlay="+overlay, "./core/payment"); err != nil {
		t.Fatalf("the move does not build: %v\n%s", err, output)
	}
	if output, err := command(t, dir, binary, "-test.run=^TestMoves$"); err == nil || !strings.Contains(output, "withdrawal pending fail -> failed") {
		t.Errorf("the golden file does without the move: %v\n%s", err, output)
	}
	if output, err := command(t, dir, binary, "-test.run=^TestMoves$", "-update"); err != nil {
		t.Errorf("-update does not write the move: %v\n%s", err, output)
	}
	if output, err := command(t, dir, binary, "-test.run=^(TestMoves|TestEdges|TestLife)$", "-test.short"); err != nil {
		t.Errorf("with the golden file and the edges the tests fail: %v\n%s", err, output)
	}
}

// isListed holds the files that an example touches against those that CONTRIBUTING.md lists for a change.
func isListed(t *testing.T, change string, touched []string) {
	t.Helper()
	for _, file := range changes(t)[change] {
		pattern := regexp.MustCompile("^" + regexp.MustCompile(`<[a-z]+>`).ReplaceAllString(regexp.QuoteMeta(file), `\w+?`) + "$")
		i := slices.IndexFunc(touched, pattern.MatchString)
		if i < 0 {
			t.Errorf("%s: CONTRIBUTING.md lists %s, which the example does without: %q", change, file, touched)
			continue
		}
		touched = slices.Delete(touched, i, i+1)
	}
	if len(touched) > 0 {
		t.Errorf("%s: CONTRIBUTING.md does not list %q", change, touched)
	}
}
