package owner

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
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

// Supposed is a payment that there is not: who would get it is asked.
type Supposed struct {
	SiteID int64 // 0: a dealer's own
	Method payment.Method
	Kind   *gateway.Kind // the way that the customer would pick; nil: the method's own
	Amount money.Amount
	// TrackingCode draws among accounts of one priority; empty: any draw.
	TrackingCode string
}

// Route is which gateway accounts a payment is given to.
type Route struct {
	Kind   gateway.Kind
	Order  []routing.Choice
	Others []routing.Candidate
}

// maxTrackingCode bounds what is drawn with.
const maxTrackingCode = 64

// Preview decides where a payment would go, as it is decided for one that there is; nothing is kept, and no gateway is asked.
func (s *Gateways) Preview(ctx context.Context, by staff.Staff, of Supposed) (Route, error) {
	const op = "gatewayadmin.Preview"
	if err := by.Require(staff.ReadGateways); err != nil {
		return Route{}, err
	}
	p := payment.Payment{Method: of.Method, Amount: of.Amount, TrackingCode: of.TrackingCode, SiteID: of.SiteID}
	var form core.Form
	kind := of.Method.Gateway()
	if of.Kind != nil {
		kind = *of.Kind
	}
	if ways := of.Method.Ways(); len(ways) == 0 {
		form.Fail("method", "field.choice", routed())
	} else if !slices.Contains(ways, kind) {
		form.Fail("kind", "field.choice", fmt.Sprint(ways))
	}
	if of.Amount.Minor() <= 0 {
		form.Fail("amount", "field.min", core.MinAmount(of.Amount.Currency()).String())
	}
	if len(of.TrackingCode) > maxTrackingCode {
		form.Fail("trackingCode", "field.max", maxTrackingCode)
	}
	if of.SiteID != 0 {
		site, err := s.UnitOfWork.Directory.Site(ctx, of.SiteID)
		if fault.Is(err, fault.NotFound) {
			form.Fail("siteId", "field.id")
		} else if err != nil {
			return Route{}, fault.E(op, "", err)
		}
		p.ProviderID = site.ProviderID
	}
	if err := form.Err(op); err != nil {
		return Route{}, err
	}
	order, others, err := s.Gateways.Route(ctx, p, kind)
	if err != nil {
		return Route{}, fault.E(op, "", err)
	}
	return Route{kind, order, others}, nil
}

// routed are the methods whose payments are routed.
func routed() string {
	var list []string
	for _, m := range payment.Methods() {
		if len(m.Ways()) > 0 {
			list = append(list, string(m))
		}
	}
	return strings.Join(list, ", ")
}
