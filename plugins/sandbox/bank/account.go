package bank

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/vezne/vezne/core/money"
)

// Account is one of the merchant's accounts at the bank.
type Account struct {
	ID      string `json:"id"`
	IBAN    string `json:"iban"`
	Bank    string `json:"bank"`
	Holder  string `json:"holder"`
	IsOpen  bool   `json:"open"`
	Opening Money  `json:"-"` // what was there before the first line
}

// Who the bank and the merchant are, in instructions and lists.
const (
	bankName   = "SIM Bank"
	holderName = "Vezne Sandbox A.Ş. (SIM)"
)

// accountsOf returns the accounts of a configuration. Deposits by bank are collected on the first one.
func accountsOf(c Config) []Account {
	if c.Accounts != nil {
		return c.Accounts
	}
	million := ofLira(money.MustDecimal("1000000"))
	return []Account{
		{ID: "acc-1", IBAN: TurkishIBAN("99998", "1"), Bank: bankName, Holder: holderName, IsOpen: true, Opening: million},
		{ID: "acc-2", IBAN: TurkishIBAN("99998", "2"), Bank: bankName, Holder: holderName, IsOpen: true, Opening: million},
	}
}

// Directions of a line, seen from the account.
const (
	Incoming = "in"
	Outgoing = "out"
)

// Line is one booking on an account.
type Line struct {
	ID           string    `json:"id"`
	AccountID    string    `json:"account_id"`
	Direction    string    `json:"direction"`
	Amount       Money     `json:"amount"`
	BookedAt     time.Time `json:"booked_at"`
	ValueDate    string    `json:"value_date"` // the day it counts for; may be the one before
	Text         string    `json:"text,omitempty"`
	Reference    string    `json:"reference,omitempty"` // of the transfer that it belongs to
	Party        Party     `json:"party"`
	BalanceAfter Money     `json:"balance_after"`
	Reverses     string    `json:"reverses,omitempty"`

	no        int       // in the order in which the bank wrote them
	enteredAt time.Time // when the bank wrote it, which may be later than BookedAt
	isHidden  bool
}

// account is an account as the bank keeps it: its lines in the order of their time, and what is set aside.
type account struct {
	Account
	lines   []*Line
	byID    map[string]*Line
	moved   money.Decimal // what all lines come to
	entered int           // how many lines were numbered
	holds   []hold
}

// hold is money set aside for a transfer under way.
type hold struct {
	ref    string
	amount money.Decimal
	at     time.Time
}

// balanceLag is how far behind the truth a balance is, unless Lag says otherwise.
const balanceLag = 30 * time.Second

// Balance is what an account held at a moment.
type Balance struct {
	Total     Money     `json:"total"`
	Available Money     `json:"available"`
	At        time.Time `json:"at"`
}

// Bounds of a line that is not made by an order, and of how many an account takes.
const (
	maxLineLira = "1000000000000"
	maxLines    = 50_000
)

// check returns why a line can't be one of an account.
func (l Line) check() error {
	switch {
	case l.Direction != Incoming && l.Direction != Outgoing:
		return errors.New("direction must be in or out")
	case l.Amount.Currency != lira || l.Amount.Network != "":
		return errors.New("an account is in TRY")
	case l.Amount.Value.Sign() <= 0:
		return errors.New("amount must be positive")
	default:
		return nil
	}
}

// checkBounds returns what a line from outside has too much of.
func (l Line) checkBounds() error {
	switch {
	case l.Amount.Value.Places() > 2 || l.Amount.Value.Cmp(money.MustDecimal(maxLineLira)) > 0:
		return errors.New("amount must be of at most two decimals and at most " + maxLineLira)
	case !isText(l.Text) || !isText(l.Party.Name) || !isText(l.Party.IBAN):
		return errors.New("a text is too long or has control characters")
	default:
		return nil
	}
}

func (a *account) isFull() bool { return len(a.lines) >= maxLines }

// newID names a line like no other one of the account, also after a restart: what was kept has numbers, too.
func (a *account) newID(at time.Time) string {
	for {
		id := fmt.Sprintf("%s-%d-%d", a.ID, at.UnixMilli(), a.entered)
		if a.byID[id] == nil {
			return id
		}
		a.entered++
	}
}

// book writes a line at its place. Lines of one moment stand in the order in which they came.
func (a *account) book(l Line, at time.Time) *Line {
	a.entered++
	if l.ID == "" {
		l.ID = a.newID(at)
	}
	l.AccountID, l.no, l.enteredAt = a.ID, a.entered, at
	if l.ValueDate == "" {
		l.ValueDate = l.BookedAt.In(istanbul).Format(time.DateOnly)
	}
	a.moved = a.moved.Add(l.signed())
	l.BalanceAfter = ofLira(a.Opening.Value.Add(a.moved))
	i, _ := slices.BinarySearchFunc(a.lines, l.BookedAt, func(have *Line, booked time.Time) int {
		return cmp.Or(have.BookedAt.Compare(booked), -1)
	})
	a.lines = slices.Insert(a.lines, i, &l)
	a.byID[l.ID] = &l
	return &l
}

// reversalText begins the text of a line that takes another back.
const reversalText = "reversal "

// reverse books a line that takes another back.
func (a *account) reverse(l *Line, at time.Time) *Line {
	back := Line{
		Direction: Incoming, Amount: l.Amount, BookedAt: at, Text: reversalText + l.Text, Reference: l.Reference, Party: l.Party,
		Reverses: l.ID,
	}
	if l.Direction == Incoming {
		back.Direction = Outgoing
	}
	return a.book(back, at)
}

func (l Line) signed() money.Decimal {
	if l.Direction == Outgoing {
		return money.Decimal{}.Sub(l.Amount.Value)
	}
	return l.Amount.Value
}

// balance is what the account held at a moment, by what the bank had written by then.
func (a *account) balance(at time.Time) Balance {
	total := a.Opening.Value
	for _, l := range a.lines {
		if !l.enteredAt.After(at) {
			total = total.Add(l.signed())
		}
	}
	available := total
	for _, h := range a.holds {
		if !h.at.After(at) {
			available = available.Sub(h.amount)
		}
	}
	return Balance{Total: ofLira(total), Available: ofLira(available), At: at}
}

func (a *account) hold(ref string, amount Money, at time.Time) {
	a.holds = append(a.holds, hold{ref, amount.Value, at})
}

func (a *account) release(ref string) {
	a.holds = slices.DeleteFunc(a.holds, func(h hold) bool { return h.ref == ref })
}

// account finds an account. The caller holds b.mu.
func (b *Bank) account(id string) (*account, bool) {
	i := slices.IndexFunc(b.accounts, func(a *account) bool { return a.ID == id })
	if i < 0 {
		return nil, false
	}
	return b.accounts[i], true
}
