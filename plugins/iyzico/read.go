package iyzico

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// formQuery asks what became of a form.
type formQuery struct {
	Locale         string `json:"locale"`
	ConversationID string `json:"conversationId"`
	Token          string `json:"token"`
}

// ReadDeposit implements ports.DepositReader. The token finds the form; our reference alone finds payments that a card
// was tried for. Of a paid one it is asked further whether it was given back, which the form does not tell.
func (g *Gateway) ReadDeposit(ctx context.Context, k gateway.DepositKey) (gateway.Observation, error) {
	token := k.External.Alt[altToken]
	if token == "" {
		return g.readByRef(ctx, k)
	}
	o, err := g.readByToken(ctx, k, token)
	if err != nil || o.State != gateway.Paid {
		return o, err
	}
	p, err := g.reportOf(ctx, gateway.DepositKey{Ref: k.Ref, External: o.External})
	isNews := k.External.Alt[altPayment] == ""
	switch {
	case err == nil:
		p.addRefunds(&o)
	case !isNews && !gateway.IsClass(err, gateway.NotFound):
		return gateway.Observation{}, err
	} // the report may lag behind or be out of order: a payment that is news is not held up by that
	return o, nil
}

// FinishReturn implements ports.ReturnFinisher. iyzico has taken the money by then or has not; the browser brings the
// token and nothing that proves anything. Our own token is asked, whatever the browser says; the browser's only when a
// start had an unknown outcome, and only if its form is of this order.
func (g *Gateway) FinishReturn(ctx context.Context, v gateway.ReturnVisit) (gateway.Observation, error) {
	if own := v.External.Alt[altToken]; own != "" {
		return g.readByToken(ctx, v.DepositKey, own)
	}
	if brought := tokenIn(v.Request); brought != "" {
		k := v.DepositKey
		k.External = with(k.External, altToken, brought)
		if a, err := g.askForm(ctx, k, brought); err == nil && a.text("basketId") == string(v.Ref) {
			return g.observe(k, a)
		}
	}
	return g.readByRef(ctx, v.DepositKey)
}

// tokenIn is the token of a return: a form field, or part of the query.
func tokenIn(r gateway.Inbound) string {
	for _, raw := range []string{string(r.Body), r.Query} {
		values, err := url.ParseQuery(raw)
		if token := values.Get("token"); err == nil && isToken(token) {
			return token
		}
	}
	return ""
}

func isToken(s string) bool {
	const letters = "0123456789-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return s != "" && len(s) <= 100 && strings.Trim(s, letters) == ""
}

func (g *Gateway) askForm(ctx context.Context, k gateway.DepositKey, token string) (answer, error) {
	return g.post(ctx, readForm, formQuery{Locale: "en", ConversationID: string(k.Ref), Token: token})
}

// readByToken reads a form that is ours. A token that iyzico does not know any more is looked for by our reference.
func (g *Gateway) readByToken(ctx context.Context, k gateway.DepositKey, token string) (gateway.Observation, error) {
	a, err := g.askForm(ctx, k, token)
	var f *failure
	switch {
	case errors.As(err, &f) && (f.cause.Class == gateway.Refused || f.answer.text("paymentStatus") == "FAILURE"):
		return g.observe(k, f.answer) // the failure is the card's, not the question's
	case gateway.IsClass(err, gateway.Invalid), gateway.IsClass(err, gateway.NotFound):
		return g.readUntried(ctx, k)
	case err != nil:
		return gateway.Observation{}, gateway.ErrorOf(err)
	case a.text("token") != "" && a.text("token") != token:
		return gateway.Observation{}, plugkit.Distrust(gateway.Misconfigured, "the answer is about another form")
	}
	return g.observe(k, a)
}

// readUntried reads a form of which iyzico says a failure that is no card's: most likely none was tried. Nobody documented
// with which code, so that the payments are looked for; where there are none the form waits, and ends by its own time.
func (g *Gateway) readUntried(ctx context.Context, k gateway.DepositKey) (gateway.Observation, error) {
	o, err := g.readByRef(ctx, k)
	if !gateway.IsClass(err, gateway.NotFound) {
		return o, err
	}
	o = gateway.Observation{Ref: k.Ref, External: with(k.External), Trust: gateway.Answered, State: gateway.Waiting}
	g.judge(&o, answer{})
	return o, nil
}

// observe reports what a form's answer says. A failure never is a payment, whatever else stands in it.
func (g *Gateway) observe(k gateway.DepositKey, a answer) (gateway.Observation, error) {
	status, basket := a.text("paymentStatus"), a.text("basketId")
	if !strings.EqualFold(a.text("status"), "success") {
		status = "FAILURE"
	}
	if basket != string(k.Ref) && (basket != "" || status == success) {
		return gateway.Observation{}, plugkit.Distrust(gateway.Misconfigured, "the answer is about another order")
	}
	o := gateway.Observation{Ref: k.Ref, External: with(k.External), Trust: gateway.Answered, Raw: status}
	if status == success {
		paid, err := plugkit.Money(a.text("paidPrice"), a.text("currency"))
		if err != nil {
			return gateway.Observation{}, err
		}
		o.Raw, o.Paid, o.External = status+"/"+a.text("fraudStatus"), &paid, with(k.External, altPayment, a.text("paymentId"))
	}
	o.State = stateOf(status, a.text("fraudStatus"))
	g.judge(&o, a)
	return o, nil
}

// judge tells a refused card from a refused deposit: while the form lives, the customer may try another card.
func (g *Gateway) judge(o *gateway.Observation, a answer) {
	isOpen := isOpen(o.External, g.clock.Now())
	switch {
	case o.State == gateway.Waiting && !isOpen:
		o.State = gateway.Expired
	case o.State == gateway.Failed && o.Paid != nil: // by the fraud check, after it was paid
		o.Reason = &gateway.Reason{Code: gateway.FraudSuspected, RawCode: o.Raw}
		o.Paid = nil
	case o.State == gateway.Failed:
		o.Reason, o.CanStillPay = reasonOf(a), isOpen
	}
}

// isOpen reports whether the form can still be paid; where its end is not known, it may be.
func isOpen(e gateway.ExternalRef, now time.Time) bool {
	ends, err := strconv.ParseInt(e.Alt[altEnds], 10, 64)
	return err != nil || now.Before(time.Unix(ends, 0))
}

// with is what is known of a deposit, and more: names and values in turn.
func with(e gateway.ExternalRef, more ...string) gateway.ExternalRef {
	alt := maps.Clone(e.Alt)
	if alt == nil {
		alt = map[string]string{}
	}
	for i := 0; i+1 < len(more); i += 2 {
		alt[more[i]] = more[i+1]
	}
	e.Alt, e.ID = alt, cmp.Or(e.ID, alt[altToken], alt[altPayment])
	return e
}
