package storetest

import (
	"net/netip"
	"reflect"
	"slices"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
)

// exactly compares core types. A time must be the same moment and in UTC; nothing is nothing, whatever its currency;
// an absent list is an empty one.
var exactly = cmp.Options{
	cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) && a.Location().String() == b.Location().String() }),
	cmp.Comparer(func(a, b money.Amount) bool { return a.Equal(b) || a.IsZero() && b.IsZero() }),
	cmp.Comparer(func(a, b core.Secret) bool { return a.Reveal() == b.Reveal() }),
	cmp.Comparer(func(a, b money.Decimal) bool { return a == b }),
	cmp.Comparer(func(a, b netip.Prefix) bool { return a == b }),
	cmp.Comparer(func(a, b netip.Addr) bool { return a == b }),
	cmpopts.EquateEmpty(),
}

// difference describes how what was read differs; empty: it does not. What is equal in every bit is compared quickly.
func difference(want, got any) string {
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return cmp.Diff(want, got, exactly)
}

// leaves are the struct types that hold one value.
var leaves = []reflect.Type{
	reflect.TypeFor[time.Time](), reflect.TypeFor[money.Amount](), reflect.TypeFor[core.Secret](),
	reflect.TypeFor[netip.Prefix](), reflect.TypeFor[money.Decimal](), reflect.TypeFor[netip.Addr](),
}

// emptyFields names the fields of a row that have no value, of those that are kept.
func emptyFields(row any) []string { return emptyIn(reflect.ValueOf(row), reflect.TypeOf(row).Name()) }

// emptyIn looks into structs, behind pointers and at the first item of lists of structs.
func emptyIn(v reflect.Value, path string) []string {
	switch {
	case v.IsZero():
		return []string{path}
	case v.Kind() == reflect.Pointer:
		return emptyIn(v.Elem(), path)
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
		return emptyIn(v.Index(0), path+"[0]")
	case v.Kind() != reflect.Struct || slices.Contains(leaves, v.Type()):
		return nil
	}
	var empty []string
	for i := range v.NumField() {
		if name := v.Type().Field(i).Name; !slices.Contains(notKept, v.Type().Name()+"."+name) {
			empty = append(empty, emptyIn(v.Field(i), path+"."+name)...)
		}
	}
	return empty
}

// idsOf is of each row its ID, or whatever else.
func idsOf[R, ID any](rows []R, id func(R) ID) []ID {
	ids := make([]ID, len(rows))
	for i, r := range rows {
		ids[i] = id(r)
	}
	return ids
}

func paymentIDs(payments []payment.Payment) []core.ID {
	return idsOf(payments, func(p payment.Payment) core.ID { return p.ID })
}

func callbackIDs(callbacks []payment.Callback) []core.ID {
	return idsOf(callbacks, func(c payment.Callback) core.ID { return c.ID })
}
