package sandbox

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/plugins/plugkit"
)

// eventJSON is a notification. Exactly one of its objects is there.
type eventJSON struct {
	ID           string       `json:"id"`
	Type         string       `json:"type"`
	SharedSecret string       `json:"shared_secret"`
	Deposit      *depositJSON `json:"deposit"`
	Refund       *refundJSON  `json:"refund"`
	Payout       *payoutJSON  `json:"payout"`
	Transfer     *payoutJSON  `json:"transfer"`
	Line         *lineJSON    `json:"line"`
	Dispute      *disputeJSON `json:"dispute"`
}

// ReadNotification implements ports.NotificationReader.
func (g *Gateway) ReadNotification(_ context.Context, in gateway.Inbound) (gateway.Notification, error) {
	trust, err := g.trust(in)
	if err != nil {
		return gateway.Notification{}, err
	}
	var e eventJSON
	if err := json.Unmarshal(in.Body, &e); err != nil || e.ID == "" {
		return gateway.Notification{}, plugkit.Refuse(gateway.Invalid, "not a notification of the sandbox")
	}
	return e.notification(trust), nil
}

func (e eventJSON) notification(trust gateway.Trust) gateway.Notification {
	n := gateway.Notification{ID: e.ID, Type: e.Type}
	if e.Deposit != nil {
		n.Events = append(n.Events, e.Deposit.observation(trust))
	}
	if e.Refund != nil {
		n.Refunds = append(n.Refunds, e.Refund.report(trust))
	}
	for _, p := range []*payoutJSON{e.Payout, e.Transfer} {
		if p != nil {
			n.Payouts = append(n.Payouts, p.report(trust))
		}
	}
	if e.Line != nil {
		n.Lines = append(n.Lines, e.Line.line())
	}
	if e.Dispute != nil {
		n.Disputes = append(n.Disputes, gateway.DisputeCue{ID: e.Dispute.ID, Trust: trust})
	}
	return n
}

// Acknowledge implements ports.NotificationReader. Any 2xx will do for the sandbox.
func (g *Gateway) Acknowledge(d gateway.Disposition) gateway.Reply { return gateway.DefaultReply(d) }

// signatureTolerance is how old or early a signature may be.
const signatureTolerance = 300 * time.Second

// trust says how far a notification is to be believed: its signature covers all of it; without one, a wallet's secret
// in the body only shows that the sender knows it.
func (g *Gateway) trust(in gateway.Inbound) (gateway.Trust, error) {
	headers := in.Header.Values("X-Sandbox-Signature")
	if len(headers) == 0 && g.hasWalletSecret(in.Body) {
		return gateway.SharedSecret, nil
	}
	if len(headers) != 1 {
		return gateway.Hint, plugkit.Refuse(gateway.Unauthenticated, "there must be one X-Sandbox-Signature")
	}
	return gateway.Signed, g.checkSignature(headers[0], in.Body)
}

// hasWalletSecret reports whether the body has the wallet secret in it.
func (g *Gateway) hasWalletSecret(body []byte) bool {
	var e eventJSON
	want := g.config.Text(walletSecret)
	return want != "" && json.Unmarshal(body, &e) == nil && sign.Equal(e.SharedSecret, want)
}

// checkSignature holds "t=<unix seconds>,v1=<hex>" to the body as it came, byte for byte: v1 is the HMAC-SHA256 of
// "<t>.<body>" under the notification secret, or under the one before it.
func (g *Gateway) checkSignature(header string, body []byte) error {
	stamp, signature, ok := strings.Cut(header, ",v1=")
	stamp, hasStamp := strings.CutPrefix(stamp, "t=")
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if !ok || !hasStamp || err != nil {
		return plugkit.Refuse(gateway.Unauthenticated, "X-Sandbox-Signature must be t=<unix seconds>,v1=<hex>")
	}
	if age := g.clock.Now().Sub(time.Unix(seconds, 0)); age > signatureTolerance || age < -signatureTolerance {
		return plugkit.Refuse(gateway.Unauthenticated, "the signature is too old or too early")
	}
	sum := func(secret string) []byte { return plugkit.HMAC256(secret, stamp, ".", string(body)) }
	if !plugkit.SignedByAny(signature, g.config.Secrets(notifySecret), sum) {
		return plugkit.Refuse(gateway.Unauthenticated, "the signature is wrong")
	}
	return nil
}
