package bunstore_test

import (
	"context"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/iban"
)

// searcher is who finds payments.
type searcher interface {
	SearchPayments(ctx context.Context, q core.PaymentQuery) (core.Found, error)
}

// SearchPayments looks at each payment, in the list's order.
func (g gathering) SearchPayments(_ context.Context, q core.PaymentQuery) (core.Found, error) {
	if q.Limit < 1 {
		return core.Found{}, nil
	}
	after := core.Place{Key: q.AfterKey, ID: q.After}
	looked := slices.DeleteFunc(slices.Clone(g.payments), func(p core.Payment) bool {
		return q.After != "" && q.Sort.ComparePlaces(after, q.Sort.PlaceOf(p)) >= 0
	})
	slices.SortFunc(looked, q.Sort.Compare)
	var found core.Found
	for i, p := range looked {
		if g.isAskedFor(q, p) {
			found.Payments = append(found.Payments, p)
		}
		if len(found.Payments) == q.Limit {
			break
		}
		if i+1 == q.MaxLooked && i+1 < len(looked) {
			place := q.Sort.PlaceOf(p)
			found.Stop = &place
			break
		}
	}
	return found, nil
}

// isAskedFor tells whether all that the query asks for holds.
func (g gathering) isAskedFor(q core.PaymentQuery, p core.Payment) bool {
	if !asks(q, p) || !isBetween(q, p) {
		return false
	}
	for _, ways := range q.Lookups() {
		if !slices.ContainsFunc(ways, func(l core.Lookup) bool { return g.isFoundBy(l, p) }) {
			return false
		}
	}
	return true
}

func asks(q core.PaymentQuery, p core.Payment) bool {
	return p.IsIn(q.Scope) &&
		(len(q.IDs) == 0 || slices.Contains(q.IDs, p.ID)) &&
		(len(q.Methods) == 0 || slices.Contains(q.Methods, p.Method)) &&
		(len(q.Statuses) == 0 || slices.Contains(q.Statuses, p.Status)) &&
		(q.ProviderID == 0 || q.ProviderID == p.ProviderID) &&
		(q.SiteID == 0 || q.SiteID == p.SiteID) &&
		(q.GatewayID == 0 || q.GatewayID == p.AtGate.GatewayID)
}

// isBetween tells whether the payment is within the query's ranges.
func isBetween(q core.PaymentQuery, p core.Payment) bool {
	return isWithin(p.CreatedAt, q.CreatedFrom, q.CreatedUntil) &&
		isWithin(p.UpdatedAt, q.UpdatedFrom, q.UpdatedUntil) &&
		isWithin(p.FinishedAt, q.FinishedFrom, q.FinishedUntil) &&
		(q.MinAmount.IsZero() || p.Amount.Minor() >= q.MinAmount.Minor()) &&
		(q.MaxAmount.IsZero() || p.Amount.Minor() <= q.MaxAmount.Minor())
}

// isWithin tells whether a moment is in a range; the zero one, which is none, is in no range that has an end.
func isWithin(at, from, until time.Time) bool {
	if from.IsZero() && until.IsZero() {
		return true
	}
	return !at.IsZero() && !at.Before(from) && (until.IsZero() || at.Before(until))
}

func (g gathering) isFoundBy(l core.Lookup, p core.Payment) bool {
	switch l.By {
	case core.ByTrackingCode:
		return p.TrackingCode == l.Text
	case core.ByOrderID:
		return slices.Contains(core.CodesOfOrder(l.Text), p.TrackingCode)
	case core.ByUserID:
		return p.Customer.UserID == l.Text
	case core.ByName:
		return core.HasName(core.FoldName(p.Customer.Fullname), l.Text)
	case core.ByIBAN:
		return p.IBAN == l.Text || slices.ContainsFunc(g.lines, func(b core.BankLine) bool {
			return b.PaymentID == p.ID && b.Direction == gateway.Incoming && iban.Normalize(b.Party.IBAN) == l.Text
		})
	default:
		return slices.ContainsFunc(g.operations, func(o core.Operation) bool {
			return o.PaymentID == p.ID && (string(o.Ref) == l.Text || o.External.ID == l.Text)
		})
	}
}
