package harness

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// OpenDatabase is a way to the installation's database around Vezne.
func (in *Installation) OpenDatabase() *sql.DB {
	in.T.Helper()
	if url := in.Setting("DATABASE_URL"); url != "" {
		db := OpenSQL(url)
		in.T.Cleanup(func() { _ = db.Close() })
		return db
	}
	db, err := sql.Open("sqlite", filepath.Join(in.Dir, "vezne.db")+"?_pragma=busy_timeout(5000)")
	if err != nil {
		in.T.Fatal(err)
	}
	in.T.Cleanup(func() { _ = db.Close() })
	return db
}

// Dump is all that the database holds: the files of SQLite, or the rows of every table of PostgreSQL as text.
func (in *Installation) Dump() []byte {
	in.T.Helper()
	if in.Setting("DATABASE_URL") == "" {
		var dump []byte
		for _, name := range []string{"vezne.db", "vezne.db-wal"} {
			content, err := os.ReadFile(filepath.Join(in.Dir, name))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				in.T.Fatal(err)
			}
			dump = append(dump, content...)
		}
		return dump
	}
	db := in.OpenDatabase()
	var dump []byte
	for _, table := range in.Texts(db, "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()") {
		for _, row := range in.Texts(db, "SELECT t::text FROM "+table+" AS t") {
			dump = append(append(dump, row...), '\n')
		}
	}
	return dump
}

// Texts are what a query for one column returns.
func (in *Installation) Texts(db *sql.DB, query string) (list []string) {
	in.T.Helper()
	rows, err := db.QueryContext(in.T.Context(), query)
	if err != nil {
		in.T.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			in.T.Fatal(err)
		}
		list = append(list, text)
	}
	if err := rows.Err(); err != nil {
		in.T.Fatal(err)
	}
	return list
}

// Tamper executes statements on the database, behind the back of Vezne.
func (in *Installation) Tamper(statements ...string) error {
	db := in.OpenDatabase()
	for _, statement := range statements {
		if _, err := db.ExecContext(in.T.Context(), statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}
