package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
)

// PaymentByTrackingCode implements ports.Payments.
func (s *Store) PaymentByTrackingCode(ctx context.Context, trackingCode string) (core.Payment, error) {
	return read(ctx, s, "memory.PaymentByTrackingCode", func() (core.Payment, bool) {
		return s.payments.find(code(trackingCode))
	})
}

// PaymentByToken implements ports.Payments.
func (s *Store) PaymentByToken(ctx context.Context, pageToken string) (core.Payment, error) {
	return read(ctx, s, "memory.PaymentByToken", func() (core.Payment, bool) {
		return s.payments.find(token(pageToken))
	})
}

// ListPayments implements ports.Payments.
func (s *Store) ListPayments(ctx context.Context, query core.PaymentQuery) ([]core.Payment, error) {
	return list(ctx, s, "memory.ListPayments", func() []core.Payment {
		found := s.payments.where(func(p core.Payment) bool {
			return asks(query, p) && isBetween(query, p)
		})
		slices.SortFunc(found, func(a, b core.Payment) int { return cmp.Compare(b.ID, a.ID) })
		return first(found, query.Limit)
	})
}

// asks tells whether the payment is one of those that the query names.
func asks(q core.PaymentQuery, p core.Payment) bool {
	return q.Includes(p) &&
		(len(q.Methods) == 0 || slices.Contains(q.Methods, p.Method)) &&
		(len(q.Statuses) == 0 || slices.Contains(q.Statuses, p.Status)) &&
		(q.ProviderID == 0 || q.ProviderID == p.ProviderID) &&
		(q.SiteID == 0 || q.SiteID == p.SiteID) &&
		(q.TrackingCode == "" || q.TrackingCode == p.TrackingCode) &&
		(q.UserID == "" || q.UserID == p.Customer.UserID)
}

// isBetween tells whether the payment is within the query's ranges.
func isBetween(q core.PaymentQuery, p core.Payment) bool {
	return (len(q.IDs) == 0 || slices.Contains(q.IDs, p.ID)) &&
		(q.CreatedFrom.IsZero() || !p.CreatedAt.Before(q.CreatedFrom)) &&
		(q.CreatedUntil.IsZero() || p.CreatedAt.Before(q.CreatedUntil)) &&
		(q.MinAmount.IsZero() || !p.Amount.Less(q.MinAmount)) &&
		(q.MaxAmount.IsZero() || !q.MaxAmount.Less(p.Amount)) &&
		(q.After == "" || p.ID < q.After)
}

// Moves implements ports.Payments.
func (s *Store) Moves(ctx context.Context, paymentID core.ID) ([]core.Move, error) {
	return list(ctx, s, "memory.Moves", func() []core.Move {
		found := s.moves.where(func(m core.Move) bool { return m.PaymentID == paymentID })
		slices.SortFunc(found, func(a, b core.Move) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
		return found
	})
}

// DuePayments implements ports.Payments.
func (s *Store) DuePayments(ctx context.Context, now time.Time, limit int) ([]core.Payment, error) {
	return list(ctx, s, "memory.DuePayments", func() []core.Payment {
		due := s.payments.where(func(p core.Payment) bool {
			return (p.Status == core.Showing || p.Status == core.Pending) && p.AtGate.OperationID == "" &&
				!p.ExpiresAt.IsZero() && !p.ExpiresAt.After(now)
		})
		slices.SortFunc(due, func(a, b core.Payment) int {
			return cmp.Or(a.ExpiresAt.Compare(b.ExpiresAt), cmp.Compare(a.ID, b.ID))
		})
		return first(due, limit)
	})
}
