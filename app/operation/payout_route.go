package operation

import (
	"context"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/ports"
)

// payoutRoute is a way in which money leaves through a gateway: as a payout of the operator's, or as a transfer from a dealer's
// own account there. Both are planned, sent, asked about and ended alike.
type payoutRoute struct {
	can  gateway.Capability
	keys gateway.KeyTraits
	send func(context.Context, operation.Operation, payment.Payment) (gateway.PayoutReport, error)
	read func(context.Context, gateway.PayoutKey) (gateway.PayoutReport, error)
}

// payoutRouteOf is the rail of a kind of payout operation; ok is false where the gateway lacks it.
func payoutRouteOf(g *app.Gateway, kind gateway.Kind) (r payoutRoute, ok bool) {
	if kind == gateway.Account {
		return transferRoute(g)
	}
	return operatorRoute(g)
}

func operatorRoute(g *app.Gateway) (payoutRoute, bool) {
	payer, ok := g.Gateway.(ports.Payer)
	if !ok || g.Descriptor.Payout == nil {
		return payoutRoute{}, false
	}
	send := func(ctx context.Context, o operation.Operation, p payment.Payment) (gateway.PayoutReport, error) {
		return payer.SendPayout(ctx, gateway.PayoutOrder{
			Ref: o.Reference, Key: o.Key, Amount: o.Amount, Kind: o.GatewayKind, Asset: o.Asset, Customer: customerOf(p, ""),
			Fields: o.Fields,
		})
	}
	return payoutRoute{gateway.CanPayOut, g.Descriptor.Payout.Keys, send, payer.ReadPayout}, true
}

// transferRoute sends what core.DecideTransfer has planned.
func transferRoute(g *app.Gateway) (payoutRoute, bool) {
	sender, ok := g.Gateway.(ports.TransferSender)
	if !ok || g.Descriptor.Account == nil {
		return payoutRoute{}, false
	}
	send := func(ctx context.Context, o operation.Operation, _ payment.Payment) (gateway.PayoutReport, error) {
		return sender.SendTransfer(ctx, gateway.TransferOrder{
			Ref: o.Reference, Key: o.Key, AccountID: o.Fields["account"], Amount: o.Amount, Text: o.Fields["description"],
			To: gateway.Party{Name: o.Fields["account_holder"], IBAN: o.Fields["iban"]},
		})
	}
	return payoutRoute{gateway.CanTransfer, g.Descriptor.Account.Keys, send, sender.ReadTransfer}, true
}
