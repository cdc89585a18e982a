package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
)

func listSentences() []sentence {
	return []sentence{
		{"an empty list is no fault", func(w *world) { w.same(0, len(w.list(core.PaymentQuery{Limit: core.MaxPage}))) }},
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
func population(w *world) []core.Payment {
	var all []core.Payment
	for i := range 48 {
		p := w.payment()
		p.Method, p.Status = core.Methods()[i%4], core.Statuses()[i%7]
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
	query core.PaymentQuery
	keeps func(p core.Payment) bool
}

func filters(w *world) {
	all := population(w)
	some := all[22]
	for _, f := range slices.Concat(wordFilters(some), rangeFilters(some), jointFilters(some, all[0].ID)) {
		w.t.Run(f.says, func(t *testing.T) {
			w := w.in(t)
			f.query.Limit = core.MaxPage
			want := slices.DeleteFunc(slices.Clone(all), func(p core.Payment) bool { return !f.keeps(p) })
			w.same(want, w.list(f.query))
		})
	}
}

func everyPayment(core.Payment) bool { return true }

func noPayment(core.Payment) bool { return false }

func wordFilters(some core.Payment) []filter {
	return []filter{
		{"nothing", core.PaymentQuery{}, everyPayment},
		{"scope", core.PaymentQuery{Scope: core.Scope{DealerID: 2}}, func(p core.Payment) bool { return p.DealerID == 2 }},
		{"scope of a provider", core.PaymentQuery{Scope: core.Scope{ProviderID: 3}}, func(p core.Payment) bool { return p.ProviderID == 3 }},
		{"scope of a provider that asks for another", core.PaymentQuery{Scope: core.Scope{ProviderID: 3}, ProviderID: 2}, noPayment},
		{"scope of a provider, two statuses", core.PaymentQuery{
			Scope: core.Scope{ProviderID: 2}, Statuses: []core.Status{core.Showing, core.Rejected},
		}, func(p core.Payment) bool {
			return p.ProviderID == 2 && (p.Status == core.Showing || p.Status == core.Rejected)
		}},
		{"scope of no provider", core.PaymentQuery{Scope: core.Scope{ProviderID: -1}}, noPayment},
		{"scope of nobody", core.PaymentQuery{Scope: core.Scope{DealerID: -1}}, noPayment},
		{"one method", core.PaymentQuery{Methods: []core.Method{core.EIBANDeposit}}, func(p core.Payment) bool {
			return p.Method == core.EIBANDeposit
		}},
		{"two methods", core.PaymentQuery{Methods: []core.Method{core.ManualDeposit, core.EIBANWithdrawal}},
			func(p core.Payment) bool { return p.Method == core.ManualDeposit || p.Method == core.EIBANWithdrawal }},
		{"one status", core.PaymentQuery{Statuses: []core.Status{core.Expired}}, func(p core.Payment) bool {
			return p.Status == core.Expired
		}},
		{"two statuses", core.PaymentQuery{Statuses: []core.Status{core.Showing, core.Rejected}},
			func(p core.Payment) bool { return p.Status == core.Showing || p.Status == core.Rejected }},
		{"a status that none has", core.PaymentQuery{Statuses: []core.Status{core.Failed}}, noPayment},
		{"provider", core.PaymentQuery{ProviderID: 3}, func(p core.Payment) bool { return p.ProviderID == 3 }},
		{"site", core.PaymentQuery{SiteID: 4}, func(p core.Payment) bool { return p.SiteID == 4 }},
		{"tracking code", core.PaymentQuery{TrackingCode: some.TrackingCode}, func(p core.Payment) bool {
			return p.ID == some.ID
		}},
		{"unknown tracking code", core.PaymentQuery{TrackingCode: "%"}, noPayment},
		{"user id", core.PaymentQuery{UserID: "u1"}, func(p core.Payment) bool { return p.Customer.UserID == "u1" }},
		{"user id with a quote", core.PaymentQuery{UserID: "ü'1"}, func(p core.Payment) bool {
			return p.Customer.UserID == "ü'1"
		}},
	}
}

func rangeFilters(some core.Payment) []filter {
	at := some.CreatedAt
	return []filter{
		{"created from, included", core.PaymentQuery{CreatedFrom: at}, func(p core.Payment) bool {
			return !p.CreatedAt.Before(at)
		}},
		{"created until, excluded", core.PaymentQuery{CreatedUntil: at}, func(p core.Payment) bool {
			return p.CreatedAt.Before(at)
		}},
		{"a moment", core.PaymentQuery{CreatedFrom: at, CreatedUntil: at.Add(time.Microsecond)},
			func(p core.Payment) bool { return p.CreatedAt.Equal(at) }},
		{"least amount, included", core.PaymentQuery{MinAmount: lira(301)}, func(p core.Payment) bool {
			return p.Amount.Minor() >= 301
		}},
		{"greatest amount, included", core.PaymentQuery{MaxAmount: lira(201)}, func(p core.Payment) bool {
			return p.Amount.Minor() <= 201
		}},
		{"one amount", core.PaymentQuery{MinAmount: lira(401), MaxAmount: lira(401)}, func(p core.Payment) bool {
			return p.Amount.Minor() == 401
		}},
		{"older than one", core.PaymentQuery{After: some.ID}, func(p core.Payment) bool { return p.ID < some.ID }},
	}
}

func jointFilters(some core.Payment, newest core.ID) []filter {
	inWork := []core.Status{core.Pending, core.Processing, core.Canceled}
	from, until := epoch.Add(2*step), epoch.Add(9*step)
	return []filter{
		{"among some", core.PaymentQuery{IDs: []core.ID{some.ID, newest, "unknown"}}, func(p core.Payment) bool {
			return p.ID == some.ID || p.ID == newest
		}},
		{"among some, and of a dealer, a status and a user", core.PaymentQuery{
			Scope: core.Scope{DealerID: some.DealerID}, IDs: []core.ID{some.ID, newest}, Statuses: []core.Status{some.Status},
			UserID: some.Customer.UserID, ProviderID: some.ProviderID,
		}, func(p core.Payment) bool { return p.ID == some.ID }},
		{"among some, and of none of their statuses", core.PaymentQuery{
			IDs: []core.ID{some.ID}, Statuses: []core.Status{core.Refunded},
		}, noPayment},
		{"everything at once", core.PaymentQuery{
			Scope: core.Scope{DealerID: some.DealerID}, Methods: []core.Method{some.Method, core.EIBANDeposit},
			Statuses: []core.Status{some.Status, core.Failed}, ProviderID: some.ProviderID, SiteID: some.SiteID,
			TrackingCode: some.TrackingCode, UserID: some.Customer.UserID, CreatedFrom: some.CreatedAt.Add(-time.Hour),
			CreatedUntil: some.CreatedAt.Add(time.Hour), MinAmount: some.Amount, MaxAmount: some.Amount,
			After: newest,
		}, func(p core.Payment) bool { return p.ID == some.ID }},
		{"dealer, provider and status", core.PaymentQuery{
			Scope: core.Scope{DealerID: 2}, ProviderID: 1, Statuses: inWork,
		}, func(p core.Payment) bool {
			return p.DealerID == 2 && p.ProviderID == 1 && slices.Contains(inWork, p.Status)
		}},
		{"user, amounts and time", core.PaymentQuery{
			UserID: "U1", MinAmount: lira(101), MaxAmount: lira(401), CreatedFrom: from, CreatedUntil: until,
		}, func(p core.Payment) bool {
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
	newest := slices.Clone(core.RowsOf[core.Payment](change))
	slices.Reverse(newest)
	for _, limit := range []int{1, 7, core.MaxPage, core.MaxPage + 1} {
		w.same(paymentIDs(newest[:limit]), paymentIDs(w.list(core.PaymentQuery{Limit: limit})))
	}
}

// pages reads a list to its end, and at most as many pages as there can be.
func (w *world) pages(query core.PaymentQuery, most int, between func()) []core.ID {
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
	seen := w.pages(core.PaymentQuery{Limit: 7}, len(all), func() {
		w.commit(core.Changeset{w.payment()})
	})
	w.same(paymentIDs(all), seen)
}

func filteredPages(w *world) {
	all := population(w)
	for dealer := int64(1); dealer <= 2; dealer++ {
		w.t.Run(fmt.Sprint("dealer ", dealer), func(t *testing.T) {
			w := w.in(t)
			want := slices.DeleteFunc(slices.Clone(all), func(p core.Payment) bool { return p.DealerID != dealer })
			query := core.PaymentQuery{Scope: core.Scope{DealerID: dealer}, Limit: 5}
			w.same(paymentIDs(want), w.pages(query, len(all), func() {}))
		})
	}
}

func lateCommit(w *world) {
	early, late := w.payment(), w.payment()
	early.CreatedAt, late.CreatedAt = late.CreatedAt, early.CreatedAt
	w.commit(core.Changeset{late}, core.Changeset{early})
	w.same([]core.ID{late.ID, early.ID}, paymentIDs(w.list(core.PaymentQuery{Limit: 2})))
}
