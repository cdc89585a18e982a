package bunstore

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
)

// partitioned are the tables of which PostgreSQL has a partition for each month, in UTC, of an ID: of most their own, of histories
// their payment's, so that a payment's history lies in one partition, and is found there by the payment alone. The tables are
// large, and nothing in them ever has to be unique but IDs. In the first partition is what is older than they are partitioned.
var partitioned = []string{"attempts", "gateway_calls", "moves", "audit_entries"}

// growing is the table whose rows nobody changes or deletes: each of its partitions refuses it by a trigger of its own, as PostgreSQL asks
// those of the table only when the table is named.
const growing = "audit_entries"

// droppedByMonth are those whose months are dropped when they are old.
var droppedByMonth = map[core.Prunable]string{
	core.CallbackAttempts: "attempts", core.GatewayCalls: "gateway_calls", core.Histories: "moves", core.AuditEntries: "audit_entries",
}

// monthsAhead is for how many months to come there are partitions.
const monthsAhead = 3

// partition is a part of a table.
type partition struct {
	Parent, Name string // without a parent it was detached
	Bound        string
	IsPending    bool // its detaching was broken off

	from, until core.ID // of the rows in it; from nothing: it is the first one
}

// findPartitions also finds what was a partition, and is called like one. inhdetachpending is there since PostgreSQL 14.
var findPartitions = `SELECT COALESCE(p.relname, '') AS parent, c.relname AS name, COALESCE(pg_get_expr(c.relpartbound, c.oid), '') AS bound,
	COALESCE((to_jsonb(i) ->> 'inhdetachpending')::boolean, false) AS is_pending
FROM pg_class AS c LEFT JOIN pg_inherits AS i ON i.inhrelid = c.oid LEFT JOIN pg_class AS p ON p.oid = i.inhparent
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname ~ '^(` + strings.Join(partitioned, "|") + `)_([0-9]{6}|before)$'
ORDER BY c.relname`

var boundIDs = regexp.MustCompile(`FROM \((?:MINVALUE|'([0-9A-Z]{26})')\) TO \('([0-9A-Z]{26})'\)`)

