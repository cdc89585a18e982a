package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

func listSentences() []sentence {
	return []sentence{
		{"an empty list is no fault", func(w *world) { w.same(0, len(w.list(report.PaymentQuery{Limit: core.MaxPage}))) }},
		{"each filter narrows, alone and together with others", filters},
		{"there are at most Limit payments, newest first", limitNewestFirst},
		{"pages cover everything once even while payments are created", pagesCoverEverything},
		{"pages of a filtered list cover it once", filteredPages},
		{"payments are listed by ID, however late they were committed", lateCommit},
	}
}

// step is between the payments of a population: their IDs are of one moment, and CreatedAt is near it.
const step = 4 * time.Minute

// population commits a few dozen payments that differ in everything a query asks for, and gives them newest first.
func population(w *world) []payment.Payment {
	var all []payment.Payment
	for i := range 48 {
		p := w.payment()
		p.Method, p.Status = payment.Methods()[i%4], payment.Statuses()[i%7]
		p.ProviderID, p.SiteID, p.DealerID = int64(1+i%3), int64(1+i%5), int64(1+i%2)
		p.Customer.UserID = []string{"u1", "U1", "u1 ", "ü'1"}[i/2%4]
		p.Amount, p.Requested = lira(int64(100*(i%6))+1), lira(1)
		p.CreatedAt = epoch.Add(time.Duration(i/4) * step)
		all = append(all, p)
	}
	w.commit(core.Rows(all))
	slices.Reverse(all)
	return all
}

// filter is a query and what it keeps.
type filter struct {
	says  string
	query report.PaymentQuery
	keeps func(p payment.Payment) bool
}

func filters(w *world) {
	all := population(w)
	some := all[22]
	for _, f := range slices.Concat(wordFilters(some), rangeFilters(some), jointFilters(some, all[0].ID)) {
		w.t.Run(f.says, func(t *testing.T) {
			w := w.in(t)
			f.query.Limit = core.MaxPage
			want := slices.DeleteFunc(slices.Clone(all), func(p payment.Payment) bool { return !f.keeps(p) })
			w.same(want, w.list(f.query))
		})
	}
}

func everyPayment(payment.Payment) bool { return true }

func noPayment(payment.Payment) bool { return false }

func wordFilters(some payment.Payment) []filter {
	return []filter{
		{"nothing", report.PaymentQuery{}, everyPayment},
		{"scope", report.PaymentQuery{Scope: core.Scope{DealerID: 2}}, func(p payment.Payment) bool { return p.DealerID == 2 }},
		{"scope of a provider", report.PaymentQuery{Scope: core.Scope{ProviderID: 3}}, func(p payment.Payment) bool { return p.ProviderID == 3 }},
		{"scope of a provider that asks for another", report.PaymentQuery{Scope: core.Scope{ProviderID: 3}, ProviderID: 2}, noPayment},
		{"scope of a provider, two statuses", report.PaymentQuery{
			Scope: core.Scope{ProviderID: 2}, Statuses: []payment.Status{payment.Showing, payment.Rejected},
		}, func(p payment.Payment) bool {
			return p.ProviderID == 2 && (p.Status == payment.Showing || p.Status == payment.Rejected)
		}},
		{"scope of no provider", report.PaymentQuery{Scope: core.Scope{ProviderID: -1}}, noPayment},
		{"scope of nobody", report.PaymentQuery{Scope: core.Scope{DealerID: -1}}, noPayment},
		{"one method", report.PaymentQuery{Methods: []payment.Method{payment.EIBANDeposit}}, func(p payment.Payment) bool {
			return p.Method == payment.EIBANDeposit
		}},
		{"two methods", report.PaymentQuery{Methods: []payment.Method{payment.ManualDeposit, payment.EIBANWithdrawal}},
			func(p payment.Payment) bool {
				return p.Method == payment.ManualDeposit || p.Method == payment.EIBANWithdrawal
			}},
		{"one status", report.PaymentQuery{Statuses: []payment.Status{payment.Expired}}, func(p payment.Payment) bool {
			return p.Status == payment.Expired
		}},
		{"two statuses", report.PaymentQuery{Statuses: []payment.Status{payment.Showing, payment.Rejected}},
			func(p payment.Payment) bool { return p.Status == payment.Showing || p.Status == payment.Rejected }},
		{"a status that none has", report.PaymentQuery{Statuses: []payment.Status{payment.Failed}}, noPayment},
		{"provider", report.PaymentQuery{ProviderID: 3}, func(p payment.Payment) bool { return p.ProviderID == 3 }},
		{"site", report.PaymentQuery{SiteID: 4}, func(p payment.Payment) bool { return p.SiteID == 4 }},
		{"tracking code", report.PaymentQuery{TrackingCode: some.TrackingCode}, func(p payment.Payment) bool {
			return p.ID == some.ID
		}},
		{"unknown tracking code", report.PaymentQuery{TrackingCode: "%"}, noPayment},
		{"user id", report.PaymentQuery{UserID: "u1"}, func(p payment.Payment) bool { return p.Customer.UserID == "u1" }},
		{"user id with a quote", report.PaymentQuery{UserID: "ü'1"}, func(p payment.Payment) bool {
			return p.Customer.UserID == "ü'1"
		}},
	}
}

