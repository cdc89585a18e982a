package ccpayment

import (
	"context"
	"mime"
	"regexp"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// Parts of a hash key that the gateway sends: status, amount, our reference, its order, and of a sale the currency.
const (
	partStatus = 0
	partRef    = 2
	partOrder  = 3
	minParts   = 4
)

var isRef = regexp.MustCompile(`^[0-9A-Za-z]{1,40}$`).MatchString

// fieldsOf reads a message: a form, or flat JSON.
func fieldsOf(in gateway.Inbound) (map[string]plugkit.Text, error) {
	media, _, err := mime.ParseMediaType(in.Header.Get("Content-Type"))
	if err != nil || in.Method != "POST" || len(in.Body) > gateway.MaxNotificationBytes {
		return nil, plugkit.Refuse(gateway.Invalid, "neither a form nor JSON")
	}
	fields := map[string]plugkit.Text{}
	switch media {
	case "application/x-www-form-urlencoded":
		form, err := plugkit.Form(in)
		if err != nil {
			return nil, err
		}
		for name, value := range form {
			fields[name] = plugkit.Text(value)
		}
	case "application/json":
		if plugkit.Decode(in.Body, &fields) != nil {
			return nil, plugkit.Refuse(gateway.Invalid, "the JSON can't be read")
		}
	default:
		return nil, plugkit.Refuse(gateway.Invalid, "neither a form nor JSON")
	}
	return fields, nil
}

// ReadNotification implements ports.NotificationReader: of a sale, a refund or a chargeback. Its hash key must open with the app's
// secret and name the same order. That keeps strangers out and proves no more: it is encrypted without a signature, every customer gets
// one on the way back, and who has one can change its first letters, where the status stands. So a message is a reason to ask.
func (g *Gateway) ReadNotification(_ context.Context, in gateway.Inbound) (gateway.Notification, error) {
	fields, err := fieldsOf(in)
	if err != nil {
		return gateway.Notification{}, err
	}
	parts := unseal(g.secrets(), string(fields["hash_key"]))
	switch {
	case len(parts) < minParts || parts[partRef] != string(fields["invoice_id"]):
		return gateway.Notification{}, plugkit.Refuse(gateway.Unauthenticated, "the hash key is missing, wrong or of another order")
	case !isRef(parts[partRef]):
		return gateway.Notification{}, plugkit.Refuse(gateway.Invalid, "the message names no order")
	}
	ref := gateway.Ref(parts[partRef])
	o := gateway.Observation{
		Ref: ref, External: nameIt(ref, plugkit.Text(parts[partOrder])), Trust: gateway.Hint, State: gateway.Unknown,
		Raw: plugkit.Excerpt([]byte(parts[partStatus])),
	}
	kind := "refund"
	_, isSale := fields["sipay_status"]
	if _, isPayment := fields["payment_status"]; isSale || isPayment {
		kind, o.State = "sale", told.Of(parts[partStatus])
		o.CanStillPay = o.State == gateway.Failed
	} else if action, isChargeback := fields["current_trx_status"]; isChargeback {
		kind, o.State, o.Raw = "chargeback", gateway.Disputed, plugkit.Excerpt([]byte(action))
	}
	return gateway.Notification{ID: plugkit.ContentID(string(in.Body)), Type: kind, Events: []gateway.Observation{o}}, nil
}

// Acknowledge implements ports.NotificationReader. No source says what the brands want to read.
func (g *Gateway) Acknowledge(d gateway.Disposition) gateway.Reply { return gateway.DefaultReply(d) }
