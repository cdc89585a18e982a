package core

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// GuardedAction is what a second person may have to approve.
type GuardedAction string

// Guarded actions.
const (
	GuardWithdrawal  GuardedAction = "withdrawal"   // a withdrawal is claimed to be paid, or completed; a payout let go
	GuardCompletion  GuardedAction = "completion"   // a payment that had ended otherwise is completed by hand
	GuardRefund      GuardedAction = "refund"       // money goes back
	GuardIBAN        GuardedAction = "iban"         // where customers pay to, or what a wallet pays from
	GuardCallbackURL GuardedAction = "callback_url" // where callbacks go, and from where the API may be called
	GuardLimits      GuardedAction = "limits"       // of IBAN accounts and gateway accounts
	GuardKeys        GuardedAction = "keys"         // API keys and tokens, configurations of gateway accounts
	GuardRules       GuardedAction = "rules"        // these rules
	GuardStaff       GuardedAction = "staff"        // who is a staff member, and with which rights and proof
	GuardCredit      GuardedAction = "credit"       // a deposit is credited by a person's word
	GuardCorrection  GuardedAction = "correction"   // what was credited is corrected
	GuardRouting     GuardedAction = "routing"      // which dealer or gateway payments go to, and who is switched on
	// GuardAdjustment: a wallet's ledger is adjusted to what the bank says that the account holds.
	GuardAdjustment GuardedAction = "wallet_adjustment"
)

// GuardedActions lists all of them. Every installation has a rule for each.
func GuardedActions() []GuardedAction {
	return []GuardedAction{
		GuardWithdrawal, GuardCompletion, GuardRefund, GuardIBAN, GuardCallbackURL, GuardLimits, GuardKeys, GuardRules,
		GuardStaff, GuardAdjustment, GuardCredit, GuardCorrection, GuardRouting,
	}
}

// followsOthers tells whether the action's rule is not set: it is on while any that is set is.
func (a GuardedAction) followsOthers() bool { return a == GuardRules || a == GuardStaff }

// isAlways tells whether the action's rule is not set, since it is always on.
func (a GuardedAction) isAlways() bool { return a == GuardCorrection }

// isSet tells whether the action's rule can be set.
func (a GuardedAction) isSet() bool {
	return slices.Contains(GuardedActions(), a) && !a.followsOthers() && !a.isAlways()
}

// IsMoney tells whether the action is about an amount, so that its rule may begin above one.
func (a GuardedAction) IsMoney() bool {
	return a == GuardWithdrawal || a == GuardCompletion || a == GuardRefund || a == GuardAdjustment || a == GuardCredit
}

// Guard is one thing in a changeset that a second person may have to approve. Two runs of one request have equal guards
// when they do the same.
type Guard struct {
	Action   GuardedAction
	Subject  string        // "payment/WTH-…", "site/7", "provider/new Acme"
	DealerID int64         // whose staff see it; 0: nobody's
	Amount   gateway.Money // of money; zero: it is not about an amount
	Differs  gateway.Money // of a credit: by how much it differs from what the payment asked for

	IsAlways  bool   // it needs a second person whatever the rules say
	Why       string // why it always does; empty: nothing more is to be said
	IsCounted bool   // the person's day has it already
}

// lira is the amount in the currency of the rules; ok is false for coins and for what is not about an amount.
func (g Guard) lira() (amount money.Amount, ok bool) {
	if !g.Amount.IsSameAsset(gateway.Lira(money.New(0, money.TRY))) {
		return amount, false
	}
	amount, err := g.Amount.Amount.Amount(money.TRY)
	return amount, err == nil
}

// MaxLapse is the longest time for which a request may wait.
const MaxLapse = 30 * 24 * time.Hour

// DefaultLapse is how long a request waits where nobody has said anything else.
const DefaultLapse = 24 * time.Hour

// ApprovalRule says when an action needs a second person. GuardRules and GuardStaff cannot be set: they are on while any
// other rule is. Nor can GuardCorrection: it is always on.
//
// What goes beyond any of a rule's bounds needs a second person, and where none is set everything does. What a second
// person approved is not counted as done alone.
type ApprovalRule struct {
	Action     GuardedAction
	Version    int // 0: never set
	IsOn       bool
	Above      money.Amount // of money: of one subject; of refunds all those of the payment. Zero: not set
	PerDay     money.Amount // of money: what one person may do alone in a calendar day. Zero: not set; of refunds it is Above
	DiffersBy  money.Amount // of credits: by how much they may differ from what the payment asks for. Zero: not set
	LapseAfter time.Duration
	UpdatedAt  time.Time
}

