package storetest_test

import (
	"context"
	"slices"
	"time"

	"github.com/vezne/vezne/adapters/memory"
	"github.com/vezne/vezne/core"
)

// brokenAudit is what may be broken about the audit log and the work that waits.
type brokenAudit struct {
	auditQuery func(q *core.AuditQuery)
	records    func(found []core.AuditRecord)
	chained    func(found []core.ChainedEntry)
	forgetful  bool // what was chained counts as not chained
	watermark  bool // only what is newer than all that is chained is found
	work       func(w *core.DueWork)
}

func (b broken) AuditEntries(ctx context.Context, q core.AuditQuery) ([]core.AuditRecord, error) {
	if b.auditQuery != nil {
		b.auditQuery(&q)
	}
	found, err := b.Store.AuditEntries(ctx, q)
	if b.records != nil {
		b.records(found)
	}
	return found, err
}

func (b broken) AuditLinks(ctx context.Context, from int64, limit int) ([]core.ChainedEntry, error) {
	found, err := b.Store.AuditLinks(ctx, from, limit)
	if b.chained != nil {
		b.chained(found)
	}
	return found, err
}

func (b broken) Unchained(ctx context.Context, after core.ID, limit int) ([]core.AuditEntry, core.ID, error) {
	found, last, err := b.Store.Unchained(ctx, after, limit)
	if b.forgetful {
		records, _ := b.Store.AuditEntries(ctx, core.AuditQuery{Limit: core.MaxPage})
		found = nil
		for _, r := range slices.Backward(records) {
			if r.ID > after && r.ID <= last {
				found = append(found, r.AuditEntry)
			}
		}
	}
	if b.watermark {
		head, _ := b.AuditHead(ctx)
		found = slices.DeleteFunc(found, func(e core.AuditEntry) bool { return e.ID < head.EntryID })
	}
	return found, last, err
}

func (b broken) DueWork(ctx context.Context, now time.Time) ([]core.DueWork, error) {
	list, err := b.Store.DueWork(ctx, now)
	for i := range list {
		if b.work != nil {
			b.work(&list[i])
		}
	}
	return list, err
}

func auditDefects() []defect {
	audit := func(name, fails string, b brokenAudit) defect {
		return defect{name, fails, func() broken { return broken{brokenAudit: b} }}
	}
	return []defect{
		audit("gives the oldest audit entries first", "audit log/entries come newest first, at most Limit of them",
			brokenAudit{records: slices.Reverse[[]core.AuditRecord]}),
		audit("takes any actor of a kind", "audit log/each filter narrows, alone and together with others",
			brokenAudit{auditQuery: func(q *core.AuditQuery) { q.ActorID = "" }}),
		audit("includes the end of a stretch of time", "audit log/each filter narrows, alone and together with others",
			brokenAudit{auditQuery: func(q *core.AuditQuery) {
				if !q.Until.IsZero() {
					q.Until = q.Until.Add(time.Microsecond)
				}
			}}),
		audit("loses the number in the chain", "audit chain/an entry shows its number once it is chained",
			brokenAudit{records: func(found []core.AuditRecord) {
				for i := range found {
					found[i].ChainNo = 0
				}
			}}),
		audit("invents entries", "audit chain/a link without its entry is given as such",
			brokenAudit{chained: func(found []core.ChainedEntry) {
				for i := range found {
					found[i].HasEntry = true
				}
			}}),
		audit("forgets what was chained", "audit chain/entries without a link are found, stretch by stretch",
			brokenAudit{forgetful: true}),
		audit("trusts a watermark", "audit chain/a late entry is found behind those that are chained", brokenAudit{watermark: true}),
		audit("counts what somebody has as stuck",
			"due work/what is due is counted from its moment on, and stuck when it is due too long and nobody has it",
			brokenAudit{work: func(w *core.DueWork) {
				if w.Stuck > 0 {
					w.Stuck = w.Due
				}
			}}),
		audit("takes what was skipped for failed", "due work/callbacks that were given up are counted apart",
			brokenAudit{work: func(w *core.DueWork) { w.Failed += w.Skipped }}),
		{"takes a number twice", "audit chain/a number is taken once", func() broken {
			return broken{change: func(s *memory.Store, c *core.Changeset) {
				head, _ := s.AuditHead(context.Background())
				c.AuditLinks = slices.Clone(c.AuditLinks)
				for i := range c.AuditLinks {
					c.AuditLinks[i].No = head.No + int64(i) + 1
				}
			}}
		}},
	}
}
