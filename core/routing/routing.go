// Package routing decides which gateway accounts a payment is offered to, and in which order.
package routing

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// Rule sends payments that match to a gateway account. Zero fields match any.
type Rule struct {
	ID                   int64
	Version              int
	Name                 string
	IsActive             bool
	Kind                 gateway.Kind
	ProviderID, SiteID   int64
	Min, Max             money.Amount // both included
	GatewayID            int64
	Priority, Weight     int
	CreatedAt, UpdatedAt time.Time
}

// Identity implements Row.
func (r Rule) Identity() core.Identity {
	return core.Identity{Table: "route_rules", Key: strconv.FormatInt(r.ID, 10), Version: r.Version}
}

// Event implements core.Eventful.
func (Rule) Event() core.Event { return core.Event{Kind: core.DirectoryChanged} }

func (r Rule) matches(p payment.Payment, kind gateway.Kind) bool {
	return r.IsActive && (r.Kind == "" || r.Kind == kind) &&
		(r.ProviderID == 0 || r.ProviderID == p.ProviderID) && (r.SiteID == 0 || r.SiteID == p.SiteID) &&
		(r.Min.IsZero() || !p.Amount.Less(r.Min)) && (r.Max.IsZero() || !r.Max.Less(p.Amount))
}

// Obstacle is why a gateway account is passed over for a payment.
type Obstacle string

// Obstacles.
const (
	SwitchedOff  Obstacle = "off"
	OtherKind    Obstacle = "other_kind" // it takes no deposits of the kind
	NoRule       Obstacle = "no_rule"    // rules match the payment, and none of them sends it there
	InTrouble    Obstacle = "trouble"
	Unusable     Obstacle = "unusable" // it can't be opened as it is configured
	BeyondLimits Obstacle = "limits"
	NotAnswering Obstacle = "not_answering"
)

// Obstacles lists all.
func Obstacles() []Obstacle {
	return []Obstacle{SwitchedOff, OtherKind, NoRule, InTrouble, Unusable, BeyondLimits, NotAnswering}
}

// Candidate is a gateway account, with why a payment is not routed to it.
type Candidate struct {
	Gateway  owner.GatewayAccount
	Obstacle Obstacle // empty: nothing
	Detail   string   // "10.00 to 500.00"
}

// Choice is one of the accounts that a payment is routed to, with the reason.
type Choice struct {
	Gateway          owner.GatewayAccount
	Rule             *Rule  // that sends the payment there; nil: none matches, and every account is tried
	Priority, Weight int    // the rule's, or the account's own
	WeightOfAll      int    // of those of the same priority, among which the payment draws
	Why              string // "rule high amounts, priority 1, weight 3 of 4"
}

// String says it in short, for the log.
func (c Candidate) String() string {
	if c.Detail == "" {
		return fmt.Sprintf("%s: %s", c.Gateway.Code, c.Obstacle)
	}
	return fmt.Sprintf("%s: %s (%s)", c.Gateway.Code, c.Obstacle, c.Detail)
}

// DecideRoute orders the candidates of a kind for a payment: those of the rules that match, where any does, else all; by
// priority, and among equals by weight. The draw is the payment's own tracking code, so that the same payment is always
// routed alike.
func DecideRoute(
	p payment.Payment, kind gateway.Kind, candidates []Candidate, rules []Rule,
) (order []Choice, others []Candidate) {
	var fit []Choice
	ruled := slices.ContainsFunc(rules, func(r Rule) bool { return r.matches(p, kind) })
	for _, c := range candidates {
		choice, ok := weigh(p, kind, c.Gateway, rules, ruled)
		switch {
		case c.Obstacle == OtherKind:
			others = append(others, c)
		case !ok:
			others = append(others, Candidate{Gateway: c.Gateway, Obstacle: NoRule})
		case c.Obstacle != "":
			others = append(others, c)
		default:
			fit = append(fit, choice)
		}
	}
	slices.SortStableFunc(fit, func(a, b Choice) int { return a.Priority - b.Priority })
	for len(fit) > 0 {
		n := 1
		for n < len(fit) && fit[n].Priority == fit[0].Priority {
			n++
		}
		order = append(order, draw(fit[:n], p.TrackingCode)...)
		fit = fit[n:]
	}
	return order, others
}

func weigh(p payment.Payment, kind gateway.Kind, a owner.GatewayAccount, rules []Rule, ruled bool) (Choice, bool) {
	best := Choice{Gateway: a, Why: "default", Priority: a.Priority, Weight: a.Weight}
	found := !ruled
	for _, r := range rules {
		if r.GatewayID == a.ID && r.matches(p, kind) && (!found || r.Priority < best.Priority) {
			best = Choice{Gateway: a, Rule: &r, Why: "rule " + r.Name, Priority: r.Priority, Weight: r.Weight}
			found = true
		}
	}
	return best, found
}

// Ref names the rule in audit rows.
func (r Rule) Ref() string { return "route_rule/" + strconv.FormatInt(r.ID, 10) }

// AuditState is what an audit row says of the rule before and after a change, as JSON.
func (r Rule) AuditState() string {
	return fmt.Sprintf(`{"name":%q,"active":%t,"kind":%q,"gateway":%d,"priority":%d,"weight":%d,"min":%q,"max":%q}`,
		r.Name, r.IsActive, r.Kind, r.GatewayID, r.Priority, r.Weight, r.Min, r.Max)
}
