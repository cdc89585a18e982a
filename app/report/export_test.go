package report_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/exportfile"
	reports "github.com/vezne/vezne/app/report"
	appstaff "github.com/vezne/vezne/app/staff"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports"
)

func export(t apptest.TB, w *apptest.World, s staff.Staff, e reports.Export) report.Job {
	t.Helper()
	if e.Language == "" {
		e.Language = lang.EN
	}
	j, err := w.Jobs.StartExport(t.Context(), by(s), e)
	if err != nil {
		t.Fatalf("export: %v", err)
	}
	return j
}

// fileOf returns an export's file.
func fileOf(t apptest.TB, w *apptest.World, j report.Job) []byte {
	t.Helper()
	var file bytes.Buffer
	j = reload(t, w, j)
	var err error
	for number := 1; number <= j.Chunks && err == nil; number++ {
		var chunk report.JobChunk
		chunk, err = w.Store.JobChunk(t.Context(), j.ID, number)
		file.Write(chunk.Bytes)
	}
	if err != nil || j.Status != report.JobDone || int64(file.Len()) != j.File.Bytes {
		t.Fatalf("%d of %d bytes, %s, %v", file.Len(), j.File.Bytes, j.Status, err)
	}
	return file.Bytes()
}

// all lists every payment, by brute force.
func all(t apptest.TB, w *apptest.World) (list []payment.Payment) {
	t.Helper()
	for after := core.ID(""); ; after = list[len(list)-1].ID {
		found, err := w.Store.SearchPayments(t.Context(), report.PaymentQuery{Paging: core.Paging[report.Cursor]{After: report.Cursor{ID: after}, Limit: 100}})
		rows := found.Payments
		if err != nil {
			t.Fatal(err)
		}
		if list = append(list, rows...); len(rows) == 0 {
			return list
		}
	}
}

// busy is a World with payments of many methods and statuses, and transfers of every end.
func busy(t *testing.T) *apptest.World {
	t.Helper()
	w := apptest.New(t)
	w.Jobs.Writers = exportfile.Writers()
	ended(t, w, 30, payment.Delivered)
	for i := range 20 {
		p := w.StartDeposit(t, payment.EIBANDeposit, lira(int64(100+i)))
		if i%3 == 0 {
			if _, err := w.Approve(t.Context(), apptest.By(w.Admin, p, ""), lira(int64(50+i))); err != nil {
				t.Fatal(err)
			}
		}
		w.StartWithdrawal(t, payment.ManualWithdrawal, lira(int64(7*i+1)))
	}
	for i := range 12 {
		p := w.StartTransfer(t, lira(int64(20+i)))
		w.Work(t)
		operations, err := w.Store.OperationsOf(t.Context(), p.ID)
		if err != nil {
			t.Fatal(err)
		}
		switch i % 3 {
		case 0:
			w.Bank.Settle(operations[0].Reference)
		case 1:
			w.Bank.Return(operations[0].Reference)
		}
	}
	w.Clock.Advance(time.Minute)
	w.Work(t)
	w.Clock.Advance(time.Microsecond)
	return w
}

func TestTotalsEqualThePaymentsAndTheLedger(t *testing.T) {
	t.Parallel()
	w := busy(t)
	for _, format := range report.ExportFormats() {
		j := export(t, w, w.Admin, reports.Export{Format: format})
		quiet(t, w.Jobs)
		j = reload(t, w, j)
		payments := all(t, w)
		sums, booked := map[string][3]int64{}, map[payment.Status]int64{}
		for _, p := range payments {
			key := string(p.Method) + "/" + string(p.Status)
			s := sums[key]
			sums[key] = [3]int64{s[0] + 1, s[1] + p.RequestedAmount.Minor(), s[2] + p.Amount.Minor()}
		}
		for _, total := range j.Totals {
			key := string(total.Method) + "/" + string(total.Status)
			if got := [3]int64{int64(total.Count), total.RequestedAmount.Minor(), total.Amount.Minor()}; got != sums[key] {
				t.Errorf("%s of %s: %v, want %v", format, key, got, sums[key])
			}
			if total.Method == payment.EIBANTransfer {
				booked[total.Status] = total.Amount.Minor()
			}
			delete(sums, key)
		}
		if len(sums) > 0 || j.Done != len(payments) {
			t.Errorf("%s: the totals lack %v; %d of %d rows", format, sums, j.Done, len(payments))
		}
		checkLedger(t, w, booked)
	}
}

