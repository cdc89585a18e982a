package graph_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/vezne/vezne/core/staff"
)

// maxWalkDepth is how many fields stand in one another in what a walk asks.
const maxWalkDepth = 9

// walk asks everything that the schema has, field by field, with the ids that it is given: a field that is new is asked
// without anybody adding it here.
type walk struct {
	*api
	t      *testing.T
	role   staff.Role
	ids    []string
	random *rand.Rand
	see    func(operation string, answer reply)

	isOver func() bool // nothing that is still to be asked would prove more

	asked    map[string]bool // "Transaction.status"
	written  []string        // of the operation that is being written
	answered int             // operations that had an answer
}

func newWalk(t *testing.T, a *api, role staff.Role, ids []string, see func(string, reply)) *walk {
	t.Helper()
	return &walk{
		api: a, t: t, role: role, ids: ids, random: rand.New(rand.NewPCG(1, 2)), see: see, asked: map[string]bool{},
		isOver: func() bool { return false },
	}
}

// costly are the fields that hash a password every time: they are asked a few times only.
var costly = []string{"login", "acceptInvitation", "changePassword", "stepUp"}

// roots asks every field of a root that the role may ask, and then everything below them.
func (w *walk) roots(kind string) {
	w.t.Helper()
	good := map[string][]string{}
	for _, name := range keysOf(rootFields()) {
		f := rootFields()[name]
		operation, _, _ := strings.Cut(name, " ")
		if operation == kind && slices.Contains(reaching(f, staff.Roles()), w.role) {
			good[name] = w.root(kind, f)
		}
	}
	if kind != "query" {
		return
	}
	for _, name := range keysOf(good) {
		f := rootFields()[name]
		for _, arguments := range good[name] {
			w.below(kind+" { "+f.Name+arguments, " }", f, []string{})
		}
	}
}

// root asks a field of a root, and returns some of the arguments with which it had an answer.
func (w *walk) root(kind string, f *ast.FieldDefinition) (good []string) {
	w.t.Helper()
	for _, arguments := range w.argumentSets(f) {
		w.written = append(w.written, ownerOf(kind)+"."+f.Name)
		text := kind + " { " + f.Name + arguments + w.leaves(f) + " }"
		if answer := w.ask(text); string(answer.Data[f.Name]) != "null" && len(good) < 6 {
			good = append(good, arguments)
		}
	}
	return good
}

func ownerOf(kind string) string {
	if kind == "query" {
		return "Query"
	}
	return "Mutation"
}

// below asks what is in the objects that a field gives: every path through kinds of objects of which none comes twice.
func (w *walk) below(head, tail string, f *ast.FieldDefinition, kinds []string) {
	w.t.Helper()
	kind := schema().Types[f.Type.Name()]
	if w.isOver() || kind.Kind != ast.Object || slices.Contains(kinds, kind.Name) || len(kinds) > maxWalkDepth {
		return
	}
	kinds = append(slices.Clone(kinds), kind.Name)
	for _, inner := range kind.Fields {
		if strings.HasPrefix(inner.Name, "__") || schema().Types[inner.Type.Name()].Kind != ast.Object {
			continue
		}
		sets := []string{w.arguments(inner, false)}
		if len(inner.Arguments) > 0 {
			sets = append(sets, w.arguments(inner, true))
		}
		for _, arguments := range sets {
			w.written = append(w.written, kind.Name+"."+inner.Name)
			w.ask(head + " { " + inner.Name + arguments + w.leaves(inner) + " }" + tail)
		}
		w.below(head+" { "+inner.Name+sets[0], " }"+tail, inner, kinds)
	}
}

