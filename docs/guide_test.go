package docs_test

import (
	"encoding/json"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/plugins/sandbox/bank"
)

var (
	block       = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")
	level       = regexp.MustCompile(`(?m)^(#+) `)
	messageText = regexp.MustCompile(`(?m)((?: as|--?>>\w+:) ).*$`)
)

// translated are the pages in Turkish by their paths in the repository, each in a folder tr beside its page in English.
func translated(t *testing.T) (list []string) {
	t.Helper()
	for _, pattern := range []string{"docs/tr/*.md", "docs/guide/tr/*.md", "sdk/tr/*.md", "sdk/examples/tr/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, name := range found {
			list = append(list, strings.TrimPrefix(filepath.ToSlash(name), root+"/"))
		}
	}
	return list
}

// TestTheGuideIsTheSameInBothLanguages: a page in Turkish has the headings, the code, the tables and the test numbers of the one in English.
func TestTheGuideIsTheSameInBothLanguages(t *testing.T) {
	t.Parallel()
	for _, name := range translated(t) {
		tr, en := read(t, name), read(t, path.Join(path.Dir(name), "..", path.Base(name)))
		levels := func(text string) []string { return level.FindAllString(codeBlock.ReplaceAllString(text, ""), -1) }
		if got, want := levels(tr), levels(en); !slices.Equal(got, want) {
			t.Errorf("%s has the headings %q, the English page %q", name, got, want)
		}
		code := func(text string) (list []string) {
			for _, found := range block.FindAllStringSubmatch(text, -1) {
				if found[1] == "mermaid" {
					found[2] = messageText.ReplaceAllString(found[2], "$1")
				}
				list = append(list, found[1]+"\n"+found[2])
			}
			return list
		}
		if got, want := code(tr), code(en); !slices.Equal(got, want) {
			t.Errorf("%s has the code\n%s\nthe English page\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		for _, what := range []*regexp.Regexp{regexp.MustCompile(`(?m)^\|`), regexp.MustCompile(`(?m)^- \[ \]`), regexp.MustCompile(`(?m)^\d+\. `), firstCode} {
			if got, want := what.FindAllString(tr, -1), what.FindAllString(en, -1); !slices.Equal(got, want) {
				t.Errorf("%s has %d of %s, the English page %d: %q, %q", name, len(got), what, len(want), got, want)
			}
		}
	}
}

// firstCode is what stands in the first column of a table where that is code: fields, headers, statuses, errors.
var firstCode = regexp.MustCompile("(?m)^\\| (`[^`|]*`|\\d\\d) \\|")

// TestEveryCaseOfTheSandboxIsInTheGuide, with its test card, wallet or IBAN.
func TestEveryCaseOfTheSandboxIsInTheGuide(t *testing.T) {
	t.Parallel()
	sections := regexp.MustCompile(`(?m)^## `).Split(read(t, "docs/guide/testing.md"), -1)
	headings := map[string]string{
		"card": "Test cards", "wallet": "Test wallets", "bank": "Deposits by bank", "crypto": "Deposits in a coin", "deposit": "Every deposit",
		"order": "A gateway that is out of order", "payout": "Withdrawals",
	}
	rows := 0
	for _, s := range bank.Scenarios() {
		means := ""
		switch s.Kind {
		case "card":
			n := bank.TestCard(s.Code)
			means = "`" + strings.Join([]string{n[:4], n[4:8], n[8:12], n[12:]}, " ") + "` | "
		case "wallet":
			means = "`" + bank.TestWallet(s.Code) + "` | "
		case "payout":
			means = "`" + bank.TestIBAN(s.Code) + "` | "
		}
		rows++
		row := "\n| " + s.Code + " | " + means + s.Title + " |\n"
		if !slices.ContainsFunc(sections, func(text string) bool {
			return strings.HasPrefix(text, headings[s.Kind]+"\n") && strings.Contains(text, row)
		}) {
			t.Errorf("docs/guide/testing.md lacks%sbelow %q", row, headings[s.Kind])
		}
	}
	if has := len(regexp.MustCompile(`(?m)^\| \d\d \|`).FindAllString(strings.Join(sections, ""), -1)); has != rows {
		t.Errorf("docs/guide/testing.md has %d cases, the sandbox %d", has, rows)
	}
}

// TestTheQuirksAreThoseOfTheReference: the table of what is not uniform is the same in both, in either language.
func TestTheQuirksAreThoseOfTheReference(t *testing.T) {
	t.Parallel()
	table := func(text, heading string) []string {
		_, text, _ = strings.Cut(text, heading+"\n")
		var list []string
		for line := range strings.SplitSeq(text, "\n") {
			if strings.HasPrefix(line, "|") {
				list = append(list, line)
			} else if len(list) > 0 {
				break
			}
		}
		return list
	}
	for page, of := range map[string]struct{ reference, heading string }{
		"docs/guide/quirks.md":    {"adapters/rest/apidoc/openapi.json", "What is not uniform"},
		"docs/guide/tr/quirks.md": {"adapters/rest/apidoc/openapi.tr.json", "Tek biçimli olmayanlar"},
	} {
		var reference struct {
			Info struct {
				Description string `json:"description"`
			} `json:"info"`
		}
		if err := json.Unmarshal([]byte(read(t, of.reference)), &reference); err != nil {
			t.Fatal(err)
		}
		got, want := table(read(t, page), "## "+of.heading), table(reference.Info.Description, "### "+of.heading)
		if len(want) < 10 || !slices.Equal(got, want) {
			t.Errorf("%s has\n%s\n%s has\n%s", page, strings.Join(got, "\n"), of.reference, strings.Join(want, "\n"))
		}
	}
}

// TestEveryErrorOfTheReferenceHasACure: the guide has the errors of the reference, with their statuses.
func TestEveryErrorOfTheReferenceHasACure(t *testing.T) {
	t.Parallel()
	_, reference, _ := strings.Cut(read(t, "adapters/rest/apidoc/openapi.yaml"), "| HTTP | `error` | When |\n")
	row := regexp.MustCompile("^\\s*\\| (\\d+) \\| `([^`]+)` \\|")
	found := 0
	for line := range strings.SplitSeq(reference, "\n") {
		if !strings.HasPrefix(strings.TrimSpace(line), "|") {
			break
		}
		if of := row.FindStringSubmatch(line); of != nil {
			found++
			if has := regexp.MustCompile("(?m)^\\| " + of[1] + " \\| [^|]*`" + of[2] + "`"); !has.MatchString(read(t, "docs/guide/errors.md")) {
				t.Errorf("docs/guide/errors.md lacks %s %s", of[1], of[2])
			}
		}
	}
	if found < 20 {
		t.Errorf("the reference has %d errors", found)
	}
}
