package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
)

// PaymentByID implements ports.Operations.
func (s *Store) PaymentByID(ctx context.Context, id core.ID) (core.Payment, error) {
	return read(ctx, s, "memory.PaymentByID", func() (core.Payment, bool) { return s.payments.get(id) })
}

// OperationsOf implements ports.Operations.
func (s *Store) OperationsOf(ctx context.Context, paymentID core.ID) ([]core.Operation, error) {
	return list(ctx, s, "memory.OperationsOf", func() []core.Operation {
		found := s.operations.where(func(o core.Operation) bool { return o.PaymentID == paymentID })
		slices.SortFunc(found, func(a, b core.Operation) int { return cmp.Compare(a.ID, b.ID) })
		return found
	})
}

// OperationBy implements ports.Operations. Of several with one id of the gateway's, the newest is given.
func (s *Store) OperationBy(ctx context.Context, key core.OperationKey) (core.Operation, error) {
	return read(ctx, s, "memory.OperationBy", func() (core.Operation, bool) {
		switch {
		case key.ID != "":
			return s.operations.get(key.ID)
		case key.Ref != "":
			return s.operations.find(ref(key.Ref))
		case key.ReturnToken != "":
			return s.operations.find(returnToken(key.ReturnToken))
		default:
			return s.operationAt(key.GatewayID, key.ExternalID)
		}
	})
}

func (s *Store) operationAt(gatewayID int64, externalID string) (core.Operation, bool) {
	found := s.operations.where(func(o core.Operation) bool {
		return externalID != "" && o.GatewayID == gatewayID && o.External.ID == externalID
	})
	if len(found) == 0 {
		return core.Operation{}, false
	}
	return slices.MaxFunc(found, func(a, b core.Operation) int { return cmp.Compare(a.ID, b.ID) }), true
}

// ClaimOperations implements ports.Operations.
func (s *Store) ClaimOperations(
	ctx context.Context, gatewayID int64, now, leaseUntil time.Time, limit int,
) ([]core.Operation, error) {
	return list(ctx, s, "memory.ClaimOperations", func() []core.Operation {
		claimed := s.operations.where(func(o core.Operation) bool { return o.GatewayID == gatewayID && isWorkable(o, now) })
		slices.SortFunc(claimed, func(a, b core.Operation) int {
			return cmp.Or(a.NextAt.Compare(b.NextAt), cmp.Compare(a.ID, b.ID))
		})
		claimed = first(claimed, limit)
		for i := range claimed {
			claimed[i].Version++
			claimed[i].LeaseUntil = leaseUntil
		}
		s.operations.put(claimed)
		return claimed
	})
}

func isWorkable(o core.Operation, now time.Time) bool {
	return !o.NextAt.IsZero() && !o.NextAt.After(now) && !o.LeaseUntil.After(now)
}

// DueGateways implements ports.Operations.
func (s *Store) DueGateways(ctx context.Context, now time.Time) ([]int64, error) {
	return list(ctx, s, "memory.DueGateways", func() []int64 {
		var ids []int64
		for _, o := range s.operations.where(func(o core.Operation) bool { return isWorkable(o, now) }) {
			ids = append(ids, o.GatewayID)
		}
		slices.Sort(ids)
		return slices.Compact(ids)
	})
}

// DiscrepanciesOf implements ports.GatewayLog.
func (s *Store) DiscrepanciesOf(ctx context.Context, paymentID core.ID) ([]core.Discrepancy, error) {
	return list(ctx, s, "memory.DiscrepanciesOf", func() []core.Discrepancy {
		found := s.discrepancies.where(func(d core.Discrepancy) bool { return d.PaymentID == paymentID })
		slices.SortFunc(found, func(a, b core.Discrepancy) int { return cmp.Compare(a.ID, b.ID) })
		return found
	})
}

