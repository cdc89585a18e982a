package bunstore

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/audit"
)

// idSlack is how far an audit entry's ID may be from its At.
const idSlack = time.Minute

// linkRow is a link of the audit log's chain.
type linkRow struct {
	bun.BaseModel `bun:"table:audit_chain"`

	No      int64   `bun:"no,pk"`
	EntryID core.ID `bun:"entry_id"`
	Version int     `bun:"version"`
	Hash    string  `bun:"hash"`
	KeyID   string  `bun:"key_id"`
}

func linkRowOf(l audit.Link) linkRow {
	return linkRow{No: l.No, EntryID: l.EntryID, Version: l.Version, KeyID: l.KeyID, Hash: l.Hash.String()}
}

// link returns a hash that somebody has written by hand as none: nothing follows from it, and the chain breaks there.
func (r linkRow) link() audit.Link {
	h, _ := audit.ParseHash(r.Hash)
	return audit.Link{No: r.No, EntryID: r.EntryID, Version: r.Version, KeyID: r.KeyID, Hash: h}
}

func (r auditRow) entry() core.AuditEntry {
	return core.AuditEntry{
		ID: r.ID, At: time.Time(r.At), Actor: r.actor(), Action: r.Action, Target: r.Target, Reason: r.Reason,
		Before: r.Before, After: r.After,
	}
}

// recordRow is an audit entry with its place in the chain.
type recordRow struct {
	auditRow
	No int64 `bun:"no,scanonly"`
}

func (r recordRow) record() (core.AuditRecord, error) {
	return core.AuditRecord{AuditEntry: r.entry(), ChainNumber: r.No}, nil
}

const chainNo = "COALESCE((SELECT no FROM audit_chain WHERE entry_id = record_row.id), 0) AS no"

// AuditEntries implements ports.AuditLog. Each of its lists is the end of one index: the narrowest that was asked for.
func (s *Store) AuditEntries(ctx context.Context, query core.AuditQuery) ([]core.AuditRecord, error) {
	const op = "bunstore.AuditEntries"
	q := s.reads.NewSelect().ModelTableExpr("audit_entries AS record_row").
		ColumnExpr("id, at, by_kind, by_id, by_name, by_addr, action, target, reason, before_state, after_state").
		ColumnExpr(chainNo)
	least, err := s.madeWith(ctx, query.Target)
	if err != nil {
		return nil, fail(op, err)
	}
	if !query.From.IsZero() {
		least = max(least, core.FirstID(query.From.Add(-idSlack)))
	}
	return pageByMonth(ctx, s, op, recordRow.record, query.Paging, least, s.whereAudited(q, query))
}

// madeWith is the least ID that an entry about a target can have: nothing is said of what is not made yet. It is empty for targets that are
// not known to be of any time.
func (s *Store) madeWith(ctx context.Context, target string) (core.ID, error) {
	kind, name, _ := strings.Cut(target, "/")
	id := core.ID(name)
	if kind == "payment" {
		err := s.reads.NewSelect().Table("payments").Column("id").Where("tracking_code = ? AND tracking_code <> ''", name).Scan(ctx, &id)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return "", err
		}
	}
	at, isTime := id.Time()
	if !isTime {
		return "", nil
	}
	return core.FirstID(at.Add(-idSlack)), nil
}

