package migrations_test

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/migrations"
)

// TestLocksAreThoseOfTheDocumentation of PostgreSQL: 13.3.2 and the pages of the statements.
func TestLocksAreThoseOfTheDocumentation(t *testing.T) {
	t.Parallel()
	const (
		exclusive = "ACCESS EXCLUSIVE, reads and writes wait, "
		rows      = "SHARE ROW EXCLUSIVE, writes wait, "
		beside    = "SHARE UPDATE EXCLUSIVE, nobody waits, "
	)
	for sql, want := range map[string]string{
		"CREATE TABLE a (id text)":                                       "",
		"CREATE TABLE a (id text REFERENCES b)":                          "b: " + rows + "for a moment",
		"CREATE TABLE a_1 PARTITION OF a FOR VALUES FROM ('x') TO ('y')": "a: " + exclusive + "for a moment",
		"CREATE INDEX i ON a (id)":                                       "a: SHARE, writes wait, while the whole table is read",
		"CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS i ON a (id)":     "a: " + beside + "while the whole table is read",
		"DROP INDEX i":                                                                          "of i: " + exclusive + "for a moment",
		"DROP INDEX CONCURRENTLY IF EXISTS i":                                                   "of i: " + beside + "for a moment",
		"ALTER INDEX i RENAME TO j":                                                             "of i: " + beside + "for a moment",
		"ALTER TABLE a ADD COLUMN b text NOT NULL DEFAULT ''":                                   "a: " + exclusive + "for a moment",
		"ALTER TABLE a ADD COLUMN b timestamptz DEFAULT clock_timestamp()":                      "a: " + exclusive + "while the whole table is written anew",
		"ALTER TABLE a ALTER COLUMN b TYPE bigint":                                              "a: " + exclusive + "while the whole table is written anew",
		"ALTER TABLE a ALTER COLUMN b SET NOT NULL":                                             "a: " + exclusive + "while the whole table is read",
		"ALTER TABLE a ADD CONSTRAINT c CHECK (b IN ('x', 'y'))":                                "a: " + exclusive + "while the whole table is read",
		"ALTER TABLE a ADD CONSTRAINT c CHECK (b > 0) NOT VALID":                                "a: " + exclusive + "for a moment",
		"ALTER TABLE a VALIDATE CONSTRAINT c":                                                   "a: " + beside + "while the whole table is read",
		"ALTER TABLE a ADD FOREIGN KEY (b) REFERENCES c NOT VALID":                              "c: " + rows + "for a moment; a: " + rows + "for a moment",
		"ALTER TABLE a SET (fillfactor = 70)":                                                   "a: " + beside + "for a moment",
		"ALTER TABLE a DROP COLUMN b, VALIDATE CONSTRAINT c":                                    "a: " + exclusive + "while the whole table is read",
		"ALTER TABLE a ATTACH PARTITION b FOR VALUES FROM ('x') TO ('y')":                       "b: " + exclusive + "for a moment; a: " + beside + "for a moment",
		"CREATE TRIGGER t AFTER INSERT ON a FOR EACH ROW EXECUTE FUNCTION f()":                  "a: " + rows + "for a moment",
		"UPDATE a SET b = ';' WHERE c":                                                          "a: ROW EXCLUSIVE, writes of the same rows wait, while its rows are written",
		"CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DROP TABLE a; END $$": "",
		"DO $$ BEGIN DROP TABLE a; END $$":                                                      "?: " + exclusive + "for a time that only its own text says",
		"VACUUM a":                                                                              "?: " + exclusive + "for a time that only its own text says",
	} {
		statements := migrations.Statements("-- why\n" + sql + "; -- why\n")
		if len(statements) != 1 || statements[0].SQL != sql {
			t.Errorf("%s is taken for %+v", sql, statements)
			continue
		}
		var got []string
		for _, l := range statements[0].Locks {
			got = append(got, fmt.Sprintf("%s: %s, %s, %s", tableOf(l), l.Mode, l.Waits, l.Length))
		}
		if text := strings.Join(got, "; "); text != want {
			t.Errorf("%s\n got %s\nwant %s", sql, text, want)
		}
	}
}

func tableOf(l migrations.Locking) string {
	switch {
	case l.Table != "":
		return l.Table
	case l.Index != "":
		return "of " + l.Index
	default:
		return "?"
	}
}

// firstHeld is the first step that is held to what follows. Those before it were made for databases without traffic.
const firstHeld = "20261128000300"

