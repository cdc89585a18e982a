package iyzico

import (
	"cmp"
	"context"
	"strings"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// signatureHeader carries a notification's signature, once iyzico has switched it on.
const signatureHeader = "X-IYZ-SIGNATURE-V3"

// notice is a notification. Of a hosted form it has a token, of a direct payment it has none.
type notice struct {
	Type           plugkit.Text `json:"iyziEventType"`
	Status         plugkit.Text `json:"status"`
	ConversationID plugkit.Text `json:"paymentConversationId"`
	PaymentID      plugkit.Text `json:"paymentId"`
	IyziPaymentID  plugkit.Text `json:"iyziPaymentId"`
	Token          plugkit.Text `json:"token"`
}

// ReadNotification implements ports.NotificationReader. There is no amount in a notification, so that none says that a
// deposit was paid: iyzico has to be asked.
func (g *Gateway) ReadNotification(_ context.Context, in gateway.Inbound) (gateway.Notification, error) {
	var n notice
	isMessage := in.Method == "POST" && isJSON(in.Header) && len(in.Body) <= gateway.MaxNotificationBytes
	if !isMessage || plugkit.Decode(in.Body, &n) != nil {
		return gateway.Notification{}, plugkit.Refuse(gateway.Invalid, "not a notification")
	}
	if n.Status == "" || n.ConversationID == "" && n.Token == "" {
		return gateway.Notification{}, plugkit.Refuse(gateway.Invalid, "the notification names no order, or no status")
	}
	trust := gateway.Hint
	if g.wantSignature {
		if !g.isSigned(n, plugkit.OnlyHeader(in.Header, signatureHeader)) {
			return gateway.Notification{}, plugkit.Refuse(gateway.Unauthenticated, "the notification's signature is missing or wrong")
		}
		trust = gateway.Signed
	}
	return gateway.Notification{
		ID: plugkit.ContentID(n.parts()...), Type: string(n.Type), Events: []gateway.Observation{n.observe(trust)},
	}, nil
}

func isJSON(h gateway.Header) bool {
	types := h.Values("Content-Type")
	if len(types) != 1 {
		return false
	}
	media, _, _ := strings.Cut(types[0], ";")
	return strings.EqualFold(strings.TrimSpace(media), "application/json")
}

// parts are what is signed, and so what tells one event from another.
func (n notice) parts() []string {
	if n.Token == "" {
		return []string{string(n.Type), string(n.PaymentID), string(n.ConversationID), string(n.Status)}
	}
	return []string{string(n.Type), string(n.IyziPaymentID), string(n.Token), string(n.ConversationID), string(n.Status)}
}

func (g *Gateway) isSigned(n notice, signature string) bool {
	return plugkit.SignedByAny(signature, g.keys.secrets, func(secret string) []byte {
		return notificationMAC(secret, n.parts()...)
	})
}

// observe is the cue that a notification gives.
func (n notice) observe(trust gateway.Trust) gateway.Observation {
	o := gateway.Observation{
		Ref: gateway.Ref(n.ConversationID), Trust: trust, State: stateOf(string(n.Status), ""), Raw: string(n.Status),
	}
	if n.Token != "" {
		o.External = with(gateway.ExternalRef{}, altToken, string(n.Token))
	}
	if id := cmp.Or(string(n.PaymentID), string(n.IyziPaymentID)); id != "" {
		o.External = with(o.External, altPayment, id)
	}
	switch {
	case o.Raw == success: // money was taken; how much, and whether the fraud check holds it, is not told
		o.State = gateway.Processing
	case o.State == gateway.Failed: // one card failed; the form may still be open
		o.CanStillPay, o.Reason = true, reasonOf(answer{})
	}
	return o
}

// Acknowledge implements ports.NotificationReader: any 2xx will do.
func (g *Gateway) Acknowledge(d gateway.Disposition) gateway.Reply { return gateway.DefaultReply(d) }
