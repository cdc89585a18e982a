package graph

import (
	"context"

	"github.com/vezne/vezne/app/command"
	"github.com/vezne/vezne/app/restore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/epoch"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/graph/generated"
)

func (q queryResolver) Restoration(ctx context.Context) (*restore.Status, error) {
	status, err := q.Restore.Status(ctx, staffOf(ctx))
	return &status, err
}

func (r restorationResolver) Remains(ctx context.Context, _ *restore.Status, isOpen *bool, after *core.ID) ([]epoch.Remain, error) {
	page := core.Paging[core.ID]{Limit: core.MaxPage, After: valueOf(after)}
	return listed(r.Restore.Remains(ctx, staffOf(ctx), epoch.RemainQuery{IsOpen: isOpen, Paging: page}))
}

func (remainResolver) AcknowledgedBy(_ context.Context, r *epoch.Remain) (*core.Actor, error) {
	if r.IsOpen() {
		return nil, nil
	}
	return &r.By, nil
}

func (r remainResolver) Gateway(ctx context.Context, of *epoch.Remain) (*owner.GatewayAccount, error) {
	return r.gateway(ctx, of.GatewayID())
}

func (m mutationResolver) AcknowledgeRemains(ctx context.Context, input command.AcknowledgeRemainsInput) (*generated.AcknowledgeRemainsPayload, error) {
	done, err := run(ctx, m, m.Commands.AcknowledgeRemains, input)
	return &generated.AcknowledgeRemainsPayload{Remains: valueOf(done)}, err
}

func (m mutationResolver) Thaw(ctx context.Context, input command.ThawInput) (*generated.ThawPayload, error) {
	status, err := run(ctx, m, m.Commands.Thaw, input)
	return &generated.ThawPayload{Restoration: status}, err
}

// isFrozen reports whether no money moves, for whoever is signed in.
func (q queryResolver) isFrozen() bool {
	return fault.Is(q.Withdrawals.UnitOfWork.MayMove(), fault.Frozen)
}
