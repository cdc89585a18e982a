package paytr

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"mime"
	"net/url"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// notificationHash signs a notification: the order, the status and the amount. Currency, reason and test mode are not in it.
func notificationHash(s secrets, oid, status, total string) string {
	return base64.StdEncoding.EncodeToString(plugkit.HMAC256(s.key, oid+s.salt+status+total))
}

// ReadNotification implements ports.NotificationReader. A success is a reason to ask, since its hash leaves out the currency; a failure is one
// card's. What is not signed is not reported.
func (g *Gateway) ReadNotification(_ context.Context, in gateway.Inbound) (gateway.Notification, error) {
	media, _, err := mime.ParseMediaType(in.Header.Get("Content-Type"))
	if err != nil || media != "application/x-www-form-urlencoded" || in.Method != "POST" || len(in.Body) > gateway.MaxNotificationBytes {
		return gateway.Notification{}, plugkit.Refuse(gateway.Invalid, "not a form")
	}
	form, err := url.ParseQuery(string(in.Body))
	if err != nil {
		return gateway.Notification{}, plugkit.Refuse(gateway.Invalid, "the form can't be read")
	}
	for _, name := range []string{"merchant_oid", "status", "total_amount", "hash"} {
		if len(form[name]) != 1 {
			return gateway.Notification{}, plugkit.Refuse(gateway.Invalid, "the form has no "+name+", or two")
		}
	}
	oid, status, total := form.Get("merchant_oid"), form.Get("status"), form.Get("total_amount")
	now, before := g.keys()
	isSigned := false
	for _, s := range []secrets{now, before, {now.key, before.salt}, {before.key, now.salt}} { // either may have been changed
		if subtle.ConstantTimeCompare([]byte(form.Get("hash")), []byte(notificationHash(s, oid, status, total))) == 1 {
			isSigned = true
		}
	}
	switch {
	case !isSigned:
		return gateway.Notification{}, plugkit.Refuse(gateway.Unauthenticated, "the notification's hash is wrong")
	case oid == "":
		return gateway.Notification{}, plugkit.Refuse(gateway.Invalid, "the form names no order")
	}
	o := gateway.Observation{
		Ref: gateway.Ref(oid), External: gateway.ExternalRef{ID: oid}, Trust: gateway.Signed, Raw: status, State: gateway.Unknown,
	}
	switch status {
	case "success":
		o.State = gateway.Processing
	case "failed":
		o.State, o.CanStillPay = gateway.Failed, true
	}
	return gateway.Notification{ID: plugkit.ContentID(string(in.Body)), Type: status, Events: []gateway.Observation{o}}, nil
}

// Acknowledge implements ports.NotificationReader. PayTR wants the two letters and nothing else: without them it withholds the
// money, and takes no refund.
func (g *Gateway) Acknowledge(d gateway.Disposition) gateway.Reply { return gateway.DefaultReply(d) }
