package storetest

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/dispute"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
)

// list is one list that staff turn the pages of, for the test cases that hold for every one. A field of its query narrows it
// to the rows that have that value in the field of the same name, or one of the values.
type list struct {
	name   string
	rises  bool // the oldest come first
	query  reflect.Type
	row    func(w *world, i int) core.Row // of the i-th moment
	read   func(w *world, query reflect.Value) ([]core.Row, error)
	random *rand.Rand
}

func listOf[Q any, R core.Row](name string, row func(w *world, i int) R, read func(ctx context.Context, query Q) ([]R, error)) *list {
	return &list{
		name: name, query: reflect.TypeFor[Q](), row: func(w *world, i int) core.Row { return row(w, i) }, random: rand.New(rand.NewPCG(7, 7)),
		read: func(w *world, query reflect.Value) ([]core.Row, error) {
			rows, err := read(w.ctx, query.Interface().(Q))
			return core.Rows(rows), err
		},
	}
}

func lists(s Store) []*list {
	members := listOf("staff", func(w *world, _ int) staff.Staff { return w.staff() }, s.ListStaff)
	members.rises = true
	return []*list{
		members,
		listOf("invitations", func(w *world, _ int) staff.Invitation { return w.invitation() }, s.ListInvitations),
		listOf("jobs", func(w *world, _ int) report.Job { return w.job() }, s.ListJobs),
		listOf("notifications", func(w *world, _ int) notification.Notification { return w.notification() }, s.Notifications),
		listOf("discrepancies", func(w *world, _ int) discrepancy.Discrepancy { return w.discrepancy("P") }, s.Discrepancies),
		listOf("disputes", func(w *world, _ int) dispute.Dispute { return w.dispute("P") }, s.ListDisputes),
		listOf("audit log", func(w *world, i int) core.AuditEntry {
			return w.auditAt(epoch.Add(time.Duration(i) * time.Second))
		}, func(ctx context.Context, q core.AuditQuery) ([]core.AuditEntry, error) {
			found, err := s.AuditEntries(ctx, q)
			return idsOf(found, func(r core.AuditRecord) core.AuditEntry { return r.AuditEntry }), err
		}),
	}
}

func everyListNarrowed(w *world) {
	for _, l := range lists(w.store) {
		w.t.Run(l.name, func(t *testing.T) { l.isNarrowed(w.in(t)) })
	}
}

// isNarrowed compares the list with a look at each row, for queries that set some of their fields at random.
func (l *list) isNarrowed(w *world) {
	const rows, queries = 40, 80
	all := make([]core.Row, rows)
	for i := range all {
		all[i] = l.varied(l.row(w, i))
	}
	w.commit(all[rows/2:], all[:rows/2])
	if !l.rises {
		slices.Reverse(all)
	}
	found := 0
	for range queries {
		q := reflect.New(l.query).Elem()
		for i := range q.NumField() {
			if l.random.IntN(4) == 0 {
				l.ask(q.Field(i), l.query.Field(i).Name, all)
			}
		}
		if kind := q.FieldByName("ActorKind"); kind.IsValid() && kind.IsZero() { // an actor's id is one of a kind's
			q.FieldByName("ActorID").SetZero()
		}
		want := slices.DeleteFunc(slices.Clone(all), func(row core.Row) bool { return !l.keeps(q, row) })
		found += len(want)
		for _, limit := range []int{0, 3, core.MaxPage} {
			w.same(want[:min(limit, len(want))], l.page(w, q, limit))
		}
	}
	if found < queries {
		w.t.Errorf("%d queries found %d rows", queries, found)
	}
}

func (l *list) page(w *world, q reflect.Value, limit int) []core.Row {
	w.t.Helper()
	q.FieldByName("Limit").SetInt(int64(limit))
	rows, err := l.read(w, q)
	w.no(err)
	return rows
}

