// Package migrations holds the database's schema as numbered steps, once for PostgreSQL and once for SQLite, under the
// same file names. Each step has a way up and a way down.
package migrations

import (
	"embed"
	"fmt"
	"io/fs"
)

//go:embed postgres/*.sql sqlite/*.sql
var files embed.FS

// Dialects that have migrations.
const (
	Postgres = "postgres"
	SQLite   = "sqlite"
)

// For returns the migration files of one dialect.
func For(dialect string) (fs.FS, error) {
	if dialect != Postgres && dialect != SQLite {
		return nil, fmt.Errorf("no migrations for %q", dialect)
	}
	return fs.Sub(files, dialect)
}
