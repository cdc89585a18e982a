package storetest

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
)

// forEachKind tests every kind of row.
func forEachKind(test func(w *world, k kind)) func(w *world) {
	return func(w *world) {
		for _, k := range kinds() {
			w.t.Run(k.row.String(), func(t *testing.T) { test(w.in(t), k) })
		}
	}
}

// new is what tells a row apart from others, and what it cannot be without.
func (k kind) new(w *world) (*filling, core.Row) {
	f, row := w.filling(), reflect.New(k.row).Elem()
	for _, name := range k.given {
		f.fill(row.FieldByName(name), name)
	}
	return f, row.Interface().(core.Row)
}

// full is the row with a value in every field.
func (k kind) full(w *world, f *filling, given core.Row) core.Row {
	f.leaves = 0
	return k.changed(w, given, func(row reflect.Value) { f.fill(row, "") })
}

// bare is the row with nothing but what it cannot be without.
func (k kind) bare(w *world, f *filling, given core.Row) core.Row {
	return k.changed(w, given, func(row reflect.Value) {
		for i := range row.NumField() {
			_, isEnum := enums[row.Field(i).Type()]
			if name := k.row.Field(i).Name; isEnum || slices.Contains(always, name) {
				f.fill(row.Field(i), name)
			}
		}
	})
}

// always are the fields that every row has a value in that has them at all.
var always = []string{
	"Version", "CreatedAt", "UpdatedAt", "At", "BlockedAt", "ReconciledAt", "ReceivedAt", "BookedAt", "ImportedAt", "ExpiresAt",
}

// changed is the row with a change, as the store takes it.
func (k kind) changed(w *world, given core.Row, change func(row reflect.Value)) core.Row {
	row := reflect.New(k.row).Elem()
	row.Set(reflect.ValueOf(given))
	change(row)
	return k.tidy(w, row.Interface().(core.Row))
}

// at is the row as a version.
func (k kind) at(w *world, row core.Row, version int) core.Row {
	return k.changed(w, row, func(row reflect.Value) { row.FieldByName("Version").SetInt(int64(version)) })
}

// isThere reads a row by every lookup, or by the first, which finds a row with empty fields.
func (k kind) isThere(w *world, want core.Row, isBare bool) {
	w.t.Helper()
	lookups := k.lookups
	if isBare {
		lookups = lookups[:1]
	}
	for _, lookup := range lookups {
		got, err := lookup.find(w, want)
		w.no(err)
		w.same(want, got)
	}
	if got, err := w.store.Stored(w.ctx, want.Identity()); !fault.Is(err, fault.NotFound) {
		w.no(err)
		w.same(want, got)
	}
}

func (k kind) isNotThere(w *world, row core.Row) {
	w.t.Helper()
	for _, lookup := range k.lookups {
		if found, err := lookup.find(w, row); !fault.Is(err, fault.NotFound) {
			w.t.Fatalf("there is %+v (%v)", found, err)
		}
	}
	_, err := w.store.Stored(w.ctx, row.Identity())
	w.fails(fault.NotFound, err)
}

// everyFieldComesBack writes as many rows as an enum of theirs has values, one whose values are extreme and two that are empty:
// of rows without a name there are as many as wanted.
// No field may be empty in all of them.
func everyFieldComesBack(w *world, k kind) {
	most := 0
	for _, field := range reflect.VisibleFields(k.row) {
		if values, ok := enums[field.Type]; ok {
			most = max(most, values.Len())
		}
	}
	var empty []string
	for i := range most + 3 {
		f, given := k.new(w)
		f.enum, f.isExtreme = int64(i), i == most
		row := k.full(w, f, given)
		if i > most {
			row = k.bare(w, f, given)
		}
		k.isNotThere(w, row)
		w.commit(core.Changeset{row})
		k.isThere(w, row, i > most)
		if without := emptyFields(row); i == 0 {
			empty = without
		} else {
			empty = slices.DeleteFunc(empty, func(path string) bool { return !slices.Contains(without, path) })
		}
	}
	if len(empty) > 0 {
		w.t.Errorf("the kit's rows leave fields empty: %v", empty)
	}
}

// keeping is a later version with what is fixed when the row is made, and of the same dealer.
func (k kind) keeping(first, later core.Row) core.Row {
	row := reflect.New(k.row).Elem()
	row.Set(reflect.ValueOf(later))
	for _, name := range slices.Concat(k.fixed, k.dealer) {
		row.FieldByName(name).Set(reflect.ValueOf(first).FieldByName(name))
	}
	return row.Interface().(core.Row)
}

func savedWhole(w *world, k kind) {
	if !k.isVersioned {
		return
	}
	f, given := k.new(w)
	filled := k.full(w, f, given)
	w.commit(core.Changeset{filled})
	bare := k.keeping(filled, k.at(w, k.bare(w, f, given), 2))
	w.commit(core.Changeset{bare})
	k.isThere(w, bare, true)
	f.isExtreme = true
	extreme := k.keeping(filled, k.at(w, k.full(w, f, given), 3))
	w.commit(core.Changeset{extreme})
	k.isThere(w, extreme, false)
	filled = k.at(w, filled, 4)
	w.commit(core.Changeset{filled})
	k.isThere(w, filled, false)
}

