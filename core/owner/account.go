package owner

import (
	"strconv"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
)

// AccountKind says which deposits an IBAN account receives.
type AccountKind string

// Kinds of accounts.
const (
	ManualAccount AccountKind = "manual"
	EIBANAccount  AccountKind = "eiban"
)

// AccountKey names an account, and the dealer whose it is.
type AccountKey struct{ ID, DealerID int64 }

// Account is a dealer's IBAN account to which customers pay, with its limits.
type Account struct {
	ID                   int64
	Version              int
	DealerID             int64
	Kind                 AccountKind
	BankName             string
	Holder               string
	IBAN                 string
	IsActive             bool
	IsHeld               bool         // the house has switched it off: its dealer's staff need the house to switch it on
	Min, Max             money.Amount // of one deposit, both included
	DailyLimit           money.Amount // sum of a day's offers; zero: no limit
	DailyCount           int          // number of a day's offers; 0: no limit
	CreatedAt, UpdatedAt time.Time
}

// Identity implements Row.
func (a Account) Identity() core.Identity {
	return core.Identity{Table: "accounts", Key: strconv.FormatInt(a.ID, 10), Version: a.Version}
}

// DailyUsage is an account with what a day's offers use of its limits. Version 0: nothing was offered on that day.
type DailyUsage struct {
	Account
	Day           core.Day
	Used          money.Amount
	Count         int
	LoadVersion   int
	LastOfferedAt time.Time
}

// LimitUsage changes an account's load on a day and raises its LoadVersion by one. Expect, when not negative, is the
// LoadVersion that the decision saw: another one is a lost race (fault.Conflict). Negative adds whatever the load is
// now: giving back needs no check, and money that arrived counts even beyond a limit. A changeset may use one account
// and day several times.
type LimitUsage struct {
	AccountID int64
	Day       core.Day
	Amount    money.Amount // added to Used; may be negative
	Count     int          // added to Count; may be negative
	Expect    int
	At        time.Time // the new LastOfferedAt of an offer; zero leaves it
}

// Identity implements Row.
func (u LimitUsage) Identity() core.Identity {
	return core.Identity{Table: "account_loads", Key: strconv.FormatInt(u.AccountID, 10) + "/" + string(u.Day), Version: 1}
}

// AnyVersion is the Expect of a use that needs no check.
const AnyVersion = -1

// holds reports whether the account may be offered an amount under its limits, where held is what the same payment
// already holds of this account's load on this day.
func (l DailyUsage) holds(amount, held money.Amount, heldCount int) bool {
	// Less is false between currencies, so that the bounds alone would let a foreign amount through.
	isComparable := amount.Currency() == l.Min.Currency() && amount.Currency() == l.Max.Currency()
	if !l.IsActive || !isComparable || amount.Less(l.Min) || l.Max.Less(amount) {
		return false
	}
	used := l.Used.Minor() - held.Minor() + amount.Minor()
	if !l.DailyLimit.IsZero() && used > l.DailyLimit.Minor() {
		return false
	}
	return l.DailyCount == 0 || l.Count-heldCount+1 <= l.DailyCount
}

// ChooseAccount is the rule of D2: of the active accounts whose min..max holds the amount and whose daily limit is
// not used up, the least loaded today, then the least recently offered. The account that the payment already holds
// is kept while it fits, so that a customer who changes the amount pays to the account already seen.
func ChooseAccount(loads []DailyUsage, amount money.Amount, current OfferedAccount) (DailyUsage, error) {
	var best *DailyUsage
	for i := range loads {
		l := &loads[i]
		isCurrent := current.AccountID == l.ID && current.Day == l.Day
		held, heldCount := money.New(0, amount.Currency()), 0
		if isCurrent {
			held, heldCount = current.Held, 1
		}
		if !l.holds(amount, held, heldCount) {
			continue
		}
		if isCurrent {
			return *l, nil
		}
		if best == nil || l.isBefore(*best) {
			best = l
		}
	}
	if best == nil {
		return DailyUsage{}, fault.New("core.chooseAccount", fault.NoAccount)
	}
	return *best, nil
}

func (l DailyUsage) isBefore(other DailyUsage) bool {
	if l.Used.Minor() != other.Used.Minor() {
		return l.Used.Minor() < other.Used.Minor()
	}
	if !l.LastOfferedAt.Equal(other.LastOfferedAt) {
		return l.LastOfferedAt.Before(other.LastOfferedAt)
	}
	return l.ID < other.ID
}

// OfferRange is the smallest and the greatest amount that some account takes under what is left of its limits, for the
// page's advice. ok is false when no account takes any. Between the two may be amounts that none takes.
func OfferRange(loads []DailyUsage) (low, high money.Amount, ok bool) {
	for _, l := range loads {
		greatest := l.greatest()
		if !l.holds(greatest, money.New(0, greatest.Currency()), 0) {
			continue
		}
		if !ok || l.Min.Less(low) {
			low = l.Min
		}
		if !ok || high.Less(greatest) {
			high = greatest
		}
		ok = true
	}
	return low, high, ok
}

// greatest is the greatest amount that the account's limits leave room for, whether or not it may be offered.
func (l DailyUsage) greatest() money.Amount {
	left := money.New(l.DailyLimit.Minor()-l.Used.Minor(), l.Max.Currency())
	if l.DailyLimit.IsZero() || l.Max.Less(left) {
		return l.Max
	}
	return left
}

// HandMax is the most that the limits of a deposit's account leave room for on the day that the deposit counts against, and the
// version of that day's usage: what one person may credit it with by hand. Zero: the account is not there any more.
func HandMax(loads []DailyUsage, shown OfferedAccount) (most money.Amount, version int) {
	for _, l := range loads {
		if l.ID == shown.AccountID {
			l.Used = money.New(l.Used.Minor()-shown.Held.Minor(), l.Used.Currency())
			return l.greatest(), l.LoadVersion
		}
	}
	return money.Amount{}, 0
}

// Check holds an account to the rules: a valid IBAN, limits in order. Fault: Invalid.
func (a Account) Check() error {
	var form core.Form
	form.IBAN("iban", core.Input{Kind: core.TextInput, Text: a.IBAN}, true)
	form.Name("bank_name", core.Input{Kind: core.TextInput, Text: a.BankName})
	form.Name("holder", core.Input{Kind: core.TextInput, Text: a.Holder})
	if a.Min.Less(core.MinAmount(a.Min.Currency())) || a.Max.Less(a.Min) {
		form.Fail("max", "field.min", a.Min.String())
	}
	return form.Err("core.Account.Check")
}

// OfferedAccount is the account shown to the customer, as it was at that moment, and the day whose limits the offer
// counts against. AccountID 0: not offered yet.
type OfferedAccount struct {
	AccountID int64
	BankName  string
	Holder    string
	IBAN      string
	Day       core.Day
	Held      money.Amount // what the offer holds of the day's limit
}
