package graph

import (
	"context"
	"maps"
	"slices"

	"github.com/vezne/vezne/app/command"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/graph/generated"
	"github.com/vezne/vezne/graph/page"
)

func (m mutationResolver) RefundTransaction(ctx context.Context, input command.RefundTransactionInput) (*generated.TransactionPayload, error) {
	return decide(ctx, m, m.Commands.RefundTransaction, input)
}

func (m mutationResolver) ApprovePayout(ctx context.Context, input command.Decision) (*generated.TransactionPayload, error) {
	return decide(ctx, m, m.Commands.ApprovePayout, input)
}

func (m mutationResolver) RejectPayout(ctx context.Context, input command.Decision) (*generated.TransactionPayload, error) {
	return decide(ctx, m, m.Commands.RejectPayout, input)
}

func (m mutationResolver) CancelPayout(ctx context.Context, input command.Decision) (*generated.TransactionPayload, error) {
	return decide(ctx, m, m.Commands.CancelPayout, input)
}

func (m mutationResolver) FailPayout(ctx context.Context, input command.Decision) (*generated.TransactionPayload, error) {
	return decide(ctx, m, m.Commands.FailPayout, input)
}

func (m mutationResolver) ApproveHeldDeposit(ctx context.Context, input command.Decision) (*generated.TransactionPayload, error) {
	return decide(ctx, m, m.Commands.ApproveHeldDeposit, input)
}

func (m mutationResolver) DeclineHeldDeposit(ctx context.Context, input command.Decision) (*generated.TransactionPayload, error) {
	return decide(ctx, m, m.Commands.DeclineHeldDeposit, input)
}

func (m mutationResolver) CancelRefund(ctx context.Context, input command.CancelRefundInput) (*generated.TransactionPayload, error) {
	return decide(ctx, m, m.Commands.CancelRefund, input)
}

func (m mutationResolver) ConfirmPayout(ctx context.Context, input command.ConfirmPayoutInput) (*generated.TransactionPayload, error) {
	return decide(ctx, m, m.Commands.ConfirmPayout, input)
}

func (t transactionResolver) Gateway(ctx context.Context, p *payment.Payment) (*owner.GatewayAccount, error) {
	return t.gateway(ctx, p.Gateway.GatewayID)
}

func (transactionResolver) OrderID(_ context.Context, p *payment.Payment) (*string, error) {
	return orNull(p.Payer.OrderID), nil
}

func (transactionResolver) RefundedAmount(_ context.Context, p *payment.Payment) (*money.Amount, error) {
	if p.Gateway.Refunded.IsZero() {
		return nil, nil //nolint:nilnil // null: nothing was given back
	}
	return &p.Gateway.Refunded, nil
}

func (transactionResolver) CardPayer(_ context.Context, p *payment.Payment) (*payment.CardPayer, error) {
	if p.Method.Kind() != payment.Card {
		return nil, nil //nolint:nilnil // null: nobody pays by card
	}
	return &p.Payer, nil
}

func (t transactionResolver) Wallet(ctx context.Context, p *payment.Payment) (*wallet.WalletBalance, error) {
	return t.wallet(ctx, p.Payee.WalletID)
}

func (t transactionResolver) Operations(ctx context.Context, p *payment.Payment) ([]operation.Operation, error) {
	if !callerOf(ctx).request.Staff.SeesInside() {
		return nil, nil
	}
	return t.batch(ctx, p).Operations(ctx, *p)
}

func (t transactionResolver) GatewayCalls(ctx context.Context, p *payment.Payment) ([]operation.GatewayCall, error) {
	if !callerOf(ctx).request.Staff.SeesInside() {
		return nil, nil
	}
	return t.batch(ctx, p).Calls(ctx, *p)
}

func (t transactionResolver) Discrepancies(
	ctx context.Context, p *payment.Payment, first *int, after *string, last *int, before *string,
) (*page.DiscrepancyConnection, error) {
	place := func(d discrepancy.Discrepancy) core.ID { return d.ID }
	return page.Read(page.Of(first, after, last, before), page.ByID, place, func(rows core.Paging[core.ID]) ([]discrepancy.Discrepancy, error) {
		return t.batch(ctx, p).Discrepancies(ctx, *p, rows)
	})
}

func (t transactionResolver) AwaitsApproval(ctx context.Context, p *payment.Payment) (bool, error) {
	if p.Method.Kind() == payment.Withdrawal {
		return !p.Status.IsFinal() && p.Claim.IsAwaiting(), nil
	}
	if p.Method.Kind() != payment.Payout || p.Status.IsFinal() {
		return false, nil
	}
	operations, err := t.batch(ctx, p).Operations(ctx, *p)
	return slices.ContainsFunc(operations, func(o operation.Operation) bool {
		return o.Kind == operation.PayoutOperation && o.Phase == operation.Planned && o.NextAt.IsZero()
	}), err
}

func (r operationResolver) Gateway(ctx context.Context, o *operation.Operation) (*owner.GatewayAccount, error) {
	return r.gateway(ctx, o.GatewayID)
}

// ExternalID is all that is shown of the gateway's own reference: the rest of it may hold its secrets.
func (operationResolver) ExternalID(_ context.Context, o *operation.Operation) (*string, error) {
	return orNull(o.External.ID), nil
}

func (operationResolver) Fields(_ context.Context, o *operation.Operation) ([]generated.NamedText, error) {
	var list []generated.NamedText
	for _, name := range slices.Sorted(maps.Keys(o.Fields)) {
		list = append(list, generated.NamedText{Name: name, Value: o.Fields[name]})
	}
	return list, nil
}

func (r callResolver) Gateway(ctx context.Context, c *operation.GatewayCall) (*owner.GatewayAccount, error) {
	return r.gateway(ctx, c.GatewayID)
}

func (callResolver) DurationMs(_ context.Context, c *operation.GatewayCall) (int, error) {
	return int(c.Duration.Milliseconds()), nil
}

func (moneyResolver) Asset(_ context.Context, m *gateway.Money) (string, error) {
	return m.Asset.String(), nil
}
