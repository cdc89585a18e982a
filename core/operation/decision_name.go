package operation

// DecisionName is a decision about a payment that a member of staff makes.
type DecisionName string

// Decisions about payments.
const (
	ToApproveDeposit     DecisionName = "approve_deposit"
	ToRejectDeposit      DecisionName = "reject_deposit"
	ToCorrectCredit      DecisionName = "correct_credit"
	ToClaimWithdrawal    DecisionName = "claim_withdrawal"
	ToCompleteWithdrawal DecisionName = "complete_withdrawal"
	ToReleaseWithdrawal  DecisionName = "release_withdrawal"
	ToRejectWithdrawal   DecisionName = "reject_withdrawal"
	ToFailWithdrawal     DecisionName = "fail_withdrawal"
	ToCancelWithdrawal   DecisionName = "cancel_withdrawal"
	ToApprovePayout      DecisionName = "approve_payout"
	ToConfirmPayout      DecisionName = "confirm_payout"
	ToRejectPayout       DecisionName = "reject_payout"
	ToFailPayout         DecisionName = "fail_payout"
	ToCancelPayout       DecisionName = "cancel_payout"
	ToRefundTransaction  DecisionName = "refund_transaction"
)

// DecisionNames lists all decisions about payments, the most usual of each kind first.
func DecisionNames() []DecisionName {
	return []DecisionName{
		ToApproveDeposit, ToRejectDeposit, ToClaimWithdrawal, ToCompleteWithdrawal, ToReleaseWithdrawal, ToRejectWithdrawal, ToFailWithdrawal,
		ToCancelWithdrawal, ToConfirmPayout, ToApprovePayout, ToRejectPayout, ToFailPayout, ToCancelPayout, ToRefundTransaction, ToCorrectCredit,
	}
}
