package bunstore

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"net"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/uptrace/bun"
	bundialect "github.com/uptrace/bun/dialect"
	"github.com/uptrace/bun/dialect/pgdialect"
	"github.com/uptrace/bun/driver/pgdriver"
	"github.com/uptrace/bun/schema"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/migrations"
)

// dialect is everything that differs between PostgreSQL and SQLite.
type dialect interface {
	// migrations names the folder of the schema.
	migrations() string
	// open makes the pools. Nothing is dialled yet.
	open(cfg Config) (pools, error)
	// run executes a batch's statements as one transaction.
	run(ctx context.Context, db *bun.DB, batch []statement) error
	// typedNulls begins a VALUES list whose literals would otherwise have no types: a row that matches nothing.
	typedNulls(fields []*schema.Field) string
	// unindexed is a column in a condition that is not to be looked up in an index.
	unindexed(column string) string
	// byIndex follows the name of a table that is to be read by an index.
	byIndex(name string) string
	// paymentOf is the payment of an ID as something to join, which is looked up ID by ID and in their order.
	paymentOf(id string) string
	// ofEach writes what part finds for each row of values. Part names the values of its row: {column}.
	ofEach(q *query, part string, columns []string, rows [][]any)
	// rowID names where a row lies.
	rowID() string
	// joined is the texts of a group, behind a space each.
	joined(column string) string
	// empty takes all rows of a table away, however many there are.
	empty(table string) string
	// lockClaimed ends the query for rows to be claimed, so that two workers never wait for each other.
	lockClaimed() string
	// lock ends a query for rows to be held until the end of the transaction.
	lock() string
	// lockOpen holds customers and sites of open deposits, which are called d, until the end of the transaction.
	lockOpen() string
	// openForMigration returns the one connection of a migration; when it breaks, the migration fails.
	openForMigration(cfg Config) (*bun.DB, error)
	// beginMigration begins a transaction, and takeTurn asks in it whether this migrator may work: one at a time does.
	beginMigration() string
	takeTurn() string
	// boundLocks bounds the wait for each lock in the transaction under way; empty: the database bounds it by itself.
	boundLocks(d time.Duration) string
	// findTable counts the tables of a name.
	findTable() string
	// countTables counts all tables that are where a store's are.
	countTables() string
	// findColumns lists the tables and their columns.
	findColumns() string
	// findSessions lists the other connections of this service to the database; empty: nobody can tell.
	findSessions() string
	// findBackend is the query for the number of the session's process on the server; empty: there is no server.
	findBackend() string
	// findAnnounced lists when processes have said that they run, those of the seconds before now and after it.
	findAnnounced() string
	// findHome is the query for where the database is; an empty text: nobody can tell.
	findHome() string
	// clock is the query for the microseconds since 1970.
	clock() string
	// takeSpace is the statements of a transaction that take space that nothing is in, and give it back.
	takeSpace() []string
	// endProofs ends what earlier proofs of writing have left hanging on the server.
	endProofs(ctx context.Context, p pools)
}

// pools are a store's connections. Those of commits are nobody else's, so that no read ever delays one.
type pools struct {
	commits    *bun.DB
	reads      *bun.DB
	keyed      *bun.DB // what is read by a key
	writes     *bun.DB // the few writes outside of Commit that a payment waits for: claims, sequences, keys
	background *bun.DB // what no payment waits for reads and writes, planned for what it asks for: statistics, forgetting, what is kept no longer
	prepared   *prepared
	proofs     *bun.DB   // one connection, that proves that commits are possible
	proofName  string    // of its sessions on the server
	timeline   *timeline // nil: there is none
	committers int       // batches under way at once

	findersAtOnce int // messages under way that look for payments by one key; 0: each read is one of its own
}

func dialectOf(cfg Config) (dialect, error) {
	switch {
	case cfg.DatabaseURL != "" && cfg.Path != "":
		return nil, errors.New("both a database URL and a SQLite path are given")
	case cfg.DatabaseURL != "":
		if cfg.IsUnprepared {
			return postgres{}, nil
		}
		return postgres{prepared: preparedByPostgres()}, nil
	case cfg.Path != "" || cfg.SQLite != nil:
		if cfg.IsUnprepared {
			return sqliteFile{}, nil
		}
		return sqliteFile{prepared: preparedBySQLite()}, nil
	default:
		return nil, errors.New("neither a database URL nor a SQLite path is given")
	}
}

