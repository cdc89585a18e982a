package nestpay

import (
	"context"
	"mime"
	"net/url"
	"slices"
	"strings"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// form is what the bank posts, by browser or by itself, after its hash was found right.
type form map[string]string

// readForm reads a form of the bank's and checks its hash. Unauthenticated, where that is missing, wrong or of an older
// version.
func (g *Gateway) readForm(in gateway.Inbound) (form, error) {
	media, _, err := mime.ParseMediaType(in.Header.Get("Content-Type"))
	if err != nil || media != "application/x-www-form-urlencoded" || in.Method != "POST" || len(in.Body) > gateway.MaxNotificationBytes {
		return nil, plugkit.Refuse(gateway.Invalid, "not a form")
	}
	fields, err := fieldsOf(string(in.Body))
	if err != nil {
		return nil, err
	}
	f, seen, got := form{}, map[string]bool{}, ""
	for _, field := range fields {
		name := strings.ToLower(field[0])
		if seen[name] {
			return nil, plugkit.Refuse(gateway.Invalid, "the form has a field twice")
		}
		seen[name] = true
		if name == "hash" {
			got = field[1]
		} else if !isUnsigned(name) {
			f[field[0]] = field[1]
		}
	}
	switch {
	case got == "" || f["hashAlgorithm"] != version || !isSigned(g.storeKeys(), fields, got):
		return nil, plugkit.Refuse(gateway.Unauthenticated, "the form's hash is missing, wrong or not of version 3")
	case f["clientid"] != g.client:
		return nil, plugkit.Refuse(gateway.Unauthenticated, "the form is of another store")
	}
	return f, nil
}

// fieldsOf reads a form in its order.
func fieldsOf(body string) ([][2]string, error) {
	var fields [][2]string
	for part := range strings.SplitSeq(body, "&") {
		rawName, rawValue, _ := strings.Cut(part, "=")
		name, nameErr := url.QueryUnescape(rawName)
		value, valueErr := url.QueryUnescape(rawValue)
		if nameErr != nil || valueErr != nil || name == "" {
			return nil, plugkit.Refuse(gateway.Invalid, "the form can't be read")
		}
		fields = append(fields, [2]string{name, value})
	}
	return fields, nil
}

// isSuccess reports whether a form says that the card was charged after 3-D Secure, whole or half.
func (f form) isSuccess() bool {
	return f["ProcReturnCode"] == approved && f["Response"] == "Approved" && slices.Contains([]string{"1", "2", "3", "4"}, f["mdStatus"])
}

// reason is why a card failed.
func (f form) reason() *gateway.Reason {
	code := f["ProcReturnCode"]
	if code == "" || code == approved {
		return &gateway.Reason{Code: gateway.AuthFailed, RawCode: "mdStatus " + f["mdStatus"]}
	}
	return failures.Reason(code, f["ErrMsg"])
}

// ReadNotification implements ports.NotificationReader: the form that the bank posts to callbackUrl, whether the customer's
// browser comes back or not. It is a cue to ask and never says paid: its hash covers values and not their names, so that who has
// one form of the bank's may rename its fields as long as their order stays; and a 3-D Secure page that was closed came
// back as a success of nothing at one bank.
func (g *Gateway) ReadNotification(_ context.Context, in gateway.Inbound) (gateway.Notification, error) {
	f, err := g.readForm(in)
	if err != nil {
		return gateway.Notification{}, err
	}
	if f["oid"] == "" {
		return gateway.Notification{}, plugkit.Refuse(gateway.Invalid, "the form names no order")
	}
	o := gateway.Observation{
		Ref: gateway.Ref(f["oid"]), External: gateway.ExternalRef{ID: f["oid"]}, Trust: gateway.Hint,
		Raw: strings.TrimSpace(f["Response"] + " " + f["ProcReturnCode"]),
	}
	switch {
	case f.isSuccess():
		o.State = gateway.Processing
	case f["Response"] == "" && f["mdStatus"] != "", f["Response"] == "Declined", f["Response"] == "Error":
		o.State, o.Reason = gateway.Failed, f.reason()
	default:
		o.State = gateway.Unknown
	}
	return gateway.Notification{
		ID: plugkit.ContentID(string(in.Body)), Type: f["TranType"] + f["islemtipi"], Events: []gateway.Observation{o},
	}, nil
}

// Acknowledge implements ports.NotificationReader. The bank wants this word and nothing else, or it posts again.
func (g *Gateway) Acknowledge(d gateway.Disposition) gateway.Reply {
	reply := gateway.DefaultReply(d)
	if reply.Status == 200 {
		reply.Body = "Approved"
	}
	return reply
}
