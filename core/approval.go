package core

import (
	"slices"
	"strconv"
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
	GuardWithdrawal  GuardedAction = "withdrawal"   // a withdrawal is completed, a payout let go
	GuardCompletion  GuardedAction = "completion"   // a payment that had ended otherwise is completed by hand
	GuardRefund      GuardedAction = "refund"       // money goes back
	GuardIBAN        GuardedAction = "iban"         // where customers pay to, or what a wallet pays from
	GuardCallbackURL GuardedAction = "callback_url" // where callbacks go, and from where the API may be called
	GuardLimits      GuardedAction = "limits"       // of IBAN accounts and gateway accounts
	GuardKeys        GuardedAction = "keys"         // API keys and tokens, configurations of gateway accounts
	GuardRules       GuardedAction = "rules"        // these rules
	GuardStaff       GuardedAction = "staff"        // who is a staff member, and with which rights and proof
	// GuardAdjustment: a wallet's ledger is adjusted to what the bank says that the account holds.
	GuardAdjustment GuardedAction = "wallet_adjustment"
)

// GuardedActions lists all of them. Every installation has a rule for each.
func GuardedActions() []GuardedAction {
	return []GuardedAction{
		GuardWithdrawal, GuardCompletion, GuardRefund, GuardIBAN, GuardCallbackURL, GuardLimits, GuardKeys, GuardRules,
		GuardStaff, GuardAdjustment,
	}
}

// followsOthers tells whether the action's rule is not set: it is on while any that is set is.
func (a GuardedAction) followsOthers() bool { return a == GuardRules || a == GuardStaff }

// IsMoney tells whether the action is about an amount, so that its rule may begin above one.
func (a GuardedAction) IsMoney() bool {
	return a == GuardWithdrawal || a == GuardCompletion || a == GuardRefund || a == GuardAdjustment
}

// Guard is one thing in a changeset that a second person may have to approve. Two runs of one request have equal guards
// when they do the same.
type Guard struct {
	Action   GuardedAction
	Subject  string        // "payment/WTH-…", "site/7", "provider/new Acme"
	DealerID int64         // whose staff see it; 0: nobody's
	Amount   gateway.Money // of money; zero: it is not about an amount
}

// MaxLapse is the longest time for which a request may wait.
const MaxLapse = 30 * 24 * time.Hour

// DefaultLapse is how long a request waits where nobody has said anything else.
const DefaultLapse = 24 * time.Hour

// ApprovalRule says when an action needs a second person. GuardRules and GuardStaff cannot be set: they are on while any
// other rule is.
type ApprovalRule struct {
	Action     GuardedAction
	Version    int // 0: never set
	IsOn       bool
	Above      money.Amount // of money: amounts up to this one need nobody; zero: every amount does
	LapseAfter time.Duration
	UpdatedAt  time.Time
}

// Ref names the rule in audit rows.
func (r ApprovalRule) Ref() string { return "approval_rule/" + string(r.Action) }

// Check holds a rule to what it may say. Fault: Invalid.
func (r ApprovalRule) Check() error {
	var form Form
	if !slices.Contains(GuardedActions(), r.Action) || r.Action.followsOthers() {
		form.Fail("action", "field.choice", "withdrawal, completion, refund, iban, callback_url, limits, keys, wallet_adjustment")
	}
	if r.Above.Minor() < 0 {
		form.Fail("above", "field.min", money.New(0, money.TRY).String())
	}
	if !r.Above.IsZero() && !r.Action.IsMoney() {
		form.Fail("above", "field.choice", money.New(0, money.TRY).String())
	}
	if r.LapseAfter < time.Minute || r.LapseAfter > MaxLapse {
		form.Fail("lapseAfterMinutes", "field.between", 1, int(MaxLapse/time.Minute))
	}
	return form.Err("core.ApprovalRule.Check")
}

// AuditState is what an audit row says of the rule, as JSON.
func (r ApprovalRule) AuditState() string {
	return `{"isOn":` + strconv.FormatBool(r.IsOn) + `,"above":"` + r.Above.String() + `","lapseAfter":"` + r.LapseAfter.String() + `"}`
}

// needs tells whether the rule is on for a guard. An amount in another currency or in a coin is above any.
func (r ApprovalRule) needs(g Guard) bool {
	if !r.IsOn || r.Above.IsZero() {
		return r.IsOn
	}
	above := gateway.Lira(r.Above)
	return !g.Amount.IsSameAsset(above) || g.Amount.Amount.Cmp(above.Amount) > 0
}

// ApprovalRules are the rules of an installation.
type ApprovalRules []ApprovalRule

// Complete gives a rule for every action, in order: those that nobody has set are off.
func (rules ApprovalRules) Complete() ApprovalRules {
	var all ApprovalRules
	isAnyOn := slices.ContainsFunc(rules, func(r ApprovalRule) bool { return r.IsOn && !r.Action.followsOthers() })
	for _, action := range GuardedActions() {
		rule := ApprovalRule{Action: action, Above: money.New(0, money.TRY), LapseAfter: DefaultLapse}
		for _, r := range rules {
			if r.Action == action {
				rule = r
			}
		}
		if action.followsOthers() {
			rule.IsOn = isAnyOn
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

// Active gives those guards that need a second person, and how soon their request lapses.
func (rules ApprovalRules) Active(guards []Guard) (active []Guard, lapse time.Duration) {
	all := rules.Complete()
	for _, g := range guards {
		for _, r := range all {
			if r.Action == g.Action && r.needs(g) {
				active = append(active, g)
				if lapse == 0 || r.LapseAfter < lapse {
					lapse = r.LapseAfter
				}
			}
		}
	}
	return active, lapse
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
)

// ApprovalStates lists all states.
func ApprovalStates() []ApprovalState {
	return []ApprovalState{ApprovalWaiting, ApprovalApproved, ApprovalRefused, ApprovalWithdrawn, ApprovalLapsed}
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

// PaymentCodes are the tracking codes of the payments that the request is about.
func (a Approval) PaymentCodes() []string {
	var codes []string
	for _, g := range a.Guards {
		if code, ok := strings.CutPrefix(g.Subject, "payment/"); ok && !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
	}
	return codes
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
	if !a.IsVisibleTo(v.By) {
		return a, fault.New(op, fault.NotFound)
	}
	for _, permission := range []Permission{DecideApprovals, a.Permission} {
		if err := v.By.Require(permission); err != nil {
			return a, err
		}
	}
	if v.By.ID == a.RequesterID {
		return a, fault.New(op, fault.OwnRequest)
	}
	return a.end(op, to, v)
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
	After         ID        // keyset cursor: only older ones
	Limit         int
}
