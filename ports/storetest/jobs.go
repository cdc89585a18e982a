package storetest

import (
	"fmt"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/report"
)

func jobsOfScope(w *world) {
	var all []report.Job
	for _, scope := range []core.Scope{{}, {DealerID: 700_001}, {DealerID: 700_002}, {ProviderID: 700_001}} {
		j := w.job()
		j.StaffID, j.Scope = 700_003, scope
		all = append(all, j)
	}
	w.commit(core.Rows(all))
	for scope, want := range map[core.Scope][]report.Job{
		{}:                    {all[3], all[2], all[1], all[0]},
		{DealerID: 700_001}:   {all[1]},
		{ProviderID: 700_001}: {all[3]},
		{DealerID: 700_004}:   nil,
	} {
		q := report.JobQuery{StaffID: 700_003, Scope: scope, Paging: core.Paging[core.ID]{Limit: 10}}
		w.same(want, read(w, w.store.ListJobs, q))
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
		n, err := w.store.Prune(w.ctx, core.ExportFiles, epoch.Add(time.Microsecond), 3)
		w.no(err)
		w.same(want, n)
	}
	for _, c := range core.RowsOf[report.JobChunk](change) {
		if c.JobID == old.ID {
			w.nothingThere(c)
		} else {
			w.isStored(c)
		}
	}
	w.isStored(old)
}
