package conformance

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

func sourceCases() []testCase {
	inspected := func(name string, check func(*ast.File, ast.Node) string) testCase {
		return testCase{name, func(w *world) { w.inspect(check) }}
	}
	return []testCase{
		inspected("the source imports no network, disk, database, log or random numbers", importsOutside),
		inspected("the source looks at no clock and never waits", usesClock),
		inspected("the source has no floats", usesFloat),
		inspected("the source has no init", hasInit),
	}
}

// inspect calls check with every node of the plugin's own folder, without tests and without the folders in it. Check
// returns what is wrong with the node; empty: nothing.
func (w *world) inspect(check func(file *ast.File, n ast.Node) string) {
	folder := w.Source
	if folder == "" {
		folder = "."
	}
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	w.ok("looking for the plugin's source", err)
	names = slices.DeleteFunc(names, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
	if len(names) == 0 {
		w.t.Fatalf("%s has no Go source: say in Subject.Source where the plugin is", folder)
	}
	for _, name := range names {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		w.ok("reading the plugin's source", err)
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil {
				return false
			}
			if problem := check(file, n); problem != "" {
				w.t.Errorf("%s:%d %s", filepath.Base(name), set.Position(n.Pos()).Line, problem)
			}
			return true
		})
	}
}

// outside are packages that reach around ports.GatewayEnv; a slash at the end means all below, too.
var outside = []string{
	"net", "net/http/", "net/rpc/", "net/smtp", "os/", "database/sql/", "math/rand/", "log/", "syscall/", "unsafe", "plugin",
	"testing/",
	"compress/", "archive/", // what is unpacked has no bound
}

func importsOutside(_ *ast.File, n ast.Node) string {
	i, ok := n.(*ast.ImportSpec)
	if !ok {
		return ""
	}
	name, _ := strconv.Unquote(i.Path.Value)
	isOutside := slices.ContainsFunc(outside, func(o string) bool {
		below, ok := strings.CutSuffix(o, "/")
		return name == below || ok && strings.HasPrefix(name, o)
	})
	if !isOutside {
		return ""
	}
	return "imports " + name + ": a plugin has nothing of the world but ports.GatewayEnv (HTTP, Clock, Config), which bounds what it reads"
}

func usesClock(file *ast.File, n ast.Node) string {
	selector, ok := n.(*ast.SelectorExpr)
	forbidden := []string{"Now", "Sleep", "After", "AfterFunc", "Tick", "NewTicker", "NewTimer", "Since", "Until"}
	if !ok || !slices.Contains(forbidden, selector.Sel.Name) {
		return ""
	}
	if of, ok := selector.X.(*ast.Ident); !ok || of.Name != nameOfTime(file) {
		return ""
	}
	return "uses time." + selector.Sel.Name + ": take the time from GatewayEnv.Clock; waiting and repeating is the core's"
}

// nameOfTime is what a file calls package time; empty when it does not import it.
func nameOfTime(file *ast.File) string {
	for _, i := range file.Imports {
		switch {
		case i.Path.Value != `"time"`:
		case i.Name != nil:
			return i.Name.Name
		default:
			return "time"
		}
	}
	return ""
}

func usesFloat(_ *ast.File, n ast.Node) string {
	floats := []string{"float64", "float32", "ParseFloat", "FormatFloat", "Float64", "Float32"}
	if id, ok := n.(*ast.Ident); ok && slices.Contains(floats, id.Name) {
		return "uses " + id.Name + ": amounts are money.Decimal, and JSON numbers json.Number"
	}
	return ""
}

func hasInit(_ *ast.File, n ast.Node) string {
	if f, ok := n.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
		return "has an init: a plugin is registered by plugins.Register in plugins/all"
	}
	return ""
}
