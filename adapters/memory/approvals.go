package memory

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/core"
)

func (s *Store) makeApprovalTables() {
	s.approvals = newTable(row[core.ID, core.Approval]{
		key:     func(a core.Approval) core.ID { return a.ID },
		version: func(a core.Approval) int { return a.Version },
		clone:   cloneApproval,
	})
	s.approvalRules = newTable(row[core.GuardedAction, core.ApprovalRule]{
		key:     func(r core.ApprovalRule) core.GuardedAction { return r.Action },
		version: func(r core.ApprovalRule) int { return r.Version },
	})
	s.runningTotals = newTable(row[string, core.RunningTotal]{
		key:     func(t core.RunningTotal) string { return t.Key },
		version: func(t core.RunningTotal) int { return t.Version },
	})
}

func cloneApproval(a core.Approval) core.Approval {
	a.Guards = slices.Clone(a.Guards)
	return a
}

// isFourEyes reports whether nobody decided about their own request.
func isFourEyes(approvals []core.Approval) bool {
	return !slices.ContainsFunc(approvals, func(a core.Approval) bool { return !a.IsFourEyes() })
}

// Approval implements ports.Approvals.
func (s *Store) Approval(ctx context.Context, id core.ID) (core.Approval, error) {
	return read(ctx, s, "memory.Approval", func() (core.Approval, bool) { return s.approvals.get(id) })
}

// Approvals implements ports.Approvals.
func (s *Store) Approvals(ctx context.Context, q core.ApprovalQuery) ([]core.Approval, error) {
	return list(ctx, s, "memory.Approvals", func() []core.Approval {
		found := s.approvals.where(func(a core.Approval) bool {
			return q.Covers(a.DealerID()) &&
				(len(q.States) == 0 || slices.Contains(q.States, a.State)) &&
				(q.RequesterID == 0 || q.RequesterID == a.RequesterID) &&
				(q.Subject == "" || q.Subject == a.Subject()) &&
				(q.After == "" || a.ID < q.After) && (!q.IsOver || s.isOver(a.PaymentID))
		})
		slices.SortFunc(found, func(a, b core.Approval) int { return strings.Compare(string(b.ID), string(a.ID)) })
		return first(found, min(q.Limit, core.MaxPage+1))
	})
}

// DueApprovals implements ports.Approvals.
func (s *Store) DueApprovals(
	ctx context.Context, now time.Time, after core.DueCursor, limit int,
) (core.DuePage[core.Approval], error) {
	due, err := list(ctx, s, "memory.DueApprovals", func() []core.Approval {
		return s.approvals.where(func(a core.Approval) bool {
			return a.State == core.ApprovalWaiting && !a.ExpiresAt.After(now)
		})
	})
	at := func(a core.Approval) core.DueCursor { return core.DueCursor{At: a.ExpiresAt, ID: a.ID} }
	return duePage(due, at, after, limit), err
}

// ApprovalRules implements ports.Approvals.
func (s *Store) ApprovalRules(ctx context.Context) (core.ApprovalRules, error) {
	return list(ctx, s, "memory.ApprovalRules", func() []core.ApprovalRule {
		rules := s.approvalRules.where(func(core.ApprovalRule) bool { return true })
		slices.SortFunc(rules, func(a, b core.ApprovalRule) int { return strings.Compare(string(a.Action), string(b.Action)) })
		return rules
	})
}

// isOver reports whether there is such a payment and it has ended.
func (s *Store) isOver(payment core.ID) bool {
	p, ok := s.payments.get(payment)
	return ok && p.Status.IsFinal()
}

// RunningTotals implements ports.Approvals.
func (s *Store) RunningTotals(ctx context.Context, keys []string) ([]core.RunningTotal, error) {
	return list(ctx, s, "memory.RunningTotals", func() []core.RunningTotal {
		found := s.runningTotals.where(func(t core.RunningTotal) bool { return slices.Contains(keys, t.Key) })
		slices.SortFunc(found, func(a, b core.RunningTotal) int { return strings.Compare(a.Key, b.Key) })
		return found
	})
}
