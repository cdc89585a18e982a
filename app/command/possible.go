package command

import (
	"context"
	"slices"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/decision"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

// decisionsOf are the decisions that there are about payments of a kind.
var decisionsOf = map[payment.Kind][]decision.Name{
	payment.Deposit: {
		decision.ToApproveHeld, decision.ToDeclineHeld, decision.ToApproveDeposit, decision.ToRejectDeposit, decision.ToRefundTransaction, decision.ToCorrectCredit,
	},
	payment.Card: {decision.ToApproveHeld, decision.ToDeclineHeld, decision.ToRefundTransaction, decision.ToCorrectCredit},
	payment.Withdrawal: {
		decision.ToClaimWithdrawal, decision.ToCompleteWithdrawal, decision.ToReleaseWithdrawal, decision.ToRejectWithdrawal, decision.ToFailWithdrawal, decision.ToCancelWithdrawal,
	},
	payment.Payout:   {decision.ToConfirmPayout, decision.ToApprovePayout, decision.ToRejectPayout, decision.ToFailPayout, decision.ToCancelPayout},
	payment.Transfer: {decision.ToFailPayout, decision.ToCancelPayout},
}

// probe is a decision with what it takes at least. The reason is kept nowhere: nothing of it is committed.
func probe(name decision.Name, p payment.Payment) AnyDecision {
	d := Decision{TrackingCode: p.TrackingCode, Said: Said{Reason: string(name)}}
	switch name {
	case decision.ToApproveDeposit:
		return AnyDecision{ApproveDeposit: &ApproveDepositInput{Decision: d, ExpectedAmount: p.Amount}}
	case decision.ToRejectDeposit:
		return AnyDecision{RejectDeposit: &d}
	case decision.ToCorrectCredit:
		other := money.New(0, p.Amount.Currency())
		if p.Amount.IsZero() {
			other = p.RequestedAmount
		}
		return AnyDecision{CorrectCredit: &CorrectCreditInput{Decision: d, Amount: other, ExpectedAmount: p.Amount}}
	case decision.ToClaimWithdrawal:
		return AnyDecision{ClaimWithdrawal: &ClaimWithdrawalInput{Decision: d, TakeOver: true}}
	case decision.ToCompleteWithdrawal:
		return AnyDecision{CompleteWithdrawal: &CompleteWithdrawalInput{Decision: d}}
	case decision.ToReleaseWithdrawal:
		return AnyDecision{ReleaseWithdrawal: &d}
	case decision.ToRejectWithdrawal:
		return AnyDecision{RejectWithdrawal: &d}
	case decision.ToFailWithdrawal:
		return AnyDecision{FailWithdrawal: &d}
	case decision.ToCancelWithdrawal:
		return AnyDecision{CancelWithdrawal: &d}
	case decision.ToApprovePayout:
		return AnyDecision{ApprovePayout: &d}
	case decision.ToRejectPayout:
		return AnyDecision{RejectPayout: &d}
	case decision.ToFailPayout:
		return AnyDecision{FailPayout: &d}
	case decision.ToCancelPayout:
		return AnyDecision{CancelPayout: &d}
	case decision.ToRefundTransaction:
		return AnyDecision{RefundTransaction: &RefundTransactionInput{Decision: d}}
	case decision.ToConfirmPayout, decision.ToApproveHeld, decision.ToDeclineHeld: // ask a gateway: see Possible
	}
	return AnyDecision{}
}

// Possible lists the decisions that a member of staff could make about a payment now: each is looked at as in a preview, and none of
// it is kept. What a second person would have to approve, what wants a proof of who one is, and what takes more than a reason is
// possible, too.
func (all *Commands) Possible(ctx context.Context, by app.Request, p payment.Payment) ([]decision.Name, error) {
	const op = "command.Possible"
	list := []decision.Name{}
	for _, name := range decisionsOf[p.Method.Kind()] {
		isPossible, err := all.isPossible(ctx, by, name, p)
		if err != nil {
			return nil, fault.E(op, "", err)
		}
		if isPossible {
			list = append(list, name)
		}
	}
	return list, nil
}

func (all *Commands) isPossible(ctx context.Context, by app.Request, name decision.Name, p payment.Payment) (bool, error) {
	if name == decision.ToConfirmPayout {
		return all.wantsCode(ctx, by, p)
	}
	if name == decision.ToApproveHeld || name == decision.ToDeclineHeld {
		if by.Require(staff.ResolveDiscrepancies) != nil {
			return false, nil
		}
		return all.Operations.CanReview(ctx, p)
	}
	d, err := probe(name, p).of(all)
	if err != nil {
		return false, err
	}
	look := all.Approvals.Gate.Look()
	err = look.Err(d.look(core.After(ctx, core.Latest), by.Through(look)))
	switch fault.CodeOf(err) {
	case "":
		return look.Seen && len(look.Judged.Changeset) > 0, nil
	case fault.StepUpRequired:
		return true, nil
	case fault.Invalid: // a refund may take more than the probe has: a payee
		if name != decision.ToRefundTransaction {
			return false, nil
		}
		_, ok, err := all.Operations.RefundTerms(ctx, p)
		return ok, err
	case fault.Internal, fault.Unavailable:
		return false, err
	default:
		return false, nil
	}
}

// wantsCode reports whether the gateway of a payout waits for a code that the member of staff may give it.
func (all *Commands) wantsCode(ctx context.Context, by app.Request, p payment.Payment) (bool, error) {
	if by.Require(staff.DecideWithdrawal) != nil || p.Status.IsFinal() {
		return false, nil
	}
	operations, err := all.Operations.Operations.OperationsOf(ctx, p.ID)
	return slices.ContainsFunc(operations, func(o operation.Operation) bool {
		isThere := o.Phase == operation.Calling || o.Phase == operation.Open
		return o.Kind == operation.PayoutOperation && isThere && gateway.PayoutState(o.Status) == gateway.PayoutNeedsApproval
	}), err
}

// RefundTerms are what giving a payment's money back takes; ok is false where none of it can be given back, or not by this member of
// staff.
func (all *Commands) RefundTerms(ctx context.Context, by app.Request, p payment.Payment) (terms operation.RefundTerms, ok bool, err error) {
	isPossible, err := all.isPossible(ctx, by, decision.ToRefundTransaction, p)
	if err != nil || !isPossible {
		return terms, false, fault.E("command.RefundTerms", "", err)
	}
	return all.Operations.RefundTerms(ctx, p)
}
