package sandbox

import (
	"context"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/plugins/plugkit"
)

// SendTransfer implements ports.TransferSender. What can't be right is refused before anything leaves.
func (g *Gateway) SendTransfer(ctx context.Context, o gateway.TransferOrder) (gateway.PayoutReport, error) {
	if o.To.Name == "" || !iban.IsValid(o.To.IBAN) {
		return gateway.PayoutReport{}, plugkit.Refuse(gateway.Invalid, "a transfer needs a name and a valid IBAN")
	}
	return g.payout(ctx, "/v1/transfers", o.Ref, o.Key, payoutOrderJSON{
		Reference: string(o.Ref), AccountID: o.AccountID, Amount: amountOf(o.Amount), Text: o.Text,
		To: partyJSON{Name: o.To.Name, IBAN: o.To.IBAN},
	})
}

// ReadTransfer implements ports.TransferSender. The sandbox finds a transfer by our own reference.
func (g *Gateway) ReadTransfer(ctx context.Context, k gateway.PayoutKey) (gateway.PayoutReport, error) {
	return g.readPayout(ctx, "transfers", k.Ref)
}