// checkLedger compares what transfers come to with the entries of the ledger.
func checkLedger(t *testing.T, w *apptest.World, transfers map[payment.Status]int64) {
	t.Helper()
	entries, err := w.Store.Entries(t.Context(), w.Wallet.ID, core.Paging[core.ID]{Limit: core.MaxPage})
	if err != nil {
		t.Fatal(err)
	}
	sums := map[ledger.EntryKind]int64{}
	for _, e := range entries {
		switch e.Kind {
		case ledger.EntryPost:
			sums[e.Kind] += e.Outside.Minor()
		case ledger.EntryReserve:
			sums[e.Kind] += e.Reserved.Minor()
		case ledger.EntryRelease:
			sums[e.Kind] += e.Available.Minor()
		default:
		}
	}
	reserved := sums[ledger.EntryReserve] - sums[ledger.EntryPost] - sums[ledger.EntryRelease]
	if sums[ledger.EntryPost] != transfers[payment.Completed] || sums[ledger.EntryRelease] != transfers[payment.Failed]+transfers[payment.Cancelled] ||
		reserved != transfers[payment.Pending] || reserved == 0 || sums[ledger.EntryPost] == 0 {
		t.Errorf("the ledger has %v and %d reserved, the export %v", sums, reserved, transfers)
	}
}

func TestAFileHasEveryRowOnceInTheStaffMembersLanguage(t *testing.T) {
	t.Parallel()
	w := busy(t)
	j := export(t, w, w.Viewer, reports.Export{
		Format: report.CSV, Language: lang.TR, Columns: []report.ExportColumn{report.ColStatus, report.ColTrackingCode},
		Filter: report.PaymentQuery{Methods: []payment.Method{payment.ManualDeposit, payment.EIBANDeposit}},
	})
	late := w.StartDeposit(t, payment.ManualDeposit, lira(9)) // after the order
	quiet(t, w.Jobs)
	read := csv.NewReader(bytes.NewReader(fileOf(t, w, j)))
	read.Comma = ';' // as Excel has it in Turkey
	rows, err := read.ReadAll()
	if err != nil || !slices.Equal(rows[0][:2], []string{"Durum", "İşlem kodu"}) {
		t.Fatalf("%q, %v", rows[0], err)
	}
	seen := map[string]int{}
	for _, row := range rows {
		seen[row[1]]++
	}
	for _, p := range all(t, w) {
		want := 0
		if p.Method.Kind() == payment.Deposit && p.ID != late.ID {
			want = 1
		}
		if seen[p.TrackingCode] != want {
			t.Errorf("%s %s comes %d times", p.Method, p.TrackingCode, seen[p.TrackingCode])
		}
	}
}

func TestADealersStaffExportTheirDealersOnly(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	own := w.StartDeposit(t, payment.ManualDeposit, lira(5))
	other := w.Start(t, payment.Request{Method: payment.ManualWithdrawal, Provider: w.OtherProvider, Site: w.OtherSite, Amount: lira(6)})
	w.Clock.Advance(time.Second)
	j := export(t, w, w.DealerStaff, reports.Export{Format: report.CSV})
	quiet(t, w.Jobs)
	if text := string(fileOf(t, w, j)); !strings.Contains(text, own.TrackingCode) || strings.Contains(text, other.TrackingCode) {
		t.Errorf("the file is %s", text)
	}
	for _, s := range []staff.Staff{w.Operator, w.Viewer} {
		_, err := w.Jobs.Job(t.Context(), s, j.ID)
		wants(t, err, fault.NotFound)
		_, _, err = w.Jobs.Ticket(t.Context(), by(s), "session", j.ID)
		wants(t, err, fault.NotFound)
		_, err = w.Jobs.Cancel(t.Context(), by(s), j.ID)
		wants(t, err, fault.NotFound)
	}
}

