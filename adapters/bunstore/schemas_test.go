package bunstore_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/uptrace/bun/driver/pgdriver"

	"github.com/vezne/vezne/adapters/bunstore"
)

// schemas are those with all tables that tests of this process hand on to each other: making the tables takes longer than
// most tests, and emptying them next to nothing.
var schemas pool

// TestMain takes the schemas away in the end.
func TestMain(m *testing.M) {
	code := m.Run()
	if err := schemas.drop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// migratedFile is a SQLite file that is empty but for its tables.
var migratedFile = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "vezne-migrated")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	cfg := bunstore.Config{Path: filepath.Join(dir, "vezne.db")}
	if _, err := bunstore.MigrateUp(context.Background(), cfg); err != nil {
		return nil, err
	}
	return os.ReadFile(cfg.Path) // whoever closes the last connection leaves no log beside it
})

// schema is one of PostgreSQL, called as its sessions are. What the migrations have written into the tables is kept beside
// it, to be written again.
type schema struct {
	name  string
	shape string // of its tables after they were made
}

// admin makes schemas and takes them away. Its sessions stay: a new one learns anew what there is.
var admin = sync.OnceValue(func() *sql.DB {
	return sql.OpenDB(pgdriver.NewConnector(pgdriver.WithDSN(os.Getenv("VEZNE_TEST_DATABASE_URL"))))
})

func newSchema(t testing.TB) *schema {
	t.Helper()
	if os.Getenv("VEZNE_TEST_DATABASE_URL") == "" {
		t.Fatal("VEZNE_TEST_DATABASE_URL is not set: run the tests through cmd/testenv")
	}
	s := &schema{name: "t_" + strings.ToLower(rand.Text())}
	execute(t, admin(), "CREATE SCHEMA "+s.name)
	return s
}

func (s *schema) config(t testing.TB) bunstore.Config {
	t.Helper()
	u, err := url.Parse(os.Getenv("VEZNE_TEST_DATABASE_URL"))
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	query.Set("search_path", s.name)
	query.Set("application_name", s.name)
	u.RawQuery = query.Encode()
	return bunstore.Config{DatabaseURL: u.String(), Sealer: newSealer(t)}
}

func (s *schema) drop() error {
	return s.execute("DROP SCHEMA %s CASCADE; DROP SCHEMA IF EXISTS %[1]s_seed CASCADE")
}

// seed keeps what the migrations have written.
const seed = `CREATE SCHEMA %[1]s_seed; DO $$ DECLARE t text; found boolean; BEGIN
	FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = '%[1]s' AND tablename <> 'vezne_migrations' LOOP
		EXECUTE format('SELECT EXISTS (SELECT 1 FROM %[1]s.%%I)', t) INTO found;
		IF found THEN EXECUTE format('CREATE TABLE %[1]s_seed.%%I AS SELECT * FROM %[1]s.%%I', t, t); END IF;
	END LOOP;
END $$`

// later gives each table a column of the release after this one, which may come while this one serves.
const later = `DO $$ DECLARE t regclass; BEGIN
	FOR t IN SELECT oid FROM pg_class WHERE relnamespace = '%[1]s'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition LOOP
		EXECUTE format('ALTER TABLE %%s ADD COLUMN of_a_later_release boolean', t);
	END LOOP;
END $$`