// Discrepancies implements ports.GatewayLog.
func (s *Store) Discrepancies(ctx context.Context, q core.DiscrepancyQuery) ([]core.Discrepancy, error) {
	return list(ctx, s, "memory.Discrepancies", func() []core.Discrepancy {
		found := s.discrepancies.where(func(d core.Discrepancy) bool {
			return q.Has(d.DealerID, d.ProviderID) &&
				(q.ID == "" || q.ID == d.ID) &&
				(len(q.States) == 0 || slices.Contains(q.States, d.State)) &&
				(len(q.Kinds) == 0 || slices.Contains(q.Kinds, d.Kind)) &&
				(q.GatewayID == 0 || q.GatewayID == d.GatewayID) &&
				(q.After == "" || d.ID < q.After) &&
				(len(q.IDs) == 0 || slices.Contains(q.IDs, d.ID))
		})
		slices.SortFunc(found, func(a, b core.Discrepancy) int { return cmp.Compare(b.ID, a.ID) })
		return first(found, q.Limit)
	})
}

// GatewayCalls implements ports.GatewayLog.
func (s *Store) GatewayCalls(ctx context.Context, q core.GatewayCallQuery) ([]core.GatewayCall, error) {
	return list(ctx, s, "memory.GatewayCalls", func() []core.GatewayCall {
		found := s.gatewayCalls.where(func(core.GatewayCall) bool { return true })
		slices.SortFunc(found, func(a, b core.GatewayCall) int { return cmp.Compare(b.ID, a.ID) })
		if len(q.Payments) > 0 {
			return firstOfEach(found, q.Payments, func(c core.GatewayCall) core.ID { return c.PaymentID }, q.Limit)
		}
		return firstOfEach(found, q.Gateways, func(c core.GatewayCall) int64 { return c.GatewayID }, q.Limit)
	})
}

// firstOfEach keeps the first calls of each of several.
func firstOfEach[K comparable](calls []core.GatewayCall, of []K, whose func(core.GatewayCall) K, limit int) []core.GatewayCall {
	count := map[K]int{}
	return slices.DeleteFunc(calls, func(c core.GatewayCall) bool {
		count[whose(c)]++
		return !slices.Contains(of, whose(c)) || count[whose(c)] > limit
	})
}

// ClaimNotifications implements ports.GatewayLog.
func (s *Store) ClaimNotifications(
	ctx context.Context, now, leaseUntil time.Time, limit int,
) ([]core.Notification, error) {
	return list(ctx, s, "memory.ClaimNotifications", func() []core.Notification {
		claimed := s.notifications.where(func(n core.Notification) bool {
			return n.State == core.NotificationWaiting && !n.LeaseUntil.After(now)
		})
		slices.SortFunc(claimed, func(a, b core.Notification) int { return cmp.Compare(a.ID, b.ID) })
		claimed = first(claimed, limit)
		for i := range claimed {
			claimed[i].Version++
			claimed[i].LeaseUntil = leaseUntil
		}
		s.notifications.put(claimed)
		return claimed
	})
}

// Notifications implements ports.GatewayLog.
func (s *Store) Notifications(ctx context.Context, q core.NotificationQuery) ([]core.Notification, error) {
	return list(ctx, s, "memory.Notifications", func() []core.Notification {
		found := s.notifications.where(func(n core.Notification) bool {
			return (q.GatewayID == 0 || q.GatewayID == n.GatewayID) &&
				(len(q.States) == 0 || slices.Contains(q.States, n.State)) &&
				(q.After == "" || n.ID < q.After)
		})
		slices.SortFunc(found, func(a, b core.Notification) int { return cmp.Compare(b.ID, a.ID) })
		return first(found, q.Limit)
	})
}

// GatewayAccounts implements ports.GatewayDirectory.
func (s *Store) GatewayAccounts(ctx context.Context) ([]core.GatewayAccount, error) {
	return list(ctx, s, "memory.GatewayAccounts", func() []core.GatewayAccount {
		found := s.gatewayAccounts.where(func(core.GatewayAccount) bool { return true })
		slices.SortFunc(found, func(a, b core.GatewayAccount) int { return cmp.Compare(a.ID, b.ID) })
		return found
	})
}

// RouteRules implements ports.GatewayDirectory.
func (s *Store) RouteRules(ctx context.Context) ([]core.RouteRule, error) {
	return list(ctx, s, "memory.RouteRules", func() []core.RouteRule {
		found := s.routeRules.where(func(core.RouteRule) bool { return true })
		slices.SortFunc(found, func(a, b core.RouteRule) int { return cmp.Compare(a.ID, b.ID) })
		return found
	})
}
