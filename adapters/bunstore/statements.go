package bunstore

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
)

// template is a statement without its rows: head, where the rows of any number of changesets come from, tail.
type template struct {
	fields     []*schema.Field // of one row
	head, tail string
	nulls      string // a row before those of VALUES that says the types of its columns, where nothing else does

	// A counted statement returns a row for each row that it found or wrote as the decision expects. It must be all of
	// those sent, or none where isNone is set; otherwise the commit fails with lost.
	isCounted, isNone bool
	lost              fault.Code

	isPerWallet bool // it returns a row for each wallet whose balance the batch changes

	plain *template // takes its place, where set, in a batch that imports no bank lines and changes one wallet at most
}

// statement is a template with the rows of a batch.
type statement struct {
	*template
	at     int // the plan's template
	tuples []tuples
	rows   int
	wanted int // rows that a counted statement has to return
}

// write writes the statement with its rows as VALUES.
func (s statement) write(text *strings.Builder) {
	text.WriteString(s.head + "VALUES " + s.nulls)
	for i, t := range s.tuples {
		if i > 0 {
			text.WriteByte(',')
		}
		text.Write(t.sql)
	}
	text.WriteString(s.tail)
}

// sizeOf is about how many bytes a batch takes.
func sizeOf(batch []statement) int {
	n := 0
	for _, s := range batch {
		n += len(s.head) + len(s.tail) + 100
		for _, t := range s.tuples {
			n += len(t.sql) + 1
		}
	}
	return n
}

func rowType[R any]() reflect.Type { return reflect.TypeFor[R]() }

type templateWriter struct {
	db      *bun.DB
	dialect dialect
}

func (w templateWriter) table(row reflect.Type) *schema.Table {
	return w.db.Dialect().Tables().Get(row)
}

// insert writes new rows; one that is there already is a unique violation, and so a lost race.
func (w templateWriter) insert(row reflect.Type, tail string) template {
	t := w.table(row)
	return template{
		fields: t.Fields, head: fmt.Sprintf("INSERT INTO %s (%s) ", t.Name, columns(t.Fields)), tail: tail,
	}
}

// dealerColumn is in the key of rows of dealers. It says whose a row is, and does not name it.
const dealerColumn = "dealer_id"

// save replaces the rows whose version is one less. One that names another dealer finds no row. The dealer is compared where the row was
// found by what names it, and both sides say so: a plan from before there are statistics would take an index of dealers and read all of a
// dealer's rows, and SQLite would read the whole table and look its dealer up among many rows of a commit.
func (w templateWriter) save(row reflect.Type) template {
	t := w.table(row)
	set := make([]string, len(t.DataFields))
	for i, f := range t.DataFields {
		set[i] = fmt.Sprintf("%[1]s = d.%[1]s", f.SQLName)
	}
	key := make([]string, len(t.PKs))
	for i, f := range t.PKs {
		key[i] = fmt.Sprintf("%[1]s.%[2]s = d.%[2]s", t.Name, f.SQLName)
		if f.Name == dealerColumn {
			key[i] = fmt.Sprintf("%[1]s.%[2]s + 0 = d.%[2]s + 0", t.Name, f.SQLName)
		}
	}
	return w.data(t.Fields, fmt.Sprintf("UPDATE %[1]s SET %[2]s FROM d WHERE %[3]s AND %[1]s.version = d.version - 1 RETURNING 1",
		t.Name, strings.Join(set, ", "), strings.Join(key, " AND "))).all(fault.Conflict)
}

// data is a statement about its rows, which it calls d.
func (w templateWriter) data(fields []*schema.Field, about string) template {
	return template{
		fields: fields, head: fmt.Sprintf("WITH d (%s) AS (", columns(fields)), nulls: w.dialect.typedNulls(fields), tail: ") " + about,
	}
}

// all is the statement that has to return a row for each of its own.
func (t template) all(lost fault.Code) template {
	t.isCounted, t.lost = true, lost
	return t
}

// none is the statement that must not return any.
func (t template) none(lost fault.Code) template {
	t.isCounted, t.isNone, t.lost = true, true, lost
	return t
}

// idempotency keeps first answers, each in place of one that is too old to count.
func idempotency() table {
	t := insertedSealed(answerRowOf, "")
	t.templates = func(w templateWriter) []template { return []template{w.answer()} }
	return touching(t)
}

func (w templateWriter) answer() template {
	t := w.table(rowType[answerRow]())
	set := make([]string, len(t.DataFields))
	for i, f := range t.DataFields {
		set[i] = fmt.Sprintf("%[1]s = excluded.%[1]s", f.SQLName)
	}
	return w.insert(rowType[answerRow](), fmt.Sprintf(" ON CONFLICT (caller, endpoint, idempotency_key) DO UPDATE SET %s"+
		" WHERE %s.created_at < excluded.replaces_before RETURNING 1", strings.Join(set, ", "), t.Name)).all(fault.Duplicate)
}

// notBlocked is the condition that customers are not on the block list.
func notBlocked() table {
	t := inserted(func(k owner.NotBlocked) customerRow { return customerRow{ProviderID: k.ProviderID, UserID: k.UserID} }, "")
	t.templates = func(w templateWriter) []template { return []template{w.unblocked()} }
	return t
}

// unblocks takes customers off the block list.
func unblocks() table {
	t := inserted(func(k owner.Unblock) customerRow { return customerRow{ProviderID: k.ProviderID, UserID: k.UserID} }, "")
	t.templates = func(w templateWriter) []template { return []template{w.unblock()} }
	return touching(t)
}

func (w templateWriter) unblocked() template {
	return w.data(w.table(rowType[customerRow]()).Fields,
		"SELECT 1 FROM d JOIN blocks AS b ON b.provider_id = d.provider_id AND b.user_id = d.user_id").none(fault.Blocked)
}

// accountLoads are changed where their versions are as expected; one that may not be there yet is made first.
func accountLoads() table {
	return table{
		rows: kinds[owner.LimitUsage](),
		templates: func(w templateWriter) []template {
			return []template{w.insert(rowType[loadRow](), " ON CONFLICT DO NOTHING"), w.use()}
		},
		put: func(e *encoder, at int, rows []core.Row) {
			uses, ok := usesOf(core.RowsOf[owner.LimitUsage](rows))
			if !ok {
				e.fail(fault.New("bunstore.encode", fault.Conflict))
			}
			for _, u := range uses {
				e.touch("account_loads", number(u.AccountID)+"/"+string(u.Day))
				if u.Expect <= 0 {
					put(e, at, loadRow{AccountID: u.AccountID, Day: u.Day}, nil)
				}
				put(e, at+1, u, nil)
			}
		},
	}
}

func (w templateWriter) use() template {
	return w.data(w.table(rowType[useRow]()).Fields,
		`UPDATE account_loads SET used_minor = used_minor + d.minor, offer_count = offer_count + d."count",`+
			` version = account_loads.version + d.uses, last_offered_at = COALESCE(d."at", account_loads.last_offered_at)`+
			` FROM d WHERE account_loads.account_id = d.account_id AND account_loads."day" = d."day"`+
			` AND (d.expect < 0 OR account_loads.version = d.expect) RETURNING 1`).all(fault.Conflict)
}

func columns(fields []*schema.Field) string { return columnsOf("", fields) }

// columnsOf names the columns of a table, or of what is called so.
func columnsOf(table string, fields []*schema.Field) string {
	if table != "" {
		table += "."
	}
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = table + string(f.SQLName)
	}
	return strings.Join(names, ", ")
}
