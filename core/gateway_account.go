package core

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// GatewayAccount is a contract with a gateway: a plugin with its configuration, limits and switch.
type GatewayAccount struct {
	ID          int64
	Version     int
	Plugin      string // the descriptor's code
	Code        string // unique; in the gateway lists (E10)
	Name        string // in the gateway lists and on the page
	Description string
	Environment string // gateway.Sandbox or gateway.Production
	IsEnabled   bool
	Config      Secret // JSON object of texts
	// PreviousConfig is the configuration before the last change, for secrets that rotate.
	PreviousConfig Secret
	// Collects are the bank accounts on which its customers' money arrives: normalized IBANs, as its configuration declares
	// them. No wallet and no account of a dealer is one of them.
	Collects  []string
	HookToken string // unguessable part of the notification address
	Priority  int    // the lower, the sooner it is tried
	Weight    int    // among accounts of one priority: how often it is chosen, relative to the others
	Min, Max  money.Amount
	// ApprovalFrom is the smallest payout that staff must approve before it leaves; zero: every payout.
	ApprovalFrom money.Amount
	// Trouble says why the account takes no new payments although it is enabled: its keys were refused, say. A successful
	// test clears it.
	Trouble              string
	CreatedAt, UpdatedAt time.Time
}

// Identity implements Row.
func (a GatewayAccount) Identity() Identity {
	return Identity{Table: "gateway_accounts", Key: strconv.FormatInt(a.ID, 10), Version: a.Version}
}

// Takes tells whether the account may be given a new payment.
func (a GatewayAccount) Takes() bool { return a.IsEnabled && a.Trouble == "" }

// Ref names the account in audit rows and keys.
func (a GatewayAccount) Ref() string { return "gateway/" + strconv.FormatInt(a.ID, 10) }

// Values are the configuration's texts and those before the last change.
func (a GatewayAccount) Values() (values, previous map[string]string, err error) {
	values, previous = map[string]string{}, map[string]string{}
	for _, from := range []struct {
		secret Secret
		into   *map[string]string
	}{{a.Config, &values}, {a.PreviousConfig, &previous}} {
		if text := from.secret.Reveal(); text != "" {
			if err := json.Unmarshal([]byte(text), from.into); err != nil {
				return nil, nil, err
			}
		}
	}
	return values, previous, nil
}

// ConfigSecret is configuration values as an account keeps them.
func ConfigSecret(values map[string]string) (Secret, error) {
	text, err := json.Marshal(values)
	return NewSecret(string(text)), err
}

// Bounds are the tighter of the account's own limits and the plugin's. A zero greatest is no limit.
func (a GatewayAccount) Bounds(low, high money.Decimal) (least, greatest money.Amount) {
	least, greatest = a.Min, a.Max
	if l, err := low.Amount(money.TRY); err == nil && (least.IsZero() || least.Less(l)) {
		least = l
	}
	if h, err := high.Amount(money.TRY); err == nil && !h.IsZero() && (greatest.IsZero() || h.Less(greatest)) {
		greatest = h
	}
	if least.Less(MinAmount(money.TRY)) {
		least = MinAmount(money.TRY)
	}
	return least, greatest
}

// NeedsApproval tells whether a payout waits for staff.
func (a GatewayAccount) NeedsApproval(amount money.Amount) bool {
	return a.ApprovalFrom.IsZero() || !amount.Less(a.ApprovalFrom)
}

// RouteRule sends payments that match to a gateway account. Zero fields match any.
type RouteRule struct {
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
func (r RouteRule) Identity() Identity {
	return Identity{Table: "route_rules", Key: strconv.FormatInt(r.ID, 10), Version: r.Version}
}

func (r RouteRule) matches(p Payment, kind gateway.Kind) bool {
	return r.IsActive && (r.Kind == "" || r.Kind == kind) &&
		(r.ProviderID == 0 || r.ProviderID == p.ProviderID) && (r.SiteID == 0 || r.SiteID == p.SiteID) &&
		(r.Min.IsZero() || !p.Amount.Less(r.Min)) && (r.Max.IsZero() || !r.Max.Less(p.Amount))
}

// Candidate is a gateway account that could take a payment, as far as its plugin, limits and health say.
type Candidate struct {
	Account GatewayAccount
	// Unfit says why it can't: "limits 10.00 to 500.00", "breaker open", "tried before". Empty: it can.
	Unfit string
}

// Choice is one of the accounts that a payment is routed to, with the reason.
type Choice struct {
	Account GatewayAccount
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
	p Payment, kind gateway.Kind, candidates []Candidate, rules []RouteRule,
) (order []Choice, skipped []string) {
	var fit []weighed
	ruled := slices.ContainsFunc(rules, func(r RouteRule) bool { return r.matches(p, kind) })
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

func weigh(p Payment, kind gateway.Kind, a GatewayAccount, rules []RouteRule, ruled bool) (weighed, bool) {
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

// AuditState is what an audit row says of the account before and after a change, as JSON without its configuration.
func (a GatewayAccount) AuditState() string {
	return fmt.Sprintf(`{"code":%q,"enabled":%t,"priority":%d,"weight":%d,"min":%q,"max":%q,"approval_from":%q,"version":%d}`,
		a.Code, a.IsEnabled, a.Priority, a.Weight, a.Min, a.Max, a.ApprovalFrom, a.Version)
}

// Ref names the rule in audit rows.
func (r RouteRule) Ref() string { return "route_rule/" + strconv.FormatInt(r.ID, 10) }

// AuditState is what an audit row says of the rule before and after a change, as JSON.
func (r RouteRule) AuditState() string {
	return fmt.Sprintf(`{"name":%q,"active":%t,"kind":%q,"gateway":%d,"priority":%d,"weight":%d,"min":%q,"max":%q}`,
		r.Name, r.IsActive, r.Kind, r.GatewayID, r.Priority, r.Weight, r.Min, r.Max)
}

// Actor is the gateway account as the one who acts.
func (a GatewayAccount) Actor() Actor {
	return Actor{Kind: ByGateway, ID: strconv.FormatInt(a.ID, 10), Name: a.Name}
}
