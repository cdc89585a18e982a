package storetest

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

func jobSentences() []sentence {
	return []sentence{
		{"every field of a job comes back", everyJobField},
		{"saving a job replaces every field", jobSavedWhole},
		{"every kind and state of a job comes back", everyJobWord},
		{"jobs come newest first, and only those asked for", jobsListed},
		{"claiming a job raises its version, sets its lease and changes nothing else", jobClaimed},
		{"only due jobs without a lease are claimed, the earliest first", dueJobs},
		{"concurrent claimers of jobs get each once", jobsClaimedOnce},
		{"the step of a lost lease is a conflict and leaves nothing", lostJob},
		{"the chunks of a file come back byte by byte", chunksComeBack},
		{"a chunk is written once", chunkOnce},
		{"files are forgotten some time after their job is over", filesForgotten},
		{"a callback is found by its id", callbackFound},
		{"the callbacks of several payments come together, by payment and number", callbacksTogether},
	}
}

func (m *maker) job() report.Job {
	id, n, at := m.next()
	query := report.PaymentQuery{
		Scope: core.Scope{DealerID: n, ProviderID: n}, Methods: []payment.Method{payment.CreditCard}, Statuses: []payment.Status{payment.Failed},
		ProviderID: n + 1, SiteID: n + 2, TrackingCode: awkward, UserID: awkward, CreatedFrom: at, CreatedUntil: at.Add(time.Hour),
		MinAmount: lira(n), MaxAmount: lira(n + 1), After: id, Limit: 7,
		GatewayID: n + 3, OrderID: awkward, Name: awkward, IBAN: awkward, Reference: awkward, Text: awkward,
		UpdatedFrom: at, UpdatedUntil: at.Add(2 * time.Hour), FinishedFrom: at, FinishedUntil: at.Add(3 * time.Hour),
		Sort: report.OldestFirst, AfterKey: n, MaxLooked: 9, IDs: []core.ID{id},
	}
	return report.Job{
		ID: id, Version: 1, State: report.JobQueued, By: actor(n), StaffID: n,
		JobOrder: report.JobOrder{
			Kind: report.ExportJob, Filter: query, Codes: []string{awkward, "MAN-1"}, States: []payment.CallbackState{payment.Skipped},
			Format: report.XLSX, Columns: report.ExportColumns(), Language: "tr", HasBOM: true, Count: 8, IsCounted: true,
		},
		JobProgress: report.JobProgress{
			Cursor: id, Looked: 9, Done: 10, Skipped: 11, Failed: 12,
			Skips:    []report.JobSkip{{Reason: report.SkippedRefunded, Count: 11}},
			Failures: []report.JobFailure{{TrackingCode: awkward, Code: fault.NotFound}},
			Totals: []report.ExportTotal{{
				Method: payment.CreditCard, Status: payment.Success, Count: 13, Requested: lira(n), Amount: lira(n + 1),
			}},
			File: report.FileState{Bytes: 1 << 40, Rows: 14, Entries: []report.FileEntry{
				{Name: awkward, Offset: 1 << 33, CRC: 1<<32 - 1, Packed: 15, Size: 16},
			}},
			Chunks: 17,
		},
		Tries: 18, NextAt: at.Add(time.Minute), LeaseUntil: at.Add(-time.Minute), CreatedAt: at, StartedAt: at.Add(time.Second),
		FinishedAt: at.Add(2 * time.Second), Error: awkward,
		Ticket: report.JobTicket{Fingerprint: awkward, Session: longName, Until: at.Add(3 * time.Second)},
	}
}

