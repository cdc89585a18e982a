package stripe_test

import (
	"encoding/json"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
)

// newFake returns the house to the conformance kit.
func newFake(_ testing.TB, c gateway.Config, now func() time.Time) conformance.Fake {
	h := newHouse(c.Text("secret_key"), c.Text("webhook_secret"), now)
	return conformance.Fake{
		Handler: h, Deposits: h.deposits, Set: h.set, Notification: h.notification, UnknownType: h.unknownType,
		Mutations: func() int {
			h.mu.Lock()
			defer h.mu.Unlock()
			return h.writes
		},
		Addresses: func(ref gateway.Ref) (back, notify string) {
			h.mu.Lock()
			defer h.mu.Unlock()
			if c := h.byRef(string(ref)); c != nil && c.back == c.backAgain {
				back = c.back
			}
			return back, ""
		},
		Dispute: h.disputes, Evidence: h.evidence,
		RefuseCredentials: func() {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.isShut = true
		},
	}
}

// card tries a card on a session.
func (h *house) card(c *checkout, status string) *try {
	if c.pay == nil {
		c.pay = &try{id: h.id("pi"), created: h.now(), currency: "try"}
	}
	c.pay.status, c.pay.lastError, c.pay.events = status, nil, c.pay.events+1
	if status == "succeeded" {
		c.pay.received, c.status = c.amount, "complete"
	}
	return c.pay
}

func (h *house) refused(c *checkout, decline string) {
	h.card(c, "requires_payment_method").lastError = object{
		"type": "card_error", "code": "card_declined", "decline_code": decline, "message": "Your card was declined.",
	}
}

func (h *house) paidBy(c *checkout) *try {
	if c.pay != nil && c.pay.status == "succeeded" {
		c.pay.events++
		return c.pay
	}
	return h.card(c, "succeeded")
}

// set brings a session into a situation.
func (h *house) set(ref gateway.Ref, s conformance.Situation) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := h.byRef(string(ref))
	if c == nil {
		if s == conformance.StartIsRefused {
			h.refuses[string(ref)] = true
		}
		return s == conformance.StartIsRefused
	}
	review := true
	situations := map[conformance.Situation]func(){
		conformance.IsWaiting:             func() {},
		conformance.IsProcessing:          func() { h.card(c, "processing") },
		conformance.IsPaid:                func() { h.card(c, "succeeded") },
		conformance.IsPaidLess:            func() { h.card(c, "succeeded").received = c.amount / 2 },
		conformance.IsPaidMore:            func() { h.card(c, "succeeded").received = c.amount + c.amount/2 },
		conformance.IsPaidInOtherCurrency: func() { h.card(c, "succeeded").currency = "usd" },
		conformance.IsInReview:            func() { h.card(c, "succeeded").review = &review },
		conformance.IsFailed:              func() { h.refused(c, "insufficient_funds") },
		conformance.IsUnlisted:            func() { h.card(c, "partly_cloudy") },
		conformance.IsExpired:             func() { c.status = "expired" },
		conformance.IsNotFound:            func() { c.isGone = true },
		conformance.IsPaidAmongFailures: func() {
			h.refused(c, "insufficient_funds")
			h.card(c, "succeeded")
		},
		conformance.IsRefunded: func() {
			t := h.paidBy(c)
			t.back = append(t.back, &giveBack{id: h.id("re"), status: "succeeded", amount: t.received, meta: object{}})
		},
		conformance.IsPartRefunded: func() {
			t := h.paidBy(c)
			t.back = append(t.back, &giveBack{id: h.id("re"), status: "succeeded", amount: t.received / 5, meta: object{}})
		},
		conformance.IsOfOtherMode: func() { // a key finds nothing of the other mode
			h.card(c, "succeeded")
			c.isGone, c.isOther = true, true
		},
		conformance.IsDisputed:      func() { h.paidBy(c).isDisputed = true },
		conformance.IsPastVoidTime:  func() { h.paidBy(c).isFinal = true },
		conformance.RefundIsPending: func() { h.paidBy(c).isPending = true },
		conformance.RefundFails: func() {
			for _, b := range h.paidBy(c).back {
				b.status = "failed"
			}
		},
	}
	change, isKnown := situations[s]
	if isKnown {
		change()
	}
	return isKnown
}

