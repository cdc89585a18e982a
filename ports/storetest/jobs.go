package storetest

import (
	"fmt"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

func jobSentences() []sentence {
	return []sentence{
		{"files are forgotten some time after their job is over", filesForgotten},
		{"a callback is found by its id", callbackFound},
		{"the callbacks of several payments come together, by payment and number", callbacksTogether},
	}
}

func (w *world) jobOf(id core.ID) report.Job {
	w.t.Helper()
	j, err := w.store.Job(w.ctx, id)
	w.no(err)
	return j
}

// claimJobs leases for a minute.
func (w *world) claimJobs(now time.Time, limit int) []report.Job {
	w.t.Helper()
	found, err := w.store.ClaimJobs(w.ctx, now, now.Add(time.Minute), limit)
	w.no(err)
	return found
}

func filesForgotten(w *world) {
	old, fresh, running := w.job(), w.job(), w.job()
	old.FinishedAt, fresh.FinishedAt, running.FinishedAt = epoch, epoch.Add(time.Microsecond), time.Time{}
	change := core.Changeset{old, fresh, running}
	for _, j := range core.RowsOf[report.Job](change) {
		for number := range 5 {
			change = append(change, report.JobChunk{JobID: j.ID, Number: number + 1, Bytes: []byte(fmt.Sprint(number))})
		}
	}
	w.commit(change)
	for _, want := range []int{3, 2, 0} {
		n, err := w.store.ForgetFiles(w.ctx, epoch.Add(time.Microsecond), 3)
		w.no(err)
		w.same(want, n)
	}
	for _, c := range core.RowsOf[report.JobChunk](change) {
		_, err := w.store.JobChunk(w.ctx, c.JobID, c.Number)
		if c.JobID == old.ID {
			w.fails(fault.NotFound, err)
		} else {
			w.no(err)
		}
	}
	w.same(old, w.jobOf(old.ID))
}

func callbackFound(w *world) {
	c := w.callback(w.payment().ID, receiver)
	w.commit(core.Changeset{w.callback(c.PaymentID, receiver), c})
	got, err := w.store.Callback(w.ctx, c.ID)
	w.no(err)
	w.same(c, got)
	_, err = w.store.Callback(w.ctx, c.PaymentID)
	w.fails(fault.NotFound, err)
}

func callbacksTogether(w *world) {
	one, two, other := w.payment().ID, w.payment().ID, w.payment().ID
	a, b, c := w.callback(one, "b"), w.callback(two, "c"), w.callback(one, "a")
	w.commit(core.Changeset{c, b, w.callback(other, "a"), a})
	got, err := w.store.CallbacksOf(w.ctx, two, one, w.payment().ID)
	w.no(err)
	w.same([]payment.Callback{a, c, b}, got)
	got, err = w.store.CallbacksOf(w.ctx)
	w.no(err)
	w.same(0, len(got))
}
