package core_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/mod/module"
)

const own = "github.com/vezne/vezne/"

// goFile is a file that imports what it is given.
func goFile(imports ...string) *fstest.MapFile {
	var text strings.Builder
	text.WriteString("package x\n")
	for _, i := range imports {
		fmt.Fprintf(&text, "import _ %q\n", i)
	}
	return &fstest.MapFile{Data: []byte(text.String())}
}

// mapTree is a module of these files.
func mapTree(t *testing.T, files fstest.MapFS) *tree {
	t.Helper()
	files["go.mod"] = &fstest.MapFile{Data: []byte("module github.com/vezne/vezne\n\ngo 1.26\n\nrequire github.com/Someone/clean v1.0.0\n")}
	m, err := readTree(files)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestRulesBite: each rule finds the one import that breaks it, and says why. That it lets others pass the module itself shows.
func TestRulesBite(t *testing.T) {
	t.Parallel()
	const no = "" // no violation
	tests := []struct{ file, imported, why string }{
		{"core/a.go", own + "ports", "tier 0 is the vocabulary"},
		{"core/a.go", own + "app", "tier 0 is the vocabulary"},
		{"core/a.go", own + "core/payment", "a subject knows those before it only"},
		{"core/payment/a.go", own + "core/wallet", "a subject knows those before it only"},
		{"core/novelty/a.go", own + "core", "has its place in the order"},
		{"core/money/a.go", own + "adapters/bunstore", "tier 0 is the vocabulary"},
		{"core/a.go", "net", "no input, output or randomness"},
		{"core/a.go", "net/http", "no input, output or randomness"},
		{"core/lang/a.go", "os", "no input, output or randomness"},
		{"core/a.go", "database/sql", "no input, output or randomness"},
		{"core/a.go", "crypto/rand", "no input, output or randomness"},
		{"core/a_windows.go", "syscall", "no input, output or randomness"}, // on whichever system
		{"core/a.go", "github.com/ericlagergren/decimals", "other modules only from the lists"},
		{"core/a.go", "golang.org/x/text/message", "other modules only from the lists"},
		{"core/a.go", "golang.org/x/crypto/argon2", "other modules only from the lists"},
		{"core/a_test.go", "net/http", no},
		{"core/payment/a.go", own + "core/coretest", "kits are for tests only"},
		{"core/payment/a_test.go", own + "core/coretest", no},
		{"core/coretest/a.go", own + "ports", "share what tier 0 decides"},
		{"core/a_test.go", own + "e2e/apptest", "tier 0 is tested by itself"},

		{"ports/a.go", own + "app/payment", "knows nothing else"},
		{"ports/a.go", own + "ports/storetest", "kits are for tests only"},
		{"ports/a.go", "github.com/ericlagergren/decimal", "knows nothing else"},
		{"ports/storetest/a.go", "github.com/uptrace/bun", "other modules only from the lists"},
		{"ports/storetest/a.go", own + "adapters/bunstore", "only what the port promises"},
		{"ports/storetest/a.go", own + "e2e/apptest", "kits are for tests only"},

		{"app/payment/a.go", own + "app/internal/retry", no},
		{"app/payment/a.go", own + "app/payment/steps", no},
		{"app/payment/a.go", own + "app/wallet", "knows those before it only"},
		{"app/live/a.go", own + "app/payment", "knows those before it only"},
		{"app/payment/a.go", own + "adapters/bunstore", "knows those before it only"},
		{"app/payment/a.go", own + "graph", "knows those before it only"},
		{"app/payment/a.go", own + "e2e/apptest", "kits are for tests only"},
		{"app/a.go", own + "app/payment", "knows none of them"},
		{"app/internal/retry/a.go", own + "app/payment", "knows none of them"},
		{"e2e/apptest/a.go", own + "graph", "on nothing else"},
		{"app/payment/a.go", own + "adapters/bunstore/sqlitetest", "kits are for tests only"},
		{"adapters/bunstore/a.go", own + "adapters/bunstore/sqlitetest", "kits are for tests only"},

		{"adapters/rest/provider/a.go", own + "ports", "never imports another adapter"},
		{"adapters/rest/a.go", own + "adapters/paypage", "never imports another adapter"},
		{"e2e/resttest/a.go", own + "adapters/bunstore", "knows no other adapter"},
		{"adapters/rest/a.go", own + "adapters/bunstore", "never imports another adapter"},
		{"graph/resolve/a.go", own + "graph/generated", no},
		{"adapters/paypage/a.go", own + "graph", "never imports another adapter"},
		{"graph/a.go", own + "ports", "ports are for the driven side"},
		{"adapters/bunstore/a.go", own + "app", "does not know the use cases"},
		{"adapters/bunstore/a.go", own + "adapters/inbox", "nor another adapter"},
		{"adapters/bunstore/a.go", own + "adapters/rest", "nor another adapter"},
		{"adapters/qrcode/a.go", own + "core", "a picture of a text"},
		{"console/a.go", own + "graph", "never imports another adapter"},
		{"adapters/paypage/a.go", own + "console/axe", "kits are for tests only"},
		{"adapters/dialguard/a.go", "golang.org/x/net/idna", "one rule for every HTTP client"},
		{"adapters/dialguard/a.go", own + "core", "one rule for every HTTP client"},

		{"plugins/bank/a.go", own + "plugins/otherbank", "never another gateway"},
		{"plugins/bank/a.go", own + "app/payment", "never another gateway"},
		{"plugins/bank/a.go", own + "adapters/callbackhttp", "never another gateway"},
		{"plugins/plugkit/a.go", own + "plugins/bank", "knows none of them"},
		{"plugins/conformance/a.go", own + "plugins/bank", "knows no gateway"},
		{"plugins/all/a.go", own + "adapters/bunstore", "nothing else"},
		{"migrations/a.go", own + "core", "embedded files"},

		{"cmd/vezne/a.go", own + "cmd/testenv", "nobody imports it"},
		{"adapters/rest/a.go", own + "cmd/vezne", "nobody imports it"},
		{"adapters/rest/a_test.go", own + "cmd/vezne", "nobody imports it"},
		{"e2e/wallets/a_test.go", own + "e2e/harness", no},
		{"e2e/harness/a.go", own + "plugins/sandbox/bank", no},
		{"e2e/harness/a.go", own + "console/axe", no},
		{"graph/a_test.go", own + "e2e/harness", "are nobody's"},
		{"core/testdata/a.go", own + "cmd/vezne", no}, // the go command does not build it either
		{".cache/a.go", own + "cmd/vezne", no},
	}
	for _, tt := range tests {
		got := mapTree(t, fstest.MapFS{tt.file: goFile(tt.imported)}).violations()
		checkViolation(t, got, tt.why, fmt.Sprintf("%s:2 imports %s: ", tt.file, tt.imported))
	}
}

// TestAnArrowThatRunsUpIsFound: of folders, and not of tests.
func TestAnArrowThatRunsUpIsFound(t *testing.T) {
	t.Parallel()
	const up = "the arrow runs up"
	for _, tt := range []struct{ file, imported, why string }{
		{"app/payment/a.go", own + "adapters/bunstore", up},
		{"app/payment/a.go", own + "e2e/apptest", up},
		{"app/payment/a_test.go", own + "e2e/apptest", ""},
		{"core/a.go", own + "novelty", up},
		{"novelty/a.go", own + "core", up},
		{"cmd/simulate/a.go", own + "e2e/apptest", ""},
		{"adapters/bunstore/a.go", own + "migrations", ""},
	} {
		got := mapTree(t, fstest.MapFS{tt.file: goFile(tt.imported)}).arrowsUp()
		checkViolation(t, got, tt.why, fmt.Sprintf("%s:2 imports %s: ", tt.file, tt.imported))
	}
}

// checkViolation expects the one violation that begins so and says why, or none.
func checkViolation(t *testing.T, got []string, why, begin string) {
	t.Helper()
	switch {
	case why == "" && len(got) != 0:
		t.Errorf("%s is found, and breaks nothing", got)
	case why != "" && (len(got) != 1 || !strings.HasPrefix(got[0], begin) || !strings.Contains(got[0], why)):
		t.Errorf("%s … %s: found %q", begin, why, got)
	}
}

// TestClockIsFound: tier 0 may speak of times and may not ask for one.
func TestClockIsFound(t *testing.T) {
	t.Parallel()
	file := func(call string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("package core\nimport \"time\"\nvar _ = " + call + "\n")}
	}
	tests := []struct{ file, call, why string }{
		{"core/a.go", "time.Unix(0, 0)", ""},
		{"core/a.go", "time.Now()", "asks the clock"},
		{"core/money/a.go", "time.Since(time.Time{})", "asks the clock"},
		{"core/a.go", "time.After(1)", "asks the clock"},
		{"core/a_test.go", "time.Now()", ""},
		{"adapters/inbox/a.go", "time.Now()", ""},
	}
	for _, tt := range tests {
		got := mapTree(t, fstest.MapFS{tt.file: file(tt.call)}).violations()
		checkViolation(t, got, tt.why, tt.file+":3 ")
	}
}

