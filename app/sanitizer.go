package app

import (
	"encoding/json"
	"slices"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/operation"
)

// Bounds of what is kept of a gateway's answers, in bytes. Whatever it says, it must fit into the database, and nothing
// of the account's secrets is kept.
const (
	maxWordBytes  = 100
	maxRefBytes   = 64
	maxIDBytes    = 255
	maxAltBytes   = 1 << 10
	maxNameBytes  = 191
	maxAssetBytes = 20
	maxNextBytes  = 512 << 10 // a page of the gateway's own is the largest step

	maxDisputeCues = 100 // of one notification
)

// Sanitizer brings what a gateway says into these bounds.
type Sanitizer struct{ *Gateway }

func (t Sanitizer) line(text string, mostBytes int) string {
	return OneLine(t.Excerpt(text), mostBytes)
}

// Word returns a word of a gateway: one line, short, without secrets.
func (t Sanitizer) Word(text string) string { return t.line(text, maxWordBytes) }

// ref leaves a reference as it is otherwise: a short secret may stand in it by chance.
func (t Sanitizer) ref(r gateway.Ref) gateway.Ref {
	return gateway.Ref(OneLine(string(r), maxRefBytes))
}

// external drops an identity that can't be kept: the reference alone must do then.
func (t Sanitizer) external(e gateway.ExternalRef) gateway.ExternalRef {
	fits := e.ID == OneLine(e.ID, maxIDBytes) && len(e.Alt) <= gateway.MaxAltValues && len(e.State) <= gateway.MaxStateBytes
	for name, value := range e.Alt {
		fits = fits && len(name)+len(value) <= maxAltBytes
	}
	if !fits {
		return gateway.ExternalRef{}
	}
	return e
}

func (t Sanitizer) money(m *gateway.Money) *gateway.Money {
	if m == nil {
		return nil
	}
	clean := *m
	clean.Asset.Code, clean.Asset.Network = t.line(m.Asset.Code, maxAssetBytes), t.line(m.Asset.Network, maxAssetBytes)
	return &clean
}

func (t Sanitizer) reason(r *gateway.Reason) *gateway.Reason {
	if r == nil {
		return nil
	}
	clean := *r
	clean.Code = gateway.ReasonCode(t.Word(string(r.Code)))
	clean.RawCode, clean.RawText = t.Word(r.RawCode), t.Excerpt(r.RawText)
	return &clean
}

func (t Sanitizer) party(p *gateway.Party) *gateway.Party {
	if p == nil {
		return nil
	}
	return &gateway.Party{
		Name: t.line(p.Name, maxNameBytes), IBAN: t.line(p.IBAN, maxNameBytes), Wallet: t.line(p.Wallet, maxNameBytes),
		NationalID: t.line(p.NationalID, maxNameBytes),
	}
}

// Observation brings what a gateway says of a payment into the bounds.
func (t Sanitizer) Observation(seen gateway.Observation) gateway.Observation {
	seen.Ref = t.ref(seen.Ref)
	seen.External, seen.Payer, seen.Reason = t.external(seen.External), t.party(seen.Payer), t.reason(seen.Reason)
	seen.Paid, seen.Refunded, seen.Fee = t.money(seen.Paid), t.money(seen.Refunded), t.money(seen.Fee)
	seen.Raw = t.Word(seen.Raw)
	if !slices.Contains(gateway.States(), seen.State) {
		seen.State = gateway.Unknown
	}
	return seen
}

// Payout brings what a gateway says of a payout into the bounds.
func (t Sanitizer) Payout(r gateway.PayoutReport) gateway.PayoutReport {
	r.Ref = t.ref(r.Ref)
	r.External, r.Reason, r.Sent, r.Fee = t.external(r.External), t.reason(r.Reason), t.money(r.Sent), t.money(r.Fee)
	r.Raw, r.Proof = t.Word(r.Raw), t.line(r.Proof, maxIDBytes)
	if !slices.Contains(gateway.PayoutStates(), r.State) {
		r.State = gateway.PayoutUnknown
	}
	return r
}

