package migrations

import (
	"regexp"
	"slices"
	"strings"
)

// Waits is who waits while a statement has its lock.
type Waits string

// Who waits.
const (
	Nobody    Waits = "nobody waits"
	SameRows  Waits = "writes of the same rows wait"
	Writes    Waits = "writes wait"
	Everybody Waits = "reads and writes wait"
)

// Length is for how long a statement has its lock.
type Length string

// Lengths.
const (
	Moment  Length = "for a moment"
	Scan    Length = "while the whole table is read"
	Rewrite Length = "while the whole table is written anew"
	Rows    Length = "while its rows are written"
	Unknown Length = "for a time that only its own text says"
)

// Locking is a lock that a statement of PostgreSQL takes on a table that others may use meanwhile.
type Locking struct {
	Table  string // empty: that of Index, or one that the statement does not name
	Index  string // of the table that is locked, which the statement does not name; or itself what is locked
	Mode   string // as PostgreSQL calls it
	Waits  Waits
	Length Length
}

// Statement is one statement of a step for PostgreSQL.
type Statement struct {
	SQL   string // without comments and line breaks
	Notes string // the comments before and in it, one a line
	Locks []Locking
	// Makes is the table or index that it makes: nobody uses that yet.
	Makes string
	// Removes reports whether something is dropped or renamed that the version before may use.
	Removes bool
}

// IsConcurrent reports whether the statement builds or drops an index beside the writes of others, which PostgreSQL does outside of
// transactions only.
func (s Statement) IsConcurrent() bool { return concurrent.MatchString(s.SQL) }

// Lock modes of PostgreSQL.
const (
	accessExclusive      = "ACCESS EXCLUSIVE"
	shareRowExclusive    = "SHARE ROW EXCLUSIVE"
	share                = "SHARE"
	shareUpdateExclusive = "SHARE UPDATE EXCLUSIVE"
	rowExclusive         = "ROW EXCLUSIVE"
)

// waits is whom each mode keeps out, by the table of conflicting modes in PostgreSQL's documentation (13.3.1).
var waits = map[string]Waits{
	accessExclusive: Everybody, shareRowExclusive: Writes, share: Writes, shareUpdateExclusive: Nobody, rowExclusive: SameRows,
}

const nameOf = `"?([a-z_][a-z_0-9]*)"?`

var (
	concurrent = regexp.MustCompile(`^(CREATE (UNIQUE )?|DROP )INDEX CONCURRENTLY `)

	createTable = regexp.MustCompile(`^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?` + nameOf)
	partitionOf = regexp.MustCompile(` PARTITION OF ` + nameOf)
	references  = regexp.MustCompile(`REFERENCES ` + nameOf)
	createIndex = regexp.MustCompile(`^CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?(?:IF NOT EXISTS )?` + nameOf + ` ON (?:ONLY )?` + nameOf)
	dropIndex   = regexp.MustCompile(`^DROP INDEX (CONCURRENTLY )?(?:IF EXISTS )?` + nameOf)
	dropTable   = regexp.MustCompile(`^(?:DROP TABLE|TRUNCATE(?: TABLE)?) (?:IF EXISTS )?` + nameOf)
	alterTable  = regexp.MustCompile(`^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?` + nameOf + ` (.*)$`)
	trigger     = regexp.MustCompile(`^(CREATE|DROP) (?:OR REPLACE )?(?:CONSTRAINT )?TRIGGER .*? ON ` + nameOf)
	writeRows   = regexp.MustCompile(`^(?:UPDATE|DELETE FROM|INSERT INTO) ` + nameOf)
	lockTable   = regexp.MustCompile(`^LOCK TABLE ` + nameOf + `(?: IN (.*) MODE)?`)
	renameIndex = regexp.MustCompile(`^ALTER INDEX (?:IF EXISTS )?` + nameOf + ` RENAME TO `)
	lockless    = regexp.MustCompile(`^(?:CREATE (?:OR REPLACE )?FUNCTION|DROP FUNCTION|COMMENT|SELECT|SET) `)

	attached = regexp.MustCompile(`^ATTACH PARTITION ` + nameOf)
	// Constants are stored once, in the catalogue; what is computed for each row is not.
	constantDefault = regexp.MustCompile(`DEFAULT (?:'[^']*'|-?[0-9]+|true|false|TRUE|FALSE|NULL)(?:::[a-z]+)?(?:,| |$)`)
)

