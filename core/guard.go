package core

import (
	"cmp"
	"slices"
	"strconv"

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
	GuardCallbackURL GuardedAction = "callback_url" // where callbacks go, where customers are led back to, and from where the API may be called
	GuardLimits      GuardedAction = "limits"       // of IBAN accounts and gateway accounts
	GuardKeys        GuardedAction = "keys"         // API keys and tokens, what requests must be signed with, configurations of gateway accounts
	GuardRules       GuardedAction = "rules"        // these rules
	GuardStaff       GuardedAction = "staff"        // who is a staff member, and with which rights and proof
	GuardCredit      GuardedAction = "credit"       // a deposit is credited by hand
	GuardCorrection  GuardedAction = "correction"   // what was credited is corrected
	GuardRouting     GuardedAction = "routing"      // which dealer or gateway payments go to, and who is switched on
	// GuardAdjustment: a wallet's ledger is adjusted to what the bank says that the account holds.
	GuardAdjustment GuardedAction = "wallet_adjustment"
	// GuardThaw: money may move again after a backup was restored.
	GuardThaw GuardedAction = "thaw"
)

// GuardedActions lists all of them. Every installation has a rule for each.
func GuardedActions() []GuardedAction {
	return []GuardedAction{
		GuardWithdrawal, GuardCompletion, GuardRefund, GuardIBAN, GuardCallbackURL, GuardLimits, GuardKeys, GuardRules,
		GuardStaff, GuardAdjustment, GuardCredit, GuardCorrection, GuardRouting, GuardThaw,
	}
}

// FollowsOthers reports whether the action's rule is not set: it is on while any that is set is.
func (a GuardedAction) FollowsOthers() bool { return a == GuardRules }

// IsAlways reports whether the action's rule is not set, since it is always on. Who could be a second person is, because
// some things need one whatever the rules say.
func (a GuardedAction) IsAlways() bool {
	return a == GuardCorrection || a == GuardStaff || a == GuardThaw
}

// IsSet reports whether the action's rule can be set.
func (a GuardedAction) IsSet() bool {
	return slices.Contains(GuardedActions(), a) && !a.FollowsOthers() && !a.IsAlways()
}

// IsMoney reports whether the action is about an amount, so that its rule may begin above one.
func (a GuardedAction) IsMoney() bool {
	return a == GuardWithdrawal || a == GuardCompletion || a == GuardRefund || a == GuardAdjustment || a == GuardCredit
}

// Guard is one thing in a changeset that a second person may have to approve. Two runs of one request have equal guards
// when they do the same.
type Guard struct {
	Action    GuardedAction `json:"action"`
	Subject   string        `json:"subject,omitempty"`   // "payment/WTH-…", "site/7", "provider/new Acme"
	DealerID  int64         `json:"dealer_id,omitempty"` // whose staff see it; 0: nobody's
	Amount    gateway.Money `json:"amount,omitzero"`     // of money; zero: it is not about an amount
	DiffersBy gateway.Money `json:"differs,omitzero"`    // of a credit: by how much it differs from what the payment asked for

	IsAlways  bool   `json:"is_always,omitempty"`  // it needs a second person whatever the rules say
	Why       string `json:"why,omitempty"`        // why it always does; empty: nothing more is to be said
	IsCounted bool   `json:"is_counted,omitempty"` // the person's day has it already

	ProviderID int64 `json:"provider_id,omitempty"` // whose it is: who of its staff asked sees it; 0: nobody's
}

// Lira is the amount in the currency of the rules; ok is false for coins and for what is not about an amount.
func (g Guard) Lira() (amount money.Amount, ok bool) {
	if !g.Amount.IsSameAsset(gateway.Lira(money.New(0, money.TRY))) {
		return amount, false
	}
	amount, err := g.Amount.Amount.Amount(money.TRY)
	return amount, err == nil
}