// lacks is what a session does not have.
var lacks = map[conformance.Situation]string{
	conformance.IsCanceled:   "a session expires; its payment intent can't be canceled",
	conformance.IsMarkedPaid: "nobody marks a session by hand",
}

// notification is what Stripe would post now of a session.
func (h *house) notification(ref gateway.Ref) (gateway.Inbound, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := h.byRef(string(ref))
	if c != nil && c.isOther {
		return h.eventIn(!h.isLive(), c.id, "checkout.session.completed", h.session(c, nil)), true
	}
	switch {
	case c == nil || c.pay == nil && h.statusOf(c) == "open":
		return gateway.Inbound{}, false
	case c.pay == nil:
		return h.event(c.id, "checkout.session.expired", h.session(c, nil)), true
	case c.pay.dispute != nil:
		return h.event(c.pay.dispute.id+c.pay.dispute.status, "charge.dispute.updated", h.disputeObject(c)), true
	case c.pay.isDisputed:
		return h.event(c.pay.id, "charge.dispute.created", h.dispute(c)), true
	case len(c.pay.back) > 0:
		b := c.pay.back[len(c.pay.back)-1]
		return h.event(c.pay.id+b.id+b.status, "refund.updated", h.refundObject(c.pay, b)), true
	case c.pay.status == "succeeded":
		return h.event(c.id, "checkout.session.completed", h.session(c, nil)), true
	case c.pay.lastError != nil:
		return h.event(c.pay.id, "payment_intent.payment_failed", h.intent(c, nil)), true
	default:
		return h.event(c.pay.id, "payment_intent.processing", h.intent(c, nil)), true
	}
}

func (h *house) dispute(c *checkout) object {
	return object{
		"id": strings.Replace(c.pay.id, "pi_", "du_", 1), "object": "dispute", "amount": c.amount, "currency": "try",
		"payment_intent": c.pay.id, "charge": strings.Replace(c.pay.id, "pi_", "ch_", 1), "status": "needs_response",
		"reason": "fraudulent", "metadata": object{}, "created": h.now().Unix(), "livemode": h.isLive(),
	}
}

func (h *house) unknownType() (gateway.Inbound, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.event("cus_1", "customer.created", object{"id": "cus_1", "object": "customer", "metadata": object{}}), true
}

// event is a signed message. The same state of an object is the same event.
func (h *house) event(of, kind string, about object) gateway.Inbound {
	return h.eventIn(h.isLive(), of, kind, about)
}

func (h *house) eventIn(isLive bool, of, kind string, about object) gateway.Inbound {
	count := 0
	for _, c := range h.sessions {
		if c.pay != nil {
			count += c.pay.events
		}
	}
	body, _ := json.Marshal(object{
		"id": "evt_" + strings.NewReplacer("_", "", ".", "").Replace(of+kind) + "x" + string(rune('a'+count%26)), "object": "event",
		"api_version": "2026-08-26.dahlia", "created": h.now().Unix(), "livemode": isLive, "pending_webhooks": 1,
		"type": kind, "data": object{"object": about}, "request": object{"id": nil, "idempotency_key": nil},
	})
	return gateway.Inbound{
		Method: "POST", Path: "/hook/stripe", Body: body, Peer: netip.MustParseAddr("3.18.12.63"), Arrived: h.now(),
		Header: gateway.Header{
			{Name: "Content-Type", Value: "application/json; charset=utf-8"}, {Name: "Stripe-Signature", Value: h.sign(body)},
		},
	}
}
