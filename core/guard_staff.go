package core

import (
	"slices"
	"strconv"
)

// members guards who is a staff member, of which role and with which proof: whoever could make a second account for
// themselves, or get into somebody else's, would be both persons.
func (g *guards) members() {
	for _, i := range g.c.Invitations {
		if i.Version == 1 {
			g.add(GuardStaff, "staff/new "+i.Email, 0)
		}
	}
	for _, m := range g.c.Staff {
		g.member(m)
	}
	for _, f := range g.c.Factors {
		before := g.b.Factors[f.StaffID]
		isOther := before.TOTP != f.TOTP || before.PendingTOTP != f.PendingTOTP || before.TOTPStep != f.TOTPStep ||
			!slices.Equal(before.RecoveryCodes, f.RecoveryCodes)
		g.proof(f.StaffID, isOther)
	}
	for _, p := range g.c.Passkeys {
		g.proof(p.StaffID, true)
	}
}

// AboutStaff is a request of a staff member about who works here, as far as it says who could approve it.
func AboutStaff(requesterID int64) Approval {
	return Approval{Permission: EditStaff, RequesterID: requesterID, Guards: []Guard{{Action: GuardStaff}}}
}

// member guards one that is made without an invitation, that becomes another person's, or that may do or see something
// else. Switching one off is not held up, but for who could approve such a change: whoever switched all of them off would
// be alone, and ask nobody.
func (g *guards) member(m Staff) {
	before, isOld := g.b.Staff[m.ID]
	if !isOld && g.accepts(m) {
		return
	}
	isOther := before.Role != m.Role || before.DealerID != m.DealerID || before.ProviderID != m.ProviderID ||
		before.Email != m.Email
	isSecond := before.IsActive && AboutStaff(0).CheckSecond(before) == nil
	if isOther || m.IsActive && !before.IsActive || isSecond && !m.IsActive {
		g.add(GuardStaff, named("staff", m.ID, isOld, m.Email), 0)
	}
	g.proof(m.ID, isOld && before.PasswordHash != m.PasswordHash)
}

// accepts reports whether a new member is whom an invitation is for, which is used up with it.
func (g *guards) accepts(m Staff) bool {
	return slices.ContainsFunc(g.c.Invitations, func(i Invitation) bool {
		return i.Version > 1 && !i.AcceptedAt.IsZero() && i.Email == m.Email && i.Role == m.Role && i.DealerID == m.DealerID &&
			i.ProviderID == m.ProviderID
	})
}

// proof guards what a member proves themself with, unless the member changes it.
func (g *guards) proof(staffID int64, isChanged bool) {
	id := strconv.FormatInt(staffID, 10)
	isOwn := slices.ContainsFunc(g.c.Audit, func(e AuditEntry) bool { return e.By.Kind == ByStaff && e.By.ID == id })
	if isChanged && !isOwn {
		g.add(GuardStaff, "staff/"+id, 0)
	}
}
