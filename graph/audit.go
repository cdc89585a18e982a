package graph

import (
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/graph/page"
)

func (q queryResolver) AuditLog(
	ctx context.Context, filter *core.AuditQuery, first *int, after *string, last *int, before *string,
) (*page.AuditConnection, error) {
	place := func(r core.AuditRecord) core.ID { return r.ID }
	return list(ctx, filter, page.Of(first, after, last, before), page.ByID, place, q.Audit.Entries)
}

func (auditEntryResolver) ActorID(_ context.Context, r *core.AuditRecord) (*core.ID, error) {
	if r.Actor.ID == "" {
		return nil, nil
	}
	return new(core.ID(r.Actor.ID)), nil
}

func (auditEntryResolver) IsChained(_ context.Context, r *core.AuditRecord) (bool, error) {
	return r.ChainNumber > 0, nil
}