// foundForAnother looks for a row, by all that it is found by, as if it were another dealer's.
func foundForAnother(w *world, k kind) {
	f, given := k.new(w)
	row := k.full(w, f, given)
	w.commit(core.Changeset{row})
	for _, lookup := range k.lookups {
		if !slices.Contains(lookup.fields, "DealerID") {
			continue
		}
		another := set(row, "DealerID", reflect.ValueOf(row).FieldByName("DealerID").Int()+1)
		isIt := func(found core.Row) bool { return unversioned(found) == unversioned(row) }
		if found, err := lookup.read(w, reflect.ValueOf(another), isIt); !fault.Is(err, fault.NotFound) {
			w.t.Errorf("%s of another dealer finds %+v (%v)", lookup.method, found, err)
		}
	}
}

// savedForAnother: whoever saves a row with the right version, and says that it is another dealer's, gets nothing and changes nothing.
func savedForAnother(w *world, k kind) {
	if len(k.dealer) == 0 {
		return
	}
	f, given := k.new(w)
	row := k.full(w, f, given)
	w.commit(core.Changeset{row})
	f, given = k.new(w)
	another := reflect.ValueOf(k.full(w, f, given))
	stolen := k.at(w, row, 2)
	for _, name := range k.dealer {
		value := another.FieldByName(name)
		if value.Kind() == reflect.Slice { // of several dealers it is none's
			value = value.Slice(0, 1)
		}
		stolen = set(stolen, name, value.Interface())
	}
	w.refused(fault.Conflict, core.Changeset{stolen})
	k.isThere(w, row, false)
}

func insertedOnce(w *world, k kind) {
	f, given := k.new(w)
	row := k.full(w, f, given)
	w.commit(core.Changeset{row})
	switch row.Identity().Table {
	case "bank_lines": // an import may come again
		w.commit(core.Changeset{row})
	case "idempotency":
		w.refused(fault.Duplicate, core.Changeset{row})
	default:
		w.refused(fault.Conflict, core.Changeset{row})
	}
	k.isThere(w, row, false)
}

// foundByName looks for a row by names that are nearly its own, by a name of another field, and by none.
func foundByName(w *world, k kind) {
	f, given := k.new(w)
	row := k.full(w, f, given)
	w.commit(core.Changeset{row})
	for _, lookup := range k.lookups {
		for _, path := range textsIn(reflect.ValueOf(row), lookup.fields) {
			name := fieldAt(reflect.ValueOf(row), path).String()
			for _, other := range []string{name + " ", name[1:], strings.ToLower(name), awkward, "%", ""} {
				if other == name || lookup.with != nil && other == "" {
					continue // its own, or narrows nothing
				}
				found, err := lookup.asking(w, row, path, other)
				if !fault.Is(err, fault.NotFound) {
					w.t.Errorf("%s of %q finds %+v (%v)", lookup.method, other, found, err)
				}
			}
		}
	}
}

// textsIn are the paths of the texts in fields, and in their fields.
func textsIn(row reflect.Value, fields []string) (paths []string) {
	for _, path := range fields {
		switch v := fieldAt(row, path); v.Kind() {
		case reflect.String:
			paths = append(paths, path)
		case reflect.Struct:
			for i := range v.NumField() {
				paths = append(paths, textsIn(row, []string{path + "." + v.Type().Field(i).Name})...)
			}
		}
	}
	return paths
}

// listedInOrder reads rows by what several have in common. Of whatever comes page by page other cases prove the order.
func listedInOrder(w *world, k kind) {
	for _, lookup := range k.lookups {
		method := reflect.ValueOf(w.store).MethodByName(lookup.method).Type()
		last := method.In(method.NumIn() - 1)
		isPage := last.Kind() == reflect.Int || last == reflect.TypeFor[core.Paging[core.ID]]()
		if lookup.with != nil || method.Out(0).Kind() != reflect.Slice || isPage {
			continue
		}
		f, given := k.new(w)
		first := k.full(w, f, given)
		together, other := []core.Row{first}, core.Row(nil)
		for i := range 3 {
			f, given := k.new(w)
			row := k.full(w, f, given)
			if i == 2 {
				other = row
				break
			}
			together = append(together, k.changed(w, row, func(row reflect.Value) {
				for _, path := range lookup.fields {
					fieldAt(row, path).Set(fieldAt(reflect.ValueOf(first), path))
				}
			}))
		}
		if unversioned(together[0]) == unversioned(together[1]) {
			continue // the row itself is asked for
		}
		w.commit(core.Changeset{together[2]}, core.Changeset{other, together[0]}, core.Changeset{together[1]})
		var found []core.Row
		_, err := lookup.read(w, reflect.ValueOf(first), func(row core.Row) bool {
			if len(lookup.fields) > 0 || slices.Contains(identities(together), unversioned(row)) {
				found = append(found, row)
			}
			return false
		})
		w.fails(fault.NotFound, err) // of all, none was wanted
		w.same(together, found)
	}
}