// ask sends one operation and shows its answer. A session that an operation before has ended is replaced. What is too deep or
// costs too much is refused: a shorter path leads there.
func (w *walk) ask(operation string) reply {
	w.t.Helper()
	written := w.written
	w.written = nil
	answer := w.as(w.t, w.role, operation, nil)
	if answer.code() == "UNAUTHENTICATED" {
		w.signIn(w.t)
		answer = w.as(w.t, w.role, operation, nil)
	}
	if answer.Status == 400 && strings.Contains(answer.Raw, "the operation ") {
		return answer
	}
	for _, field := range written {
		w.asked[field] = true
	}
	if answer.Status != 200 || answer.code() == "INTERNAL" {
		w.t.Fatalf("%s: got %s\n%s", operation, answer.Raw, w.Logs)
	}
	if strings.Contains(answer.Raw, `"data":{`) && !strings.Contains(answer.Raw, ":null}") {
		w.answered++
	}
	w.see(operation, answer)
	return answer
}

// leaves is what a field's own object has that is no object, and one name of any that has nothing else.
func (w *walk) leaves(f *ast.FieldDefinition) string {
	kind := schema().Types[f.Type.Name()]
	if kind.Kind != ast.Object {
		return ""
	}
	text := " { __typename"
	for _, inner := range kind.Fields {
		if strings.HasPrefix(inner.Name, "__") || schema().Types[inner.Type.Name()].Kind == ast.Object {
			continue
		}
		w.written = append(w.written, kind.Name+"."+inner.Name)
		text += " " + inner.Name + w.arguments(inner, true)
	}
	return text + " }"
}

// argumentSets are the arguments that a field is asked with: none but the required ones, every id in all that take one, and
// any ids in any of them.
func (w *walk) argumentSets(f *ast.FieldDefinition) []string {
	sets := []string{w.arguments(f, false)}
	if len(f.Arguments) == 0 {
		return sets
	}
	all, times := w.ids, 30
	if slices.Contains(costly, f.Name) {
		all, times = w.ids[:2], 2
	}
	for _, id := range all {
		only := walk{api: w.api, ids: []string{id}, random: w.random}
		sets = append(sets, only.arguments(f, true), only.arguments(f, false))
	}
	for range times {
		sets = append(sets, w.arguments(f, w.random.IntN(2) == 0))
	}
	slices.Sort(sets)
	return slices.Compact(sets)
}

