package harness

import (
	"database/sql"
	"fmt"
	"path/filepath"
)

// OpenDatabase is a way to the installation's database around Vezne.
func (in *Installation) OpenDatabase() *sql.DB {
	in.T.Helper()
	if url := in.Setting("DATABASE_URL"); url != "" {
		db := openSQL(url)
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
