package staff

import (
	"slices"
	"strconv"

	"github.com/vezne/vezne/core"
)

// Who is a staff member, of which role and with which proof, is guarded: whoever could make a second account for themselves,
// or get into somebody else's, would be both persons.

// Beside implements Guarded.
func (Invitation) Beside() []core.Identity { return nil }

// Guards implements Guarded.
func (i Invitation) Guards(core.Judged) []core.Guard {
	return core.GuardIf(i.Version == 1, core.GuardStaff, "staff/new "+i.Email, 0)
}

// Beside implements Guarded.
func (s Staff) Beside() []core.Identity { return core.Replaced(s) }

// Guards implements Guarded: of a member who is made without an invitation, who becomes another person, or who may do or see
// something else. Switching one off is not held up, but for who could approve such a change: whoever switched all of them
// off would be alone, and ask nobody.
func (s Staff) Guards(in core.Judged) []core.Guard {
	before, isOld := core.Before(in, s)
	if !isOld && s.isInvited(in) {
		return nil
	}
	isOther := before.Role != s.Role || before.DealerID != s.DealerID || before.ProviderID != s.ProviderID ||
		before.Email != s.Email
	isSecond := before.IsActive && before.couldApproveStaff()
	isGuarded := isOther || s.IsActive && !before.IsActive || isSecond && !s.IsActive
	guards := core.GuardIf(isGuarded, core.GuardStaff, core.GuardSubject("staff", s.ID, isOld, s.Email), 0)
	return append(guards, guardsOfProof(s.ID, isOld && before.PasswordHash != s.PasswordHash, in)...)
}

// couldApproveStaff reports whether the member could be the second person of a change of who works here.
func (s Staff) couldApproveStaff() bool {
	return s.IsOfHouse() && s.Require(DecideApprovals) == nil && s.Require(EditStaff) == nil
}

// isInvited reports whether a new member is whom an invitation is for, which is used up with it.
func (s Staff) isInvited(in core.Judged) bool {
	return slices.ContainsFunc(core.RowsOf[Invitation](in.Changeset), func(i Invitation) bool {
		return i.Version > 1 && !i.AcceptedAt.IsZero() && i.Email == s.Email && i.Role == s.Role && i.DealerID == s.DealerID &&
			i.ProviderID == s.ProviderID
	})
}

// Beside implements Guarded.
func (f Factors) Beside() []core.Identity { return core.Replaced(f) }

// Guards implements Guarded.
func (f Factors) Guards(in core.Judged) []core.Guard {
	before, _ := core.Before(in, f)
	isOther := before.TOTP != f.TOTP || before.PendingTOTP != f.PendingTOTP || before.TOTPStep != f.TOTPStep ||
		!slices.Equal(before.RecoveryCodes, f.RecoveryCodes)
	return guardsOfProof(f.StaffID, isOther, in)
}

// Beside implements Guarded.
func (Passkey) Beside() []core.Identity { return nil }

// Guards implements Guarded.
func (p Passkey) Guards(in core.Judged) []core.Guard { return guardsOfProof(p.StaffID, true, in) }

// guardsOfProof are of what a member proves themself with, unless the member changes it.
func guardsOfProof(staffID int64, isChanged bool, in core.Judged) []core.Guard {
	id := strconv.FormatInt(staffID, 10)
	isOwn := slices.ContainsFunc(core.RowsOf[core.AuditEntry](in.Changeset), func(e core.AuditEntry) bool {
		return e.Actor.Kind == core.ByStaff && e.Actor.ID == id
	})
	return core.GuardIf(isChanged && !isOwn, core.GuardStaff, "staff/"+id, 0)
}
