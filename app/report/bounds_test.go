package report_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/exportfile"
	reports "github.com/vezne/vezne/app/report"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports"
)

// TestOneMembersJobsAreBounded: of any number who order at once by one member's name a few get a job, and others theirs.
func TestOneMembersJobsAreBounded(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.Jobs.Writers = exportfile.Writers()
	fill(t, w, 3)
	csv := reports.Export{Format: report.CSV, Language: "en"}
	var placed atomic.Int32
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			_, err := w.Jobs.StartExport(t.Context(), by(w.Operator), csv)
			if err == nil {
				placed.Add(1)
			} else if !fault.Is(err, fault.RateLimited) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := placed.Load(); n != report.MaxOpenJobs {
		t.Errorf("%d jobs were placed, want %d", n, report.MaxOpenJobs)
	}
	_, err := w.Jobs.Resend(t.Context(), by(w.Operator), reports.Resend{Filter: everything(), States: failedOnly()})
	wants(t, err, fault.RateLimited)
	export(t, w, w.Admin, csv)
	quiet(t, w.Jobs)
	export(t, w, w.Operator, csv)
}

func TestOneMembersFilesAreBounded(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.Jobs.Writers = exportfile.Writers()
	fill(t, w, 3)
	csv := reports.Export{Format: report.CSV, Language: "en"}
	large := export(t, w, w.Operator, csv)
	quiet(t, w.Jobs)
	large = reload(t, w, large)
	large.Version++
	large.File.Bytes = report.MaxFileBytes
	if err := w.Store.Commit(t.Context(), core.Changeset{large}); err != nil {
		t.Fatal(err)
	}
	_, err := w.Jobs.StartExport(t.Context(), by(w.Operator), csv)
	wants(t, err, fault.RateLimited)
	w.Clock.Advance(report.ExportLife)
	for range report.MaxJobsADay {
		export(t, w, w.Operator, csv)
		quiet(t, w.Jobs)
	}
	_, err = w.Jobs.StartExport(t.Context(), by(w.Operator), csv)
	wants(t, err, fault.RateLimited)
	w.Clock.Advance(report.ExportLife)
	export(t, w, w.Operator, csv)
}

// slow is a writer that takes as long for a step as one may.
type slow struct {
	ports.FileWriter
	clock *apptest.Clock
}

func (s slow) Write(part report.FilePart) ([]byte, report.FileState, error) {
	s.clock.Advance(20 * time.Second)
	return s.FileWriter.Write(part)
}

// TestAGreatJobKeepsNobodyWaiting: as many great exports as there are workers, and a small one that is ordered after them.
func TestAGreatJobKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	fill(t, w, 5_000)
	small := w.StartDeposit(t, payment.ManualDeposit, lira(7))
	w.Clock.Advance(time.Second)
	w.Jobs.Writers = map[report.ExportFormat]ports.FileWriter{report.CSV: slow{exportfile.CSV{}, w.Clock}}
	var great []report.Job
	for range 2 {
		great = append(great, export(t, w, w.Admin, reports.Export{Format: report.CSV}))
		w.Clock.Advance(time.Second)
	}
	little := export(t, w, w.Operator, reports.Export{
		Format: report.CSV, Filter: report.PaymentQuery{TrackingCode: small.TrackingCode},
	})
	var order []core.ID
	var mu sync.Mutex
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, After: func(c core.Changeset) error {
		mu.Lock()
		defer mu.Unlock()
		for _, j := range core.RowsOf[report.Job](c) {
			if j.Status == report.JobDone {
				order = append(order, j.ID)
			}
		}
		return nil
	}}
	for range 20 {
		quiet(t, w.Jobs)
	}
	if len(order) != 3 || order[0] != little.ID {
		t.Errorf("done: %v, of which %s is little", order, little.ID)
	}
	for _, j := range great {
		if got := reload(t, w, j); got.Done != 5_001 {
			t.Errorf("%+v", progressOf(got))
		}
		fileOf(t, w, j)
	}
}
