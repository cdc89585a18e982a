package stripe_test

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vezne/vezne/core/gateway"
)

// disputes brings the dispute of a paid session into a state. Stripe takes the amount and a fee with a chargeback, and gives the amount
// back with one that is won.
func (h *house) disputes(ref gateway.Ref, s gateway.DisputeState) (string, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := h.byRef(string(ref))
	status, isKnown := map[gateway.DisputeState]string{
		gateway.DisputeInquiry: "warning_needs_response", gateway.DisputeNeedsResponse: "needs_response", gateway.DisputeUnderReview: "under_review",
		gateway.DisputeWon: "won", gateway.DisputeLost: "lost", gateway.DisputeClosed: "warning_closed", gateway.DisputeUnknown: "partly_cloudy",
	}[s]
	if c == nil || c.pay == nil || !isKnown {
		return "", false
	}
	if c.pay.dispute == nil {
		c.pay.dispute = &chargeback{id: h.id("du"), reason: "product_not_received", created: h.now()}
	}
	h.moveDispute(c, status)
	return c.pay.dispute.id, true
}

func (h *house) moveDispute(c *checkout, status string) {
	d := c.pay.dispute
	isInquiry := strings.HasPrefix(status, "warning_")
	if !isInquiry && len(d.moves) == 0 {
		d.moves = append(d.moves, h.balanceMove(-c.pay.received, 1500))
		c.pay.isDisputed = true
	}
	if status == "won" && len(d.moves) == 1 {
		d.moves = append(d.moves, h.balanceMove(c.pay.received, 0))
	}
	d.status = status
	c.pay.events++
}

func (h *house) balanceMove(amount, fee int64) object {
	return object{
		"id": h.id("txn"), "object": "balance_transaction", "amount": amount, "fee": fee, "net": amount - fee, "currency": "try", "type": "adjustment",
		"reporting_category": "dispute", "status": "available", "created": h.now().Unix(), "available_on": h.now().Unix(), "fee_details": []any{},
		"balance_type": "payments",
	}
}

func (h *house) disputeObject(c *checkout) object {
	d := c.pay.dispute
	return object{
		"id": d.id, "object": "dispute", "amount": c.pay.received, "currency": "try", "payment_intent": c.pay.id,
		"charge": strings.Replace(c.pay.id, "pi_", "ch_", 1), "status": d.status, "reason": d.reason, "metadata": object{},
		"created": d.created.Unix(), "livemode": h.isLive(), "balance_transactions": append([]any{}, d.moves...), "enhanced_eligibility_types": []any{},
		"evidence": object{}, "is_charge_refundable": false,
		"evidence_details": object{
			"due_by": d.created.Add(7 * 24 * time.Hour).Unix(), "has_evidence": false, "past_due": false, "submission_count": 0,
			"enhanced_eligibility": object{},
		},
	}
}

func (h *house) byDispute(id string) *checkout {
	for _, c := range h.sessions {
		if c.pay != nil && c.pay.dispute != nil && c.pay.dispute.id == id {
			return c
		}
	}
	return nil
}

func (h *house) disputesIn(q url.Values) (all []any) {
	from, _ := strconv.ParseInt(q.Get("created[gte]"), 10, 64)
	to, _ := strconv.ParseInt(q.Get("created[lt]"), 10, 64)
	for _, c := range slices.Backward(h.sessions) {
		if c.pay != nil && c.pay.dispute != nil && c.pay.dispute.created.Unix() >= from && c.pay.dispute.created.Unix() < to {
			all = append(all, h.disputeObject(c))
		}
	}
	return all
}

func (h *house) closeDispute(id string) (int, object) {
	c := h.byDispute(id)
	switch {
	case c == nil:
		return missing("dispute", id)
	case c.pay.dispute.status == "won" || c.pay.dispute.status == "lost" || c.pay.dispute.status == "warning_closed":
		return invalid("", "This dispute is already closed")
	}
	h.moveDispute(c, "lost")
	h.writes++
	return 200, h.disputeObject(c)
}
