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

// Candidate is a gateway account that could take a payment, as far as its plugin, limits and health say.
type Candidate struct {
	Account owner.GatewayAccount
	// Unfit says why it can't: "limits 10.00 to 500.00", "breaker open", "tried before". Empty: it can.
	Unfit string
}

// Choice is one of the accounts that a payment is routed to, with the reason.
type Choice struct {
	Account owner.GatewayAccount
	Why     string // "rule high amounts, priority 1, weight 3 of 4"
}

type weighed struct {
	Choice
	priority, weight int
}

// DecideRoute orders the candidates of a kind for a payment: those of the rules that match, where any does, else all; by
// priority, and among equals by weight. The draw is the payment's own tracking code, so that the same payment is always
// routed alike. Skipped says why the others are out.
func DecideRoute(
	p payment.Payment, kind gateway.Kind, candidates []Candidate, rules []Rule,
) (order []Choice, skipped []string) {
	var fit []weighed
	ruled := slices.ContainsFunc(rules, func(r Rule) bool { return r.matches(p, kind) })
	for _, c := range candidates {
		w, ok := weigh(p, kind, c.Account, rules, ruled)
		switch {
		case !ok:
			skipped = append(skipped, c.Account.Code+": no rule sends it there")
		case c.Unfit != "":
			skipped = append(skipped, c.Account.Code+": "+c.Unfit)
		default:
			fit = append(fit, w)
		}
	}
	slices.SortStableFunc(fit, func(a, b weighed) int { return a.priority - b.priority })
	for len(fit) > 0 {
		n := 1
		for n < len(fit) && fit[n].priority == fit[0].priority {
			n++
		}
		order = append(order, draw(fit[:n], p.TrackingCode)...)
		fit = fit[n:]
	}
	return order, skipped
}

func weigh(p payment.Payment, kind gateway.Kind, a owner.GatewayAccount, rules []Rule, ruled bool) (weighed, bool) {
	best := weighed{Choice: Choice{Account: a, Why: "default"}, priority: a.Priority, weight: a.Weight}
	found := !ruled
	for _, r := range rules {
		if r.GatewayID == a.ID && r.matches(p, kind) && (!found || r.Priority < best.priority) {
			best = weighed{Choice: Choice{Account: a, Why: "rule " + r.Name}, priority: r.Priority, weight: r.Weight}
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
