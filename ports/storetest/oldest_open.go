package storetest

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

// theOldestOfEachIsTold: for every method and status one that is younger is not, and one that has ended is not either.
func theOldestOfEachIsTold(w *world) {
	none, err := w.store.OldestOpen(w.ctx)
	w.no(err)
	w.same(0, len(none))
	var want []report.OldestOpen
	at := epoch
	for _, method := range payment.Methods() {
		for _, status := range payment.Statuses() {
			for i := range 2 {
				p := w.payment()
				at = at.Add(time.Second)
				p.Method, p.Status, p.CreatedAt, p.FinishedAt = method, status, at, time.Time{}
				if status.IsFinal() {
					p.FinishedAt = at
				}
				w.commit(core.Changeset{p})
				if i == 0 && !status.IsFinal() {
					want = append(want, report.OldestOpen{Method: method, Status: status, CreatedAt: at})
				}
			}
		}
	}
	got, err := w.store.OldestOpen(w.ctx)
	w.no(err)
	w.same(want, got)
}
