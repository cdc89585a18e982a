package approval

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
)

// Rule says when an action needs a second person. GuardRules cannot be set: it is on while any other rule is. Nor can
// GuardCorrection, GuardStaff and GuardThaw: they are always on.
//
// What goes beyond any of a rule's bounds needs a second person, and where none is set everything does. What a second
// person approved is not counted as done alone.
type Rule struct {
	Action     core.GuardedAction
	Version    int // 0: never set
	IsOn       bool
	Above      money.Amount // of money: of one subject; of refunds all those of the payment. Zero: not set
	PerDay     money.Amount // of money: what one person may do alone in a calendar day. Zero: not set; of refunds it is Above
	DiffersBy  money.Amount // of credits: by how much they may differ from what the payment asks for. Zero: not set
	LapseAfter time.Duration
	UpdatedAt  time.Time
}

// Identity implements Row.
func (r Rule) Identity() core.Identity {
	return core.Identity{Table: "approval_rules", Key: string(r.Action), Version: r.Version}
}

// perDay is what one person may do alone in a day; zero: any amount.
func (r Rule) perDay() money.Amount {
	if r.PerDay.IsZero() && r.Action == core.GuardRefund {
		return r.Above
	}
	return r.PerDay
}

// Ref names the rule in audit rows.
func (r Rule) Ref() string { return "approval_rule/" + string(r.Action) }

// Check holds a rule to what it may say. Fault: Invalid.
func (r Rule) Check() error {
	var form core.Form
	if !r.Action.IsSet() {
		form.Fail("action", "field.choice", settable())
	}
	r.checkBound(&form, "above", r.Above, r.Action.IsMoney())
	r.checkBound(&form, "perDay", r.PerDay, r.Action.IsMoney())
	r.checkBound(&form, "differsBy", r.DiffersBy, r.Action == core.GuardCredit)
	if r.LapseAfter < time.Minute || r.LapseAfter > MaxLapse {
		form.Fail("lapseAfterMinutes", "field.between", 1, int(MaxLapse/time.Minute))
	}
	return form.Err("approval.Rule.Check")
}

func (r Rule) checkBound(form *core.Form, name string, bound money.Amount, isApt bool) {
	zero := money.New(0, money.TRY)
	if bound.Minor() < 0 {
		form.Fail(name, "field.min", zero.String())
	}
	if !bound.IsZero() && !isApt {
		form.Fail(name, "field.choice", zero.String())
	}
}

// settable names the actions whose rules can be set.
func settable() string {
	var names []string
	for _, a := range core.GuardedActions() {
		if a.IsSet() {
			names = append(names, string(a))
		}
	}
	return strings.Join(names, ", ")
}

// AuditState is what an audit row says of the rule, as JSON.
func (r Rule) AuditState() string {
	return fmt.Sprintf(`{"isOn":%t,"above":%q,"perDay":%q,"differsBy":%q,"lapseAfter":%q}`,
		r.IsOn, r.Above, r.PerDay, r.DiffersBy, r.LapseAfter)
}

// needs reports whether the rule asks for a second person, given what was done alone before. An amount in another currency or
// in a coin is above any.
func (r Rule) needs(g core.Guard, before Alone) bool {
	if !r.IsOn || r.Above.IsZero() && r.PerDay.IsZero() && r.DiffersBy.IsZero() {
		return r.IsOn
	}
	amount, ok := g.Lira()
	if !ok {
		return true
	}
	ofSubject, differs := amount.Minor(), gateway.Lira(r.DiffersBy)
	if g.Action == core.GuardRefund {
		ofSubject += before.OfSubject[g.Subject].Minor()
	}
	switch perDay := r.perDay(); {
	case !r.Above.IsZero() && ofSubject > r.Above.Minor():
		return true
	case !perDay.IsZero() && !g.IsCounted && amount.Minor()+before.OfDay[g.Action].Minor() > perDay.Minor():
		return true
	default:
		return !r.DiffersBy.IsZero() && g.DiffersBy.Amount.Cmp(differs.Amount) > 0
	}
}

// Alone is what was done without a second person.
type Alone struct {
	OfSubject map[string]money.Amount             // refunds that did not fail, by what they are about
	OfDay     map[core.GuardedAction]money.Amount // by one person in a day
}

