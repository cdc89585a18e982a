// Package docs_test holds the documentation to the repository: its links lead somewhere, its pages are found, and what its
// tables enumerate is what the code has.
package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/vezne/vezne/core/fault"
)

const root = ".."

// pages are the documents by their paths in the repository.
func pages(t *testing.T) map[string]string {
	t.Helper()
	var found []string
	for _, pattern := range []string{"*.md", "guide/*.md"} {
		list, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, list...)
	}
	names := []string{"README.md", "CONTRIBUTING.md", "graph/README.md", "plugins/README.md", "console/README.md", "sdk/README.md", "sdk/calls.md", "sdk/examples/README.md"}
	for _, name := range found {
		names = append(names, "docs/"+name)
	}
	names = append(names, translated(t)...)
	texts := make(map[string]string)
	for _, name := range names {
		texts[name] = read(t, name)
	}
	return texts
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var (
	codeBlock = regexp.MustCompile("(?ms)^```.*?^```$")
	link      = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading   = regexp.MustCompile(`(?m)^#+ (.*)$`)
)

// targets are the relative links of a document: the file, seen from the repository's root, and the heading in it.
func targets(name, text string) (list [][2]string) {
	for _, found := range link.FindAllStringSubmatch(codeBlock.ReplaceAllString(text, ""), -1) {
		if strings.Contains(found[1], "://") {
			continue
		}
		file, anchor, _ := strings.Cut(found[1], "#")
		if file == "" {
			file = path.Base(name)
		}
		list = append(list, [2]string{path.Join(path.Dir(name), file), anchor})
	}
	return list
}

// anchors are the headings of a document as links name them.
func anchors(text string) (list []string) {
	for _, found := range heading.FindAllStringSubmatch(codeBlock.ReplaceAllString(text, ""), -1) {
		list = append(list, strings.Map(func(r rune) rune {
			switch {
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			case r == ' ':
				return '-'
			default:
				return -1
			}
		}, found[1]))
	}
	return list
}

func TestEveryRelativeLinkLeadsSomewhere(t *testing.T) {
	t.Parallel()
	for name, text := range pages(t) {
		for _, target := range targets(name, text) {
			file, anchor := target[0], target[1]
			if _, err := os.Stat(filepath.Join(root, file)); err != nil || strings.HasPrefix(file, "..") {
				t.Errorf("%s links to %s, which does not exist", name, file)
				continue
			}
			if anchor != "" && !slices.Contains(anchors(read(t, file)), anchor) {
				t.Errorf("%s links to %s#%s, a heading that does not exist", name, file, anchor)
			}
		}
	}
}

func TestEveryPageIsReachableFromTheIndex(t *testing.T) {
	t.Parallel()
	const index = "docs/README.md"
	texts, reached := pages(t), map[string]bool{index: true}
	for next := []string{index}; len(next) > 0; next = next[1:] {
		for _, target := range targets(next[0], texts[next[0]]) {
			if file := target[0]; strings.HasPrefix(file, "docs/") && !reached[file] {
				reached[file] = true
				next = append(next, file)
			}
		}
	}
	for name := range texts {
		if strings.HasPrefix(name, "docs/") && !reached[name] {
			t.Errorf("no links lead from %s to %s", index, name)
		}
	}
	if !slices.Contains(targets("README.md", texts["README.md"]), [2]string{index, ""}) {
		t.Errorf("README.md does not link to %s", index)
	}
}

// place is a file or folder of the repository in a document's text.
var place = regexp.MustCompile("`((?:adapters|app|cmd|core|docs|e2e|graph|migrations|plugins|ports)(?:/[\\w.-]+)*)/?`")

func TestEveryFileThatIsNamedExists(t *testing.T) {
	t.Parallel()
	for name, text := range pages(t) {
		for _, found := range place.FindAllStringSubmatch(text, -1) {
			file := found[1]
			if strings.Contains(file, "demo-x") { // the plugin that a reader makes
				continue
			}
			if _, err := os.Stat(filepath.Join(root, file)); err != nil {
				t.Errorf("%s names %s, which does not exist", name, file)
			}
		}
	}
}