// timestamp is a moment in a row; the zero time is null. PostgreSQL has timestamptz. SQLite has no type for moments: whole
// microseconds since 1970 sort and compare as what they are, are exact to the same microsecond as timestamptz, and take
// half the room of text.
type timestamp time.Time

// AppendQuery writes the moment as a literal of the dialect.
func (s timestamp) AppendQuery(gen schema.QueryGen, b []byte) ([]byte, error) {
	at := time.Time(s)
	switch {
	case at.IsZero():
		return append(b, "NULL"...), nil
	case gen.Dialect().Name() == bundialect.SQLite:
		return strconv.AppendInt(b, at.UnixMicro(), 10), nil
	default:
		return at.UTC().AppendFormat(b, "'2006-01-02 15:04:05.999999+00'"), nil
	}
}

// Scan reads the column back, in UTC.
func (s *timestamp) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*s = timestamp{}
	case int64:
		*s = timestamp(time.UnixMicro(v).UTC())
	case time.Time:
		*s = timestamp(v.UTC())
	default:
		return errors.New("a stored moment is neither microseconds nor a timestamp")
	}
	return nil
}

// postgres is PostgreSQL over pgdriver. bun writes every value into the query's text, and pgdriver sends a text without
// arguments as one message of the simple protocol: several statements in it are one round trip and one transaction.
type postgres struct{ prepared *prepared }

// applicationName is how connections of this service name themselves; what the URL of the database names them follows it, so that
// they are known whatever that is.
const applicationName = "vezne"

// The server gives up a little before the client does, so that a statement never outlives whoever waits for it.
const (
	postgresFinders       = 2 // of what is read by a key, for each thing that names a payment
	postgresDialTimeout   = 5 * time.Second
	postgresReadTimeout   = 6 * time.Second
	postgresReadBytes     = 32 << 10 // a page of payments in a few reads
	postgresIdleLifetime  = 10 * time.Minute
	statementTimeoutShare = 9 // tenths of the client's timeout
)

func (postgres) migrations() string { return migrations.Postgres }

// Connections to PostgreSQL of a process.
const (
	DefaultConnections = 19
	MinConnections     = 10
	MaxConnections     = 500
)

// shares are the connections of each pool.
type shares struct {
	commits int
	keyed   int // of what is read by a key, for every payment: no list delays it
	reads   int // of lists, statistics and what else may take its time
	proofs  int
}

// share divides a process's connections. More commits at once make smaller batches: most of what is added reads.
func share(all int) shares {
	s := shares{commits: max(2, all/9), proofs: 1}
	rest := all - s.commits - s.proofs
	s.reads = rest / 2
	s.keyed = rest - s.reads
	return s
}

func (d postgres) open(cfg Config) (pools, error) {
	each := share(cmp.Or(cfg.Connections, DefaultConnections))
	line := &timeline{}
	commits, err := postgresPool(cfg, cfg.DatabaseURL, each.commits, commitTimeout, d.prepared, line)
	if err != nil {
		return pools{}, err
	}
	keyed, err := postgresPool(cfg, cfg.DatabaseURL, each.keyed, postgresReadTimeout, d.prepared, line)
	if err != nil {
		return pools{}, err
	}
	reads, err := postgresPool(cfg, cfg.DatabaseURL, each.reads, postgresReadTimeout, nil, line)
	if err != nil {
		return pools{}, err
	}
	name := proofName()
	proofs, err := postgresPool(cfg, called(cfg.DatabaseURL, name), each.proofs, proofTimeout, nil, nil)
	return pools{
		commits: commits, reads: reads, keyed: keyed, writes: keyed, background: reads,
		prepared: d.prepared, proofs: proofs, proofName: applicationName + " " + name,
		committers: each.commits, timeline: line, findersAtOnce: postgresFinders,
	}, err
}

// rowsOf passes over columns that no field is for: the release after this one may have added them while this one serves.
func rowsOf(db *sql.DB, d schema.Dialect) *bun.DB {
	return bun.NewDB(db, d, bun.WithDiscardUnknownColumns())
}

// pgDialect is one for all pools: it keeps what bun has learned about our rows, which takes longer than to open one.
var pgDialect = sync.OnceValue(func() schema.Dialect { return texts{pgdialect.New()} })

// texts writes a NUL as U+FFFD, as bun writes what is not UTF-8: a text of PostgreSQL has neither, and what is asked for
// with a NUL is found nowhere.
type texts struct{ schema.Dialect }