// Statements returns what a file of a step for PostgreSQL consists of, with the locks that PostgreSQL's documentation gives for each
// (13.3, CREATE INDEX, ALTER TABLE, CREATE TRIGGER). What is not known here is taken for the strongest.
func Statements(file string) []Statement {
	var list []Statement
	for _, s := range split(file) {
		switch m := (match{s.SQL}); {
		case m.of(createTable) != nil:
			s.Makes = m.of(createTable)[1]
			if p := m.of(partitionOf); p != nil {
				s.add(p[1], accessExclusive, Moment)
			}
			for _, r := range references.FindAllStringSubmatch(s.SQL, -1) {
				if r[1] != s.Makes {
					s.add(r[1], shareRowExclusive, Moment)
				}
			}
		case m.of(createIndex) != nil:
			i := m.of(createIndex)
			s.Makes = i[2]
			if i[1] != "" {
				s.add(i[3], shareUpdateExclusive, Scan)
			} else {
				s.add(i[3], share, Scan)
			}
		case m.of(dropIndex) != nil:
			i := m.of(dropIndex)
			mode := accessExclusive
			if i[1] != "" {
				mode = shareUpdateExclusive
			}
			s.Removes = true
			s.Locks = []Locking{{Index: i[2], Mode: mode, Waits: waits[mode], Length: Moment}}
		case m.of(renameIndex) != nil: // nobody names one
			s.Locks = []Locking{{Index: m.of(renameIndex)[1], Mode: shareUpdateExclusive, Waits: Nobody, Length: Moment}}
		case m.of(dropTable) != nil:
			s.Removes = true
			s.add(m.of(dropTable)[1], accessExclusive, Moment)
		case m.of(alterTable) != nil:
			s.alter(m.of(alterTable)[1], m.of(alterTable)[2])
		case m.of(trigger) != nil:
			mode := shareRowExclusive
			if m.of(trigger)[1] == "DROP" {
				mode = accessExclusive
			}
			s.add(m.of(trigger)[2], mode, Moment)
		case m.of(writeRows) != nil:
			s.add(m.of(writeRows)[1], rowExclusive, Rows)
		case m.of(lockTable) != nil:
			mode := m.of(lockTable)[2]
			if waits[mode] == "" {
				mode = accessExclusive
			}
			s.add(m.of(lockTable)[1], mode, Unknown)
		case m.of(lockless) != nil:
		default:
			s.add("", accessExclusive, Unknown)
		}
		list = append(list, s)
	}
	return list
}

type match struct{ sql string }

func (m match) of(pattern *regexp.Regexp) []string { return pattern.FindStringSubmatch(m.sql) }

func (s *Statement) add(table, mode string, length Length) {
	s.Locks = append(s.Locks, Locking{Table: table, Mode: mode, Waits: waits[mode], Length: length})
}

// alter adds the lock of the strongest action of an ALTER TABLE, and what takes longest of them.
func (s *Statement) alter(table, actions string) {
	mode, length := "", Moment
	for _, a := range splitActions(actions) {
		m, l := alteration(a)
		if mode == "" || strength(m) > strength(mode) {
			mode = m
		}
		if slices.Index(lengths, l) > slices.Index(lengths, length) {
			length = l
		}
		if p := (match{a}).of(attached); p != nil {
			s.add(p[1], accessExclusive, Moment)
		}
		if r := references.FindStringSubmatch(a); r != nil && r[1] != table {
			s.add(r[1], shareRowExclusive, Moment)
		}
		s.Removes = s.Removes || strings.HasPrefix(a, "DROP COLUMN") || strings.HasPrefix(a, "RENAME") || strings.HasPrefix(a, "DROP CONSTRAINT")
	}
	s.add(table, mode, length)
}

var lengths = []Length{Moment, Rows, Scan, Rewrite, Unknown}

