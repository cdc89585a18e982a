package storetest

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// Agree does the same random things to two stores, with few rows and few moments so that they often meet, and compares
// the fault of each commit, whatever each call gives, and every row in the end. Both stores are empty at first and nobody
// else uses them. All checks share them; each has rows of its own. Rows of every kind take part, and every method.
func Agree(t *testing.T, tested, reference Store) {
	t.Helper()
	m := newMaker()
	rapid.Check(t, func(rt *rapid.T) {
		d := newDiffer(t, rt, m, tested, reference)
		for range rapid.IntRange(4, 19).Draw(rt, "steps") {
			rapid.SampledFrom([]func(){d.commit, d.commit, d.call}).Draw(rt, "step")()
		}
		for range 20 {
			d.call()
		}
		d.readRows()
	})
}

// differ is one check: the rows that it may write, and at which versions the stores have them.
type differ struct {
	*rapid.T
	world    *world // commits to both
	pair     pair
	methods  []call
	rows     []core.Row
	about    []core.Row            // those that arguments are taken from
	versions map[core.Identity]int // by identity without its version
}

// pair commits to both stores.
type pair struct {
	t                 *rapid.T
	tested, reference Store
}

// Commit returns the reference's fault. When several apply, the stores may choose.
func (p pair) Commit(ctx context.Context, change core.Changeset) error {
	reference, tested := p.reference.Commit(ctx, change), p.tested.Commit(ctx, change)
	if (tested == nil) != (reference == nil) {
		p.t.Fatalf("commit: tested gives %v, the reference %v", tested, reference)
	}
	for _, err := range []error{tested, reference} {
		if code := fault.CodeOf(err); err != nil && !slices.Contains(documented, code) {
			p.t.Fatalf("commit: %v", err)
		}
	}
	return reference
}

var documented = []fault.Code{
	fault.Conflict, fault.Duplicate, fault.Blocked, fault.Insufficient, fault.OwnRequest, fault.Uncredited, fault.BankAccountTaken,
}

// apart are Commit, what has a model of its own, what may come in any order, what a database has made up itself, and what one of them
// needs not do.
var apart = []string{
	"Commit", "Now", "ProveWrite", "RefreshStatistics", "Statistics", "StatisticsUntil", "ForgetStatistics", "SearchPayments", "CheckCredits",
	"MarkDemo", "MakeRoom", "Mark", "Epoch",
}

func newDiffer(t *testing.T, rt *rapid.T, m *maker, tested, reference Store) *differ {
	p := pair{rt, tested, reference}
	d := &differ{
		T: rt, pair: p, versions: map[core.Identity]int{},
		world: &world{maker: m, t: t, ctx: t.Context(), store: Of(reference, p)},
	}
	d.methods = slices.DeleteFunc(calls(reference), func(c call) bool { return slices.Contains(apart, c.name) })
	var there core.Changeset
	for _, k := range kinds() {
		for range 2 {
			f, given := k.new(d.world)
			row := k.full(d.world, f, given)
			if d.rows = append(d.rows, row); d.oneIn(2) {
				there = append(there, row)
			}
		}
	}
	d.both(there)
	return d
}

// commit writes a few rows, most of them at the version that the stores wait for.
func (d *differ) commit() {
	var change core.Changeset
	for range rapid.IntRange(1, 4).Draw(d.T, "rows") {
		if d.oneIn(3) {
			change = append(change, d.shared())
		} else if row := d.changed(rapid.SampledFrom(d.rows).Draw(d.T, "row")); !isSecondRecord(change, row) {
			change = append(change, row)
		}
	}
	if d.oneIn(2) {
		change = change.Merge(core.Rows(missingCredits(d.world.ctx, d.world.store, d.world.maker, change)))
	}
	d.both(change)
}

// isSecondRecord reports whether a changeset would have two idempotency records: there is one request behind it.
func isSecondRecord(change core.Changeset, row core.Row) bool {
	_, isRecord := row.(payment.IdempotencyRecord)
	return isRecord && core.Has[payment.IdempotencyRecord](change)
}

func (d *differ) both(change core.Changeset) {
	if d.pair.Commit(d.world.ctx, change) == nil {
		d.remember(change)
	}
}

