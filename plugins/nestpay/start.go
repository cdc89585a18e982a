package nestpay

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// lira is the lira's number in ISO 4217.
const lira = "949"

// Choices of callback.
const (
	callbackOn   = "on"
	callbackFast = "fast"
	callbackOff  = "off"
)

// fastSeconds is how soon after the bank's own page a callback comes, where the store wants that.
const fastSeconds = "10"

// StartDeposit implements ports.DepositStarter. It reaches no network: the customer's browser posts the form, which the
// bank takes if its hash is right. The same order gives the same order at the bank, which knows it by its oid.
func (g *Gateway) StartDeposit(ctx context.Context, o gateway.DepositOrder) (gateway.DepositStarted, error) {
	if err := ctx.Err(); err != nil {
		return gateway.DepositStarted{}, &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone, Err: err}
	}
	if err := checkOrder(o); err != nil {
		return gateway.DepositStarted{}, err
	}
	fields := [][2]string{
		{"clientid", g.client}, {"storetype", "3d_pay_hosting"}, {"amount", o.Amount.Amount.Fixed(2)}, {"oid", string(o.Ref)},
		{"okUrl", o.ReturnURL.String()}, {"failUrl", o.ReturnURL.String()}, {"rnd", g.random(o.Ref)}, {"lang", plugkit.Language(o.Locale)},
		{"currency", lira}, {"taksit", ""}, {"TranType", "Auth"}, {"hashAlgorithm", version},
	}
	if g.callback != callbackOff && o.NotifyURL != nil {
		fields = append(fields, [2]string{"callbackUrl", o.NotifyURL.String()})
	}
	if g.callback == callbackFast {
		fields = append(fields, [2]string{"refreshtime", fastSeconds})
	}
	fields = append(fields, [2]string{"encoding", "utf-8"}, [2]string{"hash", hash(g.storeKeys()[0], fields)})
	return gateway.DepositStarted{
		External: gateway.ExternalRef{ID: string(o.Ref)},
		Next:     gateway.NextStep{Form: &gateway.FormPost{Action: g.formURL, Fields: fields}},
	}, nil
}

// checkOrder refuses what the bank's form can't say.
func checkOrder(o gateway.DepositOrder) error {
	switch {
	case o.Kind != "" && o.Kind != gateway.Card:
		return plugkit.Refuse(gateway.Unsupported, "only cards are taken")
	case o.Ref == "" || o.ReturnURL == nil:
		return plugkit.Refuse(gateway.Invalid, "a reference and a return address are needed")
	}
	return plugkit.CheckLira(o.Amount)
}

// random makes the text that rnd wants anew for every form. A plugin has no source of randomness, and need not have one
// here: the text is public, and must be unique and not secret.
func (g *Gateway) random(ref gateway.Ref) string {
	sum := sha256.Sum256([]byte(string(ref) + " " + strconv.FormatInt(g.clock.Now().UnixNano(), 10) + " " +
		strconv.FormatUint(g.forms.Add(1), 10)))
	return hex.EncodeToString(sum[:10])
}
