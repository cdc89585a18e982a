package stripe

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// signatureHeader is "t=1492774577,v1=…": a time, and the HMAC over it and the body, one for each secret that is valid.
const signatureHeader = "Stripe-Signature"

// tolerance is how far from its arrival a message's time may be. Stripe signs every delivery anew.
const tolerance = 5 * time.Minute

// signedBy checks signatures with secrets that it keeps to itself, so that printing a Gateway never shows them.
func signedBy(secrets []string) func(stamp, signature string, body []byte) bool {
	return func(stamp, signature string, body []byte) bool {
		return signature == strings.ToLower(signature) && plugkit.SignedByAny(signature, secrets, func(secret string) []byte {
			return sum(secret, stamp, body)
		})
	}
}

func sum(secret, stamp string, body []byte) []byte {
	return plugkit.HMAC256(secret, stamp, ".", string(body))
}

// check holds a message to its one signature header.
func (g *Gateway) check(in gateway.Inbound) error {
	headers := in.Header.Values(signatureHeader)
	if len(headers) != 1 {
		return plugkit.Refuse(gateway.Unauthenticated, "a notification has exactly one signature header")
	}
	stamp, signatures := "", []string(nil)
	for part := range strings.SplitSeq(headers[0], ",") {
		name, value, ok := strings.Cut(part, "=")
		switch {
		case !ok || name == "t" && stamp != "":
			return plugkit.Refuse(gateway.Unauthenticated, "the signature header can't be read")
		case name == "t":
			stamp = value
		case name == "v1":
			signatures = append(signatures, value)
		} // other schemes are weaker, or later
	}
	seconds, err := strconv.ParseUint(stamp, 10, 40)
	if err != nil || in.Arrived.Sub(time.Unix(int64(seconds), 0)).Abs() > tolerance {
		return plugkit.Refuse(gateway.Unauthenticated, "the notification is too old, or of the future")
	}
	isSigned := false
	for _, s := range signatures {
		if g.isSigned(stamp, s, in.Body) {
			isSigned = true
		}
	}
	if !isSigned {
		return plugkit.Refuse(gateway.Unauthenticated, "the notification's signature is missing or wrong")
	}
	return nil
}

// event is a notification.
type event struct {
	ID     string `json:"id"`
	Object string `json:"object"`
	Type   string `json:"type"`
	IsLive bool   `json:"livemode"`
	Data   struct {
		Object json.RawMessage `json:"object"`
	} `json:"data"`
}

// ReadNotification implements ports.NotificationReader. An event shows its object as it was when it was made, which may be
// long ago: it is a cue to ask and never says paid.
func (g *Gateway) ReadNotification(_ context.Context, in gateway.Inbound) (gateway.Notification, error) {
	if err := g.check(in); err != nil {
		return gateway.Notification{}, err
	}
	var e event
	isMessage := in.Method == "POST" && len(in.Body) <= gateway.MaxNotificationBytes && plugkit.Decode(in.Body, &e) == nil
	switch {
	case !isMessage || e.Object != "event" || e.ID == "" || e.Type == "":
		return gateway.Notification{}, plugkit.Refuse(gateway.Invalid, "not a notification")
	case e.IsLive != g.isLive:
		return gateway.Notification{}, plugkit.Refuse(gateway.Invalid, "the notification is of the other environment")
	}
	n := gateway.Notification{ID: e.ID, Type: e.Type}
	o, r := cue(e.Data.Object)
	if o.Ref != "" || !o.External.IsZero() {
		n.Events = append(n.Events, o)
	}
	if r.RefundRef != "" {
		n.Refunds = append(n.Refunds, r)
	}
	if id := disputeIn(e.Data.Object); id != "" {
		n.Disputes = append(n.Disputes, gateway.DisputeCue{ID: id, Trust: gateway.Signed})
	}
	return n, nil
}

// disputeIn is the id of the dispute that an event's object is; empty: it is none.
func disputeIn(raw json.RawMessage) string {
	var named struct{ ID, Object string }
	if json.Unmarshal(raw, &named) != nil || named.Object != "dispute" {
		return ""
	}
	return named.ID
}

// cue says what an event's object is about: by our reference, and by the payment intent, which is all that a dispute or a
// review names.
func cue(raw json.RawMessage) (gateway.Observation, gateway.RefundReport) {
	o := gateway.Observation{Trust: gateway.Signed, State: gateway.Unknown}
	var named struct {
		Object   string              `json:"object"`
		Intent   *expandable[intent] `json:"payment_intent"`
		Metadata map[string]string   `json:"metadata"`
	}
	if json.Unmarshal(raw, &named) != nil {
		return gateway.Observation{}, gateway.RefundReport{}
	}
	o.Ref = gateway.Ref(named.Metadata[metaRef])
	if named.Intent != nil {
		o.External.ID = named.Intent.id
	}
	var back gateway.RefundReport
	switch named.Object {
	case "checkout.session":
		var s session
		if json.Unmarshal(raw, &s) == nil && s.Reference == string(o.Ref) {
			o.External.Alt = map[string]string{altSession: s.ID}
			o.Raw = s.Status + "/" + s.PaymentStatus
			o.State = sessions.Of(o.Raw)
		}
	case "payment_intent":
		var p intent
		if json.Unmarshal(raw, &p) == nil {
			o.External.ID, o.Raw, o.State = p.ID, p.Status, intents.Of(p.Status)
			if o.State == gateway.Waiting && p.LastError != nil {
				o.State, o.CanStillPay, o.Reason = gateway.Failed, true, p.LastError.reason()
			}
		}
	case "refund":
		var r refund
		if json.Unmarshal(raw, &r) == nil {
			back = r.report(gateway.Signed)
		}
	case "dispute":
		o.State = gateway.Disputed
	case "charge", "review":
	default:
		return gateway.Observation{}, back
	}
	if o.State == gateway.Paid { // the event does not tell whether the fraud check holds it
		o.State = gateway.Processing
	}
	return o, back
}

// Acknowledge implements ports.NotificationReader: any 2xx will do.
func (g *Gateway) Acknowledge(d gateway.Disposition) gateway.Reply { return gateway.DefaultReply(d) }
