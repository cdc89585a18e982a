package stripe

import (
	"cmp"
	"context"
	"net/url"
	"strconv"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// altSession is the session's name in gateway.ExternalRef.Alt. The main ID is the payment intent, which begins with the
// first card: notifications of refunds, disputes and reviews name nothing else.
const altSession = "session"

// Stripe takes a session's end between 30 minutes and 24 hours after its beginning. Ours is often nearer, and a form that
// is sent again under its key must not differ: the end is always this long after ours, and CancelDeposit is the sooner one.
const beyondOurs = 31 * time.Minute

// StartDeposit implements ports.DepositStarter.
func (g *Gateway) StartDeposit(ctx context.Context, o gateway.DepositOrder) (gateway.DepositStarted, error) {
	if err := checkOrder(o); err != nil {
		return gateway.DepositStarted{}, err
	}
	var made session
	err := g.post(ctx, pathSessions, o.Key, g.sessionForm(o), &made)
	if err == nil {
		err = made.isOf(o.Ref)
	}
	if err != nil {
		return gateway.DepositStarted{}, err
	}
	if u, err := url.Parse(made.URL); err != nil || u.Scheme != "https" || u.Host == "" {
		return gateway.DepositStarted{}, plugkit.Distrust(gateway.Retryable, "the answer has no address of a payment page")
	}
	if made.AmountTotal == nil || units(*made.AmountTotal, made.Currency) != o.Amount {
		return gateway.DepositStarted{}, plugkit.Distrust(gateway.Retryable, "the session is of another amount than the order")
	}
	return gateway.DepositStarted{
		External:  gateway.ExternalRef{Alt: map[string]string{altSession: made.ID}},
		Next:      gateway.NextStep{Redirect: &gateway.Redirect{URL: made.URL}},
		ExpiresAt: time.Unix(made.ExpiresAt, 0),
	}, nil
}

// checkOrder refuses before the call what Stripe can't take, or what its form can't say.
func checkOrder(o gateway.DepositOrder) error {
	switch {
	case o.Kind != "" && o.Kind != gateway.Card:
		return plugkit.Refuse(gateway.Unsupported, "only cards are taken")
	case o.Ref == "" || o.Key == "" || o.ReturnURL == nil || o.ExpiresAt.IsZero():
		return plugkit.Refuse(gateway.Invalid, "a reference, a key, a return address and an end are needed")
	}
	return plugkit.CheckLira(o.Amount)
}

// sessionForm depends on the order alone: the same key with another form is an error at Stripe.
func (g *Gateway) sessionForm(o gateway.DepositOrder) url.Values {
	form := url.Values{}
	for name, value := range map[string]string{
		"mode": "payment", "payment_method_types[0]": "card", "client_reference_id": string(o.Ref),
		"line_items[0][quantity]":                       "1",
		"line_items[0][price_data][currency]":           "try",
		"line_items[0][price_data][unit_amount]":        plugkit.Kurus(o.Amount.Amount),
		"line_items[0][price_data][product_data][name]": textOf(o),
		"success_url":               o.ReturnURL.String(),
		"cancel_url":                o.ReturnURL.String(),
		"expires_at":                strconv.FormatInt(o.ExpiresAt.Add(beyondOurs).Unix(), 10),
		"locale":                    plugkit.Language(o.Locale),
		"adaptive_pricing[enabled]": "false", // else a customer may pay in another currency
		"metadata[" + metaRef + "]": string(o.Ref),
		"payment_intent_data[metadata][" + metaRef + "]":       string(o.Ref),
		"payment_method_options[card][request_three_d_secure]": g.threeDS,
	} {
		form.Set(name, value)
	}
	if gateway.IsEmail(o.Customer.Email) {
		form.Set("customer_email", o.Customer.Email)
	}
	return form
}

func textOf(o gateway.DepositOrder) string {
	if plugkit.Language(o.Locale) == "tr" {
		return cmp.Or(o.Text, "Ödeme")
	}
	return cmp.Or(o.Text, "Payment")
}

// session is a Checkout session.
type session struct {
	ID            string              `json:"id"`
	URL           string              `json:"url"`
	Status        string              `json:"status"`
	PaymentStatus string              `json:"payment_status"`
	Reference     string              `json:"client_reference_id"`
	AmountTotal   *int64              `json:"amount_total"`
	Currency      string              `json:"currency"`
	ExpiresAt     int64               `json:"expires_at"`
	Intent        *expandable[intent] `json:"payment_intent"`
}

// Lacks implements plugkit.Checker.
func (s *session) Lacks() string {
	switch {
	case s.ID == "":
		return "id"
	case s.Status == "":
		return "status"
	default:
		return ""
	}
}

// isOf holds a session, and its payment intent, to the order that was asked about.
func (s *session) isOf(ref gateway.Ref) error {
	if err := plugkit.IsAbout(s.Reference, ref); err != nil || s.Intent == nil || s.Intent.object == nil {
		return err
	}
	return plugkit.IsAbout(s.Intent.object.Metadata[metaRef], ref)
}
