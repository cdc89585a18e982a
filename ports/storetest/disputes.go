package storetest

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/dispute"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
)

// disputed is a payment's next version with a row of a dispute that changes its credit.
func (w *world) disputed(p payment.Payment, d dispute.Dispute, version, number int, by int64) (payment.Payment, core.Changeset) {
	p, change := w.corrected(p, version, number, by)
	return p, core.Edit(change, func(k *payment.Credit) { k.Source, k.DisputeID = payment.CreditOfDispute, d.ID })
}

func disputesCredit(w *world) {
	p := w.shown(payment.BankDeposit)
	change := completion(p, w.ofOperation(p, w.broughtBy(p), 25_000))
	w.commit(change)
	p = core.RowsOf[payment.Payment](change)[0]
	d := w.dispute(p.ID)
	_, unknown := w.disputed(p, d, 3, 2, -1)
	w.refused(fault.Uncredited, unknown)
	w.commit(core.Changeset{d, w.dispute("of another payment")})
	_, nameless := w.disputed(p, dispute.Dispute{}, 3, 2, -1)
	w.refused(fault.Uncredited, nameless)
	_, given := w.disputed(p, d, 3, 2, 1)
	w.refused(fault.Uncredited, given) // nothing was taken
	d.Version, d.Taken = 2, lira(10_000)
	p, taken := w.disputed(p, d, 3, 2, -10_000)
	w.commit(append(taken, d))
	w.same([]payment.CreditBreachKind(nil), w.breachesOf(p))
	_, more := w.disputed(p, d, 4, 3, 10_001)
	w.refused(fault.Uncredited, more)
	d.Version, d.Returned = 3, lira(4_000)
	p, back := w.disputed(p, d, 4, 3, 4_000)
	w.commit(append(back, d))
	w.same([]payment.CreditBreachKind(nil), w.breachesOf(p))
	kept := core.RowsOf[payment.Credit](append(taken, back...))
	w.same(kept, each(w, w.store.CreditsOf, p.Key(), payment.Key{ID: "none"})[1:])
	d.Version, d.Returned = 4, lira(5_000) // which no credit says
	d.TrackingCode = p.TrackingCode
	w.commit(core.Changeset{d})
	w.same([]payment.CreditBreachKind{payment.CreditedBeyondDispute}, w.breachesOf(p))
}

// disputesOnce: a gateway account has one dispute of a name, and another account may have one, too.
func disputesOnce(w *world) {
	d, again, elsewhere := w.dispute(w.payment().ID), w.dispute(w.payment().ID), w.dispute(w.payment().ID)
	again.GatewayID, again.ExternalID, elsewhere.ExternalID = d.GatewayID, d.ExternalID, d.ExternalID
	w.commit(core.Changeset{d, elsewhere})
	w.refused(fault.Conflict, core.Changeset{again})
	found, err := w.store.DisputeNamed(w.ctx, d.GatewayID, d.ExternalID)
	w.no(err)
	w.same(d, found)
	_, err = w.store.DisputeNamed(w.ctx, d.GatewayID+1000, d.ExternalID)
	w.fails(fault.NotFound, err)
}

func disputeGatewaysWithWork(w *world) {
	due, later, leased, never := w.dueDispute(7, epoch), w.dueDispute(8, epoch.Add(time.Second)), w.dueDispute(9, epoch), w.dueDispute(10, time.Time{})
	leased.LeaseUntil = epoch.Add(time.Microsecond)
	listing, listed := w.dueListing(5, epoch), w.dueListing(6, epoch.Add(time.Second))
	both := w.dueListing(7, epoch)
	w.commit(core.Changeset{due, later, leased, never, listing, listed, both})
	ids, err := w.store.DueDisputeGateways(w.ctx, epoch)
	w.no(err)
	w.same([]int64{5, 7}, ids)
	claimed, err := w.store.ClaimDisputeListings(w.ctx, 5, epoch, epoch.Add(time.Minute), 1)
	w.no(err)
	listing.Version, listing.LeaseUntil = 2, epoch.Add(time.Minute)
	w.same([]dispute.Listing{listing}, claimed)
	claimed, err = w.store.ClaimDisputeListings(w.ctx, 5, epoch, epoch.Add(time.Minute), 1)
	w.no(err)
	w.same(0, len(claimed))
	claimed, err = w.store.ClaimDisputeListings(w.ctx, 6, epoch, epoch.Add(time.Minute), 1)
	w.no(err)
	w.same(0, len(claimed))
}

func disputesByDeadline(w *world) {
	var all []dispute.Dispute
	for i := range 9 { // every third at the same moment
		d := w.dispute("P")
		d.DealerID, d.ProviderID, d.State, d.EvidenceDue = int64(i%2+1), 11, gateway.DisputeNeedsResponse, epoch.Add(time.Duration(i/3)*time.Hour)
		all = append(all, d)
	}
	over := w.dispute("P")
	over.EvidenceDue = time.Time{}
	w.commit(core.Rows(all[4:]), core.Changeset{over}, core.Rows(all[:4]))
	place := func(d dispute.Dispute) core.DueCursor { return core.DueCursor{At: d.EvidenceDue, ID: d.ID} }
	page := func(q dispute.Query, p core.Paging[core.DueCursor]) []dispute.Dispute {
		w.t.Helper()
		found, err := w.store.DisputesByDeadline(w.ctx, q, p)
		w.no(err)
		return found
	}
	w.same(all, page(dispute.Query{}, core.Paging[core.DueCursor]{Limit: 20}))
	w.same(all[4:6], page(dispute.Query{}, core.Paging[core.DueCursor]{After: place(all[3]), Limit: 2}))
	w.same(all[2:4], page(dispute.Query{}, core.Paging[core.DueCursor]{Before: place(all[4]), IsLast: true, Limit: 2}))
	w.same([]dispute.Dispute{all[1], all[3]}, page(dispute.Query{Scope: core.Scope{DealerID: 2}}, core.Paging[core.DueCursor]{Limit: 2}))
	w.same(0, len(page(dispute.Query{States: []gateway.DisputeState{gateway.DisputeWon}}, core.Paging[core.DueCursor]{Limit: 2})))
	w.same(0, len(page(dispute.Query{}, core.Paging[core.DueCursor]{})))
}