// TestPurityBites: a banned package is found behind dependencies of dependencies, in modules and in the standard
// library, and its whole way is told.
func TestPurityBites(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, file, imported, chain string }{
		{"clean", "core/a.go", "github.com/Someone/clean", ""},
		{"itself", "ports/a.go", "net/http", "net/http"},
		{"banned module", "app/payment/a.go", "github.com/uptrace/bun/dialect", "github.com/uptrace/bun/dialect"},
		{"through the standard library", "core/a.go", "crypto/x509", "crypto/x509 -> net"},
		{"through the standard library's copies", "app/a.go", "crypto/odd", "crypto/odd -> vendor/golang.org/x/net/idna -> net"},
		{"through a module", "core/money/a.go", "github.com/Someone/clean/deep", "github.com/Someone/clean/deep -> github.com/Someone/clean/deeper -> database/sql"},
		{"two ways in", "core/a.go", "github.com/Someone/clean/twice", "github.com/Someone/clean/twice -> github.com/Someone/clean/deep -> github.com/Someone/clean/deeper -> database/sql"},
		{"only for another system", "core/a.go", "github.com/Someone/clean/elsewhere", ""},
		{"an adapter may", "adapters/bunstore/a.go", "database/sql", ""},
		{"a test may", "core/a_test.go", "net/http", ""},
		{"a kit may", "ports/couriertest/a.go", "net/http", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := mapTree(t, fstest.MapFS{tt.file: goFile(tt.imported)})
			got := impurities(m, mapLibrary(m))
			checkViolation(t, got, tt.chain, fmt.Sprintf("%s:2 imports %s: ", tt.file, tt.chain))
		})
	}
	m := mapTree(t, fstest.MapFS{"core/a.go": goFile("github.com/unknown/module")})
	checkViolation(t, impurities(m, mapLibrary(m)), "cannot be checked", "core/a.go:2 imports github.com/unknown/module, ")
}