func (s *Store) whereAudited(q *bun.SelectQuery, query core.AuditQuery) *bun.SelectQuery {
	column := func(name string, isNarrowest bool) string {
		if isNarrowest {
			return name
		}
		return s.dialect.unindexed(name)
	}
	byTarget, byActor, byOther := query.Target != "", query.ActorID != "", false
	q = whereSet(q, "target = ?", query.Target)
	switch {
	case query.ActorKind == "":
	case query.ActorKind == core.ByStaff && !byActor:
		q = q.Where(s.dialect.unindexed("by_kind")+" = ?", query.ActorKind) // nearly all are: no index is of use
	case byActor:
		q = q.Where(column("by_kind", !byTarget)+" = ?", query.ActorKind)
	default:
		byOther = true
		q = q.Where("by_kind <> 'staff'").Where(column("by_kind", !byTarget)+" = ?", query.ActorKind) // as its index says
	}
	q = whereSet(q, column("by_id", !byTarget)+" = ?", query.ActorID)
	q = whereSet(q, column("action", !byTarget && !byActor && !byOther)+" = ?", query.Action)
	if !query.From.IsZero() {
		q = q.Where("at >= ?", timestamp(query.From))
	}
	if !query.Until.IsZero() {
		q = q.Where("id < ?", core.FirstID(query.Until.Add(idSlack))).Where("at < ?", timestamp(query.Until))
	}
	return q
}

// AuditLinks implements ports.AuditLog. Entries are read by their IDs, which say in which months they are: a join would ask each month for
// each of them. What is linked is there already, so that links that are read first find theirs.
func (s *Store) AuditLinks(ctx context.Context, first int64, limit int) ([]audit.ChainedEntry, error) {
	const op = "bunstore.AuditLinks"
	if limit < 1 {
		return nil, nil
	}
	turn := func(r linkRow) (audit.ChainedEntry, error) { return audit.ChainedEntry{Link: r.link()}, nil }
	list, err := raw(ctx, s, op, turn, "SELECT * FROM audit_chain WHERE no >= ? ORDER BY no LIMIT ?", first, limit)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	ids := make([]core.ID, len(list))
	for i, c := range list {
		ids[i] = c.Link.EntryID
	}
	entries, err := raw(ctx, s, op, asEntry, "SELECT * FROM audit_entries WHERE id IN (?)", bun.List(ids))
	if err != nil {
		return nil, err
	}
	byID := make(map[core.ID]core.AuditEntry, len(entries))
	for _, e := range entries {
		byID[e.ID] = e
	}
	for i := range list {
		list[i].Entry, list[i].HasEntry = byID[list[i].Link.EntryID]
	}
	return list, nil
}

func asEntry(r auditRow) (core.AuditEntry, error) { return r.entry(), nil }

// unchained looks a link up for each entry of the stretch: a join might read the whole chain.
const unchained = `SELECT * FROM audit_entries WHERE id > ?0 AND id <= ?1
	AND (SELECT no FROM audit_chain WHERE entry_id = audit_entries.id) IS NULL ORDER BY id`

// Unchained implements ports.AuditLog.
func (s *Store) Unchained(ctx context.Context, after core.ID, limit int) ([]core.AuditEntry, core.ID, error) {
	const op = "bunstore.Unchained"
	if limit < 1 {
		return nil, "", nil
	}
	var last struct {
		ID core.ID `bun:"id"`
	}
	stretch := `SELECT COALESCE(max(id), '') AS id FROM (SELECT id FROM audit_entries WHERE id > ? ORDER BY id LIMIT ?) AS stretch`
	if err := s.reads.NewRaw(stretch, after, limit).Scan(ctx, &last); err != nil || last.ID == "" {
		return nil, "", fail(op, err)
	}
	found, err := raw(ctx, s, op, asEntry, unchained, after, last.ID)
	return found, last.ID, err
}

// keptEntries is the first ID of those entries of which the log does not say that they are kept no longer; empty: it says so of none. It is
// what the triggers ask, which a partition that is dropped has none of. Whether it is signed is for those to see who verify the chain.
func (s *Store) keptEntries(ctx context.Context) (kept core.ID, err error) {
	var states []string
	err = s.background.NewSelect().Table("audit_entries").Column("after_state").
		Where("target = ?", audit.LogTarget).Where(s.dialect.unindexed("action")+" = ?", audit.DropAction).Scan(ctx, &states)
	for _, state := range states {
		if d, err := audit.ParseDropped(state); err == nil {
			kept = max(kept, d.Until)
		}
	}
	return kept, err
}
