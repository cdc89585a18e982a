package graph_test

import (
	"regexp"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	reports "github.com/vezne/vezne/app/report"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
)

// undelivered is a deposit that has ended, and whose callback nobody took.
func undelivered(a *api, t *testing.T) subject {
	t.Helper()
	p, err := a.Deposits.Cancel(t.Context(), a.start(t, payment.ManualDeposit))
	if err != nil {
		t.Fatal(err)
	}
	all, err := a.Store.CallbacksOf(t.Context(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	c := all[0]
	c.Version++
	c.Status, c.NextAttemptAt, c.FinishedAt = payment.Undeliverable, time.Time{}, a.Clock.Now()
	if err := a.Store.Commit(t.Context(), core.Changeset{c}); err != nil {
		t.Fatal(err)
	}
	a.Clock.Advance(time.Second)
	return subject{Payment: p, callback: c.ID}
}

// workOff works on all jobs there are.
func (a *api) workOff(t *testing.T) {
	t.Helper()
	a.Jobs.Wake()
	if err := a.Jobs.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// exporting is an export of the admin's that nobody has worked on, and the only one: of those a member has few.
func exporting(a *api, t *testing.T) subject {
	t.Helper()
	a.workOff(t)
	s := subject{Payment: a.start(t, payment.ManualDeposit), others: "NOT_FOUND"}
	a.Clock.Advance(time.Second)
	j, err := a.Jobs.StartExport(t.Context(), app.Request{Staff: a.Admin}, reports.Export{Format: report.CSV, Language: lang.EN})
	if err != nil {
		t.Fatal(err)
	}
	s.job = j.ID
	return s
}

// exported is an export of the admin's with its file.
func exported(a *api, t *testing.T) subject {
	t.Helper()
	s := exporting(a, t)
	a.workOff(t)
	return s
}

const jobFields = `{ id kind status startedBy { kind name address } total isTotalExact percent done skipped failed
	failures { trackingCode code } format totals { method status count requestedAmount amount currency } hasFile
	createdAt startedAt finishedAt error }`

func TestGoldenJobs(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.fixRandom(t)
	one, two := undelivered(a, t), undelivered(a, t)
	order := `mutation($codes: [String!], $filter: TransactionFilter, $dry: Boolean) {
		resendCallbacks(input: {trackingCodes: $codes, filter: $filter, dryRun: $dry}) { count isExact job ` + jobFields + ` } }`
	checkGolden(t, "resend-one", a.as(t, staff.Operator, `mutation($id: ID!) {
		resendCallback(input: {callbackId: $id, reason: "they asked"}) { callback { id status attemptCount nextAttemptAt finishedAt attempts { number } } } }`,
		vars{"id": one.callback}).Raw)
	checkGolden(t, "resend-dry", a.as(t, staff.Operator, order, vars{"filter": vars{}, "dry": true}).Raw)
	checkGolden(t, "resend-ordered", a.as(t, staff.Operator, order, vars{"codes": []string{one.TrackingCode, two.TrackingCode, "MAN-1"}}).Raw)
	checkGolden(t, "resend-invalid", a.as(t, staff.Operator, order, nil).Raw)
	checkGolden(t, "export-started", a.as(t, staff.Operator, `mutation { startExport(input: {format: XLSX, filter: {status: CANCELED}}) { job `+jobFields+` } }`, nil).Raw)
	a.Jobs.Wake()
	if err := a.Jobs.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkGolden(t, "jobs", a.as(t, staff.Operator, `{ jobs(first: 5) { nodes `+jobFields+` edges { cursor } pageInfo { hasNextPage endCursor } } }`, nil).Raw)
	checkGolden(t, "jobs-of-others", a.as(t, staff.Viewer, `{ jobs { nodes { id } } }`, nil).Raw)
}

func TestADownloadIsForOneSession(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := exported(a, t)
	var download struct{ Path, FileName string }
	a.as(t, staff.Admin, `mutation($id: ID!) { exportDownload(input: {jobId: $id}) { path fileName } }`, vars{"id": s.job}).
		into(t, "exportDownload", &download)
	parts := regexp.MustCompile(`^/exports/([0-9A-Z]{26})/([0-9A-Z]{32})$`).FindStringSubmatch(download.Path)
	if parts == nil || core.ID(parts[1]) != s.job || download.FileName != "transactions-20260302-120001.csv" {
		t.Fatalf("%+v", download)
	}
	a.revoke(t, a.tokens[staff.Admin])
	if _, _, err := a.Jobs.Open(t.Context(), s.job, parts[2]); err == nil {
		t.Error("the ticket outlived its session")
	}
}