// AppendString implements schema.Dialect.
func (t texts) AppendString(b []byte, text string) []byte {
	return t.Dialect.AppendString(b, strings.ReplaceAll(text, "\x00", "\uFFFD"))
}

func postgresPool(cfg Config, databaseURL string, conns int, timeout time.Duration, p *prepared, line *timeline) (*bun.DB, error) {
	connector, err := postgresConnector(databaseURL, timeout)
	if err != nil {
		return nil, err
	}
	params := connector.Config().ConnParams
	if cfg.IsUnprepared {
		err = refuseSession(params)
	} else {
		sessionOf(timeout, params)
	}
	if err != nil {
		return nil, err
	}
	var opened driver.Connector = connector
	if p != nil {
		planned(params)
		opened = preparingConnector{opened, p}
	}
	if cfg.IsPrimary {
		opened = primaryConnector{opened, line}
	}
	db := sql.OpenDB(opened)
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	db.SetConnMaxIdleTime(postgresIdleLifetime)
	return rowsOf(db, pgDialect()), nil
}

// sessionOf are the settings of a pool's sessions.
func sessionOf(timeout time.Duration, params map[string]any) {
	params["statement_timeout"] = (timeout * statementTimeoutShare / 10).Milliseconds()
	params["standard_conforming_strings"] = "on" // how bun quotes text
	params["random_page_cost"] = "1.1"           // a batch of updates takes the index, not a scan of the whole table
	params["jit"] = "off"                        // compiling takes longer than any of our statements should
	params["work_mem"] = "64MB"                  // what statistics add up stays in memory
	params["hash_mem_multiplier"] = "8"          // and is not sorted first: text is planned with 8 KB a group, and is some hundred bytes
}

// postgresConnector configures pgdriver. A timeout of 0 waits for ever.
func postgresConnector(databaseURL string, timeout time.Duration) (*pgdriver.Connector, error) {
	made, err := pgdriver.NewDriver().OpenConnector(databaseURL)
	connector, ok := made.(*pgdriver.Connector)
	if err != nil || !ok { // the cause is left out: it may quote the URL with its password
		return nil, errors.New("the database URL is not of the form postgres://user:password@host:5432/name?sslmode=…")
	}
	conf := connector.Config()
	conf.DialTimeout = postgresDialTimeout
	conf.ReadTimeout, conf.WriteTimeout = timeout, timeout
	conf.BufferSize = postgresReadBytes
	conf.EnableTracing = false
	conf.AppName = strings.TrimSpace(applicationName + " " + conf.AppName)
	if conf.ConnParams == nil {
		conf.ConnParams = map[string]any{}
	}
	if isLocal(databaseURL) {
		conf.TLSConfig = nil
	}
	conf.ResetSessionFunc = func(_ context.Context, conn *pgdriver.Conn) error {
		if !isAlive(conn.Conn()) {
			return driver.ErrBadConn
		}
		return nil
	}
	return connector, nil
}

