package bunstore

import (
	"context"
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
	q := s.reads.NewSelect().ModelTableExpr("audit_entries AS record_row").
		ColumnExpr("id, at, by_kind, by_id, by_name, by_addr, action, target, reason, before_state, after_state").
		ColumnExpr(chainNo)
	return pageOf(ctx, "bunstore.AuditEntries", recordRow.record, newestFirst, query.Paging, s.whereAudited(q, query))
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
		q = q.Where("id >= ?", core.FirstID(query.From.Add(-idSlack))).Where("at >= ?", timestamp(query.From))
	}
	if !query.Until.IsZero() {
		q = q.Where("id < ?", core.FirstID(query.Until.Add(idSlack))).Where("at < ?", timestamp(query.Until))
	}
	return q
}

const auditLinks = `SELECT c.no, c.entry_id, c.version, c.hash, c.key_id, a.id, a.at, a.by_kind, a.by_id, a.by_name, a.by_addr, a.action,
	a.target, a.reason, a.before_state, a.after_state
FROM (SELECT * FROM audit_chain WHERE no >= ?0 ORDER BY no LIMIT ?1) AS c LEFT JOIN audit_entries AS a ON a.id = c.entry_id
ORDER BY c.no`

// chainedRow is a link with its entry, whose columns are all null where there is none.
type chainedRow struct {
	linkRow
	ID     *core.ID  `bun:"id"`
	At     timestamp `bun:"at"`
	ByKind string    `bun:"by_kind"`
	ByID   string    `bun:"by_id"`
	ByName string    `bun:"by_name"`
	ByAddr string    `bun:"by_addr"`
	Action string    `bun:"action"`
	Target string    `bun:"target"`
	Reason string    `bun:"reason"`
	Before string    `bun:"before_state"`
	After  string    `bun:"after_state"`
}

func (r chainedRow) chained() (audit.ChainedEntry, error) {
	if r.ID == nil {
		return audit.ChainedEntry{Link: r.link()}, nil
	}
	return audit.ChainedEntry{Link: r.link(), HasEntry: true, Entry: core.AuditEntry{
		ID: *r.ID, At: time.Time(r.At), Actor: core.Actor{Kind: core.ActorKind(r.ByKind), ID: r.ByID, Name: r.ByName, Addr: r.ByAddr},
		Action: r.Action, Target: r.Target, Reason: r.Reason, Before: r.Before, After: r.After,
	}}, nil
}

// AuditLinks implements ports.AuditLog.
func (s *Store) AuditLinks(ctx context.Context, first int64, limit int) ([]audit.ChainedEntry, error) {
	if limit < 1 {
		return nil, nil
	}
	return raw(ctx, s, "bunstore.AuditLinks", chainedRow.chained, auditLinks, first, limit)
}

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
	turn := func(r auditRow) (core.AuditEntry, error) { return r.entry(), nil }
	found, err := raw(ctx, s, op, turn, unchained, after, last.ID)
	return found, last.ID, err
}
