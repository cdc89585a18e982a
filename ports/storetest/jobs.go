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
		{"jobs come newest first, and only those asked for", jobsListed},
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

func (w *world) listJobs(query report.JobQuery) []core.ID {
	w.t.Helper()
	found, err := w.store.ListJobs(w.ctx, query)
	w.no(err)
	return idsOf(found, func(j report.Job) core.ID { return j.ID })
}

// claimJobs leases for a minute.
func (w *world) claimJobs(now time.Time, limit int) []report.Job {
	w.t.Helper()
	found, err := w.store.ClaimJobs(w.ctx, now, now.Add(time.Minute), limit)
	w.no(err)
	return found
}

func jobsListed(w *world) {
	var ids []core.ID
	for i := range 6 {
		j := w.job()
		j.StaffID, j.Kind, j.State = int64(1+i%2), report.JobKinds()[i/3], report.JobStates()[i%5]
		w.commit(core.Changeset{j})
		ids = append(ids, j.ID)
	}
	for _, c := range []struct {
		query report.JobQuery
		want  []core.ID
	}{
		{report.JobQuery{Limit: 10}, []core.ID{ids[5], ids[4], ids[3], ids[2], ids[1], ids[0]}},
		{report.JobQuery{Limit: 2}, []core.ID{ids[5], ids[4]}},
		{report.JobQuery{Limit: 2, After: ids[4]}, []core.ID{ids[3], ids[2]}},
		{report.JobQuery{Limit: 10, StaffID: 1}, []core.ID{ids[4], ids[2], ids[0]}},
		{report.JobQuery{Limit: 10, Kinds: []report.JobKind{report.ExportJob}}, []core.ID{ids[5], ids[4], ids[3]}},
		{report.JobQuery{Limit: 10, States: []report.JobState{report.JobQueued, report.JobDone}}, []core.ID{ids[5], ids[2], ids[0]}},
		{report.JobQuery{Limit: 10, StaffID: 2, Kinds: []report.JobKind{report.ResendJob}, After: ids[3]}, []core.ID{ids[1]}},
		{report.JobQuery{Limit: 10, StaffID: 3}, nil},
		{report.JobQuery{}, nil},
	} {
		w.same(append([]core.ID{}, c.want...), w.listJobs(c.query))
	}
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
