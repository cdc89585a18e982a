package staff

import (
	"context"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/staff"
)

// MemberPatch is a change of a member; what is nil stays.
type MemberPatch struct {
	Role       *staff.Role
	DealerID   *int64
	ProviderID *int64
	IsActive   *bool
}

func (p MemberPatch) apply(m staff.Staff) staff.Staff {
	set(&m.Role, p.Role)
	set(&m.DealerID, p.DealerID)
	set(&m.ProviderID, p.ProviderID)
	set(&m.IsActive, p.IsActive)
	if p.Role != nil && !m.Role.IsDealers() && p.DealerID == nil {
		m.DealerID = 0 // the new role belongs to no dealer
	}
	if p.Role != nil && !m.Role.IsProviders() && p.ProviderID == nil {
		m.ProviderID = 0
	}
	return m
}

func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

// Members returns a page of staff members, by id. Fault: Forbidden.
func (s *Service) Members(ctx context.Context, v app.Request, q staff.Query) ([]staff.Staff, error) {
	if err := v.Staff.Require(staff.ReadStaff); err != nil {
		return nil, err
	}
	rows, err := s.Store.ListStaff(ctx, q)
	return rows, fault.E("access.Members", "", err)
}

// Member finds a staff member. Fault: NotFound.
func (s *Service) Member(ctx context.Context, v app.Request, id int64) (staff.Staff, error) {
	if err := v.Staff.Require(staff.ReadStaff); err != nil {
		return staff.Staff{}, err
	}
	return s.Store.StaffByID(ctx, id)
}

// MemberUpdate changes one member.
type MemberUpdate struct {
	ID int64
	MemberPatch
}

// UpdateMember changes the role, the tenant or the activity of a member; whoever is deactivated loses their sessions with
// it. Faults: NotFound, Invalid, LastAdmin.
func (s *Service) UpdateMember(ctx context.Context, v app.Request, u MemberUpdate) (after staff.Staff, err error) {
	const op = "access.UpdateMember"
	err = s.administer(ctx, v, "updateStaff", u.ID, func(m staff.Staff, audit *core.AuditEntry) (core.Changeset, error) {
		after = u.apply(m)
		var form core.Form
		checkRole(&form, after.Role, after.DealerID, after.ProviderID)
		if err := s.checkTenant(ctx, &form, after.DealerID, after.ProviderID); err != nil {
			return core.Changeset{}, err
		}
		if err := form.Err(op); err != nil {
			return core.Changeset{}, err
		}
		after.Version++
		after.UpdatedAt = audit.At
		audit.Before, audit.After = membershipOf(m), membershipOf(after)
		change := core.Changeset{after}
		if isAdmin(m) && !isAdmin(after) {
			witness, err := s.otherAdmin(ctx, m)
			if err != nil {
				return core.Changeset{}, err
			}
			change = append(change, witness)
		}
		if m.IsActive && !after.IsActive {
			factors, err := s.Store.FactorsOf(ctx, m.ID)
			if err != nil {
				return core.Changeset{}, err
			}
			ended, err := s.ended(ctx, m.ID, "", *audit)
			return append(change.Merge(ended), factors.Touched(audit.At)), err // a sign-in under way loses the race
		}
		return change, nil
	})
	return after, fault.E(op, "", err)
}

func isAdmin(m staff.Staff) bool { return m.IsActive && m.Role == staff.Admin }

// otherAdmin finds an active admin besides m and gives it as the next version of itself: saved with the change that takes m
// away, it makes sure that it is still one then. So two admins cannot remove each other at once. Fault: LastAdmin.
func (s *Service) otherAdmin(ctx context.Context, m staff.Staff) (staff.Staff, error) {
	admins, err := s.Store.ListStaff(ctx, staff.Query{Role: staff.Admin, IsActive: new(true), Paging: core.Paging[int64]{Limit: 2}})
	if err != nil {
		return staff.Staff{}, err
	}
	for _, a := range admins {
		if a.ID != m.ID {
			a.Version++
			return a, nil
		}
	}
	return staff.Staff{}, fault.New("access.otherAdmin", fault.LastAdmin)
}

// ended is the end of a member's sessions, all but one.
func (s *Service) ended(ctx context.Context, staffID int64, but core.ID, audit core.AuditEntry) (change core.Changeset, err error) {
	all, err := s.live(ctx, staffID)
	for _, x := range all {
		if x.ID != but {
			change = append(change, x.Revoke(audit.At))
		}
	}
	return change, err
}

// administer is one decision about a member, by one who may make it and has proven lately who they are.
func (s *Service) administer(
	ctx context.Context, v app.Request, action string, id int64, decide func(staff.Staff, *core.AuditEntry) (core.Changeset, error),
) error {
	if err := v.Staff.Require(staff.EditStaff); err != nil {
		return err
	}
	if err := s.CheckProven(ctx, v); err != nil {
		return err
	}
	return s.UnitOfWork.Again(ctx, func() error {
		m, err := s.Store.StaffByID(ctx, id)
		if err != nil {
			return err
		}
		return s.commit(ctx, v, action, targetOf(m), func(audit *core.AuditEntry) (core.Changeset, error) { return decide(m, audit) })
	})
}

// Unlock ends the lock of an account. Fault: NotFound.
func (s *Service) Unlock(ctx context.Context, v app.Request, id int64) (member staff.Staff, err error) {
	err = s.administer(ctx, v, "unlockStaff", id, func(m staff.Staff, audit *core.AuditEntry) (core.Changeset, error) {
		member = m
		factors, err := s.Store.FactorsOf(ctx, id)
		if after, changed := factors.Unlocked(audit.At); changed {
			return core.Changeset{after}, err
		}
		return core.Changeset{}, err
	})
	return member, fault.E("access.Unlock", "", err)
}

// ResetFactors takes a member's second factors away, and ends their sessions: they sign in with the password and set new
// ones up. Faults: NotFound; FactorRequired (one's own, where the role demands some: somebody else does it).
func (s *Service) ResetFactors(ctx context.Context, v app.Request, id int64) (member staff.Staff, err error) {
	err = s.administer(ctx, v, "resetStaffFactors", id, func(m staff.Staff, audit *core.AuditEntry) (core.Changeset, error) {
		member = m
		if m.ID == v.Staff.ID && s.isRequired(m.Role) {
			return core.Changeset{}, fault.New("access.ResetFactors", fault.FactorRequired)
		}
		return s.reset(ctx, m, *audit)
	})
	return member, fault.E("access.ResetFactors", "", err)
}

// ResetFactorsOf is ResetFactors from the command line, for an admin who is locked out. Fault: NotFound.
func (s *Service) ResetFactorsOf(ctx context.Context, v app.Request, email string) error {
	return s.UnitOfWork.Again(ctx, func() error {
		m, err := s.Store.StaffByEmail(ctx, plainEmail(email))
		if err != nil {
			return err
		}
		return s.commit(ctx, v, "resetStaffFactors", targetOf(m), func(audit *core.AuditEntry) (core.Changeset, error) {
			return s.reset(ctx, m, *audit)
		})
	})
}

func (s *Service) reset(ctx context.Context, m staff.Staff, audit core.AuditEntry) (core.Changeset, error) {
	factors, passkeys, err := factorsOf(ctx, s.Store, m.ID)
	if err != nil {
		return core.Changeset{}, err
	}
	change, err := s.ended(ctx, m.ID, "", audit)
	if err != nil {
		return core.Changeset{}, err
	}
	change = append(change, factors.Reset(audit.At))
	for _, p := range passkeys {
		change = append(change, p.Remove(audit.At))
	}
	return change, nil
}
