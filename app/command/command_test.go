package command_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/command"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/e2e/apptest"
)

// TestAnApprovalKeepsAllOfAnInput: what a command is asked with goes through JSON and comes back whole, whichever it is.
func TestAnApprovalKeepsAllOfAnInput(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for c := range commandsOf(reflect.ValueOf(*apptest.New(t).Commands())) {
		name := c.FieldByName("Name").String()
		if names[name] {
			t.Errorf("%s stands twice", name)
		}
		names[name] = true
		input := reflect.New(c.FieldByName("Do").Type().In(2))
		filler{}.fill(t, input.Elem(), input.Type().String())
		text, err := json.Marshal(input.Interface())
		again := reflect.New(input.Type().Elem())
		if err == nil {
			err = json.Unmarshal(text, again.Interface())
		}
		if diff := cmp.Diff(input.Interface(), again.Interface(), cmp.Comparer(sameAmount), cmp.Exporter(all)); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
	if len(names) < 40 {
		t.Errorf("only %d commands were looked at", len(names))
	}
}

// TestWhatIsNoInputIsNotRun: an approval of what cannot be read, or is no command, does nothing.
func TestWhatIsNoInputIsNotRun(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	for action, input := range map[string]string{
		"approveDeposit": `{"trackingCode": "MAN-1", "expectedAmount": "250.00"}`, // as the API has it
		"saveRouteRule":  `[]`, "rejectDeposit": ``, "approveRequest": `{}`, "dropTables": `{}`,
	} {
		a := approval.Approval{Action: action, Input: core.NewSecret(input)}
		if _, err := w.Commands().Approved(t.Context(), app.Request{Staff: w.Admin}, a); !fault.Is(err, fault.ApprovalStale) {
			t.Errorf("%s with %s: got %v", action, input, err)
		}
	}
}

// commandsOf yields the fields that are commands.
func commandsOf(v reflect.Value) func(func(reflect.Value) bool) {
	return func(yield func(reflect.Value) bool) {
		for i := range v.NumField() {
			subject := v.Field(i)
			if subject.Kind() != reflect.Struct || !v.Type().Field(i).Anonymous || subject.Type() == reflect.TypeFor[command.Services]() {
				continue
			}
			for k := range subject.NumField() {
				if !yield(subject.Field(k)) {
					return
				}
			}
		}
	}
}

func sameAmount(a, b money.Amount) bool { return a == b }

func all(reflect.Type) bool { return true }

// filler sets every field to a value of its own.
type filler struct{}

func (f filler) fill(t *testing.T, v reflect.Value, path string) {
	t.Helper()
	switch v.Interface().(type) {
	case money.Amount:
		v.Set(reflect.ValueOf(money.New(123_45, money.TRY)))
		return
	case money.Decimal:
		d, err := money.ParseDecimal("-7.5")
		if err != nil {
			t.Fatal(err)
		}
		v.Set(reflect.ValueOf(d))
		return
	case core.Scope:
		return // staff's own narrows what is asked for
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(path)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(len(path)))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(t, v.Elem(), path)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		f.fill(t, v.Index(0), path+"0")
		f.fill(t, v.Index(1), path+"1")
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("name"), reflect.ValueOf("value"))
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); !f.IsExported() || strings.HasPrefix(f.Name, "Paging[") || f.Name == "Paging" { // an order has no pages
				continue
			}
			f.fill(t, v.Field(i), path+"."+v.Type().Field(i).Name)
		}
	default:
		t.Fatalf("%s is a %s, which this test does not know", path, v.Kind())
	}
}
