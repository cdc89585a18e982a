package stripe_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
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
	d, meta := c.pay.dispute, object{}
	if d.key != "" {
		meta["vezne_evidence"] = d.key
	}
	return object{
		"id": d.id, "object": "dispute", "amount": c.pay.received, "currency": "try", "payment_intent": c.pay.id,
		"charge": strings.Replace(c.pay.id, "pi_", "ch_", 1), "status": d.status, "reason": d.reason, "metadata": meta,
		"created": d.created.Unix(), "livemode": h.isLive(), "balance_transactions": append([]any{}, d.moves...), "enhanced_eligibility_types": []any{},
		"evidence": object{}, "is_charge_refundable": false,
		"evidence_details": object{
			"due_by": d.created.Add(7 * 24 * time.Hour).Unix(), "has_evidence": len(d.evidence) > 0, "past_due": false, "submission_count": len(d.evidence),
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

// upload keeps a file of evidence. Stripe answers with an object of which the rest is of no use here.
func (h *house) upload(r *http.Request, body string) (int, object) {
	_, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return invalid("", "Invalid request")
	}
	key := r.Header.Get("Idempotency-Key")
	if before, isKnown := h.saved[key]; key != "" && isKnown {
		if before.form != body {
			return failed(400, "idempotency_error", "", "Keys for idempotent requests can only be used with the same parameters")
		}
		return before.status, before.body
	}
	parts, purpose, file := multipart.NewReader(strings.NewReader(body), params["boundary"]), "", []byte(nil)
	name, media := "", ""
	for {
		part, err := parts.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			return invalid("", "Invalid multipart")
		}
		content, _ := io.ReadAll(part)
		switch part.FormName() {
		case "purpose":
			purpose = string(content)
		case "file":
			file, name, media = content, part.FileName(), part.Header.Get("Content-Type")
		}
	}
	if purpose != "dispute_evidence" || len(file) == 0 || name == "" || media != http.DetectContentType(file) {
		return invalid("", "A file, its type and its purpose are required")
	}
	sum, id := sha256.Sum256(bytes.Clone(file)), h.id("file")
	h.files[id] = hex.EncodeToString(sum[:])
	answer := object{"id": id, "object": "file", "created": h.now().Unix(), "purpose": purpose, "size": len(file), "filename": name, "type": "pdf", "url": nil}
	h.saved[key] = saved{body, 200, answer}
	return 200, answer
}

// stripeFields are the fields of evidence by kind.
var stripeFields = map[gateway.EvidenceKind]string{
	gateway.EvidenceStatement: "uncategorized_text", gateway.EvidenceProduct: "product_description", gateway.EvidenceReceipt: "receipt",
	gateway.EvidenceCommunication: "customer_communication", gateway.EvidenceService: "service_documentation",
	gateway.EvidenceOther: "uncategorized_file",
}

// answerDispute takes evidence, once, as a bank's stand-in does.
func (h *house) answerDispute(id string, form url.Values) (int, object) {
	c := h.byDispute(id)
	switch {
	case c == nil:
		return missing("dispute", id)
	case c.pay.dispute.status != "needs_response" && c.pay.dispute.status != "warning_needs_response" || form.Get("submit") != "true":
		return invalid("", "This dispute is already closed")
	}
	got := map[gateway.EvidenceKind]string{}
	for kind, field := range stripeFields {
		value := form.Get("evidence[" + field + "]")
		if kind.IsFile() && value != "" {
			if value = h.files[value]; value == "" {
				return missing("file", field)
			}
		}
		if value != "" {
			got[kind] = value
		}
	}
	d := c.pay.dispute
	d.evidence, d.key = append(d.evidence, got), form.Get("metadata[vezne_evidence]")
	h.moveDispute(c, strings.Replace(d.status, "needs_response", "under_review", 1))
	h.writes++
	return 200, h.disputeObject(c)
}

// evidence is what was submitted against a dispute.
func (h *house) evidence(id string) []map[gateway.EvidenceKind]string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if c := h.byDispute(id); c != nil {
		return slices.Clone(c.pay.dispute.evidence)
	}
	return nil
}
