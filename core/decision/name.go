package decision

// Name is a decision about a payment that a member of staff makes.
type Name string

// Decisions about payments.
const (
	ToApproveDeposit     Name = "approve_deposit"
	ToRejectDeposit      Name = "reject_deposit"
	ToCorrectCredit      Name = "correct_credit"
	ToClaimWithdrawal    Name = "claim_withdrawal"
	ToCompleteWithdrawal Name = "complete_withdrawal"
	ToReleaseWithdrawal  Name = "release_withdrawal"
	ToRejectWithdrawal   Name = "reject_withdrawal"
	ToFailWithdrawal     Name = "fail_withdrawal"
	ToCancelWithdrawal   Name = "cancel_withdrawal"
	ToApprovePayout      Name = "approve_payout"
	ToConfirmPayout      Name = "confirm_payout"
	ToRejectPayout       Name = "reject_payout"
	ToFailPayout         Name = "fail_payout"
	ToCancelPayout       Name = "cancel_payout"
	ToRefundTransaction  Name = "refund_transaction"
	ToApproveHeld        Name = "approve_held_deposit"
	ToDeclineHeld        Name = "decline_held_deposit"
)

// Names lists all decisions about payments, the most usual of each kind first.
func Names() []Name {
	return []Name{
		ToApproveHeld, ToDeclineHeld, ToApproveDeposit, ToRejectDeposit, ToClaimWithdrawal, ToCompleteWithdrawal, ToReleaseWithdrawal, ToRejectWithdrawal, ToFailWithdrawal,
		ToCancelWithdrawal, ToConfirmPayout, ToApprovePayout, ToRejectPayout, ToFailPayout, ToCancelPayout, ToRefundTransaction, ToCorrectCredit,
	}
}
