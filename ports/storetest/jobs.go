package storetest

import (
	"fmt"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/report"
)

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