// empty ends whoever is still there, such as a statement whose caller has gone, and takes away what was written. Triggers
// that keep a table from being emptied are passed over. Making a table's files anew, and those of its indexes, takes far
// longer than deleting a few rows, and a table whose file is empty has none. The server itself would look only ten times a second
// whether somebody has ended.
const empty = `DO $$ DECLARE t text; n integer; BEGIN
	PERFORM pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name IN ('%[1]s', 'vezne %[1]s');
	FOR i IN 1..60000 LOOP
		EXIT WHEN NOT EXISTS (SELECT FROM pg_stat_activity WHERE application_name IN ('%[1]s', 'vezne %[1]s'));
		PERFORM pg_sleep(0.001), pg_stat_clear_snapshot();
	END LOOP;
	PERFORM set_config('session_replication_role', 'replica', true);
	FOR t IN SELECT relname FROM pg_class WHERE relnamespace = '%[1]s'::regnamespace AND relkind = 'r' AND relname <> 'vezne_migrations'
			AND pg_relation_size(oid) > 0 LOOP
		EXECUTE format('SELECT count(*) FROM (SELECT FROM %[1]s.%%I LIMIT 100) AS few', t) INTO n;
		IF n = 100 THEN EXECUTE format('TRUNCATE %[1]s.%%I', t);
		ELSIF n > 0 THEN EXECUTE format('DELETE FROM %[1]s.%%I', t); END IF;
	END LOOP;
	FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = '%[1]s_seed' LOOP
		EXECUTE format('INSERT INTO %[1]s.%%I SELECT * FROM %[1]s_seed.%%I', t, t);
	END LOOP;
END $$`

// shapeOf is what there is in a schema: tables, indexes, columns, checks, triggers and functions.
const shapeOf = `SELECT coalesce(md5(string_agg(line, ',' ORDER BY line)), '') FROM (
	SELECT relname || relkind::text FROM pg_class WHERE relnamespace = '%[1]s'::regnamespace AND relkind <> 't'
	UNION ALL SELECT attrelid::regclass::text || attname || atttypid || attnotnull::text FROM pg_attribute JOIN pg_class ON attrelid = pg_class.oid
		WHERE relnamespace = '%[1]s'::regnamespace AND attnum > 0
	UNION ALL SELECT conname || pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = '%[1]s'::regnamespace
	UNION ALL SELECT tgname || tgenabled::text FROM pg_trigger JOIN pg_class ON tgrelid = pg_class.oid WHERE relnamespace = '%[1]s'::regnamespace
	UNION ALL SELECT proname || md5(prosrc) FROM pg_proc WHERE pronamespace = '%[1]s'::regnamespace
) AS lines (line)`

func (s *schema) execute(format string) error {
	_, err := admin().ExecContext(context.Background(), fmt.Sprintf(format, s.name))
	return err
}

func (s *schema) readShape() (shape string, err error) {
	err = admin().QueryRowContext(context.Background(), fmt.Sprintf(shapeOf, s.name)).Scan(&shape)
	return shape, err
}

// pool is the schemas that nobody has.
type pool struct {
	mu   sync.Mutex
	free []*schema
}

// lend returns a test a schema until it ends.
func (p *pool) lend(t testing.TB) bunstore.Config {
	t.Helper()
	s := p.take()
	if s == nil {
		s = newMigratedSchema(t)
	}
	t.Cleanup(func() {
		if err := p.giveBack(s); err != nil {
			t.Error(err)
		}
	})
	return s.config(t)
}

func newMigratedSchema(t testing.TB) *schema {
	t.Helper()
	s := newSchema(t)
	_, err := bunstore.MigrateUp(t.Context(), s.config(t))
	if err == nil {
		err = s.execute(later)
	}
	if err == nil {
		err = s.execute(seed)
	}
	if err == nil {
		s.shape, err = s.readShape()
	}
	if err != nil {
		t.Fatal(errors.Join(err, s.drop()))
	}
	return s
}

func (p *pool) take() *schema {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.free) == 0 {
		return nil
	}
	s := p.free[len(p.free)-1]
	p.free = p.free[:len(p.free)-1]
	return s
}

// giveBack empties a schema for the next test. One whose tables a test has changed is taken away.
func (p *pool) giveBack(s *schema) error {
	if err := s.execute(empty); err != nil {
		return errors.Join(err, s.drop())
	}
	if shape, err := s.readShape(); err != nil || shape != s.shape {
		return errors.Join(err, s.drop())
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, s)
	return nil
}

func (p *pool) drop() (err error) {
	for s := p.take(); s != nil; s = p.take() {
		err = errors.Join(err, s.drop())
	}
	return err
}
