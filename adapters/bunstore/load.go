package bunstore

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"math"
	"reflect"
	"strings"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/driver/pgdriver"

	"github.com/vezne/vezne/core"
)

// Load writes new rows by the million: all of the changesets, or nothing of them, in one transaction. It checks none of
// what Commit checks but what is unique. Faults: Conflict, Unavailable. While it runs on PostgreSQL, which takes its
// secondary indexes down and builds them anew, nobody else can read the tables that are written.
func Load(ctx context.Context, cfg Config, changes iter.Seq2[core.Changeset, error]) error {
	const op = "bunstore.Load"
	d, err := dialectOf(cfg)
	if err != nil {
		return fail(op, err)
	}
	db, err := d.openForMigration(cfg)
	if err != nil {
		return fail(op, err)
	}
	defer func() { _ = db.Close() }() // without a COMMIT this rolls back
	w := &loading{db: db, cfg: cfg, plan: newPlan(db, d), isCopy: d.migrations() == (postgres{}).migrations(), keyCache: newKeyCache(cfg.Sealer)}
	if err := w.all(ctx, d, changes); err != nil {
		return fail(op, err)
	}
	return nil
}

// loading is one Load.
type loading struct {
	db       *bun.DB
	cfg      Config
	plan     *plan
	isCopy   bool // by COPY, not by INSERT
	keyCache *keyCache
}

// loadTriggers look at other rows for each row, which takes for ever without indexes, and write down what statistics have to count: what
// is loaded is checked by nobody, and its caller has statistics counted anew.
const loadTriggers = "ALTER TABLE payments %[1]s TRIGGER USER; ALTER TABLE credits %[1]s TRIGGER USER; ALTER TABLE callbacks %[1]s TRIGGER USER"

// loadTables are what payments, the bulk of a database, are written to.
const loadTables = "'payments', 'payment_terms', 'moves', 'callbacks', 'attempts', 'operations', 'gateway_calls', 'credits'"

func (w *loading) all(ctx context.Context, d dialect, changes iter.Seq2[core.Changeset, error]) error {
	if err := beginAlone(ctx, w.db, d); err != nil {
		return err
	}
	if err := w.knowWords(ctx); err != nil {
		return err
	}
	var indexes []string
	if w.isCopy {
		if _, err := w.db.ExecContext(ctx, fmt.Sprintf(loadTriggers, "DISABLE")); err != nil {
			return err
		}
		var err error
		if indexes, err = w.takeIndexes(ctx); err != nil {
			return err
		}
	}
	if err := w.write(ctx, changes); err != nil {
		return err
	}
	for _, index := range indexes {
		if _, err := w.db.ExecContext(ctx, index); err != nil {
			return err
		}
	}
	if w.isCopy {
		if _, err := w.db.ExecContext(ctx, fmt.Sprintf(loadTriggers, "ENABLE")); err != nil {
			return err
		}
	}
	if _, err := w.db.ExecContext(ctx, "COMMIT"); err != nil || !w.isCopy {
		return err
	}
	_, err := w.db.ExecContext(ctx, "VACUUM (ANALYZE) "+strings.ReplaceAll(loadTables, "'", ""))
	return err
}

// knowWords remembers all of the vocabulary of names: COPY cannot pass over a word that is there.
func (w *loading) knowWords(ctx context.Context) error {
	w.keyCache.words.max = math.MaxInt
	var words []string
	err := w.db.NewSelect().Model((*nameWordRow)(nil)).Column("word").Scan(ctx, &words)
	for _, word := range words {
		w.keyCache.words.put(word, struct{}{})
	}
	return err
}