// field is what a field of the query is compared with.
func field(row reflect.Value, name string) reflect.Value {
	switch name {
	case "ActorKind", "ActorID":
		return row.FieldByName("Actor").FieldByName(strings.TrimPrefix(name, "Actor"))
	case "From", "Until":
		return row.FieldByName("At")
	case "CreatedFrom", "CreatedUntil":
		return row.FieldByName("CreatedAt")
	case "Statuses":
		return row.FieldByName("Status")
	}
	if f := row.FieldByName(strings.TrimSuffix(name, "s")); f.IsValid() {
		return f
	}
	return row.FieldByName(name)
}

// varied is the row with one of a few values in each field that a query asks for.
func (l *list) varied(row core.Row) core.Row {
	varied := reflect.New(reflect.TypeOf(row)).Elem()
	varied.Set(reflect.ValueOf(row))
	for _, asked := range reflect.VisibleFields(l.query) {
		f := field(varied, asked.Name)
		if !f.IsValid() || f.Type() == reflect.TypeFor[time.Time]() || isPaging(asked.Name) || asked.Name == "ID" || asked.Name == "IDs" {
			continue
		}
		n := l.random.IntN(3)
		if values, ok := enums[f.Type()]; ok {
			f.Set(values.Index(n % values.Len()))
			continue
		}
		switch f.Kind() {
		case reflect.Bool:
			f.SetBool(n > 0)
		case reflect.Int64:
			f.SetInt(int64(n + 1))
		case reflect.Struct: // a scope
			l.ask(f, asked.Name, nil)
		default:
			f.SetString([]string{"u1", "U1", "u1 '%"}[n])
		}
	}
	return varied.Interface().(core.Row)
}

// ask sets a field of a query to what some row has, or to what none has.
func (l *list) ask(asked reflect.Value, name string, all []core.Row) {
	some := func() reflect.Value { return field(reflect.ValueOf(all[l.random.IntN(len(all))]), name) }
	switch {
	case isPaging(name):
	case name == "Scope" && l.random.IntN(2) == 0:
		asked.FieldByName("DealerID").SetInt(int64(l.random.IntN(4)) - 1)
	case name == "Scope":
		asked.FieldByName("ProviderID").SetInt(int64(l.random.IntN(4)) - 1)
	case asked.Kind() == reflect.Pointer:
		asked.Set(reflect.New(asked.Type().Elem()))
		asked.Elem().Set(some())
	case asked.Kind() == reflect.Bool:
		asked.SetBool(true)
	case asked.Kind() == reflect.Slice:
		asked.Set(reflect.Append(asked, some(), some(), some()))
	default:
		asked.Set(some())
	}
}

// keeps reports whether a row has what the query asks for.
func (l *list) keeps(q reflect.Value, row core.Row) bool {
	for _, asked := range reflect.VisibleFields(l.query) {
		want := q.FieldByIndex(asked.Index)
		if want.IsZero() || asked.Anonymous || isPaging(asked.Name) {
			continue
		}
		got := field(reflect.ValueOf(row), asked.Name)
		is := false
		switch {
		case strings.HasSuffix(asked.Name, "From"):
			is = !got.Interface().(time.Time).Before(want.Interface().(time.Time))
		case strings.HasSuffix(asked.Name, "Until"):
			is = got.Interface().(time.Time).Before(want.Interface().(time.Time))
		case asked.Name == "Scope":
			is = want.Interface().(core.Scope).Includes(got.Interface().(core.Scope))
		case want.Kind() == reflect.Pointer:
			is = want.Elem().Equal(got)
		case want.Kind() == reflect.Slice:
			for i := range want.Len() {
				is = is || want.Index(i).Equal(got)
			}
		default:
			is = want.Equal(got)
		}
		if !is {
			return false
		}
	}
	return true
}

// isPaging reports whether a field of a query is of its page: what everyListTurned is about.
func isPaging(name string) bool {
	_, is := reflect.TypeFor[core.Paging[core.ID]]().FieldByName(name)
	return is || name == "Paging"
}
