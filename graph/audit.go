package graph

import (
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/graph/generated"
)

func (q queryResolver) AuditLog(
	ctx context.Context, filter *generated.AuditFilter, first *int, after *string,
) (*generated.AuditConnection, error) {
	staff, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	query, err := auditQuery(filter)
	if err != nil {
		return nil, err
	}
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

func auditQuery(f *generated.AuditFilter) (core.AuditQuery, error) {
	if f == nil {
		return core.AuditQuery{}, nil
	}
	q := core.AuditQuery{
		ActorKind: valueOf(f.ActorKind), ActorID: string(valueOf(f.ActorID)), Action: valueOf(f.Action),
		Target: valueOf(f.Target), From: valueOf(f.From), Until: valueOf(f.Until),
	}
	var form core.Form
	if f.ActorKind != nil {
		checkWords(&form, "actorKind", []core.ActorKind{q.ActorKind}, actorKinds())
	}
	return q, form.Err("graph.auditQuery")
}

// valueOf is what is asked for, or nothing.
func valueOf[T any](v *T) T {
	var none T
	if v == nil {
		return none
	}
	return *v
}

func actorKinds() []core.ActorKind {
	return []core.ActorKind{core.ByProvider, core.ByDealer, core.ByCustomer, core.ByStaff, core.ByGateway, core.BySystem}
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
