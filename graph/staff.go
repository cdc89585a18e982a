package graph

import (
	"context"

	"github.com/vezne/vezne/core/staff"
)

func (queryResolver) Me(ctx context.Context) (*staff.Staff, error) {
	staff, err := signedIn(ctx)
	return &staff, err
}

func (staffResolver) Permissions(_ context.Context, s *staff.Staff) ([]staff.Permission, error) {
	return s.Role.Permissions(), nil
}
