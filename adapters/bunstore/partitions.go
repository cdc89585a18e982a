package bunstore

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/driver/pgdriver"

	"github.com/vezne/vezne/core"
)

// partitioned are the tables of which PostgreSQL has a partition for each month, in UTC, of their rows' IDs. They are large, nothing in
// them ever has to be unique but IDs, and they are deleted by age. In the first partition is what is older than they are partitioned.
var partitioned = map[core.Prunable]string{core.CallbackAttempts: "attempts", core.GatewayCalls: "gateway_calls"}

// monthsAhead is for how many months to come there are partitions.
const monthsAhead = 3

// partition is a part of a table.
type partition struct {
	Parent, Name string
	Bound        string
	IsPending    bool // its detaching was broken off

	from, until core.ID // of the rows in it; from nothing: it is the first one
}

// inhdetachpending is there since PostgreSQL 14.
const findPartitions = `SELECT p.relname AS parent, c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bound,
	COALESCE((to_jsonb(i) ->> 'inhdetachpending')::boolean, false) AS is_pending
FROM pg_inherits AS i JOIN pg_class AS p ON p.oid = i.inhparent JOIN pg_class AS c ON c.oid = i.inhrelid
WHERE p.relnamespace = current_schema()::regnamespace AND p.relname IN ('attempts', 'gateway_calls') AND p.relkind = 'p'
ORDER BY p.relname, c.relname`

var boundIDs = regexp.MustCompile(`FROM \((?:MINVALUE|'([0-9A-Z]{26})')\) TO \('([0-9A-Z]{26})'\)`)

// partitionsOf lists all of them, of PostgreSQL.
func partitionsOf(ctx context.Context, db *bun.DB) (found []partition, err error) {
	if err := db.NewRaw(findPartitions).Scan(ctx, &found); err != nil {
		return nil, err
	}
	for i := range found {
		ids := boundIDs.FindStringSubmatch(found[i].Bound)
		if ids == nil {
			return nil, fmt.Errorf("the partition %s has bounds that are none of a month's: %s", found[i].Name, found[i].Bound)
		}
		found[i].from, found[i].until = core.ID(ids[1]), core.ID(ids[2])
	}
	return found, nil
}

// monthOf is the first moment of a month of UTC.
func monthOf(at time.Time) time.Time {
	at = at.UTC()
	return time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC)
}

// MakeRoom implements ports.Retention. A table gets a partition without anybody waiting who writes to it.
func (s *Store) MakeRoom(ctx context.Context, now time.Time) (until time.Time, err error) {
	const op = "bunstore.MakeRoom"
	if !s.plan.isShared {
		return time.Time{}, fail(op, ctx.Err())
	}
	until, err = makeRoom(ctx, s.writes, now)
	return until, fail(op, err)
}

func makeRoom(ctx context.Context, db *bun.DB, now time.Time) (time.Time, error) {
	for ahead := range monthsAhead + 1 {
		if err := makeMonth(ctx, db, monthOf(now).AddDate(0, ahead, 0)); err != nil {
			return time.Time{}, err
		}
	}
	all, err := partitionsOf(ctx, db)
	return roomUntil(all, monthOf(now)), err
}

// roomUntil is the end of the months from one on that have a partition of each table, at most ten years.
func roomUntil(all []partition, month time.Time) time.Time {
	for range 120 {
		for _, table := range partitioned {
			if !hasMonth(all, table, month) {
				return month
			}
		}
		month = month.AddDate(0, 1, 0)
	}
	return month
}

func hasMonth(all []partition, table string, month time.Time) bool {
	first := core.FirstID(month)
	return slices.ContainsFunc(all, func(p partition) bool { return p.Parent == table && p.from <= first && first < p.until })
}

// makeMonth makes the partitions of a month where they are missing. Without a default partition, attaching one reads nothing and lets
// others write (ALTER TABLE in PostgreSQL's documentation: SHARE UPDATE EXCLUSIVE); creating one in place would not.
func makeMonth(ctx context.Context, db *bun.DB, month time.Time) error {
	all, err := partitionsOf(ctx, db)
	if err != nil {
		return err
	}
	for _, table := range partitioned {
		if hasMonth(all, table, month) {
			continue
		}
		name := table + month.Format("_200601")
		_, err := db.DB.ExecContext(ctx, fmt.Sprintf(`
			SELECT pg_advisory_xact_lock(hashtextextended('vezne partitions in ' || current_schema(), 0));
			DO $$BEGIN IF to_regclass('%[2]s') IS NULL THEN
				CREATE TABLE %[2]s (LIKE %[1]s INCLUDING ALL);
				ALTER TABLE %[1]s ATTACH PARTITION %[2]s FOR VALUES FROM ('%[3]s') TO ('%[4]s');
			END IF; END$$`, table, name, core.FirstID(month), core.FirstID(month.AddDate(0, 1, 0))))
		if err != nil {
			return err
		}
	}
	return nil
}

