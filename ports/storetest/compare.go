package storetest

import (
	"fmt"
	"net/netip"
	"reflect"
	"slices"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
)

// exactly compares core types. A time must be the same moment and in UTC; nothing is nothing, whatever its currency;
// an absent list is an empty one.
var exactly = cmp.Options{
	cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) && a.Location().String() == b.Location().String() }),
	cmp.Comparer(func(a, b money.Amount) bool { return a.Equal(b) || a.IsZero() && b.IsZero() }),
	cmp.Comparer(func(a, b core.Secret) bool { return a.Reveal() == b.Reveal() }),
	cmp.Comparer(func(a, b netip.Prefix) bool { return a == b }),
	cmpopts.EquateEmpty(),
}

// leaves are the struct types that hold one value.
var leaves = []reflect.Type{
	reflect.TypeFor[time.Time](), reflect.TypeFor[money.Amount](), reflect.TypeFor[core.Secret](),
	reflect.TypeFor[netip.Prefix](),
}

// emptyFields names the fields of a row that have no value, so that the rows which prove that every field comes back
// cannot forget a field that is added later.
func emptyFields(row any) []string { return emptyIn(reflect.ValueOf(row), reflect.TypeOf(row).Name()) }

func emptyIn(v reflect.Value, path string) []string {
	if v.Kind() != reflect.Struct || slices.Contains(leaves, v.Type()) {
		if v.IsZero() {
			return []string{path}
		}
		return nil
	}
	var empty []string
	for i := range v.NumField() {
		empty = append(empty, emptyIn(v.Field(i), fmt.Sprintf("%s.%s", path, v.Type().Field(i).Name))...)
	}
	return empty
}

// full refuses a row with an empty field.
func full[R any](w *world, row R) R {
	w.t.Helper()
	if empty := emptyFields(row); len(empty) > 0 {
		w.t.Fatalf("the kit's own row leaves fields empty: %v", empty)
	}
	return row
}

func idsOf[R any](rows []R, id func(R) core.ID) []core.ID {
	ids := make([]core.ID, len(rows))
	for i, r := range rows {
		ids[i] = id(r)
	}
	return ids
}

func paymentIDs(payments []core.Payment) []core.ID {
	return idsOf(payments, func(p core.Payment) core.ID { return p.ID })
}

func callbackIDs(callbacks []core.Callback) []core.ID {
	return idsOf(callbacks, func(c core.Callback) core.ID { return c.ID })
}
