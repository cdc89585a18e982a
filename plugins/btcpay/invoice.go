package btcpay

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// invoice is an invoice as the server tells it.
type invoice struct {
	ID               string          `json:"id"`
	CheckoutLink     string          `json:"checkoutLink"`
	Status           string          `json:"status"`
	AdditionalStatus string          `json:"additionalStatus"`
	Amount           number          `json:"amount"`
	Currency         string          `json:"currency"`
	CreatedTime      stamp           `json:"createdTime"`
	ExpirationTime   stamp           `json:"expirationTime"`
	Metadata         json.RawMessage `json:"metadata"`
	Checkout         struct {
		PaymentTolerance json.Number `json:"paymentTolerance"`
	} `json:"checkout"`
}

// raw is the invoice's status as the table has it: "Expired, PaidLate".
func (i invoice) raw() string {
	if i.AdditionalStatus == "" || strings.EqualFold(i.AdditionalStatus, "None") {
		return i.Status
	}
	return i.Status + ", " + i.AdditionalStatus
}

func (i invoice) isStatus(s string) bool { return strings.EqualFold(i.Status, s) }

func (i invoice) external() gateway.ExternalRef {
	e := gateway.ExternalRef{ID: i.ID}
	if i.CheckoutLink != "" {
		e.Alt = map[string]string{"checkout": i.CheckoutLink}
	}
	return e
}

// price is what was to be paid, in the currency that the invoice is really in.
func (i invoice) price() gateway.Money {
	asset := plugkit.Currency(i.Currency)
	return gateway.Money{Amount: i.Amount.Decimal, Asset: asset}
}

// isExact reports whether the server calls the invoice paid for nothing less than its price.
func (i invoice) isExact() bool {
	return strings.Trim(i.Checkout.PaymentTolerance.String(), "0.") == ""
}

// path is the path of the store's calls about something: path("invoices", id).
func (g *Gateway) path(parts ...string) string { return g.store + plugkit.Path(parts...) }

func (g *Gateway) get(ctx context.Context, path string, out any) error {
	return g.client.Call(ctx, "GET", path, nil, out)
}

func (g *Gateway) invoiceByID(ctx context.Context, id string) (invoice, error) {
	var i invoice
	err := g.get(ctx, g.path("invoices", id), &i)
	if isForbidden(err) {
		if _, err := g.invoices(ctx, url.Values{"take": {"1"}}); err != nil {
			return invoice{}, err
		}
		return invoice{}, plugkit.Refuse(gateway.NotFound, "the server has no such invoice, or it is another store's")
	}
	if err != nil {
		return invoice{}, err
	}
	if i.ID != id {
		return invoice{}, plugkit.Distrust(gateway.Retryable, "the answer is not the invoice that was asked for")
	}
	return i, nil
}

// isForbidden reports whether the server says that the key lacks a permission. From 2.4.0 on it says so of what does not
// exist, too: a list of the same things tells which it is.
func isForbidden(err error) bool {
	return err != nil && gateway.ErrorOf(err).RawCode == missingPermission
}

func (g *Gateway) invoices(ctx context.Context, query url.Values) ([]invoice, error) {
	var list []invoice
	query.Set("includeArchived", "true")
	err := g.get(ctx, g.path("invoices")+"?"+query.Encode(), &list)
	return list, err
}

// find finds the invoice of a deposit, by our reference where the server's is not known.
func (g *Gateway) find(ctx context.Context, k gateway.DepositKey) (invoice, error) {
	if k.External.ID != "" {
		return g.invoiceByID(ctx, k.External.ID)
	}
	list, err := g.invoices(ctx, url.Values{"orderId": {string(k.Ref)}, "take": {"10"}})
	if err != nil {
		return invoice{}, err
	}
	var best *invoice
	for n, i := range list {
		if refIn(i.Metadata, orderIDOf) != k.Ref || k.Ref == "" {
			continue
		}
		if best == nil || weight(i) > weight(*best) {
			best = &list[n]
		}
	}
	if best == nil {
		return invoice{}, plugkit.Refuse(gateway.NotFound, "no invoice has this order id")
	}
	return *best, nil
}

// weight prefers, of several invoices with one reference, the one with money. There are several only if a start was
// repeated, which the core does not do.
func weight(i invoice) int {
	switch states.Of(i.raw()) {
	case gateway.Paid, gateway.OverPaid:
		return 4
	case gateway.Review, gateway.PartPaid:
		return 3
	case gateway.Processing:
		return 2
	case gateway.Waiting:
		return 1
	default:
		return 0
	}
}

// observe reports an invoice. Where money may be involved it asks for the payments, too.
func (g *Gateway) observe(ctx context.Context, i invoice) (gateway.Observation, error) {
	o := gateway.Observation{
		Ref: refIn(i.Metadata, orderIDOf), External: i.external(), State: states.Of(i.raw()), Trust: gateway.Answered,
		Raw: i.raw(),
	}
	switch o.State {
	case gateway.Waiting, gateway.Processing, gateway.Expired, gateway.Unknown:
		return o, nil
	}
	t, err := g.tally(ctx, i)
	if err != nil {
		return gateway.Observation{}, err
	}
	o.At = t.last
	o.State, o.Paid = judge(i, o.State, t)
	return o, nil
}