// keyOfRow is the ID that PostgreSQL says of a row that has no partition.
var keyOfRow = regexp.MustCompile(`\(([0-7][0-9A-HJKMNP-TV-Z]{25})\)`)

// withRoom makes the partitions that a commit lacks, by a clock that is far from the database's or since no worker has made them. The
// commit was undone whole and may be tried again then.
func (s *Store) withRoom(ctx context.Context, failed error) error {
	var fromPostgres pgdriver.Error
	if !errors.As(failed, &fromPostgres) || fromPostgres.Field('C') != "23514" || fromPostgres.Field('n') != "" {
		return failed
	}
	found := keyOfRow.FindStringSubmatch(fromPostgres.Field('D'))
	if found == nil {
		return failed
	}
	at, isTime := core.ID(found[1]).Time()
	if !isTime {
		return failed
	}
	if err := makeMonth(ctx, s.writes, monthOf(at)); err != nil {
		return errors.Join(failed, err)
	}
	return errors.Join(errUndone, failed)
}

// dropMonths drops the partitions of a kind all of whose rows are older than those from an ID on. Those of the first partition are
// deleted one by one meanwhile: the ID before which is returned.
func (s *Store) dropMonths(ctx context.Context, kind core.Prunable, from core.ID) (core.ID, error) {
	table, isPartitioned := partitioned[kind]
	if !isPartitioned || !s.plan.isShared {
		return from, nil
	}
	all, err := partitionsOf(ctx, s.writes)
	if err != nil {
		return "", err
	}
	rest := core.ID("")
	for _, p := range all {
		if p.Parent != table {
			continue
		}
		if p.from == "" {
			rest = min(from, p.until)
		}
		if !p.IsPending && (p.until > from || s.isNeeded(ctx, kind, p)) {
			continue
		}
		if err := s.detach(ctx, p); err != nil {
			return "", err
		}
	}
	return rest, s.dropDetached(ctx, table, from)
}

// isNeeded reports whether somebody may still look at a partition's rows for what is under way: at the attempts of callbacks that wait.
func (s *Store) isNeeded(ctx context.Context, kind core.Prunable, p partition) bool {
	if kind != core.CallbackAttempts {
		return false
	}
	is := true
	find := "SELECT EXISTS (SELECT 1 FROM callbacks AS c JOIN " + p.Name + " AS a ON a.callback_id = c.id WHERE c.state = 'waiting')"
	return s.reads.NewRaw(find).Scan(ctx, &is) != nil || is
}

// detach takes a partition out of its table, beside whoever uses the table. On PostgreSQL 13, which cannot do that, its lock is one of a
// moment.
func (s *Store) detach(ctx context.Context, p partition) error {
	how := " CONCURRENTLY"
	var version int
	if err := s.writes.NewRaw("SELECT current_setting('server_version_num')::int").Scan(ctx, &version); err != nil {
		return err
	}
	switch {
	case p.IsPending:
		how = " FINALIZE"
	case version < 140000:
		how = ""
	}
	_, err := s.writes.DB.ExecContext(ctx, "ALTER TABLE "+p.Parent+" DETACH PARTITION "+p.Name+how)
	return s.unlessGone(ctx, p.Name, err)
}

// unlessGone forgives what failed since another worker was quicker.
func (s *Store) unlessGone(ctx context.Context, name string, failed error) error {
	if failed == nil {
		return nil
	}
	all, err := partitionsOf(ctx, s.writes)
	if err == nil && !slices.ContainsFunc(all, func(p partition) bool { return p.Name == name }) {
		return nil
	}
	return errors.Join(failed, err)
}

// dropDetached drops what was taken out of a table, now or before a crash, and is older than an ID.
func (s *Store) dropDetached(ctx context.Context, table string, from core.ID) error {
	var names []string
	err := s.writes.NewRaw(`SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
		AND NOT relispartition AND relname ~ ?`, "^"+table+"_([0-9]{6}|before)$").Scan(ctx, &names)
	if err != nil {
		return err
	}
	for _, name := range names {
		month, err := time.Parse("200601", name[len(table)+1:])
		if err == nil && core.FirstID(month.AddDate(0, 1, 0)) > from {
			continue // somebody else's
		}
		if _, err := s.writes.DB.ExecContext(ctx, "DROP TABLE IF EXISTS "+name); err != nil {
			return err
		}
	}
	return nil
}
