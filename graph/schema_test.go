package graph_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/graph/generated"
)

func schema() *ast.Schema { return generated.NewExecutableSchema(generated.Config{}).Schema() }

// ownTypes are the schema's types without GraphQL's own.
func ownTypes() []*ast.Definition {
	var own []*ast.Definition
	for name, d := range schema().Types {
		if !d.BuiltIn && !strings.HasPrefix(name, "__") {
			own = append(own, d)
		}
	}
	return own
}

// rootFields are the operations: "mutation login" and so on.
func rootFields() map[string]*ast.FieldDefinition {
	fields := map[string]*ast.FieldDefinition{}
	for _, root := range []*ast.Definition{schema().Query, schema().Mutation} {
		for _, f := range root.Fields {
			if !strings.HasPrefix(f.Name, "__") {
				fields[strings.ToLower(root.Name)+" "+f.Name] = f
			}
		}
	}
	return fields
}

func TestEveryOperationSaysWhoMay(t *testing.T) {
	t.Parallel()
	for name, f := range rootFields() {
		said := 0
		for _, d := range []string{"can", "signedIn", "public"} {
			if f.Directives.ForName(d) != nil {
				said++
			}
		}
		if said != 1 {
			t.Errorf("%s has %d of @can, @signedIn and @public: want one", name, said)
		}
		if isPublic := f.Directives.ForName("public") != nil; isPublic != (name == "mutation login") {
			t.Errorf("%s: public is %t", name, isPublic)
		}
		if f.Type.NonNull {
			t.Errorf("%s is not nullable: its error would hide the results beside it", name)
		}
	}
}

func TestEverythingIsDescribed(t *testing.T) {
	t.Parallel()
	for _, d := range ownTypes() {
		described(t, d.Name, d.Description)
		for _, f := range d.Fields {
			if strings.HasPrefix(f.Name, "__") {
				continue
			}
			described(t, d.Name+"."+f.Name, f.Description)
			for _, argument := range f.Arguments {
				described(t, d.Name+"."+f.Name+"."+argument.Name, argument.Description)
			}
		}
		for _, v := range d.EnumValues {
			described(t, d.Name+"."+v.Name, v.Description)
		}
	}
}

func described(t *testing.T, what, description string) {
	t.Helper()
	if description == "" {
		t.Errorf("%s has no description", what)
	}
}

func TestNoFieldIsNamedLikeASecret(t *testing.T) {
	t.Parallel()
	secret := regexp.MustCompile(`(?i)secret|key|password|token|hash|fingerprint`)
	for _, d := range ownTypes() {
		for _, f := range d.Fields {
			if name := d.Name + "." + f.Name; secret.MatchString(name) && name != "Login.token" {
				t.Errorf("the schema has the field %s", name)
			}
		}
	}
}

func TestEnumsAreCoreWords(t *testing.T) {
	t.Parallel()
	commands := append(core.Deposit.Commands(), core.Create)
	for _, c := range core.Withdrawal.Commands() {
		if !slices.Contains(commands, c) {
			commands = append(commands, c)
		}
	}
	for enum, want := range map[string][]string{
		"TransactionStatus":  words(core.Statuses()),
		"TransactionMethod":  words(core.Methods()),
		"TransactionKind":    words([]core.Kind{core.Deposit, core.Withdrawal}),
		"TransactionCommand": words(commands),
		"Role":               words(core.Roles()),
		"ActorKind":          words([]core.ActorKind{core.ByProvider, core.ByCustomer, core.ByStaff, core.BySystem}),
		"CallbackKind": words([]core.CallbackKind{
			core.DepositCallback, core.EIBANDepositCallback, core.WithdrawalCallback,
		}),
		"CallbackState": words([]core.CallbackState{core.Waiting, core.Delivered, core.Undeliverable, core.Skipped}),
		"Permission":    {"deposits_decide", "providers_edit", "transactions_read", "withdrawals_decide"},
	} {
		var got []string
		for _, v := range schema().Types[enum].EnumValues {
			got = append(got, v.Name)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s has %v, core has %v", enum, got, want)
		}
	}
}

func words[T ~string](list []T) []string {
	texts := make([]string, len(list))
	for i, v := range list {
		texts[i] = string(v)
	}
	slices.Sort(texts)
	return texts
}
