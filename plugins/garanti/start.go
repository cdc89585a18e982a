package garanti

import (
	"cmp"
	"context"
	"regexp"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// lira is the lira's number in ISO 4217.
const lira = "949"

// isRef is what an orderid may be: nothing longer was recorded.
var isRef = regexp.MustCompile(`^[0-9A-Za-z-]{1,36}$`).MatchString

// StartDeposit implements ports.DepositStarter. It reaches no network: the customer's browser posts the form, which the bank takes if
// its hash is right. The bank books one sale under an orderid, so that an order is paid once however many forms there are.
func (g *Gateway) StartDeposit(ctx context.Context, o gateway.DepositOrder) (gateway.DepositStarted, error) {
	if err := ctx.Err(); err != nil {
		return gateway.DepositStarted{}, &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone, Err: err}
	}
	if err := checkOrder(o); err != nil {
		return gateway.DepositStarted{}, err
	}
	fields := [][2]string{
		{"mode", g.at.mode}, {"apiversion", apiVersion}, {"secure3dsecuritylevel", "3D_OOS_PAY"}, {"terminalprovuserid", g.paying.name},
		{"terminaluserid", g.paying.name}, {"terminalmerchantid", g.merchant}, {"terminalid", g.terminal}, {"txntype", "sales"},
		{"txnamount", plugkit.Kurus(o.Amount.Amount)}, {"txncurrencycode", lira}, {"txninstallmentcount", "1"}, {"orderid", string(o.Ref)},
		{"successurl", o.ReturnURL.String()}, {"errorurl", o.ReturnURL.String()}, {"customeripaddress", cmp.Or(o.Customer.IP, g.ip)},
		{"companyname", g.company}, {"lang", plugkit.Language(o.Locale)}, {"refreshtime", "1"},
		{"txntimestamp", g.clock.Now().UTC().Format("2006-01-02T15:04:05Z")},
	}
	if o.Customer.Email != "" {
		fields = append(fields, [2]string{"customeremailaddress", o.Customer.Email})
	}
	hash := formHash(g.storeKeys()[0], security(g.paying.password(), g.terminal), fields)
	fields = append(fields, [2]string{"secure3dhash", hash})
	return gateway.DepositStarted{
		External: gateway.ExternalRef{ID: string(o.Ref)},
		Next:     gateway.NextStep{Form: &gateway.FormPost{Action: "https://" + g.at.host + "/servlet/gt3dengine", Fields: fields}},
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
