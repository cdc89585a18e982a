package conformance

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

func sourceSentences() []sentence {
	return []sentence{
		{"the source imports no network, disk, database, log or random numbers", importsNothingOutside},
		{"the source looks at no clock and never waits", looksAtNoClock},
		{"the source has no floats", hasNoFloats},
		{"the source has no init", hasNoInit},
	}
}

// source is a file of the plugin.
type source struct {
	name string
	file *ast.File
	set  *token.FileSet
}

func (s source) at(n ast.Node) string {
	return s.name + ":" + strconv.Itoa(s.set.Position(n.Pos()).Line)
}

// sources reads the plugin's own folder, without tests and without the folders in it.
func (w *world) sources() []source {
	w.t.Helper()
	folder := w.Source
	if folder == "" {
		wd, err := os.Getwd()
		w.ok("asking for the working directory", err)
		folder = wd
	}
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	w.ok("looking for the plugin's source", err)
	var all []source
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		w.ok("reading the plugin's source", err)
		all = append(all, source{filepath.Base(name), file, set})
	}
	if len(all) == 0 {
		w.t.Fatalf("%s has no Go source: say in Subject.Source where the plugin is", folder)
	}
	return all
}

// outside are packages that reach around ports.GatewayEnv; a slash at the end means all below, too.
func outside() []string {
	return []string{
		"net", "net/http/", "net/rpc/", "net/smtp", "os/", "database/sql/", "math/rand/", "log/", "syscall/", "unsafe", "plugin",
		"testing/",
	}
}

func importsNothingOutside(w *world) {
	for _, s := range w.sources() {
		for _, i := range s.file.Imports {
			name, _ := strconv.Unquote(i.Path.Value)
			isOutside := slices.ContainsFunc(outside(), func(o string) bool {
				below, ok := strings.CutSuffix(o, "/")
				return name == below || ok && strings.HasPrefix(name, o)
			})
			w.check(!isOutside, "%s imports %s: a plugin has nothing of the world but ports.GatewayEnv (HTTP, Clock, Config)",
				s.at(i), name)
		}
	}
}

func looksAtNoClock(w *world) {
	watches := []string{"Now", "Sleep", "After", "AfterFunc", "Tick", "NewTicker", "NewTimer", "Since", "Until"}
	for _, s := range w.sources() {
		called := s.nameOf("time")
		ast.Inspect(s.file, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if ok && called != "" && isNamed(sel.X, called) && slices.Contains(watches, sel.Sel.Name) {
				w.t.Errorf("%s uses time.%s: take the time from GatewayEnv.Clock; waiting and repeating is the core's", s.at(n),
					sel.Sel.Name)
			}
			return true
		})
	}
}

// nameOf is what a file calls a package; empty when it does not import it.
func (s source) nameOf(imported string) string {
	for _, i := range s.file.Imports {
		if name, _ := strconv.Unquote(i.Path.Value); name != imported {
			continue
		}
		if i.Name != nil {
			return i.Name.Name
		}
		return path.Base(imported)
	}
	return ""
}

func isNamed(x ast.Expr, name string) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == name
}

func hasNoFloats(w *world) {
	floats := []string{"float64", "float32", "ParseFloat", "FormatFloat", "Float64", "Float32"}
	for _, s := range w.sources() {
		ast.Inspect(s.file, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && slices.Contains(floats, id.Name) {
				w.t.Errorf("%s uses %s: amounts are money.Decimal, and JSON numbers json.Number", s.at(n), id.Name)
			}
			return true
		})
	}
}

func hasNoInit(w *world) {
	for _, s := range w.sources() {
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			w.check(!ok || f.Recv != nil || f.Name.Name != "init",
				"%s has an init: a plugin is registered by plugins.Register in plugins/all", s.at(d))
		}
	}
}
