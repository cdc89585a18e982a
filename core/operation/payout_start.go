package operation

import (
	"strings"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// PayoutPlan is how a payout will be made.
type PayoutPlan struct {
	Gateway owner.GatewayAccount
	Asset   gateway.Asset     // crypto: what is sent
	Fields  map[string]string // the gateway's required fields, checked
}

// DecidePayout creates a payment with its payout: due at once, or when staff approve.
func DecidePayout(s payment.Start, plan PayoutPlan, b payment.Birth) core.Changeset {
	change := payment.DecideStart(s, b)
	p, _ := core.First[payment.Payment](change)
	o := Operation{
		ID: b.IDs.Next(), Version: 1, PaymentID: p.ID, TrackingCode: p.TrackingCode, Kind: PayoutOperation, Number: 1,
		GatewayID: plan.Gateway.ID, GatewayKind: s.Method.Gateway(), Amount: gateway.Lira(s.Amount),
		Due: gateway.Lira(s.Amount), Asset: gateway.TRY, Fields: plan.Fields, Phase: Planned, CreatedAt: b.At,
		Why: "chosen by the provider",
	}
	o.Ref = refOf(p.TrackingCode, PayoutOperation, 1)
	o.Key = gateway.Key(strings.ToLower(string(o.ID)))
	if plan.Asset.Code != "" {
		o.Asset = plan.Asset
	}
	if !plan.Gateway.NeedsApproval(s.Amount) {
		o.NextAt = b.At
	}
	change = core.Edit(change, func(p *payment.Payment) { p.AtGate = payment.AtGateway{GatewayID: plan.Gateway.ID} })
	return append(change, o)
}