// arguments writes values for a field's arguments: of the optional ones for some, or for none but the page's size.
func (w *walk) arguments(f *ast.FieldDefinition, optional bool) string {
	var list []string
	for _, a := range f.Arguments {
		isWanted := (a.Type.NonNull && a.DefaultValue == nil) || a.Name == "first" || (optional && w.random.IntN(2) == 0)
		if isWanted {
			list = append(list, a.Name+": "+w.value(a.Name, a.Type))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// value writes a value of a type. What people write freely, and is shown again, is no id.
func (w *walk) value(name string, t *ast.Type) string {
	if t.Elem != nil {
		return "[" + w.value(name, t.Elem) + "]"
	}
	switch kind := schema().Types[t.NamedType]; {
	case kind.Kind == ast.Enum:
		return kind.EnumValues[w.random.IntN(len(kind.EnumValues))].Name
	case kind.Kind == ast.InputObject:
		var list []string
		for _, f := range kind.Fields {
			if f.Type.NonNull || w.random.IntN(3) == 0 {
				list = append(list, f.Name+": "+w.value(f.Name, f.Type))
			}
		}
		return "{" + strings.Join(list, ", ") + "}"
	case name == "userId" && len(w.ids) > 1:
		return []string{`"u-1001"`, `"u-theirs-77"`}[w.random.IntN(2)]
	case name == "providerId" && len(w.ids) > 1:
		return []string{`"1"`, `"2"`}[w.random.IntN(2)]
	case name == "language":
		return `"tr"`
	case name == "filter": // of a saved view
		return `"{}"`
	case name == "first":
		return "8"
	case name == "after", name == "reason", name == "name", name == "password", name == "bankName", name == "holder",
		name == "text" && t.NonNull: // of a note; what lists are searched for may be left out
		return `"as people write"`
	}
	switch t.NamedType {
	case "Boolean":
		return fmt.Sprint(w.random.IntN(2) == 0)
	case "Int":
		return fmt.Sprint(1 + w.random.IntN(3))
	case "Decimal":
		return `"250.00"`
	case "Date":
		return fmt.Sprintf("%q", w.today())
	case "DateTime":
		if strings.HasSuffix(strings.ToLower(name), "from") {
			return `"2026-03-02T09:00:00Z"`
		}
		return `"2026-03-03T09:00:00Z"`
	default:
		return fmt.Sprintf("%q", w.ids[w.random.IntN(len(w.ids))])
	}
}

// reachable are the fields that a walk comes to, from the roots that a role may ask.
func reachable(role staff.Role) map[string]bool {
	found, seen := map[string]bool{}, map[string]bool{}
	var visit func(kind *ast.Definition)
	visit = func(kind *ast.Definition) {
		if kind.Kind != ast.Object || seen[kind.Name] {
			return
		}
		seen[kind.Name] = true
		for _, f := range kind.Fields {
			if !strings.HasPrefix(f.Name, "__") {
				found[kind.Name+"."+f.Name] = true
				visit(schema().Types[f.Type.Name()])
			}
		}
	}
	for name, f := range rootFields() {
		if slices.Contains(reaching(f, staff.Roles()), role) {
			operation, _, _ := strings.Cut(name, " ")
			found[ownerOf(operation)+"."+f.Name] = true
			if operation == "query" {
				visit(schema().Types[f.Type.Name()])
			}
		}
	}
	return found
}

// TestAWalkFindsNothingOfOtherTenants walks every field that dealer and provider staff may ask, queries and mutations, with
// ids of their own and of others in every argument: no answer shows what is another's, and no change touches it.
func TestAWalkFindsNothingOfOtherTenants(t *testing.T) {
	t.Parallel()
	roles := []staff.Role{staff.DealerManager, staff.ProviderManager} // who may do what the others of their kind may
	if testing.Short() {                                              // one of them, another one in each run, as properties try fewer cases
		roles = roles[rand.IntN(2):][:1]
	} else {
		roles = append(roles, staff.DealerStaff, staff.ProviderStaff)
	}
	for _, role := range roles {
		t.Run(string(role), func(t *testing.T) {
			t.Parallel()
			w := newTenants(t)
			w.decided(t)
			hidden := w.hiddenFrom(role)
			var changes strings.Builder
			kept := &committed{Committer: w.Store, to: &changes, scope: w.scopeOf(t, role)}
			w.UnitOfWork.Commits = kept
			mine := newWalk(t, w.api, role, w.everyID(), func(operation string, answer reply) {
				for _, text := range hidden {
					for field, data := range answer.Data {
						if strings.Contains(string(data), text) {
							t.Errorf("%s: %s is shown %s in %.300s", operation, field, text, data)
						}
					}
				}
			})
			mine.roots("query")
			mine.roots("mutation")
			w.Work(t) // the jobs that were started
			for _, text := range w.others() {
				if strings.Contains(changes.String(), text) {
					t.Errorf("a change by the role %s touches %s", role, text)
				}
			}
			for _, row := range kept.others {
				t.Errorf("the role %s changes %+v", role, row)
			}
			for field := range reachable(role) {
				if !mine.asked[field] {
					t.Errorf("%s was not asked", field)
				}
			}
			if mine.answered < 150 {
				t.Errorf("only %d operations had an answer: this walk proves little", mine.answered)
			}
			if !testing.Short() {
				w.controls(t, hidden)
			}
		})
	}
}

// controls walks as an admin, to whom all that is hidden is shown: the walk would have found it.
func (w tenants) controls(t *testing.T, hidden []string) {
	t.Helper()
	shown := map[string]bool{}
	admin := newWalk(t, w.api, staff.Admin, w.everyID(), func(_ string, answer reply) {
		for _, text := range hidden {
			if !shown[text] && strings.Contains(answer.Raw, text) {
				shown[text] = true
			}
		}
	})
	admin.isOver = func() bool { return len(shown) == len(hidden) }
	admin.roots("query")
	for _, text := range hidden {
		if !shown[text] {
			t.Errorf("%s is hidden from everybody: the walk proves nothing of it", text)
		}
	}
}
