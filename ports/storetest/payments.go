package storetest

import (
	"strings"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/sign"
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

// foundByToken looks for a payment by its token, by what is nearly that, by its fingerprint, which is all that is stored, and by
// none. What finds the payment otherwise does not bring the token back.
func foundByToken(w *world) {
	p, withdrawal := w.payment(), w.payment()
	const token = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	p.Token, p.TokenFingerprint, withdrawal.TokenFingerprint = token, sign.Fingerprint(token), ""
	w.commit(core.Changeset{p, withdrawal})
	w.same(p, read(w, w.store.PaymentByToken, token))
	for _, other := range []string{
		token + " ", token[1:], strings.ToLower(token), token + "\x00", "%", p.TokenFingerprint, withdrawal.TrackingCode, "",
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
