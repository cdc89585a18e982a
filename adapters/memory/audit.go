package memory

import (
	"cmp"
	"context"
	"slices"

	"github.com/vezne/vezne/core"
)

func (s *Store) makeAuditTables() {
	s.auditLinks = newTable(row[int64, core.AuditLink]{
		key: func(l core.AuditLink) int64 { return l.No }, version: once[core.AuditLink],
		names: func(l core.AuditLink) []string { return []string{string(l.EntryID)} },
	})
}

// audited gives the entries for which is holds, oldest first.
func (s *Store) audited(is func(core.AuditEntry) bool) []core.AuditEntry {
	found := s.audit.where(is)
	slices.SortFunc(found, func(a, b core.AuditEntry) int { return cmp.Compare(a.ID, b.ID) })
	return found
}

// AuditEntries implements ports.AuditLog.
func (s *Store) AuditEntries(ctx context.Context, q core.AuditQuery) ([]core.AuditRecord, error) {
	return list(ctx, s, "memory.AuditEntries", func() []core.AuditRecord {
		found := s.audited(func(e core.AuditEntry) bool {
			return (q.ActorKind == "" || e.By.Kind == q.ActorKind) && (q.ActorID == "" || e.By.ID == q.ActorID) &&
				(q.Action == "" || e.Action == q.Action) && (q.Target == "" || e.Target == q.Target) &&
				(q.From.IsZero() || !e.At.Before(q.From)) && (q.Until.IsZero() || e.At.Before(q.Until)) &&
				(q.After == "" || e.ID < q.After)
		})
		slices.Reverse(found)
		var records []core.AuditRecord
		for _, e := range first(found, q.Limit) {
			link, _ := s.auditLinks.find(string(e.ID))
			records = append(records, core.AuditRecord{AuditEntry: e, ChainNo: link.No})
		}
		return records
	})
}

// links gives the links from a number on, in their order.
func (s *Store) links(from int64) []core.AuditLink {
	found := s.auditLinks.where(func(l core.AuditLink) bool { return l.No >= from })
	slices.SortFunc(found, func(a, b core.AuditLink) int { return cmp.Compare(a.No, b.No) })
	return found
}

// AuditHead implements ports.AuditLog.
func (s *Store) AuditHead(ctx context.Context) (core.AuditLink, error) {
	return read(ctx, s, "memory.AuditHead", func() (core.AuditLink, bool) {
		all := s.links(0)
		if len(all) == 0 {
			return core.AuditLink{}, true
		}
		return all[len(all)-1], true
	})
}

// AuditLinks implements ports.AuditLog.
func (s *Store) AuditLinks(ctx context.Context, from int64, limit int) ([]core.ChainedEntry, error) {
	return list(ctx, s, "memory.AuditLinks", func() []core.ChainedEntry {
		var chained []core.ChainedEntry
		for _, l := range first(s.links(from), limit) {
			e, ok := s.audit.get(l.EntryID)
			chained = append(chained, core.ChainedEntry{Link: l, Entry: e, HasEntry: ok})
		}
		return chained
	})
}

// Unchained implements ports.AuditLog.
func (s *Store) Unchained(ctx context.Context, after core.ID, limit int) (found []core.AuditEntry, last core.ID, err error) {
	stretch, err := list(ctx, s, "memory.Unchained", func() []core.AuditEntry {
		return first(s.audited(func(e core.AuditEntry) bool { return e.ID > after }), limit)
	})
	if err != nil || len(stretch) == 0 {
		return nil, "", err
	}
	found, err = list(ctx, s, "memory.Unchained", func() []core.AuditEntry {
		return slices.DeleteFunc(slices.Clone(stretch), func(e core.AuditEntry) bool {
			_, isChained := s.auditLinks.find(string(e.ID))
			return isChained
		})
	})
	return found, stretch[len(stretch)-1].ID, err
}