// changed is a row with other values in some of its fields, as its next version.
func (d *differ) changed(old core.Row) core.Row {
	k := kindOf(old)
	d.about = d.rows
	row := reflect.New(k.row).Elem()
	row.Set(reflect.ValueOf(old))
	for i := range row.NumField() {
		before := reflect.ValueOf(row.Field(i).Interface())
		if name := k.row.Field(i).Name; name != "Version" && d.oneIn(3) {
			row.Field(i).Set(d.value(row.Field(i).Type(), name))
		}
		isOthers := slices.Contains(k.dealer, k.row.Field(i).Name) && !d.oneIn(8) // which is refused
		if isOthers || unversioned(row.Interface().(core.Row)) != unversioned(old) {
			row.Field(i).Set(before)
		}
	}
	if k.isVersioned {
		next := d.versions[unversioned(old)] + 1
		if d.oneIn(20) {
			next += rapid.SampledFrom([]int{-1, 1}).Draw(d.T, "off")
		}
		row.FieldByName("Version").SetInt(int64(next))
	}
	changed := k.tidy(d.world, row.Interface().(core.Row))
	if p, ok := changed.(payment.Payment); ok {
		p.Status = rapid.SampledFrom(payment.Statuses()).Draw(d.T, "status")
		changed = p
	}
	return changed
}

// value is one of a few of a type: of some row, or of none.
func (d *differ) value(t reflect.Type, name string) reflect.Value {
	if values, ok := enums[t]; ok {
		return values.Index(rapid.IntRange(0, values.Len()-1).Draw(d.T, "enum"))
	}
	value := reflect.New(t).Elem()
	switch {
	case t == reflect.TypeFor[time.Time]():
		if slices.Contains(always, name) || !d.oneIn(3) {
			value.Set(reflect.ValueOf(d.moment()))
		}
	case t == reflect.TypeFor[money.Amount]():
		value.Set(reflect.ValueOf(lira(100 * d.small())))
	case t == reflect.TypeFor[payment.Key]():
		value.Set(reflect.ValueOf(d.payment()))
	case t == reflect.TypeFor[core.Identity]():
		value.Set(reflect.ValueOf(rapid.SampledFrom(d.rows).Draw(d.T, "of").Identity()))
	case t == reflect.TypeFor[core.Day]():
		value.SetString(string(rapid.SampledFrom([]core.Day{today, tomorrow}).Draw(d.T, "day")))
	case t.Kind() == reflect.Bool:
		value.SetBool(d.oneIn(2))
	case t.Kind() == reflect.Int:
		value.SetInt(int64(rapid.SampledFrom([]int{1, 1, 2, 3, 100}).Draw(d.T, "number")))
	case t.Kind() == reflect.Int64, t.Kind() == reflect.String:
		value.Set(d.known(t))
	case t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Bool:
		value.Set(reflect.New(t.Elem()))
		value.Elem().SetBool(d.oneIn(2))
	case t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		for range rapid.IntRange(0, 3).Draw(d.T, "items") {
			value = reflect.Append(value, d.value(t.Elem(), name))
		}
	case t.Kind() == reflect.Struct && !slices.Contains(leaves, t):
		for i := range t.NumField() {
			if field := t.Field(i); field.Name == "Limit" || field.Name == "Paging" || slices.Contains(always, field.Name) || d.oneIn(4) {
				value.Field(i).Set(d.value(field.Type, field.Name))
			}
		}
	default:
		(&filling{id: core.FirstID(epoch), n: 1, at: epoch}).fill(value, name)
	}
	return value
}

// payment is one that some row is of, or none.
func (d *differ) payment() payment.Key {
	row := reflect.ValueOf(rapid.SampledFrom(d.rows).Draw(d.T, "of"))
	id, dealer := row.FieldByName("PaymentID"), row.FieldByName("DealerID")
	if !id.IsValid() || !dealer.IsValid() || d.oneIn(8) {
		return payment.Key{ID: core.ID(d.text()), DealerID: d.small()}
	}
	return payment.Key{ID: core.ID(id.String()), DealerID: dealer.Int()}
}

// known is a value of the type that some row has, or one that none has.
func (d *differ) known(t reflect.Type) reflect.Value {
	row := reflect.ValueOf(rapid.SampledFrom(d.about).Draw(d.T, "of"))
	var all []reflect.Value
	for _, field := range reflect.VisibleFields(row.Type()) {
		if field.Type == t {
			all = append(all, row.FieldByIndex(field.Index))
		}
	}
	switch {
	case len(all) > 0 && !d.oneIn(8):
		return all[rapid.IntRange(0, len(all)-1).Draw(d.T, "field")]
	case t.Kind() == reflect.String:
		return reflect.ValueOf(d.text()).Convert(t)
	default:
		return reflect.ValueOf(d.small()).Convert(t)
	}
}

// some is a row of the kind that this check may write.
func some[R core.Row](d *differ) R {
	return rapid.SampledFrom(core.RowsOf[R](d.rows)).Draw(d.T, "some")
}

