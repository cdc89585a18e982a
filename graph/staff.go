package graph

import (
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/graph/generated"
)

func (queryResolver) Me(ctx context.Context) (*core.Staff, error) {
	staff, err := signedIn(ctx)
	return &staff, err
}

func (m mutationResolver) Login(ctx context.Context, email, password string) (*generated.Login, error) {
	token, err := m.Staff.Login(ctx, email, password, callerOf(ctx).addr)
	return &generated.Login{Token: token}, err
}

func (staffResolver) Permissions(_ context.Context, s *core.Staff) ([]core.Permission, error) {
	return s.Role.Permissions(), nil
}
