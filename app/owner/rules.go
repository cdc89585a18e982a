package owner

import (
	"context"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/routing"
	"github.com/vezne/vezne/core/staff"
)

// Rules returns all routing rules, by id.
func (s *Gateways) Rules(ctx context.Context, by staff.Staff) ([]routing.Rule, error) {
	if err := by.Require(staff.ReadGateways); err != nil {
		return nil, err
	}
	return s.UnitOfWork.Directory.RouteRules(ctx)
}

// RuleUpdate changes one rule, or makes one (ID 0); what is nil stays.
type RuleUpdate struct {
	ID int64
	routing.RulePatch
}

// SaveRule creates a rule or changes one.
func (s *Gateways) SaveRule(ctx context.Context, by app.Request, u RuleUpdate) (routing.Rule, error) {
	const op = "gatewayadmin.SaveRule"
	if err := by.Require(staff.EditGateways); err != nil {
		return routing.Rule{}, err
	}
	if u.ID == 0 && u.Name == nil {
		u.Name = new(string) // fails: a new rule can't do without
	}
	now := s.UnitOfWork.Clock.Now()
	before := routing.Rule{IsActive: true, Weight: 1, CreatedAt: now}
	if u.ID != 0 {
		var err error
		if before, err = s.rule(ctx, u.ID); err != nil {
			return before, fault.E(op, "", err)
		}
	}
	after, err := u.Apply(before, now)
	if err != nil {
		return before, fault.E(op, "", err)
	}
	if _, err := s.account(ctx, after.GatewayID); err != nil {
		return before, fault.Fields(op, []fault.Field{{Name: "gatewayId", Key: "field.id", Args: []any{"gatewayId"}}})
	}
	if u.ID == 0 {
		if err := s.hasRoomForRule(ctx); err != nil {
			return before, fault.E(op, "", err)
		}
		if after.ID, err = s.Sequences.NextID(ctx, "route_rule"); err != nil {
			return before, fault.E(op, "", err)
		}
	}
	entry := core.AuditEntry{
		At: now, Action: "saveRouteRule", Target: after.Ref(), Before: before.AuditState(), After: after.AuditState(),
	}
	return after, s.UnitOfWork.CommitEntry(ctx, by, entry, core.Changeset{after})
}

func (s *Gateways) hasRoomForRule(ctx context.Context) error {
	all, err := s.UnitOfWork.Directory.RouteRules(ctx)
	if err != nil {
		return err
	}
	return app.CheckRoom("gatewayadmin.hasRoomForRule", "routeRules", len(all))
}

func (s *Gateways) rule(ctx context.Context, id int64) (routing.Rule, error) {
	all, err := s.UnitOfWork.Directory.RouteRules(ctx)
	if err != nil {
		return routing.Rule{}, err
	}
	for _, r := range all {
		if r.ID == id {
			return r, nil
		}
	}
	return routing.Rule{}, fault.New("gatewayadmin.rule", fault.NotFound)
}