// shared is a row or a condition that meets others: at a balance, at a line, at a load, at a block, at a bank account.
func (d *differ) shared() core.Row {
	held, customer := some[wallet.Wallet](d), some[owner.Block](d).CustomerKey
	line := d.world.bareLine(held.ID, d.moment())
	line.LineID = rapid.SampledFrom([]string{"a", "B"}).Draw(d.T, "line")
	line.Status = rapid.SampledFrom(wallet.LineStatuses()).Draw(d.T, "state")
	entry := d.world.bareEntry(held.ID, rapid.SampledFrom(ledger.EntryKinds()).Draw(d.T, "kind"), d.small())
	if d.oneIn(2) {
		line.Version, line.PaymentID = 1+d.versions[unversioned(line)], some[payment.Payment](d).ID
		entry.LineID, entry.PaymentID = line.LineID, line.PaymentID
	}
	used := use(some[owner.Account](d).ID, rapid.IntRange(-1, 3).Draw(d.T, "expected"))
	used.At = d.moment()
	return rapid.SampledFrom([]core.Row{
		entry, entry, line, line, used, used, owner.NotBlocked(customer), owner.Unblock(customer),
		owner.IBANClaim{IBAN: held.IBAN, Use: owner.StatementIBAN, Holders: 1},
		owner.IBANClaim{IBAN: some[owner.Account](d).IBAN, Use: owner.GatewayIBAN, Holders: int(d.small()) - 1},
	}).Draw(d.T, "shared")
}

// call calls one method of both.
func (d *differ) call() {
	c := rapid.SampledFrom(d.methods).Draw(d.T, "method")
	var args []reflect.Value
	argument := func(t reflect.Type) reflect.Value {
		arg := reflect.ValueOf(d.moment())
		if t != arg.Type() { // there is no call at no time
			arg = d.value(t, "")
		}
		args = append(args, arg)
		return arg
	}
	d.takeFrom(c.does.Type().Out(0))
	want, errWant := c.with(d.world.ctx, argument)
	asked := fmt.Sprint(c.name, args)
	got, errGot := call{c.name, reflect.ValueOf(d.pair.tested).MethodByName(c.name)}.with(d.world.ctx, func(reflect.Type) reflect.Value {
		arg := args[0]
		args = args[1:]
		return arg
	})
	d.agree(asked, want, got, errWant, errGot)
	for _, result := range got {
		rows := reflect.ValueOf(result)
		for i := 0; rows.Kind() == reflect.Slice && i < rows.Len(); i++ {
			if row, ok := rows.Index(i).Interface().(core.Row); ok {
				d.remember(core.Changeset{row})
			}
		}
	}
}

// takeFrom has arguments come from one row of the kind that a call returns, if it returns rows.
func (d *differ) takeFrom(t reflect.Type) {
	if t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	d.about = slices.DeleteFunc(slices.Clone(d.rows), func(row core.Row) bool { return reflect.TypeOf(row) != t })
	if len(d.about) == 0 {
		d.about = d.rows
	}
	d.about = []core.Row{rapid.SampledFrom(d.about).Draw(d.T, "about")}
}

func (d *differ) agree(what string, want, got any, errWant, errGot error) {
	if a, b := fault.CodeOf(errWant), fault.CodeOf(errGot); a != b {
		d.Fatalf("%s: tested gives %v, the reference %v", what, errGot, errWant)
	}
	if diff := difference(want, got); errWant == nil && diff != "" {
		d.Fatalf("%s differs (-reference +tested):\n%s", what, diff)
	}
}

// readRows finds every row by every lookup.
func (d *differ) readRows() {
	tested := &world{maker: d.world.maker, t: d.world.t, ctx: d.world.ctx, store: d.pair.tested}
	for _, row := range d.rows {
		for _, lookup := range kindOf(row).lookups {
			want, errWant := lookup.find(d.world, row)
			got, errGot := lookup.find(tested, row)
			d.agree(fmt.Sprint(lookup.method, " of ", row.Identity()), want, got, errWant, errGot)
		}
	}
}

// remember takes over the versions of what is stored.
func (d *differ) remember(c core.Changeset) {
	for _, row := range c {
		d.versions[unversioned(row)] = max(d.versions[unversioned(row)], row.Identity().Version)
	}
}

// oneIn is true about once in n times; it shrinks to false.
func (d *differ) oneIn(n int) bool { return rapid.IntRange(0, n-1).Draw(d.T, "one in") == n-1 }

func (d *differ) small() int64 { return rapid.Int64Range(0, 4).Draw(d.T, "number") }

func (d *differ) moment() time.Time {
	return epoch.Add(time.Duration(rapid.IntRange(0, 5).Draw(d.T, "minute")) * time.Minute)
}

func (d *differ) text() string {
	letters := []rune("abc ABC ışğİÜ'\"\\%_\n\t$?:{}<>🏦\u202e")
	return rapid.StringOfN(rapid.SampledFrom(letters), 0, 12, -1).Draw(d.T, "text")
}
