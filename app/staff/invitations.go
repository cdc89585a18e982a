package staff

import (
	"context"
	"strconv"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/core/staff"
)

// InvitePath is the page that takes invitations; the token follows as the fragment, which browsers do not send.
const InvitePath = "/invite#"

// NewInvitation is whom to invite.
type NewInvitation struct {
	Email      string
	Role       staff.Role
	DealerID   int64 // role dealer only
	ProviderID int64 // role provider only
}

// Invited is an invitation with its token and its link, which are shown once.
type Invited struct {
	Invitation staff.Invitation
	Token      string
	Link       string
}

// Invite makes an invitation; those for the same address that are open are revoked with it. Faults: Invalid; Conflict when
// there is a member with this address.
func (s *Service) Invite(ctx context.Context, v app.Request, n NewInvitation) (Invited, error) {
	const op = "access.Invite"
	if err := v.Staff.Require(staff.EditStaff); err != nil {
		return Invited{}, err
	}
	if err := s.CheckProven(ctx, v); err != nil {
		return Invited{}, err
	}
	n.Email = plainEmail(n.Email)
	if err := s.checkInvitation(ctx, n); err != nil {
		return Invited{}, fault.E(op, "", err)
	}
	token, err := core.NewKey(staff.InvitationKey, s.UnitOfWork.Random)
	if err != nil {
		return Invited{}, fault.E(op, fault.Internal, err)
	}
	var made staff.Invitation
	err = s.UnitOfWork.Again(ctx, func() error {
		audit, err := s.record(v.Actor(), "inviteStaff", "staff/"+n.Email)
		if err != nil {
			return err
		}
		made = staff.Invitation{
			ID: audit.ID, Version: 1, Fingerprint: sign.Fingerprint(token), Email: n.Email, Role: n.Role, DealerID: n.DealerID,
			ProviderID: n.ProviderID, InvitedBy: v.Actor(), CreatedAt: audit.At, ExpiresAt: audit.At.Add(staff.InvitationLife),
		}
		audit.After = membershipOf(staff.Staff{Role: n.Role, DealerID: n.DealerID, ProviderID: n.ProviderID, IsActive: true})
		change := core.Changeset{made, audit}
		open, err := s.Store.ListInvitations(ctx, staff.InvitationQuery{Email: n.Email, Paging: core.Paging[core.ID]{Limit: core.MaxPage}})
		if err != nil {
			return err
		}
		for _, i := range open {
			if s.inTime(i).IsOpen(audit.At) {
				change = append(change, i.Revoke(audit.At))
			}
		}
		return s.UnitOfWork.CommitFor(ctx, v, change)
	})
	return Invited{Invitation: made, Token: token, Link: s.BaseURL + InvitePath + token}, fault.E(op, "", err)
}

func (s *Service) checkInvitation(ctx context.Context, n NewInvitation) error {
	var form core.Form
	checkEmail(&form, n.Email)
	checkRole(&form, n.Role, n.DealerID, n.ProviderID)
	if err := s.checkTenant(ctx, &form, n.DealerID, n.ProviderID); err != nil {
		return err
	}
	if err := form.Err("access.checkInvitation"); err != nil {
		return err
	}
	if _, err := s.Store.StaffByEmail(ctx, n.Email); !fault.Is(err, fault.NotFound) {
		if err == nil {
			err = fault.New("access.checkInvitation", fault.Conflict)
		}
		return err
	}
	return nil
}

// Invitations returns a page of invitations, newest first.
func (s *Service) Invitations(ctx context.Context, v app.Request, q staff.InvitationQuery) ([]staff.Invitation, error) {
	if err := v.Staff.Require(staff.ReadStaff); err != nil {
		return nil, err
	}
	rows, err := s.Store.ListInvitations(ctx, q)
	for n, i := range rows {
		rows[n] = s.inTime(i)
	}
	return rows, fault.E("access.Invitations", "", err)
}

// inTime is an invitation with the end that it has.
func (s *Service) inTime(i staff.Invitation) staff.Invitation {
	i.ExpiresAt = s.UnitOfWork.EndsAt(i.CreatedAt, i.ExpiresAt)
	return i
}