// fill stores many payments of one site.
func fill(t *testing.T, w *apptest.World, n int) {
	t.Helper()
	p := w.StartDeposit(t, payment.ManualDeposit, lira(5))
	ids, err := core.NewIDs(w.Clock.Now(), w.UnitOfWork.Random)
	if err != nil {
		t.Fatal(err)
	}
	var change core.Changeset
	for i := 1; i < n; i++ {
		p.ID, p.TokenFingerprint, p.TrackingCode, p.Amount, p.Version = ids.Next(), fmt.Sprint("token-", i), fmt.Sprint("MAN-", i), lira(int64(i)), 1
		change = append(change, p)
	}
	if err := w.Store.Commit(t.Context(), change); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(time.Second)
}

// stopping is a store whose searches give up after a few payments, as those of millions do.
type stopping struct{ ports.Reports }

func (s stopping) SearchPayments(ctx context.Context, q report.PaymentQuery) (report.Page, error) {
	q.MaxLooked = 7
	return s.Reports.SearchPayments(ctx, q)
}

// TestASearchThatGivesUpLeavesNothingOut: what matches is far apart, so that most looks at the store find none.
func TestASearchThatGivesUpLeavesNothingOut(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.Jobs.Writers = exportfile.Writers()
	fill(t, w, 300)
	w.Jobs.Reports = stopping{w.Jobs.Reports}
	j := export(t, w, w.Admin, reports.Export{Format: report.CSV, Filter: report.PaymentQuery{MinAmount: lira(100), MaxAmount: lira(103)}})
	quiet(t, w.Jobs)
	if j = reload(t, w, j); j.Status != report.JobDone || j.Done != 4 {
		t.Errorf("the export is %s with %d rows, want 4", j.Status, j.Done)
	}
	ended(t, w, 60, payment.Undeliverable)
	resent := resend(t, w, reports.Resend{Filter: everything(), States: failedOnly()})
	quiet(t, w.Jobs)
	if resent = reload(t, w, resent); resent.Status != report.JobDone || resent.Done != 60 {
		t.Errorf("the job is %+v, want 60 sent again", progressOf(resent))
	}
}

func TestTenThousandRowsAreNeverInMemoryTogether(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.Jobs.Writers = exportfile.Writers()
	fill(t, w, 10_000)
	jobs := []report.Job{export(t, w, w.Admin, reports.Export{Format: report.CSV}), export(t, w, w.Admin, reports.Export{Format: report.XLSX})}
	most, steps, before := 0, 0, map[core.ID]int{}
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, After: func(c core.Changeset) error {
		for _, j := range core.RowsOf[report.Job](c) {
			most = max(most, j.Done-before[j.ID])
			before[j.ID] = j.Done
			steps++
		}
		for _, chunk := range core.RowsOf[report.JobChunk](c) {
			if len(chunk.Bytes) > 1<<20 {
				t.Errorf("a chunk has %d bytes", len(chunk.Bytes))
			}
		}
		return nil
	}}
	other := another(t, w)
	other.Wake()
	_ = other.Stop(t.Context()) // one process leaves in the middle
	quiet(t, w.Jobs)
	for _, j := range jobs {
		if got := reload(t, w, j); got.Done != 10_000 || got.IsTotalExact || got.Total != 10_000 {
			t.Errorf("%+v", got)
		}
		fileOf(t, w, j)
	}
	if most > 1000 || steps < 20 {
		t.Errorf("%d rows in one of %d steps", most, steps)
	}
}