// TestStepsHoldNobodyUp: a step runs while the version before it serves. What keeps others out does so for a moment, after which the
// migrator's lock_timeout lets them pass, or says by a comment "locks: …" why it may; and what that version uses is taken away by a later
// release, which says "contract: …".
func TestStepsHoldNobodyUp(t *testing.T) {
	t.Parallel()
	files, err := migrations.For(migrations.Postgres)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names(t, migrations.Postgres) {
		if !strings.HasSuffix(name, ".up.sql") || name < firstHeld {
			continue
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, problem := range problemsOf(string(text)) {
			t.Errorf("%s: %s", name, problem)
		}
	}
}

// TestStepsThatHoldOthersUpAreRefused, in each of the ways in which one could.
func TestStepsThatHoldOthersUpAreRefused(t *testing.T) {
	t.Parallel()
	for step, problems := range map[string]int{
		"CREATE INDEX i ON payments (id)":                                                             1,
		"CREATE INDEX CONCURRENTLY IF NOT EXISTS i ON payments (id)":                                  0,
		"CREATE INDEX CONCURRENTLY i ON payments (id)":                                                1,
		"CREATE INDEX CONCURRENTLY IF NOT EXISTS i ON payments (id); ALTER TABLE a ADD COLUMN b text": 1,
		"CREATE TABLE a (id text); CREATE INDEX i ON a (id)":                                          0,
		"ALTER TABLE payments ALTER COLUMN status SET NOT NULL":                                       1,
		"-- locks: the table has ten rows\nALTER TABLE payments ALTER COLUMN status SET NOT NULL":     0,
		"-- locks:\nALTER TABLE payments ALTER COLUMN status SET NOT NULL":                            1,
		"ALTER TABLE payments ADD COLUMN b text NOT NULL DEFAULT ''":                                  0,
		"ALTER TABLE payments DROP COLUMN b":                                                          1,
		"-- contract: since 1.4 nothing reads it\nALTER TABLE payments DROP COLUMN b":                 0,
		"ALTER TABLE payments RENAME COLUMN b TO c":                                                   1,
		"DROP TABLE moves":                 1,
		"UPDATE payments SET status = 'x'": 1,
		"DO $$BEGIN END$$":                 1,
		"ALTER TABLE payments ADD CONSTRAINT c CHECK (true) NOT VALID; ALTER TABLE payments VALIDATE CONSTRAINT c": 1, // the first one's lock lasts
	} {
		if got := problemsOf(step); len(got) != problems {
			t.Errorf("%s: %v", step, got)
		}
	}
}

// problemsOf lists what is wrong with a step for PostgreSQL.
func problemsOf(file string) (problems []string) {
	statements := migrations.Statements(file)
	isConcurrent := slices.ContainsFunc(statements, migrations.Statement.IsConcurrent)
	var made []string
	held := false // a lock that keeps others out stays until the step ends
	for _, s := range statements {
		made = append(made, s.Makes)
		if isConcurrent && !s.IsConcurrent() {
			problems = append(problems, "beside an index that is made concurrently, which is outside of a transaction, there is "+s.SQL)
		}
		if s.IsConcurrent() && !strings.Contains(s.SQL, " IF ") {
			problems = append(problems, "it is run again when it was broken off, and needs IF NOT EXISTS or IF EXISTS: "+s.SQL)
		}
		if s.Removes && !says(s, "contract:") {
			problems = append(problems, "the version before may use what this takes away (say since when not, by \"contract: …\"): "+s.SQL)
		}
		for _, l := range s.Locks {
			if slices.Contains(made, l.Table) && l.Table != "" {
				continue
			}
			isLong := l.Length != migrations.Moment
			if (l.Waits != migrations.Nobody && isLong || held && isLong) && !says(s, "locks:") {
				problems = append(problems, fmt.Sprintf("%s: %s %s (say why that may be, by \"locks: …\"): %s", tableOf(l), l.Waits, l.Length, s.SQL))
			}
			held = held || l.Waits != migrations.Nobody
		}
	}
	return problems
}

// says reports whether the notes of a statement have a mark with a reason behind it.
func says(s migrations.Statement, mark string) bool {
	for line := range strings.Lines(s.Notes) {
		if reason, found := strings.CutPrefix(strings.TrimSpace(line), mark); found && strings.TrimSpace(reason) != "" {
			return true
		}
	}
	return false
}
