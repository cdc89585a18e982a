package bunstore

import (
	"context"
	"reflect"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

// table is how one kind of row is stored.
type table struct {
	rows      []reflect.Type // the kinds of core.Row that are written to it
	columns   reflect.Type   // a struct with its columns: those of the type sealedText hold secrets, see sealedColumns
	templates func(w templateWriter) []template
	// put writes the rows of one changeset; at is the number of the table's first template.
	put func(e *encoder, at int, rows []core.Row)
	// all, where set, takes the place of put: the table is written for rows of several kinds.
	all func(e *encoder, at int, c core.Changeset)
	// read finds a row by the key of its core.Identity; nil: nobody has to know what is replaced. kind is its table's name.
	kind core.Table
	read func(ctx context.Context, s *Store, key string) (core.Row, error)
}

// tables are all of them, in the order in which a commit writes them. The order is the same for every commit, so that two of
// them never wait for each other. What only looks comes first.
func tables() []table {
	return []table{
		nonces(),
		idempotency(),
		notBlocked(),
		openLocks(),
		read(versioned(providerRowOf), (*Store).provider),
		read(versioned(dealerRowOf), (*Store).dealer),
		read(versioned(plain(siteRowOf)), open((siteRow).site)),
		read(versioned(siteTokenRowOf), (*Store).siteToken),
		bankAccounts(),
		read(versioned(unsealed(accountRowOf)), open((accountRow).account)),
		read(versioned(gatewayAccountRowOf), (*Store).gatewayAccount),
		versioned(unsealed(routeRuleRowOf)),
		read(wallets(), open((walletRow).wallet)),
		versioned(unsealed(feedRowOf)),
		versioned(unsealed(reconciliationRowOf)),
		read(versioned(staffRowOf), (*Store).staff),
		versioned(plain(sessionRowOf)),
		unblocks(),
		read(versioned(factorsRowOf), (*Store).factors),
		versioned(plain(passkeyRowOf)),
		versioned(challengeRowOf),
		versioned(plain(invitationRowOf)),
		versioned(plain(profileRowOf)),
		versioned(savedViewRowOf),
		touching(inserted(blockRowOf, "")),
		read(versioned(operationRowOf), (*Store).operation),
		read(versioned(unsealed(disputeRowOf)), open((disputeRow).dispute)),
		versioned(plain(disputeListingRowOf)),
		versioned(unsealed(creditRowOf)), // after what it names as its source, and before the payment that it completes: triggers look
		payments(),
		openCounts(),
		inserted(moveRowOf, ""),
		versioned(unsealed(discrepancyRowOf)),
		versioned(notificationRowOf),
		inserted(gatewayCallRowOf, ""),
		callbacks(),
		inserted(attemptRowOf, ""),
		versioned(unsealed(testPlanRowOf)),
		notes(),
		noteFiles(),
		versioned(unsealed(jobRowOf)),
		insertedSealed(jobChunkRowOf, ""),
		accountLoads(),
		inserted(auditRowOf, ""),
		inserted(linkRowOf, ""),
		versioned(plain(checkpointRowOf)),
		versioned(unsealed(auditCheckRowOf)),
		bankStatements(),
		versioned(approvalRowOf),
		versioned(unsealed(approvalRuleRowOf)),
		read(versioned(plain(epochRowOf)), open((epochRow).epoch)),
		versioned(unsealed(remainRowOf)),
		versioned(plain(runningTotalRowOf)),
		erasures(),
		ledgerEntries(), // last: batches wait for each other at a wallet that both change
	}
}

// plan is how a commit's rows become statements of a dialect.
type plan struct {
	tables    []table
	first     []int                // of each table's templates
	whole     []int                // the tables that are written for rows of several kinds
	of        map[reflect.Type]int // the table of a kind of row
	named     map[core.Table]int   // of those that are read
	templates []template           // in the order in which they run
	isShared  bool                 // the database has several writers
}

// newPlan writes the statements of all tables for a dialect, once, when the store opens.
func newPlan(db *bun.DB, d dialect) *plan {
	p := &plan{tables: tables(), of: map[reflect.Type]int{}, named: map[core.Table]int{}, isShared: d.migrations() == (postgres{}).migrations()}
	w := templateWriter{db: db, dialect: d}
	for i, t := range p.tables {
		p.first = append(p.first, len(p.templates))
		for _, row := range t.rows {
			p.of[row] = i
		}
		if t.read != nil {
			p.named[t.kind] = i
		}
		if t.all != nil {
			p.whole = append(p.whole, i)
		}
		p.templates = append(p.templates, t.templates(w)...)
	}
	return p
}

// versioned is a kind of row that is inserted, and then saved by compare-and-set.
func versioned[T core.Row, R any](rowOf func(T, ports.Sealer) (R, error)) table {
	return table{
		rows: kinds[T](), columns: rowType[R](),
		templates: func(w templateWriter) []template {
			return []template{w.insert(reflect.TypeFor[R](), ""), w.save(reflect.TypeFor[R]())}
		},
		put: func(e *encoder, at int, rows []core.Row) {
			for _, row := range rows {
				r, err := rowOf(row.(T), e.sealer)
				putVersion(e, at, row.Identity(), r, err)
			}
		},
	}
}

// inserted is a kind of row that never changes.
func inserted[T core.Row, R any](rowOf func(T) R, tail string) table {
	return insertedSealed(plain(rowOf), tail)
}

// insertedSealed is the same with secrets.
func insertedSealed[T core.Row, R any](rowOf func(T, ports.Sealer) (R, error), tail string) table {
	return table{
		rows: kinds[T](), columns: rowType[R](),
		templates: func(w templateWriter) []template { return []template{w.insert(reflect.TypeFor[R](), tail)} },
		put: func(e *encoder, at int, rows []core.Row) {
			for _, row := range rows {
				r, err := rowOf(row.(T), e.sealer)
				put(e, at, r, err)
			}
		},
	}
}

// kinds is the kind of a row.
func kinds[T core.Row]() []reflect.Type { return []reflect.Type{reflect.TypeFor[T]()} }

// plain is for a row that can always be written.
func plain[T, R any](rowOf func(T) R) func(T, ports.Sealer) (R, error) {
	return func(row T, _ ports.Sealer) (R, error) { return rowOf(row), nil }
}

// unsealed is for a row without secrets.
func unsealed[T, R any](rowOf func(T) (R, error)) func(T, ports.Sealer) (R, error) {
	return func(row T, _ ports.Sealer) (R, error) { return rowOf(row) }
}

// open is for a row without secrets.
func open[R, T any](turn func(R) (T, error)) func(*Store, R) (T, error) {
	return func(_ *Store, row R) (T, error) { return turn(row) }
}

// read returns a table its reading of a row by its key.
func read[R any, T core.Row](t table, turn func(*Store, R) (T, error)) table {
	var zero T
	t.kind = zero.Identity().Table
	t.read = func(ctx context.Context, s *Store, key string) (core.Row, error) {
		column := s.reads.Dialect().Tables().Get(reflect.TypeFor[R]()).PKs[0].SQLName
		return one(ctx, s, "bunstore.Stored", func(row R) (T, error) { return turn(s, row) }, string(column)+" = ?", key)
	}
	return t
}

// Stored implements ports.Approvals.
func (s *Store) Stored(ctx context.Context, id core.Identity) (core.Row, error) {
	const op = "bunstore.Stored"
	i, ok := s.plan.named[id.Table]
	if !ok {
		return nil, fault.New(op, fault.NotFound)
	}
	row, err := s.plan.tables[i].read(ctx, s, id.Key)
	return row, fault.E(op, "", err)
}