func rangeFilters(some payment.Payment) []filter {
	at := some.CreatedAt
	return []filter{
		{"created from, included", report.PaymentQuery{CreatedFrom: at}, func(p payment.Payment) bool {
			return !p.CreatedAt.Before(at)
		}},
		{"created until, excluded", report.PaymentQuery{CreatedUntil: at}, func(p payment.Payment) bool {
			return p.CreatedAt.Before(at)
		}},
		{"a moment", report.PaymentQuery{CreatedFrom: at, CreatedUntil: at.Add(time.Microsecond)},
			func(p payment.Payment) bool { return p.CreatedAt.Equal(at) }},
		{"least amount, included", report.PaymentQuery{MinAmount: lira(301)}, func(p payment.Payment) bool {
			return p.Amount.Minor() >= 301
		}},
		{"greatest amount, included", report.PaymentQuery{MaxAmount: lira(201)}, func(p payment.Payment) bool {
			return p.Amount.Minor() <= 201
		}},
		{"one amount", report.PaymentQuery{MinAmount: lira(401), MaxAmount: lira(401)}, func(p payment.Payment) bool {
			return p.Amount.Minor() == 401
		}},
		{"older than one", report.PaymentQuery{After: some.ID}, func(p payment.Payment) bool { return p.ID < some.ID }},
	}
}

func jointFilters(some payment.Payment, newest core.ID) []filter {
	inWork := []payment.Status{payment.Pending, payment.Processing, payment.Canceled}
	from, until := epoch.Add(2*step), epoch.Add(9*step)
	return []filter{
		{"among some", report.PaymentQuery{IDs: []core.ID{some.ID, newest, "unknown"}}, func(p payment.Payment) bool {
			return p.ID == some.ID || p.ID == newest
		}},
		{"among some, and of a dealer, a status and a user", report.PaymentQuery{
			Scope: core.Scope{DealerID: some.DealerID}, IDs: []core.ID{some.ID, newest}, Statuses: []payment.Status{some.Status},
			UserID: some.Customer.UserID, ProviderID: some.ProviderID,
		}, func(p payment.Payment) bool { return p.ID == some.ID }},
		{"among some, and of none of their statuses", report.PaymentQuery{
			IDs: []core.ID{some.ID}, Statuses: []payment.Status{payment.Refunded},
		}, noPayment},
		{"everything at once", report.PaymentQuery{
			Scope: core.Scope{DealerID: some.DealerID}, Methods: []payment.Method{some.Method, payment.EIBANDeposit},
			Statuses: []payment.Status{some.Status, payment.Failed}, ProviderID: some.ProviderID, SiteID: some.SiteID,
			TrackingCode: some.TrackingCode, UserID: some.Customer.UserID, CreatedFrom: some.CreatedAt.Add(-time.Hour),
			CreatedUntil: some.CreatedAt.Add(time.Hour), MinAmount: some.Amount, MaxAmount: some.Amount,
			After: newest,
		}, func(p payment.Payment) bool { return p.ID == some.ID }},
		{"dealer, provider and status", report.PaymentQuery{
			Scope: core.Scope{DealerID: 2}, ProviderID: 1, Statuses: inWork,
		}, func(p payment.Payment) bool {
			return p.DealerID == 2 && p.ProviderID == 1 && slices.Contains(inWork, p.Status)
		}},
		{"user, amounts and time", report.PaymentQuery{
			UserID: "U1", MinAmount: lira(101), MaxAmount: lira(401), CreatedFrom: from, CreatedUntil: until,
		}, func(p payment.Payment) bool {
			return p.Customer.UserID == "U1" && p.Amount.Minor() >= 101 && p.Amount.Minor() <= 401 &&
				!p.CreatedAt.Before(from) && p.CreatedAt.Before(until)
		}},
	}
}

func limitNewestFirst(w *world) {
	var change core.Changeset
	for range core.MaxPage + 2 {
		change = append(change, w.payment())
	}
	w.commit(change)
	newest := slices.Clone(core.RowsOf[payment.Payment](change))
	slices.Reverse(newest)
	for _, limit := range []int{1, 7, core.MaxPage, core.MaxPage + 1} {
		w.same(paymentIDs(newest[:limit]), paymentIDs(w.list(report.PaymentQuery{Limit: limit})))
	}
}

// pages reads a list to its end, and at most as many pages as there can be.
func (w *world) pages(query report.PaymentQuery, most int, between func()) []core.ID {
	w.t.Helper()
	var seen []core.ID
	for range most {
		page := w.list(query)
		if len(page) == 0 {
			return seen
		}
		seen = append(seen, paymentIDs(page)...)
		query.After = page[len(page)-1].ID
		between()
	}
	w.t.Fatalf("the list does not end after %d pages: %v", most, seen)
	return nil
}

func pagesCoverEverything(w *world) {
	all := population(w)
	seen := w.pages(report.PaymentQuery{Limit: 7}, len(all), func() {
		w.commit(core.Changeset{w.payment()})
	})
	w.same(paymentIDs(all), seen)
}

func filteredPages(w *world) {
	all := population(w)
	for dealer := int64(1); dealer <= 2; dealer++ {
		w.t.Run(fmt.Sprint("dealer ", dealer), func(t *testing.T) {
			w := w.in(t)
			want := slices.DeleteFunc(slices.Clone(all), func(p payment.Payment) bool { return p.DealerID != dealer })
			query := report.PaymentQuery{Scope: core.Scope{DealerID: dealer}, Limit: 5}
			w.same(paymentIDs(want), w.pages(query, len(all), func() {}))
		})
	}
}

func lateCommit(w *world) {
	early, late := w.payment(), w.payment()
	early.CreatedAt, late.CreatedAt = late.CreatedAt, early.CreatedAt
	w.commit(core.Changeset{late}, core.Changeset{early})
	w.same([]core.ID{late.ID, early.ID}, paymentIDs(w.list(report.PaymentQuery{Limit: 2})))
}