// TestTheTenQuestionsAreAnswered: each leads from file to file, and what its answer names is declared in them.
func TestTheTenQuestionsAreAnswered(t *testing.T) {
	t.Parallel()
	sections := regexp.MustCompile(`(?m)^## `).Split(read(t, "docs/questions.md"), -1)[1:]
	if len(sections) != 10 {
		t.Errorf("docs/questions.md has %d questions", len(sections))
	}
	name := regexp.MustCompile("`([A-Za-z]\\w*(?:\\.[A-Za-z]\\w*)?)`")
	for _, section := range sections {
		question, answer, _ := strings.Cut(section, "\n")
		names := make(map[string]bool)
		files := place.FindAllStringSubmatch(answer, -1)
		for _, file := range files {
			addDeclared(t, file[1], names)
		}
		if way, _, _ := strings.Cut(strings.TrimSpace(answer), "\n"); len(place.FindAllString(way, -1)) < 2 {
			t.Errorf("%s is not led to by two files or more: %s", question, way)
		}
		for _, found := range name.FindAllStringSubmatch(place.ReplaceAllString(answer, ""), -1) {
			for part := range strings.SplitSeq(found[1], ".") {
				if !names[part] && !strings.HasPrefix(part, "VEZNE_") {
					t.Errorf("%s: %s is not declared in the files that are named", question, found[1])
				}
			}
		}
	}
}

// addDeclared adds the names that a Go file declares: functions, types, variables, constants and fields.
func addDeclared(t *testing.T, file string, names map[string]bool) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, file), nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			names[n.Name.Name] = true
			return false
		case *ast.TypeSpec:
			names[n.Name.Name] = true
		case *ast.ValueSpec:
			for _, id := range n.Names {
				names[id.Name] = true
			}
		case *ast.Field:
			for _, id := range n.Names {
				names[id.Name] = true
			}
		}
		return true
	})
}

func TestTheFrontDoorIsShort(t *testing.T) {
	t.Parallel()
	if lines := strings.Count(read(t, "README.md"), "\n"); lines > 120 {
		t.Errorf("README.md has %d lines; 120 are allowed: move what is not for everybody to docs/", lines)
	}
	for _, top := range []string{"core", "app"} {
		folders, err := os.ReadDir(filepath.Join(root, top))
		if err != nil {
			t.Fatal(err)
		}
		for _, folder := range folders {
			isThere := regexp.MustCompile("(?m)^\\|.*`(" + top + "/)?" + folder.Name() + "`.*\\|.*\\|$").MatchString(read(t, "README.md"))
			if folder.IsDir() && !isThere {
				t.Errorf("README.md's table of folders lacks %s/%s", top, folder.Name())
			}
		}
	}
	rows := regexp.MustCompile(`(?m)^\| \*\*`).FindAllString(read(t, "docs/glossary.md"), -1)
	if len(rows) < 10 || len(rows) > 30 {
		t.Errorf("docs/glossary.md explains %d words; 10 to 30 are allowed", len(rows))
	}
}

