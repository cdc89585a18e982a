package core_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
)

// tree is a module as its files say it is.
type tree struct {
	mod   *modfile.File
	set   *token.FileSet
	files []source
}

// source is what a file imports, and what else the checks look at.
type source struct {
	path    string // from the module's root
	folder  string
	isTest  bool
	imports []mention
	clocks  []mention // calls that ask for the time, or wait
	file    *ast.File
}

// mention is a path or a name and the line on which it stands.
type mention struct {
	path string
	line int
}

// readTree parses every Go file of a module, whatever its build constraints say: a rule holds on every system.
func readTree(fsys fs.FS) (*tree, error) {
	text, err := fs.ReadFile(fsys, "go.mod")
	if err != nil {
		return nil, err
	}
	mod, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return nil, err
	}
	m := &tree{mod: mod, set: token.NewFileSet()}
	err = fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && isSkipped(fsys, name):
			return fs.SkipDir
		case entry.IsDir() || path.Ext(name) != ".go":
			return nil
		}
		f, err := readSource(fsys, m.set, name)
		m.files = append(m.files, f)
		return err
	})
	return m, err
}

// isSkipped follows the go command: no hidden folders, no testdata, no modules within the module.
func isSkipped(fsys fs.FS, name string) bool {
	if name == "." {
		return false
	}
	base := path.Base(name)
	if base[0] == '.' || base[0] == '_' || base == "testdata" || base == "node_modules" {
		return true
	}
	_, err := fs.Stat(fsys, path.Join(name, "go.mod"))
	return err == nil
}

func readSource(fsys fs.FS, set *token.FileSet, name string) (source, error) {
	f := source{path: name, folder: path.Dir(name), isTest: strings.HasSuffix(name, "_test.go")}
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return f, err
	}
	f.file, err = parser.ParseFile(set, name, text, parser.SkipObjectResolution)
	if err != nil {
		return f, fmt.Errorf("parse: %w", err)
	}
	for _, spec := range f.file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return f, err
		}
		f.imports = append(f.imports, mention{imported, set.Position(spec.Pos()).Line})
	}
	ast.Inspect(f.file, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok && isClock(selector) {
			f.clocks = append(f.clocks, mention{selector.Sel.Name, set.Position(n.Pos()).Line})
		}
		return true
	})
	return f, nil
}

// isClock reports whether an expression is one of package time's functions that a decision must not know.
func isClock(s *ast.SelectorExpr) bool {
	pkg, ok := s.X.(*ast.Ident)
	asks := []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}
	return ok && pkg.Name == "time" && slices.Contains(asks, s.Sel.Name)
}

// folderOf is the folder of one of the module's own packages.
func (m *tree) folderOf(imported string) (string, bool) {
	root := m.mod.Module.Mod.Path
	if imported == root {
		return ".", true
	}
	return strings.CutPrefix(imported, root+"/")
}
