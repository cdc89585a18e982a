package nestpay

import (
	"context"
	"math/big"
	"strconv"
	"strings"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/plugkit"
)

// line is one transaction of an order's history: a sale or a refund.
type line struct {
	kind, status, code, id string
	amount                 money.Decimal
}

// Kinds of lines.
const (
	sale   = "S"
	credit = "C"
)

// maxLines bounds a history.
const maxLines = 1000

// history asks for all that happened under a reference. Error: NotFound, when no card was tried.
func (g *Gateway) history(ctx context.Context, ref gateway.Ref) ([]line, error) {
	a, err := g.call(ctx, element{"OrderId", string(ref)}, element{"Extra/ORDERHISTORY", "QUERY"})
	if err != nil {
		return nil, err
	}
	count, countErr := strconv.Atoi(a.Extra["TRXCOUNT"])
	switch {
	case !a.isApproved() && (a.OrderID == "" || a.OrderID == string(ref)) && countErr == nil && count == 0 &&
		strings.HasPrefix(a.Text, "No record found"):
		return nil, plugkit.Refuse(gateway.NotFound, "no card was tried for this order")
	case !a.isApproved():
		return nil, a.failure()
	case countErr != nil || count < 1 || count > maxLines:
		return nil, plugkit.Distrust(gateway.Retryable, "the history does not say how long it is")
	}
	if err := plugkit.IsAbout(a.OrderID, ref); err != nil {
		return nil, err
	}
	all := make([]line, count)
	for i := range all {
		if all[i], err = lineOf(a.Extra["TRX"+strconv.Itoa(i+1)]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// lineOf reads a line: kind, status, the amounts of authorization and capture in kuruş, three times, the host's reference,
// the authorization's code, the return code and the transaction's id, with tabs between them.
func lineOf(text string) (line, error) {
	parts := strings.Split(text, "\t")
	if len(parts) < 11 {
		return line{}, plugkit.Distrust(gateway.Retryable, "a line of the history is too short")
	}
	kurus, err := strconv.ParseInt(parts[2], 10, 64)
	if err != nil || kurus < 0 {
		return line{}, plugkit.Distrust(gateway.Retryable, "a line of the history has no amount")
	}
	return line{
		kind: parts[0], status: parts[1], code: parts[9], id: parts[10], amount: money.DecimalOf(big.NewInt(kurus), gateway.TRY.Decimals),
	}, nil
}

// ReadDeposit implements ports.DepositReader. The bank knows an order from the first card on. One whose form was given to
// the customer waits until then, and has no end: the form stays valid.
func (g *Gateway) ReadDeposit(ctx context.Context, k gateway.DepositKey) (gateway.Observation, error) {
	o := gateway.Observation{Ref: k.Ref, External: gateway.ExternalRef{ID: string(k.Ref)}, Trust: gateway.Answered}
	all, err := g.history(ctx, k.Ref)
	switch {
	case gateway.IsClass(err, gateway.NotFound) && !k.External.IsZero():
		o.State = gateway.Waiting
		return o, nil
	case err != nil:
		return gateway.Observation{}, err
	}
	observe(&o, all)
	return o, nil
}

// observe adds up an order's lines. A second sale that succeeded shows as more than was due; one that was voided was paid and
// given back.
func observe(o *gateway.Observation, all []line) {
	var paid, back money.Decimal
	o.State = gateway.Unknown
	rank := -1
	for _, l := range all {
		state, isListed := lines[l.kind+"/"+l.status]
		isDone := l.code == approved
		switch {
		case !isListed || state == gateway.Unknown: // nobody knows what money it moved
			o.State, o.Raw, o.Reason, rank = gateway.Unknown, l.kind+"/"+l.status, nil, len(ranks)
			continue
		case state == gateway.Paid && isDone:
			paid = paid.Add(l.amount)
		case state == gateway.Refunded && isDone && l.kind == sale:
			paid, back = paid.Add(l.amount), back.Add(l.amount)
		case state == gateway.Refunded && isDone:
			back = back.Add(l.amount)
		case state == gateway.Paid:
			state = gateway.Failed // by its code
		}
		if l.kind == sale && ranks[state] > rank {
			o.State, o.Raw, o.Reason, rank = state, l.kind+"/"+l.status, nil, ranks[state]
			if state == gateway.Failed {
				o.Reason = failures.Reason(l.code, "")
			}
		}
	}
	if paid.Sign() > 0 {
		o.Paid = &gateway.Money{Amount: paid, Asset: gateway.TRY}
	}
	if back.Sign() > 0 {
		o.Refunded = &gateway.Money{Amount: back, Asset: gateway.TRY}
	}
	switch {
	case o.State == gateway.Unknown || paid.Sign() == 0:
	case back.Cmp(paid) >= 0:
		o.State = gateway.Refunded
	case back.Sign() > 0:
		o.State = gateway.PartRefunded
	}
}

// ranks says which of several sales of an order counts: the one that took money, then one that may yet.
var ranks = map[gateway.State]int{gateway.Failed: 1, gateway.Canceled: 2, gateway.Processing: 3, gateway.Refunded: 4, gateway.Paid: 5}

// FinishReturn implements ports.ReturnFinisher. The bank is asked, whatever the browser brought. Where it knows of no card,
// a signed form of this order tells that one failed in 3-D Secure, which no question shows.
func (g *Gateway) FinishReturn(ctx context.Context, v gateway.ReturnVisit) (gateway.Observation, error) {
	o, err := g.ReadDeposit(ctx, v.DepositKey)
	if err != nil || o.State != gateway.Waiting {
		return o, err
	}
	if f, err := g.readForm(v.Request); err == nil && f["oid"] == string(v.Ref) && !f.isSuccess() {
		o.State, o.Raw, o.Reason = gateway.Failed, "mdStatus "+f["mdStatus"], f.reason()
	}
	return o, nil
}
