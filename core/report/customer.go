package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
)

// Bounds of a customer's history.
const (
	MaxCustomerPayments = 10_000 // the newest, which are counted
	MaxCustomerNames    = 20
)

// CustomerHistory is what a customer did so far. Names and totals are of the newest payments, Counted of them.
type CustomerHistory struct {
	FirstSeenAt  time.Time // CreatedAt of the oldest payment (smallest ID); zero: there is none
	LastSeenAt   time.Time // of the newest (greatest ID)
	Names        []CustomerName
	Totals       []CustomerTotal
	PaymentCount int
	HasMore      bool // there are more payments than were counted
}

// CustomerName is a name that the customer had in payments.
type CustomerName struct {
	Username, Fullname      string
	Count                   int
	FirstSeenAt, LastSeenAt time.Time
}

// CustomerTotal is how many payments of a method are in a status, and what they come to.
type CustomerTotal struct {
	Method payment.Method
	Status payment.Status
	Count  int
	Amount money.Amount
}

// HistoryOf sums up a customer's payments, newest first; more than MaxCustomerPayments tell that there are more.
func HistoryOf(payments []payment.Payment) CustomerHistory {
	if len(payments) == 0 {
		return CustomerHistory{}
	}
	h := CustomerHistory{
		FirstSeenAt: payments[len(payments)-1].CreatedAt, LastSeenAt: payments[0].CreatedAt,
		HasMore: len(payments) > MaxCustomerPayments,
	}
	payments = payments[:min(len(payments), MaxCustomerPayments)]
	h.PaymentCount = len(payments)
	h.Names, h.Totals = namesIn(payments), totalsOf(payments)
	return h
}

// namesIn returns the names that payments have, the last seen first.
func namesIn(payments []payment.Payment) []CustomerName {
	found := map[[2]string]CustomerName{}
	for _, p := range payments {
		key := [2]string{p.Customer.Username, p.Customer.Fullname}
		n, isKnown := found[key]
		if !isKnown {
			n = CustomerName{Username: key[0], Fullname: key[1], FirstSeenAt: p.CreatedAt, LastSeenAt: p.CreatedAt}
		}
		n.Count++
		if p.CreatedAt.Before(n.FirstSeenAt) {
			n.FirstSeenAt = p.CreatedAt
		}
		if p.CreatedAt.After(n.LastSeenAt) {
			n.LastSeenAt = p.CreatedAt
		}
		found[key] = n
	}
	names := slices.SortedFunc(maps.Values(found), func(a, b CustomerName) int {
		return cmp.Or(b.LastSeenAt.Compare(a.LastSeenAt), strings.Compare(a.Username, b.Username), strings.Compare(a.Fullname, b.Fullname))
	})
	return names[:min(len(names), MaxCustomerNames)]
}

// totalsOf adds payments up by method, status and currency, in the order of Methods and Statuses.
func totalsOf(payments []payment.Payment) []CustomerTotal {
	type key struct {
		method   payment.Method
		status   payment.Status
		currency money.Currency
	}
	found := map[key]CustomerTotal{}
	for _, p := range payments {
		k := key{p.Method, p.Status, p.Amount.Currency()}
		t := found[k]
		t.Method, t.Status, t.Count = p.Method, p.Status, t.Count+1
		t.Amount = money.New(t.Amount.Minor()+p.Amount.Minor(), k.currency)
		found[k] = t
	}
	return slices.SortedFunc(maps.Values(found), func(a, b CustomerTotal) int {
		return cmp.Or(
			cmp.Compare(slices.Index(payment.Methods(), a.Method), slices.Index(payment.Methods(), b.Method)),
			cmp.Compare(slices.Index(payment.Statuses(), a.Status), slices.Index(payment.Statuses(), b.Status)),
			strings.Compare(a.Amount.Currency().Code, b.Amount.Currency().Code),
		)
	})
}

// CustomerQuery asks for customers by their payments. Zero fields do not narrow.
type CustomerQuery struct {
	ProviderID int64
	Text       string // see PaymentQuery.Text
}
