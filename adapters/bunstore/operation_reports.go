package bunstore

import (
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// parsedJSON is what a notification said. Where a type has the fields of the core's own, converting it is enough: a
// field that is added there does not compile here.
type parsedJSON struct {
	ID      string        `json:"id,omitempty"`
	Type    string        `json:"type,omitempty"`
	Events  []eventJSON   `json:"events,omitempty"`
	Payouts []payoutJSON  `json:"payouts,omitempty"`
	Refunds []refundJSON  `json:"refunds,omitempty"`
	Lines   []bookingJSON `json:"lines,omitempty"`
}

func parsedJSONOf(n gateway.Notification) parsedJSON {
	return parsedJSON{
		ID: n.ID, Type: n.Type, Events: each(n.Events, eventJSONOf), Payouts: each(n.Payouts, payoutJSONOf),
		Refunds: each(n.Refunds, refundJSONOf), Lines: each(n.Lines, bookingJSONOf),
	}
}

func (j parsedJSON) parsed() gateway.Notification {
	return gateway.Notification{
		ID: j.ID, Type: j.Type, Events: each(j.Events, eventJSON.event), Payouts: each(j.Payouts, payoutJSON.payout),
		Refunds: each(j.Refunds, refundJSON.refund), Lines: each(j.Lines, bookingJSON.line),
	}
}

func each[A, B any](list []A, turn func(A) B) []B {
	var turned []B
	for _, item := range list {
		turned = append(turned, turn(item))
	}
	return turned
}

type reasonJSON struct {
	Code    gateway.ReasonCode `json:"code,omitempty"`
	RawCode string             `json:"raw_code,omitempty"`
	RawText string             `json:"raw_text,omitempty"`
	Soft    bool               `json:"soft,omitempty"`
}

type eventJSON struct {
	Ref         gateway.Ref         `json:"ref,omitempty"`
	External    gateway.ExternalRef `json:"external,omitzero"`
	State       gateway.State       `json:"state,omitempty"`
	Trust       gateway.Trust       `json:"trust,omitempty"`
	Paid        *gateway.Money      `json:"paid,omitempty"`
	CanStillPay bool                `json:"can_still_pay,omitempty"`
	Refunded    *gateway.Money      `json:"refunded,omitempty"`
	Fee         *gateway.Money      `json:"fee,omitempty"`
	At          time.Time           `json:"at,omitzero"`
	Reason      *reasonJSON         `json:"reason,omitempty"`
	Raw         string              `json:"raw,omitempty"`
	Payer       *gateway.Party      `json:"payer,omitempty"`
	Confirms    int                 `json:"confirms,omitempty"`
}

func eventJSONOf(o gateway.Observation) eventJSON {
	return eventJSON{
		Ref: o.Ref, External: o.External, State: o.State, Trust: o.Trust, Paid: o.Paid, CanStillPay: o.CanStillPay,
		Refunded: o.Refunded, Fee: o.Fee, At: o.At, Reason: (*reasonJSON)(o.Reason), Raw: o.Raw, Payer: o.Payer,
		Confirms: o.Confirms,
	}
}

func (j eventJSON) event() gateway.Observation {
	return gateway.Observation{
		Ref: j.Ref, External: j.External, State: j.State, Trust: j.Trust, Paid: j.Paid, CanStillPay: j.CanStillPay,
		Refunded: j.Refunded, Fee: j.Fee, At: j.At.UTC(), Reason: (*gateway.Reason)(j.Reason), Raw: j.Raw, Payer: j.Payer,
		Confirms: j.Confirms,
	}
}

type payoutJSON struct {
	Ref      gateway.Ref         `json:"ref,omitempty"`
	External gateway.ExternalRef `json:"external,omitzero"`
	State    gateway.PayoutState `json:"state,omitempty"`
	Trust    gateway.Trust       `json:"trust,omitempty"`
	Sent     *gateway.Money      `json:"sent,omitempty"`
	Fee      *gateway.Money      `json:"fee,omitempty"`
	At       time.Time           `json:"at,omitzero"`
	Proof    string              `json:"proof,omitempty"`
	Reason   *reasonJSON         `json:"reason,omitempty"`
	Raw      string              `json:"raw,omitempty"`
}

func payoutJSONOf(r gateway.PayoutReport) payoutJSON {
	return payoutJSON{
		Ref: r.Ref, External: r.External, State: r.State, Trust: r.Trust, Sent: r.Sent, Fee: r.Fee, At: r.At,
		Proof: r.Proof, Reason: (*reasonJSON)(r.Reason), Raw: r.Raw,
	}
}

func (j payoutJSON) payout() gateway.PayoutReport {
	return gateway.PayoutReport{
		Ref: j.Ref, External: j.External, State: j.State, Trust: j.Trust, Sent: j.Sent, Fee: j.Fee, At: j.At.UTC(),
		Proof: j.Proof, Reason: (*gateway.Reason)(j.Reason), Raw: j.Raw,
	}
}

type refundJSON struct {
	RefundRef gateway.Ref         `json:"refund_ref,omitempty"`
	External  gateway.ExternalRef `json:"external,omitzero"`
	State     gateway.RefundState `json:"state,omitempty"`
	Trust     gateway.Trust       `json:"trust,omitempty"`
	Amount    *gateway.Money      `json:"amount,omitempty"`
	Reason    *reasonJSON         `json:"reason,omitempty"`
	Raw       string              `json:"raw,omitempty"`
}

func refundJSONOf(r gateway.RefundReport) refundJSON {
	return refundJSON{
		RefundRef: r.RefundRef, External: r.External, State: r.State, Trust: r.Trust, Amount: r.Amount,
		Reason: (*reasonJSON)(r.Reason), Raw: r.Raw,
	}
}

func (j refundJSON) refund() gateway.RefundReport {
	return gateway.RefundReport{
		RefundRef: j.RefundRef, External: j.External, State: j.State, Trust: j.Trust, Amount: j.Amount,
		Reason: (*gateway.Reason)(j.Reason), Raw: j.Raw,
	}
}

type bookingJSON struct {
	ID           string            `json:"id,omitempty"`
	EndToEnd     string            `json:"end_to_end,omitempty"`
	Direction    gateway.Direction `json:"direction,omitempty"`
	Amount       money.Decimal     `json:"amount,omitzero"`
	Asset        gateway.Asset     `json:"asset,omitzero"`
	BookedAt     time.Time         `json:"booked_at,omitzero"`
	Text         string            `json:"text,omitempty"`
	Party        gateway.Party     `json:"party,omitzero"`
	BalanceAfter *money.Decimal    `json:"balance_after,omitempty"`
	Reverses     string            `json:"reverses,omitempty"`
}

func bookingJSONOf(l gateway.StatementLine) bookingJSON { return bookingJSON(l) }

func (j bookingJSON) line() gateway.StatementLine {
	j.BookedAt = j.BookedAt.UTC()
	return gateway.StatementLine(j)
}
