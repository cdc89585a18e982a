package akbank

import (
	"context"
	"regexp"
	"strings"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// lira is the lira's number in ISO 4217.
const lira = "949"

// isRef is what an orderId may be: nothing longer was recorded.
var isRef = regexp.MustCompile(`^[0-9A-Za-z-]{1,36}$`).MatchString

// StartDeposit implements ports.DepositStarter. It reaches no network: the customer's browser posts the form, which the bank takes
// if its hash is right. The bank takes an orderId once, so that the same order is paid once however many forms there are.
func (g *Gateway) StartDeposit(ctx context.Context, o gateway.DepositOrder) (gateway.DepositStarted, error) {
	if err := ctx.Err(); err != nil {
		return gateway.DepositStarted{}, &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone, Err: err}
	}
	if err := checkOrder(o); err != nil {
		return gateway.DepositStarted{}, err
	}
	fields := [][2]string{
		{"paymentModel", "3D_PAY_HOSTING"}, {"txnCode", "3000"}, {"merchantSafeId", g.merchant}, {"terminalSafeId", g.terminal},
		{"orderId", string(o.Ref)}, {"lang", strings.ToUpper(plugkit.Language(o.Locale))}, {"amount", o.Amount.Amount.Fixed(2)},
		{"currencyCode", lira}, {"installCount", "1"}, {"okUrl", o.ReturnURL.String()}, {"failUrl", o.ReturnURL.String()},
		{"randomNumber", g.random(o.Ref)}, {"requestDateTime", g.now()},
	}
	fields = append(fields, [2]string{"hash", formHash(g.secret(), fields)})
	return gateway.DepositStarted{
		External: gateway.ExternalRef{ID: string(o.Ref)},
		Next:     gateway.NextStep{Form: &gateway.FormPost{Action: "https://" + g.at.page + "/payhosting", Fields: fields}},
	}, nil
}

// checkOrder refuses what the bank's form can't say.
func checkOrder(o gateway.DepositOrder) error {
	switch {
	case o.Kind != "" && o.Kind != gateway.Card:
		return plugkit.Refuse(gateway.Unsupported, "only cards are taken")
	case !isRef(string(o.Ref)) || o.ReturnURL == nil:
		return plugkit.Refuse(gateway.Invalid, "a reference of up to 36 letters and digits and a return address are needed")
	}
	return plugkit.CheckLira(o.Amount)
}
