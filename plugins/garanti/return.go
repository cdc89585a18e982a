package garanti

import (
	"context"
	"slices"
	"strings"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// signedFields reads what the bank has the browser post, and gives of it what its hash covers: nothing, where the hash is missing or
// wrong, or covers what is not there or anything twice.
func (g *Gateway) signedFields(in gateway.Inbound) map[string]string {
	form, err := plugkit.Form(in)
	if err != nil {
		return nil
	}
	names := strings.Split(strings.TrimSuffix(form["hashparams"], ":"), ":")
	signed := plugkit.Listed(form, names, "hash", "hashparams")
	if signed == nil || !isReturn(g.storeKeys(), join(names, signed), form["hash"]) {
		return nil
	}
	return signed
}

// mustSign are what a form's hash must cover although it may be empty.
var mustSign = []string{"procreturncode", "response"}

// isAuthenticated are the values of mdstatus after which the card is charged.
var isAuthenticated = []string{"1", "2", "3", "4"}

// FinishReturn implements ports.ReturnFinisher. The bank is asked, whatever the browser brought, and nothing is paid by a form: its hash
// covers no amount, and values with nothing between them, under a list of names that it does not cover. Where the bank knows of no
// card, a signed form of this order tells that one failed in 3-D Secure, which no question shows. That ends a try, and not the order.
func (g *Gateway) FinishReturn(ctx context.Context, v gateway.ReturnVisit) (gateway.Observation, error) {
	o, err := g.ReadDeposit(ctx, v.DepositKey)
	if err != nil || o.State != gateway.Waiting {
		return o, err
	}
	f := g.signedFields(v.Request)
	for _, name := range mustSign {
		if _, isThere := f[name]; !isThere {
			return o, nil
		}
	}
	md := f["mdstatus"]
	isFailure := len(md) == 1 && !slices.Contains(isAuthenticated, md) && f["procreturncode"] != approved
	if f["oid"] == string(v.Ref) && f["clientid"] == g.terminal && isFailure {
		o.State, o.CanStillPay, o.Raw = gateway.Failed, true, "mdstatus/"+md
		o.Reason = &gateway.Reason{Code: gateway.AuthFailed, RawCode: "mdstatus " + md}
	}
	return o, nil
}
