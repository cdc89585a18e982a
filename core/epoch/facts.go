package epoch

import (
	"fmt"
	"strings"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

// Facts are what helps to find elsewhere what remains. Which of them there are follows from its kind; the others are zero.
type Facts struct {
	Amount     gateway.Money  // PaidByHand, DecidedByHand: of the payment; UnknownPayment: what was paid of it
	Status     payment.Status // PaidByHand, DecidedByHand
	State      gateway.State  // UnknownPayment: what its gateway says
	Unanswered int            // NotAnswered: operations, disputes and lists of these
	Active     []RoleCount    // SettingsAreOlder: who may sign in; of StaffSettings alone
	Missing    []Unlisted     // NotListed
	Gap        Gap            // NotListed: why deposits are missing
	Bank       string         // StatementNotRead
	Trouble    string         // StatementNotRead: why, in English
}

// RoleCount is how many people have a role.
type RoleCount struct {
	Role  staff.Role `json:"role"`
	Count int        `json:"count"`
}

// Unlisted is what nobody lists.
type Unlisted string

// What nobody lists.
const (
	Deposits Unlisted = "deposits" // of a gateway
	Payouts  Unlisted = "payouts"  // of a gateway, and its refunds
	Disputes Unlisted = "disputes" // of a gateway
	ByHand   Unlisted = "by_hand"  // what people have paid or received
	// Corrections of wallets and credits, and disputes that a letter told of: what only people have decided. Whoever had one against
	// them has an older backup restored.
	Corrections Unlisted = "corrections"
)

// Gap is why what a gateway has taken was not compared to the end.
type Gap string

// Gaps.
const (
	NoList     Gap = "no_list"    // it lists no deposits
	Unfinished Gap = "unfinished" // its list has no end, or more than is read; what was read was compared
	NoAnswer   Gap = "no_answer"  // it does not answer, or with an error
	NotOpened  Gap = "not_opened" // its account can't be opened
)

// English says the facts in one line, for logs and for whoever does not read them one by one.
func (f Facts) English() string {
	var parts []string
	say := func(is bool, format string, args ...any) {
		if is {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	say(f.State != "", "%s", f.State)
	say(f.Amount.Amount.Sign() != 0, "%s", f.Amount)
	say(f.Status != "", "%s", f.Status)
	say(f.Unanswered > 0, "%d not answered; nothing of it is sent before that", f.Unanswered)
	for i, m := range f.Missing {
		say(i == 0, "not listed: %s", m)
		say(i > 0, "%s", m)
		say(m == Deposits && f.Gap != "", "%s", f.Gap)
	}
	for i, a := range f.Active {
		say(i == 0, "active: %s %d", a.Role, a.Count)
		say(i > 0, "%s %d", a.Role, a.Count)
	}
	say(f.Bank != "", "%s", f.Bank)
	say(f.Trouble != "", "%s", f.Trouble)
	return strings.Join(parts, ", ")
}