func strength(mode string) int {
	return slices.Index([]string{rowExclusive, shareUpdateExclusive, share, shareRowExclusive, accessExclusive}, mode)
}

// alteration is what one action of an ALTER TABLE takes.
func alteration(a string) (mode string, length Length) {
	begins := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(a, w) })
	}
	isUnchecked := strings.HasSuffix(a, "NOT VALID")
	switch {
	case begins("VALIDATE CONSTRAINT"):
		return shareUpdateExclusive, Scan
	case begins("ATTACH PARTITION", "SET (", "RESET ("), begins("ALTER COLUMN") && strings.Contains(a, "SET STATISTICS"):
		return shareUpdateExclusive, Moment
	case begins("DETACH PARTITION") && strings.HasSuffix(a, "CONCURRENTLY"):
		return shareUpdateExclusive, Moment
	case begins("ENABLE TRIGGER", "DISABLE TRIGGER"):
		return shareRowExclusive, Moment
	case begins("ADD COLUMN"):
		switch {
		case strings.Contains(a, "GENERATED"), strings.Contains(a, "DEFAULT") && !constantDefault.MatchString(a):
			return accessExclusive, Rewrite
		case strings.Contains(a, "CHECK"), strings.Contains(a, "REFERENCES"), strings.Contains(a, "UNIQUE"), strings.Contains(a, "PRIMARY KEY"):
			return accessExclusive, Scan
		}
		return accessExclusive, Moment
	case begins("ADD") && strings.Contains(a, "FOREIGN KEY"):
		if isUnchecked {
			return shareRowExclusive, Moment
		}
		return shareRowExclusive, Scan
	case begins("ADD"):
		if isUnchecked || strings.Contains(a, " USING INDEX ") {
			return accessExclusive, Moment
		}
		return accessExclusive, Scan
	case begins("ALTER"):
		switch {
		case strings.Contains(a, "SET NOT NULL"):
			return accessExclusive, Scan
		case strings.Contains(a, " DEFAULT"), strings.Contains(a, "DROP NOT NULL"):
			return accessExclusive, Moment
		}
		return accessExclusive, Rewrite // another type
	case begins("DROP", "RENAME", "DETACH PARTITION"):
		return accessExclusive, Moment
	default:
		return accessExclusive, Rewrite
	}
}

// splitActions parts the actions of an ALTER TABLE at commas outside of brackets and texts.
func splitActions(text string) (actions []string) {
	depth, isText, from := 0, false, 0
	for i, c := range text {
		switch {
		case c == '\'':
			isText = !isText
		case isText:
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			actions = append(actions, strings.TrimSpace(text[from:i]))
			from = i + 1
		}
	}
	return append(actions, strings.TrimSpace(text[from:]))
}

// split parts a file at the semicolons outside of texts, bodies of functions and comments.
func split(file string) (list []Statement) {
	var sql, notes strings.Builder
	finish := func() {
		if text := strings.Join(strings.Fields(sql.String()), " "); text != "" {
			list = append(list, Statement{SQL: text, Notes: notes.String()})
			notes.Reset()
		}
		sql.Reset()
	}
	for file != "" {
		n := 1
		switch {
		case strings.HasPrefix(file, "--"):
			n = lengthUntil(file, "\n")
			notes.WriteString(strings.TrimSpace(strings.TrimLeft(file[:n], "-")) + "\n")
		case file[0] == ';':
			finish()
		case file[0] == '\'':
			n = 1 + lengthUntil(file[1:], "'")
			sql.WriteString(file[:n])
		case file[0] == '$':
			if tag := dollar.FindString(file); tag != "" {
				n = len(tag) + lengthUntil(file[len(tag):], tag)
			}
			sql.WriteString(file[:n])
		default:
			sql.WriteByte(file[0])
		}
		file = file[n:]
	}
	finish()
	return list
}

var dollar = regexp.MustCompile(`^\$[a-z_]*\$`)

// lengthUntil is the length of what comes before the end of the first occurrence of a mark.
func lengthUntil(text, mark string) int {
	if before, _, found := strings.Cut(text, mark); found {
		return len(before) + len(mark)
	}
	return len(text)
}