// Guarded is a row that a second person may have to approve when a staff member changes it.
type Guarded interface {
	Row
	// Guards says what about the row may have to be approved: by what is changed, and not by who offers it under which name.
	Guards(in Judged) []Guard
	// Beside names the stored rows that the guards look at: the one that the row replaces (Replaced), with the version that
	// it must have, and others, with version 0: any.
	Beside() []Identity
}

// Replaced names the row that a row replaces; nothing where it is new.
func Replaced(row Row) []Identity {
	id := row.Identity()
	if id.Version <= 1 {
		return nil
	}
	id.Version--
	return []Identity{id}
}

// Judged is a changeset beside the rows that are stored now: those that it replaces, and those that its rows relate to.
type Judged struct {
	Changeset
	IsByTenant bool // a dealer's or a provider's staff made it: somebody from outside the house
	stored     map[rowName]Row
}

type rowName struct {
	table Table
	key   string
}

func nameOf(row Row) rowName {
	id := row.Identity()
	return rowName{id.Table, id.Key}
}

// Judge puts a changeset beside the rows that are stored now.
func Judge(c Changeset, stored []Row) Judged {
	in := Judged{Changeset: c, stored: make(map[rowName]Row, len(stored))}
	for _, row := range stored {
		in.stored[nameOf(row)] = row
	}
	return in
}

// AnyVersionOf names a row, whatever its version is.
func AnyVersionOf(row Row) Identity {
	id := row.Identity()
	id.Version = 0
	return id
}

// Beside lists the stored rows that the changeset is judged beside, each once: those that have to be of a version first.
func (c Changeset) Beside() []Identity {
	var list []Identity
	for _, row := range c {
		if guarded, ok := row.(Guarded); ok {
			list = append(list, guarded.Beside()...)
		}
	}
	slices.SortStableFunc(list, func(a, b Identity) int { return cmp.Compare(min(b.Version, 1), min(a.Version, 1)) })
	var once []Identity
	for _, id := range list {
		isThere := slices.ContainsFunc(once, func(known Identity) bool { return known.Table == id.Table && known.Key == id.Key })
		if !isThere {
			once = append(once, id)
		}
	}
	return once
}

// Before returns what a row of the changeset replaces; ok is false where it is new.
func Before[R Row](in Judged, row R) (before R, ok bool) {
	before, ok = in.stored[nameOf(row)].(R)
	return before, ok
}

// IsGuarded reports whether the changeset has a row that a guard may be about. It is cheap: every commit asks.
func (c Changeset) IsGuarded() bool {
	return slices.ContainsFunc(c, func(row Row) bool {
		_, ok := row.(Guarded)
		return ok
	})
}

// Guards says what in a staff member's changeset a second person may have to approve, each thing once.
func (in Judged) Guards() []Guard {
	var found []Guard
	for _, row := range in.Changeset {
		guarded, ok := row.(Guarded)
		if !ok {
			continue
		}
		for _, g := range guarded.Guards(in) {
			if !slices.Contains(found, g) {
				found = append(found, g)
			}
		}
	}
	return found
}

// IsByStaff reports whether a member of staff makes the changeset: an audit row says so. Other rows may name one in what
// follows later from what they did.
func (c Changeset) IsByStaff() bool {
	return slices.ContainsFunc(c, func(row Row) bool {
		e, isAudited := row.(AuditEntry)
		return isAudited && e.Actor.Kind == ByStaff
	})
}

// GuardIf is a guard of an action, where something is so.
func GuardIf(isSo bool, action GuardedAction, subject string, dealerID int64) []Guard {
	if !isSo {
		return nil
	}
	return []Guard{{Action: action, Subject: subject, DealerID: dealerID}}
}

// GuardSubject is a row by id, and a new one by name: its id is another one when the request runs again.
func GuardSubject(kind string, id int64, isOld bool, name string) string {
	if isOld {
		return kind + "/" + strconv.FormatInt(id, 10)
	}
	return kind + "/new " + name
}
