package core

import (
	"slices"
	"strconv"
)

// Author implements Authored.
func (e AuditEntry) Author() Actor { return e.By }

// Who is a staff member, of which role and with which proof, is guarded: whoever could make a second account for themselves,
// or get into somebody else's, would be both persons.

// Beside implements Guarded.
func (Invitation) Beside() []Identity { return nil }

// Guards implements Guarded.
func (i Invitation) Guards(Judged) []Guard {
	return guardIf(i.Version == 1, GuardStaff, "staff/new "+i.Email, 0)
}

// Beside implements Guarded.
func (s Staff) Beside() []Identity { return Replaced(s) }

// Guards implements Guarded: of a member who is made without an invitation, who becomes another person, or who may do or see
// something else. Switching one off is not held up, but for who could approve such a change: whoever switched all of them
// off would be alone, and ask nobody.
func (s Staff) Guards(in Judged) []Guard {
	before, isOld := Before(in, s)
	if !isOld && s.isInvited(in) {
		return nil
	}
	isOther := before.Role != s.Role || before.DealerID != s.DealerID || before.ProviderID != s.ProviderID ||
		before.Email != s.Email
	isSecond := before.IsActive && before.couldApproveStaff()
	isGuarded := isOther || s.IsActive && !before.IsActive || isSecond && !s.IsActive
	guards := guardIf(isGuarded, GuardStaff, named("staff", s.ID, isOld, s.Email), 0)
	return append(guards, guardsOfProof(s.ID, isOld && before.PasswordHash != s.PasswordHash, in)...)
}

// couldApproveStaff reports whether the member could be the second person of a change of who works here.
func (s Staff) couldApproveStaff() bool {
	return s.Scope() == Scope{} && s.Require(DecideApprovals) == nil && s.Require(EditStaff) == nil
}

// isInvited reports whether a new member is whom an invitation is for, which is used up with it.
func (s Staff) isInvited(in Judged) bool {
	return slices.ContainsFunc(RowsOf[Invitation](in.Changeset), func(i Invitation) bool {
		return i.Version > 1 && !i.AcceptedAt.IsZero() && i.Email == s.Email && i.Role == s.Role && i.DealerID == s.DealerID &&
			i.ProviderID == s.ProviderID
	})
}

// Beside implements Guarded.
func (f Factors) Beside() []Identity { return Replaced(f) }

// Guards implements Guarded.
func (f Factors) Guards(in Judged) []Guard {
	before, _ := Before(in, f)
	isOther := before.TOTP != f.TOTP || before.PendingTOTP != f.PendingTOTP || before.TOTPStep != f.TOTPStep ||
		!slices.Equal(before.RecoveryCodes, f.RecoveryCodes)
	return guardsOfProof(f.StaffID, isOther, in)
}

// Beside implements Guarded.
func (Passkey) Beside() []Identity { return nil }

// Guards implements Guarded.
func (p Passkey) Guards(in Judged) []Guard { return guardsOfProof(p.StaffID, true, in) }

// guardsOfProof are of what a member proves themself with, unless the member changes it.
func guardsOfProof(staffID int64, isChanged bool, in Judged) []Guard {
	id := strconv.FormatInt(staffID, 10)
	isOwn := slices.ContainsFunc(RowsOf[AuditEntry](in.Changeset), func(e AuditEntry) bool {
		return e.By.Kind == ByStaff && e.By.ID == id
	})
	return guardIf(isChanged && !isOwn, GuardStaff, "staff/"+id, 0)
}

// Beside implements Guarded.
func (ApprovalRule) Beside() []Identity { return nil }

// Guards implements Guarded: these rules are one of the things that they are about.
func (r ApprovalRule) Guards(Judged) []Guard { return guardIf(true, GuardRules, r.Ref(), 0) }
