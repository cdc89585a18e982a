package routing

import (
	"fmt"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
)

// RulePatch creates or changes a rule; nil fields stay as they are.
type RulePatch struct {
	Name       *string
	IsActive   *bool
	Kind       *gateway.Kind
	ProviderID *int64
	SiteID     *int64
	Min, Max   *money.Amount
	GatewayID  *int64
	Priority   *int
	Weight     *int
}

// Apply returns the rule with the patch's settings, ready to be saved. Fault: Invalid.
func (c RulePatch) Apply(r Rule, at time.Time) (Rule, error) {
	var form core.Form
	if c.Name != nil {
		r.Name = form.Name("name", core.Input{Kind: core.TextInput, Text: *c.Name})
	}
	owner.Set(c.IsActive, &r.IsActive)
	owner.Set(c.Kind, &r.Kind)
	owner.Set(c.ProviderID, &r.ProviderID)
	owner.Set(c.SiteID, &r.SiteID)
	owner.Set(c.Min, &r.Min)
	owner.Set(c.Max, &r.Max)
	owner.Set(c.GatewayID, &r.GatewayID)
	owner.Set(c.Priority, &r.Priority)
	owner.Set(c.Weight, &r.Weight)
	if r.Kind != "" && !slices.Contains(gateway.Kinds(), r.Kind) {
		form.Fail("kind", "field.choice", fmt.Sprint(gateway.Kinds()))
	}
	for name, n := range map[string]int{"priority": r.Priority, "weight": r.Weight} {
		if n < 0 || n > owner.MaxWeight {
			form.Fail(name, "field.between", 0, owner.MaxWeight)
		}
	}
	if r.Name == "" && c.Name == nil {
		form.Fail("name", "field.required")
	}
	if r.GatewayID <= 0 {
		form.Fail("gatewayId", "field.required")
	}
	if !r.Max.IsZero() && r.Max.Less(r.Min) {
		form.Fail("max", "field.min", r.Min.String())
	}
	r.Version++
	r.UpdatedAt = at
	return r, form.Err("core.RulePatch")
}
