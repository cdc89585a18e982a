package ports_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

// maxMethods is how many methods a contract has at most: one that needs more is about two subjects.
const maxMethods = 15

// TestContractsAreSmallAndApart: no contract is made of others, so that nothing can ask for all of them at once.
func TestContractsAreSmallAndApart(t *testing.T) {
	t.Parallel()
	for name, contract := range contracts(t) {
		for _, m := range contract.Methods.List {
			if len(m.Names) == 0 {
				t.Errorf("%s embeds another contract", name)
			}
		}
		if n := contract.Methods.NumFields(); n > maxMethods {
			t.Errorf("%s has %d methods", name, n)
		}
	}
}

// contracts are the interfaces of this package, by name.
func contracts(t *testing.T) map[string]*ast.InterfaceType {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]*ast.InterfaceType{}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), e.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				if contract, ok := spec.Type.(*ast.InterfaceType); ok {
					found[spec.Name.Name] = contract
				}
			}
			return true
		})
	}
	if len(found) < 20 {
		t.Fatalf("%d contracts were found", len(found))
	}
	return found
}