// perDay is what one person may do alone in a day; zero: any amount.
func (r ApprovalRule) perDay() money.Amount {
	if r.PerDay.IsZero() && r.Action == GuardRefund {
		return r.Above
	}
	return r.PerDay
}

// Ref names the rule in audit rows.
func (r ApprovalRule) Ref() string { return "approval_rule/" + string(r.Action) }

// Check holds a rule to what it may say. Fault: Invalid.
func (r ApprovalRule) Check() error {
	var form Form
	if !r.Action.isSet() {
		form.Fail("action", "field.choice", settable())
	}
	r.checkBound(&form, "above", r.Above, r.Action.IsMoney())
	r.checkBound(&form, "perDay", r.PerDay, r.Action.IsMoney())
	r.checkBound(&form, "differsBy", r.DiffersBy, r.Action == GuardCredit)
	if r.LapseAfter < time.Minute || r.LapseAfter > MaxLapse {
		form.Fail("lapseAfterMinutes", "field.between", 1, int(MaxLapse/time.Minute))
	}
	return form.Err("core.ApprovalRule.Check")
}

func (r ApprovalRule) checkBound(form *Form, name string, bound money.Amount, isApt bool) {
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
	for _, a := range GuardedActions() {
		if a.isSet() {
			names = append(names, string(a))
		}
	}
	return strings.Join(names, ", ")
}

// AuditState is what an audit row says of the rule, as JSON.
func (r ApprovalRule) AuditState() string {
	return fmt.Sprintf(`{"isOn":%t,"above":%q,"perDay":%q,"differsBy":%q,"lapseAfter":%q}`,
		r.IsOn, r.Above, r.PerDay, r.DiffersBy, r.LapseAfter)
}

// needs tells whether the rule asks for a second person, given what was done alone before. An amount in another currency or
// in a coin is above any.
func (r ApprovalRule) needs(g Guard, before Alone) bool {
	if !r.IsOn || r.Above.IsZero() && r.PerDay.IsZero() && r.DiffersBy.IsZero() {
		return r.IsOn
	}
	amount, ok := g.lira()
	if !ok {
		return true
	}
	ofSubject, differs := amount.Minor(), gateway.Lira(r.DiffersBy)
	if g.Action == GuardRefund {
		ofSubject += before.OfSubject[g.Subject].Minor()
	}
	switch perDay := r.perDay(); {
	case !r.Above.IsZero() && ofSubject > r.Above.Minor():
		return true
	case !perDay.IsZero() && !g.IsCounted && amount.Minor()+before.OfDay[g.Action].Minor() > perDay.Minor():
		return true
	default:
		return !r.DiffersBy.IsZero() && g.Differs.Amount.Cmp(differs.Amount) > 0
	}
}

// Alone is what was done without a second person.
type Alone struct {
	OfSubject map[string]money.Amount        // refunds that did not fail, by what they are about
	OfDay     map[GuardedAction]money.Amount // by one person in a day
}

// with is what was done alone together with what a guard is about.
func (a Alone) with(g Guard) Alone {
	next := Alone{OfSubject: maps.Clone(a.OfSubject), OfDay: maps.Clone(a.OfDay)}
	if next.OfSubject == nil {
		next.OfSubject = map[string]money.Amount{}
	}
	if next.OfDay == nil {
		next.OfDay = map[GuardedAction]money.Amount{}
	}
	amount, ok := g.lira()
	if !ok {
		return next
	}
	if g.Action == GuardRefund {
		next.OfSubject[g.Subject] = kurus(next.OfSubject[g.Subject].Minor() + amount.Minor())
	}
	if !g.IsCounted {
		next.OfDay[g.Action] = kurus(next.OfDay[g.Action].Minor() + amount.Minor())
	}
	return next
}

// ApprovalRules are the rules of an installation.
type ApprovalRules []ApprovalRule

// Complete gives a rule for every action, in order: those that nobody has set are off.
func (rules ApprovalRules) Complete() ApprovalRules {
	var all ApprovalRules
	isAnyOn := slices.ContainsFunc(rules, func(r ApprovalRule) bool { return r.IsOn && r.Action.isSet() })
	for _, action := range GuardedActions() {
		none := money.New(0, money.TRY)
		rule := ApprovalRule{Action: action, Above: none, PerDay: none, DiffersBy: none, LapseAfter: DefaultLapse}
		for _, r := range rules {
			if r.Action == action {
				rule = r
			}
		}
		if action.followsOthers() {
			rule.IsOn = isAnyOn
		}
		if action.isAlways() {
			rule.IsOn = true
		}
		all = append(all, rule)
	}
	return all
}