// RevokeInvitation takes an open invitation back. Faults: NotFound, BadInvitation (it is not open any more).
func (s *Service) RevokeInvitation(ctx context.Context, v app.Request, id core.ID) (revoked staff.Invitation, err error) {
	const op = "access.RevokeInvitation"
	if err := v.Staff.Require(staff.EditStaff); err != nil {
		return staff.Invitation{}, err
	}
	if err := s.CheckProven(ctx, v); err != nil {
		return staff.Invitation{}, err
	}
	err = s.UnitOfWork.Again(ctx, func() error {
		i, err := s.Store.Invitation(ctx, id)
		if err != nil {
			return err
		}
		return s.commit(ctx, v, "revokeInvitation", "staff/"+i.Email, func(audit *core.AuditEntry) (core.Changeset, error) {
			if !s.inTime(i).IsOpen(audit.At) {
				return nil, fault.New(op, fault.BadInvitation)
			}
			revoked = i.Revoke(audit.At)
			return core.Changeset{revoked}, nil
		})
	})
	return revoked, fault.E(op, "", err)
}

// AcceptInvitation makes the invited person a member, with a password of their own, and signs them in. Of any number who
// accept it at once one does. Faults: Invalid (the password), BadInvitation, RateLimited.
func (s *Service) AcceptInvitation(ctx context.Context, token, password string, from Origin) (SignIn, error) {
	const op = "access.AcceptInvitation"
	if s.isLockedOut(ctx, loginKey(from)) {
		return SignIn{}, fault.New(op, fault.RateLimited)
	}
	i, err := s.invitation(ctx, token)
	if fault.Is(err, fault.BadInvitation) && !s.count(ctx, loginKey(from)) {
		err = fault.New(op, fault.RateLimited)
	}
	if err != nil {
		return SignIn{}, fault.E(op, "", err)
	}
	var form core.Form
	checkPassword(&form, password, i.Email)
	if err := form.Err(op); err != nil {
		return SignIn{}, err
	}
	member, err := s.make(ctx, NewStaff{
		Email: i.Email, Password: password, Role: i.Role, DealerID: i.DealerID, ProviderID: i.ProviderID,
	})
	if err != nil {
		return SignIn{}, fault.E(op, "", err)
	}
	audit, err := s.record(member.Actor(from.addr()), "acceptInvitation", targetOf(member))
	if err != nil {
		return SignIn{}, err
	}
	change := core.Changeset{
		member,
		i.Accept(audit.At),
		audit,
	}
	if at, changed := (staff.Factors{StaffID: member.ID}).Succeeded(from.Place(), audit.At); changed {
		change = append(change, at)
	}
	session, err := s.open(ctx, member, from, false, change)
	if fault.Is(err, fault.Conflict) { // somebody accepted or revoked it meanwhile, or became a member otherwise
		err = fault.New(op, fault.BadInvitation)
	}
	return SignIn{Token: session}, fault.E(op, "", err)
}

func (s *Service) invitation(ctx context.Context, token string) (staff.Invitation, error) {
	const op = "access.invitation"
	if token == "" || len(token) > maxTokenBytes {
		return staff.Invitation{}, fault.New(op, fault.BadInvitation)
	}
	i, err := s.Store.InvitationByFingerprint(ctx, sign.Fingerprint(token))
	if fault.Is(err, fault.NotFound) || (err == nil && !s.inTime(i).IsOpen(s.UnitOfWork.Clock.Now())) {
		return staff.Invitation{}, fault.New(op, fault.BadInvitation)
	}
	if err == nil {
		err = s.checkInviter(ctx, i.InvitedBy)
	}
	return i, fault.E(op, "", err)
}

// checkInviter refuses an invitation of a member who could not invite today: whoever is let go leaves no way back in. Fault:
// BadInvitation.
func (s *Service) checkInviter(ctx context.Context, by core.Actor) error {
	const op = "access.checkInviter"
	id, err := strconv.ParseInt(by.ID, 10, 64)
	if err != nil {
		return fault.E(op, fault.Internal, err)
	}
	inviter, err := s.Store.StaffByID(ctx, id)
	if fault.Is(err, fault.NotFound) || err == nil && inviter.Require(staff.EditStaff) != nil {
		return fault.New(op, fault.BadInvitation)
	}
	return err
}
