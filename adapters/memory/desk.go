package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
)

// onDesk gives the withdrawals that wait for a dealer's staff, oldest first.
func (s *Store) onDesk(scope core.Scope) []core.Payment {
	found := s.payments.where(func(p core.Payment) bool {
		return (p.Method == core.ManualWithdrawal || p.Method == core.EIBANWithdrawal) &&
			(p.Status == core.Pending || p.Status == core.Processing) && scope.Includes(p)
	})
	slices.SortFunc(found, func(a, b core.Payment) int { return cmp.Compare(a.ID, b.ID) })
	return found
}

// DeskLoads implements ports.WithdrawalDesk.
func (s *Store) DeskLoads(ctx context.Context, scope core.Scope, now time.Time) ([]core.DeskLoad, error) {
	return list(ctx, s, "memory.DeskLoads", func() []core.DeskLoad {
		loads := map[int64]core.DeskLoad{}
		for _, p := range s.onDesk(scope) {
			l := loads[p.DealerID]
			l.DealerID = p.DealerID
			l.Amount = money.New(l.Amount.Minor()+p.Amount.Minor(), money.TRY)
			l.OldestAt = earlier(l.OldestAt, p.CreatedAt)
			if !p.Claim.IsHeld(now) {
				l.OldestFreeAt = earlier(l.OldestFreeAt, p.CreatedAt)
			}
			if p.Claim.IsAwaiting() {
				l.Awaiting++
			}
			switch {
			case p.Claim.StaffID == 0:
				l.Waiting++
			case p.Claim.IsHeld(now):
				l.Claimed++
			default:
				l.Lapsed++
			}
			loads[p.DealerID] = l
		}
		var found []core.DeskLoad
		for _, l := range loads {
			found = append(found, l)
		}
		slices.SortFunc(found, func(a, b core.DeskLoad) int { return cmp.Compare(a.DealerID, b.DealerID) })
		return found
	})
}

// DeskWithdrawals implements ports.WithdrawalDesk.
func (s *Store) DeskWithdrawals(ctx context.Context, q core.DeskQuery) ([]core.Payment, error) {
	return list(ctx, s, "memory.DeskWithdrawals", func() []core.Payment {
		found := slices.DeleteFunc(s.onDesk(q.Scope), func(p core.Payment) bool {
			return q.OnlyFree && p.Claim.IsHeld(q.Now) || p.ID <= q.After
		})
		return first(found, q.Limit)
	})
}
