package bunstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/migrate"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

// MigrateDown takes the newest applied steps back, at most as many as given, and gives their names. The data in their
// tables is lost.
func MigrateDown(ctx context.Context, cfg Config, steps int) ([]string, error) {
	var names []string
	err := migrateWith(ctx, cfg, "bunstore.MigrateDown", commitMigration, func(m *migrate.Migrator) (err error) {
		names, err = takeBack(ctx, m, steps)
		return err
	})
	return names, err
}

// takeBack reverts the newest applied steps within the transaction under way.
func takeBack(ctx context.Context, m *migrate.Migrator, steps int) ([]string, error) {
	all, err := m.MigrationsWithStatus(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	applied := all.Applied()
	for i := range min(len(applied), steps) {
		step := &applied[i]
		if err := errors.Join(step.Down(ctx, m, step), m.MarkUnapplied(ctx, step)); err != nil {
			return nil, err
		}
		names = append(names, nameOf(*step))
	}
	return names, nil
}

// Down is what MigrateDown would do.
type Down struct {
	Steps  []string // newest first
	Losses []Loss
}

// Loss is a table, or a column of a table that stays, which would be deleted with what is in it.
type Loss struct {
	Table, Column string
	Rows          int // the table's, or those in which the column is set; counting stops at MaxLossCounted
}

// MaxLossCounted is where the counting of the rows of a Loss stops.
const MaxLossCounted = 1_000_000

// PlanDown says what MigrateDown would do, and changes nothing: it tries it in a transaction that is taken back.
func PlanDown(ctx context.Context, cfg Config, steps int) (Down, error) {
	var plan Down
	d, err := dialectOf(cfg)
	if err != nil {
		return plan, fault.E("bunstore.PlanDown", fault.Invalid, err)
	}
	err = migrateWith(ctx, cfg, "bunstore.PlanDown", tryMigration, func(m *migrate.Migrator) (err error) {
		plan, err = planDown(ctx, m, d, steps)
		return err
	})
	return plan, err
}

func planDown(ctx context.Context, m *migrate.Migrator, d dialect, steps int) (plan Down, err error) {
	before, err := columnsThere(ctx, m.DB(), d)
	if err != nil {
		return plan, err
	}
	if _, err := m.DB().ExecContext(ctx, "SAVEPOINT before_down"); err != nil {
		return plan, err
	}
	if plan.Steps, err = takeBack(ctx, m, steps); err != nil {
		return plan, err
	}
	after, err := columnsThere(ctx, m.DB(), d)
	if err != nil {
		return plan, err
	}
	if _, err := m.DB().ExecContext(ctx, "ROLLBACK TO SAVEPOINT before_down"); err != nil {
		return plan, err
	}
	isTable := func(name string) func(tableColumn) bool {
		return func(c tableColumn) bool { return c.Table == name }
	}
	for i, c := range before {
		loss := Loss{Table: c.Table, Column: c.Column}
		switch {
		case slices.Contains(after, c):
			continue
		case slices.ContainsFunc(after, isTable(c.Table)): // the table stays
		case slices.ContainsFunc(before[:i], isTable(c.Table)): // its first column has told of it
			continue
		default:
			loss.Column = ""
		}
		if loss.Rows, err = countLost(ctx, m.DB(), loss); err != nil {
			return plan, err
		}
		plan.Losses = append(plan.Losses, loss)
	}
	return plan, nil
}

type tableColumn struct{ Table, Column string }

func columnsThere(ctx context.Context, db *bun.DB, d dialect) (found []tableColumn, err error) {
	err = db.NewRaw(d.findColumns()).Scan(ctx, &found)
	return found, err
}

func countLost(ctx context.Context, db *bun.DB, loss Loss) (rows int, err error) {
	condition := "true"
	if loss.Column != "" {
		condition = fmt.Sprintf("%q IS NOT NULL", loss.Column)
	}
	counting := fmt.Sprintf("SELECT count(*) FROM (SELECT 1 FROM %q WHERE %s LIMIT %d) AS t", loss.Table, condition, MaxLossCounted)
	err = db.NewRaw(counting).Scan(ctx, &rows)
	return rows, err
}

// Session is another connection of Vezne to the database.
type Session struct {
	PID     int
	Address string // it comes from
	Began   time.Time
}

// Others are who else works on a database.
type Others struct {
	Sessions  []Session
	Announced []time.Time // when processes said so that may still run, the last one first
}

// FindOthers returns the connections of Vezne to the database but its own, as PostgreSQL knows them: the service, or another
// command; and the processes that have said within ports.GoneAfter that they run, connected or not. SQLite cannot tell.
func FindOthers(ctx context.Context, cfg Config) (others Others, err error) {
	const op = "bunstore.FindOthers"
	d, err := dialectOf(cfg)
	if err != nil {
		return others, fault.E(op, fault.Invalid, err)
	}
	if d.findSessions() == "" {
		return others, nil
	}
	db, err := d.openForMigration(cfg)
	if err != nil {
		return others, fault.E(op, fault.Invalid, err)
	}
	err = db.NewRaw(d.findSessions()).Scan(ctx, &others.Sessions)
	var isThere int
	if err == nil {
		err = db.NewRaw(d.findTable(), "processes").Scan(ctx, &isThere)
	}
	if err == nil && isThere > 0 {
		err = db.NewRaw(d.findAnnounced(), ports.GoneAfter.Seconds(), ports.GoneAfter.Seconds()).Scan(ctx, &others.Announced)
	}
	return others, fail(op, errors.Join(err, db.Close()))
}

// DatabaseName returns the name of the database on its server; of one in a file none.
func DatabaseName(ctx context.Context, cfg Config) (name string, err error) {
	const op = "bunstore.DatabaseName"
	if cfg.DatabaseURL == "" {
		return "", nil
	}
	db, err := postgres{}.openForMigration(cfg)
	if err != nil {
		return "", fault.E(op, fault.Invalid, err)
	}
	err = db.NewRaw("SELECT current_database()").Scan(ctx, &name)
	return name, fail(op, errors.Join(err, db.Close()))
}
