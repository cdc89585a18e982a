package graph

import (
	"context"

	"github.com/vezne/vezne/app/audit"
	"github.com/vezne/vezne/core"
	coreaudit "github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/core/lang"
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

func (auditEntryResolver) ActionLabel(ctx context.Context, r *core.AuditRecord, language *string) (string, error) {
	return actionLabel(ctx, r.Action, language)
}

func actionLabel(ctx context.Context, action string, language *string) (string, error) {
	tag, err := languageOf(ctx, lang.Tag(valueOf(language)))
	return lang.Action(tag, action), err
}

func (auditEntryResolver) IsChained(_ context.Context, r *core.AuditRecord) (bool, error) {
	return r.ChainNumber > 0, nil
}

func (auditEntryResolver) Changes(_ context.Context, r *core.AuditRecord) ([]coreaudit.Change, error) {
	return coreaudit.Changes(r.Target, r.Before, r.After), nil
}

func (q queryResolver) AuditChain(ctx context.Context) (*audit.State, error) {
	state, err := q.Audit.State(ctx, staffOf(ctx))
	if err != nil {
		return nil, err
	}
	return &state, nil
}

func (auditChainResolver) Head(_ context.Context, s *audit.State) (*coreaudit.Link, error) {
	return placed(s.Link), nil
}

func (auditHeadResolver) Hash(_ context.Context, l *coreaudit.Link) (string, error) {
	return l.Hash.String(), nil
}

func (auditCheckResolver) Verified(_ context.Context, c *coreaudit.Check) (*coreaudit.Link, error) {
	return placed(coreaudit.Link{No: c.Verified.No, Hash: c.Verified.Hash, KeyID: c.KeyID}), nil
}

// placed is nil for the place before the first.
func placed(l coreaudit.Link) *coreaudit.Link {
	if l.No == 0 {
		return nil
	}
	return &l
}
