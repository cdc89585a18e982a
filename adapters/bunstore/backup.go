package bunstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"

	"github.com/vezne/vezne/core/fault"
)

// Backup writes a SQLite file as it is at this moment to another, which is empty. It may be in use: whoever reads and writes goes on.
// The copy is checked as CheckFile does. Faults: Invalid (it is not SQLite), Unavailable, Internal.
func Backup(ctx context.Context, cfg Config, to string) error {
	const op = "bunstore.Backup"
	if cfg.Path == "" {
		return fault.E(op, fault.Invalid, errors.New("the database is not a file"))
	}
	connector, err := sqliteConnector(cfg)
	if err != nil {
		return fail(op, err)
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(1)
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", to)
	if err = errors.Join(err, db.Close()); err != nil {
		return fail(op, err)
	}
	return fault.E(op, "", CheckFile(ctx, to))
}

// CheckFile reads a whole SQLite file that nobody has open, and reports what is wrong with it. It writes nothing. Fault: Invalid.
func CheckFile(ctx context.Context, path string) error {
	const op = "bunstore.CheckFile"
	absolute, err := filepath.Abs(path)
	if err != nil {
		return fault.E(op, fault.Invalid, err)
	}
	file := url.URL{Scheme: "file", OmitHost: true, Path: absolute, RawQuery: url.Values{"mode": {"ro"}, "immutable": {"1"}}.Encode()}
	db, err := sql.Open("sqlite", file.String())
	if err != nil {
		return fault.E(op, fault.Invalid, err)
	}
	var said string
	err = db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&said)
	if err == nil && said != "ok" {
		err = errors.New(said)
	}
	var migrations int
	if err == nil {
		err = db.QueryRowContext(ctx, sqliteFile{}.findTable(), migrationsTable).Scan(&migrations)
	}
	if err == nil && migrations == 0 {
		err = errors.New("it is no database of Vezne")
	}
	if err = errors.Join(err, db.Close()); err != nil {
		return fault.E(op, fault.Invalid, fmt.Errorf("%s: %w", path, err))
	}
	return nil
}
