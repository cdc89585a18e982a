package bunstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"sync/atomic"

	"github.com/uptrace/bun/schema"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

// Store is the whole storage.
var (
	_ ports.Committer  = (*Store)(nil)
	_ ports.Sequences  = (*Store)(nil)
	_ ports.Payments   = (*Store)(nil)
	_ ports.Callbacks  = (*Store)(nil)
	_ ports.Directory  = (*Store)(nil)
	_ ports.Owners     = (*Store)(nil)
	_ ports.Operations = (*Store)(nil)
	_ ports.Wallets    = (*Store)(nil)
	_ ports.Statements = (*Store)(nil)
	_ ports.Staff      = (*Store)(nil)
	_ ports.Approvals  = (*Store)(nil)
	_ ports.Reports    = (*Store)(nil)
	_ ports.AuditLog   = (*Store)(nil)

	_ ports.Installation = (*Store)(nil)
	_ ports.Vitals       = (*Store)(nil)
	_ ports.Epochs       = (*Store)(nil)
)

var (
	errClosed    = errors.New("the store is closed")
	errQueueFull = errors.New("too many commits are waiting")
	errAborted   = errors.New("the commit was broken off")
)

// Config says where the data is. Exactly one of DatabaseURL and Path is given.
type Config struct {
	// DatabaseURL is of PostgreSQL: postgres://user:password@host:5432/name?sslmode=verify-full. Without sslmode, TLS
	// is used everywhere but on this machine. Other parameters are settings of the session, such as search_path.
	DatabaseURL string
	// IsPrimary refuses connections to a hot standby of PostgreSQL, which takes no writes, and whose answers may be old: who has
	// lost their rights since, for one, still has them there.
	IsPrimary bool
	// IsByDealer has a transaction of PostgreSQL hold changesets of one dealer only, and those of several dealers run beside each
	// other, as a database needs that is distributed by dealer.
	IsByDealer bool
	// Connections are how many this store has to PostgreSQL at most, MinConnections to MaxConnections; 0: DefaultConnections.
	Connections int
	// Path is of the SQLite file; it is made when it does not exist.
	Path string
	// IsUnprepared has the database plan each statement anew. A pooler that assigns a connection to somebody else after each
	// transaction needs that.
	IsUnprepared bool
	// SQLite leads to a database of SQLite that is in no file of its own, in place of Path.
	SQLite driver.Connector
	// Sealer encrypts secrets.
	Sealer ports.Sealer
	// Log takes what no caller is told. Nil: nothing is logged.
	Log *slog.Logger
	// Damaged is told the table of each row that workers find and that cannot be opened, once. Nil: nobody is told.
	Damaged func(table string)
	// Batch is told of each transaction that is begun for several callers, and then what came of it. Nil: nobody is told.
	Batch func(callers []context.Context) (ended func(error))

	steps fs.FS // of tests of migrations, in place of the schema's
}

// Store is all of storage in one database. It is safe for concurrent use.
type Store struct {
	pools
	dialect   dialect
	plan      *plan
	gen       schema.QueryGen
	sealer    ports.Sealer
	log       *slog.Logger
	damage    *damage
	keyCache  *keyCache
	snapshot  *sql.Tx // nil: each statement sees what is there when it begins
	lanes     *lanes
	finders   finders
	isHanging *atomic.Bool // the last proof of writing was given up
}

