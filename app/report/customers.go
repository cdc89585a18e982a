package report

import (
	"context"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
)

// Bounds of a search for customers.
const (
	maxFoundCustomers = 50
	customerPages     = 5 // of payments that are looked at
)

// FoundCustomer is a customer as the newest of the payments has them by which they were found.
type FoundCustomer struct {
	owner.CustomerKey
	Username   string
	Fullname   string
	LastSeenAt time.Time // when that payment was created
}

// Customers finds a provider's customers, or all providers', by what the newest payments carry: a user id, a name, an IBAN. Of those
// whose payments are the newest it returns maxFoundCustomers; hasMore: there may be more. Faults: Forbidden, Invalid.
func (s *Backoffice) Customers(ctx context.Context, member staff.Staff, asked report.CustomerQuery) (found []FoundCustomer, hasMore bool, err error) {
	const op = "backoffice.Customers"
	if err := member.Require(staff.ReadCustomers); err != nil {
		return nil, false, err
	}
	var form core.Form
	q := report.PaymentQuery{ProviderID: asked.ProviderID, Text: asked.Text, Sort: report.NewestFirst}.Cleaned(&form)
	if err := form.Err(op); err != nil {
		return nil, false, err
	}
	q.Scope, q.Limit = member.Scope(), core.MaxPage
	for page := range customerPages {
		looked, err := s.Reports.SearchPayments(ctx, q)
		if err != nil {
			return nil, false, fault.E(op, "", err)
		}
		for i := range looked.Payments {
			if found = addCustomer(found, &looked.Payments[i]); len(found) == maxFoundCustomers {
				return found, true, nil
			}
		}
		next, more := looked.Next(q)
		if !more {
			return found, false, nil
		}
		if q = next; page == customerPages-1 {
			return found, true, nil
		}
	}
	return found, true, nil
}

// addCustomer adds whose payment it is, once. A dealer's own payments, and those of whom nothing is known, are no provider's.
func addCustomer(found []FoundCustomer, p *payment.Payment) []FoundCustomer {
	key := owner.CustomerKey{ProviderID: p.ProviderID, UserID: p.Customer.UserID}
	isKnown := slices.ContainsFunc(found, func(c FoundCustomer) bool { return c.CustomerKey == key })
	if key.ProviderID == 0 || key.UserID == "" || owner.IsForgotten(key.UserID) || isKnown {
		return found
	}
	return append(found, FoundCustomer{
		CustomerKey: key, Username: p.Customer.Username, Fullname: p.Customer.Fullname, LastSeenAt: p.CreatedAt,
	})
}
