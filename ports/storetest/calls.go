package storetest

import (
	"cmp"
	"context"
	"reflect"
	"slices"
)

// call is one method of a store.
type call struct {
	name string
	does reflect.Value
}

// calls are all methods of a store, by name.
func calls(s Store) (all []call) {
	contracts := reflect.ValueOf(s)
	for i := range contracts.NumField() {
		contract := contracts.Type().Field(i).Type
		for j := range contract.NumMethod() {
			name := contract.Method(j).Name
			all = append(all, call{name, contracts.Field(i).MethodByName(name)})
		}
	}
	slices.SortFunc(all, func(a, b call) int { return cmp.Compare(a.name, b.name) })
	return all
}

// with calls the method with arguments that are made by their type; of a list it takes as many.
func (c call) with(ctx context.Context, argument func(reflect.Type) reflect.Value) (results []any, err error) {
	args := []reflect.Value{reflect.ValueOf(ctx)}
	for i := 1; i < c.does.Type().NumIn(); i++ {
		args = append(args, argument(c.does.Type().In(i)))
	}
	var out []reflect.Value
	if c.does.Type().IsVariadic() {
		out = c.does.CallSlice(args)
	} else {
		out = c.does.Call(args)
	}
	for _, result := range out[:len(out)-1] {
		results = append(results, result.Interface())
	}
	err, _ = out[len(out)-1].Interface().(error)
	return results, err
}
