package owner

import (
	"context"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
)

// NoteOldKey keeps that a key from before a rotation was used for the first time, so that staff see who has still to
// change to the new one. A lost race is somebody else's note of it, or a change that the next use comes after. Faults:
// NotFound, Unavailable.
func (s *Directory) NoteOldKey(ctx context.Context, use owner.OldKeyUse) error {
	change, err := s.noted(ctx, use)
	if err == nil {
		err = s.UnitOfWork.Commit(ctx, change)
	}
	if fault.Is(err, fault.Conflict) {
		return nil
	}
	return fault.E("directory.NoteOldKey", "", err)
}

func (s *Directory) noted(ctx context.Context, use owner.OldKeyUse) (core.Changeset, error) {
	now := s.UnitOfWork.Clock.Now()
	switch {
	case use.ProviderID != 0:
		return noted(ctx, s.UnitOfWork.Directory.Provider, use.ProviderID, use.Kind, now)
	case use.DealerID != 0:
		return noted(ctx, s.UnitOfWork.Directory.Dealer, use.DealerID, use.Kind, now)
	case use.SiteID != 0:
		return noted(ctx, s.UnitOfWork.Directory.Site, use.SiteID, use.Kind, now)
	default:
		return noted(ctx, s.Owners.SiteToken, use.SiteTokenID, use.Kind, now)
	}
}

func noted[T rotatable[T]](
	ctx context.Context, find func(context.Context, int64) (T, error), id int64, kind owner.KeyKind, now time.Time,
) (core.Changeset, error) {
	found, err := find(ctx, id)
	if used, ok := found.NoteUse(kind, now); ok && err == nil {
		return core.Changeset{used}, nil
	}
	return nil, err
}
