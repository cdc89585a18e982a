package report

import (
	"slices"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// Trace is what a payment is found by besides what it carries itself.
type Trace struct {
	References []string // of its operations: ours and the gateways' own
	Senders    []string // normalized IBANs that the bank lines matched with it came from
}

// TraceOf is the trace of a payment's operations and bank lines.
func TraceOf(operations []operation.Operation, lines []wallet.BankLine) Trace {
	var t Trace
	for _, o := range operations {
		t.References = append(t.References, string(o.Reference), o.External.ID)
	}
	for _, l := range lines {
		if l.Direction == gateway.Incoming {
			t.Senders = append(t.Senders, iban.Normalize(l.Party.IBAN))
		}
	}
	return t
}

// Match reports whether payments are what a query asks for. It holds for one payment what a search holds for all.
type Match struct {
	query   PaymentQuery
	lookups [][]Lookup
}

// Match is the query for one payment after another. Where the list begins and how it is sorted does not matter.
func (q PaymentQuery) Match() Match { return Match{query: q, lookups: q.Lookups()} }

// NeedsTrace reports whether the query names payments by what they do not carry themselves.
func (m Match) NeedsTrace() bool {
	return slices.ContainsFunc(slices.Concat(m.lookups...), func(l Lookup) bool { return l.By == ByReference || l.By == ByIBAN })
}

// Holds reports whether a payment is what the query asks for.
func (m Match) Holds(p payment.Payment, t Trace) bool {
	if !m.isOfAsked(p) || !m.isBetween(p) {
		return false
	}
	for _, ways := range m.lookups {
		if !slices.ContainsFunc(ways, func(l Lookup) bool { return l.finds(p, t) }) {
			return false
		}
	}
	return true
}

// isOfAsked compares what a payment has with what it may have.
func (m Match) isOfAsked(p payment.Payment) bool {
	q := m.query
	return p.IsIn(q.Scope) &&
		(len(q.IDs) == 0 || slices.Contains(q.IDs, p.ID)) &&
		(len(q.Methods) == 0 || slices.Contains(q.Methods, p.Method)) &&
		(len(q.Statuses) == 0 || slices.Contains(q.Statuses, p.Status)) &&
		(q.ProviderID == 0 || q.ProviderID == p.ProviderID) &&
		(q.SiteID == 0 || q.SiteID == p.SiteID) &&
		(q.GatewayID == 0 || q.GatewayID == p.Gateway.GatewayID)
}

// isBetween reports whether the payment is within the query's ranges.
func (m Match) isBetween(p payment.Payment) bool {
	q := m.query
	return isWithin(p.CreatedAt, q.CreatedFrom, q.CreatedUntil) &&
		isWithin(p.UpdatedAt, q.UpdatedFrom, q.UpdatedUntil) &&
		isWithin(p.FinishedAt, q.FinishedFrom, q.FinishedUntil) &&
		(q.MinAmount.IsZero() || p.Amount.Minor() >= q.MinAmount.Minor()) &&
		(q.MaxAmount.IsZero() || p.Amount.Minor() <= q.MaxAmount.Minor())
}

// isWithin reports whether a moment is in a range; the zero one, which is none, is in no range that has an end.
func isWithin(at, from, until time.Time) bool {
	if from.IsZero() && until.IsZero() {
		return true
	}
	return !at.IsZero() && !at.Before(from) && (until.IsZero() || at.Before(until))
}

// finds reports whether the payment is found by the lookup.
func (l Lookup) finds(p payment.Payment, t Trace) bool {
	switch l.By {
	case ByTrackingCode:
		return p.TrackingCode == l.Text
	case ByOrderID:
		return slices.Contains(CodesOfOrder(l.Text), p.TrackingCode)
	case ByUserID:
		return p.Customer.UserID == l.Text
	case ByName:
		return HasName(owner.FoldName(p.Customer.Fullname), l.Text)
	case ByIBAN:
		return p.IBAN == l.Text || slices.Contains(t.Senders, l.Text)
	default:
		return slices.Contains(t.References, l.Text)
	}
}
