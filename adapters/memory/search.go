package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/iban"
)

// ListPayments implements ports.Payments.
func (s *Store) ListPayments(ctx context.Context, query core.PaymentQuery) ([]core.Payment, error) {
	found, err := s.SearchPayments(ctx, query)
	return found.Payments, err
}

// SearchPayments implements ports.PaymentSearch. What it looks at are all payments in the list's order.
func (s *Store) SearchPayments(ctx context.Context, q core.PaymentQuery) (core.Found, error) {
	leave, err := s.enter(ctx, "memory.SearchPayments")
	if err != nil {
		return core.Found{}, err
	}
	defer leave()
	if q.Limit < 1 {
		return core.Found{}, nil
	}
	after := core.Place{Key: q.AfterKey, ID: q.After}
	looked := s.payments.where(func(p core.Payment) bool {
		return q.After == "" || q.Sort.ComparePlaces(after, q.Sort.PlaceOf(p)) < 0
	})
	slices.SortFunc(looked, q.Sort.Compare)
	var found core.Found
	for i, p := range looked {
		if s.isAskedFor(q, p) {
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
func (s *Store) isAskedFor(q core.PaymentQuery, p core.Payment) bool {
	if !asks(q, p) || !isBetween(q, p) {
		return false
	}
	for _, ways := range q.Lookups() {
		if !slices.ContainsFunc(ways, func(l core.Lookup) bool { return s.isFoundBy(l, p) }) {
			return false
		}
	}
	return true
}

func asks(q core.PaymentQuery, p core.Payment) bool {
	return q.Includes(p) &&
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

func (s *Store) isFoundBy(l core.Lookup, p core.Payment) bool {
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
		return p.IBAN == l.Text || len(s.linesWhere(func(b core.BankLine) bool {
			return b.PaymentID == p.ID && b.Direction == gateway.Incoming && iban.Normalize(b.Party.IBAN) == l.Text
		})) > 0
	default:
		return len(s.operations.where(func(o core.Operation) bool {
			return o.PaymentID == p.ID && (string(o.Ref) == l.Text || o.External.ID == l.Text)
		})) > 0
	}
}

// PaymentsByID implements ports.PaymentSearch.
func (s *Store) PaymentsByID(ctx context.Context, ids []core.ID) ([]core.Payment, error) {
	return ofAll(ctx, s, ids, s.payments, func(p core.Payment) core.ID { return p.ID },
		func(a, b core.Payment) int { return cmp.Compare(a.ID, b.ID) })
}

// MovesOfAll implements ports.PaymentPages.
func (s *Store) MovesOfAll(ctx context.Context, payments []core.ID) ([]core.Move, error) {
	return ofAll(ctx, s, payments, s.moves, func(m core.Move) core.ID { return m.PaymentID },
		func(a, b core.Move) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
}

// CallbacksOfAll implements ports.PaymentPages.
func (s *Store) CallbacksOfAll(ctx context.Context, payments []core.ID) ([]core.CallbackLog, error) {
	callbacks, err := ofAll(ctx, s, payments, s.callbacks, func(c core.Callback) core.ID { return c.PaymentID }, byNumber)
	if err != nil {
		return nil, err
	}
	var logs []core.CallbackLog
	for _, c := range callbacks {
		tries, err := s.Attempts(ctx, c.ID)
		if err != nil {
			return nil, err
		}
		logs = append(logs, core.CallbackLog{Callback: c, Tries: tries})
	}
	return logs, nil
}

// OperationsOfAll implements ports.PaymentPages.
func (s *Store) OperationsOfAll(ctx context.Context, payments []core.ID) ([]core.Operation, error) {
	return ofAll(ctx, s, payments, s.operations, func(o core.Operation) core.ID { return o.PaymentID },
		func(a, b core.Operation) int { return cmp.Compare(a.ID, b.ID) })
}

// DiscrepanciesOfAll implements ports.PaymentPages.
func (s *Store) DiscrepanciesOfAll(ctx context.Context, payments []core.ID) ([]core.Discrepancy, error) {
	return ofAll(ctx, s, payments, s.discrepancies, func(d core.Discrepancy) core.ID { return d.PaymentID },
		func(a, b core.Discrepancy) int { return cmp.Compare(a.ID, b.ID) })
}

// LinesOfAll implements ports.PaymentPages.
func (s *Store) LinesOfAll(ctx context.Context, payments []core.ID) ([]core.BankLine, error) {
	return list(ctx, s, "memory.LinesOfAll", func() []core.BankLine {
		return s.linesWhere(func(l core.BankLine) bool {
			return l.PaymentID != "" && slices.Contains(payments, l.PaymentID)
		})
	})
}

func ofAll[R any](
	ctx context.Context, s *Store, payments []core.ID, from *table[core.ID, R], of func(R) core.ID, order func(a, b R) int,
) ([]R, error) {
	return list(ctx, s, "memory.ofAll", func() []R {
		rows := from.where(func(r R) bool { return slices.Contains(payments, of(r)) })
		slices.SortFunc(rows, order)
		return rows
	})
}

// ProvidersByID implements ports.Owners.
func (s *Store) ProvidersByID(ctx context.Context, ids []int64) ([]core.Provider, error) {
	return list(ctx, s, "memory.ProvidersByID", func() []core.Provider {
		found := s.providers.where(func(p core.Provider) bool { return slices.Contains(ids, p.ID) })
		slices.SortFunc(found, func(a, b core.Provider) int { return cmp.Compare(a.ID, b.ID) })
		return found
	})
}

// DealersByID implements ports.Owners.
func (s *Store) DealersByID(ctx context.Context, ids []int64) ([]core.Dealer, error) {
	return list(ctx, s, "memory.DealersByID", func() []core.Dealer {
		found := s.dealers.where(func(d core.Dealer) bool { return slices.Contains(ids, d.ID) })
		slices.SortFunc(found, func(a, b core.Dealer) int { return cmp.Compare(a.ID, b.ID) })
		return found
	})
}
