package graph

import (
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/graph/page"
)

func (q queryResolver) AuditLog(
	ctx context.Context, filter *core.AuditQuery, first *int, after *string, last *int, before *string,
) (*page.AuditConnection, error) {
	staff := staffOf(ctx)
	query := valueOf(filter)
	place := func(r core.AuditRecord) core.ID { return r.ID }
	return page.Read(page.Of(first, after, last, before), page.ByID, place, func(p core.Paging[core.ID]) ([]core.AuditRecord, error) {
		query.Paging = p
		return q.Audit.Entries(ctx, staff, query)
	})
}

// valueOf is what is asked for, or nothing.
func valueOf[T any](v *T) T {
	var none T
	if v == nil {
		return none
	}
	return *v
}

func (auditEntryResolver) ActorID(_ context.Context, r *core.AuditRecord) (*core.ID, error) {
	if r.Actor.ID == "" {
		return nil, nil
	}
	id := core.ID(r.Actor.ID)
	return &id, nil
}

func (auditEntryResolver) IsChained(_ context.Context, r *core.AuditRecord) (bool, error) {
	return r.ChainNumber > 0, nil
}
