package command

import (
	"context"
	"time"

	"github.com/vezne/vezne/app"
	directory "github.com/vezne/vezne/app/owner"
	appstaff "github.com/vezne/vezne/app/staff"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/staff"
)

// ResetStaffFactorsInput takes a member's second factors away.
type ResetStaffFactorsInput struct{ ID int64 }

// SetApprovalRuleInput says when an action needs a second person.
type SetApprovalRuleInput struct {
	Action                   core.GuardedAction
	IsOn                     bool
	Above, PerDay, DiffersBy money.Amount // zero: not set
	LapseAfterMinutes        *int         // nil: approval.DefaultLapse
}

type staffCommands struct {
	InviteStaff       Command[appstaff.NewInvitation, appstaff.Invited]
	UpdateStaff       Command[appstaff.MemberUpdate, staff.Staff]
	ResetStaffFactors Command[ResetStaffFactorsInput, staff.Staff]
	SetApprovalRule   Command[SetApprovalRuleInput, approval.Rule]
}

func newStaff(s Services) staffCommands {
	return staffCommands{
		InviteStaff: Command[appstaff.NewInvitation, appstaff.Invited]{
			Name: "inviteStaff", Permission: staff.EditStaff, Do: s.Staff.Invite,
			Issued: func(invited appstaff.Invited) []directory.IssuedKey {
				return []directory.IssuedKey{{Credential: owner.InvitationLink, Key: core.NewSecret(invited.Link)}}
			},
		},
		UpdateStaff: plain("updateStaff", staff.EditStaff, s.Staff.UpdateMember),
		ResetStaffFactors: plain("resetStaffFactors", staff.EditStaff,
			func(ctx context.Context, by app.Request, in ResetStaffFactorsInput) (staff.Staff, error) {
				return s.Staff.ResetFactors(ctx, by, in.ID)
			}),
		SetApprovalRule: plain("setApprovalRule", staff.ConfigureApprovals,
			func(ctx context.Context, by app.Request, in SetApprovalRuleInput) (approval.Rule, error) {
				return s.Approvals.SetRule(ctx, by, in.rule())
			}),
	}
}

func (in SetApprovalRuleInput) rule() approval.Rule {
	rule := approval.Rule{
		Action: in.Action, IsOn: in.IsOn, Above: in.Above, PerDay: in.PerDay, DiffersBy: in.DiffersBy,
		LapseAfter: approval.DefaultLapse,
	}
	if in.LapseAfterMinutes != nil {
		minutes := min(max(*in.LapseAfterMinutes, 0), int(approval.MaxLapse/time.Minute)+1) // no more fits a duration
		rule.LapseAfter = time.Duration(minutes) * time.Minute
	}
	return rule
}