func TestACrashAtAnyStepOfAnExportShowsNowhereInItsFile(t *testing.T) {
	t.Parallel()
	var whole [2][]byte
	w := apptest.New(t)
	w.Jobs.Writers = exportfile.Writers()
	fill(t, w, 1_100)
	for i, format := range report.ExportFormats() {
		j := export(t, w, w.Admin, reports.Export{Format: format})
		quiet(t, w.Jobs)
		whole[i] = fileOf(t, w, j)
	}
	for n := range 4 {
		for _, isMade := range []bool{false, true} {
			for i, format := range report.ExportFormats() {
				w.UnitOfWork.Commits = w.Store
				j := export(t, w, w.Admin, reports.Export{Format: format})
				failing(w, n, isMade)
				for range 3 {
					quiet(t, w.Jobs)
					w.Clock.Advance(time.Hour)
				}
				w.UnitOfWork.Commits = w.Store
				if !bytes.Equal(fileOf(t, w, j), whole[i]) {
					t.Errorf("commit %d, made %t: another file in %s", n, isMade, format)
				}
			}
		}
	}
}

func TestATicketOpensOnceInTimeWhileTheSessionLives(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	fill(t, w, 3)
	signIn, err := w.Staff.Login(t.Context(), w.Operator.Email, apptest.Password, appstaff.Origin{Addr: netip.MustParseAddr("192.0.2.7")})
	if err != nil {
		t.Fatal(err)
	}
	session := sign.Fingerprint(signIn.Token)
	j := export(t, w, w.Operator, reports.Export{Format: report.CSV})
	_, _, err = w.Jobs.Ticket(t.Context(), by(w.Operator), session, j.ID)
	wants(t, err, fault.NotReady)
	quiet(t, w.Jobs)
	ticket := func() string {
		path, _, err := w.Jobs.Ticket(t.Context(), by(w.Operator), session, j.ID)
		if err != nil {
			t.Fatal(err)
		}
		return path[strings.LastIndexByte(path, '/')+1:]
	}
	open := func(ticket string) error {
		_, _, err := w.Jobs.Open(context.WithoutCancel(t.Context()), j.ID, ticket)
		return err
	}
	first := ticket()
	wants(t, open(first[1:]), fault.NotFound)
	wants(t, open(""), fault.NotFound)
	wants(t, open(first), "")
	wants(t, open(first), fault.NotFound)
	second, third := ticket(), ticket()
	wants(t, open(second), fault.NotFound) // there is a later one
	w.Clock.Advance(time.Minute)
	wants(t, open(third), fault.NotFound)
	fourth := ticket()
	w.Clock.Advance(30 * time.Second)
	wants(t, open(fourth), "")
	w.Clock.Advance(12 * time.Hour)
	wants(t, open(ticket()), fault.NotFound) // the session is over
}

func TestAFileIsDeletedAfterADay(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	fill(t, w, 3)
	j := export(t, w, w.Operator, reports.Export{Format: report.CSV})
	quiet(t, w.Jobs)
	w.Clock.Advance(24*time.Hour - time.Second)
	if err := w.Sweep.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	fileOf(t, w, j)
	w.Clock.Advance(time.Hour)
	if err := w.Sweep.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err := w.Store.JobChunk(t.Context(), j.ID, 1)
	wants(t, err, fault.NotFound)
	_, _, err = w.Jobs.Ticket(t.Context(), by(w.Operator), "session", j.ID)
	wants(t, err, fault.NotReady)
}

func TestExportsAreChecked(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	for name, e := range map[string]reports.Export{
		"no format":      {},
		"a strange one":  {Format: "pdf"},
		"no such column": {Format: report.CSV, Columns: []report.ExportColumn{"token"}},
		"a column twice": {Format: report.CSV, Columns: []report.ExportColumn{report.ColAmount, report.ColAmount}},
	} {
		if _, err := w.Jobs.StartExport(t.Context(), by(w.Admin), e); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
