package graph

import (
	"context"

	"github.com/vezne/vezne/core"
)

func (queryResolver) Me(ctx context.Context) (*core.Staff, error) {
	staff, err := signedIn(ctx)
	return &staff, err
}

func (staffResolver) Permissions(_ context.Context, s *core.Staff) ([]core.Permission, error) {
	return s.Role.Permissions(), nil
}
