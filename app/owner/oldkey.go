package owner

import (
	"context"

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

func (s *Directory) noted(ctx context.Context, use owner.OldKeyUse) (change core.Changeset, err error) {
	now := s.UnitOfWork.Clock.Now()
	switch {
	case use.ProviderID != 0:
		p, err := s.UnitOfWork.Directory.Provider(ctx, use.ProviderID)
		if p, ok := p.NoteUse(use.Kind, now); ok && err == nil {
			change = append(change, p)
		}
		return change, err
	case use.DealerID != 0:
		d, err := s.UnitOfWork.Directory.Dealer(ctx, use.DealerID)
		if d, ok := d.NoteUse(use.Kind, now); ok && err == nil {
			change = append(change, d)
		}
		return change, err
	case use.SiteID != 0:
		site, err := s.UnitOfWork.Directory.Site(ctx, use.SiteID)
		if site, ok := site.NoteUse(use.Kind, now); ok && err == nil {
			change = append(change, site)
		}
		return change, err
	default:
		t, err := s.Owners.SiteToken(ctx, use.SiteTokenID)
		if t, ok := t.NoteUse(use.Kind, now); ok && err == nil {
			change = append(change, t)
		}
		return change, err
	}
}
