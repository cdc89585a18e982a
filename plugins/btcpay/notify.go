package btcpay

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// signatureHeader and its scheme: "sha256=" and the HMAC of the body in small hex digits.
const (
	signatureHeader = "BTCPay-Sig"
	signaturePrefix = "sha256="
)

// signedBy checks signatures with secrets that it keeps to itself, so that printing a Gateway never shows them.
func signedBy(secrets []string) func(string, []byte) bool {
	return func(signature string, body []byte) bool {
		digits, ok := strings.CutPrefix(signature, signaturePrefix)
		return ok && plugkit.SignedByAny(digits, secrets, func(secret string) []byte {
			return sum(secret, body)
		})
	}
}

func sum(secret string, body []byte) []byte { return plugkit.HMAC256(secret, string(body)) }

// message is a notification. It says what became of something, and never how much money that is.
type message struct {
	Type               string          `json:"type"`
	DeliveryID         string          `json:"deliveryId"`
	OriginalDeliveryID string          `json:"originalDeliveryId"`
	Timestamp          stamp           `json:"timestamp"`
	InvoiceID          string          `json:"invoiceId"`
	Metadata           json.RawMessage `json:"metadata"`
	PartiallyPaid      bool            `json:"partiallyPaid"`
	ManuallyMarked     bool            `json:"manuallyMarked"`
	PayoutID           string          `json:"payoutId"`
	PayoutState        string          `json:"payoutState"`
}

// ReadNotification implements ports.NotificationReader.
func (g *Gateway) ReadNotification(_ context.Context, in gateway.Inbound) (gateway.Notification, error) {
	if !g.isSigned(plugkit.OnlyHeader(in.Header, signatureHeader), in.Body) {
		return gateway.Notification{}, plugkit.Refuse(gateway.Unauthenticated, "the signature is missing or wrong")
	}
	var m message
	isNone := in.Method != "POST" || len(in.Body) > gateway.MaxNotificationBytes
	if err := json.Unmarshal(in.Body, &m); err != nil || isNone || m.Type == "" {
		return gateway.Notification{}, plugkit.Refuse(gateway.Invalid, "this is no notification of BTCPay Server")
	}
	n := gateway.Notification{ID: m.id(in.Body), Type: m.Type}
	if slices.Contains(payoutEvents, m.Type) && m.PayoutID != "" {
		n.Payouts = append(n.Payouts, m.payout())
	} else if m.InvoiceID != "" {
		n.Events = append(n.Events, m.observation())
	}
	return n, nil
}

// id is the same for every redelivery of a message.
func (m message) id(body []byte) string {
	switch {
	case m.OriginalDeliveryID != "":
		return m.OriginalDeliveryID
	case m.DeliveryID != "":
		return m.DeliveryID
	default:
		return plugkit.ContentID(string(body))
	}
}

func (m message) observation() gateway.Observation {
	o := gateway.Observation{
		Ref: refIn(m.Metadata, orderIDOf), External: gateway.ExternalRef{ID: m.InvoiceID}, State: gateway.Unknown,
		Trust: gateway.Hint, At: m.Timestamp.Time, Raw: m.Type,
	}
	e, isListed := events[m.Type]
	switch flags := map[string]bool{"partiallyPaid": m.PartiallyPaid, "manuallyMarked": m.ManuallyMarked}; {
	case !isListed:
	case flags[e.flag]:
		o.State, o.Raw = e.flagged, m.Type+" "+e.flag
	default:
		o.State, o.Trust = e.state, e.trust
	}
	return o
}

// payout is a hint: no reference of ours is in the message.
func (m message) payout() gateway.PayoutReport {
	return gateway.PayoutReport{
		External: gateway.ExternalRef{ID: m.PayoutID}, State: payoutStates.Of(m.PayoutState), Trust: gateway.Hint,
		At: m.Timestamp.Time, Raw: m.PayoutState,
	}
}

// Acknowledge implements ports.NotificationReader. BTCPay tries again after 5xx, 408 and 429 alone, so that a fault of
// ours must never be a 4xx.
func (g *Gateway) Acknowledge(d gateway.Disposition) gateway.Reply { return gateway.DefaultReply(d) }
