package iyzico

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/plugkit"
)

// report is an answer of a reporting call.
type report struct {
	Status       plugkit.Text `json:"status"`
	Payments     []payment    `json:"payments"`
	Transactions []line       `json:"transactions"`
	Pages        plugkit.Text `json:"totalPageCount"`
}

// payment is one try of a card, with what was given back of it.
type payment struct {
	ID             plugkit.Text `json:"paymentId"`
	Status         plugkit.Text `json:"paymentStatus"`
	Fraud          plugkit.Text `json:"fraudStatus"`
	RefundStatus   plugkit.Text `json:"paymentRefundStatus"`
	PaidPrice      plugkit.Text `json:"paidPrice"`
	Currency       plugkit.Text `json:"currency"`
	BasketID       plugkit.Text `json:"basketId"`
	ConversationID plugkit.Text `json:"paymentConversationId"`
	CreatedDate    plugkit.Text `json:"createdDate"`
	Cancels        []giveBack   `json:"cancels"`
	Items          []struct {
		Refunds []giveBack `json:"refunds"`
	} `json:"itemTransactions"`
}

// giveBack is a cancel or a refund: the report names a refund's fields after it.
type giveBack struct {
	CancelConversationID plugkit.Text `json:"cancelConversationId"`
	RefundConversationID plugkit.Text `json:"refundConversationId"`
	Price                plugkit.Text `json:"refundPrice"`
	Status               plugkit.Text `json:"refundStatus"`
	Currency             plugkit.Text `json:"currencyCode"`
	HostReference        plugkit.Text `json:"hostReference"`
}

// givenBack is the refundStatus of a cancel or refund that was carried out.
const givenBack = "1"

func (p payment) givenBack() []giveBack {
	all := p.Cancels
	for _, item := range p.Items {
		all = append(all[:len(all):len(all)], item.Refunds...)
	}
	return all
}

// raw is the payment's status as the table has it.
func (p payment) raw() string {
	if p.Status == "1" {
		return string(p.Status + "/" + p.Fraud)
	}
	return string(p.Status)
}

// readByRef finds a deposit by our reference alone.
func (g *Gateway) readByRef(ctx context.Context, k gateway.DepositKey) (gateway.Observation, error) {
	p, err := g.reportOf(ctx, k)
	if err != nil {
		return gateway.Observation{}, err
	}
	o := gateway.Observation{
		Ref: k.Ref, External: with(k.External), Trust: gateway.Answered, Raw: p.raw(), State: reported.Of(p.raw()),
		At: p.created(),
	}
	if p.Status != "1" {
		if o.State != gateway.Unknown && g.isOver(p) {
			o.State, o.Reason = gateway.Failed, reasonOf(answer{})
		}
		return o, nil
	}
	paid, err := plugkit.Money(string(p.PaidPrice), string(p.Currency))
	if err != nil {
		return gateway.Observation{}, err
	}
	o.Paid, o.External = &paid, with(k.External, altPayment, string(p.ID))
	g.judge(&o, answer{})
	p.addRefunds(&o)
	return o, nil
}

// isOver reports whether no card can succeed any more on the form of a payment that has not: it was begun before the
// payment, and lives no longer than this. Should iyzico's Z ever mean what it says, the form would live three hours more.
func (g *Gateway) isOver(p payment) bool {
	created := p.created()
	return !created.IsZero() && g.clock.Now().After(created.Add(2*formLife+istanbulAhead))
}

// reportOf is the payment of a deposit: the one that succeeded, otherwise the last try. Error: NotFound.
func (g *Gateway) reportOf(ctx context.Context, k gateway.DepositKey) (payment, error) {
	query := "?paymentConversationId=" + url.QueryEscape(string(k.Ref))
	if id := k.External.Alt[altPayment]; id != "" {
		query = "?paymentId=" + url.QueryEscape(id)
	}
	var r report
	if err := g.get(ctx, pathDetails+query, &r); err != nil {
		return payment{}, err
	}
	var found *payment
	for i, p := range r.Payments {
		if string(p.ConversationID) != string(k.Ref) && string(p.BasketID) != string(k.Ref) {
			continue
		}
		if found == nil || found.Status != "1" && (p.Status == "1" || !p.created().Before(found.created())) {
			found = &r.Payments[i]
		}
	}
	if found == nil {
		return payment{}, plugkit.Refuse(gateway.NotFound, "no card was tried for this order")
	}
	return *found, nil
}

// created is when a card was tried; zero where it can't be read. A time is Istanbul's, with a Z behind it, too: the
// recorded answers are of 23:29:31Z by createdDate, and of 20:29 by systemTime.
func (p payment) created() time.Time {
	s := strings.TrimSuffix(string(p.CreatedDate), "Z")
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05.999Z0700"} {
		if at, err := time.Parse(layout, s); err == nil {
			return at
		}
	}
	for _, layout := range []string{"2006-01-02T15:04:05.999", time.DateTime} {
		if at, err := time.ParseInLocation(layout, s, istanbul); err == nil {
			return at
		}
	}
	return time.Time{}
}

// addRefunds turns a paid deposit into a refunded one, where the report says so.
func (p payment) addRefunds(o *gateway.Observation) {
	if o.State != gateway.Paid {
		return
	}
	o.State = refunds.Of(string(p.RefundStatus))
	sum := gateway.Money{Asset: o.Paid.Asset}
	for _, back := range p.givenBack() {
		if amount, err := money.ParseDecimal(string(back.Price)); err == nil && back.Status == givenBack {
			sum.Amount = sum.Amount.Add(amount)
		}
	}
	if o.State == gateway.Paid && sum.Amount.Sign() > 0 { // a cancel that the status does not tell of
		o.State = gateway.PartRefunded
	}
	switch {
	case o.State == gateway.Refunded || o.State == gateway.PartRefunded && sum.Amount.Cmp(o.Paid.Amount) >= 0:
		o.State, o.Refunded = gateway.Refunded, o.Paid
	case o.State == gateway.PartRefunded:
		o.Refunded = &sum
	}
	if o.State != gateway.Paid {
		o.Raw = strings.TrimSuffix(o.Raw+" "+string(p.RefundStatus), " ")
	}
}
