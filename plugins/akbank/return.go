package akbank

import (
	"context"
	"slices"
	"strings"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// signedFields reads what the bank has the browser post, and gives of it what its hash covers: nothing, where the hash is missing or wrong,
// or covers what is not there or anything twice.
func (g *Gateway) signedFields(in gateway.Inbound) map[string]string {
	form, err := plugkit.Form(in)
	if err != nil {
		return nil
	}
	// A plus that was not escaped is read as a space. No name has one, and no hash.
	names := strings.FieldsFunc(form["hashParams"], func(r rune) bool { return r == '+' || r == ' ' })
	hash := strings.ReplaceAll(form["hash"], " ", "+")
	signed := plugkit.Listed(form, names, "hash", "hashParams")
	if signed == nil || !isSigned(g.secrets(), join(names, signed), hash) {
		return nil
	}
	for name, ours := range map[string]string{"merchantSafeId": g.merchant, "terminalSafeId": g.terminal} {
		if value, isThere := signed[name]; isThere && value != ours {
			return nil
		}
	}
	return signed
}

// FinishReturn implements ports.ReturnFinisher. The bank is asked, whatever the browser brought, and nothing is paid by a form: its
// hash covers values that are joined with nothing between them, under a list of names that it does not cover, so that who has one
// may cut it into other fields. Where the bank knows of no card, a signed form of this order tells that one failed in 3-D Secure,
// which no question shows. Its order is not used then, so that the same form, posted again, may still pay.
func (g *Gateway) FinishReturn(ctx context.Context, v gateway.ReturnVisit) (gateway.Observation, error) {
	o, err := g.ReadDeposit(ctx, v.DepositKey)
	if err != nil || o.State != gateway.Waiting {
		return o, err
	}
	f := g.signedFields(v.Request)
	if code := f["responseCode"]; f["orderId"] == string(v.Ref) && isFailure(code) {
		o.State, o.CanStillPay, o.Raw, o.Reason = gateway.Failed, true, code, failures.Reason(code, f["responseMessage"])
	}
	return o, nil
}

// tellsNothing are codes of a form that do not say that its order failed: a success that the bank does not know of yet, an order
// that was posted twice and may be paid in another window, and a decline, which shows in the history.
var tellsNothing = []string{codeDone, codeDeclined, "VPS-1013"}

func isFailure(code string) bool {
	return strings.HasPrefix(code, "VPS-") && !slices.Contains(tellsNothing, code)
}
