package bunstore_test

import (
	"context"
	"slices"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/wallet"
)

// searcher is who finds payments.
type searcher interface {
	SearchPayments(ctx context.Context, q report.PaymentQuery) (report.Found, error)
}

// SearchPayments looks at each payment, in the list's order.
func (g gathering) SearchPayments(_ context.Context, q report.PaymentQuery) (report.Found, error) {
	if q.Limit < 1 {
		return report.Found{}, nil
	}
	after := report.Place{Key: q.AfterKey, ID: q.After}
	looked := slices.DeleteFunc(slices.Clone(g.payments), func(p payment.Payment) bool {
		return q.After != "" && q.Sort.ComparePlaces(after, q.Sort.PlaceOf(p)) >= 0
	})
	slices.SortFunc(looked, q.Sort.Compare)
	var found report.Found
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
func (g gathering) isAskedFor(q report.PaymentQuery, p payment.Payment) bool {
	if !asks(q, p) || !isBetween(q, p) {
		return false
	}
	for _, ways := range q.Lookups() {
		if !slices.ContainsFunc(ways, func(l report.Lookup) bool { return g.isFoundBy(l, p) }) {
			return false
		}
	}
	return true
}

func asks(q report.PaymentQuery, p payment.Payment) bool {
	return p.IsIn(q.Scope) &&
		(len(q.IDs) == 0 || slices.Contains(q.IDs, p.ID)) &&
		(len(q.Methods) == 0 || slices.Contains(q.Methods, p.Method)) &&
		(len(q.Statuses) == 0 || slices.Contains(q.Statuses, p.Status)) &&
		(q.ProviderID == 0 || q.ProviderID == p.ProviderID) &&
		(q.SiteID == 0 || q.SiteID == p.SiteID) &&
		(q.GatewayID == 0 || q.GatewayID == p.AtGate.GatewayID)
}

// isBetween tells whether the payment is within the query's ranges.
func isBetween(q report.PaymentQuery, p payment.Payment) bool {
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

func (g gathering) isFoundBy(l report.Lookup, p payment.Payment) bool {
	switch l.By {
	case report.ByTrackingCode:
		return p.TrackingCode == l.Text
	case report.ByOrderID:
		return slices.Contains(report.CodesOfOrder(l.Text), p.TrackingCode)
	case report.ByUserID:
		return p.Customer.UserID == l.Text
	case report.ByName:
		return report.HasName(owner.FoldName(p.Customer.Fullname), l.Text)
	case report.ByIBAN:
		return p.IBAN == l.Text || slices.ContainsFunc(g.lines, func(b wallet.BankLine) bool {
			return b.PaymentID == p.ID && b.Direction == gateway.Incoming && iban.Normalize(b.Party.IBAN) == l.Text
		})
	default:
		return slices.ContainsFunc(g.operations, func(o operation.Operation) bool {
			return o.PaymentID == p.ID && (string(o.Ref) == l.Text || o.External.ID == l.Text)
		})
	}
}
