package graph

import (
	"context"

	"github.com/vezne/vezne/app/command"
	appstaff "github.com/vezne/vezne/app/staff"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/graph/generated"
	"github.com/vezne/vezne/graph/page"
	"github.com/vezne/vezne/graph/scalar"
)

func (q queryResolver) Staff(
	ctx context.Context, filter *staff.Query, first *int, after *string, last *int, before *string,
) (*page.StaffConnection, error) {
	query := valueOf(filter)
	place := func(m staff.Staff) int64 { return m.ID }
	return page.Read(page.Of(first, after, last, before), page.ByNumber, place, func(p core.Paging[int64]) ([]staff.Staff, error) {
		query.Paging = p
		return q.Config.Staff.Members(ctx, callerOf(ctx).request, query)
	})
}

func (queryResolver) Roles(context.Context) ([]generated.RoleRights, error) {
	var list []generated.RoleRights
	for _, role := range staff.Roles() {
		list = append(list, generated.RoleRights{Role: role, Permissions: role.Permissions()})
	}
	return list, nil
}

func (q queryResolver) StaffMember(ctx context.Context, id core.ID) (*staff.Staff, error) {
	return memberOf(id, func(row int64) (staff.Staff, error) {
		return q.Config.Staff.Member(ctx, callerOf(ctx).request, row)
	})
}

// memberOf reads the id of a member and gives who comes of it.
func memberOf(id core.ID, call func(row int64) (staff.Staff, error)) (*staff.Staff, error) {
	row, err := scalar.ReadRowID("id", id)
	if err != nil {
		return nil, err
	}
	member, err := call(row)
	return &member, err
}

func (q queryResolver) StaffSessions(ctx context.Context, staffID core.ID) ([]staff.Session, error) {
	row, err := scalar.ReadRowID("staffId", staffID)
	if err != nil {
		return nil, err
	}
	return q.Config.Staff.SessionsFor(ctx, callerOf(ctx).request, row)
}

func (q queryResolver) Invitations(ctx context.Context, first *int, after *string, last *int, before *string) (*page.InvitationConnection, error) {
	place := func(i staff.Invitation) core.ID { return i.ID }
	return page.Read(page.Of(first, after, last, before), page.ByID, place, func(p core.Paging[core.ID]) ([]staff.Invitation, error) {
		return q.Config.Staff.Invitations(ctx, callerOf(ctx).request, staff.InvitationQuery{Paging: p})
	})
}

func (m mutationResolver) InviteStaff(ctx context.Context, input appstaff.NewInvitation) (*appstaff.Invited, error) {
	return run(ctx, m, m.Commands.InviteStaff, input)
}

func (m mutationResolver) RevokeInvitation(ctx context.Context, input generated.RevokeInvitationInput) (*generated.InvitationPayload, error) {
	revoked, err := m.Staff.RevokeInvitation(ctx, callerOf(ctx).request, input.ID)
	return &generated.InvitationPayload{Invitation: &revoked}, err
}

// changedMember reads the id of a member and gives who comes of the change.
func changedMember(id core.ID, change func(row int64) (staff.Staff, error)) (*generated.StaffPayload, error) {
	member, err := memberOf(id, change)
	return &generated.StaffPayload{StaffMember: member}, err
}

func (m mutationResolver) UpdateStaff(ctx context.Context, input appstaff.MemberUpdate) (*generated.StaffPayload, error) {
	s, err := run(ctx, m, m.Commands.UpdateStaff, input)
	return &generated.StaffPayload{StaffMember: s}, err
}

func (m mutationResolver) UnlockStaff(ctx context.Context, input generated.UnlockStaffInput) (*generated.StaffPayload, error) {
	return changedMember(input.ID, func(row int64) (staff.Staff, error) { return m.Staff.Unlock(ctx, callerOf(ctx).request, row) })
}

func (m mutationResolver) ResetStaffFactors(ctx context.Context, input command.ResetStaffFactorsInput) (*generated.StaffPayload, error) {
	s, err := run(ctx, m, m.Commands.ResetStaffFactors, input)
	return &generated.StaffPayload{StaffMember: s}, err
}

func (m mutationResolver) RevokeStaffSessions(ctx context.Context, input generated.RevokeStaffSessionsInput) (*generated.SessionsPayload, error) {
	row, err := scalar.ReadRowID("staffId", input.StaffID)
	if err != nil {
		return nil, err
	}
	id := valueOf(input.SessionID)
	if input.SessionID != nil {
		if err := core.CheckID(id); err != nil {
			return nil, err
		}
	}
	if err := m.Staff.RevokeStaffSessions(ctx, callerOf(ctx).request, row, id); err != nil {
		return nil, err
	}
	sessions, err := m.Staff.SessionsFor(ctx, callerOf(ctx).request, row)
	return &generated.SessionsPayload{Sessions: sessions}, err
}

func (s staffResolver) SecondFactors(ctx context.Context, member *staff.Staff) (*appstaff.FactorState, error) {
	state, err := s.Staff.FactorsFor(ctx, callerOf(ctx).request, *member)
	return &state, err
}
