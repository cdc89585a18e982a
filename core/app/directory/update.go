package directory

import (
	"context"
	"fmt"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
)

// Provider finds a provider for staff who may edit it. Faults: Forbidden, NotFound.
func (s *Service) Provider(ctx context.Context, staff core.Staff, id int64) (core.Provider, error) {
	if err := staff.Require(core.EditProviders); err != nil {
		return core.Provider{}, err
	}
	return s.Directory.Provider(ctx, id)
}

// UpdateProvider changes the settings of a provider that the patch names. Faults: Forbidden, NotFound, Invalid.
func (s *Service) UpdateProvider(ctx context.Context, staff core.Staff, addr string, id int64, patch core.ProviderPatch) (core.Provider, error) {
	const op = "directory.UpdateProvider"
	if err := staff.Require(core.EditProviders); err != nil {
		return core.Provider{}, err
	}
	var after core.Provider
	err := s.Desk.Again(ctx, func() error {
		before, err := s.Directory.Provider(ctx, id)
		if err != nil {
			return err
		}
		if after, err = patch.Apply(before, s.Desk.Clock.Now()); err != nil {
			return err
		}
		entry := core.AuditEntry{
			Action: "updateProvider", Target: after.Ref(), Before: before.AuditState(), After: after.AuditState(),
		}
		return s.saveWith(ctx, staff.Actor(addr), entry, core.Changeset{Providers: []core.Provider{after}})
	})
	if err != nil {
		return core.Provider{}, fault.E(op, "", err)
	}
	return after, nil
}

func ref(kind string, id int64) string { return fmt.Sprintf("%s/%d", kind, id) }
