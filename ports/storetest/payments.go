package storetest

import (
	"strings"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
)

func noNULs(w *world) {
	p := w.payment()
	p.Reason = "a\x00b"
	w.commit(core.Changeset{p})
	_, err := w.store.PaymentByTrackingCode(w.ctx, p.TrackingCode+"\x00")
	w.fails(fault.NotFound, err)
	p.Reason = "a\uFFFDb"
	w.isStored(p)
}

// foundByToken looks for payments by their tokens, with the time in them and without.
func foundByToken(w *world) {
	for _, token := range []string{"0123456789ABCDEFGHJKMNPQRSTVWXYZ", "01M8H7P4" + "0123456789ABCDEFGHJKMNPQRSTVWXYZ"} {
		foundByOneToken(w, token)
	}
}

// foundByOneToken looks for a payment by its token, by what is nearly that, by its fingerprint, which is all that is stored, and by
// none. What finds the payment otherwise does not bring the token back.
func foundByOneToken(w *world, token string) {
	p, withdrawal := w.payment(), w.payment()
	p.Token, p.TokenFingerprint, withdrawal.TokenFingerprint = token, core.PageTokenFingerprint(token), ""
	w.commit(core.Changeset{p, withdrawal})
	w.same(p, read(w, w.store.PaymentByToken, token))
	for _, other := range []string{
		token + " ", token[1:], token[:len(token)-1] + "0", "\xff" + token[1:], strings.ToLower(token), token + "\x00", "%", p.TokenFingerprint,
		strings.ToUpper(p.TokenFingerprint), withdrawal.TrackingCode, "",
	} {
		_, err := w.store.PaymentByToken(w.ctx, other)
		w.fails(fault.NotFound, err)
	}
	p.Version, p.Token = 2, "another"
	w.commit(core.Changeset{p})
	p.Token = ""
	w.same(p, read(w, w.store.PaymentByID, p.ID))
	p.Token = token
	w.same(p, read(w, w.store.PaymentByToken, token))
}

func onlyOpenExpire(w *world) {
	var due []payment.Payment
	for _, status := range payment.Statuses() {
		p := w.showing(epoch)
		p.Status = status
		atGate := w.showing(epoch)
		atGate.Status, atGate.Gateway.OperationID = status, atGate.ID
		w.commit(core.Changeset{p, atGate})
		if status == payment.Showing || status == payment.Pending {
			due = append(due, p)
		}
	}
	w.commit(core.Changeset{w.showing(time.Time{})}) // never expires
	w.same(due, w.duePayments(epoch.AddDate(10, 0, 0), 100))
	due[0].Version, due[0].Gateway.OperationID = 2, due[0].ID
	due[1].Version, due[1].Reason = 2, "still due"
	w.commit(core.Rows(due))
	w.same(due[1:], w.duePayments(epoch, 100))
}

func dueInPages(w *world) {
	var due []payment.Payment
	for _, at := range []time.Time{epoch.Add(-time.Hour), epoch.Add(-time.Minute), epoch.Add(-time.Minute), epoch, epoch, epoch} {
		due = append(due, w.showing(at))
		w.commit(core.Rows(due[len(due)-1:]))
	}
	inPages(w, due, func(now time.Time, after core.DueCursor, limit int) (core.DuePage[payment.Payment], error) {
		return w.store.DuePayments(w.ctx, now, after, limit)
	})
}

// foundByReference looks for the newest payment of an owner that has a reference: no other owner finds it, whatever its id.
func foundByReference(w *world) {
	const reference = "order-4711"
	of := func(providerID, dealerID int64, reference string) payment.Payment {
		p := w.payment()
		p.ProviderID, p.DealerID, p.Reference = providerID, dealerID, reference
		return p
	}
	older, newer, other := of(7, 9, reference), of(7, 8, reference), of(7, 9, reference+"1")
	elsewhere, dealers := of(9, 7, reference), of(0, 7, reference)
	w.commit(core.Changeset{newer, other, elsewhere, dealers, older})
	found := func(o payment.ReferenceOwner, reference string) core.ID {
		p, err := w.store.PaymentByReference(w.ctx, o, reference)
		if err != nil {
			w.fails(fault.NotFound, err)
		}
		return p.ID
	}
	w.same(max(older.ID, newer.ID), found(payment.ReferenceOwner{ProviderID: 7}, reference))
	w.same(other.ID, found(payment.ReferenceOwner{ProviderID: 7}, other.Reference))
	w.same(elsewhere.ID, found(payment.ReferenceOwner{ProviderID: 9}, reference))
	w.same(dealers.ID, found(payment.ReferenceOwner{DealerID: 7}, reference))
	for _, o := range []payment.ReferenceOwner{{ProviderID: 8}, {DealerID: 8}, {DealerID: 9}, {}} {
		w.same(core.ID(""), found(o, reference))
	}
	for _, none := range []string{"", "%", "order-4711 ", "ORDER-4711", "order-4711\x00", elsewhere.TrackingCode} {
		w.same(core.ID(""), found(payment.ReferenceOwner{ProviderID: 7}, none))
	}
}
