package core_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
)

// TestKeysAreSaid: every key of a sentence that the module's code names has its sentence, and is given the arguments
// that the sentence takes.
func TestKeysAreSaid(t *testing.T) {
	t.Parallel()
	uses := keyUses(moduleTree(t))
	if len(uses) < 50 {
		t.Errorf("found only %d uses of keys", len(uses))
	}
	for _, u := range uses {
		if wrong := u.wrong(); wrong != "" {
			t.Error(wrong)
		}
	}
}

// TestEveryReasonAndDiscrepancyIsSaid: what a callback's error_message and the back office say about money has its
// sentence, for every code that there is; and no sentence is kept for a code that is told to nobody.
func TestEveryReasonAndDiscrepancyIsSaid(t *testing.T) {
	t.Parallel()
	m := moduleTree(t)
	reasons := constantsOf(m, "core/gateway", "ReasonCode")
	kinds := constantsOf(m, "core/discrepancy", "Kind")
	if len(reasons) < 15 || len(kinds) < 10 {
		t.Fatalf("found only the reasons %q and the discrepancies %q", reasons, kinds)
	}
	for _, r := range reasons {
		isTold := gateway.ReasonCode(r).Public() == gateway.ReasonCode(r)
		if lang.Has("reason."+r) != isTold {
			t.Errorf("reason %s is told: %v, has its sentence: %v", r, isTold, !isTold)
		}
	}
	for _, k := range kinds {
		if !lang.Has("discrepancy." + k) {
			t.Errorf("discrepancy %s has not its sentence", k)
		}
	}
}

// constantsOf lists the values of a folder's text constants of one type.
func constantsOf(m *tree, folder, typeName string) (values []string) {
	for _, f := range m.files {
		if f.folder != folder || f.isTest {
			continue
		}
		ast.Inspect(f.file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == 1 {
				if name, ok := spec.Type.(*ast.Ident); ok && name.Name == typeName {
					values = append(values, literal(spec.Values[0]))
				}
			}
			return true
		})
	}
	return values
}

// keyUse is a place where code names a sentence's key.
type keyUse struct {
	place token.Position
	key   string
	args  int // given to the sentence; -1: not told there
}

func (u keyUse) wrong() string {
	if !lang.Has(u.key) {
		return fmt.Sprintf("%s: %s has not its sentence in every language", u.place, u.key)
	}
	sentence := lang.Say(lang.EN, u.key)
	if takes := strings.Count(sentence, "%s") + strings.Count(sentence, "%d"); u.args >= 0 && u.args != takes {
		return fmt.Sprintf("%s: %s takes %d arguments and gets %d: %s", u.place, u.key, takes, u.args, sentence)
	}
	return ""
}

// keyUses finds the keys in a module, tests aside.
func keyUses(m *tree) (uses []keyUse) {
	codes := codesByName(m)
	for _, f := range m.files {
		if f.isTest {
			continue
		}
		ast.Inspect(f.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				if key := literal(n); isFieldKey(key) {
					uses = append(uses, keyUse{m.set.Position(n.Pos()), key, -1})
				}
			case *ast.CallExpr:
				if key, args := keyOfCall(n, codes); key != "" {
					uses = append(uses, keyUse{m.set.Position(n.Pos()), key, args})
				}
			}
			return true
		})
	}
	return uses
}

func isFieldKey(text string) bool { return regexp.MustCompile(`^field\.[a-z_]+$`).MatchString(text) }

// keyOfCall reads the calls that choose a sentence: lang.Say(tag, "key", args...), form.Fail(name, "field.key",
// args...), fault.New(op, fault.Code, args...), and fault.E(op, fault.Code, err), which gives none.
func keyOfCall(call *ast.CallExpr, codes map[string]string) (key string, args int) {
	function, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) < 2 || call.Ellipsis.IsValid() {
		return "", 0
	}
	pkg, _ := function.X.(*ast.Ident)
	isOf := func(name string) bool { return pkg != nil && pkg.Name == name }
	rest := len(call.Args) - 2
	switch name := function.Sel.Name; {
	case name == "Say" && isOf("lang"):
		return literal(call.Args[1]), rest
	case name == "Fail" && isFieldKey(literal(call.Args[1])):
		return literal(call.Args[1]), rest + 1 // the field's name comes first
	case name == "New" && isOf("fault"):
		return codeOf(call.Args[1], codes), rest
	case name == "Hinted" && isOf("fault"):
		return literal(call.Args[1]), rest
	case name == "E" && isOf("fault"):
		return codeOf(call.Args[1], codes), 0
	}
	return "", 0
}

// literal is the text of a string literal; empty for anything else.
func literal(e ast.Expr) string {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return ""
	}
	text, err := strconv.Unquote(lit.Value)
	if err != nil {
		return ""
	}
	return text
}

// codeOf is the code that fault.Name stands for; empty for anything else.
func codeOf(e ast.Expr, codes map[string]string) string {
	selector, ok := e.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	return codes[selector.Sel.Name]
}

// codesByName reads package fault's constants.
func codesByName(m *tree) map[string]string {
	codes := map[string]string{}
	for _, f := range m.files {
		if f.folder != "core/fault" || f.isTest {
			continue
		}
		ast.Inspect(f.file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == 1 {
				codes[spec.Names[0].Name] = literal(spec.Values[0])
			}
			return true
		})
	}
	return codes
}

// TestKeyChecksBite: a missing key and a wrong number of arguments are found wherever a sentence is chosen.
func TestKeyChecksBite(t *testing.T) {
	t.Parallel()
	tests := []struct{ code, wrong string }{
		{`lang.Say(tag, "EXPIRED")`, ""},
		{`lang.Say(tag, "EXPIRED", 1)`, "takes 0 arguments and gets 1"},
		{`lang.Say(tag, "field.min", "amount", "1.00")`, ""},
		{`lang.Say(tag, "field.min", "amount")`, "takes 2 arguments and gets 1"},
		{`lang.Say(tag, "no.such.key")`, "has not its sentence"},
		{`form.Fail("amount", "field.min", "1.00")`, ""},
		{`form.Fail("amount", "field.min")`, "takes 2 arguments and gets 1"},
		{`form.Fail("amount", "field.no_such_key")`, "has not its sentence"},
		{`fault.Field{Name: "amount", Key: "field.no_such_key"}`, "has not its sentence"},
		{`fault.New(op, fault.AlreadyFinal, "completed")`, ""},
		{`fault.New(op, fault.AlreadyFinal)`, "takes 1 arguments and gets 0"},
		{`fault.E(op, fault.AlreadyFinal, err)`, "takes 1 arguments and gets 0"},
		{`fault.E(op, fault.NotFound, err)`, ""},
		{`fault.New(op, fault.NotFound, "id")`, "takes 0 arguments and gets 1"},
	}
	for _, tt := range tests {
		m := mapTree(t, fstest.MapFS{
			"adapters/rest/a.go": {Data: []byte("package x\nvar _ = " + tt.code + "\n")},
			"core/fault/code.go": {Data: fmt.Appendf(nil, "package fault\nconst (\nAlreadyFinal Code = %q\nNotFound Code = %q\n)\n", fault.AlreadyFinal, fault.NotFound)},
		})
		var wrong []string
		for _, u := range keyUses(m) {
			if waking := u.wrong(); waking != "" {
				wrong = append(wrong, waking)
			}
		}
		if got := strings.Join(wrong, "; "); (got == "") != (tt.wrong == "") || !strings.Contains(got, tt.wrong) {
			t.Errorf("%s: %q, want %q", tt.code, got, tt.wrong)
		}
	}
}
