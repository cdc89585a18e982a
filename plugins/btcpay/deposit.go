package btcpay

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// newInvoice asks for an invoice. The amount is always there: without one the server would take any.
type newInvoice struct {
	Amount   string          `json:"amount"`
	Currency string          `json:"currency"`
	Metadata invoiceMetadata `json:"metadata"`
	Checkout checkout        `json:"checkout"`
}

type invoiceMetadata struct {
	OrderID  string `json:"orderId"`
	ItemDesc string `json:"itemDesc,omitempty"`
}

type checkout struct {
	ExpirationMinutes int         `json:"expirationMinutes,omitempty"`
	MonitoringMinutes int         `json:"monitoringMinutes"`
	PaymentTolerance  json.Number `json:"paymentTolerance"`
	SpeedPolicy       string      `json:"speedPolicy"`
	PaymentMethods    []string    `json:"paymentMethods"`
	RedirectURL       string      `json:"redirectURL,omitempty"`
	RedirectsItself   bool        `json:"redirectAutomatically"`
}

// StartDeposit implements ports.DepositStarter. It looks for no earlier invoice: a second one with the same reference
// takes no money by itself, and a customer waits for this answer.
func (g *Gateway) StartDeposit(ctx context.Context, o gateway.DepositOrder) (gateway.DepositStarted, error) {
	order, err := g.invoiceFor(o)
	if err != nil {
		return gateway.DepositStarted{}, err
	}
	var i invoice
	if err := g.client.Call(ctx, "POST", g.path("invoices"), order, &i); err != nil {
		return gateway.DepositStarted{}, err
	}
	link, err := url.Parse(i.CheckoutLink)
	if i.ID == "" || err != nil || link.Host == "" {
		return gateway.DepositStarted{}, plugkit.Distrust(gateway.Retryable, "the answer has no id or no checkoutLink")
	}
	if err := plugkit.IsAbout(string(refIn(i.Metadata, orderIDOf)), o.Ref); err != nil {
		return gateway.DepositStarted{}, err
	}
	if err := plugkit.IsFor(i.price(), o.Amount); err != nil {
		return gateway.DepositStarted{}, err
	}
	return gateway.DepositStarted{
		External: i.external(), Next: g.step(ctx, i, order.Checkout.PaymentMethods), ExpiresAt: i.ExpirationTime.Time,
	}, nil
}

func (g *Gateway) invoiceFor(o gateway.DepositOrder) (newInvoice, error) {
	if err := plugkit.CheckLira(o.Amount); err != nil {
		return newInvoice{}, err
	}
	methods := g.methods
	if o.Option != "" {
		if !slices.Contains(methods, o.Option) {
			return newInvoice{}, plugkit.Refuse(gateway.Invalid, "the payment method is not one of those configured")
		}
		methods = []string{o.Option}
	}
	minutes, err := g.minutesTo(o.ExpiresAt)
	if err != nil {
		return newInvoice{}, err
	}
	order := newInvoice{
		Amount: o.Amount.Amount.Fixed(gateway.TRY.Decimals), Currency: gateway.TRY.Code,
		Metadata: invoiceMetadata{OrderID: string(o.Ref), ItemDesc: o.Text},
		Checkout: checkout{
			ExpirationMinutes: minutes, MonitoringMinutes: g.monitoring, PaymentTolerance: json.Number(g.tolerance.String()),
			SpeedPolicy: g.speed, PaymentMethods: methods, RedirectsItself: o.ReturnURL != nil,
		},
	}
	if o.ReturnURL != nil {
		order.Checkout.RedirectURL = o.ReturnURL.String()
	}
	return order, nil
}

// minutesTo is how many whole minutes are left; 0 leaves it to the store's settings.
func (g *Gateway) minutesTo(end time.Time) (int, error) {
	if end.IsZero() {
		return 0, nil
	}
	left := end.Sub(g.clock.Now())
	if left <= 0 {
		return 0, plugkit.Refuse(gateway.Invalid, "the deposit has ended before it began")
	}
	return int(min(max(left/time.Minute, minMinutes), maxMinutes)), nil
}

// step shows the address on our own page where the invoice can be paid on one chain and in no other way. Anything else,
// and anything that is not as expected, goes to the server's page: the invoice is there by now.
func (g *Gateway) step(ctx context.Context, i invoice, methods []string) gateway.NextStep {
	toServer := gateway.NextStep{Redirect: &gateway.Redirect{URL: i.CheckoutLink}}
	if len(methods) != 1 || !strings.HasSuffix(methods[0], "-CHAIN") {
		return toServer
	}
	list, err := g.methodsOf(ctx, i.ID)
	if err != nil {
		return toServer
	}
	asset := assetOf(methods[0])
	for _, m := range list {
		if m.ID == methods[0] && m.IsActivated && m.Due.Sign() > 0 && gateway.IsAddress(asset.Network, m.Destination) {
			return gateway.NextStep{Pay: &gateway.Instructions{
				Kind: gateway.Crypto, Address: m.Destination, Asset: asset, Exact: m.Due.Decimal, QR: m.PaymentLink,
				ExpiresAt: i.ExpirationTime.Time, Confirms: confirmations[g.speed],
			}}
		}
	}
	return toServer
}