// dueJob has nothing but a time at which it is due.
func (m *maker) dueJob(at time.Time) report.Job {
	id, n, made := m.next()
	return report.Job{
		ID: id, Version: 1, State: report.JobQueued, StaffID: n, NextAt: at, CreatedAt: made, JobOrder: report.JobOrder{Kind: report.ResendJob},
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

func everyJobField(w *world) {
	j := full(w, w.job())
	w.commit(core.Changeset{w.job(), j, w.job()})
	w.same(j, w.jobOf(j.ID))
	_, err := w.store.Job(w.ctx, w.payment().ID)
	w.fails(fault.NotFound, err)
}

func jobSavedWhole(w *world) {
	filled, bare := w.job(), w.dueJob(time.Time{})
	bare.ID, bare.Version = filled.ID, 2
	w.commit(core.Changeset{filled}, core.Changeset{bare})
	w.same(bare, w.jobOf(bare.ID))
	filled.Version = 3
	w.commit(core.Changeset{filled})
	w.same(filled, w.jobOf(filled.ID))
}

func everyJobWord(w *world) {
	for _, kind := range report.JobKinds() {
		for _, state := range report.JobStates() {
			j := w.job()
			j.Kind, j.State = kind, state
			w.commit(core.Changeset{j})
			w.same(j, w.jobOf(j.ID))
		}
	}
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

func jobClaimed(w *world) {
	j := w.job()
	w.commit(core.Changeset{j})
	now := j.NextAt.Add(time.Second)
	claimed := w.claimJobs(now, 5)
	j.Version, j.LeaseUntil = 2, now.Add(time.Minute)
	w.same([]report.Job{j}, claimed)
	w.same(j, w.jobOf(j.ID))
	w.same(0, len(w.claimJobs(now, 0)))
}

func dueJobs(w *world) {
	now := epoch.Add(time.Hour)
	late, early, later, over, leased, lapsed := w.dueJob(now), w.dueJob(epoch), w.dueJob(now.Add(time.Microsecond)),
		w.dueJob(time.Time{}), w.dueJob(epoch), w.dueJob(epoch.Add(time.Minute))
	leased.LeaseUntil, lapsed.LeaseUntil = now.Add(time.Microsecond), now
	w.commit(core.Changeset{late, early, later, over, leased, lapsed})
	var got []core.ID
	for _, j := range append(w.claimJobs(now, 2), w.claimJobs(now, 5)...) {
		got = append(got, j.ID)
	}
	w.same([]core.ID{early.ID, lapsed.ID, late.ID}, got)
}

func jobsClaimedOnce(w *world) {
	var all []report.Job
	for range 40 {
		all = append(all, w.dueJob(epoch))
	}
	w.commit(core.Rows(all))
	found := make([][]report.Job, 8)
	errs := together(len(found), func(i int) error {
		for range 20 {
			some, err := w.store.ClaimJobs(w.ctx, epoch, epoch.Add(time.Minute), 3)
			if err != nil {
				return err
			}
			found[i] = append(found[i], some...)
		}
		return nil
	})
	w.won(errs, "")
	got := idsOf(slices.Concat(found...), func(j report.Job) core.ID { return j.ID })
	slices.Sort(got)
	w.same(idsOf(all, func(j report.Job) core.ID { return j.ID }), got)
}

func lostJob(w *world) {
	j, c := w.dueJob(epoch), w.callback(w.payment().ID, receiver)
	w.commit(core.Changeset{j, c})
	first := w.claimJobs(epoch, 1)[0]
	second := w.claimJobs(epoch.Add(2*time.Minute), 1)[0]
	resent := c.Resent(epoch)
	step := func(j report.Job) core.Changeset {
		return core.Changeset{
			j.Stepped(report.JobProgress{Done: 1}, epoch, epoch),
			resent,
			report.JobChunk{JobID: j.ID, Number: 1, Bytes: []byte("x")},
		}
	}
	w.refused(fault.Conflict, step(first))
	w.same([]payment.Callback{c}, w.callbacksOf(c.PaymentID))
	_, err := w.store.JobChunk(w.ctx, j.ID, 1)
	w.fails(fault.NotFound, err)
	w.commit(step(second))
	w.same([]payment.Callback{resent}, w.callbacksOf(c.PaymentID))
}

func chunksComeBack(w *world) {
	j, every := w.job(), make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	for i, data := range [][]byte{every, []byte("'; DROP TABLE jobs; --\\x41?"), bytes.Repeat(every, 4096)} {
		w.commit(core.Changeset{report.JobChunk{JobID: j.ID, Number: i + 1, Bytes: data}})
		got, err := w.store.JobChunk(w.ctx, j.ID, i+1)
		w.no(err)
		if got.JobID != j.ID || got.Number != i+1 || !bytes.Equal(got.Bytes, data) {
			w.t.Fatalf("chunk %d of %d bytes comes back with %d", i+1, len(data), len(got.Bytes))
		}
	}
	_, err := w.store.JobChunk(w.ctx, j.ID, 4)
	w.fails(fault.NotFound, err)
}

func chunkOnce(w *world) {
	c := report.JobChunk{JobID: w.job().ID, Number: 1, Bytes: []byte("first")}
	w.commit(core.Changeset{c})
	w.refused(fault.Conflict, core.Changeset{report.JobChunk{JobID: c.JobID, Number: 1, Bytes: []byte("second")}})
	got, err := w.store.JobChunk(w.ctx, c.JobID, 1)
	w.no(err)
	w.same(c, got)
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