// isLocal reports whether the URL leaves TLS open and leads to this machine, where it has nothing to protect.
func isLocal(databaseURL string) bool {
	u, err := url.Parse(databaseURL)
	if err != nil || u.Query().Has("sslmode") || u.Query().Has("sslrootcert") {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "" || u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// stateOf is the SQLSTATE with which vezne_expect reports a fault.
func stateOf(code fault.Code) string {
	switch code {
	case fault.Duplicate:
		return "VZ002"
	case fault.Blocked:
		return "VZ003"
	case fault.BankAccountTaken:
		return "VZ004"
	case fault.TooManyOpen:
		return "VZ006"
	default:
		return "VZ001"
	}
}

func (d postgres) run(ctx context.Context, db *bun.DB, batch []statement) error {
	text := batchText
	if d.prepared != nil {
		text = d.pipelined
	}
	_, err := db.DB.ExecContext(ctx, text(batch))
	return undone(err)
}

// batchText is the statements of a commit as they are, which is one message of the simple protocol.
func batchText(batch []statement) string {
	var text strings.Builder
	text.Grow(sizeOf(batch))
	for _, s := range batch {
		s.writeCounted(&text, s.write, strconv.Itoa(s.wanted))
		text.WriteByte(';')
	}
	return text.String()
}

// writeCounted writes the statement as PostgreSQL counts its rows; wanted is how many it has to return.
func (s statement) writeCounted(text *strings.Builder, write func(*strings.Builder), wanted string) {
	if s.isCounted {
		text.WriteString("WITH counted AS (")
	}
	write(text)
	if s.isCounted {
		text.WriteString(") SELECT vezne_expect(count(*), " + wanted + ", '" + stateOf(s.lost) + "') FROM counted")
	}
}

func (postgres) typedNulls(fields []*schema.Field) string {
	nulls := make([]string, len(fields))
	for i, f := range fields {
		nulls[i] = "NULL::" + f.CreateTableSQLType
	}
	return "(" + strings.Join(nulls, ", ") + "), "
}

func (postgres) unindexed(column string) string { return column } // its statistics choose better

func (postgres) byIndex(string) string { return "" }

// paymentOf cannot be made a merge with all payments: what ends after some is planned row by row.
func (postgres) paymentOf(id string) string {
	return "LATERAL (SELECT * FROM payments AS p WHERE p.id = " + id + " LIMIT 1) AS p ON TRUE"
}

var braces = strings.NewReplacer("{", "asked.", "}", "")

// ofEach is planned once. As a part for each row of values it is planned as often, which takes longer than to run it.
func (postgres) ofEach(q *query, part string, columns []string, rows [][]any) {
	q.add("SELECT part.* FROM (VALUES ")
	for i, row := range rows {
		if i > 0 {
			q.add(", ")
		}
		q.add("?", bun.Tuple(row))
	}
	q.add(") AS asked (" + strings.Join(columns, ", ") + ") CROSS JOIN LATERAL (" + braces.Replace(part) + ") AS part")
}

func (postgres) rowID() string { return "ctid" }

func (postgres) joined(column string) string { return "string_agg(" + column + ", ' ')" }

func (postgres) empty(table string) string { return "TRUNCATE " + table }

func (postgres) lockClaimed() string { return " FOR UPDATE SKIP LOCKED" }

func (postgres) lock() string { return " FOR UPDATE" }

func (postgres) openForMigration(cfg Config) (*bun.DB, error) {
	connector, err := postgresConnector(cfg.DatabaseURL, 0)
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(&onceConnector{Connector: connector})
	db.SetMaxOpenConns(1)
	return rowsOf(db, pgDialect()), nil
}

func (postgres) beginMigration() string { return "BEGIN" }

// takeTurn takes a lock that ends with the transaction, and so with the connection, however the process ends.
func (postgres) takeTurn() string {
	return "SELECT pg_try_advisory_xact_lock(hashtextextended('vezne migrations in ' || current_schema(), 0))"
}

func (postgres) boundLocks(d time.Duration) string {
	return "SET LOCAL lock_timeout = " + strconv.FormatInt(d.Milliseconds(), 10)
}

func (postgres) clock() string {
	return "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint"
}

func (postgres) findTable() string { return "SELECT count(*) FROM pg_class WHERE oid = to_regclass(?)" }

const postgresTables = "c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition"

func (postgres) countTables() string {
	return "SELECT count(*) FROM pg_class AS c WHERE " + postgresTables
}

func (postgres) findColumns() string {
	return `SELECT c.relname AS "table", a.attname AS "column" FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
		WHERE a.attnum > 0 AND NOT a.attisdropped AND ` + postgresTables + " ORDER BY c.oid, a.attnum"
}

func (postgres) findSessions() string {
	return `SELECT pid, COALESCE(host(client_addr), 'this machine') AS address, backend_start AS began FROM pg_stat_activity
		WHERE datname = current_database() AND pid <> pg_backend_pid()
			AND application_name || ' ' LIKE '` + applicationName + ` %' ORDER BY backend_start`
}

func (postgres) findBackend() string { return "SELECT pg_backend_pid()" }

// findAnnounced passes over what a clock that was wrong has written: who works by such a clock is connected.
func (postgres) findAnnounced() string {
	return `SELECT seen_at FROM processes WHERE seen_at BETWEEN clock_timestamp() - make_interval(secs => ?)
		AND clock_timestamp() + make_interval(secs => ?) ORDER BY seen_at DESC`
}

// onceConnector connects once: a second connection would be outside of the transaction that the first one began.
type onceConnector struct {
	driver.Connector
	isUsed atomic.Bool
}

// Connect implements driver.Connector.
func (c *onceConnector) Connect(ctx context.Context) (driver.Conn, error) {
	if c.isUsed.Swap(true) {
		return nil, errors.New("the migration's connection was lost")
	}
	return c.Connector.Connect(ctx)
}
