package main

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/uptrace/bun/driver/pgdriver"
)

// walSegments is how many write-ahead log files are made before measuring, 16 MB each.
const walSegments = 60

// warm brings a fresh PostgreSQL into the state of one that has run for a while: it has write-ahead log files to reuse.
// A fresh one makes each of them first, and every commit waits for that.
func warm(ctx context.Context, databaseURL string) error {
	db := sql.OpenDB(pgdriver.NewConnector(pgdriver.WithDSN(databaseURL)))
	defer func() { _ = db.Close() }() // nothing is left to be written
	for range walSegments {
		if _, err := db.ExecContext(ctx, "SELECT pg_logical_emit_message(true, 'bench', 'warm')"); err != nil {
			return fmt.Errorf("warming PostgreSQL up: %w", err)
		}
		if _, err := db.ExecContext(ctx, "SELECT pg_switch_wal()"); err != nil {
			return fmt.Errorf("warming PostgreSQL up: %w", err)
		}
	}
	_, err := db.ExecContext(ctx, "CHECKPOINT")
	return err
}
