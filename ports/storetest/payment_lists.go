package storetest

import (
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

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
		p.Amount, p.RequestedAmount = lira(int64(100*(i%6))+1), lira(1)
		p.CreatedAt = epoch.Add(time.Duration(i/4) * step)
		all = append(all, p)
	}
	w.commit(core.Rows(all))
	slices.Reverse(all)
	return all
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
		query.After.ID = page[len(page)-1].ID
		between()
	}
	w.t.Fatalf("the list does not end after %d pages: %v", most, seen)
	return nil
}

func pagesCoverEverything(w *world) {
	all := population(w)
	seen := w.pages(report.PaymentQuery{Paging: core.Paging[report.Cursor]{Limit: 7}}, len(all), func() {
		w.commit(core.Changeset{w.payment()})
	})
	w.same(paymentIDs(all), seen)
}

func lateCommit(w *world) {
	early, late := w.payment(), w.payment()
	early.CreatedAt, late.CreatedAt = late.CreatedAt, early.CreatedAt
	w.commit(core.Changeset{late}, core.Changeset{early})
	w.same([]core.ID{late.ID, early.ID}, paymentIDs(w.list(report.PaymentQuery{Paging: core.Paging[report.Cursor]{Limit: 2}})))
}
