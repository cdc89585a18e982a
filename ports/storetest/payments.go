package storetest

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
)

func paymentSentences() []sentence {
	return []sentence{
		{"a text has U+FFFD for a NUL, and what is asked for with a NUL is not found", noNULs},
		{"what nobody created is not found", unknownPayment},
		{"a tracking code is no token and a token no tracking code", codesAndTokens},
		{"moves are one payment's, oldest first", movesInOrder},
		{"payments are due from the moment of their expiry", dueFromExpiry},
		{"only showing and pending payments that no gateway works on expire by the clock", onlyOpenExpire},
		{"the longest overdue payments come first", overdueFirst},
		{"what is due comes page by page, each payment once, also those due at one moment", dueInPages},
	}
}

func noNULs(w *world) {
	p := w.payment()
	p.Reason = "a\x00b"
	w.commit(core.Changeset{p})
	_, err := w.store.PaymentByToken(w.ctx, p.Token+"\x00")
	w.fails(fault.NotFound, err)
	p.Reason = "a\uFFFDb"
	w.same(p, w.byCode(p.TrackingCode))
}

func unknownPayment(w *world) {
	w.commit(core.Changeset{w.barePayment()})
	for _, text := range []string{"", "MAN-0000000000000000", awkward, longName} {
		_, err := w.store.PaymentByTrackingCode(w.ctx, text)
		w.fails(fault.NotFound, err)
		_, err = w.store.PaymentByToken(w.ctx, text)
		w.fails(fault.NotFound, err)
	}
	nobody := w.payment().ID
	if n := len(w.moves(nobody)) + len(w.callbacksOf(nobody)) + len(each(w, w.store.CallbackLogs, nobody)); n > 0 {
		w.t.Fatalf("%d rows of a payment that does not exist", n)
	}
}

func codesAndTokens(w *world) {
	p := w.payment()
	w.commit(core.Changeset{p})
	_, err := w.store.PaymentByToken(w.ctx, p.TrackingCode)
	w.fails(fault.NotFound, err)
	_, err = w.store.PaymentByTrackingCode(w.ctx, p.Token)
	w.fails(fault.NotFound, err)
	other := w.payment()
	other.Token = p.TrackingCode
	w.commit(core.Changeset{other})
	w.same(p, w.byCode(p.TrackingCode))
}

// movesInOrder commits the later half first; two moves of one decision have the same moment.
func movesInOrder(w *world) {
	p, other := w.payment(), w.payment()
	var moves []payment.Move
	for range 6 {
		m := w.move(p.ID)
		moves = append(moves, m)
		w.commit(core.Changeset{w.move(other.ID)})
	}
	moves[3].At = moves[2].At
	w.commit(
		core.Rows(moves[3:]),
		core.Changeset{moves[2], moves[0], moves[1]},
	)
	w.same(moves, w.moves(p.ID))
}

func dueFromExpiry(w *world) {
	p := w.showing(epoch)
	w.commit(core.Changeset{p})
	w.same([]payment.Payment(nil), w.duePayments(epoch.Add(-time.Microsecond), 10))
	w.same([]payment.Payment{p}, w.duePayments(epoch, 10))
	w.same([]payment.Payment{p}, w.duePayments(epoch.Add(time.Hour), 10))
}

func onlyOpenExpire(w *world) {
	var due []payment.Payment
	for _, status := range payment.Statuses() {
		p := w.showing(epoch)
		p.Status = status
		atGate := w.showing(epoch)
		atGate.Status, atGate.AtGate.OperationID = status, atGate.ID
		w.commit(core.Changeset{p, atGate})
		if status == payment.Showing || status == payment.Pending {
			due = append(due, p)
		}
	}
	w.commit(core.Changeset{w.showing(time.Time{})}) // never expires
	w.same(due, w.duePayments(epoch.AddDate(10, 0, 0), 100))
	due[0].Version, due[0].AtGate.OperationID = 2, due[0].ID
	due[1].Version, due[1].Reason = 2, "still due"
	w.commit(core.Rows(due))
	w.same(due[1:], w.duePayments(epoch, 100))
}

func overdueFirst(w *world) {
	minutes := []int{7, 3, 9, 1, 5}
	for _, m := range minutes {
		w.commit(core.Changeset{w.showing(epoch.Add(time.Duration(m) * time.Minute))})
	}
	due := w.duePayments(epoch.Add(8*time.Minute), 3)
	if len(due) != 3 {
		w.t.Fatalf("%d payments, want the limit of 3", len(due))
	}
	for i, m := range []int{1, 3, 5} {
		if want := epoch.Add(time.Duration(m) * time.Minute); !due[i].ExpiresAt.Equal(want) {
			w.t.Fatalf("number %d expired at %s, want %s", i, due[i].ExpiresAt, want)
		}
	}
	w.same(4, len(w.duePayments(epoch.Add(8*time.Minute), 100)))
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
