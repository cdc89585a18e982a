package core_test

import (
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// library finds what packages outside the module import: in the toolchain's sources and in the module cache.
type library struct {
	standard fs.FS // GOROOT/src
	modules  fs.FS // GOMODCACHE
	versions map[string]module.Version
	chains   map[string][]string // how an import path reaches a banned one; nil: it does not
}

func newLibrary(t *testing.T, m *tree) *library {
	t.Helper()
	cache := os.Getenv("GOMODCACHE")
	if cache == "" {
		cache = filepath.Join(filepath.SplitList(build.Default.GOPATH)[0], "pkg", "mod")
	}
	root := build.Default.GOROOT
	if root == "" { // a test that was built with -trimpath does not know it
		out, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			t.Fatal(err)
		}
		root = strings.TrimSpace(string(out))
	}
	return &library{
		standard: os.DirFS(filepath.Join(root, "src")), modules: os.DirFS(cache),
		versions: versionsOf(m.mod), chains: map[string][]string{},
	}
}

// versionsOf maps each required module to the one that stands for it.
func versionsOf(mod *modfile.File) map[string]module.Version {
	versions := map[string]module.Version{}
	for _, r := range mod.Require {
		versions[r.Mod.Path] = r.Mod
	}
	for _, r := range mod.Replace {
		versions[r.Old.Path] = r.New
	}
	return versions
}

// banned are the packages that use cases and what is below them never reach, not even through a dependency.
func banned(imported string) bool {
	switch imported {
	case "net", "net/http", "database/sql", "database/sql/driver":
		return true
	}
	for _, m := range []string{
		"github.com/uptrace/bun", "github.com/redis/go-redis", "github.com/hibiken/asynq", "github.com/99designs/gqlgen",
	} {
		if isWithin(imported, m) {
			return true
		}
	}
	return false
}

// impurities lists the imports of pure rooms through which a banned package is reached.
func impurities(m *tree, lib *library) []string {
	var list []string
	for _, f := range m.files {
		from, _ := roomOf(f.folder)
		if f.isTest || !slices.Contains([]room{coreRoom, portsRoom, appRoom, areaRoom}, from) {
			continue
		}
		for _, i := range f.imports {
			if _, isOwn := m.folderOf(i.path); isOwn {
				continue // what that one imports is judged where it stands
			}
			chain, err := lib.chain(i.path)
			if err != nil {
				list = append(list, fmt.Sprintf("%s:%d imports %s, which cannot be checked: %v", f.path, i.line, i.path, err))
			}
			if chain != nil {
				list = append(list, fmt.Sprintf("%s:%d imports %s: decisions and use cases run without network and database, which belong to adapters, and never reach them through a dependency", f.path, i.line, strings.Join(chain, " -> ")))
			}
		}
	}
	return list
}

// chain is how a package reaches a banned one.
func (l *library) chain(imported string) ([]string, error) {
	if banned(imported) {
		return []string{imported}, nil
	}
	if chain, ok := l.chains[imported]; ok {
		return chain, nil
	}
	l.chains[imported] = nil
	next, err := l.imports(imported)
	if err != nil {
		return nil, err
	}
	for _, n := range next {
		chain, err := l.chain(n)
		if err != nil {
			return nil, err
		}
		if chain != nil {
			l.chains[imported] = append([]string{imported}, chain...)
			return l.chains[imported], nil
		}
	}
	return nil, nil
}

// imports lists what a package imports on this system. The standard library's own copies of modules stand in vendor.
func (l *library) imports(imported string) ([]string, error) {
	if imported == "unsafe" || imported == "C" {
		return nil, nil
	}
	if isStandard(imported) {
		list, err := importsIn(l.standard, imported)
		for i, next := range list {
			if !isStandard(next) {
				list[i] = path.Join("vendor", next)
			}
		}
		return list, err
	}
	folder, err := l.locate(imported)
	if err != nil {
		return nil, err
	}
	return importsIn(l.modules, folder)
}

// locate finds a package's folder in the module cache: that of the longest module path that it is within.
func (l *library) locate(imported string) (string, error) {
	for root := imported; root != "."; root = path.Dir(root) {
		v, ok := l.versions[root]
		if !ok {
			continue
		}
		name, err := module.EscapePath(v.Path)
		if err != nil {
			return "", err
		}
		version, err := module.EscapeVersion(v.Version)
		return path.Join(name+"@"+version, strings.TrimPrefix(imported, root)), err
	}
	return "", fmt.Errorf("no module in go.mod provides it")
}

// importsIn lists the imports of a folder's files, without its tests and what is for other systems.
func importsIn(fsys fs.FS, folder string) ([]string, error) {
	system := build.Default
	system.CgoEnabled = false
	system.JoinPath = path.Join
	system.OpenFile = func(name string) (io.ReadCloser, error) { return fsys.Open(name) }
	entries, err := fs.ReadDir(fsys, folder)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if isMatch, err := system.MatchFile(folder, name); err != nil || !isMatch {
			continue
		}
		text, err := fs.ReadFile(fsys, path.Join(folder, name))
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			return nil, err
		}
		for _, spec := range file.Imports {
			next, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return nil, err
			}
			list = append(list, next)
		}
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}
