package command

import (
	"context"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/once"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

// NamedTextInput is what a gateway asks of a payee.
type NamedTextInput struct{ Name, Value string }

// RefundTransactionInput refunds money of a payment.
type RefundTransactionInput struct {
	Decision
	Amount *money.Amount // nil: all that is left
	Target []NamedTextInput
}

// ConfirmPayoutInput sends a payout's second factor to its gateway.
type ConfirmPayoutInput struct {
	Decision
	Code string
}

// CancelRefundInput cancels a refund that has not left.
type CancelRefundInput struct {
	OperationID core.ID
	Said
}

// ResolveDiscrepancyInput decides about money that differs.
type ResolveDiscrepancyInput struct {
	ID         core.ID
	Resolution operation.Resolution
	Amount     *money.Amount // that counts; nil: what was seen
	Said
}

// RefundDiscrepancyInput refunds money that differs.
type RefundDiscrepancyInput struct {
	ID     core.ID
	Target []NamedTextInput
	Said
}

type operationCommands struct {
	RefundTransaction  Command[RefundTransactionInput, payment.Payment]
	CancelRefund       Command[CancelRefundInput, payment.Payment]
	ApprovePayout      Command[Decision, payment.Payment]
	RejectPayout       Command[Decision, payment.Payment]
	CancelPayout       Command[Decision, payment.Payment]
	FailPayout         Command[Decision, payment.Payment]
	ConfirmPayout      Command[ConfirmPayoutInput, payment.Payment]
	ApproveHeldDeposit Command[Decision, payment.Payment]
	DeclineHeldDeposit Command[Decision, payment.Payment]
	ResolveDiscrepancy Command[ResolveDiscrepancyInput, discrepancy.Discrepancy]
	RefundDiscrepancy  Command[RefundDiscrepancyInput, discrepancy.Discrepancy]
}

func newOperation(s Services) operationCommands {
	return operationCommands{
		RefundTransaction: onPayment(s, "refundTransaction", staff.RefundPayments,
			func(ctx context.Context, move app.StaffMove, in RefundTransactionInput) (payment.Payment, error) {
				back, err := atLeast(in.Amount, money.New(1, money.TRY))
				if err != nil {
					return payment.Payment{}, err
				}
				payee, err := TextsByName("target", in.Target)
				if err != nil {
					return payment.Payment{}, err
				}
				return s.Operations.Refund(ctx, move, back, payee)
			}),
		CancelRefund: Command[CancelRefundInput, payment.Payment]{
			Name: "cancelRefund", Permission: staff.RefundPayments,
			Do: func(ctx context.Context, by app.Request, in CancelRefundInput) (payment.Payment, error) {
				return s.Operations.CancelRefund(ctx, app.StaffMove{Request: by}, in.OperationID)
			},
			Again: func(ctx context.Context, by app.Request, in CancelRefundInput, _ once.Answer) (payment.Payment, error) {
				o, err := s.Operations.Operations.OperationBy(ctx, operation.Key{ID: in.OperationID})
				if err != nil {
					return payment.Payment{}, err
				}
				return s.Backoffice.Transaction(ctx, by.Staff, o.TrackingCode)
			},
		},
		ApprovePayout: decided(s, "approvePayout", staff.DecideWithdrawal, s.Operations.ApprovePayout),
		RejectPayout:  decided(s, "rejectPayout", staff.DecideWithdrawal, s.Operations.RejectPayout),
		CancelPayout:  decided(s, "cancelPayout", staff.DecideWithdrawal, s.Operations.CancelPayout),
		FailPayout:    decided(s, "failPayout", staff.DecideWithdrawal, s.Operations.FailPayout),
		ConfirmPayout: onPayment(s, "confirmPayout", staff.DecideWithdrawal,
			func(ctx context.Context, move app.StaffMove, in ConfirmPayoutInput) (payment.Payment, error) {
				code, err := checkFactor(in.Code)
				if err != nil {
					return payment.Payment{}, err
				}
				return s.Operations.ConfirmPayout(ctx, move, code)
			}),
		ApproveHeldDeposit: decided(s, "approveHeldDeposit", staff.ResolveDiscrepancies, s.Operations.ApproveHeld),
		DeclineHeldDeposit: decided(s, "declineHeldDeposit", staff.ResolveDiscrepancies, s.Operations.DeclineHeld),
		ResolveDiscrepancy: onDiscrepancy(s, "resolveDiscrepancy",
			func(ctx context.Context, by app.StaffMove, in ResolveDiscrepancyInput) (discrepancy.Discrepancy, error) {
				counts, err := atLeast(in.Amount, money.New(1, money.TRY))
				if err != nil {
					return discrepancy.Discrepancy{}, err
				}
				return s.Operations.Resolve(ctx, by, in.ID, in.Resolution, counts)
			}),
		RefundDiscrepancy: onDiscrepancy(s, "refundDiscrepancy",
			func(ctx context.Context, by app.StaffMove, in RefundDiscrepancyInput) (discrepancy.Discrepancy, error) {
				payee, err := TextsByName("target", in.Target)
				if err != nil {
					return discrepancy.Discrepancy{}, err
				}
				return s.Operations.RefundDiscrepancy(ctx, by, in.ID, payee)
			}),
	}
}

func (in ResolveDiscrepancyInput) discrepancy() core.ID { return in.ID }

func (in RefundDiscrepancyInput) discrepancy() core.ID { return in.ID }

// onDiscrepancy is a command about money that differs.
func onDiscrepancy[I interface{ discrepancy() core.ID }](
	s Services, name string, do func(context.Context, app.StaffMove, I) (discrepancy.Discrepancy, error),
) Command[I, discrepancy.Discrepancy] {
	return Command[I, discrepancy.Discrepancy]{
		Name: name, Permission: staff.ResolveDiscrepancies,
		Do: func(ctx context.Context, by app.Request, in I) (discrepancy.Discrepancy, error) {
			if err := core.CheckID(in.discrepancy()); err != nil {
				return discrepancy.Discrepancy{}, err
			}
			return do(ctx, app.StaffMove{Request: by}, in)
		},
		Again: func(ctx context.Context, by app.Request, in I, _ once.Answer) (discrepancy.Discrepancy, error) {
			return s.DiscrepancyOf(ctx, by, in.discrepancy())
		},
	}
}

// DiscrepancyOf finds a discrepancy within the scope of whoever asks. Fault: NotFound.
func (s Services) DiscrepancyOf(ctx context.Context, by app.Request, id core.ID) (discrepancy.Discrepancy, error) {
	list, err := s.Gateways.Discrepancies(ctx, by.Staff, discrepancy.Query{ID: id, Paging: core.Paging[core.ID]{Limit: 1}})
	if err == nil && len(list) == 0 {
		err = fault.New("command.discrepancy", fault.NotFound)
	}
	if err != nil {
		return discrepancy.Discrepancy{}, err
	}
	return list[0], nil
}

// TextsByName makes a map of the named texts of a field, each of which may be given once. Fault: Invalid.
func TextsByName(field string, list []NamedTextInput) (map[string]string, error) {
	texts := make(map[string]string, len(list))
	for _, text := range list {
		texts[text.Name] = text.Value
	}
	var form core.Form
	if len(texts) < len(list) {
		form.Fail(field, "field.pattern")
	}
	return texts, form.Err("command.TextsByName")
}

// maxFactorChars bounds a second factor: gateways send a few digits, or a short text.
const maxFactorChars = 64

// checkFactor reads a second factor that a gateway has sent. Fault: Invalid.
func checkFactor(text string) (string, error) {
	var form core.Form
	code := form.Text("code", core.Input{Kind: core.TextInput, Text: text}, maxFactorChars)
	if err := form.Err("command.checkFactor"); err != nil {
		return "", err
	}
	if code == "" {
		form.Fail("code", "field.required")
	}
	return code, form.Err("command.checkFactor")
}
