package graph

import (
	"cmp"
	"context"

	appstaff "github.com/vezne/vezne/app/staff"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/graph/generated"
)

func (queryResolver) Me(ctx context.Context) (*staff.Staff, error) {
	staff, err := signedIn(ctx)
	return &staff, err
}

func (staffResolver) Permissions(_ context.Context, s *staff.Staff) ([]staff.Permission, error) {
	return s.Role.Permissions(), nil
}

func (m mutationResolver) UpdateMyProfile(ctx context.Context, input appstaff.ProfilePatch) (*generated.StaffPayload, error) {
	member, err := m.Staff.UpdateProfile(ctx, acting(ctx), input)
	return &generated.StaffPayload{StaffMember: &member}, err
}

func (s staffResolver) Profile(ctx context.Context, member *staff.Staff) (*staff.Profile, error) {
	profile, err := s.Staff.ProfileOf(ctx, acting(ctx), *member)
	return &profile, err
}

func (profileResolver) Theme(_ context.Context, p *staff.Profile) (staff.Theme, error) {
	return cmp.Or(p.Theme, staff.SystemTheme), nil
}