// ReadDeposit implements ports.DepositReader.
func (g *Gateway) ReadDeposit(ctx context.Context, k gateway.DepositKey) (gateway.Observation, error) {
	i, err := g.find(ctx, k)
	if err != nil {
		return gateway.Observation{}, err
	}
	return g.observe(ctx, i)
}

// pageSize is small, since each invoice that speaks of money takes a question of its own.
const pageSize = 25

// maxSkip bounds a listing.
const maxSkip = 1_000_000

// ListDeposits implements ports.DepositLister. The cursor is how many invoices were seen. Newer ones come first, so that
// one that is made meanwhile shows another twice and hides none.
func (g *Gateway) ListDeposits(ctx context.Context, w gateway.Window, c gateway.Cursor) (gateway.ObservationPage, error) {
	skip := 0
	if c != "" {
		n, err := strconv.Atoi(string(c))
		if err != nil || n < 0 || n > maxSkip {
			return gateway.ObservationPage{}, plugkit.Refuse(gateway.Invalid, "the cursor is not one of ours")
		}
		skip = n
	}
	list, err := g.invoices(ctx, url.Values{
		"startDate": {strconv.FormatInt(w.From.Unix(), 10)}, "endDate": {strconv.FormatInt(w.To.Unix(), 10)},
		"skip": {strconv.Itoa(skip)}, "take": {strconv.Itoa(pageSize)},
	})
	if err != nil {
		return gateway.ObservationPage{}, err
	}
	var page gateway.ObservationPage
	for _, i := range list {
		if i.CreatedTime.Before(w.From.Truncate(time.Second)) || !i.CreatedTime.Before(w.To) {
			continue
		}
		o, err := g.observe(ctx, i)
		if err != nil {
			return gateway.ObservationPage{}, err
		}
		page.Items = append(page.Items, o)
	}
	if len(list) >= pageSize {
		page.Next = gateway.Cursor(strconv.Itoa(skip + len(list)))
	}
	return page, nil
}

// CancelDeposit implements ports.DepositCanceler: it marks an invoice invalid that is new and to which nothing came. Of
// any other it reports what it is.
func (g *Gateway) CancelDeposit(ctx context.Context, o gateway.CancelOrder) (gateway.Observation, error) {
	i, err := g.find(ctx, o.DepositKey)
	if err != nil {
		return gateway.Observation{}, unsent(err)
	}
	if i.raw() != "New" {
		seen, err := g.observe(ctx, i)
		if err != nil {
			return gateway.Observation{}, unsent(err)
		}
		return seen, nil
	}
	var marked invoice
	body := struct {
		Status string `json:"status"`
	}{"Invalid"}
	err = g.client.Call(ctx, "POST", g.path("invoices", i.ID, "status"), body, &marked)
	if err != nil && !gateway.IsClass(err, gateway.Invalid) { // which says that it has moved on meanwhile
		return gateway.Observation{}, err
	}
	seen, err := g.ReadDeposit(ctx, gateway.DepositKey{External: i.external()}) // newer servers answer as it was before
	if err != nil {
		return gateway.Observation{}, afterwards(err)
	}
	return seen, nil
}

// ListOptions implements ports.OptionLister: the configured payment methods that the store has enabled. A key that may
// not see the store's settings gets all that are configured.
func (g *Gateway) ListOptions(ctx context.Context) ([]gateway.Option, error) {
	var enabled []struct {
		ID        string `json:"paymentMethodId"`
		IsEnabled bool   `json:"enabled"`
	}
	err := g.get(ctx, g.path("payment-methods"), &enabled)
	mayNot := err != nil && gateway.ErrorOf(err).RawCode == missingPermission
	if err != nil && !mayNot {
		return nil, err
	}
	var options []gateway.Option
	for _, id := range g.methods {
		a := assetOf(id)
		if mayNot {
			options = append(options, gateway.Option{ID: id, Title: a.String(), Asset: a})
		}
		for _, e := range enabled {
			if e.ID == id && e.IsEnabled {
				options = append(options, gateway.Option{ID: id, Title: a.String(), Asset: a})
			}
		}
	}
	return options, nil
}
