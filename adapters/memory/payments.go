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
