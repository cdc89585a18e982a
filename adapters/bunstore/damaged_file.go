package bunstore

import (
	"errors"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// IsDamaged reports whether an error says that SQLite's file is damaged, cut short, or no database at all.
func IsDamaged(err error) bool {
	var fromSQLite *sqlite.Error
	if !errors.As(err, &fromSQLite) {
		return false
	}
	code := fromSQLite.Code() & 0xff // the extended codes' first byte is the primary one
	return code == sqlite3.SQLITE_CORRUPT || code == sqlite3.SQLITE_NOTADB
}