// Of gives the rule of an action.
func (rules ApprovalRules) Of(action GuardedAction) ApprovalRule {
	for _, r := range rules.Complete() {
		if r.Action == action {
			return r
		}
	}
	return ApprovalRule{Action: action, LapseAfter: DefaultLapse}
}

// Active gives those guards that need a second person, given what was done alone before, and how soon their request lapses.
func (rules ApprovalRules) Active(guards []Guard, before Alone) (active []Guard, lapse time.Duration) {
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

// Counted is what the guards add to a person's day, by the actions whose rules are on.
func (rules ApprovalRules) Counted(guards []Guard) map[GuardedAction]money.Amount {
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

// DayTotalKey names what a staff member did alone in a day.
func DayTotalKey(staffID string, action GuardedAction, day Day) string {
	return fmt.Sprintf("staff/%s/%s/%s", staffID, action, day)
}

// ApprovedTotalKey names the amount of an operation that a second person approved.
func ApprovedTotalKey(operation ID) string { return "approved/" + string(operation) }

// RefundedAlone is what a payment's refunds come to that nobody approved and that did not fail. Coins are not counted:
// every refund of theirs is above any amount.
func RefundedAlone(operations []Operation, isApproved func(ID) bool) money.Amount {
	sum := kurus(0)
	for _, o := range operations {
		isMade := o.Kind == RefundOperation && gateway.RefundState(o.State) != gateway.RefundFailed
		if amount, ok := (Guard{Amount: o.Amount}).lira(); isMade && ok && !isApproved(o.ID) {
			sum = kurus(sum.Minor() + amount.Minor())
		}
	}
	return sum
}

// ApprovalState is where a request stands.
type ApprovalState string

// States of a request.
const (
	ApprovalWaiting   ApprovalState = "waiting"
	ApprovalApproved  ApprovalState = "approved"
	ApprovalRefused   ApprovalState = "refused"
	ApprovalWithdrawn ApprovalState = "withdrawn"
	ApprovalLapsed    ApprovalState = "lapsed"
	ApprovalObsolete  ApprovalState = "obsolete"
)

// ApprovalStates lists all states.
func ApprovalStates() []ApprovalState {
	return []ApprovalState{
		ApprovalWaiting, ApprovalApproved, ApprovalRefused, ApprovalWithdrawn, ApprovalLapsed, ApprovalObsolete,
	}
}

// Approval is a request of a staff member that a second one has to approve. What was asked is kept whole, and runs when
// it is approved; nothing of it runs before.
type Approval struct {
	ID         ID
	Version    int
	State      ApprovalState
	Action     string     // the mutation that was asked for
	Permission Permission // that it needs: of the requester, and of who approves
	Input      Secret     // its arguments, as JSON: there may be a gateway's keys in it
	Guards     []Guard
	Before     string // as audit rows have it: JSON without secrets
	After      string
	PaymentID  ID // the payment that it is about and that had not ended; the request ends with it. Empty: none

	RequesterID   int64
	RequesterName string // as it was at that moment
	RequesterAddr string // from where they asked
	Reason        string
	CreatedAt     time.Time
	ExpiresAt     time.Time

	DecidedBy      int64 // never the requester, of one that is approved or refused; 0: not decided
	DecidedByName  string
	DecidedAt      time.Time
	DecisionReason string
	Result         Secret // credentials that it issued, as JSON, until the requester fetches them
}

// Ref names the request in audit rows.
func (a Approval) Ref() string { return "approval/" + string(a.ID) }

// Subject is what the request is about, for reading.
func (a Approval) Subject() string {
	if len(a.Guards) == 0 {
		return ""
	}
	return a.Guards[0].Subject
}

// DealerID is the dealer whose staff see the request; 0: no dealer's. What touches two dealers is for neither.
func (a Approval) DealerID() int64 {
	dealer := int64(0)
	for i, g := range a.Guards {
		if i > 0 && g.DealerID != dealer {
			return 0
		}
		dealer = g.DealerID
	}
	return dealer
}

// Amount is the money that the request is about; zero: none.
func (a Approval) Amount() gateway.Money {
	for _, g := range a.Guards {
		if g.Amount.Amount.Sign() != 0 {
			return g.Amount
		}
	}
	return gateway.Money{}
}

// HasResult tells whether credentials wait for the requester.
func (a Approval) HasResult() bool { return !a.Result.IsZero() }

// StateAt is the state at a moment: a request that nobody decided in time has lapsed, whether or not that is kept yet.
func (a Approval) StateAt(now time.Time) ApprovalState {
	if a.State == ApprovalWaiting && !now.Before(a.ExpiresAt) {
		return ApprovalLapsed
	}
	return a.State
}

// AuditState is what an audit row says of the request, as JSON.
func (a Approval) AuditState() string { return `{"state":"` + string(a.State) + `"}` }

// IsVisibleTo tells whether a staff member may see the request.
func (a Approval) IsVisibleTo(s Staff) bool { return s.Scope().Covers(a.DealerID()) }

// Covers tells whether what was asked for is what would happen now: the same guards, no more and no less.
func (a Approval) Covers(guards []Guard) bool { return sameGuards(a.Guards, guards) }

func sameGuards(a, b []Guard) bool {
	if len(a) != len(b) {
		return false
	}
	rest := slices.Clone(b)
	for _, g := range a {
		i := slices.Index(rest, g)
		if i < 0 {
			return false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return true
}

// NeedsApproval is why a changeset was not committed: it has guards that need a second person.
type NeedsApproval struct {
	Guards        []Guard
	LapseAfter    time.Duration
	Before, After string // from the changeset's audit rows
	PaymentID     ID     // the payment that it is about and that has not ended; empty: none
	Holds         bool   // that is a withdrawal, which nobody else may pay while the request waits
	Claim         Claim  // who has it now
}

// Error says so in logs.
func (n *NeedsApproval) Error() string { return "a second person has to approve this" }

// Verdict is a decision about a request.
type Verdict struct {
	By     Staff
	At     time.Time
	Reason string
}

// Decide approves or refuses a request. Faults: NotFound (another dealer's), Forbidden (the role may not, or may not do
// what was asked for), OwnRequest, ApprovalDecided (also: it has lapsed).
func (a Approval) Decide(to ApprovalState, v Verdict) (Approval, error) {
	const op = "core.Approval.Decide"
	if err := a.CheckSecond(v.By); err != nil {
		return a, err
	}
	return a.end(op, to, v)
}

// CheckSecond says why a staff member may not decide about the request; nil: they may. Faults: those of Decide.
func (a Approval) CheckSecond(s Staff) error {
	const op = "core.Approval.CheckSecond"
	if !a.IsVisibleTo(s) {
		return fault.New(op, fault.NotFound)
	}
	for _, permission := range []Permission{DecideApprovals, a.Permission} {
		if err := s.Require(permission); err != nil {
			return err
		}
	}
	if s.ID == a.RequesterID {
		return fault.New(op, fault.OwnRequest)
	}
	return nil
}

// Withdraw takes a request back. Faults: NotFound (somebody else's), ApprovalDecided.
func (a Approval) Withdraw(v Verdict) (Approval, error) {
	const op = "core.Approval.Withdraw"
	if v.By.ID != a.RequesterID {
		return a, fault.New(op, fault.NotFound)
	}
	return a.end(op, ApprovalWithdrawn, v)
}

func (a Approval) end(op string, to ApprovalState, v Verdict) (Approval, error) {
	switch a.StateAt(v.At) {
	case ApprovalWaiting:
	default:
		return a, fault.New(op, fault.ApprovalDecided, string(a.StateAt(v.At)))
	}
	a.Version++
	a.State, a.DecidedBy, a.DecidedByName = to, v.By.ID, v.By.Email
	a.DecidedAt, a.DecisionReason = v.At, v.Reason
	return a, nil
}

// Lapse ends a request that nobody decided in time; ok is false for any other.
func (a Approval) Lapse(now time.Time) (Approval, bool) {
	if a.State != ApprovalWaiting || a.StateAt(now) != ApprovalLapsed {
		return a, false
	}
	a.Version++
	a.State, a.DecidedAt = ApprovalLapsed, now
	return a, true
}

// Obsolete ends a request about a payment that has ended, or that is not any more what it was about; ok is false for one
// that does not wait.
func (a Approval) Obsolete(now time.Time) (Approval, bool) {
	if a.State != ApprovalWaiting {
		return a, false
	}
	a.Version++
	a.State, a.DecidedAt = ApprovalObsolete, now
	return a, true
}

// IsFourEyes tells whether the request is one that a store may keep: approved and refused by a second person only.
func (a Approval) IsFourEyes() bool {
	switch a.State {
	case ApprovalApproved, ApprovalRefused:
		return a.DecidedBy != 0 && a.DecidedBy != a.RequesterID
	case ApprovalWithdrawn:
		return a.DecidedBy == a.RequesterID
	default:
		return a.DecidedBy == 0
	}
}

// ApprovalQuery asks for requests, newest first. Zero fields do not narrow.
type ApprovalQuery struct {
	Scope
	States        []ApprovalState
	RequesterID   int64
	Subject       string    // that the first guard is about
	ExpiresBefore time.Time // included
	IsOver        bool      // about a payment that had not ended when they were made, and has now
	After         ID        // keyset cursor: only older ones
	Limit         int
}
