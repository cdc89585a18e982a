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
func (s *Store) DuePayments(
	ctx context.Context, now time.Time, after core.DueCursor, limit int,
) (core.DuePage[core.Payment], error) {
	due, err := list(ctx, s, "memory.DuePayments", func() []core.Payment {
		return s.payments.where(func(p core.Payment) bool {
			return (p.Status == core.Showing || p.Status == core.Pending) && p.AtGate.OperationID == "" &&
				!p.ExpiresAt.IsZero() && !p.ExpiresAt.After(now)
		})
	})
	at := func(p core.Payment) core.DueCursor { return core.DueCursor{At: p.ExpiresAt, ID: p.ID} }
	return duePage(due, at, after, limit), err
}

// duePage is the page behind a cursor.
func duePage[T any](due []T, at func(T) core.DueCursor, after core.DueCursor, limit int) (page core.DuePage[T]) {
	if limit < 1 {
		return page
	}
	due = slices.DeleteFunc(due, func(row T) bool { return !after.Precedes(at(row)) })
	slices.SortFunc(due, func(a, b T) int {
		return cmp.Or(at(a).At.Compare(at(b).At), cmp.Compare(at(a).ID, at(b).ID))
	})
	page.Rows, page.HasNext = first(due, limit), len(due) >= limit
	if page.HasNext {
		page.Next = at(page.Rows[limit-1])
	}
	return page
}