// partitionsOf lists all of them, of PostgreSQL.
func partitionsOf(ctx context.Context, db *bun.DB) (found []partition, err error) {
	if err := db.NewRaw(findPartitions).Scan(ctx, &found); err != nil {
		return nil, err
	}
	for i := range found {
		if found[i].Parent == "" {
			continue
		}
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
	until, err = makeRoom(ctx, s.background, now)
	return until, fail(op, err)
}

func makeRoom(ctx context.Context, db *bun.DB, now time.Time) (time.Time, error) {
	all, err := partitionsOf(ctx, db)
	for ahead := 0; ahead <= monthsAhead && err == nil; ahead++ {
		all, err = makeMonth(ctx, db, all, monthOf(now).AddDate(0, ahead, 0))
	}
	if err != nil {
		return time.Time{}, err
	}
	return roomUntil(all, monthOf(now)), nil
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

// makeMonth makes the partitions of a month that are missing among those that there are, and returns what there is then. Without a
// default partition, attaching one reads nothing and lets others write (ALTER TABLE in PostgreSQL's documentation: SHARE UPDATE
// EXCLUSIVE); creating one in place would not.
func makeMonth(ctx context.Context, db *bun.DB, all []partition, month time.Time) ([]partition, error) {
	for _, table := range partitioned {
		if hasMonth(all, table, month) {
			continue
		}
		name, seal := table+month.Format("_200601"), ""
		if table == growing {
			seal = "CREATE TRIGGER " + table + "_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON " + name +
				" FOR EACH STATEMENT EXECUTE FUNCTION vezne_append_only();"
		}
		_, err := db.DB.ExecContext(ctx, fmt.Sprintf(`
			SELECT pg_advisory_xact_lock(hashtextextended('vezne partitions in ' || current_schema(), 0));
			DO $$BEGIN IF to_regclass('%[2]s') IS NULL THEN
				CREATE TABLE %[2]s (LIKE %[1]s INCLUDING ALL);
				%[5]s
				ALTER TABLE %[1]s ATTACH PARTITION %[2]s FOR VALUES FROM ('%[3]s') TO ('%[4]s');
			END IF; END$$`, table, name, core.FirstID(month), core.FirstID(month.AddDate(0, 1, 0)), seal))
		if err != nil {
			return nil, err
		}
		if all, err = partitionsOf(ctx, db); err != nil {
			return nil, err
		}
		if !hasMonth(all, table, month) {
			return nil, fmt.Errorf("the table %s is there and is no partition of %s: rename or drop it", name, table)
		}
	}
	return all, nil
}

// idSpan are the rows of a partitioned table between two IDs; empty: there is no such bound.
type idSpan struct{ from, until core.ID }

// spans are what a page of a list of such a table, newest first, is looked for in: its months next to where it begins, a year, and then
// all rows from an ID on. Each month that a statement may have to read costs time before it begins, and nearly all pages are full before
// the months of the first are over.
func (s *Store) spans(p core.Paging[core.ID], least core.ID) []idSpan {
	all := idSpan{from: least}
	if !s.plan.isShared {
		return []idSpan{all}
	}
	var list []idSpan
	for _, months := range []int{1, 12} {
		at, isTime := p.Before.Time()
		switch {
		case p.IsLast && isTime: // from there towards the newest
			list = append(list, idSpan{least, core.FirstID(monthOf(at).AddDate(0, months+1, 0))})
			continue
		case p.IsLast: // the oldest are not known to be of any month
			continue
		}
		if at, isTime = p.After.Time(); !isTime {
			at = time.Now() // a clock that is wrong makes it slower
		}
		if from := core.FirstID(monthOf(at).AddDate(0, -months, 0)); from > least {
			list = append(list, idSpan{from: from})
		}
	}
	return append(list, all)
}

// pageByMonth reads a page of a list of a partitioned table's rows, newest first, of rows from an ID on; from none: of all.
func pageByMonth[R, T any](
	ctx context.Context, s *Store, op string, turn func(R) (T, error), p core.Paging[core.ID], least core.ID, q *bun.SelectQuery,
) (rows []T, err error) {
	for _, part := range s.spans(p, least) {
		rows, err = pageOf(ctx, op, turn, newestFirst, p, part.of(q.Clone()))
		if err != nil || len(rows) >= p.Bounded().Limit {
			break
		}
	}
	return rows, err
}

func (s idSpan) of(q *bun.SelectQuery) *bun.SelectQuery {
	if s.from != "" {
		q = q.Where("id >= ?", s.from)
	}
	if s.until != "" {
		q = q.Where("id < ?", s.until)
	}
	return q
}

// keyOfRow is the ID that PostgreSQL says of a row that has no partition.
var keyOfRow = regexp.MustCompile(`\(([0-7][0-9A-HJKMNP-TV-Z]{25})\)`)

// withRoom makes the partitions that a commit lacks, by a clock that is far from the database's or since no worker has made them. The
// commit was undone whole and may be tried again then.
func (s *Store) withRoom(ctx context.Context, failed error) error {
	var fromPostgres serverError
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
	all, err := partitionsOf(ctx, s.writes)
	if err == nil {
		_, err = makeMonth(ctx, s.writes, all, monthOf(at))
	}
	if err != nil {
		return errors.Join(failed, err)
	}
	return errors.Join(errUndone, failed)
}

// dropMonths drops the partitions of a kind all of whose rows are older than those from an ID on. Those of the first partition are
// deleted one by one meanwhile: the ID before which is returned.
func (s *Store) dropMonths(ctx context.Context, kind core.Prunable, from core.ID) (core.ID, error) {
	table, isPartitioned := droppedByMonth[kind]
	if !isPartitioned || !s.plan.isShared {
		return from, nil
	}
	all, err := partitionsOf(ctx, s.background)
	if err != nil {
		return "", err
	}
	rest := core.ID("")
	for _, p := range all {
		month, isOfTable := strings.CutPrefix(p.Name, table+"_")
		switch {
		case !isOfTable:
		case p.Parent == "" && core.FirstID(endOf(month)) > from: // somebody else's
		case p.Parent == "":
			err = errors.Join(err, s.drop(ctx, p))
		case p.IsPending, p.until <= from && !s.isNeeded(ctx, kind, p, from):
			err = errors.Join(err, s.detach(ctx, p))
		case p.from == "":
			rest = min(from, p.until)
		}
	}
	return rest, err
}

// endOf is the end of the month that a partition is called by; the first one is called by none, and is detached when it is over.
func endOf(name string) time.Time {
	month, err := time.Parse("200601", name)
	if err != nil {
		return time.Time{}
	}
	return month.AddDate(0, 1, 0)
}

// isNeeded reports whether somebody may still look at a partition's rows for what is under way: at the attempts of callbacks that wait, or at
// histories of payments that may change. What cannot be found out is needed.
func (s *Store) isNeeded(ctx context.Context, kind core.Prunable, p partition, from core.ID) bool {
	is := true
	switch kind {
	case core.CallbackAttempts:
		find := "SELECT EXISTS (SELECT 1 FROM callbacks AS c JOIN " + p.Name + " AS a ON a.callback_id = c.id WHERE c.state = 'waiting')"
		return s.reads.NewRaw(find).Scan(ctx, &is) != nil || is
	case core.Histories:
		use, err := s.historyUse(ctx, p.from, p.until, from)
		return err != nil || !use.IsNone()
	default:
		return false
	}
}

// detach takes a partition out of its table, beside whoever uses the table. On PostgreSQL 13, which cannot do that, its lock is one of a
// moment.
func (s *Store) detach(ctx context.Context, p partition) error {
	how := " CONCURRENTLY"
	var version int
	if err := s.background.NewRaw("SELECT current_setting('server_version_num')::int").Scan(ctx, &version); err != nil {
		return err
	}
	switch {
	case p.IsPending:
		how = " FINALIZE"
	case version < 140000:
		how = ""
	}
	_, err := s.background.DB.ExecContext(ctx, "ALTER TABLE "+p.Parent+" DETACH PARTITION "+p.Name+how)
	if err = s.unlessGone(ctx, p.Name, err); err != nil {
		return err
	}
	return s.drop(ctx, p)
}

// unlessGone forgives what failed since another worker was quicker.
func (s *Store) unlessGone(ctx context.Context, name string, failed error) error {
	if failed == nil {
		return nil
	}
	all, err := partitionsOf(ctx, s.background)
	if err == nil && !slices.ContainsFunc(all, func(p partition) bool { return p.Name == name && p.Parent != "" }) {
		return nil
	}
	return errors.Join(failed, err)
}

// drop drops what was detached, now or before a crash. Nobody uses it.
func (s *Store) drop(ctx context.Context, p partition) error {
	_, err := s.background.DB.ExecContext(ctx, "DROP TABLE IF EXISTS "+p.Name)
	return err
}