// sources are all hand-written Go files.
func sources(t *testing.T) map[string]string {
	t.Helper()
	texts := make(map[string]string)
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && (entry.Name() == "generated" || entry.Name() == "bin" || strings.HasPrefix(entry.Name(), ".")):
			return fs.SkipDir
		case path.Ext(name) == ".go":
			texts[name] = read(t, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

var (
	wrapped = regexp.MustCompile(`\n\s*//\s*`)
	clause  = regexp.MustCompile(`\b[ED]\d{1,2}\b`)
	comment = regexp.MustCompile(`//.*`)
	decided = regexp.MustCompile(`\(decisions: ([^)]*)\)`)
	noted   = regexp.MustCompile(`// decisions: (.*)`)
)

// TestWhatCommentsCiteIsFound: a reader who meets a clause or a decision in a comment finds it by searching for it.
func TestWhatCommentsCiteIsFound(t *testing.T) {
	t.Parallel()
	contract := anchors(read(t, "docs/contract.md"))
	decisions := wrapped.ReplaceAllString(strings.ReplaceAll(read(t, "docs/decisions.md"), "\n", " "), " ")
	cited := 0
	for name, text := range sources(t) {
		if name == "docs/docs_test.go" {
			continue
		}
		for _, found := range clause.FindAllString(strings.Join(comment.FindAllString(text, -1), "\n"), -1) {
			isClause := func(anchor string) bool { return strings.HasPrefix(anchor, strings.ToLower(found)+"-") }
			if !slices.ContainsFunc(contract, isClause) && !strings.HasSuffix(name, "_test.go") {
				t.Errorf("%s cites %s, which has no heading in docs/contract.md", name, found)
			}
		}
		citations := decided.FindAllStringSubmatch(wrapped.ReplaceAllString(text, " "), -1)
		for _, found := range append(citations, noted.FindAllStringSubmatch(text, -1)...) {
			cited++
			if !strings.Contains(strings.ToLower(decisions), strings.ToLower(found[1])) {
				t.Errorf("%s cites (decisions: %s), which is not in docs/decisions.md", name, found[1])
			}
		}
	}
	if cited == 0 {
		t.Error("no comment cites a decision: how they are cited has changed, and this test has to follow")
	}
}

// TestEverySettingIsDocumented: docs/operators.md has every variable with its default, and none that there is not.
func TestEverySettingIsDocumented(t *testing.T) {
	t.Parallel()
	manual, known := read(t, "docs/operators.md"), make(map[string]bool)
	setting := regexp.MustCompile("`[^`]*env:\"(VEZNE_\\w+)\"[^`]*`")
	byDefault := regexp.MustCompile(`default:"([^"]*)"`)
	for name, text := range sources(t) {
		if !strings.HasPrefix(name, "cmd/vezne/") {
			continue
		}
		for _, variable := range regexp.MustCompile(`"(VEZNE_\w+)"`).FindAllStringSubmatch(text, -1) {
			known[variable[1]] = true
		}
		for _, tag := range setting.FindAllStringSubmatch(text, -1) {
			row := regexp.MustCompile("(?m)^\\| `" + tag[1] + "` .*$").FindString(manual)
			if value := byDefault.FindStringSubmatch(tag[0]); row == "" || value != nil && !strings.Contains(row, "`"+value[1]+"`") {
				t.Errorf("docs/operators.md lacks %s with its default %q", tag[1], value)
			}
		}
	}
	for name, text := range pages(t) {
		for _, variable := range regexp.MustCompile(`VEZNE_\w+`).FindAllString(text, -1) {
			isAccount := strings.HasPrefix(variable, "VEZNE_LIVE_") // of a plugin's live test, by its fields: plugins/conformance/live.go
			if !known[variable] && !isAccount {
				t.Errorf("%s names %s, which nothing reads", name, variable)
			}
		}
	}
}

// TestEveryMetricIsDocumented: docs/operators.md has every metric, and none that there is not.
func TestEveryMetricIsDocumented(t *testing.T) {
	t.Parallel()
	var code strings.Builder
	for name, text := range sources(t) {
		if strings.HasPrefix(name, "adapters/metrics/") && !strings.HasSuffix(name, "_test.go") {
			code.WriteString(text)
		}
	}
	metric, manual := regexp.MustCompile(`\bvezne_[a-z_]+\b`), read(t, "docs/operators.md")
	named, documented := metric.FindAllString(code.String(), -1), metric.FindAllString(manual, -1)
	if len(named) == 0 {
		t.Fatal("adapters/metrics has no metrics")
	}
	for _, name := range named {
		if !slices.Contains(documented, name) {
			t.Errorf("docs/operators.md lacks %s", name)
		}
	}
	for _, name := range documented {
		if !slices.Contains(named, name) {
			t.Errorf("docs/operators.md has %s, which nothing counts", name)
		}
	}
}

// ofREST are the codes that the back office never answers with.
var ofREST = []fault.Code{
	fault.MissingHeaders, fault.InvalidAPIKey, fault.TimestampExpired, fault.InvalidHash, fault.ProviderInactive,
	fault.DealerInactive, fault.AddressNotAllowed, fault.InvalidCredential, fault.SiteInactive, fault.NoWallet, fault.BadIBAN,
	fault.BelowMinimum, fault.NoTransfer, fault.DateRangeExceeded, fault.BadDateRange, fault.MethodDisabled,
	fault.SiteTokenRefused, fault.NoAccount, fault.NoGateway, fault.CardsDisabled, fault.Insufficient, fault.Blocked, fault.TooManyOpen,
	fault.Expired, fault.Duplicate, fault.Uncredited, fault.RouteNotFound,
	fault.SignatureRequired, fault.InvalidSignature, fault.InvalidNonce, fault.NonceUsed, fault.KeyMissing,
}

// TestEveryErrorCodeIsDocumented: docs/staff.md has every code of the back office.
func TestEveryErrorCodeIsDocumented(t *testing.T) {
	t.Parallel()
	_, table, _ := strings.Cut(read(t, "docs/staff.md"), "\n## Errors\n")
	for _, code := range fault.Codes() {
		if isThere := strings.Contains(table, "`"+string(code)+"`"); !isThere && !slices.Contains(ofREST, code) {
			t.Errorf("docs/staff.md lacks the error code %s", code)
		}
	}
}