// Open connects to the database and checks that it answers. It does not migrate: see MigrateUp and Pending.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	const op = "bunstore.Open"
	d, err := dialectOf(cfg)
	if err != nil {
		return nil, fault.E(op, fault.Invalid, err)
	}
	if n := cfg.Connections; n != 0 && (n < MinConnections || n > MaxConnections) {
		return nil, fault.E(op, fault.Invalid, fmt.Errorf("%d connections: there must be %d to %d", n, MinConnections, MaxConnections))
	}
	if cfg.Sealer == nil {
		return nil, fault.E(op, fault.Invalid, errors.New("no sealer for the secrets"))
	}
	p, err := d.open(cfg)
	if err != nil {
		return nil, fault.E(op, fault.Invalid, err)
	}
	s := &Store{
		pools: p, dialect: d, plan: newPlan(p.commits, d), gen: p.commits.QueryGen(), sealer: cfg.Sealer,
		log: cfg.Log, isHanging: &atomic.Bool{}, keyCache: newKeyCache(cfg.Sealer),
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.damage = &damage{log: s.log, told: cfg.Damaged}
	s.lanes = newLanes(cfg.IsByDealer, func() *committer {
		c := newCommitter(p.committers, s.commitBatch, s.short)
		c.told = cfg.Batch
		return c
	})
	s.finders = s.newFinders()
	if err := s.Ping(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Close commits what still waits and lets the connections go.
func (s *Store) Close() error {
	s.lanes.Close()
	return errors.Join(s.commits.Close(), s.reads.Close(), s.keyed.Close(), s.proofs.Close())
}

// Pools are the pools of connections, by what they are for, for whoever watches them.
func (s *Store) Pools() map[string]*sql.DB {
	pools := map[string]*sql.DB{"commits": s.commits.DB, "reads": s.reads.DB}
	if s.keyed != s.reads { // SQLite reads everything through one
		pools["keyed"] = s.keyed.DB
	}
	return pools
}

// Ping reports whether the database answers.
func (s *Store) Ping(ctx context.Context) error {
	return fail("bunstore.Ping", s.reads.PingContext(ctx))
}

// Commit implements ports.Committer. A context that ends while the changeset still waits its turn takes it back:
// Unavailable with the context's error, and nothing was committed.
//
// What is personal in new rows is sealed under the keys of those whose it is. Where another process has made or destroyed one
// meanwhile, it is sealed again with the keys that there are.
func (s *Store) Commit(ctx context.Context, change core.Changeset) error {
	const op = "bunstore.Commit"
	for try := 1; ; try++ {
		keys, err := s.keyCache.keysFor(ctx, s.reads.NewSelect, s.writes, change)
		if err != nil {
			return fail(op, err)
		}
		encoded, err := s.encode(change, keys)
		if err != nil {
			return fail(op, err)
		}
		encoded.ctx = ctx
		err = s.lanes.Do(ctx, change, encoded)
		if err == nil {
			s.keyCache.keep(keys)
			return nil
		}
		if !fault.Is(err, fault.Conflict) || try == maxKeyTries {
			return err
		}
		if isStale, unread := s.keyCache.drop(ctx, s.reads.NewSelect, keys); unread != nil || !isStale {
			return err
		}
	}
}

// maxKeyTries is how often a changeset is sealed at most.
const maxKeyTries = 4

// statementsOf puts the rows of a batch into statements, in the order of their templates.
func (s *Store) statementsOf(batch []*encoded) []statement {
	var statements []statement
	for _, change := range batch {
		for _, t := range change.tuples {
			i, isThere := slices.BinarySearchFunc(statements, t.at, func(st statement, at int) int { return st.at - at })
			if !isThere {
				statements = slices.Insert(statements, i, statement{template: &s.plan.templates[t.at], at: t.at})
			}
			statements[i].tuples = append(statements[i].tuples, t)
			statements[i].rows += t.rows
		}
	}
	wallets, isPlain := walletsIn(batch)
	for i := range statements {
		st := &statements[i]
		if isPlain && st.plain != nil {
			st.template = st.plain
		}
		switch st.wanted = st.rows; {
		case st.isNone:
			st.wanted = 0
		case st.isPerWallet:
			st.wanted = wallets
		}
	}
	return statements
}

func (s *Store) commitBatch(ctx context.Context, batch []*encoded) error {
	statements := s.statementsOf(batch)
	if len(statements) == 0 {
		return nil
	}
	err := s.dialect.run(ctx, s.commits, statements)
	if err != nil {
		err = s.withRoom(ctx, err)
		s.log.DebugContext(ctx, "batch failed", slog.Int("changesets", len(batch)), slog.Any("error", err))
	}
	return fail("bunstore.commitBatch", err)
}
