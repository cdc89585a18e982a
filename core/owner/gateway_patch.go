package owner

import (
	"maps"
	"regexp"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// GatewayPatch creates or changes a gateway account; nil fields stay as they are.
type GatewayPatch struct {
	Code         *string
	Name         *string
	Description  *string
	IsEnabled    *bool
	Priority     *int
	Weight       *int
	Min, Max     *money.Amount
	ApprovalFrom *money.Amount
	// Config changes the named fields; an empty text takes a value away.
	Config map[string]string
}

// Bounds of a gateway account: MaxWeight of priority and weight, in characters that of its description.
const (
	MaxWeight             = 10_000
	maxGatewayDescription = 500
)

var gatewayCode = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{1,63}$`)

// Apply returns the account with the patch's settings, ready to be saved. Fault: Invalid, with the failed fields by their
// GraphQL names; those of the configuration by their own.
func (c GatewayPatch) Apply(a GatewayAccount, d gateway.Descriptor, at time.Time) (GatewayAccount, error) {
	var form core.Form
	if c.Code != nil {
		if a.Code = *c.Code; !gatewayCode.MatchString(a.Code) {
			form.Fail("code", "field.pattern")
		}
	}
	if c.Name != nil {
		a.Name = form.Name("name", core.Input{Kind: core.TextInput, Text: *c.Name})
	}
	if c.Description != nil {
		a.Description = form.Text("description", core.Input{Kind: core.TextInput, Text: *c.Description}, maxGatewayDescription)
	}
	Set(c.IsEnabled, &a.IsEnabled)
	Set(c.Priority, &a.Priority)
	Set(c.Weight, &a.Weight)
	Set(c.Min, &a.Min)
	Set(c.Max, &a.Max)
	Set(c.ApprovalFrom, &a.ApprovalFrom)
	for name, n := range map[string]int{"priority": a.Priority, "weight": a.Weight} {
		if n < 0 || n > MaxWeight {
			form.Fail(name, "field.between", 0, MaxWeight)
		}
	}
	if !a.Max.IsZero() && a.Max.Less(a.Min) {
		form.Fail("max", "field.min", a.Min.String())
	}
	if !slices.ContainsFunc(d.Environments, func(e gateway.Environment) bool { return e.Name == a.Environment }) {
		form.Fail("environment", "field.choice", environmentsOf(d))
	}
	if err := form.Err("core.GatewayPatch"); err != nil {
		return a, err
	}
	a.Version++
	a.UpdatedAt = at
	return c.configure(a, d)
}

func environmentsOf(d gateway.Descriptor) string {
	text := ""
	for i, e := range d.Environments {
		if i > 0 {
			text += ", "
		}
		text += e.Name
	}
	return text
}

// configure puts the changed values in, and keeps those before for secrets that rotate.
func (c GatewayPatch) configure(a GatewayAccount, d gateway.Descriptor) (GatewayAccount, error) {
	before, previous, err := a.Values()
	if err != nil {
		return a, err
	}
	values := maps.Clone(before)
	for name, value := range c.Config {
		if value != before[name] {
			previous[name] = before[name] // of the others the ones before their own last change stay
		}
		if values[name] = value; value == "" {
			delete(values, name)
		}
	}
	if err := gateway.CheckConfig(d.Config, values); err != nil {
		return a, err
	}
	if a.IsEnabled || len(c.Config) > 0 { // one that is only switched off keeps what it had
		a.CollectingIBANs = d.Collecting(values)
	}
	if len(c.Config) == 0 && !a.Config.IsZero() {
		return a, nil
	}
	if a.PreviousConfig, err = ConfigSecret(previous); err != nil {
		return a, err
	}
	a.Config, err = ConfigSecret(values)
	a.Trouble = "" // what was refused may be right now: the next call tells
	return a, err
}