// takeIndexes drops the indexes and keys of the tables, and returns the statements that make them anew.
func (w *loading) takeIndexes(ctx context.Context) ([]string, error) {
	var rows []struct{ Make, Drop string }
	err := w.db.NewRaw(`SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) AS make,
		format('ALTER TABLE %s DROP CONSTRAINT %I', c.conrelid::regclass, c.conname) AS drop
	FROM pg_constraint AS c JOIN pg_class AS t ON t.oid = c.conrelid
	WHERE c.contype = 'p' AND t.relnamespace = current_schema()::regnamespace AND t.relname IN (`+loadTables+`)
	UNION ALL
	SELECT replace(i.indexdef, ' ON ONLY ', ' ON '), format('DROP INDEX %I', i.indexname) FROM pg_indexes AS i
	WHERE i.schemaname = current_schema() AND i.tablename IN (`+loadTables+`)
		AND NOT EXISTS (SELECT 1 FROM pg_constraint AS c WHERE c.conname = i.indexname)`).Scan(ctx, &rows)
	if err != nil {
		return nil, err
	}
	statements := []string{"SET LOCAL maintenance_work_mem = '512MB'"}
	for _, r := range rows {
		if _, err := w.db.ExecContext(ctx, r.Drop); err != nil {
			return nil, err
		}
		statements = append(statements, r.Make)
	}
	return statements, nil
}

// write encodes a changeset while the one before is being written.
func (w *loading) write(ctx context.Context, changes iter.Seq2[core.Changeset, error]) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ready, done := make(chan *encoded, 1), make(chan error, 1)
	go func() { done <- w.flushAll(ctx, cancel, ready) }()
	err := w.encodeAll(ctx, changes, ready)
	close(ready)
	if failed := <-done; failed != nil {
		return failed
	}
	return err
}

func (w *loading) encodeAll(ctx context.Context, changes iter.Seq2[core.Changeset, error], ready chan<- *encoded) error {
	for change, err := range changes {
		if err != nil {
			return err
		}
		keys, err := w.keyCache.keysFor(ctx, w.db.NewSelect, w.db, change)
		if err != nil {
			return err
		}
		e := &encoder{plan: w.plan, gen: w.db.QueryGen(), sealer: w.cfg.Sealer, keysIn: keys, isCopy: w.isCopy}
		if err := e.all(change); err != nil {
			return err
		}
		w.keyCache.keep(keys) // it is flushed before what comes after it
		select {
		case ready <- &e.encoded:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

func (w *loading) flushAll(ctx context.Context, cancel context.CancelCauseFunc, ready <-chan *encoded) error {
	for e := range ready {
		if err := w.flush(ctx, e); err != nil {
			cancel(err)
			return err
		}
	}
	return nil
}

func (w *loading) flush(ctx context.Context, e *encoded) error {
	for _, t := range e.tuples {
		if !w.isCopy {
			var text strings.Builder
			statement{template: &w.plan.templates[t.at], tuples: []tuples{t}}.write(&text)
			if _, err := w.db.DB.ExecContext(ctx, text.String()); err != nil {
				return err
			}
			continue
		}
		conn, err := w.db.Conn(ctx)
		if err != nil {
			return err
		}
		_, err = pgdriver.CopyFrom(ctx, conn, bytes.NewReader(t.sql), w.copyInto(t.at))
		_ = conn.Close() // gives it back
		if err != nil {
			return err
		}
	}
	return nil
}

// copyInto reads rows as bun writes SQL: commas between literals, in which quotes are doubled, are CSV.
func (w *loading) copyInto(i int) string {
	head := w.plan.templates[i].head // INSERT INTO table (columns)
	return "COPY " + strings.TrimPrefix(head, "INSERT INTO ") +
		"FROM STDIN WITH (FORMAT csv, QUOTE '''', NULL 'NULL')"
}

// copyRow appends a row as COPY reads it.
func (e *encoder) copyRow(at int, row reflect.Value) {
	t := e.of(at)
	t.rows++
	for i, f := range e.plan.templates[at].fields {
		if i > 0 {
			t.sql = append(t.sql, ',')
		}
		t.sql = f.AppendValue(e.gen, t.sql, row)
	}
	t.sql = append(t.sql, '\n')
}