// with is what was done alone together with what a guard is about.
func (a Alone) with(g core.Guard) Alone {
	next := Alone{OfSubject: maps.Clone(a.OfSubject), OfDay: maps.Clone(a.OfDay)}
	if next.OfSubject == nil {
		next.OfSubject = map[string]money.Amount{}
	}
	if next.OfDay == nil {
		next.OfDay = map[core.GuardedAction]money.Amount{}
	}
	amount, ok := g.Lira()
	if !ok {
		return next
	}
	if g.Action == core.GuardRefund {
		next.OfSubject[g.Subject] = money.Kurus(next.OfSubject[g.Subject].Minor() + amount.Minor())
	}
	if !g.IsCounted {
		next.OfDay[g.Action] = money.Kurus(next.OfDay[g.Action].Minor() + amount.Minor())
	}
	return next
}

// Rules are the rules of an installation.
type Rules []Rule

// Complete returns a rule for every action, in order: those that nobody has set are off.
func (rules Rules) Complete() Rules {
	var all Rules
	isAnyOn := slices.ContainsFunc(rules, func(r Rule) bool { return r.IsOn && r.Action.IsSet() })
	for _, action := range core.GuardedActions() {
		none := money.New(0, money.TRY)
		rule := Rule{Action: action, Above: none, PerDay: none, DiffersBy: none, LapseAfter: DefaultLapse}
		for _, r := range rules {
			if r.Action == action {
				rule = r
			}
		}
		if action.FollowsOthers() {
			rule.IsOn = isAnyOn
		}
		if action.IsAlways() {
			rule.IsOn = true
		}
		all = append(all, rule)
	}
	return all
}

// Of returns the rule of an action.
func (rules Rules) Of(action core.GuardedAction) Rule {
	for _, r := range rules.Complete() {
		if r.Action == action {
			return r
		}
	}
	return Rule{Action: action, LapseAfter: DefaultLapse}
}

// Active returns those guards that need a second person, given what was done alone before, and how soon their request lapses.
func (rules Rules) Active(guards []core.Guard, before Alone) (active []core.Guard, lapse time.Duration) {
	for _, g := range guards {
		rule := rules.Of(g.Action)
		if g.IsAlways && !rule.IsOn {
			rule.LapseAfter = DefaultLapse
		}
		if g.IsAlways || rule.needs(g, before) {
			active = append(active, g)
			if lapse == 0 || rule.LapseAfter < lapse {
				lapse = rule.LapseAfter
			}
		}
		before = before.with(g)
	}
	return active, lapse
}

// LetsFirst reports whether what is guarded so is done alone where nobody could approve it: who works here, while no rule is
// on. Nobody could ever make a second person otherwise. Once a rule is on, whoever runs the server makes them.
func (rules Rules) LetsFirst(active []core.Guard) bool {
	isMore := slices.ContainsFunc(active, func(g core.Guard) bool { return g.Action != core.GuardStaff })
	return !isMore && !rules.Of(core.GuardRules).IsOn
}

// Counted is what the guards add to a person's day, by the actions whose rules are on.
func (rules Rules) Counted(guards []core.Guard) map[core.GuardedAction]money.Amount {
	var done Alone
	for _, g := range guards {
		if g.Action.IsMoney() && rules.Of(g.Action).IsOn {
			done = done.with(g)
		}
	}
	return done.OfDay
}

// RunningTotal is an amount that decisions count on, saved by compare-and-set as any row: what was decided from an older
// one is a lost race.
type RunningTotal struct {
	Key       string
	Version   int
	Amount    money.Amount
	UpdatedAt time.Time
}

// Identity implements Row.
func (t RunningTotal) Identity() core.Identity {
	return core.Identity{Table: "running_totals", Key: t.Key, Version: t.Version}
}

// DayTotalKey names what a staff member did alone in a day.
func DayTotalKey(staffID string, action core.GuardedAction, day core.Day) string {
	return fmt.Sprintf("staff/%s/%s/%s", staffID, action, day)
}

// ApprovedTotalKey names the amount of an operation that a second person approved.
func ApprovedTotalKey(operation core.ID) string { return "approved/" + string(operation) }

// RefundedAlone is what a payment's refunds come to that nobody approved and that did not fail. Coins are not counted:
// every refund of theirs is above any amount.
func RefundedAlone(operations []operation.Operation, isApproved func(core.ID) bool) money.Amount {
	sum := money.Kurus(0)
	for _, o := range operations {
		isMade := o.Kind == operation.RefundOperation && gateway.RefundState(o.Status) != gateway.RefundFailed
		if amount, ok := (core.Guard{Amount: o.Amount}).Lira(); isMade && ok && !isApproved(o.ID) {
			sum = money.Kurus(sum.Minor() + amount.Minor())
		}
	}
	return sum
}
