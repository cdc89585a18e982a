package storetest

import (
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

// waited is a deposit that completed some time after it was said to be paid, by a command.
func (w *world) waited(siteID, dealerID int64, m payment.Method, said payment.Command, took time.Duration) core.Changeset {
	p := w.payment()
	p.SiteID, p.DealerID, p.Method, p.Status = siteID, dealerID, m, payment.Completed
	if siteID == 0 {
		p.ProviderID = 0
	}
	at := p.FinishedAt.Add(-took)
	first, offered, again := w.move(p.ID), w.move(p.ID), w.move(p.ID)
	first.Command, first.At = said, at
	offered.Command, offered.At = payment.Offer, at.Add(-time.Hour)
	again.Command, again.At = said, at.Add(took/2)
	return core.Changeset{p, again, first, offered}
}

// waitsOfTheLast: of a site and method, or of a dealer's own, of those that were said to be paid and have completed, since a moment and
// among the last so many.
func waitsOfTheLast(w *world) {
	site, dealer, other := w.payment().SiteID+1_000_000, w.payment().SiteID+2_000_000, w.payment().SiteID+3_000_000
	old := w.waited(site, dealer, payment.ManualDeposit, payment.ClaimPaid, time.Minute)
	w.commit(old)
	for _, change := range []core.Changeset{
		w.waited(site, dealer, payment.ManualDeposit, payment.ClaimPaid, 2*time.Minute),
		w.waited(site, dealer, payment.ManualDeposit, payment.SeeMoney, 3*time.Minute),
		w.waited(site, dealer, payment.ManualDeposit, payment.Approve, 4*time.Minute), // nobody had said so
		w.waited(site, dealer, payment.EIBANDeposit, payment.ClaimPaid, 5*time.Minute),
		w.waited(other, dealer, payment.ManualDeposit, payment.ClaimPaid, 6*time.Minute),
		w.waited(0, dealer, payment.ManualDeposit, payment.ClaimPaid, 7*time.Minute),
	} {
		w.commit(change)
	}
	expired := w.waited(site, dealer, payment.ManualDeposit, payment.ClaimPaid, 8*time.Minute)
	expired = core.Edit(expired, func(p *payment.Payment) { p.Status = payment.Canceled })
	w.commit(expired)
	is := func(q report.WaitQuery, want ...time.Duration) {
		w.t.Helper()
		got, err := w.store.LastWaits(w.ctx, q)
		w.no(err)
		w.same(want, slices.Sorted(slices.Values(got)))
	}
	all := report.WaitQuery{SiteID: site, Method: payment.ManualDeposit, Since: epoch.Add(-time.Hour), Limit: 100}
	is(all, time.Minute, 2*time.Minute, 3*time.Minute)
	is(report.WaitQuery{DealerID: dealer, Method: payment.ManualDeposit, Since: all.Since, Limit: 100}, 7*time.Minute)
	is(report.WaitQuery{SiteID: site, Method: payment.EIBANDeposit, Since: all.Since, Limit: 100}, 5*time.Minute)
	all.Limit = 4 // of all methods
	is(all, 2*time.Minute, 3*time.Minute)
	all.Limit, all.Since = 100, core.RowsOf[payment.Payment](old)[0].FinishedAt.Add(time.Microsecond)
	is(all, 2*time.Minute, 3*time.Minute)
	all.Since = epoch.AddDate(1, 0, 0)
	is(all)
}