// mapLibrary is a toolchain and a module cache with clean and with tainted packages.
func mapLibrary(m *tree) *library {
	tainted := goFile("net/http")
	tainted.Data = append([]byte("//go:build ignore\n\n"), tainted.Data...)
	const clean = "github.com/!someone/clean@v1.0.0"
	return &library{
		standard: fstest.MapFS{
			"strings/a.go": goFile("unsafe"), "crypto/x509/a.go": goFile("strings", "net"),
			"crypto/odd/a.go": goFile("golang.org/x/net/idna"), "vendor/golang.org/x/net/idna/a.go": goFile("net"),
		},
		modules: fstest.MapFS{
			clean + "/a.go": goFile("strings"), clean + "/a_test.go": goFile("net/http"), clean + "/gen.go": tainted,
			clean + "/deep/a.go": goFile("strings", "github.com/Someone/clean/deeper"), clean + "/deeper/a.go": goFile("database/sql"),
			clean + "/twice/a.go":             goFile("github.com/Someone/clean", "github.com/Someone/clean/deep", "github.com/Someone/clean/deeper"),
			clean + "/elsewhere/a_plan9.go":   goFile("net"),
			clean + "/elsewhere/a_generic.go": goFile("strings"),
		},
		versions: versionsOf(m.mod), chains: map[string][]string{},
	}
}

// TestVersionsFollowReplace: a replaced module is read where it was replaced to.
func TestVersionsFollowReplace(t *testing.T) {
	t.Parallel()
	m, err := readTree(fstest.MapFS{"go.mod": &fstest.MapFile{Data: []byte(
		"module m\n\nrequire (\n\ta.example/a v1.0.0\n\tb.example/b v1.0.0 // indirect\n)\n\nreplace a.example/a => c.example/c v2.0.0+incompatible\n")}})
	if err != nil {
		t.Fatal(err)
	}
	got := versionsOf(m.mod)
	want := map[string]module.Version{
		"a.example/a": {Path: "c.example/c", Version: "v2.0.0+incompatible"}, "b.example/b": {Path: "b.example/b", Version: "v1.0.0"},
	}
	if len(got) != 2 || got["a.example/a"] != want["a.example/a"] || got["b.example/b"] != want["b.example/b"] {
		t.Errorf("%v, want %v", got, want)
	}
}
