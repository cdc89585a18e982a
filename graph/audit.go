package graph

import (
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/graph/generated"
)

func (q queryResolver) AuditLog(
	ctx context.Context, filter *core.AuditQuery, first *int, after *string,
) (*generated.AuditConnection, error) {
	staff, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	query := valueOf(filter)
	if query.After, err = readCursor(after); err != nil {
		return nil, err
	}
	rows, hasNext, err := rowsOf(first, func(limit int) ([]core.AuditRecord, error) {
		query.Limit = limit
		return q.Audit.Entries(ctx, staff, query)
	})
	page := &generated.AuditConnection{Nodes: append([]core.AuditRecord{}, rows...)}
	page.Edges, page.PageInfo = edgesOf(rows, hasNext, func(r *core.AuditRecord) core.ID { return r.ID },
		func(cursor string, r *core.AuditRecord) generated.AuditEdge {
			return generated.AuditEdge{Cursor: cursor, Node: r}
		})
	return page, err
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