// Refund brings what a gateway says of a refund into the bounds.
func (t Sanitizer) Refund(r gateway.RefundReport) gateway.RefundReport {
	r.RefundRef = t.ref(r.RefundRef)
	r.External, r.Reason, r.Amount = t.external(r.External), t.reason(r.Reason), t.money(r.Amount)
	r.Raw = t.Word(r.Raw)
	switch r.State {
	case gateway.RefundPending, gateway.RefundDone, gateway.RefundFailed:
	default:
		r.State = gateway.RefundUnknown
	}
	return r
}

// Dispute brings what a gateway says of a dispute into the bounds.
func (t Sanitizer) Dispute(r gateway.DisputeReport) gateway.DisputeReport {
	r.ID, r.Ref, r.External = OneLine(r.ID, gateway.MaxDisputeIDBytes), t.ref(r.Ref), t.external(r.External)
	r.Amount = *t.money(&r.Amount)
	r.Withdrawn, r.Reinstated, r.Fee = t.money(r.Withdrawn), t.money(r.Reinstated), t.money(r.Fee)
	r.Raw, r.RawReason, r.EvidenceDue, r.At = t.Word(r.Raw), t.Word(r.RawReason), r.EvidenceDue.UTC(), r.At.UTC()
	r.Answered = gateway.Key(OneLine(string(r.Answered), maxRefBytes))
	if !slices.Contains(gateway.DisputeStates(), r.State) {
		r.State = gateway.DisputeUnknown
	}
	if !slices.Contains(gateway.DisputeReasons(), r.Reason) {
		r.Reason = gateway.DisputeOther
	}
	return r
}

// Notification tidies everything that a notification reports.
func (t Sanitizer) Notification(n gateway.Notification) gateway.Notification {
	n.Type = t.Word(n.Type)
	n.Events = each(n.Events, t.Observation)
	n.Payouts = each(n.Payouts, t.Payout)
	n.Refunds = each(n.Refunds, t.Refund)
	n.Disputes = slices.DeleteFunc(n.Disputes, func(d gateway.DisputeCue) bool {
		return d.ID == "" || d.ID != OneLine(d.ID, gateway.MaxDisputeIDBytes)
	})
	n.Disputes = n.Disputes[:min(len(n.Disputes), maxDisputeCues)]
	return n
}

func each[T any](list []T, do func(T) T) []T {
	var done []T
	for _, one := range list {
		done = append(done, do(one))
	}
	return done
}

// Started tidies the acceptance of a deposit. What the customer has to pay was settled before the gateway was asked; a
// gateway that then names another amount is not followed, so that nobody is credited with less than was due.
func (t Sanitizer) Started(o operation.Operation, s gateway.DepositStarted) (gateway.DepositStarted, error) {
	if step, err := json.Marshal(s.Next); err != nil || len(step) > maxNextBytes {
		return s, &gateway.Error{Class: gateway.Retryable, RawCode: "the next step is too large", Err: err}
	}
	s.External, s.Due, s.Next.Pay = t.external(s.External), t.money(s.Due), t.instructions(s.Next.Pay)
	if s.Due != nil && !isDue(o, *s.Due) {
		s.Due = nil
	}
	return s, nil
}

// instructions are what a customer pays by hand, as people see it: nobody can type what is not seen.
func (t Sanitizer) instructions(said *gateway.Instructions) *gateway.Instructions {
	if said == nil {
		return nil
	}
	pay := *said
	for _, text := range []*string{&pay.IBAN, &pay.Holder, &pay.Bank, &pay.Reference, &pay.Address, &pay.Memo} {
		*text = lang.Clean(*text)
	}
	pay.Lines = each(pay.Lines, func(line [2]string) [2]string { return [2]string{lang.Clean(line[0]), lang.Clean(line[1])} })
	return &pay
}

// isDue reports whether an amount is what was ordered: the order's own, or its quote; of a coin without a quote nobody else
// knows the price.
func isDue(o operation.Operation, due gateway.Money) bool {
	isPriced := due.IsSameAsset(o.Due) || o.Quote != nil
	if isPriced {
		return due.IsSameAsset(o.Due) && due.Amount.Cmp(o.Due.Amount) == 0
	}
	return due.Amount.Sign() > 0 && due.Asset.Network != ""
}
